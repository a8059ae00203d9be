// What of the host's code is work for the device, as far as graphs are concerned.
#ifndef FORGE_LIB_TARGET_DEVICE_SEQUENCEWORK_H
#define FORGE_LIB_TARGET_DEVICE_SEQUENCEWORK_H

#include "mlir/IR/Operation.h"

namespace forge::sequence {

/// A unit attribute of gpu.launch_func: issued in front of a graph, not in it.
inline constexpr llvm::StringLiteral kNotCapturedAttr = "forge.not_captured";

bool isDeviceAlloc(mlir::Operation *op);
/// Scalars and views: what may move.
bool mayMove(mlir::Operation *op);
/// The launch that is left to do where the library did not do a product: what the library answers
/// is the same each time.
bool isFallback(mlir::Operation *op);
/// A call of the runtime for the device, whose answer nothing but a launch in its place waits for.
bool isProduct(mlir::Operation *op);
/// Work for the device that is always done.
bool isIssued(mlir::Operation *op);
/// Work for the device.
bool isWork(mlir::Operation *op);
/// What a sequence may consist of.
bool belongs(mlir::Operation *op);
/// A loop of a known number of steps whose results are only in memory, and whose body, but for
/// inner loops of this kind, belongs: all of its steps can be one graph.
bool isReplayedLoop(mlir::Operation *op);
/// How much work `op` issues: for a loop of the kind above, that of all steps.
int64_t countIssued(mlir::Operation *op);

} // namespace forge::sequence

#endif // FORGE_LIB_TARGET_DEVICE_SEQUENCEWORK_H
