// Reading modules: MLIR text and bytecode, StableHLO's portable artifacts and jax.export's files,
// as JAX, torch-xla and Forge itself write them.
#ifndef FORGE_IMPORT_MODULEFILE_H
#define FORGE_IMPORT_MODULEFILE_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace forge {

enum class ModuleFormat { Text, Bytecode, JaxExport };

/// What the bytes of a file are. Errors say what else they look like: "neither MLIR text, MLIR
/// bytecode nor a jax.export file (looks like a gzip archive)".
Result<ModuleFormat> detectModuleFormat(llvm::StringRef bytes);

/// Brackets in a text may be nested this deep: the parser is recursive, and its stack is not
/// endless.
constexpr unsigned kMaxNesting = 512;

/// How deep brackets of any kind are nested in MLIR text, strings and comments left out.
unsigned nestingDepth(llvm::StringRef text);

/// Refuses types whose size in bytes does not fit in 63 bits, of any dialect:
/// all that follows multiplies static sizes without a second look. Integers of no bits, and tensors
/// of integers of more than 64, are refused too.
mlir::LogicalResult checkTensorSizes(mlir::ModuleOp module);

/// Parses and verifies the module in `path` ("-": standard input). Failures are diagnostics of
/// `context` at their place in the file; a file that cannot be read at all is one without a place.
/// The context's dialects must be registered, and unregistered ones allowed when such are wanted.
/// A top-level operation that is no module is wrapped in one. Bytecode of the vhlo dialect, a
/// portable artifact, becomes StableHLO. What is loaded has passed checkTensorSizes.
mlir::OwningOpRef<mlir::ModuleOp> loadModule(llvm::StringRef path, mlir::MLIRContext *context);

/// Whether bytes may be malformed on purpose. If so, the process's address space is limited and its
/// signals are handled while they are parsed; a program with other threads may not want that.
enum class InputTrust { Untrusted, Trusted };

/// The same for what is in memory; `name` is that in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef bytes, llvm::StringRef name,
                                              mlir::MLIRContext *context,
                                              InputTrust trust = InputTrust::Untrusted);

/// Deals with what frameworks attach to a module besides its meaning (docs/cli.md lists it):
///  - placement (all of the sdy dialect) is dropped: a module of several partitions computes the
///    same numbers on one device. Computations of several devices are refused where they are:
///    manual ones along axes of several devices, operations between them, and mhlo.num_replicas
///    other than 1;
///  - operations between devices become what they are on one;
///  - tokens that public functions take and give become booleans: nothing outside is ordered by
///  them;
///  - hints about layout, memory and sharding are dropped;
///  - kept are donation (jax.buffer_donor, tf.aliasing_output), which allows to overwrite an
///    argument, and jax.result_info and the like, which name results for people.
mlir::LogicalResult normalizeFrameworkAttributes(mlir::ModuleOp module);

/// For what jax.export lowered for several platforms: the argument with jax.global_constant =
/// "_platform_index" becomes the index of `platform` ("cpu", "cuda", "rocm"). Fails where the
/// module was lowered for others only. Does nothing to any other module.
mlir::LogicalResult selectPlatform(mlir::ModuleOp module, llvm::StringRef platform);

} // namespace forge

#endif // FORGE_IMPORT_MODULEFILE_H
