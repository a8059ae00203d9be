// Instructions of sm_90a: mbarriers, tensor copies, products of warpgroups.
#ifndef FORGE_LIB_CODEGEN_HOPPER_HOPPER_H
#define FORGE_LIB_CODEGEN_HOPPER_HOPPER_H

#include "ThreadBuilder.h"

namespace forge {

/// The address of a buffer of shared memory that begins at a multiple of 1024 bytes, as i64:
/// dynamic shared memory, which has 1024 bytes more than the buffer.
mlir::Value alignedSharedAddress(ThreadBuilder &b);
/// `address`, i64 or i32, as a pointer to shared memory.
mlir::Value sharedPointer(ThreadBuilder &b, mlir::Value address);
/// `base`, a pointer to shared memory, plus `bytes`, i32.
mlir::Value sharedAt(ThreadBuilder &b, mlir::Value base, mlir::Value bytes);

/// An mbarrier that waits for so many arrivals; all of a kernel are initialised by one thread,
/// followed by fenceBarriers and a barrier of the block.
void initBarrier(ThreadBuilder &b, mlir::Value barrier, int64_t arrivals);
void fenceBarriers(ThreadBuilder &b);
/// Orders what this thread has done in shared memory before tensor copies, and products of
/// warpgroups, that begin later in this thread or behind a barrier.
void fenceSharedForCopies(ThreadBuilder &b);
void waitBarrier(ThreadBuilder &b, mlir::Value barrier, mlir::Value parity);
void arriveAtBarrier(ThreadBuilder &b, mlir::Value barrier);
/// Arrives, and has the barrier wait for so many bytes of copies.
void expectBytes(ThreadBuilder &b, mlir::Value barrier, int64_t bytes);

/// The pointer that a tensor map, an argument of the kernel, is passed by.
mlir::Value tensorMapPointer(ThreadBuilder &b, mlir::Value map);
/// Copies a box to `target`, a pointer to shared memory; coordinates are i32, the innermost first.
void copyBox(ThreadBuilder &b, mlir::Value target, mlir::Value mapPointer, mlir::Value barrier,
             mlir::ValueRange coordinates);

/// A matrix in shared memory, of 16-bit elements in a 128-byte swizzle, as wgmma reads it (PTX ISA,
/// "Matrix-descriptor"): `address`, i32, begins at a multiple of 1024 bytes but for steps along the
/// terms. `leadingBytes`: between patterns side by side, where a matrix is not contiguous along the
/// terms.
mlir::Value matrixDescriptor(ThreadBuilder &b, mlir::Value address, int64_t leadingBytes);
/// `descriptor` moved on by `bytes`, a multiple of 16.
mlir::Value advanceDescriptor(ThreadBuilder &b, mlir::Value descriptor, int64_t bytes);

/// One instruction: `sums`, a struct, plus a product of 64 rows, `columns` columns and 32 bytes of
/// terms: 16 of bf16 or f16, or 32 of 8-bit floats, in f32, or 32 of i8, in i32. A transposed
/// factor, of 16 bits, is contiguous along its rows or columns, not along the terms.
mlir::Value emitWgmma(ThreadBuilder &b, mlir::Value sums, mlir::Value left, mlir::Value right,
                      int64_t columns, mlir::Type leftElement, mlir::Type rightElement,
                      bool transposedLeft, bool transposedRight);

/// The same with the left factor in registers: four words of two elements.
mlir::Value emitWgmma(ThreadBuilder &b, mlir::Value sums, mlir::ValueRange left, mlir::Value right,
                      int64_t columns, mlir::Type element, bool transposedRight);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_HOPPER_HOPPER_H
