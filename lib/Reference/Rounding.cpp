#include "forge/Reference/Rounding.h"

#include "forge/Support/MatrixArithmetic.h"

#include <cmath>
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
    sum = first; // keeps -0
  else
    *this += first;
}

Sum Sum::ofProducts() {
  Sum sum;
  if (sum.order == Order::InChains && current->matrixUnit())
    sum.order = Order::InUnit;
  return sum;
}

/// The unit sees the exponents of factors; that of their product is the same, or larger by 1.
void Sum::addToUnit() {
  std::vector<int> exponents;
  exponents.reserve(pending.size());
  for (double term : pending)
    exponents.push_back(exponentOfFactor(term, std::numeric_limits<int>::min()));
  sum = addProducts(*current->matrixUnit(), sum,
                    {pending.data(), exponents.data(), static_cast<int64_t>(pending.size())});
  terms += static_cast<int64_t>(pending.size());
  pending.clear();
  if (int64_t stage = current->matrixUnit()->stageTerms; stage == 0 || terms < stage)
    return;
  joined = current->accumulated(joined + sum);
  sum = 0;
  terms = 0;
}

void Sum::addInOrder(double term) {
  if (order == Order::InUnit) {
    pending.push_back(term);
    if (static_cast<int64_t>(pending.size()) >= current->matrixUnit()->terms)
      addToUnit();
    return;
  }
  sum = current->accumulated(sum + term);
  if (++terms < current->chain())
    return;
  joined = current->accumulated(joined + sum);
  sum = 0;
  terms = 0;
}

/// The sum; where partial sums leave the range of the type of accumulation, an infinity, and NaN
/// where both infinities meet.
double Sum::overflowed() const {
  if (above < 1e38 && below > -1e38) // no type of accumulation ends here
    return sum;
  bool up = std::isinf(current->accumulated(above)), down = std::isinf(current->accumulated(below));
  Rounding::Overflow overflow = up || down ? current->overflow() : Rounding::Overflow::None;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (overflow == Rounding::Overflow::Both && up && down)
    return std::numeric_limits<double>::quiet_NaN();
  if (overflow == Rounding::Overflow::Up && up)
    return kInfinity;
  if (overflow == Rounding::Overflow::Down && down)
    return -kInfinity;
  return sum;
}

/// Standard deviation of the sum: every partial sum is rounded, and every product.
double Sum::deviation() const {
  double each = kRoundingUnits * current->unit();
  // The squares of the partial sums are expected to add up to the first in random order, and add up
  // to the second as the terms come.
  double count = static_cast<double>(terms) + 1;
  double partial = std::fmax(count * (sum * sum / 3 + squares / 6), path);
  // Partial sums of n stages are those of the stages, each an nth of the whole.
  const MatrixArithmetic *unit = current->matrixUnit();
  if (unit && unit->stageTerms > 0)
    partial /= std::fmax(1, count / static_cast<double>(unit->stageTerms));
  // Squares of numbers below 1e-150 are none of f64: as if nothing cancelled.
  if (partial < 0x1p-1000)
    return each * std::fabs(sum) * std::sqrt(count / 2);
  // An addition is off by no more than the smaller of what it adds.
  double additions = std::fmin(each * std::sqrt(partial), std::fmax(above - below - largest, 0));
  return std::hypot(additions, terms > 1 ? each * std::sqrt(products) : 0);
}

double Sum::value() const {
  if (!current)
    return sum;
  if (order == Order::InUnit) {
    Sum whole = *this;
    whole.addToUnit();
    return rounded(whole.joined + whole.sum);
  }
  if (order != Order::Unknown || terms == 0)
    return rounded(order == Order::InChains ? joined + sum : sum);
  double sum = overflowed();
  if (!std::isfinite(sum) || !std::isfinite(squares))
    return rounded(sum);
  // All partial sums are multiples of the grid that the type of accumulation has.
  if (onGrid && (above - below) * current->unit() <= kGrid)
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
