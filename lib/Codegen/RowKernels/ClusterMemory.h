// What the blocks of a cluster do together (PTX ISA, "barrier.cluster" and "mapa").
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_CLUSTERMEMORY_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_CLUSTERMEMORY_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The two halves of the cluster's barrier; all threads of all its blocks take part in both.
void clusterArrive(mlir::ImplicitLocOpBuilder &b);
void clusterWait(mlir::ImplicitLocOpBuilder &b);

/// Stores `value` to element `place` of the same `buffer`, in shared memory, of block `rank` of the
/// cluster. That block must have begun, and must not end before it has been seen there.
void storeInCluster(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Value buffer,
                    mlir::Value rank, mlir::Value place);

/// Loads element `place` of the same `buffer`, of f32 in shared memory, of block `rank` of the
/// cluster. That block must not end before.
mlir::Value loadFromCluster(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer, mlir::Value rank,
                            mlir::Value place);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_CLUSTERMEMORY_H
