// What an evaluation runs on: modules, named in a file or in a folder.
//
//   forge-suite 1
//   softmax.mlir
//   ../models/tiny                          // a folder with config.json
//   tiles/gemm.mlir from=bufferize chip=sm_90a
//   dynamic.mlir function=f size=50
#ifndef FORGE_EVALUATE_SUITE_H
#define FORGE_EVALUATE_SUITE_H

#include "forge/Pipelines/Phases.h"
#include "forge/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace forge {

struct SuiteEntry {
  /// What it is called in reports: as the suite has it.
  std::string name;
  /// Of the file or folder.
  std::string path;
  /// Empty: the entry function.
  std::string function;
  Phase from = Phase::Import;
  /// Of every dimension that is not known.
  int64_t dynamicSize = 5;
  /// Of the path in the suite, "s.txt:2:1"; empty where no suite names it.
  std::string location;
  /// Only for this chip; empty: for all targets.
  std::string chip;

  bool isFor(const Target &target) const {
    return chip.empty() || (target.isGPU() && target.chip->name == chip);
  }
};

/// Reads the lines of a suite; `file` is for locations, and its folder what paths are relative to.
/// An error has its location, "s.txt:2:8", as a detail (forge/Support/ErrorDetails.h).
Result<std::vector<SuiteEntry>> parseSuite(llvm::StringRef text, llvm::StringRef file);

/// The entries of `path`: a file that parseSuite reads, told by its first line; a folder, whose
/// `.mlir` files and folders with config.json are taken, in the order of their names; or one
/// module. An empty file is neither.
Result<std::vector<SuiteEntry>> openSuite(const std::string &path);

} // namespace forge

#endif // FORGE_EVALUATE_SUITE_H
