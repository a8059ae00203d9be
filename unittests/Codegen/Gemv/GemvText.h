// Products of a few rows as text: out[m, n] = follow(sum over k of x[m, k] * w[n, k]),
// or with w[k, n].
#ifndef FORGE_UNITTESTS_CODEGEN_GEMV_GEMVTEXT_H
#define FORGE_UNITTESTS_CODEGEN_GEMV_GEMVTEXT_H

#include "../../../lib/Codegen/Gemv/GemvProduct.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace forge::test {

struct GemvText {
  /// "8x": x and the result are matrices of 8 rows; "": they are vectors.
  std::string rows = "2x";
  std::string columns = "64", length = "512";
  /// The matrix is w[k, n].
  bool columnsInside = false;
  /// Of both factors; sums are f32.
  std::string element = "f32";
  /// What computes %r of the sum %s, another operand's element %u and the result's before, %old; no
  /// such operation where it is empty.
  std::string follow = "";
  /// Operations before the terminator.
  std::string extra = "";
};

/// The kernel function @kernel, on tensors.
class GemvKernel {
public:
  explicit GemvKernel(const GemvText &text);
  mlir::func::FuncOp function() { return *module->getOps<mlir::func::FuncOp>().begin(); }
  std::optional<GemvProduct> match(llvm::StringRef chip = "sm_90a") {
    return matchGemvKernel(function(), *findChip(chip));
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_GEMV_GEMVTEXT_H
