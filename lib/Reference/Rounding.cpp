#include "forge/Reference/Rounding.h"

#include "forge/Support/MatrixArithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace forge;
using namespace forge::reference;

static thread_local Rounding *current = nullptr;

RoundingScope::RoundingScope(Rounding *rounding) : outer(current) { current = rounding; }
RoundingScope::~RoundingScope() { current = outer; }

double reference::rounded(double value) { return current ? current->accumulated(value) : value; }

/// Off by what implementations of a function differ by, in units of `unit`.
static double moved(double value, double unit) {
  return std::isfinite(value) ? value * (1 + kFunctionUnits * unit * current->random()) : value;
}

double reference::approximated(double value) {
  return current ? current->accumulated(moved(value, current->unit())) : value;
}

double reference::approximatedInDouble(double value) {
  return current ? moved(value, 0x1p-53) : value;
}

double reference::saturating(double value) {
  if (!current)
    return value;
  if (1 - std::fabs(value) < current->unit() / 8)
    return std::copysign(1.0, value);
  double result = approximated(value);
  return std::fabs(result) > 1 ? std::copysign(1.0, result) : result;
}

double reference::stored(double value) { return current ? current->stored(value) : value; }
double reference::storedAtAnyScale(double value) {
  return current ? current->storedAtAnyScale(value) : value;
}

bool reference::looksAtHidden() { return current && current->looksAtHidden(); }

Sum::Sum()
    : order(!current               ? Order::Exact
            : current->chain() > 0 ? Order::InChains
                                   : Order::Unknown) {}

Sum::Sum(double first) : Sum() {
  if (first == 0)
    seen.sum = first; // keeps -0
  else
    *this += first;
}

Sum Sum::ofProducts() {
  Sum sum;
  if (sum.order == Order::InChains && current->matrixUnit())
    sum.order = Order::InUnit;
  return sum;
}

/// Terms that are added together: a register of AVX2.
static constexpr int64_t kLanes = 4;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using LaneMask = int64_t __attribute__((vector_size(kLanes * sizeof(int64_t))));
using NarrowLanes = float __attribute__((vector_size(kLanes * sizeof(float))));

/// What Terms::add does to each of `count` terms, a multiple of kLanes, after a first one that is
/// not 0. Partial sums are those of the lanes, added to all before, so that they differ from those
/// one by one in roundings of f64.
__attribute__((target_clones("avx2", "default"))) void
Sum::addTogether(Terms &to, const double *terms, int64_t count) {
  const Lanes zero = {}, grid = zero + kGridShift;
  Lanes sum = zero + to.sum, squares = zero, products = zero, path = zero, above = zero,
        below = zero, largest = zero + to.largest;
  LaneMask counts = {}, offGrid = {};
  for (int64_t i = 0; i < count; i += kLanes) {
    Lanes term;
    std::memcpy(&term, terms + i, sizeof(term));
    Lanes partial = term + __builtin_shufflevector(zero, term, 0, 4, 5, 6);
    partial += __builtin_shufflevector(zero, partial, 0, 1, 4, 5);
    partial += sum;
    sum = __builtin_shufflevector(partial, partial, 3, 3, 3, 3);
    LaneMask counted = term != zero;
    Lanes square = term * term;
    squares += square;
    Lanes inF32 = __builtin_convertvector(__builtin_convertvector(term, NarrowLanes), Lanes);
    products += inF32 != term ? square : zero;
    path += counted ? partial * partial : zero;
    counts -= counted;
    below += term < zero ? term : zero;
    above += term < zero ? zero : term;
    Lanes magnitude = term < zero ? -term : term;
    largest = magnitude > largest ? magnitude : largest;
    offGrid |= (term + grid) - grid != term;
  }
  to.sum = sum[0];
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    to.count += counts[lane];
    to.squares += squares[lane];
    to.products += products[lane];
    to.path += path[lane];
    to.above += above[lane];
    to.below += below[lane];
    to.largest = largest[lane] > to.largest ? largest[lane] : to.largest;
    to.onGrid &= offGrid[lane] == 0;
  }
}

void Sum::add(const double *terms, int64_t count) {
  switch (order) {
  case Order::Exact: {
    double sum = seen.sum;
    for (int64_t i = 0; i < count; ++i)
      sum += terms[i];
    seen.sum = sum;
    return;
  }
  case Order::Unknown: {
    int64_t added = 0;
    for (; added < count && seen.count == 0; ++added) // before the first partial sum
      seen.add(terms[added]);
    int64_t together = (count - added) / kLanes * kLanes;
    addTogether(seen, terms + added, together);
    for (added += together; added < count; ++added)
      seen.add(terms[added]);
    return;
  }
  case Order::InChains:
    return addInChains(terms, count);
  case Order::InUnit:
    return addToUnit(terms, count);
  }
}

