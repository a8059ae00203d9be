#include "forge/Dialect/Transformer/Builders/Graph.h"

#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace forge::transformer {

static ImplicitLocOpBuilder startBuilder(MLIRContext &context) {
  context.loadDialect<TransformerDialect, arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, tensor::TensorDialect>();
  return ImplicitLocOpBuilder(UnknownLoc::get(&context), &context);
}

Graph::Graph(MLIRContext &context, StringRef name) : b(startBuilder(context)) {
  module = ModuleOp::create(b.getLoc());
  b.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(b, name, b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
}

void Graph::fail(StringRef call, const Twine &text) {
  if (message.empty())
    message = (call + ": " + text).str();
}

std::string Graph::nameOf(Value value) const {
  auto found = names.find(value);
  return found == names.end() ? "" : found->second;
}

Value Graph::argument(StringRef name, ArrayRef<int64_t> shape, Type element) {
  CallCheck check(*this, "argument '" + name.str() + "'");
  for (int64_t size : shape)
    check.require(size >= 0 || ShapedType::isDynamic(size),
                  "expected sizes of 0 or more, but got " + Twine(size));
  if (!check.require(element && RankedTensorType::isValidElementType(element),
                     "invalid element type"))
    return {};
  auto loc = NameLoc::get(b.getStringAttr(name));
  auto type = RankedTensorType::get(shape, element);
  unsigned number = function.getNumArguments();
  if (failed(function.insertArgument(number, type, {}, loc)))
    return {};
  names[function.getArgument(number)] = name.str();
  return function.getArgument(number);
}

Value Graph::quantizedArgument(StringRef name, int64_t out, int64_t in,
                               const QuantizedFormat &format) {
  return quantizedArgument(name, ArrayRef<int64_t>{out, in}, format, "_scale");
}

Value Graph::quantizedArgument(StringRef name, ArrayRef<int64_t> shape,
                               const QuantizedFormat &format, StringRef scaleSuffix) {
  CallCheck check(*this, "quantizedArgument '" + name.str() + "'");
  if (!check.require(shape.size() >= 2 && (shape.size() == 2 || format.block),
                     "expected weights [out, in], or [..., out, in] in blocks"))
    return {};
  int64_t out = shape.drop_back().back(), in = shape.back();
  Type storage = format.storage;
  bool integer = storage && (storage.isSignlessInteger(4) || storage.isSignlessInteger(8));
  check.require(integer || (storage && isa<Float8E4M3FNType, Float8E5M2Type>(storage)),
                "expected weights of i4, i8, f8E4M3FN or f8E5M2");
  check.require(integer || !format.zeroPoint, "expected integers for a zero point");
  check.require(!format.roundsInput || (!integer && !format.block),
                "expected f8 and a scale for each output feature to round inputs");
  auto [p, q] = format.block.value_or(std::pair<int64_t, int64_t>(1, in));
  check.require(p > 0 && (q > 0 || !format.block), "expected a block of positive sizes");
  check.require(out >= 0 && in >= 0, "expected static sizes");
  if (!check)
    return {};
  // Leading dimensions are those of the scales too.
  SmallVector<int64_t> scales(shape.drop_back(2));
  scales.push_back(llvm::divideCeilSigned(out, p));
  if (format.block)
    scales.push_back(llvm::divideCeilSigned(in, q));
  Value weights = argument(name, shape, storage);
  Quantization quantization;
  quantization.scale = argument((name + scaleSuffix).str(), scales, b.getF32Type());
  if (format.zeroPoint)
    quantization.zeroPoint = argument((name + "_zero_point").str(), scales, storage);
  quantization.block = format.block;
  quantization.roundsInput = format.roundsInput;
  if (hasFailed())
    return {};
  quantized[weights] = quantization;
  return weights;
}

Value Graph::iota(int64_t count) {
  if (!CallCheck(*this, "iota")
           .require(count >= 0, "expected a count of 0 or more, but got " + Twine(count)))
    return {};
  auto numbers = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(count)));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({count}, b.getI32Type()),
                                ArrayRef<int32_t>(numbers)));
}

