// Operands that are many registers go through memory of the thread, where the simulator finds them.
#ifndef FORGE_LIB_SIMULATOR_LOWERING_REGISTERS_H
#define FORGE_LIB_SIMULATOR_LOWERING_REGISTERS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// Memory for `bytes` bytes, taken once at the start of the function that `op` is in.
mlir::Value registersOf(mlir::Operation *op, uint64_t bytes);
/// The operands, one after the other, in such memory.
mlir::Value spill(mlir::Operation *op, mlir::OpBuilder &builder, mlir::ValueRange operands);
/// The fields of a struct, one after the other, at `base`; and all of them read again.
void storeFields(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Value base,
                 mlir::Value fields);
mlir::Value loadFields(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Value base,
                       mlir::LLVM::LLVMStructType type);

} // namespace forge

#endif // FORGE_LIB_SIMULATOR_LOWERING_REGISTERS_H
