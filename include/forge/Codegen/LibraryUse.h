// When products are the vendor's library's, as field `library` of schedules says it.
#ifndef FORGE_CODEGEN_LIBRARYUSE_H
#define FORGE_CODEGEN_LIBRARYUSE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace forge {

struct LibraryUse {
  /// Multiplications of which it is not asked for fewer; -1: it is never asked.
  int64_t least = -1;
  /// Rows of products that strategy `gemv` takes before the library is asked.
  int64_t gemvRows = std::numeric_limits<int64_t>::max();
  /// It is not asked where a generated kernel was measured to be faster.
  bool byCost = false;

  bool isAsked() const { return least >= 0; }

  /// "prefer": for all that it offers. "cost": where it is predicted to be faster; below 2^20
  /// multiplications, or with up to 4 rows, a generated kernel takes no longer than its launch.
  /// "never". Nothing for another name.
  static std::optional<LibraryUse> byName(llvm::StringRef name);
};

/// The same of a pass's option; nothing, and an error at `op`, for another name.
std::optional<LibraryUse> parseLibraryUse(mlir::Operation *op, llvm::StringRef name);

} // namespace forge

#endif // FORGE_CODEGEN_LIBRARYUSE_H