Value Graph::linear(Value input, Value weights, const LinearOptions &options) {
  CallCheck check(*this, "linear", weights);
  check.rankAtLeast(input, "input", 2).floats(input, "input").rank(weights, "weights", 2);
  if (!check)
    return {};
  bool outIn = options.layout == WeightLayout::OutIn;
  auto narrow = quantized.find(weights);
  check.require(outIn || narrow == quantized.end(), "expected quantised weights to be [out, in]");
  constexpr int64_t any = ShapedType::kDynamic;
  int64_t features = typeOf(input).getShape().back();
  check.shape(weights, "weights",
              outIn ? ArrayRef<int64_t>{any, features} : ArrayRef<int64_t>{features, any});
  if (narrow == quantized.end())
    check.elementOf(weights, "weights", input);
  if (!check)
    return {};
  int64_t out = typeOf(weights).getDimSize(outIn ? 0 : 1);
  SmallVector<int64_t> shape(typeOf(input).getShape());
  shape.back() = out;
  if (options.bias)
    check.shape(options.bias, "bias", {out}).elementOf(options.bias, "bias", input);
  if (options.residual)
    check.shape(options.residual, "residual", shape).elementOf(options.residual, "residual", input);
  if (!check)
    return {};
  if (narrow != quantized.end())
    return quantizedLinear(input, weights, narrow->second, options);
  auto product = MatmulOp::create(b, input, weights, /*transposeLhs=*/false, outIn);
  if (options.bias)
    product.getBiasMutable().assign(options.bias);
  if (options.residual)
    product.getResidualMutable().assign(options.residual);
  product.setActivation(options.activation);
  return product;
}

Value Graph::wideProduct(Value input, Value weights) {
  CallCheck check(*this, "wideProduct", weights);
  check.rankAtLeast(input, "input", 2).floats(input, "input").rank(weights, "weights", 2);
  if (!check)
    return {};
  check.shape(weights, "weights", {ShapedType::kDynamic, typeOf(input).getShape().back()});
  if (!check.elementOf(weights, "weights", input))
    return {};
  auto product = MatmulOp::create(b, input, weights, /*transposeLhs=*/false, /*transposeRhs=*/true);
  if (typeOf(input).getElementTypeBitWidth() < 32)
    product.getResult().setType(typeOf(product).clone(b.getF32Type()));
  return product;
}

Value Graph::converted(Value input, Value like) {
  CallCheck check(*this, "converted");
  check.present(like, "like").floats(like, "like");
  return check ? converted(input, typeOf(like).getElementType()) : Value();
}

Value Graph::converted(Value input, Type element) {
  CallCheck check(*this, "converted");
  check.present(input, "input").floats(input, "input");
  if (!check)
    return {};
  if (typeOf(input).getElementType() == element)
    return input;
  unsigned from = typeOf(input).getElementTypeBitWidth(), to = element.getIntOrFloatBitWidth();
  if (!check.require(from != to, "expected types of one width to be the same"))
    return {};
  RankedTensorType type = typeOf(input).clone(element);
  return from < to ? arith::ExtFOp::create(b, type, input).getResult()
                   : arith::TruncFOp::create(b, type, input).getResult();
}

Value Graph::quantizedLinear(Value input, Value weights, const Quantization &quantization,
                             const LinearOptions &options) {
  SmallVector<int64_t> shape(typeOf(input).getShape());
  shape.back() = typeOf(weights).getDimSize(0);
  DenseI64ArrayAttr block;
  if (quantization.block)
    block = b.getDenseI64ArrayAttr({quantization.block->first, quantization.block->second});
  RankedTensorType type = typeOf(input).clone(shape);
  Value inputScale;
  if (quantization.roundsInput) {
    RankedTensorType scale =
        typeOf(input).clone(ArrayRef<int64_t>(shape).drop_back(), b.getF32Type());
    auto rows = QuantizeRowsOp::create(b, typeOf(input).clone(typeOf(weights).getElementType()),
                                       scale, input);
    input = rows.getResult();
    inputScale = rows.getScale();
  }
  auto op = LinearOp::create(b, type, input, weights, quantization.scale, quantization.zeroPoint,
                             options.bias, options.residual, inputScale, block,
                             /*activation=*/ActivationKindAttr(), /*accumulate=*/TypeAttr());
  op.setActivation(options.activation);
  return op;
}

Value Graph::embedding(Value table, Value ids) {
  CallCheck check(*this, "embedding", table);
  check.rank(table, "table", 2).floats(table, "table").present(ids, "ids").integers(ids, "ids");
  if (!check)
    return {};
  SmallVector<int64_t> shape(typeOf(ids).getShape());
  shape.push_back(typeOf(table).getDimSize(1));
  return EmbeddingOp::create(b, typeOf(table).clone(shape), table, ids);
}

/// Both operands of an elementwise operation.
static bool checkAlike(CallCheck &check, Value lhs, Value rhs) {
  check.present(lhs, "left operand").floats(lhs, "left operand").present(rhs, "right operand");
  if (check)
    check.shape(rhs, "right operand", typeOf(lhs).getShape()).elementOf(rhs, "right operand", lhs);
  return static_cast<bool>(check);
}

Value Graph::add(Value lhs, Value rhs) {
  CallCheck check(*this, "add");
  return checkAlike(check, lhs, rhs) ? AddOp::create(b, lhs, rhs).getResult() : Value();
}

