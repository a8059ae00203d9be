// The axes of an attention by what they are to a library's interface.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_CALLAXES_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_CALLAXES_H

#include "KeyLimits.h"

#include "../Strategy/AxisAccess.h"

#include "forge/Runtime/DnnCalls.h"

namespace forge {

/// Each none or one; those of size 1 are left out.
struct CallAxes {
  std::optional<unsigned> batch, keyHead, group, row;

  /// `rowAxis`: the longest axis of rows. `isGroup`: where there is one axis of rows, it is that of
  /// the query heads of a key head. Nothing where there are more.
  static std::optional<CallAxes> of(const AttentionProgram &program, unsigned rowAxis,
                                    bool isGroup);

  /// Of queries or cotangents, and of keys or values along `keyAxis`; nothing where the query heads
  /// are not at one stride.
  std::optional<rt::AttentionCall::Strides> ofRows(const AttentionProgram &program,
                                                   const AxisAccess &access) const;
  rt::AttentionCall::Strides ofKeys(const AttentionProgram &program,
                                    const AxisAccess &access) const;
  /// Sizes of the call but for types.
  void setSizes(const AttentionProgram &program, rt::AttentionCall &call) const;
};

/// A dimension of one element has any stride, but the library asks for one above 0.
void fillStrides(rt::AttentionCall::Strides &strides, int64_t heads, int64_t rows, int64_t inner);

/// Whether row r sees the keys up to r, or all of them; nothing for other conditions.
std::optional<bool> isCausal(const KeyConditions &conditions);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_CALLAXES_H
