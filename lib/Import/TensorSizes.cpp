#include "forge/Import/ModuleFile.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace forge;

mlir::LogicalResult forge::checkTensorSizes(mlir::ModuleOp module) {
  mlir::Type found;
  mlir::AttrTypeWalker types;
  types.addWalk([&](mlir::Type type) {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    if (!shaped || !shaped.hasRank() || hasCountableBytes(shaped.getShape()))
      return mlir::WalkResult::advance();
    found = type;
    return mlir::WalkResult::interrupt();
  });
  auto refuses = [&](mlir::Type type) { return types.walk(type).wasInterrupted(); };
  auto result = module->walk([&](mlir::Operation *op) {
    bool refused = llvm::any_of(op->getResultTypes(), refuses);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        refused = refused || llvm::any_of(block.getArgumentTypes(), refuses);
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
      refused = refused || refuses(function.getFunctionType());
    if (!refused)
      return mlir::WalkResult::advance();
    op->emitError() << "unsupported type " << found << ": its size does not fit in 63 bits";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(result.wasInterrupted());
}
