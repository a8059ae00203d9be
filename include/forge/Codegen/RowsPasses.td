// Passes of lib/Codegen/Rows: loops over rows on the CPU, and sums.
#ifndef FORGE_CODEGEN_ROWSPASSES
#define FORGE_CODEGEN_ROWSPASSES

include "mlir/Pass/PassBase.td"

def LowerSumsPass : Pass<"forge-lower-sums"> {
  let summary = "Emits scalar loops for sums of floats on buffers, with partial sums in blocks";
  let description = [{
    Replaces every linalg operation on buffers whose reduction loops add floats up (reductions, products, convolutions,
    windows that no other strategy has taken) by loops: over the results, as one `scf.parallel` if asked for, and in
    them over the terms, in blocks of 32 and, for more than 2048 terms or a number not known, of 1024. What is
    accumulated is a value; the result is read and written once. Operations with any result that is not made by one
    operation with a neutral element are left alone.

    ```mlir
    linalg.generic {... ["reduction"]} ins(%x : memref<1024xf32>) outs(%r : memref<f32>) { arith.addf }
    // becomes
    %sum = scf.for %i = %c0 to %c1024 step %c32 iter_args(%all = %minus_zero) -> (f32) {
      %part = scf.for %j = %i to %end step %c1 iter_args(%p = %minus_zero) -> (f32) { ... }
      scf.yield (arith.addf %all, %part)
    }
    ```

    Numerics: sums are reassociated: partial sums of blocks, added in order. No chain is longer than a few square roots
    of the number of terms, so that the error stays within the model's even where all roundings go the same way.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"false", "Loops over results become scf.parallel">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ScheduleRowsPass : Pass<"forge-schedule-rows"> {
  let summary = "Decides how clusters of operations over the same rows are tiled";
  let description = [{
    Backwards through each block, takes the last operation of a cluster (softmax, normalisation, residual, activation,
    reduction) and writes a `forge.schedule` attribute on it: strategy `rows` and a tile size for each of its loops. As
    many rows per tile as keep the cluster's temporaries, and the inputs that several of its operations read, within
    `tile-bytes`, one row where it is longer than a page, and at least `min-tiles` tiles, so that the cores share them.
    Clusters below `min-work` scalar operations stay as they are: starting a parallel loop would cost more than it
    saves. One that has a schedule keeps it, with what it leaves out.

    ```mlir
    %max = linalg.generic {... ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) ...
    %exp = linalg.generic {... ["parallel", "parallel"]} ins(%x, %max ...
    %sum = linalg.generic {... ["parallel", "reduction"]} ins(%exp ...
    %div = linalg.generic {... ["parallel", "parallel"]} ins(%exp, %sum ...
    // becomes
    %div = linalg.generic {...} ins(%exp, %sum ...) {forge.schedule = #forge.schedule<strategy = rows, tile = [1, 0]>}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
  let options = [
    Option<"tileBytes", "tile-bytes", "int64_t", /*default=*/"32768",
           "Bytes that the temporaries of one tile and the inputs read more than once may take">,
    Option<"minTiles", "min-tiles", "int64_t", /*default=*/"8", "Tiles to leave for the cores to share">,
    Option<"minWork", "min-work", "int64_t", /*default=*/"65536",
           "Scalar operations below which a cluster is not tiled">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def TileRowsPass : Pass<"forge-tile-rows"> {
  let summary = "Tiles scheduled clusters into one parallel loop over rows";
  let description = [{
    Tiles every operation whose `forge.schedule` says strategy `rows` into an `scf.forall`, and computes its producers
    of the same row space inside it: elementwise operations, reductions along a row, fills. Results of those that are
    needed after the loop too are returned by it. Temporaries become as small as a tile. The loop carries the schedule.

    ```mlir
    %div = scf.forall (%i) = (0) to (4096) step (4) shared_outs(%o = %empty) -> (tensor<4096x1024xf32>) {
      // max, exp, sum and division of four rows
      scf.forall.in_parallel { tensor.parallel_insert_slice ... }
    } {forge.schedule = #forge.schedule<strategy = rows, tile = [4, 0]>}
    ```

    Numerics: bit-exact; reductions stay whole and in order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def TileScoresPass : Pass<"forge-tile-scores", "::mlir::func::FuncOp"> {
  let summary = "Tiles attention by blocks of query rows, whose scores stay in a cache";
  let description = [{
    Finds two products of several matrices with row operations between them, a reduction among those: the scores of
    attention, their softmax and the weighted sum. One `scf.forall` over matrices and blocks of rows computes all of it,
    and what follows the second product elementwise; each tile has its scores in temporaries of some `tile-bytes`, and
    no matrix of scores is in memory. Its schedule has strategy `scores` and a tile size for each loop of the last
    operation; one that is written there is taken. Reshapes between the products are taken out first. Left alone are
    matrices of few rows, sizes not known, scores that something else reads, and all scores together when they are
    smaller than a tile may be.

    ```mlir
    %s = linalg.generic {... "reduction"]} ins(%q, %k ... -> tensor<12x2048x2048xf32>
    // maximum, exponentials and sum of each row
    %o = linalg.generic {... "reduction"]} ins(%weights, %v ... -> tensor<12x2048x64xf32>
    // becomes
    %o = scf.forall (%h, %i) = (0, 0) to (12, 2048) step (1, 64) ... {
      // the same for tensor<1x64x2048xf32>
    } {forge.schedule = #forge.schedule<strategy = scores, tile = [1, 64, 0, 0]>}
    ```

    Numerics: row operations are bit-exact. The products of a tile choose their schedules by its size, and with them the
    order of their sums (`forge-lower-contractions`).
  }];
  let options = [
    Option<"tileBytes", "tile-bytes", "int64_t", /*default=*/"524288",
           "Bytes of scores that a tile should have, if that is 64 rows">];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def VectorizeRowsPass : Pass<"forge-vectorize-rows"> {
  let summary = "Emits vector loops for elementwise operations and reductions on buffers";
  let description = [{
    Replaces `linalg.generic` and fills on buffers by loops. The innermost works on vectors of `vector-bytes`, along the
    loop in which the results are contiguous or reduced; what is left over is masked. Values that are the same in all
    lanes are loaded once per row and stay scalar. A reduction keeps up to four vector accumulators per result; one over
    leading dimensions holds four vectors of results in registers while it goes through the terms. Long sums are taken
    in blocks of 64 steps of a row, of 32 and 1024 along other loops. The greatest or smallest of floats is found among
    integers that have the same order, NaNs and signed zeros included. Operands that lie apart along the vector loop,
    and truth values, are loaded lane by lane. Contractions, bodies with memory accesses, integer division, or element
    types below eight bits in results are left to the scalar loops.

    ```mlir
    linalg.generic {... ["parallel", "reduction"]} ins(%x : memref<4x1024xf32>) outs(%r : memref<4xf32>) { arith.addf }
    // becomes
    scf.for %i = %c0 to %c4 step %c1 {
      %acc:4 = scf.for %j = %c0 to %c1024 step %c64 iter_args(...) -> (vector<16xf32>, ...) { ... }
      %sum = vector.reduction <add>, ...
      memref.store ...
    }
    ```

    Numerics: elementwise operations are bit-exact. Sums and products are reassociated: 4 times the lanes of partial
    results, and partial sums of blocks, combined in a fixed order, so the same build gives the same bits. No chain of
    additions is longer than a few square roots of the number of terms. NaN and infinities propagate as before.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"64", "Bytes of a vector register">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // FORGE_CODEGEN_ROWSPASSES
