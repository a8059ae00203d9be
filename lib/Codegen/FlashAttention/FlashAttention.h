// Attention of many rows, as one kernel computes it: what is known of it before it is planned.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H

#include "KeyLimits.h"

#include "../Strategy/AxisAccess.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

namespace forge {

/// An attention whose logits are scale * number where its conditions hold, otherwise -inf; of known
/// sizes, with factors of 16 bits.
struct FlashAttention {
  AttentionProgram program;
  /// The longest axis of rows: tiles divide it. The other rows and the outer axes are `places`, the
  /// outermost first.
  unsigned rowAxis = 0;
  llvm::SmallVector<unsigned, 4> places;
  AxisAccess query, key, value;
  AttentionGraph::Place number;
  double scale = 1;
  KeyConditions conditions;
  /// Whether number, or a condition that is no limit, is computed of key indices.
  bool usesKeyIndex = false;

  int64_t sizeOf(unsigned axis) const { return program.extents[axis].size; }
  int64_t rows() const { return sizeOf(rowAxis); }
  int64_t keys() const { return sizeOf(program.keyAxis()); }
  int64_t numPlaces() const;
  mlir::Type factorType() const { return getElementTypeOrSelf(value.root.getType()); }
};

/// `program`, on tensors or buffers, if one kernel of this chip can compute it; says why not.
mlir::FailureOr<FlashAttention> matchFlashAttention(AttentionProgram program, const GPUChip &chip,
                                                    WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H
