// What an implementation rounds on the way and the reference, in double, does not. No MLIR.
#ifndef FORGE_REFERENCE_ROUNDING_H
#define FORGE_REFERENCE_ROUNDING_H

#include <cmath>
#include <cstdint>
#include <vector>

namespace forge {
struct MatrixArithmetic;
} // namespace forge

namespace forge::reference {

/// Moves intermediate values of transformer operations as some correct implementation would.
class Rounding {
public:
  virtual ~Rounding() = default;
  /// Half the distance from 1 to the next number of the type that the operation accumulates in.
  virtual double unit() const = 0;
  /// A random number of mean 0 and variance 1.
  virtual double random() = 0;
  /// A neighbour of `value` in the type of accumulation, the nearer one more often.
  virtual double accumulated(double value) = 0;
  /// The same in the element type of the operation's result.
  virtual double stored(double value) = 0;
  /// `value` as it comes out where a multiple of it that is not known is rounded to that type.
  virtual double storedAtAnyScale(double value) = 0;
  /// Where partial sums may leave the range of the type of accumulation, by the order of their
  /// terms: whether this order leaves it.
  enum class Overflow { None, Up, Down, Both };
  virtual Overflow overflow() = 0;
  /// Whether a value that is not finite and has the weight 0 counts, where an operation leaves that
  /// open.
  virtual bool looksAtHidden() { return false; }
  /// `sum` after `count` terms, each added to what comes out before it.
  virtual double addInOrder(double sum, const double *terms, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      sum = accumulated(sum + terms[i]);
    return sum;
  }
  /// How many terms of a sum are added in order before their partial sum is joined with others; 0
  /// where the order is not known.
  virtual int64_t chain() const { return 0; }
  /// What adds up the products of the operation, in order; null where no matrix unit does.
  virtual const MatrixArithmetic *matrixUnit() const { return nullptr; }
};

/// Transformer operations executed on this thread meanwhile go through `rounding`; without one (the
/// usual case) or with null nothing is rounded.
class RoundingScope {
public:
  explicit RoundingScope(Rounding *rounding);
  ~RoundingScope();
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  Rounding *outer;
};

/// Standard deviation of the difference of two implementations of a function such as exp, in u:
/// each is within 4 units in the last place, mostly within one.
constexpr double kFunctionUnits = 2;

/// Standard deviation of the difference of two roundings, relative to the value, in u.
constexpr double kRoundingUnits = 0.6;

/// The result of one operation that IEEE 754 rounds exactly: +, -, *, /, sqrt.
double rounded(double value);
/// The result of exp, log, sin, cos, a power or a reciprocal root.
double approximated(double value);
/// The result of tanh or erf, of which implementations give 1 where it is nearer to 1 than u / 8.
double saturating(double value);
/// The same in double, for any type of accumulation.
double approximatedInDouble(double value);
/// What an operation rounds to its element type before it goes on.
double stored(double value);
/// The same of numbers that may be scaled before and back after, as the weights of a softmax are
/// by the base that their exponentials are relative to.
double storedAtAnyScale(double value);

/// Whether this execution looks at what has no weight (Rounding::looksAtHidden).
bool looksAtHidden();

/// A sum whose partial sums are rounded: in an order that is not known, by what is to be expected;
/// in order and to nearest where `Rounding::chain` says so. Where no partial sum in any order needs
/// rounding, as of counts, none is. The Rounding is the one at the time of construction.
class Sum {
public:
  Sum();
  /// With `first` to begin with.
  explicit Sum(double first);
  /// Of products that a matrix unit may add up.
  static Sum ofProducts();
  void operator+=(double term) {
    if (order >= Order::InChains)
      add(&term, 1);
    else if (order == Order::Exact)
      seen.sum += term;
    else
      seen.add(term);
  }
  /// The same of `count` terms, in order; much faster than one by one.
  void add(const double *terms, int64_t count);
  double value() const;

private:
  void addInChains(const double *terms, int64_t count);
  void addToUnit(const double *terms, int64_t count);
  void addPending();
  double overflowed() const;
  double deviation() const;

  enum class Order : uint8_t { Exact, Unknown, InChains, InUnit };
  /// Of a sum in an order that is not known, what says how far it may be off.
  struct Terms {
    double sum = 0;
    int64_t count = 0;
    /// Sums of the squares of all terms, of those that f32 does not hold, and of the partial sums.
    double squares = 0, products = 0, path = 0;
    /// Of the terms above 0 and of those below: no partial sum goes further in any order.
    double above = 0, below = 0;
    /// The largest magnitude of a term.
    double largest = 0;
    /// Whether all terms are multiples of kGrid.
    bool onGrid = true;

    void add(double term) {
      sum += term;
      if (term == 0) // adding 0 rounds nothing
        return;
      double square = term * term, magnitude = std::fabs(term);
      squares += square;
      // A product that the type of accumulation does not hold may be rounded before it is added.
      products += static_cast<float>(term) == term ? 0 : square;
      path += ++count > 1 ? sum * sum : 0;
      below += term < 0 ? term : 0;
      above += term < 0 ? 0 : term;
      largest = magnitude > largest ? magnitude : largest;
      // Added to this, a term keeps its bits down to 2^-10.
      onGrid &= (term + kGridShift) - kGridShift == term;
    }
  };
  static void addTogether(Terms &to, const double *terms, int64_t count);

  static constexpr double kGrid = 0x1p-10, kGridShift = 0x1.8p52 * kGrid;
  Order order;
  /// In chains, or stages of a unit: of the last one, its sum and how many terms it has.
  Terms seen;
  /// Of the chains, or stages of a unit, that are complete.
  double joined = 0;
  /// Products that the matrix unit has not added to the sum yet.
  std::vector<double> pending;
};

std::vector<double> valuesOf(const std::vector<Sum> &sums);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ROUNDING_H
