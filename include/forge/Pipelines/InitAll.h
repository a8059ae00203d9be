// Registration of every dialect, pass and pipeline of Forge, in addition to MLIR's own.
#ifndef FORGE_PIPELINES_INITALL_H
#define FORGE_PIPELINES_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace forge {

/// Adds Forge's dialects, and the upstream dialects and interface implementations its passes need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes Forge's passes and named pipelines known to the textual pass-pipeline parser.
void registerAllPasses();

} // namespace forge

#endif // FORGE_PIPELINES_INITALL_H
