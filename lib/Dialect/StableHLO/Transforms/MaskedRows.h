// Rows that are masked throughout, as PyTorch's attention asks for them.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_MASKEDROWS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_MASKEDROWS_H

#include "mlir/IR/PatternMatch.h"

namespace forge::stablehlo {

/// any(x != -inf) is max(x) != -inf, all(x == -inf) is max(x) == -inf: a NaN is not -inf, and
/// neither is a maximum of NaN. A softmax has that maximum.
void populateMaskedRowsPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_MASKEDROWS_H
