#include "forge/Import/ModuleFile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace forge;

/// Whether the bytes of a tensor of this type, or of a part of it, can be counted in 63 bits. A
/// dynamic size counts as one here, and is checked at run time.
static bool isCountable(mlir::ShapedType type) {
  if (!type.hasRank())
    return true;
  int64_t bytes = 8; // the widest element
  for (int64_t size : type.getShape())
    if (!mlir::ShapedType::isDynamic(size) && size != 0 && llvm::MulOverflow(bytes, size, bytes))
      return false;
  return true;
}

mlir::LogicalResult forge::checkTensorSizes(mlir::ModuleOp module) {
  mlir::Type found;
  mlir::AttrTypeWalker types;
  types.addWalk([&](mlir::Type type) {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    if (!shaped || isCountable(shaped))
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
