// What was timed before, as a file.
#ifndef FORGE_BENCH_BASELINE_H
#define FORGE_BENCH_BASELINE_H

#include "forge/Bench/Bench.h"
#include "forge/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace forge {

/// The times of one function of a module on one target.
struct Baseline {
  std::string module, function, target;
  /// Names and times alone.
  std::vector<BenchRow> rows;
};

/// JSON: {"forge_bench": 1, "module": ..., "function": ..., "target": ..., "rows": [{"name": ...,
/// "ms": [...]}]}.
std::string writeBaseline(const Baseline &baseline);
/// Fails where `text` is not that, or where a time is not finite or below 0; `file` is for
/// messages.
Result<Baseline> readBaseline(llvm::StringRef text, llvm::StringRef file);

} // namespace forge

#endif // FORGE_BENCH_BASELINE_H
