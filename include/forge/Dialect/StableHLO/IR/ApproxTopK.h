// The custom call that JAX writes for approx_max_k and approx_min_k.
#ifndef FORGE_DIALECT_STABLEHLO_IR_APPROXTOPK_H
#define FORGE_DIALECT_STABLEHLO_IR_APPROXTOPK_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

inline constexpr llvm::StringLiteral kApproxTopK = "ApproxTopK";

/// `ApproxTopK(inputs..., init_values...)`: the inputs sorted together along `dimension` by
/// `comparator`, cut to the size of the results. What is exact satisfies every recall target.
struct ApproxTopK {
  size_t inputs;            ///< how many; the first operands
  int64_t dimension;        ///< of the inputs, not negative
  mlir::Region *comparator; ///< takes lhs0, rhs0, lhs1, rhs1, ... of rank 0, gives i1
};

/// The parts of a call of kApproxTopK; a located error unless it is of this form, with static
/// sizes.
mlir::FailureOr<ApproxTopK> getApproxTopK(CustomCallOp op);

} // namespace forge::stablehlo

#endif // FORGE_DIALECT_STABLEHLO_IR_APPROXTOPK_H
