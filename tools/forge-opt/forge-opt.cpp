// forge-opt: reads IR, runs passes or named pipelines over it, prints the result. All of MLIR's
// passes and Forge's.
#include "forge/Pipelines/InitAll.h"
#include "forge/Simulator/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::registerAllPasses();
  forge::registerAllPasses();
  forge::registerForgeSimulatorPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Forge optimizer driver\n", registry));
}
