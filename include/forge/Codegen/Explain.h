// Of the kernels of a module at phase `kernels`: what was chosen, and what was not and why.
#ifndef FORGE_CODEGEN_EXPLAIN_H
#define FORGE_CODEGEN_EXPLAIN_H

#include "forge/Codegen/KernelWork.h"
#include "forge/Codegen/Offers.h"
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/ScheduleFit.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace forge {

struct KernelExplanation {
  std::string name;
  /// By which plans know it.
  std::string hash;
  /// "plan.txt:4:8": where a plan has `schedule`; empty if none has.
  std::string planned;
  /// Places of the host code that call it.
  int64_t launches = 0;
  ScheduleAttr schedule;
  /// How a kernel for the library is computed where that is missing; else null.
  ScheduleAttr fallback;
  /// What is chosen where the file says nothing. Null if that is `schedule`, or if no strategy
  /// takes the kernel then; so for `fallback`.
  ScheduleAttr byDefault, fallbackByDefault;
  /// Whether it was chosen because it is launched with others (kJoinedAttr).
  bool isJoined = false;
  /// Why results may have other bits than by `byDefault`; nothing where they have the same.
  std::optional<std::string> otherBits;
  /// Nothing if a size is not known.
  std::optional<KernelWork> work;
  /// "model.mlir:12:8": of the source's operations that it computes, in their order there.
  std::vector<std::string> places;
  /// Of all strategies; that of the chosen one is the one with its name.
  llvm::SmallVector<Offer> offers;
  /// Where that is asked for, why `schedule`, or where that is the library's `fallback`, and not
  /// one a step from it.
  ScheduleChoice choice;
  /// Where they are asked for, other legal schedules: the offers' and their neighbours
  /// (forge/Codegen/Alternatives.h).
  llvm::SmallVector<ScheduleAttr> alternatives;
};

/// Seconds that no way of computing a kernel whose work is known takes less than: the floor of its
/// work, or, of attention with a mask, what strategy flash has to do for the scores that it leaves.
double floorSeconds(const KernelExplanation &kernel, const GPUChip &chip);
/// Of the operations of a kernel whose work is known those that its floor is for: a mask leaves
/// others out.
double neededFlops(const KernelExplanation &kernel, const GPUChip &chip);

/// "model.mlir:12:8": of the source's operations that are computed in `op`, a kernel or a part of
/// one, in their order there. Constants and empty tensors compute nothing.
std::vector<std::string> sourcePlaces(mlir::Operation *op);

struct ExplainRequest {
  /// The tier takes the last strategy without asking the others.
  bool genericOnly = false;
  /// What the module was scheduled by, for its chip; or null.
  mlir::DictionaryAttr plan = {};
  /// Whether alternatives are looked for.
  bool alternatives = false;
  /// Whether schedules are compared with those a step from them.
  bool choices = false;
};

/// Kernel functions that have a schedule, in the module's order.
std::vector<KernelExplanation> explainKernels(mlir::ModuleOp module, const GPUChip &chip,
                                              const ExplainRequest &request);

} // namespace forge

#endif // FORGE_CODEGEN_EXPLAIN_H
