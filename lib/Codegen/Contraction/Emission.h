// Shared by the strategies: vectors of the problem's types, offsets of batches, the microkernel.
#ifndef FORGE_LIB_CODEGEN_CONTRACTION_EMISSION_H
#define FORGE_LIB_CODEGEN_CONTRACTION_EMISSION_H

#include "Problem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge::contraction {

/// A position in each operand.
struct Offsets {
  Index a, b, c;
};

/// The number of iterations of `loops` together.
Index countOf(IndexBuilder &ib, llvm::ArrayRef<Loop> loops);
/// `start` moved by iteration `linear` (row-major) of `loops`.
Offsets advance(IndexBuilder &ib, llvm::ArrayRef<Loop> loops, Index linear, Offsets start);

/// For strategies that keep all rows together: on all cores, one task for each block[1] columns of
/// each batch, and in it the k loops that do not join, one after the other. `emit` gets the task's
/// number, where the operands start, the iteration of those loops, and the columns [from, to).
void forEachColumnBlock(
    IndexBuilder &ib, const Problem &p, const ContractionSchedule &schedule,
    llvm::function_ref<void(Index task, Offsets at, Index outer, Index from, Index to)> emit);

/// A vector constant with all lanes `number` (0 or 1 for a mask).
mlir::Value splat(IndexBuilder &ib, mlir::VectorType type, double number);
/// Lanes below `count` are on.
mlir::Value firstLanes(IndexBuilder &ib, int64_t lanes, Index count);
mlir::Value loadVector(IndexBuilder &ib, mlir::VectorType type, mlir::Value view, Index at);
/// Lanes off read as zero, and their memory is not touched.
mlir::Value loadMasked(IndexBuilder &ib, mlir::VectorType type, mlir::Value view, Index at,
                       mlir::Value mask);
void storeVector(IndexBuilder &ib, mlir::Value vector, mlir::Value view, Index at);
void storeMasked(IndexBuilder &ib, mlir::Value vector, mlir::Value view, Index at,
                 mlir::Value mask);
mlir::Value loadScalar(IndexBuilder &ib, mlir::Value view, Index at);
void storeScalar(IndexBuilder &ib, mlir::Value scalar, mlir::Value view, Index at);
mlir::Value broadcast(IndexBuilder &ib, mlir::VectorType type, mlir::Value scalar);
/// Widens f16 or bf16 (scalar or vector) to the element type `element`; otherwise nothing.
mlir::Value widen(IndexBuilder &ib, mlir::Value value, mlir::Type element);
mlir::Value fma(IndexBuilder &ib, mlir::Value a, mlir::Value b, mlir::Value c);
/// accumulator + pairwise dot products of bf16: vector<2Nxbf16>, vector<2Nxbf16>, vector<Nxf32>.
mlir::Value bf16Dot(IndexBuilder &ib, mlir::Value a, mlir::Value b, mlir::Value accumulator);
/// Turns a square of as many vectors as they have lanes: lane j of vector i becomes lane i of
/// vector j.
void transposeSquare(IndexBuilder &ib, llvm::MutableArrayRef<mlir::Value> rows);
/// Whether the inputs are multiplied by bf16Dot.
bool usesBF16Dot(mlir::Type input, const TargetInfo &target);

/// What a microkernel is specialised on. Strides are in units of `unit`; a packed operand has the
/// strides of its panel: {1, rows} and {columns}.
struct MicroKernel {
  int64_t rows, vectors, lanes;
  mlir::Type unit; // of A and B: f32, f64, or i32 holding two bf16 that are neighbours along k
  mlir::Type accumulator; // f32, f64
  int64_t strideRowA, strideStepA;
  // B is no panel: columns beyond the edge may not be read, and bf16 is in rows that are paired
  // here (two rows, of strideStepB, make a step).
  bool inPlaceB;
  // All tiles are whole in this direction: no code for edges.
  bool exactRows, exactColumns;
  // C is contiguous along m instead of n: tiles are turned when they are written.
  bool transposedC;
  // The element type of memory that is prefetched, a cache line for each step; null if none is.
  mlir::Type prefetched = {};
  int64_t columns() const { return vectors * lanes; }
};

struct MicroKernelCall {
  mlir::Value a, b, c;
  Index offsetA, offsetB, strideStepB, offsetC;
  Index strideC;               // of rows, or of columns if those of C are contiguous
  Index steps, rows, columns;  // along k; the part of the tile that exists
  mlir::Value accumulate;      // i1: add to what C holds
  mlir::Value prefetched = {}; // what is asked for, if anything
  Index offsetPrefetched = {}, stridePrefetched = {};
};

/// Calls the function of `kernel`, which is made next to the current function on its first use.
void callMicroKernel(IndexBuilder &ib, const MicroKernel &kernel, const MicroKernelCall &call);

} // namespace forge::contraction

#endif // FORGE_LIB_CODEGEN_CONTRACTION_EMISSION_H
