// Whole models of random shapes: the families, ways of use, storage and caches that the builders
// have.
#ifndef FORGE_EXAMPLES_BUILDERS_RANDOMMODEL_H
#define FORGE_EXAMPLES_BUILDERS_RANDOMMODEL_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace forge {

struct RandomModel {
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module;
  std::string function;    ///< the one to run
  std::string description; ///< "llama decode, 2 layers, ..."
};

/// The model of a seed; family, mode and number of layers as the options say, where they do.
RandomModel makeRandomModel(mlir::MLIRContext &context, uint64_t seed,
                            const ExampleOptions &options);

} // namespace forge

#endif // FORGE_EXAMPLES_BUILDERS_RANDOMMODEL_H
