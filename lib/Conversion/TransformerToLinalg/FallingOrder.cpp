#include "FallingOrder.h"

#include "forge/Conversion/Utils/MergeSort.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include <limits>

using namespace mlir;

namespace forge {

Value emitComesBefore(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value larger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, y, y);
  return arith::OrIOp::create(b, larger, arith::AndIOp::create(b, isNaN, isNumber));
}

Value emitArgmax(ImplicitLocOpBuilder &b, Value input, Type indexType) {
  Sizes sizes = sizesOf(b, input);
  int64_t rank = sizes.size(), last = rank - 1;
  Type compute = computeType(getElementTypeOrSelf(input.getType()));
  // -inf is before nothing, so that a row of -inf keeps index 0. Of equals the lower index, in
  // whatever order partial results are joined.
  return emitReductions(
             b, sizes, mapWithout(b, rank, last), {compute, indexType},
             {-std::numeric_limits<double>::infinity(), 0.0},
             {{input, b.getMultiDimIdentityMap(rank)}},
             [&](ImplicitLocOpBuilder &inner, ValueRange args) {
               Value x = toType(inner, args[0], compute);
               Value place = arith::IndexCastOp::create(inner, indexType,
                                                        linalg::IndexOp::create(inner, last));
               Value isLater = emitComesBefore(inner, args[1], x);
               Value isLower =
                   arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, place, args[2]);
               Value isFirst = arith::OrIOp::create(
                   inner, emitComesBefore(inner, x, args[1]),
                   arith::SelectOp::create(
                       inner, isLater, arith::ConstantOp::create(inner, inner.getBoolAttr(false)),
                       isLower));
               return SmallVector<Value>{arith::SelectOp::create(inner, isFirst, x, args[1]),
                                         arith::SelectOp::create(inner, isFirst, place, args[2])};
             })
      .back();
}

void assertRows(ImplicitLocOpBuilder &b, StringRef what, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  if (!type.isDynamicDim(type.getRank() - 1))
    return;
  Value size = getDim(b, b.getLoc(), input, type.getRank() - 1);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size, one);
  createRuntimeAssert(b, b.getLoc(), some, what + ": expected rows of 1 or more, but got {0}",
                      size);
}

Value emitIsNumber(ImplicitLocOpBuilder &b, Value value, int64_t number) {
  if (!llvm::isIntN(value.getType().getIntOrFloatBitWidth(), number))
    return arith::ConstantOp::create(b, b.getBoolAttr(false));
  Value constant = arith::ConstantOp::create(b, b.getIntegerAttr(value.getType(), number));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, constant);
}

Ordered emitOrdered(ImplicitLocOpBuilder &b, Value input, Type indexType, SortForm form,
                    Value behind, std::optional<int64_t> count, WantedOf wanted) {
  Sizes sizes = sizesOf(b, input);
  int64_t last = static_cast<int64_t>(sizes.size()) - 1;
  Value places =
      emitElementwise(b, sizes, indexType, {}, [&](ImplicitLocOpBuilder &inner, ValueRange) {
        return Value(
            arith::IndexCastOp::create(inner, indexType, linalg::IndexOp::create(inner, last)));
      });
  SmallVector<Value> tensors = {input, places};
  if (behind)
    tensors.push_back(behind);
  auto comesBefore = [&](OpBuilder &builder, ValueRange lhs, ValueRange rhs) {
    ImplicitLocOpBuilder inner(b.getLoc(), builder);
    Value before = emitComesBefore(inner, lhs[0], rhs[0]);
    if (!behind)
      return before;
    Value isSame = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, lhs[2], rhs[2]);
    return Value(arith::SelectOp::create(inner, isSame, before, rhs[2]));
  };
  SmallVector<Value> sorted = createMergeSort(
      b, b.getLoc(), tensors, last, Order{comesBefore, /*isStrictWeak=*/true}, form, count, wanted);
  return {sorted[0], sorted[1]};
}

Ordered emitTopK(ImplicitLocOpBuilder &b, Value input, int64_t k, Type indexType, SortForm form,
                 Value behind) {
  auto type = cast<RankedTensorType>(input.getType());
  Sizes sizes = sizesOf(b, input);
  if (type.getShape().back() == ShapedType::kDynamic) {
    Value size = getDim(b, b.getLoc(), input, type.getRank() - 1);
    Value least = arith::ConstantIndexOp::create(b, k);
    Value enough = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size, least);
    createRuntimeAssert(b, b.getLoc(), enough, "top_k: expected at least {1} elements, but got {0}",
                        {size, least});
  }
  Ordered ordered = emitOrdered(b, input, indexType, form, behind, k);
  sizes.back() = b.getIndexAttr(k);
  Sizes zeros(sizes.size(), b.getIndexAttr(0)), ones(sizes.size(), b.getIndexAttr(1));
  auto head = [&](Value tensor) -> Value {
    return tensor::ExtractSliceOp::create(b, tensor, zeros, sizes, ones);
  };
  return {head(ordered.values), head(ordered.indices)};
}

} // namespace forge
