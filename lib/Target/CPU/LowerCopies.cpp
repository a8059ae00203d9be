#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

#define DEBUG_TYPE "forge-lower-copies"

namespace forge {
#define GEN_PASS_DEF_LOWERCOPIESPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// True if the elements lie row-major without gaps, as far as the type says.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() || memref::isStaticShapeAndContiguousRowMajor(type);
}

namespace {
struct LowerCopiesPass : public forge::impl::LowerCopiesPassBase<LowerCopiesPass> {
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp op) {
      auto source = dyn_cast<MemRefType>(op.getSource().getType());
      auto target = dyn_cast<MemRefType>(op.getTarget().getType());
      if (op.getSource() == op.getTarget()) {
        op.erase();
        return;
      }
      if (!source || !target || (isContiguous(source) && isContiguous(target)))
        return;
      OpBuilder builder(op);
      linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(), op.getTarget());
      op.erase();
    });
  }
};
} // namespace
