// The body of a linalg operation for many points of its loops at a time.
#ifndef FORGE_LIB_VERIFY_POINTSTOGETHER_H
#define FORGE_LIB_VERIFY_POINTSTOGETHER_H

#include "OperandElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge::interpreter {

/// Points that run together: how many, and where each loop is at each of them. Loops are absent
/// where the body does not ask for them.
struct Points {
  int64_t count = 0;
  std::vector<std::vector<int64_t>> loops;
};

/// Runs the body on values of one dimension, an element for each of the points, or on scalars that
/// are the same for all of them.
using BodyAtPoints =
    llvm::function_ref<Result<std::vector<TensorRef>>(const std::vector<TensorRef> &, Points)>;

/// Whether the body of `op` is plain arithmetic, and points that differ in parallel loops make
/// different elements.
bool runsTogether(mlir::linalg::LinalgOp op);

/// The body of `op` at all points of loops of `sizes`, each result at its place in `outputs`; no
/// input may be in the memory of an output. Each element is made in the order in which one point
/// after the other would make it, in row-major order.
Result<void> runPointsTogether(mlir::linalg::LinalgOp op, llvm::ArrayRef<OperandElements> operands,
                               llvm::ArrayRef<HostTensor *> outputs, llvm::ArrayRef<int64_t> sizes,
                               BodyAtPoints body);

} // namespace forge::interpreter

#endif // FORGE_LIB_VERIFY_POINTSTOGETHER_H
