// The instructions of a program as values of one element.
#ifndef FORGE_LIB_CONVERSION_REGISTERTOLINALG_RAISEINSTRUCTIONS_H
#define FORGE_LIB_CONVERSION_REGISTERTOLINALG_RAISEINSTRUCTIONS_H

#include "forge/Dialect/Register/IR/Register.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

class InstructionRaiser {
public:
  /// `numbers`: what the program's arguments of type index are.
  InstructionRaiser(registers::ProgramOp program, mlir::ImplicitLocOpBuilder &builder,
                    llvm::DenseMap<mlir::Value, mlir::Value> numbers);

  /// Sets what `buffer` holds for this element, in the buffer's element type.
  void define(mlir::Value buffer, mlir::Value element) { elements[buffer] = element; }
  mlir::Value elementOf(mlir::Value buffer) const { return elements.lookup(buffer); }

  void raise(mlir::Block &block);

private:
  void raise(mlir::Operation *op);
  void raiseLoop(registers::LoopOp loop);
  mlir::Value compute(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value load(mlir::Value element);
  mlir::Value rounded(mlir::Value value);

  mlir::ImplicitLocOpBuilder &b;
  llvm::DenseMap<mlir::Value, mlir::Value> numbers;
  /// Of the buffers and of the registers.
  mlir::Type element, type;
  /// What registers and buffers hold here.
  llvm::DenseMap<int64_t, mlir::Value> registers;
  llvm::DenseMap<mlir::Value, mlir::Value> elements;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_REGISTERTOLINALG_RAISEINSTRUCTIONS_H
