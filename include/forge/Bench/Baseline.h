// What was timed before, as a file.
#ifndef FORGE_BENCH_BASELINE_H
#define FORGE_BENCH_BASELINE_H

#include "forge/Bench/Bench.h"
#include "forge/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace forge {

/// The times of one function of a module.
struct FunctionTimes {
  /// The name of its file, without folders.
  std::string module;
  std::string function;
  /// Names and times alone.
  std::vector<BenchRow> rows;
};

struct Baseline {
  std::string target;
  std::vector<FunctionTimes> functions;

  /// Null if it has none.
  const FunctionTimes *find(llvm::StringRef module, llvm::StringRef function) const;
};

/// JSON: {"forge_bench": 1, "target": ..., "functions": [{"module": ..., "function": ..., "rows":
/// [{"name": ..., "ms": [...]}]}]}.
std::string writeBaseline(const Baseline &baseline);
/// Fails where `text` is not that, or where a time is not finite or below 0; `file` is for
/// messages.
Result<Baseline> readBaseline(llvm::StringRef text, llvm::StringRef file);

} // namespace forge

#endif // FORGE_BENCH_BASELINE_H
