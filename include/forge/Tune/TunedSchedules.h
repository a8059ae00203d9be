// Schedules that were found, kept from one process to the next.
#ifndef FORGE_TUNE_TUNEDSCHEDULES_H
#define FORGE_TUNE_TUNEDSCHEDULES_H

#include "forge/Codegen/Plan.h"
#include "forge/Support/Result.h"

#include <optional>
#include <string>

namespace forge {

/// A plan for one chip in a file of its own. Several processes may use it at the same time: who
/// adds to it holds a lock, the file PATH.lock, and replaces it whole. It is not trusted: what is
/// no plan of this compiler counts as empty, and whoever takes a schedule from it checks that.
class TunedSchedules {
public:
  TunedSchedules(std::string path, std::string compiler, std::string chip)
      : path(std::move(path)), compiler(std::move(compiler)), chip(std::move(chip)) {}

  /// The schedule of a kernel by its hash; null if there is none.
  ScheduleAttr find(llvm::StringRef hash, mlir::MLIRContext *context) const;
  /// Adds `line`, in the place of one for the same kernel.
  Result<void> store(const PlanLine &line) const;

private:
  std::vector<PlanLine> read(mlir::MLIRContext *context) const;

  std::string path, compiler, chip;
};

} // namespace forge

#endif // FORGE_TUNE_TUNEDSCHEDULES_H
