// Between the files of lib/Target/Device: operations that become calls of
// forge/Runtime/DeviceABI.h.
#ifndef FORGE_LIB_TARGET_DEVICE_DEVICECALLS_H
#define FORGE_LIB_TARGET_DEVICE_DEVICECALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

void declareDeviceRuntime(mlir::OpBuilder &builder, mlir::ModuleOp module);

/// Makes globals of the names and descriptions of all launches, named in attributes of the
/// launches.
void addLaunchTexts(mlir::ModuleOp module);

/// memref.alloc, dealloc, copy, load, store, get_global and gpu.launch_func.
void populateDeviceCallPatterns(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// The patterns of memory, and of launches.
void populateDeviceMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
void populateLaunchPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Room for one `type` on the stack of the function around `op`, taken once, at its entry.
mlir::Value stackSlot(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Type type,
                      int64_t count = 1);

} // namespace forge

#endif // FORGE_LIB_TARGET_DEVICE_DEVICECALLS_H
