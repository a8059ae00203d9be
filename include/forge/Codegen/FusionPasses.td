// Passes of lib/Codegen/Fusion: fusion on tensors, and what is computed where.
#ifndef FORGE_CODEGEN_FUSIONPASSES
#define FORGE_CODEGEN_FUSIONPASSES

include "mlir/Pass/PassBase.td"

def CollapseTransposesPass : Pass<"forge-collapse-transposes", "::mlir::func::FuncOp"> {
  let summary = "Makes one loop of those that a transpose leaves side by side";
  let description = [{
    A transpose between layouts of images, as of [N, C, H, W] and [N, H, W, C], is one of C and of H times W, also where more is
    computed with its elements. As one loop, of 49 or 196 elements for 7 or 14, H and W are long enough for tiles, which
    strategy `generic` has blocks turn in shared memory. Elementwise operations of known sizes without indices, in no cluster,
    whose operands are no slices and whose result is computed in no part of another tensor, so that nothing is copied.

    ```mlir
    %0 = linalg.generic {maps = [(n, h, w, c) -> (n, c, h, w), (n, h, w, c) -> (n, h, w, c)]} ins(%x : tensor<16x960x14x14xbf16>) ...
    // becomes
    %1 = tensor.collapse_shape %x [[0], [1], [2, 3]] : tensor<16x960x14x14xbf16> into tensor<16x960x196xbf16>
    %2 = linalg.generic {maps = [(n, p, c) -> (n, c, p), (n, p, c) -> (n, p, c)]} ins(%1 : tensor<16x960x196xbf16>) ...
    %0 = tensor.expand_shape %2 [[0], [1, 2], [3]] : tensor<16x196x960xbf16> into tensor<16x14x14x960xbf16>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FeaturesInnermostPass : Pass<"forge-features-innermost", "::mlir::func::FuncOp"> {
  let summary = "Puts the features of depthwise convolutions innermost, with what is around them";
  let description = [{
    A depthwise convolution of images as [N, C, H, W] reads windows along memory. As [N, H, W, C], a thread reads and computes 16
    bytes of features at once, and what is around it often has that order: convolutions and products of the features, and norms
    over them, which PyTorch writes with transposes. Images and results of such convolutions, and results of the elementwise
    operations around them, have features innermost where that leaves less to be read across memory, in bytes; no transpose is
    added. A convolution's kernel is copied. Tensors of known sizes that operations of linalg in one block make and read.

    ```mlir
    %0 = linalg.generic {maps = [(n, c, h, w, i, j) -> (n, c, h + i, w + j), (...) -> (c, i, j), (...) -> (n, c, h, w)]} ins(%x, %k) ...
    %1 = linalg.generic {maps = [(n, h, w, c) -> (n, c, h, w), (n, h, w, c) -> (n, h, w, c)]} ins(%0) ...
    // becomes
    %0 = linalg.generic {maps = [(n, h, w, c, i, j) -> (n, h + i, w + j, c), (...) -> (i, j, c), (...) -> (n, h, w, c)]} ins(%x1, %k1) ...
    %1 = linalg.generic {maps = [(n, h, w, c) -> (n, h, w, c), (n, h, w, c) -> (n, h, w, c)]} ins(%0) ...
    ```

    Numerics: the same operations; the order of sums is that of the strategy which then takes them.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"forge-fuse-elementwise"> {
  let summary = "Fuses chains of elementwise operations, and elementwise producers of reductions";
  let description = [{
    Makes one `linalg.generic` of a chain of elementwise operations, so that what is between them stays in registers. A
    producer is computed inside its consumer when this repeats no expensive work: it has one consumer, which reads each
    of its elements once, or it is cheap (a constant, an iota, a broadcast, a cast). Reshapes are moved out of chains;
    transposes become indexing maps; unit dimensions are folded away; reductions of the same tensor over the same
    dimensions become one operation with several results; squares and cubes that are written as powers become products.
    Operations with a loop that is known to run no time are replaced by what their outputs start from.
    A choice by a loop's index between computations that are equal but for constant places of what they read, as of stacked
    channels, becomes one computation at a place that is chosen, or at the index. Elements that bodies look up are computed there
    where that is little more work than there are elements: some rows of a softmax that a gather picks.

    ```mlir
    %0 = linalg.generic {...} ins(%x) outs(%e) { math.tanh }
    %1 = linalg.generic {...} ins(%0, %b) outs(%e) { arith.addf }
    // becomes
    %1 = linalg.generic {...} ins(%x, %b) outs(%e) { math.tanh, arith.addf }
    ```

    Numerics: bit-exact but for cubes, which are rounded once more; the same operations in the same order on every element.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def FuseExpansionsPass : Pass<"forge-fuse-expansions", "::mlir::func::FuncOp"> {
  let summary = "Computes what makes much of little where it is read";
  let description = [{
    An elementwise operation whose operands have together at most a fourth of the elements that it makes, as the distances of all
    pairs of points, or the corners of the cells of a grid, takes memory longer than arithmetic units.

    1. Where it is only read by slices, which together have no more elements than it has, each slice is computed by itself.
    2. It is computed in all elementwise operations and reductions that read it, where the operations repeated by that take a GPU
       less time than its result's bytes, written once and read by each. Few results of a reduction that read one element of it, as
       the components of a force, do not repeat it: one thread has all of them.
    3. A reduction of at most eight terms that are computed of little becomes an elementwise operation which computes
       them one after the other: the squared distance of two points in space, the product of weights along three dimensions, the sum
       over the corners of a cell. Parts of tables of constants become constants. At least 4096 results, from a filled tensor.

    What is brought together is fused, and may be an expansion again. Static sizes; contractions and convolutions keep their
    kernels.

    ```mlir
    %d = linalg.generic ... ins(%x, %y : tensor<4096x3xf32>, tensor<4096x3xf32>) -> tensor<4096x4096x3xf32> // differences
    %r = linalg.generic ... ins(%d) -> tensor<4096x4096xf32> // sum over 3 of squares
    // becomes
    %x0 = tensor.extract_slice %x[0, 0] [4096, 1] [1, 1] : tensor<4096x3xf32> to tensor<4096xf32>
    // %x1, %x2, %y0, %y1, %y2
    %r = linalg.generic ... ins(%x0, %x1, %x2, %y0, %y1, %y2) -> tensor<4096x4096xf32>
    ```

    Numerics: terms are added in their order, beginning with what the tensor is filled with; otherwise bit-exact.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def FuseScansPass : Pass<"forge-fuse-scans", "::mlir::func::FuncOp"> {
  let summary = "Reduces what a running reduction makes where it is made";
  let description = [{
    A reduction over a few lines of a running reduction that is written as loops (`forge-raise-scans`), as over
    the states of a state space model, takes its terms where they are made: a thread takes the lines of
    a sum one after the other, 32 elements of each at a time, and writes the sums only. What each line
    carries is in the thread's memory.

    ```mlir
    %h = scf.for ... // [time, channels, 16 states]
    %y = linalg.generic // sum over the states of h * c
    // becomes
    %y = scf.for %channel ... {
      scf.for %group ... iter_args(%memory, %t) {
        %sums:33 = scf.for %state = %c0 to %c16 ... // adds 32 elements of h * c
        // written to %t[%time, %channel]
      } {forge.scan}
    } {forge.independent}
    ```

    That is done where memory would take longer for all lines than a thread for those of a sum.

    Numerics: terms of a sum are added in their order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def PadFactorsPass : Pass<"forge-pad-factors", "::mlir::func::FuncOp"> {
  let summary = "Pads rows of factors to multiples of 16 bytes";
  let description = [{
    On chips with products by warpgroups a tile of a factor of bf16 or f16 is copied by a tensor map, whose rows are
    multiples of 16 bytes apart. Where a contraction multiplies each element of a factor with other rows at least 128
    times, it reads the part without padding of a padded copy: rows of 1 KiB and more are padded to multiples of 128 bytes.
    Fusion computes that where the factor is computed. What may be attention stays as it is: contractions with batches, and of up
    to 256 columns with what exponentials lead to.

    ```mlir
    // Gradients of logits, of a vocabulary of 50257 words.
    %0 = linalg.matmul ins(%dz, %w : tensor<8192x50257xbf16>, tensor<50257x768xbf16>) ...
    // becomes
    %p = tensor.insert_slice %dz into %zeros[0, 0] [8192, 50257] [1, 1] : tensor<8192x50257xbf16> into tensor<8192x50304xbf16>
    %s = tensor.extract_slice %p[0, 0] [8192, 50257] [1, 1] : tensor<8192x50304xbf16> to tensor<8192x50257xbf16>
    %0 = linalg.matmul ins(%s, %w : tensor<8192x50257xbf16>, tensor<50257x768xbf16>) ...
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip that multiplies">];
}

def IndexPartsPass : Pass<"forge-index-parts", "::mlir::func::FuncOp"> {
  let summary = "Concatenations of few computed parts, and padding, as elementwise operations";
  let description = [{
    A concatenation is a chain of `tensor.insert_slice` into an empty tensor that leaves no gap, a padded tensor one into a
    tensor filled with a constant; both may have strides. Where a part is computed by an elementwise operation, or there
    is padding, and only such operations and reshapes (of padding: no reshapes) read the whole, this pass replaces the
    chain by a `linalg.generic` that extracts each element from its part, so that fusion can make one operation of parts,
    concatenation and reader: the two halves of rotary positions are one kernel, and so is each level of an associative
    scan. At most four parts of static sizes.

    ```mlir
    %0 = tensor.insert_slice %a into %empty[0] [32] [1] : tensor<32xf32> into tensor<64xf32>
    %1 = tensor.insert_slice %b into %0[32] [32] [1] : tensor<32xf32> into tensor<64xf32>
    // becomes
    %1 = linalg.generic ... outs(%empty : tensor<64xf32>) {
      %i = linalg.index 0 : index
      %x = tensor.extract %a[min(%i, 31)]
      %y = tensor.extract %b[max(%i, 32) - 32]
      linalg.yield select(%i >= 32, %y, %x)
    }
    ```

    Where the parts are slices of one tensor, as of a rotation (`jnp.roll`), the place is selected and one element read, whoever
    reads the whole; operations that read it elementwise read the tensor there, each for itself.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ReshapeCopiesPass : Pass<"forge-reshape-copies", "::mlir::func::FuncOp"> {
  let summary = "Makes reshapes of copies that keep the order of elements";
  let description = [{
    A copy between layouts that differ in the places of dimensions of one element moves nothing: images of one place each as [N, C, 1, 1]
    and [N, 1, 1, C], or their patches for a convolution of one place, as gates of channels have them. It becomes a reshape.
    Operations of static sizes in no cluster.

    ```mlir
    %0 = linalg.generic {maps = [(n, y, x, c) -> (n, c, y, x), (n, y, x, c) -> (n, y, x, c)]} ins(%x : tensor<16x512x1x1xbf16>) ... { linalg.yield %in }
    // becomes
    %1 = tensor.collapse_shape %x [[0], [1, 2, 3]] : tensor<16x512x1x1xbf16> into tensor<16x512xbf16>
    %0 = tensor.expand_shape %1 [[0], [1, 2, 3]] output_shape [16, 1, 1, 512] : tensor<16x512xbf16> into tensor<16x1x1x512xbf16>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def SumRepeatedFactorsPass : Pass<"forge-sum-repeated-factors", "mlir::func::FuncOp"> {
  let summary = "Multiplies what contractions would multiply again for each element of a broadcast once";
  let description = [{
    A contraction that reads a broadcast, or an elementwise operation on one, as gradients of a mean over tokens do,
    has dimensions that not all of its factors have, but for the repetition:

    1. One of the result that no factor has: the contraction is computed without it, and those that read its result
       read the smaller one. Others read a broadcast of it. So is any other sum, as of products with a constant.
    2. One of the sum, of 16 terms or more, that one factor has alone: that factor is summed over it first, in the
       type of the sum, to which the other one is extended. The dimension is then no loop of the contraction.

    ```mlir
    // y[b, n] * w[k, n] for all t, b, k; sum over b, t of y[b, n] * x[b, t, k]
    %0 = linalg.generic ... ins(%y, %w : tensor<32x1024xbf16>, tensor<4096x1024xbf16>) -> tensor<32x196x4096xf32>
    %1 = linalg.generic ... ins(%y, %x : tensor<32x1024xbf16>, tensor<32x196x4096xbf16>) -> tensor<1024x4096xf32>
    // become
    %0 = linalg.generic ... ins(%y, %w) -> tensor<32x4096xf32>
    %s = linalg.generic ... ins(%x) -> tensor<32x4096xf32> // sum over t
    %1 = linalg.generic ... ins(%e, %s : tensor<32x1024xf32>, tensor<32x4096xf32>) -> tensor<1024x4096xf32> // %e: %y in f32
    ```

    Contractions, but for 1., are linalg operations on tensors that add the product of two factors and do nothing else to them than
    to extend them, whose sums start from a fill with zero and are of floats.

    Numerics: 1. is bit-exact. 2. adds the same products in another order, and rounds each sum of a factor once.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def HoistInvariantsPass : Pass<"forge-hoist-invariants"> {
  let summary = "Computes what does not change in a loop before it";
  let description = [{
    A linalg operation directly in the body of a loop, all of whose operands are defined outside, runs once instead of
    in every step: a transposed or converted weight in a decoding loop. What takes no longer to compute again than to
    read (a broadcast, an iota) stays, and so does what a step overwrites or hands on, and what might fail in a loop
    that runs no time.

    ```mlir
    scf.while (...) { ... %t = linalg.transpose ins(%w) ... }
    // becomes
    %t = linalg.transpose ins(%w)
    scf.while (...) { ... }
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PlaceElementsPass : Pass<"forge-place-elements", "::mlir::func::FuncOp"> {
  let summary = "Computes elements where they are put to their places";
  let description = [{
    What an elementwise operation computes only for loops that put it to places (an append to a cache, a scatter that
    overwrites) or for an insertion into a tensor, is computed there, element by element, through reshapes and slices
    between them: one kernel, which writes the tensor in place. An element may be computed of several others, as rotary
    positions are of pairs. The loops must read each element at most once and nothing that they write; an operation that
    is part of a row kernel or follows a product stays there, and so does one that reads what is overwritten. An elementwise
    operation that looks up elements of what another computes for it alone, at most twice as many as there are, computes them: a
    padded image.

    ```mlir
    %0 = linalg.generic {...} ins(%k, %cos : ...) outs(%empty) { arith.mulf } -> tensor<8x128xf32>
    %1 = tensor.insert_slice %0 into %cache[0, %at, 0] [8, 1, 128] [1, 1, 1]
    // becomes
    %1 = scf.for %i = %c0 to %c8 ... iter_args(%a = %cache) { scf.for %j = %c0 to %c128 ... iter_args(%b = %a) {
      %x = tensor.extract %k[%i, %j]
      %y = tensor.extract %cos[%j]
      %z = arith.mulf %x, %y
      %n = tensor.insert %z into %b[%i, %at, %j]
    ```

    Numerics: bit-exact; the same operations on every element.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def RepeatFillsPass : Pass<"forge-repeat-fills"> {
  let summary = "Gives every operation that starts from a shared fill a fill of its own";
  let description = [{
    CSE leaves one fill for all outputs of a type, and for what is put into it (the image inside its padding).
    Bufferization then copies it for each operation that overwrites it, which reads and writes memory where the fill only writes, and hides from forge-lower-contractions that a product
    starts from zero. Runs last before bufferization.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SliceProducersPass : Pass<"forge-slice-producers"> {
  let summary = "Computes only the part of a result that is read";
  let description = [{
    A tensor of which only one slice is read, half of it or less, is computed as that slice: the slice moves to the
    operands of linalg operations, reshapes, concatenations and other slices, and on from there if it is all that is
    read of those too. The logits of the last token then take one row of the product, and of the last layer only what
    that row needs.

    ```mlir
    %logits = linalg.matmul ins(%x, %w : tensor<512x4096xf32>, tensor<4096x32000xf32>) ...
    %last = tensor.extract_slice %logits[511, 0] [1, 32000] [1, 1]
    // becomes
    %row = tensor.extract_slice %x[511, 0] [1, 4096] [1, 1]
    %last = linalg.matmul ins(%row, %w : tensor<1x4096xf32>, tensor<4096x32000xf32>) ...
    ```

    Numerics: bit-exact; the same operations for every element that is left.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def UnrollLoopsPass : Pass<"forge-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "Makes straight code of loops of few elementwise steps";
  let description = [{
    A loop of at most eight steps, known from constants, whose steps compute tensors element by element, becomes its steps, one
    after the other: fusion then makes one operation of them, and what is carried stays in registers. In a loop each step reads
    and writes what it carries. Parts of tables of constants become constants, and so do shifts by them: the five steps of
    Threefry, JAX's generator of random numbers, are some hundred operations on each element. Up to 640 operations on an element,
    before constants are folded. Loops with contractions, reductions, look-ups or insertions stay loops.

    ```mlir
    %0:3 = scf.while (%i = %c0, %x = %a, %y = %b) : ... {
      %more = arith.cmpi slt, %i, %c5 : i32
      scf.condition(%more) %i, %x, %y : ...
    } do {
    ^bb0(%i: i32, %x: tensor<4096xi32>, %y: tensor<4096xi32>):
      %z = linalg.generic ... ins(%x, %y) ...
      %w = linalg.generic ... ins(%y, %z) ...
      %next = arith.addi %i, %c1 : i32
      scf.yield %next, %z, %w : ...
    }
    // becomes
    %z0 = linalg.generic ... ins(%a, %b) ...
    %w0 = linalg.generic ... ins(%b, %z0) ...
    // four more times
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CODEGEN_FUSIONPASSES
