#include "Emit.h"

#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Support/UnitSums.h"

using namespace mlir;

namespace forge {

Type computeType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

Value toType(ImplicitLocOpBuilder &b, Value value, Type type) {
  Type source = value.getType();
  if (source == type)
    return value;
  unsigned from = source.getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (isa<IntegerType>(source) && isa<FloatType>(type))
    return arith::SIToFPOp::create(b, type, value);
  if (isa<IntegerType>(source))
    return arith::ExtSIOp::create(b, type, value);
  if (from < to)
    return arith::ExtFOp::create(b, type, value);
  if (from > to)
    return arith::TruncFOp::create(b, type, value);
  // Formats of one width differ in exponent bits: f32 holds both.
  return arith::TruncFOp::create(b, type, arith::ExtFOp::create(b, b.getF32Type(), value));
}

Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  if (isa<IntegerType>(type))
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, static_cast<int64_t>(value)));
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

Value emitAdd(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isa<IntegerType>(lhs.getType()))
    return arith::AddIOp::create(b, lhs, rhs);
  return arith::AddFOp::create(b, lhs, rhs);
}

Sizes sizesOf(ImplicitLocOpBuilder &b, Value tensor) {
  return tensor::getMixedSizes(b, b.getLoc(), tensor);
}

AffineMap dimsMap(Builder &b, int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

AffineMap mapWithout(Builder &b, int64_t rank, int64_t dim) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      dims.push_back(i);
  return dimsMap(b, rank, dims);
}

static Value emitGeneric(ImplicitLocOpBuilder &b, Value init, AffineMap initMap,
                         ArrayRef<utils::IteratorType> iterators, ArrayRef<Operand> inputs,
                         Body body) {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    values.push_back(input.value);
    maps.push_back(input.map);
  }
  maps.push_back(initMap);
  auto generic = linalg::GenericOp::create(b, init.getType(), values, init, maps, iterators,
                                           [&](OpBuilder &builder, Location loc, ValueRange args) {
                                             ImplicitLocOpBuilder inner(loc, builder);
                                             linalg::YieldOp::create(inner, body(inner, args));
                                           });
  return generic.getResult(0);
}

Value emitElementwise(ImplicitLocOpBuilder &b, const Sizes &sizes, Type element,
                      ArrayRef<Operand> inputs, Body body) {
  Value init = tensor::EmptyOp::create(b, sizes, element);
  SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::parallel);
  return emitGeneric(b, init, b.getMultiDimIdentityMap(sizes.size()), iterators, inputs,
                     [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                       return toType(inner, body(inner, args.drop_back()), element);
                     });
}

Value emitFilled(ImplicitLocOpBuilder &b, const Sizes &sizes, Type element, double value) {
  Value empty = tensor::EmptyOp::create(b, sizes, element);
  return linalg::FillOp::create(b, constant(b, element, value), empty).getResult(0);
}

Value emitReduction(ImplicitLocOpBuilder &b, const Sizes &sizes, int64_t dim, double init,
                    Type element, ArrayRef<Operand> inputs, Body body) {
  int64_t rank = sizes.size();
  Sizes kept(sizes);
  kept.erase(kept.begin() + dim);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators[dim] = utils::IteratorType::reduction;
  return emitGeneric(b, emitFilled(b, kept, element, init), mapWithout(b, rank, dim), iterators,
                     inputs, body);
}

Value emitSum(ImplicitLocOpBuilder &b, const Sizes &sizes, ArrayRef<int64_t> dims, Type element,
              ArrayRef<Operand> inputs, Body body) {
  int64_t rank = static_cast<int64_t>(sizes.size());
  Sizes kept;
  SmallVector<int64_t> keptDims;
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::reduction);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim)) {
      kept.push_back(sizes[dim]);
      keptDims.push_back(dim);
      iterators[dim] = utils::IteratorType::parallel;
    }
  return emitGeneric(b, emitFilled(b, kept, element, 0.0), dimsMap(b, rank, keptDims), iterators,
                     inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                       return arith::AddFOp::create(inner, args.back(),
                                                    body(inner, args.drop_back()));
                     });
}

