#include "forge/Conversion/Utils/TensorUtils.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace forge;

LogicalResult forge::checkResultSizes(Operation *root) {
  auto refused = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !hasCountableBytes(tensor.getShape());
  };
  WalkResult result = root->walk([&](Operation *op) {
    auto type = llvm::find_if(op->getResultTypes(), refused);
    if (type == op->getResultTypes().end())
      return WalkResult::advance();
    emitUserError(op->getLoc()) << "unsupported sizes: lowering them takes a " << *type
                                << ", whose size does not fit in 63 bits";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The constant scalar at `index` (in row-major order) of a constant tensor, or null.
static Value extractConstant(OpBuilder &builder, Location loc, Value tensor, int64_t index) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)))
    return nullptr;
  if (elements.isSplat())
    return arith::ConstantOp::create(builder, loc, elements.getSplatValue<TypedAttr>());
  if (index >= elements.getNumElements())
    return nullptr;
  return arith::ConstantOp::create(builder, loc, elements.getValues<TypedAttr>()[index]);
}

Value forge::extractScalar(OpBuilder &builder, Location loc, Value tensor) {
  if (auto elements = tensor.getDefiningOp<tensor::FromElementsOp>())
    return elements.getElements().front();
  if (Value constant = extractConstant(builder, loc, tensor, 0))
    return constant;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<Value> indices;
  if (rank)
    indices.assign(rank, arith::ConstantIndexOp::create(builder, loc, 0));
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

Value forge::wrapScalar(OpBuilder &builder, Location loc, Value scalar) {
  return tensor::FromElementsOp::create(builder, loc, RankedTensorType::get({}, scalar.getType()),
                                        scalar);
}

Value forge::getSplatScalar(OpBuilder &builder, Location loc, Value tensor) {
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 0)
    return extractScalar(builder, loc, tensor);
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return fill.getInputs().front();
  SplatElementsAttr splat;
  if (matchPattern(tensor, m_Constant(&splat)))
    return arith::ConstantOp::create(builder, loc, splat.getSplatValue<TypedAttr>());
  return nullptr;
}

Value forge::extractElement(OpBuilder &builder, Location loc, Value vector, int64_t index) {
  if (auto elements = vector.getDefiningOp<tensor::FromElementsOp>())
    return elements.getElements()[index];
  if (Value constant = extractConstant(builder, loc, vector, index))
    return constant;
  Value position = arith::ConstantIndexOp::create(builder, loc, index);
  return tensor::ExtractOp::create(builder, loc, vector, position);
}

bool forge::isKnownByElement(Value tensor) {
  return tensor.getDefiningOp<tensor::FromElementsOp>() ||
         matchPattern(tensor, m_Constant<DenseElementsAttr>(nullptr));
}

Value forge::extractElement(OpBuilder &builder, Location loc, Value matrix, int64_t row,
                            int64_t column) {
  int64_t columns = cast<RankedTensorType>(matrix.getType()).getDimSize(1);
  if (isKnownByElement(matrix))
    return extractElement(builder, loc, matrix, row * columns + column);
  Value position[] = {arith::ConstantIndexOp::create(builder, loc, row),
                      arith::ConstantIndexOp::create(builder, loc, column)};
  return tensor::ExtractOp::create(builder, loc, matrix, position);
}

Value forge::castToIndex(OpBuilder &builder, Location loc, Value scalar, bool isUnsigned) {
  if (scalar.getType().isIndex())
    return scalar;
  Type index = builder.getIndexType();
  if (!isUnsigned)
    return builder.createOrFold<arith::IndexCastOp>(loc, index, scalar);
  Value value = builder.createOrFold<arith::IndexCastUIOp>(loc, index, scalar);
  if (scalar.getType().getIntOrFloatBitWidth() < 64)
    return value;
  Value largest = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int64_t>::max());
  return builder.createOrFold<arith::MinUIOp>(loc, value, largest);
}

