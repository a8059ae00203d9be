// forge-reduce: shrinks a module while a test script still finds it interesting; MLIR's reducer,
// with Forge's dialects and passes.
#include "forge/Pipelines/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  forge::registerAllPasses();
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context)) ? EXIT_FAILURE : EXIT_SUCCESS;
}
