// Text on which MLIR 22's own parsers crash.
#ifndef FORGE_FUZZ_KNOWNCRASHES_H
#define FORGE_FUZZ_KNOWNCRASHES_H

#include "llvm/ADT/StringRef.h"

namespace forge::fuzz {

/// Whether `text` holds what MLIR's own parsers are known to crash on, which loading survives and
/// reports as malformed text:
///  - `array<index: 0>`: the width of the type index is asked for (LLVM issue 179045);
///  - `%0#3037000500`: memory is taken for every result up to that one;
///  - operations of linalg with a malformed permutation or dimensions.
/// Any other crash of a parser is one of Forge's.
bool crashesMLIR(llvm::StringRef text);

} // namespace forge::fuzz

#endif // FORGE_FUZZ_KNOWNCRASHES_H
