// What the lowerings of ops with windows and accumulators share; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_WINDOWLOWERING_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_WINDOWLOWERING_H

#include "RoundTensor.h"

#include "forge/Dialect/StableHLO/IR/Window.h"

#include "mlir/Transforms/DialectConversion.h"

namespace forge {

/// `operand` (static shape, as in the stablehlo op that is being lowered) padded and dilated by
/// `value` as the windows say. Makes a stablehlo.pad, which is lowered in its turn; returns its
/// result with the converted type.
mlir::Value createPadded(mlir::ConversionPatternRewriter &rewriter,
                         const mlir::TypeConverter &converter, mlir::Location loc,
                         mlir::Value operand, mlir::Value value,
                         llvm::ArrayRef<stablehlo::WindowDim> window);

/// The op of a body that is one addition or multiplication of narrow floats, which may be done in
/// f32 and rounded once at the end; null otherwise.
mlir::Operation *getWideCombiner(mlir::Region &body);

/// One step of an accumulation: the accumulated values first among `args`, then the elements. With
/// `wide`, the first is in f32 and stays there.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitCombiner(mlir::OpBuilder &builder,
                                                             mlir::Region &body,
                                                             mlir::ValueRange args,
                                                             mlir::Operation *wide);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_WINDOWLOWERING_H
