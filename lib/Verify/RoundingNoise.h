// Executions that round at random: Monte Carlo arithmetic (Parker, "Monte Carlo Arithmetic:
// exploiting randomness in floating-point arithmetic", UCLA 1997; Vignes, "A stochastic arithmetic
// for reliable scientific computation", 1993, as in CADNA).
#ifndef FORGE_LIB_VERIFY_ROUNDINGNOISE_H
#define FORGE_LIB_VERIFY_ROUNDINGNOISE_H

#include "RoundingProfile.h"

#include "forge/Reference/Rounding.h"
#include "forge/Verify/Interpreter.h"

namespace forge {

/// Puts on an execution that carries floats as f64 the rounding that some correct execution in the
/// module's types may have:
///  1. Every result is rounded to its type up or down at random, so that the expectation is the
///     value itself. The variance of that, a sixth of an ulp squared, is that of the difference of
///     two executions that round to nearest independently of each other. Relative to a value whose
///     logarithm is spread evenly that is 0.36 u^2.
///  2. The terms of a sum of K move by 0.6 u sqrt((K + 1) / 6), and its result by
///     0.6 u sqrt((K + 1) / 3), relative to themselves: added in random order, the squares of the
///     partial sums are expected to add up to (K + 1) (S^2 / 3 + Q / 6), S being the sum and Q the
///     sum of the squares of its terms, and every partial sum is rounded.
///  3. Functions move their result by some u.
/// Transformer operations, which are many steps each, do this to every step of theirs instead, and
/// to none of their operands. Their steps have the range of the type of accumulation: what is
/// beyond its largest number is infinite, and what is below its smallest normal one is kept or
/// flushed to 0.
class RoundingNoise : public reference::Rounding {
public:
  explicit RoundingNoise(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 1) {}

  /// Moves the operands of `op`. True where the operation rounds in steps: it is to be executed in
  /// a reference::RoundingScope of this.
  bool before(mlir::Operation *op, std::vector<TensorRef> &operands);
  void after(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results);

  /// Uniform in [0, 1); the same sequence for the same seed.
  double uniform();

  double unit() const override { return roundoff; }
  double random() override { return (2 * uniform() - 1) * 1.7320508075688772; }
  double accumulated(double value) override;
  double stored(double value) override { return rounded(storage, value); }
  /// All four in turn over the first executions, so that none is missed; later at random.
  Overflow overflow() override {
    return static_cast<Overflow>(execution < 4 ? execution : static_cast<int64_t>(4 * uniform()));
  }
  /// Tells that execution `number`, from 0 on, begins.
  void begin(int64_t number) { execution = number; }

private:
  TensorRef moved(const TensorRef &tensor, double each);
  double rounded(DType type, double value);

  uint64_t state;
  int64_t execution = 0;
  /// Of the operation that is executed.
  double roundoff = 0x1p-24;
  DType storage = DType::F32;
};

/// u of the type that a value of `type` is computed in.
double computeRoundoff(DType type);

} // namespace forge

#endif // FORGE_LIB_VERIFY_ROUNDINGNOISE_H
