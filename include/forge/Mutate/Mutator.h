// One kind of plausible mistake, planted in IR.
#ifndef FORGE_MUTATE_MUTATOR_H
#define FORGE_MUTATE_MUTATOR_H

#include "mlir/IR/Operation.h"

namespace forge {

/// A kind of mistake that people and compilers make. Stateless; knows the dialects it applies to.
class Mutator {
public:
  Mutator(llvm::StringRef name, llvm::StringRef summary) : theName(name), theSummary(summary) {}
  virtual ~Mutator() = default;

  /// "drop-operand"; unique.
  llvm::StringRef name() const { return theName; }
  /// What is wrong afterwards, for reports: "one operand of a sum or product is left out".
  llvm::StringRef summary() const { return theSummary; }

  /// In how many ways the mistake can be made at `op`; 0: not at all. Changes nothing.
  virtual unsigned sites(mlir::Operation *op) const = 0;
  /// Makes mistake `site` of those. `op` may be gone afterwards. The IR may be invalid: the
  /// verifier is one of the things that find mistakes.
  virtual void plant(mlir::Operation *op, unsigned site) const = 0;
  /// Why a result may be right in spite of it, where that is known of the whole kind.
  virtual llvm::StringRef excuse() const { return ""; }

private:
  llvm::StringRef theName, theSummary;
};

/// All kinds, in the order of their families.
llvm::ArrayRef<const Mutator *> allMutators();
/// The one of this name; null when there is none.
const Mutator *mutatorNamed(llvm::StringRef name);

} // namespace forge

#endif // FORGE_MUTATE_MUTATOR_H
