// What the code of attention is made with.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H

#include "AttentionValues.h"

namespace forge {

/// Arithmetic on indices and f32, at an insertion point.
class AttentionBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  mlir::Value index(int64_t value);
  mlir::Value f32(double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value div(mlir::Value x, int64_t y);
  mlir::Value rem(mlir::Value x, int64_t y);
  mlir::Value isBelow(mlir::Value x, mlir::Value limit);
  mlir::Value equals(mlir::Value x, int64_t y);
  /// A buffer of f32 in shared memory.
  mlir::Value shared(llvm::ArrayRef<int64_t> shape);
  /// Whether a maximum is -inf: no key was seen.
  mlir::Value isLowest(mlir::Value maximum);
  /// What is subtracted from logits below `maximum`: 0 instead of -inf.
  mlir::Value shift(mlir::Value maximum);
  /// What turns numbers relative to `before`, a maximum, into numbers relative to `now`, a base: 0
  /// where there was none.
  mlir::Value factor(mlir::Value before, mlir::Value now);
  /// Emits `body` under `condition`.
  void onlyIf(mlir::Value condition, llvm::function_ref<void()> body);
};

/// Where a thread stands.
struct AttentionThread {
  mlir::Value thread, warp, lane;
  /// The block's number among those of the outer place.
  mlir::Value piece;
  /// The outer axes.
  llvm::SmallVector<mlir::Value> outer;
};

/// A place along the outer axes and, unless null, row `row`.
AttentionPlace placeOf(AttentionBuilder &b, const AttentionProgram &program,
                       const AttentionThread &at, mlir::Value row);

/// The size of an axis.
mlir::Value sizeOf(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program, unsigned axis);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONBUILDER_H