Value forge::extractIndex(OpBuilder &builder, Location loc, Value vector, int64_t index,
                          bool isUnsigned) {
  return castToIndex(builder, loc, extractElement(builder, loc, vector, index), isUnsigned);
}

/// The size that the producer of `tensor` was given for `dim`, or null if it is not one of ours.
static OpFoldResult findSize(Value tensor, int64_t dim) {
  while (true) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return IntegerAttr::get(IndexType::get(type.getContext()), type.getDimSize(dim));
    Operation *producer = tensor.getDefiningOp();
    if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(producer)) {
      tensor = linalgOp.getDpsInits()[cast<OpResult>(tensor).getResultNumber()];
    } else if (auto cast = dyn_cast_or_null<tensor::CastOp>(producer)) {
      if (!isa<RankedTensorType>(cast.getSource().getType()))
        return {};
      tensor = cast.getSource();
    } else if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(producer)) {
      tensor = insert.getDest();
    } else if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(producer)) {
      return empty.getDynamicSize(dim);
    } else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(producer)) {
      return expand.getMixedOutputShape()[dim];
    } else {
      return {};
    }
  }
}

static OpFoldResult traceSize(OpFoldResult size) {
  while (auto value = dyn_cast_if_present<Value>(size)) {
    Operation *producer = value.getDefiningOp();
    if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(
            producer)) {
      size = producer->getOperand(0);
      continue;
    }
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return IntegerAttr::get(IndexType::get(value.getContext()), constant.getSExtValue());
    auto dimOp = value.getDefiningOp<tensor::DimOp>();
    auto dim = dimOp ? dimOp.getConstantIndex() : std::nullopt;
    OpFoldResult source = dim ? findSize(dimOp.getSource(), *dim) : OpFoldResult();
    if (!source)
      return value;
    size = source;
  }
  return size;
}

bool forge::areSameSize(OpFoldResult a, OpFoldResult b) {
  a = traceSize(a);
  b = traceSize(b);
  if (isEqualConstantIntOrValue(a, b))
    return true;
  auto getDimOp = [](OpFoldResult size) -> tensor::DimOp {
    auto value = dyn_cast_if_present<Value>(size);
    return value ? value.getDefiningOp<tensor::DimOp>() : nullptr;
  };
  tensor::DimOp left = getDimOp(a), right = getDimOp(b);
  return left && right && left.getSource() == right.getSource() && left.getConstantIndex() &&
         left.getConstantIndex() == right.getConstantIndex();
}

Value forge::getDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  if (OpFoldResult size = findSize(tensor, dim))
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  return builder.createOrFold<tensor::DimOp>(loc, tensor, dim);
}

SmallVector<OpFoldResult> forge::getSizes(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim))
      sizes.push_back(getDim(builder, loc, tensor, dim));
    else
      sizes.push_back(builder.getIndexAttr(type.getDimSize(dim)));
  }
  return sizes;
}

Value forge::createEmpty(OpBuilder &builder, Location loc, RankedTensorType type,
                         ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]));
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType(), dynamic);
}

/// Ends the run unless `tensor` has the given sizes; nothing where that is known already.
static void checkSizes(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<OpFoldResult> sizes) {
  for (auto [dim, expected] : llvm::enumerate(sizes)) {
    Value actual = getDim(builder, loc, tensor, dim);
    if (areSameSize(getAsOpFoldResult(actual), expected))
      continue;
    Value wanted = getValueOrCreateConstantIndexOp(builder, loc, expected);
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, actual, wanted);
    createRuntimeAssert(builder, loc, same,
                        "expected operands of one shape, but got sizes {0} and {1} along "
                        "dimension " +
                            std::to_string(dim),
                        {wanted, actual});
  }
}

Value forge::createEmptyLike(OpBuilder &builder, Location loc, RankedTensorType type,
                             ValueRange likes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(builder.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    sizes.push_back(getAsOpFoldResult(getDim(builder, loc, likes.front(), dim)));
  }
  for (Value like : likes)
    checkSizes(builder, loc, like, sizes);
  return createEmpty(builder, loc, type, sizes);
}

