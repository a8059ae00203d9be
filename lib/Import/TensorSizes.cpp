#include "forge/Import/ModuleFile.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace forge;

/// What is wrong with a type, or nothing.
static llvm::StringRef problemOf(mlir::Type type) {
  if (type.isInteger(0))
    return "expected integers of 1 bit or more";
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return "";
  auto integer = llvm::dyn_cast<mlir::IntegerType>(shaped.getElementType());
  if (integer && integer.getWidth() > 64)
    return "expected integers of at most 64 bits";
  return hasCountableBytes(shaped.getShape()) ? "" : "its size does not fit in 63 bits";
}

mlir::LogicalResult forge::checkTensorSizes(mlir::ModuleOp module) {
  mlir::Type found;
  llvm::StringRef problem;
  mlir::AttrTypeWalker types;
  types.addWalk([&](mlir::Type type) {
    problem = problemOf(type);
    if (problem.empty())
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
    op->emitError() << "unsupported type " << found << ": " << problem;
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(result.wasInterrupted());
}
