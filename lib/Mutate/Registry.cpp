#include "Families.h"

using namespace forge;

llvm::ArrayRef<const Mutator *> forge::allMutators() {
  static const mutate::Mutators mutators = [] {
    mutate::Mutators all;
    for (auto *family : {mutate::addArithmetic, mutate::addConstants, mutate::addComparison,
                         mutate::addReduction, mutate::addPrecision, mutate::addIndexing,
                         mutate::addLoops, mutate::addMemory, mutate::addTransformer})
      family(all);
    return all;
  }();
  return mutators;
}

const Mutator *forge::mutatorNamed(llvm::StringRef name) {
  for (const Mutator *mutator : allMutators())
    if (mutator->name() == name)
      return mutator;
  return nullptr;
}
