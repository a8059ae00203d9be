// What MLIR bytecode says of its sizes, before MLIR's reader takes memory for it.
#ifndef FORGE_LIB_IMPORT_BYTECODESIZES_H
#define FORGE_LIB_IMPORT_BYTECODESIZES_H

#include "forge/Support/Result.h"

#include "llvm/ADT/StringRef.h"

namespace forge {

/// MLIR's reader takes memory for as many strings, attributes, blocks and values as a file says
/// that there are. Each of them takes a byte of the file at least: fails where that cannot be, and
/// where regions are nested deeper than kMaxNesting. Takes time and memory in proportion to the
/// file. Other mistakes are left to MLIR's reader, which has words for them; true if there are none
/// in what is looked at: sections, their counts, and all of the operations but what they refer to.
/// `bytecode` is in the place where MLIR reads it, since padding depends on addresses.
Result<bool> checkBytecodeSizes(llvm::StringRef bytecode);

} // namespace forge

#endif // FORGE_LIB_IMPORT_BYTECODESIZES_H
