// Gradients of attention as a call of the vendor's library, which computes all of them at once.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTCALL_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTCALL_H

#include "FlashBackward.h"

#include "forge/Codegen/VendorWork.h"

namespace forge {

/// Nothing, with what was expected, where the library's interface has no words for `flash`.
std::optional<VendorGradient> gradientCallOf(const FlashBackward &flash, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTCALL_H
