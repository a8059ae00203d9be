// Passes of lib/Codegen/Library: products that strategies and libraries compute, and what follows them.
#ifndef FORGE_CODEGEN_LIBRARYPASSES
#define FORGE_CODEGEN_LIBRARYPASSES

include "mlir/Pass/PassBase.td"

def CallLibraryPass : Pass<"forge-call-library", "::mlir::ModuleOp"> {
  let summary = "Calls the vendor's library for kernels of the strategy library";
  let description = [{
    Kernels on memrefs which are a product of matrices, of any dimensions that join to one of batch, rows, columns and
    terms each, at any strides, the factors perhaps slices of arguments, then perhaps bias, residual, ReLU or GELU (tanh form, results of 16 bits), and one rounding. Before every call comes
    a call of the runtime, which asks cuBLASLt or hipBLASLt. The kernel, compiled by `forge.fallback_schedule`, runs
    where that answers 0: no library, a product it does not offer, fewer multiplications than `min_macs` says.

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

def ClusterProductsPass : Pass<"forge-cluster-products", "::mlir::func::FuncOp"> {
  let summary = "Marks products and what follows them that are computed at once";
  let description = [{
    A contraction of matrices from zeros, and the elementwise operation that alone uses its result, get the same name in
    `forge.cluster` if the library computes both in one call (bias, residual, ReLU, GELU, the rounding to the type of
    the inputs), or strategy `wgmma` or `gemv` in one kernel (anything elementwise). forge-form-kernels makes one
    kernel of them. So do two contractions with one left factor and the operation that alone uses both, for `wgmma`: a
    gated MLP's. Of an operation that the library does not compute but that rounds the result first of all, the rounding
    is split off: the library writes the narrow type. A product of few rows reads a factor of i8, widened for it alone,
    where it is, if `gemv` takes that. An operation that surrounds factors of products for `wgmma` alone with zeros is
    repeated for each of these, and gets the name of its cluster: the kernel reads what is inside. So is one whose result only
    sums through windows read that threads compute, if that takes them no longer. These take along the elementwise operation
    behind them, and write in the order in which it reads.

    Where the library is asked, `wgmma` is preferred only with `library=cost`, and where by what was measured it takes
    no longer than the library and an elementwise kernel behind it.

    ```mlir
    %sums = linalg.matmul ins(%a, %b : tensor<64x32xbf16>, tensor<32x16xbf16>) ... {forge.cluster = "product0"}
    %out = linalg.generic {... ["parallel", "parallel"]} ins(%sums : tensor<64x16xf32>) ... {forge.cluster = "product0"}
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"prefer\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"",
           "The chip whose matrix units compute products, as strategy `wgmma` does; none if empty">];
}

def ClusterPlacementsPass : Pass<"forge-cluster-placements", "::mlir::func::FuncOp"> {
  let summary = "Marks what puts the results of products of a few rows to places, for the product's kernel";
  let description = [{
    Independent loops that alone read the result of a product of strategy `gemv`, or of up to 64 rows of strategy `wgmma`, and
    put what they compute of it somewhere, get the name of its cluster: a thread of the product's kernel does the step of its
    element. An elementwise operation that
    is not of one column each becomes such loops. A step may read a few columns of one row, all multiples of a distance apart,
    within groups that divide the columns: the pairs of rotary positions, a half of a head apart, or the two halves of gate and
    up in one matrix. Which columns a step reads is found by running its index arithmetic for all steps; a block of the kernel
    then has whole groups of columns.

    ```mlir
    %k = linalg.generic {...} ins(%x, %w : tensor<4096xbf16>, tensor<1024x4096xbf16>) ... {forge.cluster = "product0"}
    %c = scf.for %h = ... scf.for %d = ... { ... tensor.insert %rotated into %cache[%h, %at, %d] } {forge.cluster = "product0"}
    ```

    Numerics: bit-exact but for the order of the product's sums, which depends on the number of threads.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"never\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip that kernels are for">];
}

def ClusterProloguesPass : Pass<"forge-cluster-prologues", "::mlir::func::FuncOp"> {
  let summary = "Marks what products of a few rows compute of their left factor themselves";
  let description = [{
    Operations that a row kernel would compute (a norm), whose result is only read as the left factor of products of strategy
    `gemv`, are repeated for each of these products and get the name of its cluster: every block of the product's kernel computes
    them, in shared memory, while its part of the matrix is on its way, and they need no launch. They stay a kernel of their own
    where the factor has more than 16 KiB, where they read more elements than the block has of the matrix, or compute much.

    ```mlir
    %norm = linalg.generic {...} ins(%x, %root, %scale : ...) ... {forge.cluster = "product0"}
    %sums = linalg.generic {...} ins(%norm, %w : tensor<4096xbf16>, tensor<1024x4096xbf16>) ... {forge.cluster = "product0"}
    ```

    Numerics: bit-exact but for the order in which a row's sums are added, which depends on the number of threads.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"never\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip that kernels are for">];
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

def FoldTransposesPass : Pass<"forge-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "Reads the factors of products where they were before they were transposed";
  let description = [{
    A factor of a contraction from zeros that is a copy of a tensor with its dimensions in another order or with further
    ones, or a slice of such a copy, is read from that tensor: the indexing map takes the order. The copy goes if nothing
    else reads it. What computes factors and nothing else in another order than that of its input, or the same number
    several times (the keys of a group for each of its heads), first becomes one that does so in the order of the input
    and once, and a copy.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<32x64xbf16>) outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
    %y = linalg.matmul ins(%x, %t : tensor<8x64xbf16>, tensor<64x32xbf16>) ...   // reads %w by (m, n, k) -> (n, k)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FoldWindowsPass : Pass<"forge-fold-windows", "::mlir::func::FuncOp"> {
  let summary = "Multiplies windows of images where they are, without copying patches";
  let description = [{
    A `linalg.matmul` from zeros whose left factor is the patches that a convolution cuts from its input becomes a
    contraction that reads the input by windows, if that pays. The patches are not made. What else reads the product sees
    it reshaped.

    - With `chip`, if its matrix units take that: their tensor maps read boxes of neighbouring places. Or of fewer than 16 columns, if
      threads are predicted to multiply windows in less time than patches take to be written and read; then the contraction has no loops of
      one iteration.
    - Without, for the CPU: of factors of the sums' type, if the terms that are neighbours in the input are 32 or more and
      each row of places has 12 or more, an eighth of the columns at least: the kernel is read again for each such row.

    ```mlir
    // of patches [2, 64, 64, 3, 3, 256], as a matrix
    %y = linalg.matmul ins(%patches, %kernel : tensor<8192x2304xbf16>, tensor<2304x256xbf16>) ...
    // becomes
    %y = linalg.generic {indexing_maps = [(n, h, w, f, kh, kw, c) -> (n, h + kh, w + kw, c),
                                          (n, h, w, f, kh, kw, c) -> (kh, kw, c, f), ...]}
        ins(%image, %kernel : tensor<2x66x66x256xbf16>, tensor<3x3x256x256xbf16>) ...
    ```

    Numerics: sums are reassociated.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"chipName", "chip", "std::string", "", "The GPU; empty for the CPU">
  ];
}

def WidenFactorsPass : Pass<"forge-widen-factors", "::mlir::func::FuncOp"> {
  let summary = "Multiplies 8-bit factors as matrix units take them: as they are, or as bf16, which holds them";
  let description = [{
    Where matrix units of `chip` multiply numbers of 8 bits and add them up themselves (strategy `wgmma`), a contraction
    from zeros of signed integers summed in i32, or of floats summed in f32 whose program allows sums of matrix units
    (`forge.unit_sums` on the multiplication: StableHLO's default precision), keeps its factors. One whose terms are not
    innermost is copied so that they are.

    A contraction from zeros of factors in 8 bits, floats summed in f32 or integers summed in i32, with 16 rows, columns and
    terms and 2^20 multiplications or more, becomes one of copies of its factors in bf16: matrix units take these, and a
    product of two is exact in f32. Sums of integers stay exact because so many terms are added in f32 as 24 bits hold
    (1,024 of signed factors); parts of more terms are added up in i32.

    ```mlir
    %l = linalg.generic {...} ins(%x : tensor<2048x4096xf8E4M3FN>) outs(%e : tensor<2048x4096xbf16>)
    %p = linalg.generic {...} ins(%l, %r : tensor<2048x4096xbf16>, tensor<4096x8192xbf16>) outs(%zeros : tensor<2048x8192xf32>)
    ```

    Numerics: products are exact, as before; sums of floats are reassociated, those of integers bit-exact. With
    `forge.unit_sums` the matrix unit adds up 256 products, with 13 bits below the largest, and such sums are added up in
    f32 (docs/numerics.md).
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"",
           "The chip whose matrix units multiply factors of 8 bits as they are; none if empty">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def PackProductsPass : Pass<"forge-pack-products", "::mlir::func::FuncOp"> {
  let summary = "Copies factors of products to where matrix units or the library take them, windows as patches";
  let description = [{
    A contraction from zeros of 2^20 multiplications or more that neither strategy `wgmma` nor the vendor's library takes
    for where its operands are in memory gets copies of one factor or both with the dimensions in another order, or its
    result in another order, or both: the first of these with which it is taken. Otherwise it is left as it is.

    A factor that is read by windows, as of convolutions in groups and of gradients by their kernels, is copied as patches where
    nothing takes the windows as they are and each number of a patch is multiplied 16 times or more: also where no strategy but
    `tiles` takes the product then. Windows of f32 factors that `forge-split-factors` is going to split into pieces stay.

    ```mlir
    // x[m, k, b] * w[b, k, n]: the batch is innermost in x.
    %packed = linalg.generic {...} ins(%x : tensor<256x256x8xbf16>) outs(%e : tensor<8x256x256xbf16>)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"prefer\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"",
           "The chip whose matrix units compute products, as strategy `wgmma` does; none if empty">];
}

def SplitFactorsPass : Pass<"forge-split-factors", "::mlir::func::FuncOp"> {
  let summary = "Multiplies f32 factors on matrix units, as sums of bf16 pieces";
  let description = [{
    A contraction from zeros of f32 factors, on a chip with products by warpgroups, becomes one of pieces of its factors
    where strategy `wgmma` takes that and is predicted to need less time, with making the pieces, than f32 instructions
    for the product. A factor is the exact sum of three bf16 numbers of 8 bits each; one that is an extended bf16 is a
    piece itself. The kernel computes six products of pieces of nine (three, where one factor is a single piece): what
    is left out is at most about 2^-24 of the product of two factors. Sums of 64 terms are added to the accumulator
    rounded to nearest. The multiplication is marked `forge.pieces`; other sums of bf16 numbers are computed in full.

    ```mlir
    %p:3 = linalg.generic {...} ins(%x : tensor<4096x4096xf32>)
        outs(%e, %e, %e : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
    // (p0 + p1 + p2) * (q0 + q1 + q2), added up
    %y = linalg.generic {...} ins(%p#0, %p#1, %p#2, %q#0, %q#1, %q#2 : ...) outs(%zeros : tensor<4096x4096xf32>)
    ```

    Numerics: the contraction of pieces is equal to that of the factors; strategy `wgmma` errs by about 2^-24 of each
    product, where |x| > 2^-110. A term with an infinite factor is infinite or NaN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"cost\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The GPU">,
    Option<"worth", "worth", "double", /*default=*/"0.9",
           "Split where the predicted time is less than this share of that of f32 instructions">];
}

def SplitTermsPass : Pass<"forge-split-terms", "::mlir::func::FuncOp"> {
  let summary = "Divides long sums of products among multiprocessors (split-K)";
  let description = [{
    A contraction from zeros of factors of 16 or 32 bits in f32, with fewer tiles than the chip has multiprocessors,
    becomes one with its terms in parts, each of which has a sum of its own, and a sum of these, where strategy `wgmma`,
    or `tiles` for what that does not take, is predicted to need less time so. The parts are as many as take the least
    time, and divide the terms. What the vendor's library is asked for is left to it: it divides sums itself.

    ```mlir
    %p = linalg.generic {...} ins(%x, %y : tensor<8x8192x512xbf16>, tensor<8x8192x512xbf16>)
        outs(%zeros : tensor<8x512x512xf32>)
    %z = linalg.generic {...} ins(%p : tensor<8x512x512xf32>) outs(%start : tensor<512x512xf32>)
    ```

    Numerics: sums are of the same terms in another order, the same each time.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"cost\"",
           "Whether the vendor's library computes products: prefer, cost or never">,
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The GPU">];
}

def SinkReshapesPass : Pass<"forge-sink-reshapes", "::mlir::func::FuncOp"> {
  let summary = "Computes on a product's result what follows it, before the result is reshaped";
  let description = [{
    An elementwise operation on the result of a contraction, reshaped and used by nothing else, is computed on the
    result as it is, and reshaped then: both can be one kernel. So are the bias and the rounding of a projection that is
    split into heads. Other operands are reshaped; each has a divided dimension as a whole, or not at all. An operation
    before a reduction stays, since a kernel for rows might join it.

    ```mlir
    %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 16, 64] : tensor<4x1024xf32> into tensor<4x16x64xf32>
    %narrow = linalg.generic {...} ins(%heads : tensor<4x16x64xf32>) outs(%e : tensor<4x16x64xbf16>)
    // becomes
    %narrow = linalg.generic {...} ins(%sums : tensor<4x1024xf32>) outs(%e : tensor<4x1024xbf16>)
    %heads = tensor.expand_shape %narrow [[0], [1, 2]] output_shape [4, 16, 64] : tensor<4x1024xbf16> into tensor<4x16x64xbf16>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CODEGEN_LIBRARYPASSES
