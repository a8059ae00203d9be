// Which operations a module is made of, whether or not Forge knows them.
#ifndef FORGE_IMPORT_OPCENSUS_H
#define FORGE_IMPORT_OPCENSUS_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace forge {

/// How often an operation occurs, by its full name; of a custom_call, "stablehlo.custom_call
/// @target".
using OpCensus = std::map<std::string, int64_t>;

/// Counts the operations of a parsed module; the module itself, functions and returns of all kinds
/// are not counted.
OpCensus countOps(mlir::ModuleOp module);

/// The same from text that does not parse because some operation in it is unknown: what stands
/// where a statement names its operation, pretty or generic.
OpCensus countOpsInText(llvm::StringRef text);

/// The same of a file that is not loaded because something in it is unknown, or of a type that Forge
/// does not have: text by its statements, other formats parsed and not verified.
OpCensus countOpsInFile(llvm::StringRef path, mlir::MLIRContext *context);

/// True if a registered dialect of `context` has the operation `name` (as OpCensus names it).
bool isKnownOp(llvm::StringRef name, mlir::MLIRContext *context);

} // namespace forge

#endif // FORGE_IMPORT_OPCENSUS_H
