// Constraints of random bits, factorisations, transforms, normalisation and custom calls.
#include "StructuredVerify.h"

#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

using namespace mlir;

namespace forge::stablehlo {

LogicalResult RngBitGeneratorOp::verify() {
  RankedTensorType state = getInitialState().getType();
  // rng_bit_generator_c1
  if (!compatibleTypes(state, getOutputState().getType()))
    return emitOpError() << "expected output_state of type " << state
                         << " as initial_state, but got " << getOutputState().getType();
  if (state.getRank() != 1 || !state.getElementType().isUnsignedInteger(64))
    return emitOpError() << "expected initial_state of rank 1 and element type ui64, but got "
                         << state;
  if (!getOutput().getType().hasStaticShape())
    return emitOpError() << "expected an output of static shape, but got " << getOutput().getType();
  // rng_bit_generator_c2
  int64_t size = state.getDimSize(0);
  bool fits = size == 2 || (size == 3 && getRngAlgorithm() != RngAlgorithm::THREE_FRY);
  if (!ShapedType::isDynamic(size) && !fits)
    return emitOpError() << "expected "
                         << (getRngAlgorithm() == RngAlgorithm::THREE_FRY ? "2" : "2 or 3")
                         << " elements in initial_state for "
                         << stringifyRngAlgorithm(getRngAlgorithm()) << ", but got " << size;
  return success();
}

LogicalResult RngOp::verify() {
  Type element = getType().getElementType();
  // rng_c1
  for (auto [name, value] : {std::pair("a", getA()), std::pair("b", getB())})
    if (failed(verifyShape(*this, name, value.getType(), {})) ||
        failed(verifyElementType(*this, name, value.getType(), element)))
      return failure();
  // rng_c2
  if (getRngDistribution() == RngDistribution::NORMAL && !isa<FloatType>(element))
    return emitOpError() << "expected float elements for NORMAL, but got " << element;
  // rng_c3
  if (failed(verifyShape(*this, "shape", getShape().getType(), {getType().getRank()})))
    return failure();
  std::optional<SmallVector<int64_t>> expected = constantIntegers(getShape());
  if (!expected)
    return success();
  UserErrorScope scope(getContext());
  return verifyShape(*this, "the result", getType(), *expected);
}

/// Layouts, where given, are one permutation per tensor.
static LogicalResult verifyLayouts(Operation *op, StringRef name, ArrayAttr layouts,
                                   TypeRange types) {
  // A single tuple is described by the layouts of its parts.
  SmallVector<Type> parts(types);
  if (parts.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(parts[0]))
      parts.assign(tuple.begin(), tuple.end());
  if (failed(verifyCount(op, name, layouts.size(), parts.size())))
    return failure();
  for (auto [attr, type] : llvm::zip(layouts, parts)) {
    auto layout = dyn_cast<DenseIntElementsAttr>(attr);
    if (!layout || !layout.getElementType().isIndex() || layout.getType().getRank() != 1)
      return op->emitOpError() << "expected lists of index in " << name << ", but got " << attr;
    auto tensor = dyn_cast<RankedTensorType>(type);
    int64_t rank = tensor ? tensor.getRank() : 0;
    // Counted before they are read: a splat may have any number of elements.
    if (failed(verifyCount(op, "a layout", layout.getNumElements(), rank)))
      return failure();
    SmallVector<int64_t> dims;
    for (const APInt &dim : layout.getValues<APInt>())
      dims.push_back(dim.getSExtValue());
    if (failed(verifyDistinct(op, "dimensions of a layout", dims)) ||
        failed(verifyDimsInRange(op, "dimensions of a layout", dims, rank)))
      return failure();
  }
  return success();
}

/// The part of `type` that `indices` lead to through nested tuples; null when they lead nowhere.
static Type followTuple(Type type, ArrayRef<int64_t> indices) {
  for (int64_t index : indices) {
    auto tuple = dyn_cast_or_null<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

static LogicalResult verifyAlias(CustomCallOp op, OutputOperandAliasAttr alias) {
  int64_t index = alias.getOperandIndex();
  if (failed(verifyDimsInRange(op, "operand_index", index, op.getInputs().size())))
    return failure();
  Type from = followTuple(op.getInputs()[index].getType(), alias.getOperandTupleIndices());
  ArrayRef<int64_t> path = alias.getOutputTupleIndices();
  Type to;
  if (op->getNumResults() == 1)
    to = followTuple(op->getResult(0).getType(), path);
  else if (!path.empty() && path[0] >= 0 && path[0] < static_cast<int64_t>(op->getNumResults()))
    to = followTuple(op->getResult(path[0]).getType(), path.drop_front());
  if (!from || !to)
    return op.emitOpError() << "expected an alias between an operand and a result, but got "
                            << alias;
  if (!compatibleTypes(from, to))
    return op.emitOpError() << "expected aliases of one type, but got " << from << " and " << to;
  return success();
}

LogicalResult CustomCallOp::verify() {
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return emitOpError() << "expected both operand_layouts and result_layouts, or neither";
  if (getOperandLayouts() &&
      (failed(
           verifyLayouts(*this, "operand_layouts", *getOperandLayouts(), getInputs().getTypes())) ||
       failed(verifyLayouts(*this, "result_layouts", *getResultLayouts(), getResultTypes()))))
    return failure();
  // A dictionary is how the typed calling convention passes its settings.
  bool typed = getApiVersion() == CustomCallApiVersion::API_VERSION_TYPED_FFI;
  if (std::optional<Attribute> config = getBackendConfig()) {
    auto text = dyn_cast<StringAttr>(*config);
    bool isEmpty = text && text.empty();
    if (!isEmpty && typed == static_cast<bool>(text))
      return emitOpError() << "expected a " << (typed ? "dictionary" : "string")
                           << " as backend_config for "
                           << stringifyCustomCallApiVersion(getApiVersion()) << ", but got "
                           << *config;
  }
  for (auto alias : getOutputOperandAliases().getAsRange<OutputOperandAliasAttr>())
    if (failed(verifyAlias(*this, alias)))
      return failure();
  return verifyDynamicCall(*this);
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType();
  // triangular_solve_c1
  if (failed(verifyElementType(*this, "b", b, a.getElementType())))
    return failure();
  // triangular_solve_c2
  if (a.getRank() < 2 || a.getRank() != b.getRank())
    return emitOpError() << "expected one rank of 2 or more for a and b, but got " << a.getRank()
                         << " and " << b.getRank();
  // triangular_solve_c3
  int64_t rank = a.getRank();
  if (!compatibleShapes(a.getShape().drop_back(2), b.getShape().drop_back(2)))
    return emitOpError() << "expected one batch for a and b, but got "
                         << shapeToString(a.getShape().drop_back(2)) << " and "
                         << shapeToString(b.getShape().drop_back(2));
  int64_t size = a.getDimSize(rank - 1);
  if (failed(verifySameSize(*this, "the last dimension of a", size, "the dimension before it",
                            a.getDimSize(rank - 2))) ||
      failed(verifySameSize(*this, "the last dimension of a", size,
                            getLeftSide() ? "the last but one dimension of b"
                                          : "the last dimension of b",
                            b.getDimSize(getLeftSide() ? rank - 2 : rank - 1))))
    return failure();
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emitOpError() << "expected NO_TRANSPOSE, TRANSPOSE or ADJOINT for transpose_a";
  // triangular_solve_c4
  if (!compatibleTypes(b, getType()))
    return emitOpError() << "expected result type " << b << " as b, but got " << getType();
  return success();
}

LogicalResult CholeskyOp::verify() {
  RankedTensorType a = getA().getType();
  // cholesky_c1
  if (!compatibleTypes(a, getType()))
    return emitOpError() << "expected result type " << a << " as a, but got " << getType();
  // cholesky_c2
  if (a.getRank() < 2)
    return emitOpError() << "expected rank 2 or more for a, but got " << a.getRank();
  // cholesky_c3
  return verifySameSize(*this, "the last dimension of a", a.getShape().back(),
                        "the dimension before it", a.getDimSize(a.getRank() - 2));
}

LogicalResult FftOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  ArrayRef<int64_t> length = getFftLength();
  auto rank = static_cast<int64_t>(length.size());
  // fft_c1
  if (rank < 1 || rank > 3 || operand.getRank() < rank)
    return emitOpError() << "expected 1 to 3 lengths, of the last dimensions of operand, but got "
                         << rank << " for rank " << operand.getRank();
  bool fromReal = getFftType() == FftType::RFFT, toReal = getFftType() == FftType::IRFFT;
  Type from = operand.getElementType(), to = result.getElementType();
  // fft_c2
  if (isComplexElementType(from) == fromReal || isComplexElementType(to) == toReal ||
      partTypeOf(from) != partTypeOf(to) || !isa<Float32Type, Float64Type>(partTypeOf(from)))
    return emitOpError() << "expected " << (fromReal ? "floats" : "complex numbers") << " to "
                         << (toReal ? "floats" : "complex numbers")
                         << " of one precision, f32 or f64, but got " << from << " to " << to;
  // fft_c3
  SmallVector<int64_t> given(operand.getShape()), made(given);
  for (int64_t i = 0; i < rank; ++i)
    given[given.size() - rank + i] = made[made.size() - rank + i] = length[i];
  if (toReal)
    given.back() = length.back() / 2 + 1;
  if (fromReal)
    made.back() = length.back() / 2 + 1;
  if (!compatibleShapes(operand.getShape(), given))
    return emitOpError() << "expected operand of shape " << shapeToString(given) << ", but got "
                         << shapeToString(operand.getShape());
  if (!compatibleShapes(result.getShape(), made))
    return emitOpError() << "expected result of shape " << shapeToString(made) << ", but got "
                         << shapeToString(result.getShape());
  return success();
}

/// All of `values` hold one number per feature, all types one kind of number.
template <typename NormOp>
static LogicalResult
verifyNorm(NormOp op, ArrayRef<std::pair<StringRef, TypedValue<RankedTensorType>>> values) {
  RankedTensorType operand = op.getOperand().getType();
  int64_t feature = op.getFeatureIndex();
  // batch_norm_inference_c1, batch_norm_training_c1, batch_norm_grad_c1
  if (failed(verifyDimsInRange(op, "feature_index", feature, operand.getRank())))
    return failure();
  for (auto [name, value] : values) {
    // batch_norm_inference_c2, batch_norm_training_c2, batch_norm_grad_c2
    if (failed(verifyElementType(op, name, value.getType(), operand.getElementType())))
      return failure();
    // batch_norm_inference_c3 to c6, batch_norm_training_c3 to c6, batch_norm_grad_c4, c5
    if (failed(verifyShape(op, name, value.getType(), operand.getDimSize(feature))))
      return failure();
  }
  return success();
}

/// `value` has the operand's type.
template <typename NormOp>
static LogicalResult verifyLikeOperand(NormOp op, StringRef name, Value value) {
  if (compatibleTypes(op.getOperand().getType(), value.getType()))
    return success();
  return op.emitOpError() << "expected type " << op.getOperand().getType() << " for " << name
                          << " as for operand, but got " << value.getType();
}

LogicalResult BatchNormInferenceOp::verify() {
  if (failed(verifyNorm(*this, {{"scale", getScale()},
                                {"offset", getOffset()},
                                {"mean", getMean()},
                                {"variance", getVariance()}})))
    return failure();
  // batch_norm_inference_c7
  return verifyLikeOperand(*this, "the result", getResult());
}

LogicalResult BatchNormTrainingOp::verify() {
  if (failed(verifyNorm(*this, {{"scale", getScale()},
                                {"offset", getOffset()},
                                {"batch_mean", getBatchMean()},
                                {"batch_var", getBatchVar()}})))
    return failure();
  // batch_norm_training_c7
  return verifyLikeOperand(*this, "output", getOutput());
}

LogicalResult BatchNormGradOp::verify() {
  if (failed(verifyNorm(*this, {{"scale", getScale()},
                                {"mean", getMean()},
                                {"variance", getVariance()},
                                {"grad_scale", getGradScale()},
                                {"grad_offset", getGradOffset()}})))
    return failure();
  // batch_norm_grad_c3
  return success(succeeded(verifyLikeOperand(*this, "grad_output", getGradOutput())) &&
                 succeeded(verifyLikeOperand(*this, "grad_operand", getGradOperand())));
}

} // namespace forge::stablehlo
