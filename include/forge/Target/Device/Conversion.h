// What the conversions of device code to the LLVM dialect have in common.
#ifndef FORGE_TARGET_DEVICE_CONVERSION_H
#define FORGE_TARGET_DEVICE_CONVERSION_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace forge {

/// arith, cf, func, math (as LLVM intrinsics, before a vendor's library calls), memref, ub and
/// vector to LLVM.
void populateDeviceConversionPatterns(const mlir::LLVMTypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);

/// Converts the body of `module` with `patterns`; everything that is not of the LLVM dialect or of
/// `device` must go.
mlir::LogicalResult convertDeviceModule(mlir::gpu::GPUModuleOp module,
                                        mlir::RewritePatternSet patterns,
                                        llvm::StringRef deviceDialect);

} // namespace forge

#endif // FORGE_TARGET_DEVICE_CONVERSION_H
