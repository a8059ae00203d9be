// Attention of many rows, as one kernel computes it: what is known of it before it is planned.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H

#include "KeyLimits.h"

#include "../Strategy/AxisAccess.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

namespace forge {

/// What multiplies: warpgroups from shared memory (wgmma), each warp by matrix instructions from
/// registers, or threads by fma.
enum class FlashUnit { Warpgroups, Warps, Threads };

/// An attention whose logits are scale * number where its conditions hold, otherwise -inf; of known
/// sizes, with factors of 16 bits or f32.
struct FlashAttention {
  AttentionProgram program;
  FlashUnit unit = FlashUnit::Threads;
  /// The longest axis of rows: tiles divide it. The other rows and the outer axes are `places`, the
  /// outermost first.
  unsigned rowAxis = 0;
  llvm::SmallVector<unsigned, 4> places;
  AxisAccess query, key, value;
  AttentionGraph::Place number;
  double scale = 1;
  KeyConditions conditions;
  /// Where values of keys count; others are 0, whatever memory holds.
  KeyConditions valueConditions;
  /// Whether number, or a condition that is no limit, is computed of key indices.
  bool usesKeyIndex = false;

  int64_t sizeOf(unsigned axis) const { return program.extents[axis].size; }
  int64_t rows() const { return sizeOf(rowAxis); }
  int64_t keys() const { return sizeOf(program.keyAxis()); }
  int64_t numPlaces() const;
  /// Whether all rows of a place of keys are those of one matrix instruction.
  bool isOfFewRows() const {
    return unit != FlashUnit::Threads && rows() <= 16 && rows() == program.numRows();
  }
  mlir::Type queryType() const { return getElementTypeOrSelf(query.root.getType()); }
  mlir::Type keyType() const { return getElementTypeOrSelf(key.root.getType()); }
  mlir::Type factorType() const { return getElementTypeOrSelf(value.root.getType()); }
  /// To which the module rounds weights.
  mlir::Type weightType() const;
  /// Of queries and keys, and of weights and values, as they are multiplied.
  mlir::Type scoredType() const;
  mlir::Type weightedType() const;
};

/// Operand `operand` of a product, at known strides, side by side along axis `inner`. Null if it is
/// `to` now, otherwise what was expected.
const char *accessFactor(const AttentionProgram &program, int stage, unsigned operand,
                         unsigned inner, AxisAccess &to);
/// Whether tensor maps read it along axis `inner`: at strides of 16 bytes, in at most five
/// dimensions.
bool isOfTensorMap(const AxisAccess &access, unsigned inner);
/// The same of one that tensor maps read, of elements of 16 bits.
const char *accessMappedFactor(const AttentionProgram &program, int stage, unsigned operand,
                               unsigned inner, AxisAccess &to);

/// Takes a constant factor above 0 off `number`, of f32, which becomes what it was times; 1 if
/// there is none. `roundsAlike`: divisors only where multiplying by their reciprocal rounds alike,
/// or what they divide are the scores; of lowest numbers a bit matters.
double takeScale(const AttentionProgram &program, AttentionGraph::Place &number,
                 bool roundsAlike = false);

/// `program`, on tensors or buffers, if one kernel of this chip can compute it; says why not.
mlir::FailureOr<FlashAttention> matchFlashAttention(AttentionProgram program, const GPUChip &chip,
                                                    WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHATTENTION_H
