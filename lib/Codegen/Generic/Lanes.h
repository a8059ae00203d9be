// Neighbouring elements that one thread of a kernel of plain loops computes, or reads at once.
#ifndef FORGE_LIB_CODEGEN_GENERIC_LANES_H
#define FORGE_LIB_CODEGEN_GENERIC_LANES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Bytes that a thread reads or stores at once, at most.
inline constexpr int64_t kLaneBytes = 16;

/// So many elements along a loop that is innermost in memory, of all operands that have it.
struct Lanes {
  int64_t count = 1;
  unsigned loop = 0;

  /// Whether elements of `operand`, one of `op`, differ between them.
  bool differ(mlir::linalg::LinalgOp op, mlir::OpOperand &operand) const;
};

/// How many a thread should compute of `op`, a reduction on buffers: as many as are 16 bytes of the
/// narrowest operand, if enough threads are left; one where neighbours are not side by side in all
/// operands, or sizes are not known.
Lanes chooseLanes(mlir::linalg::LinalgOp op);

/// Whether `operand`, one of `op`, is a buffer of static shape in which steps of `loop` side by
/// side are elements side by side.
bool isInnermost(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned loop);

/// Steps of `loop`, a reduction loop of `op` on buffers, of which inputs are read at once: as many
/// as are 16 bytes of the narrowest input that has them side by side, if they divide the loop; one
/// where there is none.
int64_t chooseSteps(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_LANES_H