Value forge::createFill(OpBuilder &builder, Location loc, RankedTensorType type, Value scalar,
                        ArrayRef<OpFoldResult> sizes) {
  if (type.getRank() == 0)
    return wrapScalar(builder, loc, scalar);
  Value empty = createEmpty(builder, loc, type, sizes);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value forge::castTensor(OpBuilder &builder, Location loc, Value tensor, Type type) {
  if (tensor.getType() == type)
    return tensor;
  return tensor::CastOp::create(builder, loc, type, tensor);
}

SmallVector<utils::IteratorType> forge::parallelIterators(int64_t n) {
  return SmallVector<utils::IteratorType>(n, utils::IteratorType::parallel);
}

Value forge::createIndexed(OpBuilder &builder, Location loc, Value init,
                           function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  auto type = cast<RankedTensorType>(init.getType());
  int64_t rank = type.getRank();
  if (rank == 0)
    return wrapScalar(builder, loc, body(builder, loc, {}));
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{}, init, builder.getMultiDimIdentityMap(rank),
      parallelIterators(rank), [&](OpBuilder &b, Location l, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < rank; ++dim)
          indices.push_back(linalg::IndexOp::create(b, l, dim));
        linalg::YieldOp::create(b, l, body(b, l, indices));
      });
  return generic.getResult(0);
}

Value forge::clampStart(OpBuilder &builder, Location loc, Value start, Value size, Value slice) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value last = builder.createOrFold<arith::SubIOp>(loc, size, slice);
  Value low = builder.createOrFold<arith::MaxSIOp>(loc, start, zero);
  return builder.createOrFold<arith::MinSIOp>(loc, low, last);
}

/// The module's declaration of the C function `name`, made if it is not there.
static void declareRuntime(OpBuilder &builder, Location loc, StringRef name, TypeRange resultTypes,
                           ValueRange args) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto module = parent->getParentOfType<ModuleOp>();
  if (module.lookupSymbol<func::FuncOp>(name))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto type = builder.getFunctionType(args.getTypes(), resultTypes);
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  // The runtime only reads the tensors it is given.
  for (auto [index, argType] : llvm::enumerate(type.getInputs()))
    if (isa<TensorType>(argType))
      function.setArgAttr(index, "bufferization.access", builder.getStringAttr("read"));
}

Value forge::callRuntime(OpBuilder &builder, Location loc, StringRef name, TypeRange resultTypes,
                         ValueRange args) {
  declareRuntime(builder, loc, name, resultTypes, args);
  auto call = func::CallOp::create(builder, loc, name, resultTypes, args);
  return resultTypes.empty() ? Value() : call.getResult(0);
}

/// The assertion of the runtime with this message and these values: a function that the CPU target
/// gives its body (see lib/Target/CPU/PackedEntry.cpp).
static func::FuncOp getAssertion(OpBuilder &builder, Location loc, StringAttr message,
                                 FunctionType type) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  int64_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto own = function->getAttrOfType<StringAttr>("forge.assert_message");
    if (own && own == message && function.getFunctionType() == type)
      return function;
    count += own != nullptr;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  std::string name = "forge_assert_" + std::to_string(count);
  while (module.lookupSymbol(name))
    name += "_";
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  function->setAttr("forge.assert_message", message);
  return function;
}

void forge::createRuntimeAssert(OpBuilder &builder, Location loc, Value condition,
                                const Twine &message, ValueRange values) {
  if (matchPattern(condition, m_One()))
    return;
  SmallVector<Value> args = {condition};
  llvm::append_range(args, values);
  SmallVector<Type> types(ValueRange(args).getTypes());
  auto assertion = getAssertion(builder, loc, builder.getStringAttr(message),
                                builder.getFunctionType(types, {}));
  func::CallOp::create(builder, loc, assertion, args);
}
