// my-opt: Forge's passes and one of this project's own.
// Headers of the dialects stand alone: no other comes before them.
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Pipelines/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace {
/// Notes on every function how many operations it holds.
struct CountOpsPass : mlir::PassWrapper<CountOpsPass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountOpsPass)
  llvm::StringRef getArgument() const final { return "my-count-ops"; }
  llvm::StringRef getDescription() const final { return "Counts the operations of each function"; }
  void runOnOperation() final {
    int64_t count = 0;
    getOperation().getBody().walk([&](mlir::Operation *) { ++count; });
    getOperation()->setAttr("my.ops", mlir::Builder(&getContext()).getI64IntegerAttr(count));
  }
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::registerAllPasses();
  forge::registerAllPasses();
  mlir::PassRegistration<CountOpsPass>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "An optimizer outside Forge\n", registry));
}
