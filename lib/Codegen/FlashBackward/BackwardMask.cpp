#include "BackwardMask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace forge;

Value forge::maskNumbers(ImplicitLocOpBuilder &b, TileValues &values, const FlashBackward &flash,
                         const BackwardWork &work, const TilePlace &place, Value numbers) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto i32 = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  int64_t size = flash.sizeOf(flash.along), tileSize = place.shape[1];
  bool isPartial = size % tileSize != 0;
  if (flash.conditions.limits.empty() && !isPartial)
    return numbers;
  unsigned keyAxis = flash.graph().keyAxis();
  bool rowsFirst = flash.overKeys;
  int64_t numRows = place.shape[rowsFirst ? 0 : 1], numKeys = place.shape[rowsFirst ? 1 : 0];
  Value firstRow = place.begin[flash.rowAxis], firstKey = place.begin[keyAxis];
  Value crosses;
  auto orElse = [&](arith::CmpIPredicate predicate, Value left, Value right) {
    Value here = arith::CmpIOp::create(b, predicate, left, right);
    crosses = crosses ? arith::OrIOp::create(b, crosses, here).getResult() : here;
  };
  // 1. Of each limit where it is for the tile's first row, from the tile's first key on.
  SmallVector<Value> ends;
  for (auto [limit, value] : llvm::zip_equal(flash.conditions.limits, work.limits)) {
    Value row = arith::MulIOp::create(b, firstRow, index(limit.perRow));
    Value end = arith::SubIOp::create(b, arith::AddIOp::create(b, value, row), firstKey);
    constexpr int64_t most = int64_t(1) << 30;
    end = arith::MaxSIOp::create(b, arith::MinSIOp::create(b, end, index(most)), index(-most));
    int64_t last = (numRows - 1) * limit.perRow;
    int64_t strictest = limit.isUpper ? std::min<int64_t>(last, 0) : std::max<int64_t>(last, 0);
    orElse(limit.isUpper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt,
           arith::AddIOp::create(b, end, index(strictest)), index(limit.isUpper ? numKeys - 1 : 0));
    ends.push_back(arith::IndexCastOp::create(b, b.getI32Type(), end));
  }
  Value left = arith::SubIOp::create(b, index(size), place.begin[flash.along]);
  if (isPartial)
    orElse(arith::CmpIPredicate::slt, left, index(tileSize));
  // 2. The elements.
  auto branch = scf::IfOp::create(b, numbers.getType(), crosses, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, numbers);
  b.setInsertionPointToStart(branch.thenBlock());
  Type type = b.getI32Type();
  auto along = [&](unsigned dim) -> Value {
    return tile::IotaOp::create(b, TileValues::typeOf(place, type, dim == 0, dim == 1),
                                b.getI64IntegerAttr(0));
  };
  auto everywhere = [&](Value vector, unsigned dim) {
    return values.spread({vector, {dim == 0, dim == 1}}, place, true, true);
  };
  unsigned rowDim = rowsFirst ? 0 : 1, keyDim = 1 - rowDim;
  Value rows = along(rowDim), keys = everywhere(along(keyDim), keyDim);
  auto splat = [&](Value scalar, Value like) -> Value {
    return tensor::SplatOp::create(b, scalar, cast<RankedTensorType>(like.getType()));
  };
  auto all = cast<RankedTensorType>(numbers.getType());
  auto infinity = FloatAttr::get(b.getF32Type(), -std::numeric_limits<double>::infinity());
  Value lowest = arith::ConstantOp::create(b, SplatElementsAttr::get(all, infinity));
  Value masked = numbers;
  for (auto [limit, end] : llvm::zip_equal(flash.conditions.limits, ends)) {
    Value perRow = arith::MulIOp::create(b, rows, splat(i32(limit.perRow), rows));
    Value here = arith::AddIOp::create(b, perRow, splat(end, rows));
    auto predicate = limit.isUpper ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge;
    Value holds = arith::CmpIOp::create(b, predicate, keys, everywhere(here, rowDim));
    masked = arith::SelectOp::create(b, holds, masked, lowest);
  }
  if (isPartial) {
    Value places = along(1);
    Value count = splat(arith::IndexCastOp::create(b, type, left), places);
    Value holds = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, places, count);
    masked = arith::SelectOp::create(b, everywhere(holds, 1), masked, lowest);
  }
  scf::YieldOp::create(b, masked);
  return branch.getResult(0);
}