Value emitRounded(ImplicitLocOpBuilder &b, Value sums, Type element) {
  auto type = cast<RankedTensorType>(sums.getType());
  if (type.getElementType() == element)
    return sums;
  return emitElementwise(b, sizesOf(b, sums), element,
                         {{sums, b.getMultiDimIdentityMap(type.getRank())}},
                         [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
}

SmallVector<Value>
emitReductions(ImplicitLocOpBuilder &b, const Sizes &sizes, AffineMap result,
               ArrayRef<Type> elements, ArrayRef<double> inits, ArrayRef<Operand> inputs,
               llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)> body) {
  SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::reduction);
  Sizes kept;
  for (unsigned i = 0; i < result.getNumResults(); ++i) {
    kept.push_back(sizes[result.getDimPosition(i)]);
    iterators[result.getDimPosition(i)] = utils::IteratorType::parallel;
  }
  SmallVector<Value> values, starts;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    values.push_back(input.value);
    maps.push_back(input.map);
  }
  for (auto [element, init] : llvm::zip_equal(elements, inits)) {
    starts.push_back(emitFilled(b, kept, element, init));
    maps.push_back(result);
  }
  auto generic = linalg::GenericOp::create(b, TypeRange(starts), values, starts, maps, iterators,
                                           [&](OpBuilder &builder, Location loc, ValueRange args) {
                                             ImplicitLocOpBuilder inner(loc, builder);
                                             linalg::YieldOp::create(inner, body(inner, args));
                                           });
  return SmallVector<Value>(generic.getResults());
}

Value emitContraction(ImplicitLocOpBuilder &b, const Sizes &resultSizes, Type element, Operand lhs,
                      Operand rhs, AffineMap result) {
  SmallVector<utils::IteratorType> iterators(result.getNumDims(), utils::IteratorType::reduction);
  for (unsigned i = 0; i < result.getNumResults(); ++i)
    iterators[result.getDimPosition(i)] = utils::IteratorType::parallel;
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  auto isF8 = [](const Operand &factor) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(factor.value));
  };
  bool unitSums = isF8(lhs) && isF8(rhs) && element.isF32();
  return emitGeneric(b, emitFilled(b, resultSizes, element, 0.0), result, iterators, {lhs, rhs},
                     [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                       Value x = toType(inner, args[0], element);
                       Value y = toType(inner, args[1], element);
                       if (isa<IntegerType>(element))
                         return arith::AddIOp::create(inner, args[2],
                                                      arith::MulIOp::create(inner, x, y));
                       auto product = arith::MulFOp::create(inner, x, y, flags);
                       if (unitSums)
                         product->setDiscardableAttr(kUnitSumsAttr, inner.getUnitAttr());
                       return arith::AddFOp::create(inner, args[2], product, flags);
                     });
}

Value emitExpanded(ImplicitLocOpBuilder &b, Value value, ArrayRef<ReassociationIndices> groups,
                   const Sizes &to) {
  SmallVector<int64_t> shape, joined;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(to, dynamic, shape);
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group)
      size = ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[dim]) ? ShapedType::kDynamic
                                                                              : size * shape[dim];
    joined.push_back(size);
  }
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() != ArrayRef<int64_t>(joined))
    value = tensor::CastOp::create(b, type.clone(joined), value);
  return tensor::ExpandShapeOp::create(b, type.clone(shape), value, groups, to);
}

Value castTo(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  // The cast takes the declared sizes for granted.
  auto from = cast<RankedTensorType>(value.getType()), to = cast<RankedTensorType>(type);
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (from.isDynamicDim(dim))
      assertDeclaredSize(b, b.getLoc(), "result", getDim(b, b.getLoc(), value, dim), to, dim);
  return tensor::CastOp::create(b, type, value);
}

} // namespace forge
