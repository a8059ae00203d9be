#include "OperandElements.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

Result<int64_t> OperandElements::placeOf(AffineMap map, ArrayRef<int64_t> point) const {
  SmallVector<int64_t> index;
  for (AffineExpr expr : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return placeOf(map.compose(point));
    index.push_back(point[loop.getPosition()]);
  }
  return placeOf(index);
}

Result<int64_t> OperandElements::placeOf(ArrayRef<int64_t> index) const {
  int64_t place = offset;
  for (auto [i, size, stride] : llvm::zip_equal(index, sizes, strides)) {
    if (i < 0 || i >= size)
      return Error{"no element " + std::to_string(i) + " of " + typeString(tensor->type(), sizes)};
    place += i * stride;
  }
  if (place < 0 || place >= tensor->numElements())
    return Error{"no element " + std::to_string(place) + " of " + typeString(*tensor)};
  return place;
}

/// Adds `expr` to `places`; false for what is not linear in the loops, or has large constants.
static bool addLinear(AffineExpr expr, int64_t factor, LoopPlaces &places) {
  constexpr int64_t kLargest = int64_t(1) << 31;
  if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
    places.steps[loop.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (std::abs(constant.getValue()) > kLargest / std::abs(factor))
      return false;
    places.first += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, places) && addLinear(binary.getRHS(), factor, places);
  auto scale = binary && binary.getKind() == AffineExprKind::Mul
                   ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                   : AffineConstantExpr();
  return scale && scale.getValue() != 0 &&
         std::abs(scale.getValue()) <= kLargest / std::abs(factor) &&
         addLinear(binary.getLHS(), factor * scale.getValue(), places);
}

/// Whether all places are at least 0 and below `end`. Strides may be any numbers.
static bool areInside(const LoopPlaces &places, ArrayRef<int64_t> loopSizes, int64_t end) {
  int64_t least = places.first, most = places.first;
  for (auto [step, size] : llvm::zip_equal(places.steps, loopSizes)) {
    int64_t &bound = step < 0 ? least : most, span;
    if (llvm::MulOverflow(step, size - 1, span) || llvm::AddOverflow(bound, span, bound))
      return false;
  }
  return least >= 0 && most < end;
}

/// Adds `stride` times `index` to `places`; false where a number does not fit 64 bits.
static bool addScaled(LoopPlaces &places, const LoopPlaces &index, int64_t stride) {
  auto add = [&](int64_t &to, int64_t number) {
    int64_t scaled;
    return !llvm::MulOverflow(number, stride, scaled) && !llvm::AddOverflow(to, scaled, to);
  };
  return add(places.first, index.first) &&
         llvm::all_of(llvm::zip_equal(places.steps, index.steps),
                      [&](auto steps) { return add(std::get<0>(steps), std::get<1>(steps)); });
}

std::optional<LoopPlaces> OperandElements::placesOf(AffineMap map,
                                                    ArrayRef<int64_t> loopSizes) const {
  LoopPlaces places{offset, SmallVector<int64_t>(loopSizes.size(), 0)};
  for (auto [expr, size, stride] : llvm::zip_equal(map.getResults(), sizes, strides)) {
    LoopPlaces index{0, SmallVector<int64_t>(loopSizes.size(), 0)};
    if (!addLinear(expr, 1, index) || !areInside(index, loopSizes, size) ||
        !addScaled(places, index, stride))
      return std::nullopt;
  }
  if (!areInside(places, loopSizes, tensor->numElements()))
    return std::nullopt;
  return places;
}
