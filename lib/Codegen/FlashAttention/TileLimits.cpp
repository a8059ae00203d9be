#include "TileLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace forge;

/// Beyond all indices, with room for sums of two in 32 bits.
static constexpr int64_t kMost = int64_t(1) << 30;

static Value index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static Value clamped(ImplicitLocOpBuilder &b, Value value, int64_t least, int64_t most) {
  return arith::MaxSIOp::create(b, arith::MinSIOp::create(b, value, index(b, most)),
                                index(b, least));
}

/// The number that depends on neither row nor key.
static Value valueOf(ImplicitLocOpBuilder &b, const AttentionProgram &program,
                     const KeyLimit &limit, TileAxes axes, ArrayRef<Value> begin) {
  // No tile's own axis is asked for: all terms are scalars.
  TilePlace place(axes);
  place.begin = llvm::to_vector(begin);
  TileValues values(b, program);
  Value sum = index(b, limit.constant);
  for (auto [term, factor] : limit.terms) {
    Value value = values.valueOf(term, place).value;
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(b, b.getIndexType(), value);
    sum = arith::AddIOp::create(b, sum, arith::MulIOp::create(b, value, index(b, factor)));
  }
  return clamped(b, sum, -kMost, kMost);
}

/// For a block's own keys, key <= perRow * row + value is row >= key - value, or row <= value -
/// key.
static TileLimit ofOwnKeys(ImplicitLocOpBuilder &b, const KeyLimit &limit, Value value) {
  if (limit.perRow == 0)
    return {limit.isUpper, 0, value, /*isOfOwn=*/true};
  if (limit.perRow > 0)
    value = arith::SubIOp::create(b, index(b, 0), value);
  return {limit.isUpper != (limit.perRow > 0), limit.perRow, value};
}

SmallVector<TileLimit> forge::tileLimits(ImplicitLocOpBuilder &b, const AttentionProgram &program,
                                         const KeyConditions &conditions, TileAxes axes,
                                         ArrayRef<Value> begin) {
  bool ownsKeys = axes[0] == program.keyAxis();
  return llvm::map_to_vector(conditions.limits, [&](const KeyLimit &limit) {
    Value value = valueOf(b, program, limit, axes, begin);
    return ownsKeys ? ofOwnKeys(b, limit, value) : TileLimit{limit.isUpper, limit.perRow, value};
  });
}

std::pair<Value, Value> forge::tilesThatCount(ImplicitLocOpBuilder &b, ArrayRef<TileLimit> limits,
                                              const TileSpan &span) {
  int64_t size = span.alongSize, tiles = llvm::divideCeil(size, span.alongTile);
  Value first = index(b, 0), end = index(b, tiles), tile = index(b, span.alongTile);
  Value ownLast =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, span.begin, index(b, span.ownTile - 1)),
                             index(b, span.ownSize - 1));
  for (const TileLimit &limit : limits) {
    if (limit.isOfOwn)
      continue;
    Value own = limit.isUpper == (limit.perOwn > 0) ? ownLast : span.begin;
    Value at = arith::AddIOp::create(
        b, limit.value, arith::MulIOp::create(b, own, index(b, limit.perOwn)).getResult());
    if (limit.isUpper) {
      Value last = clamped(b, at, -1, size - 1);
      Value behind = arith::DivUIOp::create(b, arith::AddIOp::create(b, last, tile), tile);
      end = arith::MinSIOp::create(b, end, behind);
    } else {
      Value from = arith::DivUIOp::create(b, clamped(b, at, 0, size), tile);
      first = arith::MaxSIOp::create(b, first, from);
    }
  }
  // Where nothing counts there is one tile too, which is masked.
  first = arith::MinSIOp::create(b, first, index(b, tiles - 1));
  end = arith::MaxSIOp::create(b, end, arith::AddIOp::create(b, first, index(b, 1)));
  auto toI32 = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, b.getI32Type(), value);
  };
  return {toI32(first), toI32(end)};
}

namespace {
/// For each place of the block's own tile, within the tile of the other axis the last place that
/// counts, or the first.
struct TileEnd {
  bool isUpper;
  Value ends;
};

class Mask {
public:
  Mask(ImplicitLocOpBuilder &b, TileValues &values, const TilePlace &place, unsigned ownDim)
      : b(b), values(values), place(place), ownDim(ownDim), alongDim(1 - ownDim),
        ofOwn(cast<RankedTensorType>(typeAlong(ownDim))) {}

