// Kernels over rows as text, on tensors as they are planned and on buffers as they are emitted.
#ifndef FORGE_UNITTESTS_CODEGEN_ROWKERNELS_ROWKERNELTEXT_H
#define FORGE_UNITTESTS_CODEGEN_ROWKERNELS_ROWKERNELTEXT_H

#include "../../../lib/Codegen/RowKernels/RowProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace forge::test {

enum class On { Tensors, Buffers };

/// Sizes of a kernel; "?" is a size that is not known.
struct RowSizes {
  std::string rows = "8", columns = "4096";
  std::string in = "f32", out = "f32";
};

/// softmax: a maximum, a sum of exponentials below it, and the quotient.
std::string softmaxText(On on, const RowSizes &sizes);
/// The sum of squares of each row, [rows] f32.
std::string sumText(On on, const RowSizes &sizes);
/// x / (1 + e^-x), element by element.
std::string siluText(On on, const RowSizes &sizes);
/// The sum over rows: along a dimension with steps in memory, [columns].
std::string columnSumText(On on, const RowSizes &sizes);

/// A parsed kernel: the operations of the function @kernel, without its terminator.
class RowKernel {
public:
  explicit RowKernel(const std::string &text);

  mlir::func::FuncOp function() { return *module->getOps<mlir::func::FuncOp>().begin(); }
  mlir::FailureOr<RowProgram> build() { return RowProgram::build(operations, why); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<mlir::Operation *> operations;
  /// Why build() failed.
  std::string why;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_ROWKERNELS_ROWKERNELTEXT_H