void Sum::addInChains(const double *terms, int64_t count) {
  int64_t chain = current->chain();
  while (count > 0) {
    int64_t taken = std::min(count, chain - seen.count);
    seen.sum = current->addInOrder(seen.sum, terms, taken);
    seen.count += taken;
    terms += taken;
    count -= taken;
    if (seen.count < chain)
      return;
    joined = current->accumulated(joined + seen.sum);
    seen.sum = 0;
    seen.count = 0;
  }
}

/// The unit sees the exponents of factors; that of their product is the same, or larger by 1.
void Sum::addPending() {
  std::array<int, kMostUnitTerms> exponents;
  for (size_t i = 0; i < pending.size(); ++i)
    exponents[i] = exponentOfFactor(pending[i], std::numeric_limits<int>::min());
  seen.sum = addProducts(*current->matrixUnit(), seen.sum,
                         {pending.data(), exponents.data(), static_cast<int64_t>(pending.size())});
  seen.count += static_cast<int64_t>(pending.size());
  pending.clear();
  if (int64_t stage = current->matrixUnit()->stageTerms; stage == 0 || seen.count < stage)
    return;
  joined = current->accumulated(joined + seen.sum);
  seen.sum = 0;
  seen.count = 0;
}

void Sum::addToUnit(const double *terms, int64_t count) {
  auto most = static_cast<size_t>(current->matrixUnit()->terms);
  for (int64_t i = 0; i < count; ++i) {
    pending.push_back(terms[i]);
    if (pending.size() == most)
      addPending();
  }
}

/// The sum; where partial sums leave the range of the type of accumulation, an infinity, and NaN
/// where both infinities meet.
double Sum::overflowed() const {
  if (seen.above < 1e38 && seen.below > -1e38) // no type of accumulation ends here
    return seen.sum;
  bool up = std::isinf(current->accumulated(seen.above)),
       down = std::isinf(current->accumulated(seen.below));
  Rounding::Overflow overflow = up || down ? current->overflow() : Rounding::Overflow::None;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (overflow == Rounding::Overflow::Both && up && down)
    return std::numeric_limits<double>::quiet_NaN();
  if (overflow == Rounding::Overflow::Up && up)
    return kInfinity;
  if (overflow == Rounding::Overflow::Down && down)
    return -kInfinity;
  return seen.sum;
}

/// Standard deviation of the sum: every partial sum is rounded, and every product.
double Sum::deviation() const {
  double each = kRoundingUnits * current->unit();
  // The squares of the partial sums are expected to add up to the first in random order, and add up
  // to the second as the terms come.
  double count = static_cast<double>(seen.count) + 1;
  double partial = std::fmax(count * (seen.sum * seen.sum / 3 + seen.squares / 6), seen.path);
  // Partial sums of n stages are those of the stages, each an nth of the whole.
  const MatrixArithmetic *unit = current->matrixUnit();
  if (unit && unit->stageTerms > 0)
    partial /= std::fmax(1, count / static_cast<double>(unit->stageTerms));
  // Squares of numbers below 1e-150 are none of f64: as if nothing cancelled.
  if (partial < 0x1p-1000)
    return each * std::fabs(seen.sum) * std::sqrt(count / 2);
  // An addition is off by no more than the smaller of what it adds.
  double additions =
      std::fmin(each * std::sqrt(partial), std::fmax(seen.above - seen.below - seen.largest, 0));
  return std::hypot(additions, seen.count > 1 ? each * std::sqrt(seen.products) : 0);
}

double Sum::value() const {
  if (!current)
    return seen.sum;
  if (order == Order::InUnit) {
    Sum whole = *this;
    whole.addPending();
    return rounded(whole.joined + whole.seen.sum);
  }
  if (order != Order::Unknown || seen.count == 0)
    return rounded(order == Order::InChains ? joined + seen.sum : seen.sum);
  double sum = overflowed();
  if (!std::isfinite(sum) || !std::isfinite(seen.squares))
    return rounded(sum);
  // All partial sums are multiples of the grid that the type of accumulation has.
  if (seen.onGrid && (seen.above - seen.below) * current->unit() <= kGrid)
    return sum;
  return current->accumulated(sum + deviation() * current->random());
}

std::vector<double> reference::valuesOf(const std::vector<Sum> &sums) {
  std::vector<double> values;
  values.reserve(sums.size());
  for (const Sum &sum : sums)
    values.push_back(sum.value());
  return values;
}
