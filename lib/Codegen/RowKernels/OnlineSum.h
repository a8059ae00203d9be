// Sums of exponentials below a maximum, found while the maximum is still being looked for.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H

#include "RowProgram.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The maximum that terms of a sum are taken below.
struct OnlineMaximum {
  /// That finds it.
  unsigned stage = 0;
  /// Whether terms are exp(a) where the maximum is not finite.
  bool isFinite = false;
};

/// If stage `index` sums exp(a - m), where m is the maximum of the same a that another stage finds
/// along the same row, or 0 where that is not finite, that stage; nothing otherwise. Both can then
/// be computed in one pass: whenever the maximum grows, the sum so far is scaled by exp(old - new)
/// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018).
std::optional<OnlineMaximum> maximumOfSum(const RowProgram &program, unsigned index);

/// The arithmetic of such a sum. Where `approximates`, an exponential is 2^(x log2 e) by one
/// instruction: its relative error grows with -x as its weight in the sum falls, and the sum, at
/// least 1, is off by less than 2 units in the last place.
class OnlineSum {
public:
  OnlineSum(mlir::ImplicitLocOpBuilder &b, bool approximates) : b(b), approximates(approximates) {}

  /// e^x for a term, x <= 0.
  mlir::Value exponential(mlir::Value x);
  /// What terms are taken below: the maximum so far, or 0 while nothing but -inf has been seen; or
  /// where it is not finite, if it `isFinite` in the sum.
  mlir::Value shift(mlir::Value maximum, bool isFinite);
  /// What a sum below the maximum `before` is multiplied by to be one below the larger `now`; 0
  /// for the empty sum, whose maximum is -inf.
  mlir::Value factor(mlir::Value before, mlir::Value now, bool isFinite);

private:
  mlir::Value isLowest(mlir::Value maximum);

  mlir::ImplicitLocOpBuilder &b;
  bool approximates;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H
