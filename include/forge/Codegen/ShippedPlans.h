// Schedules that come with the compiler: tuned on a chip, and taken by default for kernels of the same
// hash. They are plans (Plan.h), in lib/Codegen/Plans; one of another compiler counts for nothing.
#ifndef FORGE_CODEGEN_SHIPPEDPLANS_H
#define FORGE_CODEGEN_SHIPPEDPLANS_H

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"

#include "llvm/ADT/StringMap.h"

namespace forge {

/// "forge 0.1.0 (MLIR 22.1.8)": what plans name as their compiler.
std::string compilerText();

/// Of a plan's text: the lines of kernels of one chip, unless it is of another compiler than
/// `compiler`. Attributes are only read where a kernel is looked up.
class ShippedPlan {
public:
  ShippedPlan(llvm::StringRef name, llvm::StringRef text, llvm::StringRef compiler,
              llvm::StringRef chip);

  bool empty() const { return lines.empty(); }
  /// The schedule of a kernel, and its place; nothing where there is none.
  std::optional<PlannedSchedule> find(llvm::StringRef hash, mlir::MLIRContext *context) const;

private:
  struct Line {
    llvm::StringRef schedule;
    unsigned number = 0, column = 0;
  };
  llvm::StringRef name;
  llvm::StringMap<Line> lines;
};

/// The one for `chip`, which may be empty.
const ShippedPlan &shippedPlan(llvm::StringRef chip);

/// What comes with the compiler for `kernel`, where `library` (LibraryUse.h) is what it was tuned with
/// and its strategy takes it.
std::optional<PlannedSchedule> findShipped(mlir::func::FuncOp kernel, const GPUChip &chip,
                                           llvm::StringRef library);

} // namespace forge

#endif // FORGE_CODEGEN_SHIPPEDPLANS_H
