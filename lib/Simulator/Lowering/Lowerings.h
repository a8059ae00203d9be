// Families of operations that become calls of the simulator.
#ifndef FORGE_LIB_SIMULATOR_LOWERING_LOWERINGS_H
#define FORGE_LIB_SIMULATOR_LOWERING_LOWERINGS_H

#include "Calls.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace forge {

/// True if the operation was of the family, and is gone; false if it belongs to another one;
/// failure, after a diagnostic, if it is one that the simulator cannot run.
using Lowered = mlir::FailureOr<bool>;

/// Identity.cpp: numbers and sizes of threads, warps, blocks; the time.
Lowered lowerIdentity(mlir::Operation *op, mlir::OpBuilder &builder);
/// WarpOps.cpp: shuffles, votes, synchronisation of a warp.
Lowered lowerWarpOp(mlir::Operation *op, mlir::OpBuilder &builder);
/// BarrierOps.cpp: barriers of blocks and clusters, fences, assertions.
Lowered lowerBarrierOp(mlir::Operation *op, mlir::OpBuilder &builder);
/// AsyncOps.cpp: asynchronous copies.
Lowered lowerAsyncOp(mlir::Operation *op, mlir::OpBuilder &builder);

/// MatrixOps.cpp: products of small matrices by a warp, and their loads and stores.
Lowered lowerMatrixOp(mlir::Operation *op, mlir::OpBuilder &builder);

/// HopperOps.cpp: mbarriers, tensor copies, products of warpgroups.
Lowered lowerHopperOp(mlir::Operation *op, mlir::OpBuilder &builder);

/// ConversionOps.cpp: pairs of 8-bit floats from and to wider ones.
Lowered lowerConversionOp(mlir::Operation *op, mlir::OpBuilder &builder);

/// How types are lowered: shared memory is address space 3, everything else flat.
void addAddressSpaces(mlir::LLVMTypeConverter &converter);

/// Makes functions of the kernels of `from`, in `module`.
mlir::LogicalResult formFunctions(mlir::Operation *from, mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_SIMULATOR_LOWERING_LOWERINGS_H
