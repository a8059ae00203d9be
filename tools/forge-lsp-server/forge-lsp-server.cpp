// forge-lsp-server: the language server for editors. MLIR's server with Forge's dialects, and a
// relay in front of it that adds what MLIR's lacks (Relay.h).
#include "Relay.h"

#include "forge/Pipelines/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

static bool serve(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  return succeeded(mlir::MlirLspServerMain(argc, argv, registry));
}

int main(int argc, char **argv) { return forge::lsp::runRelayed(argc, argv, serve); }
