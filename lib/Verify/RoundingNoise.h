// Executions that round at random: Monte Carlo arithmetic (Parker, "Monte Carlo Arithmetic:
// exploiting randomness in floating-point arithmetic", UCLA 1997; Vignes, "A stochastic arithmetic
// for reliable scientific computation", 1993, as in CADNA).
#ifndef FORGE_LIB_VERIFY_ROUNDINGNOISE_H
#define FORGE_LIB_VERIFY_ROUNDINGNOISE_H

#include "RoundingProfile.h"

#include "forge/Reference/Rounding.h"
#include "forge/Verify/Interpreter.h"

#include <numeric>

namespace forge {

/// Rounding of the steps inside one operation at a time.
class StepRounding : public reference::Rounding {
public:
  /// `chip`: products are added up as by its matrix unit; empty: as other sums are.
  explicit StepRounding(std::string chip) : chip(std::move(chip)) {}

  /// Whether `op` rounds in steps: it is to be executed in a reference::RoundingScope of this.
  bool enter(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands);

  double unit() const override { return roundoff; }
  const MatrixArithmetic *matrixUnit() const override { return matrix; }

protected:
  /// Of the operation that is executed.
  double roundoff = 0x1p-24;
  DType storage = DType::F32;
  const MatrixArithmetic *matrix = nullptr;

private:
  std::string chip;
};

/// Every step to nearest, sums in order: what the plainest implementation does. Equal terms round
/// the same way as long as a partial sum stays between two powers of two, which is systematic and
/// no rounding at random shows.
class RoundingInOrder : public StepRounding {
public:
  /// `terms`: after how many the partial sum is joined with those before.
  explicit RoundingInOrder(int64_t terms, std::string chip = "")
      : StepRounding(std::move(chip)), terms(terms) {}

  double random() override { return 0; }
  double accumulated(double value) override {
    return roundoff < 0x1p-24 ? value : static_cast<float>(value);
  }
  double addInOrder(double sum, const double *terms, int64_t count) override {
    if (roundoff < 0x1p-24)
      return std::accumulate(terms, terms + count, sum);
    auto rounded = static_cast<float>(sum);
    for (int64_t i = 0; i < count; ++i)
      rounded = static_cast<float>(rounded + terms[i]);
    return rounded;
  }
  double stored(double value) override { return reference::roundToType(storage, value); }
  double storedAtAnyScale(double value) override { return stored(value); }
  Overflow overflow() override { return Overflow::None; }
  int64_t chain() const override { return terms; }

private:
  int64_t terms;
};

/// Puts on an execution that carries floats as f64 the rounding that some correct execution in the
/// module's types may have:
///  1. Every result is rounded to its type up or down at random, so that the expectation is the
///     value itself. The variance of that, a sixth of an ulp squared, is that of the difference of
///     two executions that round to nearest independently of each other. Relative to a value whose
///     logarithm is spread evenly that is 0.36 u^2.
///  2. Every partial sum of K terms is rounded. Added in random order, the squares of the partial
///     sums are expected to add up to (K + 1) (S^2 / 3 + Q / 6), S being the sum and Q the sum of
///     the squares of its terms. reference::Sum does it for products, sums and transformer
///     operations; the terms of others move by 0.6 u sqrt((K + 1) / 6), and their result by
///     0.6 u sqrt((K + 1) / 3), relative to themselves, which comes out the same. Of sums by a
///     matrix unit with fewer bits than f32, u is half of the last one it keeps.
///  3. Functions move their result by some u, but not from or beyond a limit that they reach.
///  4. A Fourier transform may be a library's: its numbers err by some u of their root mean square
///     over the line, not of themselves.
/// Transformer operations, which are many steps each, do this to every step of theirs instead, and
/// to none of their operands. Their steps have the range of the type of accumulation: what is
/// beyond its largest number is infinite, and what is below its smallest normal one is kept or
/// flushed to 0.
class RoundingNoise : public StepRounding {
public:
  explicit RoundingNoise(uint64_t seed, std::string chip = "")
      : StepRounding(std::move(chip)), state(seed * 0x9E3779B97F4A7C15u + 1) {}

  /// Moves the operands of `op`. True where the operation rounds in steps: it is to be executed in
  /// a reference::RoundingScope of this.
  bool before(mlir::Operation *op, std::vector<TensorRef> &operands);
  void after(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results);

  /// Uniform in [0, 1); the same sequence for the same seed. splitmix64 (Steele, Lea, Flood, "Fast
  /// splittable pseudorandom number generators", 2014).
  double uniform() {
    uint64_t x = state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
  }

  double random() override { return (2 * uniform() - 1) * 1.7320508075688772; }
  double accumulated(double value) override;
  double stored(double value) override { return rounded(storage, value); }
  double storedAtAnyScale(double value) override { return scaledAndRounded(storage, value); }
  /// All four in turn over the first executions, so that none is missed; later at random.
  Overflow overflow() override {
    if (unlimited)
      return Overflow::None;
    return static_cast<Overflow>(execution < 4 ? execution : static_cast<int64_t>(4 * uniform()));
  }
  bool looksAtHidden() override { return execution % 2 == 0; }
  /// Tells that execution `number`, from 0 on, begins; `unlimited`: one whose types have no largest
  /// number.
  void begin(int64_t number, bool isUnlimited = false) {
    execution = number;
    unlimited = isUnlimited;
  }

private:
  /// What another transform errs more than its decomposition, of which the results are: one with
  /// the parts of a number next to each other, or two of a part each.
  void afterFft(mlir::Operation *composite, std::vector<TensorRef> &results);
  TensorRef moved(const TensorRef &tensor, double each);
  double rounded(DType type, double value);
  double roundedToF32(double value);
  double scaledAndRounded(DType type, double value);
  double beyond(DType type, double value, double limit);
  double flushed(double value);

  uint64_t state;
  int64_t execution = 0;
  bool unlimited = false;
};

/// Chains of terms in the executions that round to nearest: as Forge's own sums have them, and
/// those of register tiles of products (docs/numerics.md).
constexpr int64_t kChains[] = {64, 256, 1024};

/// u of the type that a value of `type` is computed in.
double computeRoundoff(DType type);

} // namespace forge

#endif // FORGE_LIB_VERIFY_ROUNDINGNOISE_H
