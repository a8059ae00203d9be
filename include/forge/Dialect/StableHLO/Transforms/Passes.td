// Passes of ForgeStableHLOTransforms, alphabetical.
#ifndef FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CallFftPass : Pass<"forge-call-fft", "::mlir::ModuleOp"> {
  let summary = "Fourier transforms become calls of the library on the host";
  let description = [{
    A composite `forge.fft`, as `forge-split-complex` makes them, becomes the operation that the runtime computes with
    FFTW. One whose attributes or types are not those of a transform stays.

    ```mlir
    %y = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "fft"}, decomposition = @forge.fft.0}
      : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
    // becomes
    %0 = tensor.empty() : tensor<4x8x2xf32>
    %y = forge.fft fft 1 ins(%x : tensor<4x8x2xf32>) outs(%0 : tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
    ```

    Numerics: the library's error is smaller than that of the decomposition.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::tensor::TensorDialect"];
}

def FftToLinesPass : Pass<"forge-fft-to-lines", "::mlir::ModuleOp"> {
  let summary = "Fourier transforms are done by the blocks of a GPU, line by line";
  let description = [{
    A composite `forge.fft` of parts, as `forge-split-complex` makes them for GPUs, becomes `forge.fft_lines` along each dimension of
    8 numbers or more whose prime factors are at most 13, if a line fits in the memory of a block; longer dimensions are two of
    these with factors in between, where they have such factors, and others products, as in the decomposition. Zeros behind the
    numbers of a line (`stablehlo.pad`) are not read. A composite without any such dimension, or whose attributes or types
    are not those of a transform, stays.

    ```mlir
    %re, %im = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "rfft"}, decomposition = @forge.fft.0}
      : (tensor<4x16xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
    // becomes
    %re, %im = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
    ```

    Numerics: as `convert-forge-to-linalg`; errors are less than those of the decomposition.
  }];
  let options = [
    Option<"blockBytes", "block-bytes", "int64_t", /*default=*/"49152", "Bytes of memory that a block may have">
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ChannelsLastPass : Pass<"forge-channels-last", "::mlir::ModuleOp"> {
  let summary = "Puts the features of convolutions innermost, in multiples of 8";
  let description = [{
    A `stablehlo.convolution` of 16-bit floats, or of f32 and a multiple of 8 input features, of one group and known
    sizes, becomes one of `[b, places, f]` by `[places, i, o]` to `[b, places, f]`, with `stablehlo.transpose` around it where an operand or the result is another
    way: matrix units read windows of such images where they are. Elementwise operations, padding, windows of reductions
    and reductions of its result are computed in that order too, if all operands are known in it. Input features of 16-bit floats that are not a multiple of 8, as those of the first convolution of a model, get zeros
    behind them, where windows have more than one place and there are 16 output features or more. Gradients of kernels,
    whose batch is innermost, stay.

    ```mlir
    %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], ...
    // becomes
    %t = stablehlo.transpose %x, dims = [0, 2, 3, 1] : ...
    %k = stablehlo.transpose %w, dims = [2, 3, 1, 0] : ...
    %r = stablehlo.convolution(%t, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], ...
    %y = stablehlo.transpose %r, dims = [0, 3, 1, 2] : ...
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def ExpandLinearAlgebraPass : Pass<"forge-expand-linear-algebra", "::mlir::ModuleOp"> {
  let summary = "Writes factorizations of matrices as loops over their columns";
  let description = [{
    `custom_call @Qr` and `@ProductOfElementaryHouseholderReflectors`, which JAX writes where a
    platform has no library of its own, on f32, f64 and complex matrices of known sizes; what JAX
    writes for its CPU backend, `custom_call @lapack_{s,d,c,z}NAME_ffi` for `geqrf`, `orgqr` and
    `ungqr` (these two), `getrf`, `potrf` (a `stablehlo.cholesky`) and `trsm` (a
    `stablehlo.triangular_solve`); what it writes for CUDA, `@cusolver_NAME_ffi` for the same
    functions and `@cu_lu_pivots_to_permutation`; and `stablehlo.triangular_solve` and
    `stablehlo.cholesky` of complex matrices. Others stay.

    ```mlir
    %r, %taus = stablehlo.custom_call @Qr(%a) : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
    // becomes
    %0:3 = stablehlo.while(%k = %zero, %x = %a, %t = %none) : ...
    ```

    Numerics: those of LAPACK's unblocked algorithms; squares of a column's elements may overflow.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def BlockLinearAlgebraPass : Pass<"forge-block-linear-algebra", "::mlir::ModuleOp"> {
  let summary = "Factors and solves large matrices by blocks of rows";
  let description = [{
    `stablehlo.cholesky` and `stablehlo.triangular_solve` of f32 and f64 matrices of known sizes with
    more than 64 rows become loops over blocks of rows: products of matrices, the factors of the
    blocks on the diagonal, and their inverses (systems) or substitution (factors on GPUs). Others
    stay.

    | who does a block | rows of a factor's | rows of a system's |
    |---|---|---|
    | one thread | 16 | 32 |
    | the threads of a block with `block-bytes` of memory | 64, or 128 if these fit | likewise |

    Matrices that such a block of threads has memory for, of up to 128 rows, stay, too.

    ```mlir
    %l = stablehlo.cholesky %a, lower = true : tensor<128x128xf32>
    // becomes
    %l = stablehlo.while(%step = %zero, %known = %zeros) : ...
      do {
        %products = stablehlo.dot_general %known, %rows, contracting_dims = [1] x [1], ...
        %factor = stablehlo.cholesky %block, lower = true : tensor<16x16xf32>
        ...
    ```

    Numerics: each block of a solution is multiplied by the inverse of its diagonal block, which errs
    by the condition number of that block, where substitution does not.
  }];
  let options = [
    Option<"blockBytes", "block-bytes", "int64_t", /*default=*/"0",
           "Bytes of memory of a block of threads that factors matrices and solves systems; 0: one thread does">,
    Option<"leastColumns", "least-columns", "int64_t", /*default=*/"1", "Columns of a system, below which it stays">
  ];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def ExpandRngPass : Pass<"forge-expand-rng", "::mlir::ModuleOp"> {
  let summary = "Makes random numbers without a state those of a generator that counts draws";
  let description = [{
    The n-th `stablehlo.rng` that a run of a function executes, counted from 0, takes the bits of a
    `stablehlo.rng_bit_generator` by philox with n as the high word of its counter. The number of the
    next draw goes through loops and branches as one more value. Draws in the condition of a
    loop, in bodies of reductions and the like, and in functions that are not inlined are refused.

    ```mlir
    %r = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<8xi32>
    // becomes
    %state = stablehlo.concatenate %key, %zero, %n, dim = 0 : ... -> tensor<3xui64>
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui64>)
    %above = stablehlo.remainder %bits, %size : tensor<8xui64>
    %sum = stablehlo.add %above, %low : tensor<8xui64>
    ...
    ```

    Numerics: computed in f64 and rounded once to the type of the result.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect", "::forge::chlo::CHLODialect"];
}

def InlineCallsPass : Pass<"forge-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inlines every call and composite, then drops private functions nothing refers to";
  let description = [{
    `call` and `stablehlo.composite` become the body of the function they name; what follows sees
    one function per entry point. A recursive call is an error at the call, and so is a module that
    would grow beyond a million ops. Functions with the attribute `keep` names, and their calls, stay
    as they are: kernel functions of a file.

    ```mlir
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %a, %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %a, %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    Numerics: bit-exact.
  }];
  let options = [
    Option<"keep", "keep", "std::string", "", "An attribute of functions that stay functions">
  ];
}

def JoinScattersPass : Pass<"forge-join-scatters", "::mlir::ModuleOp"> {
  let summary = "Makes one scatter of several into zeros that are added up";
  let description = [{
    The gradient of several lookups in one table is a sum of a scatter for each of them, into zeros of the size of the
    table. They become one of all updates, also where each is reshaped, transposed, repeated or padded with zeros
    alike before the sum, as where the table is a slice of a larger one: these are then applied to the sum.

    ```mlir
    %a = "stablehlo.scatter"(%zeros, %i, %x) ({ ... stablehlo.add ... }) : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
    %b = "stablehlo.scatter"(%zeros, %j, %y) ({ ... stablehlo.add ... }) : (tensor<100x8xf32>, tensor<2x3x1xi32>, tensor<2x3x8xf32>) -> tensor<100x8xf32>
    %s = stablehlo.add %a, %b
    // becomes
    %k = stablehlo.concatenate %i, reshape(%j), dim = 0 : tensor<10x1xi32>
    %z = stablehlo.concatenate %x, reshape(%y), dim = 0 : tensor<10x8xf32>
    %s = "stablehlo.scatter"(%zeros, %k, %z) ({ ... stablehlo.add ... })
    ```

    Numerics: sums of a row of the table are added up in another order.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def MultiplyTablesPass : Pass<"forge-multiply-tables", "::mlir::ModuleOp"> {
  let summary = "Multiplies tables instead of the many rows that are looked up in them"
                ", and sums of rows instead of rows";
  let description = [{
    A graph network looks up the features of its nodes for each edge, and multiplies them: with 65,536 edges between
    4,096 nodes, the product of the nodes' features, looked up, takes a sixteenth of the operations. Of f32 and f64,
    where a table has at most a fourth of the rows that are looked up in it:

    - a product of looked-up rows is looked up in the product of the table;
    - a product with looked-up rows along the sum (a gradient of weights) is one of the table with the sums of the
      other factor's rows that each row of the table is looked up for;
    - the sums of rows of a product (a gradient of a table) are the product of the sums of its left factor's rows;
    - a factor that is a concatenation of columns, most of them looked up, is divided into its parts before, and a
      product of which only slices of columns are read into these.

    Indices that are not in the table are clamped by a lookup and left out by a scatter; sums for either have two more
    rows for them, so that the gradients of a lookup and of the weights behind it share one scatter. Rows of a table
    that no index is for are multiplied as zeros: they need not be finite.

    ```mlir
    %x = "stablehlo.gather"(%nodes, %i) : (tensor<4096x64xf32>, tensor<65536x1xi32>) -> tensor<65536x64xf32>
    %y = stablehlo.dot_general %x, %w : (tensor<65536x64xf32>, tensor<64x32xf32>) -> tensor<65536x32xf32>
    // becomes
    %p = stablehlo.dot_general %nodes, %w : (tensor<4096x64xf32>, tensor<64x32xf32>) -> tensor<4096x32xf32>
    %y = "stablehlo.gather"(%p, %i) : (tensor<4096x32xf32>, tensor<65536x1xi32>) -> tensor<65536x32xf32>
    ```

    Numerics: sums are added up in another order.
  }];
  let options = [
    Option<"leastWork", "least-work", "int64_t", /*default=*/"1 << 24",
           "Multiply-adds of a product, below which it stays as it is">
  ];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def LegalizeChloPass : Pass<"forge-legalize-chlo", "::mlir::ModuleOp"> {
  let summary = "Rewrites the broadcasting ops of chlo as broadcasts and plain ops";
  let description = [{
    `chlo.broadcast_add` and its like become the `stablehlo` (or `chlo`) op of the same name on
    operands that were brought to one shape before; dynamic sizes are computed from the operands.
    `chlo.scan` becomes a `stablehlo.reduce_window` where it is a running reduction from a neutral
    element, else a `stablehlo.while`, and `chlo.ragged_dot` a `stablehlo.dot_general` that takes as many
    products as there are groups. The math functions of chlo stay: they are lowered with those of
    stablehlo.

    ```mlir
    %r = chlo.broadcast_add %a, %b : (tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x3xi32>
    // becomes
    %x = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x3xi32>
    %y = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xi32>) -> tensor<4x3xi32>
    %r = stablehlo.add %x, %y : tensor<4x3xi32>
    ```

    Numerics: bit-exact, but for running sums, which targets may associate otherwise.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def NarrowFactorsPass : Pass<"forge-narrow-factors", "::mlir::ModuleOp"> {
  let summary = "Multiplies factors in 16 bits where that is what a product asks for";
  let description = [{
    The factors of a `stablehlo.dot_general` that gives f32 are converted to bf16, or to f16, where

    1. both were widened from that type: the products are the same;
    2. its algorithm names the type for both, with one component of each; or
    3. one was widened from bf16, no precision is asked for, and it is one of the gradients of
       attention: the softmax's weights and the gradients of its logits are rounded, as where
       attention is one operation.

    Other products of f32 stay. A scalar that multiplies or divides a factor moves behind the product
    where both can then be narrow, as queries that are widened before they are divided by the root
    of their length: the product rounds once what each element would have. Whether any number of a
    row is not -inf, as PyTorch's attention asks of its scores, becomes a comparison of the row's
    maximum.

    ```mlir
    %k = stablehlo.convert %key : (tensor<8x64xbf16>) -> tensor<8x64xf32>
    %dq = stablehlo.dot_general %ds, %k, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
    // becomes
    %r = stablehlo.convert %ds : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %dq = stablehlo.dot_general %r, %key, contracting_dims = [1] x [0] : (tensor<16x8xbf16>, tensor<8x64xbf16>) -> tensor<16x64xf32>
    ```

    Numerics: 1 the order of sums; 2 and 3 the rounding of factors to 16 bits, which the error model
    knows ([numerics.md](../numerics.md)).
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def SelectScattersPass : Pass<"forge-select-scatters", "::mlir::ModuleOp"> {
  let summary = "Makes scatters of one element a row into zeros a choice";
  let description = [{
    A `stablehlo.scatter` into zeros that puts one element into each row along a dimension, as the gradient of JAX's
    `take_along_axis` does, becomes a choice between that and 0, which fusion computes where it is read: the gradient of
    a loss needs no tensor of the size of the logits for it. Places outside are in no row, as before.

    ```mlir
    %r = "stablehlo.scatter"(%zeros, %ids, %x) ({ ... stablehlo.add ... }) : (tensor<8x50257xf32>, tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x50257xf32>
    // becomes
    %i = stablehlo.iota dim = 1 : tensor<8x50257xi32>
    %c = stablehlo.compare EQ, %i, broadcast(%ids)
    %r = stablehlo.select %c, broadcast(%x), %zeros
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

def RaiseCompositesPass : Pass<"forge-raise-composites", "::mlir::ModuleOp"> {
  let summary = "Makes composites with the name of an operation of chlo that operation";
  let description = [{
    Portable artifacts have operations of chlo as `stablehlo.composite`, with a decomposition that may be much slower
    (a scan as a loop). A composite whose name, attributes and regions make a valid operation of chlo becomes it; others
    stay calls of their decomposition.

    ```mlir
    %v:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 3 : i64}, decomposition = @chlo.top_k.impl}
      : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    // becomes
    %v, %i = chlo.top_k(%x, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
    ```

    Numerics: those of the operation; a decomposition may round more often.
  }];
  let dependentDialects = ["::forge::chlo::CHLODialect"];
}

def SplitComplexPass : Pass<"forge-split-complex", "::mlir::ModuleOp"> {
  let summary = "Takes complex numbers apart into their real and imaginary parts";
  let description = [{
    A tensor of complex numbers becomes two of floats: its real and its imaginary parts. Of a public
    function an argument or result stays one tensor, whose last dimension of 2 holds the parts of a
    number next to each other, as they are in memory; it is marked `forge.complex`. `stablehlo.fft`
    becomes a composite `forge.fft`, whose decomposition are products with matrices of roots of unity, of any length up to 2^31:
    a library may know better (`forge-call-fft`), or the blocks of a GPU (`forge-fft-to-lines`). Refused are operations
    of complex numbers that are not listed in the documentation, and transforms of a length known only at run time.

    ```mlir
    func.func @main(%z: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
      %r = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    // becomes
    func.func @main(%z: tensor<4x2xf32> {forge.complex}) -> tensor<4xf32> {
      %0 = stablehlo.slice %z [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %r = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```

    Numerics: within some units in the last place of the absolute value of each number; sums and
    products are those of the parts.
  }];
  let options = [
    Option<"forGPU", "for-gpu", "bool", "false", "Fourier transforms are few large products, and composites of parts">
  ];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect", "::forge::chlo::CHLODialect",
                           "::mlir::func::FuncDialect"];
}

def SwapConvolutionsPass : Pass<"forge-swap-convolutions", "::mlir::ModuleOp"> {
  let summary = "Exchanges image and kernel of convolutions whose kernel has more places";
  let description = [{
    A `stablehlo.convolution` with strides of 1 and a kernel of at least twice as many places as its image, as gradients of
    gradients and of transposed convolutions are, multiplies mostly zeros of padding or dilation. It becomes one of the kernel
    by the image, with as many fewer products, from which fewer patches are cut; kernel and image, or the result, are turned
    round. Groups of features or of the batch become groups of the batch. Floats of one type and known sizes.

    ```mlir
    %r = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[12, 11], [12, 11]], rhs_dilate = [2, 2]} ... : (tensor<64x3x3x64xf32>, tensor<7x7x64x800xf32>) -> tensor<64x14x14x800xf32>
    // becomes
    %t = stablehlo.reverse %g, dims = [0, 1] : tensor<7x7x64x800xf32>
    %r = stablehlo.convolution(%t, %x) dim_numbers = [0, 1, f, b]x[o, 0, 1, i]->[f, 0, 1, b], window = {pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], reverse = [true, true]} ... : (tensor<7x7x64x800xf32>, tensor<64x3x3x64xf32>) -> tensor<64x14x14x800xf32>
    ```

    Numerics: sums of fewer terms, in another order; products of infinities and NaN with zeros of padding are left out, so that
    a place which only those reach is a number.
  }];
  let dependentDialects = ["::forge::stablehlo::StableHLODialect"];
}

#endif
