// How a row kernel is spread over threads.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H

#include "../Strategy/AccessBytes.h"
#include "RowProgram.h"

#include "llvm/Support/MathExtras.h"

#include "forge/Codegen/Schedule.h"

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
  /// Blocks that share a row: of a kernel without reductions, or, where they loop, as a cluster
  /// which reduces it together.
  int64_t pieces = 1;

  int64_t blockSize() const { return threads * rows; }
  bool loops() const { return chunks == 0; }
  bool isCluster() const { return loops() && pieces > 1; }
  /// Elements of a row of `size` that one block covers at most.
  int64_t span(int64_t size) const {
    return loops() ? llvm::divideCeil(llvm::divideCeil(size, vector), pieces) * vector
                   : chunks * threads * vector;
  }
};

struct RowPlanLimits {
  int64_t warpSize = 32;
  int64_t maxThreads = 1024;
  /// Blocks of a cluster; 1 where there are none.
  int64_t maxCluster = 1;
  /// Of shared memory, for one block.
  int64_t sharedBytes = 48 << 10;
  /// Multiprocessors of the usual board.
  int64_t processors = 132;
  /// Instructions approximate 2^x and 1 / x.
  bool approximates = false;
};

/// Bytes of shared memory for the part of a row that a block of `plan` reads more than once; 0 if
/// there is nothing of the kind, or too much of it.
int64_t keptBytes(const RowProgram &program, const RowPlan &plan, const RowPlanLimits &limits);

/// True if partial results of all reductions can be stored in another block's shared memory.
bool canExchangeInCluster(const RowProgram &program);

/// Chooses a plan for `program`.
RowPlan planRows(const RowProgram &program, const RowPlanLimits &limits, ScheduleAttr given = {});

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWPLAN_H
