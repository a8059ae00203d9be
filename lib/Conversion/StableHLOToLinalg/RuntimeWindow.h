// Sliding windows some of whose numbers are known only at run time; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RUNTIMEWINDOW_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RUNTIMEWINDOW_H

#include "forge/Dialect/StableHLO/IR/Window.h"

#include "mlir/IR/Builders.h"

namespace forge {

/// stablehlo::WindowDim, with values where it has numbers.
struct RuntimeWindowDim {
  mlir::OpFoldResult size, padLow, padHigh, baseDilation;
  int64_t stride = 1, windowDilation = 1;
};

/// `window` as constants; a dynamic size is null.
llvm::SmallVector<RuntimeWindowDim> getRuntimeWindow(mlir::OpBuilder &builder,
                                                     llvm::ArrayRef<stablehlo::WindowDim> window);

/// How many windows lie along a dimension of `size` elements, an index value.
mlir::Value createWindowCount(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value size,
                              const RuntimeWindowDim &window);

/// Whether any element is added, cut off or spread.
bool needsPadding(llvm::ArrayRef<RuntimeWindowDim> window);

/// `operand` padded and dilated by the scalar `padding` as the windows (one per dimension) say; its
/// sizes become dynamic.
mlir::Value createRuntimePadded(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                                mlir::Value padding, llvm::ArrayRef<RuntimeWindowDim> window);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RUNTIMEWINDOW_H
