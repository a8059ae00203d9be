// Files written all or nothing. No MLIR.
#ifndef FORGE_SUPPORT_ATOMICFILE_H
#define FORGE_SUPPORT_ATOMICFILE_H

#include "forge/Support/Result.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace forge {

/// One stretch of bytes to be written; a file is written as several so that a header need not be
/// copied to its data.
struct ByteSpan {
  const void *data;
  size_t size;
};

/// Writes the parts, one after the other, to `path`: into a temporary file in the same folder,
/// renamed when complete. Whoever looks at `path` sees the old file or the whole new one. Symbolic
/// links are followed, the permissions of a file that is replaced are kept, and a file that may
/// not be written is not replaced. What is no regular file (a pipe, /dev/stdout) is written
/// directly. Errors: "out/a.npy: cannot write: No space left on device".
Result<void> writeFileAtomically(const std::string &path, std::initializer_list<ByteSpan> parts);
Result<void> writeFileAtomically(const std::string &path, std::string_view text);

} // namespace forge

#endif // FORGE_SUPPORT_ATOMICFILE_H
