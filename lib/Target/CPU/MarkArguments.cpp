#include "forge/Target/CPU/Passes.h"
#include "forge/Target/CPU/Signature.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

#define DEBUG_TYPE "forge-mark-arguments"

namespace forge {
#define GEN_PASS_DEF_MARKARGUMENTSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

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
                            BoolAttr::get(&getContext(), forge::isDonated(function, i)));
      }
    }
  }
};
} // namespace