  Value run(ArrayRef<TileLimit> limits, Value numbers, bool byVote) {
    for (const TileLimit &limit : limits)
      addEnd(limit);
    int64_t size = place.limits[alongDim], tile = place.shape[alongDim];
    if (size % tile != 0)
      addEnd({/*isUpper=*/true, 0, index(b, size - 1)});
    if (ends.empty())
      return numbers;
    Value along = tile::IotaOp::create(b, typeAlong(alongDim), b.getI64IntegerAttr(0));
    if (!byVote)
      return masked(along, numbers);
    auto when = tile::WhenOp::create(b, TypeRange{numbers.getType()}, crosses(tile), numbers);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&when.getBody());
    tile::YieldOp::create(b, masked(along, numbers));
    return when.getResult(0);
  }

private:
  /// Differences, so that of an element's place only the difference of constants is left.
  Value masked(Value along, Value numbers) {
    auto everywhere = [&](Value vector, unsigned dim) {
      return values.spread({vector, {dim == 0, dim == 1}}, place, true, true);
    };
    auto type = cast<RankedTensorType>(numbers.getType());
    auto infinity = FloatAttr::get(type.getElementType(), -std::numeric_limits<double>::infinity());
    Value lowest = arith::ConstantOp::create(b, SplatElementsAttr::get(type, infinity));
    Value places = everywhere(along, alongDim);
    Value zero = arith::ConstantOp::create(
        b,
        SplatElementsAttr::get(cast<RankedTensorType>(places.getType()), b.getI32IntegerAttr(0)));
    for (const TileEnd &end : ends) {
      Value left = arith::SubIOp::create(b, everywhere(end.ends, ownDim), places,
                                         arith::IntegerOverflowFlags::nsw);
      auto predicate = end.isUpper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
      Value counts = arith::CmpIOp::create(b, predicate, left, zero);
      numbers = arith::SelectOp::create(b, counts, numbers, lowest);
    }
    return numbers;
  }

  Type typeAlong(unsigned dim) {
    return TileValues::typeOf(place, b.getI32Type(), dim == 0, dim == 1);
  }
  Value splat(Value scalar) { return tensor::SplatOp::create(b, scalar, ofOwn); }
  Value splat(int64_t value) {
    return arith::ConstantOp::create(
        b, SplatElementsAttr::get(ofOwn, b.getI32IntegerAttr(static_cast<int32_t>(value))));
  }
  Value toI32(Value value) { return arith::IndexCastOp::create(b, b.getI32Type(), value); }

  /// Places of the own tile, counted from its beginning.
  Value ownPlaces() {
    if (!own)
      own = tile::IotaOp::create(b, ofOwn, b.getI64IntegerAttr(0));
    return own;
  }

  void addEnd(const TileLimit &limit) {
    Value ownBegin = place.begin[place.axes[ownDim]],
          alongBegin = place.begin[place.axes[alongDim]];
    if (limit.isOfOwn) {
      Value last = splat(toI32(arith::SubIOp::create(b, limit.value, ownBegin)));
      auto predicate = limit.isUpper ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge;
      Value counts = arith::CmpIOp::create(b, predicate, ownPlaces(), last);
      ends.push_back({true, arith::SelectOp::create(b, counts, splat(kMost), splat(-1))});
      return;
    }
    Value first = arith::MulIOp::create(b, ownBegin, index(b, limit.perOwn));
    first = arith::SubIOp::create(b, arith::AddIOp::create(b, limit.value, first), alongBegin);
    Value end = splat(toI32(first));
    if (limit.perOwn != 0)
      end = arith::AddIOp::create(
          b, end, arith::MulIOp::create(b, ownPlaces(), splat(limit.perOwn)).getResult());
    ends.push_back({limit.isUpper, end});
  }

  /// Of each place of the own tile whether something does not count.
  Value crosses(int64_t tile) {
    Value any;
    for (const TileEnd &end : ends) {
      auto predicate = end.isUpper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
      Value here = arith::CmpIOp::create(b, predicate, end.ends, splat(end.isUpper ? tile - 1 : 0));
      any = any ? arith::OrIOp::create(b, any, here).getResult() : here;
    }
    return any;
  }

  ImplicitLocOpBuilder &b;
  TileValues &values;
  const TilePlace &place;
  unsigned ownDim, alongDim;
  RankedTensorType ofOwn;
  SmallVector<TileEnd, 2> ends;
  Value own;
};
} // namespace

Value forge::maskNumbers(ImplicitLocOpBuilder &b, TileValues &values, ArrayRef<TileLimit> limits,
                         const TilePlace &place, unsigned ownDim, Value numbers, bool byVote) {
  return Mask(b, values, place, ownDim).run(limits, numbers, byVote);
}
