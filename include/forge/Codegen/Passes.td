// Passes of code generation, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_CODEGEN_PASSES
#define FORGE_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def CallDeviceMathPass : Pass<"forge-call-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Calls lib/DeviceMath for math on f64, remainders and special functions";
  let description = [{
    What no processor has as an instruction and forge-expand-math does not expand: transcendental functions of f64,
    arith.remf, and calls of the runtime's special functions (`forge_rt_lgamma_f64`). They become calls of private
    functions `forge_math_NAME_f64`, which device code is linked with; no vendor's library is needed.

    ```mlir
    %0 = math.exp %x : f64
    // becomes
    %0 = func.call @forge_math_exp_f64(%x) : (f64) -> f64
    ```

    Numerics: greatest error found in units of the last place (unittests/DeviceMath): exp, exp2, log, log2, log10,
    log1p, sin, cos, atan, cbrt, pow, acos 1; expm1, tanh, sinh, cosh, asinh, acosh, atanh, tan, asin, atan2, erf 2.3;
    erfc 8, lgamma 7 of the result where it is above 1/2; remainders are exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def CallLibraryPass : Pass<"forge-call-library", "::mlir::ModuleOp"> {
  let summary = "Calls the vendor's library for kernels of the strategy library";
  let description = [{
    Kernels on memrefs which are a product of matrices, of any dimensions that join to one of batch, rows, columns and
    terms each, at any strides, the factors perhaps slices of arguments, then perhaps bias, residual, ReLU or GELU (tanh form, results of 16 bits), and one rounding. Before every call comes
    a call of the runtime, which asks cuBLASLt or hipBLASLt. The kernel, compiled by `forge.fallback_schedule`, runs
    where that answers 0: no library, a product it does not offer, fewer multiplications than `tile` says.

    ```mlir
    call @matmul(%a, %b, %c) : (memref<64x32xbf16>, memref<32x16xbf16>, memref<64x16xbf16>) -> ()
    // becomes, with each operand as [batch, rows, columns] at its strides, and what follows
    %done = call @forge_rt_device_product_bf16_bf16(%a', %b', %c', %c', %c', %c0, %c0, %c0, %least)
    %left = arith.cmpi eq, %done, %zero
    scf.if %left { call @matmul(%a, %b, %c) }
    ```

    Numerics: the library's order of sums, accumulated in f32 (f64 for f64), never in TF32; bias and residual are added
    in that type, in the library's order; its GELU errs by up to 6e-6.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def ClusterAttentionPass : Pass<"forge-cluster-attention", "::mlir::func::FuncOp"> {
  let summary = "Marks attention of a few queries, which is computed at once";
  let description = [{
    The product of 1 to 8 queries with the keys of their head, what is done to the scores, their softmax, the weighted sum of
    the values and what follows it get the same name in `forge.cluster`, if strategy `attention` can compute them in one
    kernel: the softmax over the dimension of the keys, the maximum subtracted before exp, the division before or
    behind the weighted sum; what the kernel hands on is the weighted sum, or follows from it. Elementwise operations join that only these use.

    ```mlir
    %scores = linalg.generic ... ins(%q, %k : tensor<2x8x64xf32>, tensor<2x512x64xf32>) ... {forge.cluster = "attention0"}
    %largest = linalg.generic ... ins(%scores : tensor<2x8x512xf32>) ... {forge.cluster = "attention0"}
    %exps = linalg.generic ... ins(%scores, %largest) ... {forge.cluster = "attention0"}
    %sums = linalg.generic ... ins(%exps : tensor<2x8x512xf32>) ... {forge.cluster = "attention0"}
    %weighted = linalg.generic ... ins(%exps, %v : tensor<2x8x512xf32>, tensor<2x512x64xf32>) ... {forge.cluster = "attention0"}
    ```

    Numerics: bit-exact; strategy `attention` then sums in another order, relative to the maximum so far.
  }];
  let options = [Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip that kernels are made for">];
}

def ClusterProductsPass : Pass<"forge-cluster-products", "::mlir::func::FuncOp"> {
  let summary = "Marks products and what follows them that are computed at once";
  let description = [{
    A contraction of matrices from zeros, and the elementwise operation that alone uses its result, get the same name in
    `forge.cluster` if the library computes both in one call (bias, residual, ReLU, GELU, the rounding to the type of
    the inputs), or strategy `wgmma` or `gemv` in one kernel (whatever is elementwise). forge-form-kernels makes one
    kernel of them. So do two contractions with one left factor and the operation that alone uses both, for `wgmma`: a
    gated MLP's. Of an operation that the library does not compute but that rounds the result first of all, the rounding
    is split off: the library writes the narrow type.

    Where the library is asked, `wgmma` is preferred only with `prefer-faster`, and where by what was measured it takes
    no longer than the library and an elementwise kernel behind it.

    ```mlir
    %sums = linalg.matmul ins(%a, %b : tensor<64x32xbf16>, tensor<32x16xbf16>) ... {forge.cluster = "product0"}
    %out = linalg.generic {... ["parallel", "parallel"]} ins(%sums : tensor<64x16xf32>) ... {forge.cluster = "product0"}
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"least", "least", "int64_t", /*default=*/"0",
           "The fewest multiplications of a product worth a call of the library; -1: it is not called">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"",
           "The chip whose matrix units compute products, as strategy `wgmma` does; none if empty">,
    Option<"preferFaster", "prefer-faster", "bool", /*default=*/"false",
           "No call of the library where a generated kernel was measured to be faster">,
    Option<"gemvRows", "gemv-rows", "int64_t", /*default=*/"0", "The most rows of a product by strategy gemv">];
}

def FoldTransposesPass : Pass<"forge-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "Reads the factors of products where they were before they were transposed";
  let description = [{
    A factor of a contraction from zeros that is a copy of a tensor with its dimensions in another order, or a slice of
    such a copy, is read from that tensor: the indexing map takes the order. The copy goes if nobody else reads it.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<32x64xbf16>) outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
    %y = linalg.matmul ins(%x, %t : tensor<8x64xbf16>, tensor<64x32xbf16>) ...   // reads %w by (m, n, k) -> (n, k)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PackProductsPass : Pass<"forge-pack-products", "::mlir::func::FuncOp"> {
  let summary = "Copies factors of products to where matrix units or the library take them";
  let description = [{
    A contraction from zeros of 2^20 multiplications or more that neither strategy `wgmma` nor the vendor's library takes
    for where its operands are in memory gets copies of one factor or both with the dimensions in another order, or its
    result in another order, or both: the first of these with which it is taken. If nothing helps, nothing is done.

    ```mlir
    // x[m, k, b] * w[b, k, n]: the batch is innermost in x.
    %packed = linalg.generic {...} ins(%x : tensor<256x256x8xbf16>) outs(%e : tensor<8x256x256xbf16>)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"least", "least", "int64_t", /*default=*/"0",
           "The fewest multiplications of a product worth a call of the library; -1: it is not called">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"",
           "The chip whose matrix units compute products, as strategy `wgmma` does; none if empty">];
}

def ClusterRowsPass : Pass<"forge-cluster-rows", "::mlir::func::FuncOp"> {
  let summary = "Marks operations over the same rows that one GPU kernel computes";
  let description = [{
    Backwards through each block, an operation on tensors and those of its producers that strategy `rows` can compute in
    the same kernel (softmax, a norm with the residual sum before it, a reduction with what is done to its result) get
    the same number in `forge.cluster`; forge-form-kernels makes one kernel of them. One that stays alone has none.

    ```mlir
    %max = linalg.generic {... ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) ... {forge.cluster = 0}
    %exp = linalg.generic {... ["parallel", "parallel"]} ins(%x, %max ... {forge.cluster = 0}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
}

def CollapseReductionsPass : Pass<"forge-collapse-reductions", "::mlir::func::FuncOp"> {
  let summary = "Makes one loop of reductions over neighbouring dimensions";
  let description = [{
    A linalg.generic on tensors that reduces several dimensions which an operand holds side by side (a loss, a global
    norm, the gradient of a bias summed over batch and sequence) gets one reduction loop for them, and reads that
    operand through tensor.collapse_shape, which costs nothing: GPU strategies `rows` and `generic` share one reduced
    dimension among threads. An operand that lacks some of the dimensions is read at the quotient and remainder of the
    new loop's counter. Products of matrices stay as they are, and so does what needs a size known at run time only.

    ```mlir
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<300x100xf32> into tensor<30000xf32>
    %sum = linalg.generic {... ["reduction"]} ins(%flat : tensor<30000xf32>) outs(%zero : tensor<f32>)
    ```

    Numerics: elements are combined in the operand's order; where that was the order of the loops, bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def DropUnitRowsPass : Pass<"forge-drop-unit-rows", "::mlir::func::FuncOp"> {
  let summary = "Computes products without the unit dimensions that their users do not see";
  let description = [{
    A contraction whose result is only seen through a reshape that removes unit dimensions is computed without the loops
    over them: the product of one row with a matrix becomes that of a vector. So it has the form of the elementwise
    operation behind it, and both can be one kernel.

    ```mlir
    %sums = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%z : tensor<1x32xf32>) -> tensor<1x32xf32>
    %row = tensor.collapse_shape %sums [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ExpandMathPass : Pass<"forge-expand-math"> {
  let summary = "Rewrites math functions on f32 into arithmetic without branches or calls";
  let description = [{
    Replaces the transcendental operations of the math dialect on f32 (scalars and vectors; f16 and bf16 through f32) by
    straight-line arith and math.fma operations, so that the loop around them becomes vector code. Results at 0, -0,
    infinities, NaN and denormals are those of IEEE 754. Square roots, rounding, signs and f64 stay.

    ```mlir
    %0 = math.exp %x : vector<8xf32>
    // becomes clamp, reduction by ln 2, a polynomial in math.fma, and a scale by exponent bits
    ```

    Numerics: greatest error in units of the last place, measured against the C library in double over every 257th f32
    and around all edges (unittests/Codegen/MathAccuracyTest): exp 0.85, exp2 0.81, expm1 1.43, tanh 1.34, erf 1.15, log
    0.82, log1p 1.41, rsqrt 1.49; acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, erfc, log2, log10,
    powf, sin, sinh, tan 0.51. On f16 and bf16 one rounding of that. With hardware-exp2, exp and tanh whose result is
    only rounded to f16 or bf16, or that have fastmath<afn>, are within 2^-15 of the value; with forge.normal too,
    math.exp is within 2 + |x| units in the last place, and 0 for subnormal results.
  }];
  let options = [
    Option<"hardwareExp2", "hardware-exp2", "bool", "false",
           "exp by the processor's instruction for 2^x, left as math.exp2 fastmath<afn>">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandSmallFloatsPass : Pass<"forge-expand-small-floats"> {
  let summary = "Rewrites conversions from and to f8E4M3FN and f8E5M2 into integer operations";
  let description = [{
    Replaces arith.extf from, and arith.truncf to, the two 8-bit floating-point formats, and conversions between them
    and integers, on scalars and vectors, by operations on their bits. Rounding is to nearest, ties to even, and directly from the type of the operand. What is
    too large becomes infinity in f8E5M2 and NaN in f8E4M3FN, which has no infinity.

    Numerics: exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FuseElementwisePass : Pass<"forge-fuse-elementwise"> {
  let summary = "Fuses chains of elementwise operations, and elementwise producers of reductions";
  let description = [{
    Makes one `linalg.generic` of a chain of elementwise operations, so that what is between them stays in registers. A
    producer is computed inside its consumer when this repeats no expensive work: it has one consumer, which reads each
    of its elements once, or it is cheap (a constant, an iota, a broadcast, a cast). Reshapes are moved out of chains;
    transposes become indexing maps; unit dimensions are folded away; reductions of the same tensor over the same
    dimensions become one operation with several results. Operations with a loop that is known to run no time are
    replaced by what their outputs start from.

    ```mlir
    %0 = linalg.generic {...} ins(%x) outs(%e) { math.tanh }
    %1 = linalg.generic {...} ins(%0, %b) outs(%e) { arith.addf }
    // becomes
    %1 = linalg.generic {...} ins(%x, %b) outs(%e) { math.tanh, arith.addf }
    ```

    Numerics: bit-exact; the same operations in the same order on every element.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
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

def LowerContractionsPass : Pass<"forge-lower-contractions", "::mlir::ModuleOp"> {
  let summary = "Lowers matrix products on buffers to tiled, packed vector code";
  let description = [{
    Replaces every contraction of floats over memrefs (linalg.matmul, batch_matmul, matvec, or a linalg.generic whose
    body adds a product of its two inputs: any number of batch, m, n and k loops, any strides, static or dynamic sizes)
    by a call of a private function, one for each distinct kernel. Three strategies: `packed` for matrices, `stream` and
    `dot` for few rows; the schedule is written to the function as `forge.schedule`, and one found on the operation is
    used instead of the heuristics'. A fill with zero right before is absorbed. What is no contraction, or lies so that
    no strategy takes it, stays for the lowering to plain loops.

    ```mlir
    linalg.matmul ins(%a, %b : memref<64x256xf32>, memref<256x128xf32>) outs(%c : memref<64x128xf32>)
    // becomes
    call @contraction_f32_64x128x256(%a, %b, %c)
    ```

    Numerics: products are summed in another order, with fused multiply-adds, in the output's type. bf16 goes through
    the processor's bf16 dot product where it has one, which takes denormal inputs as zero.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"host\"",
           "processor: host, avx512-bf16, avx512, avx2 or generic">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LowerKernelsPass : Pass<"forge-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes device functions of kernel functions, and launches of their calls";
  let description = [{
    Every kernel function on memrefs is rewritten by the strategy of its `forge.schedule` to the work of one thread, and
    becomes a gpu.func in `gpu.module @kernels`. Its arguments are pointers (memrefs of static shape, or of rank 0 with
    the sizes as arguments of their own) and scalars. Calls become gpu.launch_func; the host counts the blocks.

    ```mlir
    call @elementwise(%a, %out) : (memref<1000xf32>, memref<1000xf32>) -> ()
    // becomes
    gpu.launch_func @kernels::@elementwise blocks in (%c4, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%a : memref<1000xf32>, %out : memref<1000xf32>)
    ```

    Numerics: as the strategy says; `generic` is bit-exact.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip: a name of lib/Codegen/TargetInfo">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

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

def RepeatFillsPass : Pass<"forge-repeat-fills"> {
  let summary = "Gives every operation that starts from a shared fill a fill of its own";
  let description = [{
    CSE leaves one fill for all outputs of a type. Bufferization then copies it for each operation that overwrites it,
    which reads and writes memory where the fill only writes, and hides from forge-lower-contractions that a product
    starts from zero. Runs last before bufferization.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ScheduleKernelsPass : Pass<"forge-schedule-kernels", "::mlir::ModuleOp"> {
  let summary = "Decides how kernel functions are computed";
  let description = [{
    Writes `forge.schedule` on every kernel function that has none: of the first strategy that can take it. One that
    stands there is checked, with a diagnostic that says what is expected. Strategy `library` comes with a second one,
    in `forge.fallback_schedule`: how the kernel is computed where the library is missing.

    ```mlir
    forge.schedule = {strategy = "generic", tier = "correctness", tile = array<i64: 1>, threads = 256 : i64}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip: a name of lib/Codegen/TargetInfo">,
    Option<"genericOnly", "generic-only", "bool", /*default=*/"false", "Only the strategy that takes anything">,
    Option<"libraryLeast", "library-least", "int64_t", /*default=*/"-1",
      "Products of at least this many multiplications by the vendor's library; -1: none">,
    Option<"preferFaster", "prefer-faster", "bool", /*default=*/"false",
      "No call of the library where a generated kernel was measured to be faster">,
    Option<"gemvRows", "gemv-rows", "int64_t", /*default=*/"0",
      "Products of at most this many rows by strategy gemv, where it takes them, before the library is asked">];
}

def ScheduleRowsPass : Pass<"forge-schedule-rows"> {
  let summary = "Decides how clusters of operations over the same rows are tiled";
  let description = [{
    Backwards through each block, takes the last operation of a cluster (softmax, normalisation, residual, activation,
    reduction) and writes a `forge.schedule` attribute on it: strategy `rows` and a tile size for each of its loops. As
    many rows per tile as keep the cluster's temporaries, and the inputs that several of its operations read, within
    `tile-bytes`, one row where it is longer than a page, and at least `min-tiles` tiles, so that the cores share them.
    Clusters below `min-work` scalar operations stay as they are: starting a parallel loop would cost more than it
    saves. One that has a schedule keeps it.

    ```mlir
    %max = linalg.generic {... ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) ...
    %exp = linalg.generic {... ["parallel", "parallel"]} ins(%x, %max ...
    %sum = linalg.generic {... ["parallel", "reduction"]} ins(%exp ...
    %div = linalg.generic {... ["parallel", "parallel"]} ins(%exp, %sum ...
    // becomes
    %div = linalg.generic {...} ins(%exp, %sum ...) {forge.schedule = {strategy = "rows", tile = array<i64: 1, 0>}}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
  let options = [
    Option<"tileBytes", "tile-bytes", "int64_t", /*default=*/"32768",
           "Bytes that the temporaries of one tile and the inputs read more than once may take">,
    Option<"minTiles", "min-tiles", "int64_t", /*default=*/"8", "Tiles to leave for the cores to share">,
    Option<"minWork", "min-work", "int64_t", /*default=*/"65536",
           "Scalar operations below which a cluster is not tiled">];
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

def SplitReductionsPass : Pass<"forge-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Makes two reductions of one over many elements, for many blocks of a GPU";
  let description = [{
    A linalg.generic on tensors that reduces one dimension of at least 2^18 elements to single ones (a global norm), and
    whose partial results can be joined, becomes a reduction of up to 512 rows and one of their results. Without it one
    block would read everything. The number of rows is a power of two that divides the size; where fewer than 16 do, or
    an operand is not read element by element, the operation stays as it is.

    ```mlir
    %rows = tensor.expand_shape %x [[0, 1]] output_shape [512, 2048] : tensor<1048576xf32> into tensor<512x2048xf32>
    %sums = linalg.generic {... ["parallel", "reduction"]} ins(%rows) outs(%neutral : tensor<512xf32>)
    %sum = linalg.generic {... ["reduction"]} ins(%sums : tensor<512xf32>) outs(%zero : tensor<f32>)
    ```

    Numerics: sums and products are reassociated, in a fixed order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
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
    } {forge.schedule = {strategy = "rows", tile = array<i64: 4, 0>}}
    ```

    Numerics: bit-exact; reductions stay whole and in order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
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

#endif // FORGE_CODEGEN_PASSES
