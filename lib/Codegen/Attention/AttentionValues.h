// The numbers between scores and results, at one place of the axes.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONVALUES_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONVALUES_H

#include "AttentionProgram.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// A place, and what is known there.
struct AttentionPlace {
  /// By axis, as an index; null where it is not asked for.
  llvm::SmallVector<mlir::Value> axes;
  /// Results of the contractions and reductions, by stage.
  llvm::SmallDenseMap<int, mlir::Value> known;
  /// The element of a read's memory, loaded already.
  llvm::SmallDenseMap<std::pair<int, unsigned>, mlir::Value> loaded;
  /// Values of bodies computed so far.
  llvm::DenseMap<mlir::Value, mlir::Value> computed;
};

class AttentionValues {
public:
  AttentionValues(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program)
      : b(b), program(program) {}

  /// `value`, of the body of `stage` or of outside, at `place`: only what it follows from is
  /// computed.
  mlir::Value valueOf(int stage, mlir::Value value, AttentionPlace &place);
  /// A result of `stage`.
  mlir::Value resultOf(int stage, unsigned result, AttentionPlace &place);
  /// What a contraction takes as operand `operand`, extended to f32.
  mlir::Value factorOf(int contraction, unsigned operand, AttentionPlace &place);
  /// Where the memory of `read` is read at `place`.
  llvm::SmallVector<mlir::Value> indicesOf(const AttentionRead &read, AttentionPlace &place);
  /// At `place`, `element` is what `read` reads.
  static void setElement(const AttentionRead &read, mlir::Value element, AttentionPlace &place);
  /// Where operand `operand` of `stage` is read, or written, at `place`.
  llvm::SmallVector<mlir::Value> indicesOf(int stage, unsigned operand,
                                           const AttentionPlace &place);

private:
  mlir::Value elementOf(int stage, unsigned operand, AttentionPlace &place);

  mlir::ImplicitLocOpBuilder &b;
  const AttentionProgram &program;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONVALUES_H
