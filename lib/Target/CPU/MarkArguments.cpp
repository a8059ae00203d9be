#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

#define DEBUG_TYPE "forge-mark-arguments"

namespace forge {
#define GEN_PASS_DEF_MARKARGUMENTSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

static bool isDonated(func::FuncOp function, unsigned index) {
  return function.getArgAttr(index, "tf.aliasing_output") ||
         function.getArgAttr(index, "jax.buffer_donor");
}

namespace {
struct MarkArgumentsPass : public forge::impl::MarkArgumentsPassBase<MarkArgumentsPass> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isExternal())
        continue;
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        if (!isa<TensorType>(function.getArgument(i).getType()))
          continue;
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                            BoolAttr::get(&getContext(), isDonated(function, i)));
      }
    }
  }
};
} // namespace
