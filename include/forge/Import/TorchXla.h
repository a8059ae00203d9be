// A folder that torch_xla saved: StableHLOGraphModule.save(FOLDER).
#ifndef FORGE_IMPORT_TORCHXLA_H
#define FORGE_IMPORT_TORCHXLA_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace forge {

/// Whether `folder` has a folder `functions` with descriptions (NAME.meta) in it.
bool isTorchXlaFolder(const std::string &folder);

/// The module in functions/NAME.bytecode: of `forward`, or of the only function. Arguments are those
/// of the Python function, in its order; then, with forge.weight, the parameters (data/NAME)
/// and constants (constants/N). Null after a diagnostic of `context`.
mlir::OwningOpRef<mlir::ModuleOp> importTorchXla(const std::string &folder,
                                                 mlir::MLIRContext &context);

} // namespace forge

#endif // FORGE_IMPORT_TORCHXLA_H
