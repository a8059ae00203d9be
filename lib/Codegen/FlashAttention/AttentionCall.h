// An attention as a call of the vendor's library.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_ATTENTIONCALL_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_ATTENTIONCALL_H

#include "FlashAttention.h"

#include "forge/Runtime/DnnCalls.h"

namespace forge {

/// Nothing, with what was expected, where the library's interface has no words for `flash`.
std::optional<rt::AttentionCall> attentionCallOf(const FlashAttention &flash, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_ATTENTIONCALL_H
