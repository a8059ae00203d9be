// How a row kernel is spread over threads.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H

#include "RowProgram.h"

namespace forge {

/// `threads` threads share a row (or a piece of one); each takes `chunks` times `vector`
/// neighbouring elements: element (chunk * threads + thread) * vector + lane.
struct RowPlan {
  /// Elements of one memory access.
  int64_t vector = 1;
  /// A power of two.
  int64_t threads = 1;
  /// How often each thread accesses memory per operand; 0: a loop over the row, which is longer
  /// than registers hold.
  int64_t chunks = 1;
  /// Rows per block: more than one only where a row has no more threads than a warp.
  int64_t rows = 1;
  /// Blocks that share a row; more than one only in a kernel without reductions.
  int64_t pieces = 1;

  int64_t blockSize() const { return threads * rows; }
  bool loops() const { return chunks == 0; }
  /// Elements of the row that one block covers; all of it for a loop.
  int64_t span() const { return chunks * threads * vector; }
};

struct RowPlanLimits {
  int64_t warpSize = 32;
  int64_t maxThreads = 1024;
};

/// Chooses a plan for `program`.
RowPlan planRows(const RowProgram &program, const RowPlanLimits &limits);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H
