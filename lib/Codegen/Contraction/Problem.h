// A contraction as numbers: sizes and strides of its loops, for any ranks and layouts of its
// operands.
#ifndef FORGE_LIB_CODEGEN_CONTRACTION_PROBLEM_H
#define FORGE_LIB_CODEGEN_CONTRACTION_PROBLEM_H

#include "MadeFactor.h"

#include "forge/Codegen/Contraction.h"

namespace forge::contraction {

/// One loop: its size, and how far one step moves in A, B and C, in elements (0: the operand does
/// not have it).
struct Loop {
  Index size;
  Index strideA, strideB, strideC;
};

/// An operand seen as one long row: element i of `view` is i elements after `base`.
struct Flat {
  mlir::Value view; // memref<?xT>
  Index base;       // where the operand's first element lies
};

/// The same facts without IR, for heuristics: ShapedType::kDynamic where unknown.
struct StaticLoop {
  int64_t size, strideA, strideB, strideC;
};

/// batch..., m, n, k after joining. Several loops of role m or n that do not join become batch
/// loops; several of k become `outerK`, run one after the other.
struct StaticProblem {
  llvm::SmallVector<StaticLoop> batch, outerK;
  StaticLoop m, n, k;
  mlir::Type input, accumulator;

  void swapOperands();
};

/// What a kernel function is built from.
struct Problem {
  Flat a, b, c;
  llvm::SmallVector<Loop> batch, outerK;
  Loop m, n, k;
  mlir::Type input, accumulator;
  /// C is written without being read.
  bool fromZero = false;
  /// B is computed from `memory` where it is multiplied; its strides are those that it would have
  /// in memory, [n, k].
  const MadeProduct *made = nullptr;
  mlir::IRMapping memory;

  void swapOperands();
};

/// Groups of loops of the operation that act as one: each inner list is outermost first.
struct LoopGroups {
  llvm::SmallVector<llvm::SmallVector<unsigned>> batch, outerK;
  llvm::SmallVector<unsigned> m, n, k; // empty: a loop of one iteration
};

LoopGroups groupLoops(mlir::linalg::LinalgOp op, const ContractionLoops &loops);
StaticProblem analyzeStatically(mlir::linalg::LinalgOp op, const LoopGroups &groups);
/// Builds the flat views and the strides at the builder's place. `operands` stand for those of
/// `op`.
Problem buildProblem(IndexBuilder &ib, mlir::linalg::LinalgOp op, const LoopGroups &groups,
                     mlir::ValueRange operands);

/// The same of a product whose factor is made. A is f32 and contiguous along k: `buildProblem`
/// copies one that is not, to memory that the caller frees (`copied`).
StaticProblem analyzeStatically(const MadeProduct &product);
Problem buildProblem(IndexBuilder &ib, const MadeProduct &product, mlir::ValueRange operands,
                     bool parallel, mlir::Value &copied);

/// Chooses what `given` leaves out.
ContractionSchedule chooseSchedule(const StaticProblem &problem, const TargetInfo &target,
                                   ScheduleAttr given);
/// Whether `dot` keeps the sums of all rows of a product whose factor is made.
bool keepsAllRows(const MadeProduct &product, const TargetInfo &target);
/// Whether the lanes that its strategy takes can be computed together.
bool isComputable(const MadeProduct &product, const TargetInfo &target);
/// For a product whose factor is made.
ContractionSchedule chooseSchedule(const MadeProduct &product, const TargetInfo &target);
/// Of a made factor `dot` computes so many neighbours along k at once, and so many times in a step,
/// with sums of their own.
struct MadeStep {
  int64_t lanes, count;
};
MadeStep madeStep(const MadeProduct &product, const ContractionSchedule &schedule,
                  const TargetInfo &target);
/// Why `schedule` (written by hand) cannot be used for `problem`; empty if it can.
std::string checkSchedule(const ContractionSchedule &schedule, const StaticProblem &problem,
                          const TargetInfo &target);

/// Fills a kernel function. Each has its own file.
void emitPacked(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
                const TargetInfo &target);
void emitStream(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
                const TargetInfo &target);
void emitDot(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
             const TargetInfo &target);

} // namespace forge::contraction

#endif // FORGE_LIB_CODEGEN_CONTRACTION_PROBLEM_H