Value Graph::addToEach(Value input, Value addend) {
  CallCheck check(*this, "addToEach", addend);
  if (!check.rankAtLeast(input, "input", 1).floats(input, "input"))
    return {};
  check.shape(addend, "addend", typeOf(input).getShape().drop_front());
  if (!check.elementOf(addend, "addend", input))
    return {};
  Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), input),
                                        typeOf(input).getElementType());
  return add(input,
             linalg::BroadcastOp::create(b, addend, empty, ArrayRef<int64_t>{0})->getResult(0));
}

Value Graph::multiply(Value lhs, Value rhs) {
  CallCheck check(*this, "multiply");
  return checkAlike(check, lhs, rhs) ? MultiplyOp::create(b, lhs, rhs).getResult() : Value();
}

Value Graph::multiplyHeads(Value input, Value factors) {
  CallCheck check(*this, "multiplyHeads", factors);
  if (!check.rank(input, "input", 4).floats(input, "input"))
    return {};
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  check.shape(factors, "factors", {shape[1], shape[3]});
  if (!check.elementOf(factors, "factors", input))
    return {};
  Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), input),
                                        typeOf(input).getElementType());
  return multiply(
      input, linalg::BroadcastOp::create(b, factors, empty, ArrayRef<int64_t>{0, 2})->getResult(0));
}

Value Graph::activation(ActivationKind kind, Value input) {
  CallCheck check(*this, "activation");
  if (!check.present(input, "input").floats(input, "input"))
    return {};
  return ActivationOp::create(b, input.getType(), kind, input);
}

Value Graph::scaled(Value input, double factor) {
  CallCheck check(*this, "scaled");
  check.present(input, "input").floats(input, "input");
  if (!check.require(std::isfinite(factor), "expected a finite factor"))
    return {};
  Value number =
      arith::ConstantOp::create(b, b.getFloatAttr(typeOf(input).getElementType(), factor));
  Value numbers = tensor::SplatOp::create(b, number, tensor::getMixedSizes(b, b.getLoc(), input));
  return multiply(input, numbers);
}

Value Graph::softCapped(Value input, double cap) {
  CallCheck check(*this, "softCapped");
  if (!check.require(cap > 0 && std::isfinite(cap), "expected a finite cap above 0"))
    return {};
  return scaled(activation(ActivationKind::Tanh, scaled(input, 1 / cap)), cap);
}

/// The rows of a norm, and the vectors that go with them.
static bool checkNorm(CallCheck &check, Value input, ArrayRef<std::pair<Value, StringRef>> vectors,
                      double epsilon) {
  check.rankAtLeast(input, "input", 1).floats(input, "input");
  check.require(epsilon >= 0 && std::isfinite(epsilon),
                "expected an epsilon that is finite and not below 0");
  for (auto [vector, name] : vectors)
    if (check && vector)
      check.shape(vector, name, {typeOf(input).getShape().back()}).elementOf(vector, name, input);
  return static_cast<bool>(check);
}

Value Graph::layerNorm(Value input, Value scale, Value shift, double epsilon) {
  CallCheck check(*this, "layerNorm", scale);
  if (!checkNorm(check, input, {{scale, "scale"}, {shift, "shift"}}, epsilon))
    return {};
  return LayerNormOp::create(b, input, scale, shift, static_cast<float>(epsilon));
}

Value Graph::rmsNorm(Value input, Value scale, double epsilon, bool unitOffset) {
  CallCheck check(*this, "rmsNorm", scale);
  check.require(scale || !unitOffset, "expected a scale with a unit offset, but got none");
  if (!checkNorm(check, input, {{scale, "scale"}}, epsilon))
    return {};
  return RmsNormOp::create(b, input, scale, static_cast<float>(epsilon), unitOffset);
}

Value Graph::softmax(Value input, int64_t dimension) {
  CallCheck check(*this, "softmax");
  if (!check.rankAtLeast(input, "input", 1).floats(input, "input"))
    return {};
  int64_t rank = typeOf(input).getRank();
  if (!check.require(dimension >= 0 && dimension < rank, "expected a dimension from 0 to " +
                                                             Twine(rank - 1) + ", but got " +
                                                             Twine(dimension)))
    return {};
  return SoftmaxOp::create(b, input, dimension);
}

Result<OwningOpRef<ModuleOp>> Graph::finish(ArrayRef<Value> results) {
  CallCheck check(*this, "finish");
  for (Value result : results)
    check.present(result, "result");
  if (hasFailed())
    return Error{message};
  func::ReturnOp::create(b, results);
  function.setType(b.getFunctionType(function.getArgumentTypes(), ValueRange(results).getTypes()));
  // The calls have checked what they build; the verifier has the last word.
  ScopedDiagnosticHandler handler(b.getContext(), [&](Diagnostic &diagnostic) {
    fail("finish", diagnostic.str());
    return success();
  });
  if (failed(verify(*module)))
    return Error{message.empty() ? "finish: the module does not verify" : message};
  return std::move(module);
}

} // namespace forge::transformer
