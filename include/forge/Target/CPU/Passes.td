// Passes of the CPU target, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_TARGET_CPU_PASSES
#define FORGE_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CarryInPlacePass : Pass<"forge-carry-in-place"> {
  let summary = "Writes what a loop carries into the buffer it came in";
  let description = [{
    Bufferization gives a value that a loop yields a new buffer in every iteration, unless it is in the buffer of
    its loop argument. For each tensor that `scf.for` and `scf.while` carry, this pass yields the tensor materialized
    in that buffer; the copy vanishes where the value is computed there already (a cache updated in place) or can be
    computed there. Values that may be read from the buffer of another argument of the loop (a swap), or from that of
    another value carried (one value for two arguments), are copied out first. Where a branch hands on one argument or
    another, they are copied in the branch: bufferization would take the two for one buffer.

    In kernel functions, all branches of `scf.if` write the destination that one of them writes.

    ```mlir
    scf.for ... iter_args(%a = %init) -> tensor<8xf32> {
      %new = linalg.generic ... -> tensor<8xf32>
      scf.yield %new
    // becomes
      %in_place = bufferization.materialize_in_destination %new in %a
      scf.yield %in_place
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::scf::SCFDialect"];
}

def ConvertToLLVMPass : Pass<"forge-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts functions on memrefs, scalars and vectors to the LLVM dialect";
  let description = [{
    One dialect conversion for everything below structured control flow. Memory comes from the runtime's arena
    (`forge_rt_alloc`; dynamic sizes are multiplied with overflow checks), assertions end the run through
    `forge_rt_assert`, and every public function gets an entry `NAME__packed(void **args)`: args[0] points to the
    descriptors of the results, one after the other, args[1 + i] to the descriptor of argument i.

    A private function without a body and with an attribute `forge.assert_message` becomes an assertion: its first
    argument is the condition, the others, integers, replace "{0}", "{1}" ... in the message.

    ```mlir
    func.func private @assert_0(i1, i64) attributes {forge.assert_message = "expected a multiple of 8, but got {0}"}
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FreeBuffersPass : Pass<"forge-free-buffers", "::mlir::func::FuncOp"> {
  let summary = "Gives buffers back to the arena after their last use; small ones are on the stack";
  let description = [{
    A buffer that is not used outside of the block that allocates it is given back after the last operation of the
    block that may read or write it, by itself or through a view. One of static size up to `stack-bytes` is taken from
    the function's stack instead, at the function's entry, up to `stack-budget` bytes in all. One of static size up to
    `hoist-bytes` that each iteration of a loop makes anew is made once, before the outermost such loop. The result of an
    `scf.if` is such a buffer if every branch yields one of its own; where only some do, the others yield a copy.
    What leaves a block in another way stays until the end of the run, when the arena takes everything back.

    Numerics: bit-exact.
  }];
  let options = [
    Option<"stackBytes", "stack-bytes", "int64_t", /*default=*/"1024", "Largest buffer that goes to the stack">,
    Option<"stackBudget", "stack-budget", "int64_t", /*default=*/"16384", "Bytes of the stack a function may take">,
    Option<"hoistBytes", "hoist-bytes", "int64_t", /*default=*/"262144",
           "Largest buffer that serves all iterations of a loop">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def HoistReadsPass : Pass<"forge-hoist-reads"> {
  let summary = "Reads in front of the innermost dimension of parallel loops what it does not change";
  let description = [{
    The innermost dimension of an `scf.parallel` of two dimensions or more becomes an `scf.for` of its own where the body
    reads something that is the same in each of its iterations: an entry of a table that says which row of a tensor
    is read, as of a gather, or of pages of keys. What is read and computed alike comes in front of the loop. LLVM does not know that
    what the loop writes is not what it reads there, and would read it again for each element, one by one.

    Iterations of a parallel loop do not depend on each other: none reads what another writes. The innermost dimension
    has two iterations or more, known from its bounds, so that the pass adds no read.

    ```mlir
    scf.parallel (%i, %d) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
      %row = memref.load %table[%i] : memref<8xindex>
      %x = memref.load %rows[%row, %d] : memref<32x16xf32>
      memref.store %x, %y[%i, %d] : memref<8x16xf32>
      scf.reduce
    }
    // becomes
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      %row = memref.load %table[%i] : memref<8xindex>
      scf.for %d = %c0 to %c16 step %c1 {
        %x = memref.load %rows[%row, %d] : memref<32x16xf32>
        memref.store %x, %y[%i, %d] : memref<8x16xf32>
      }
      scf.reduce
    }
    ```

    Numerics: bit-exact; elements are what they were.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def InlinePartsPass : Pass<"forge-inline-parts", "::mlir::ModuleOp"> {
  let summary = "Puts the functions of forge-outline-parts back where they came from";
  let description = [{
    Every function marked `forge.part` has one call, whose place its operations take.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LowerCopiesPass : Pass<"forge-lower-copies", "::mlir::func::FuncOp"> {
  let summary = "Copies between buffers that are not contiguous become linalg operations";
  let description = [{
    A `memref.copy` of contiguous buffers is one memcpy; any other becomes an elementwise `linalg.generic`, for the
    loops that follow to vectorise. Copies of a buffer to itself vanish.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LowerExpansionsPass : Pass<"forge-lower-expansions"> {
  let summary = "Makes expansions to several open sizes views by sizes and strides";
  let description = [{
    MLIR's expand-strided-metadata computes one size of a group from the others, and takes no expansion of one
    dimension to several of which more than one is known at run time only. Here the sizes are the operands of
    `memref.expand_shape`, the strides products of them, and the view is a `memref.reinterpret_cast`.

    ```mlir
    %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>
    // becomes
    %base, %offset, %size, %stride = memref.extract_strided_metadata %x
    %0 = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b], strides: [%b, 1]
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LowerFftPass : Pass<"forge-lower-fft", "::mlir::ModuleOp"> {
  let summary = "Fourier transforms of buffers become calls of the runtime";
  let description = [{
    ```mlir
    forge.fft rfft 1 ins(%x : memref<4x16xf32>) outs(%y : memref<4x9x2xf32>)
    // becomes
    call @forge_rt_fft_f32(%kind, %dims, %unranked_x, %unranked_y) : (i64, i64, memref<*xf32>, memref<*xf32>) -> ()
    ```

    Numerics: those of the library.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def LowerVectorsPass : Pass<"forge-lower-vectors", "::mlir::func::FuncOp"> {
  let summary = "Vector operations in the forms the LLVM dialect has";
  let description = [{
    Masks become comparisons; contractions, transposes, broadcasts and shape casts of several dimensions become
    operations on vectors of one; slices become shuffles.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def MarkArgumentsPass : Pass<"forge-mark-arguments", "::mlir::ModuleOp"> {
  let summary = "Says which arguments bufferization may overwrite";
  let description = [{
    Arguments of public functions belong to the caller: they are read-only unless given away, by `tf.aliasing_output`
    or `jax.buffer_donor` as JAX prints them. A donated argument may be updated in place.

    ```mlir
    func.func @step(%cache: tensor<8x128xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x128xf32>)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def MathToLibmPass : Pass<"forge-math-to-libm", "::mlir::ModuleOp"> {
  let summary = "Calls libm for the math functions that LLVM has no accurate intrinsic for";
  let description = [{
    tanh, erf, expm1, log1p, the inverse and hyperbolic functions: scalar calls, on f32 and f64; narrower floats are
    widened to f32, vectors taken apart. What has an LLVM intrinsic (exp, log, sqrt, sin ...) is left, and so is what
    is in a `gpu.module`.

    Numerics: as accurate as the C library, within 1 ulp or 2.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

def OutlineLoopsPass : Pass<"forge-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Makes functions of the loops of a function that has a great many";
  let description = [{
    LLVM's passes over loops take time by the square of their number in a function: a gradient of 24 layers has two
    thousand in one. In a function of more than `max-loops` loops, nested ones included, each outermost loop that yields
    nothing moves into a private function, which is called in its place and not inlined again. A loop that holds more
    than `max-loops` itself stays, and those inside it move.

    ```mlir
    scf.for %i = %c0 to %c8 step %c1 { ... %a ... }
    // becomes, in a function of many loops
    call @main__loop_0(%a)
    ```

    Numerics: bit-exact.
  }];
  let options = [
    Option<"maxLoops", "max-loops", "int64_t", /*default=*/"128",
           "Loops up to which a function stays as it is">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def OutlineParallelPass : Pass<"forge-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Makes functions of the bodies of parallel loops, called by the runtime on all cores";
  let description = [{
    An outermost `scf.parallel` or `scf.forall` on buffers whose work pays for waking the threads becomes a call of
    `forge_rt_parallel_for` on a function that runs a range of its iterations. Only as many of the outer dimensions
    are shared out as give every thread some chunks; the inner ones stay loops inside, which vectorise. The others,
    and loops with reductions, stay sequential. Equal loops, such as those of a model's layers, call one function.

    The call is written `call @BODY__launch(%begin, %end, %grain, captured values...)`, to a function without a body
    that says `forge.parallel_body = @BODY`; forge-convert-to-llvm fills it in.

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c1024, %c4096) step (%c1, %c1) { ... %a ... }
    // becomes
    func.call @main__parallel_0__launch(%c0, %c1024, %c16, %a)
    func.func private @main__parallel_0(%from: index, %to: index, %a: memref<1024x4096xf32>) {
      scf.for %i = %from to %to step %c1 {
        scf.for %j = %c0 to %c4096 step %c1 { ... %a ... }
    ```

    Numerics: bit-exact; iterations do not depend on each other.
  }];
  let options = [
    Option<"minWork", "min-work", "int64_t", /*default=*/"32768",
           "Operations, eight lanes of a vector as one, below which a loop stays sequential">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}

def OutlinePartsPass : Pass<"forge-outline-parts", "::mlir::ModuleOp"> {
  let summary = "Makes functions of deep loops and long chains of updates while they are bufferized";
  let description = [{
    MLIR's one-shot bufferization compares all reads and writes of what may be one buffer, once for each operation, so
    a chain of n updates takes time by the cube of n; and the type of a buffer that n nested loops carry takes time by
    a power of n. It looks at functions one by one, though, and at a call as at one operation. So every `max-length`
    updates of a chain (slices, elements or calls, each of the result of the one before, as the operands of a
    concatenation are written) become a function, as many calls of such functions one more, and so on; and so does
    every loop that holds `max-depth - 1` others within each other. Each is marked `forge.part`;
    `forge-inline-parts` undoes it all.

    ```mlir
    %1 = tensor.insert_slice %a into %0 ...
    %2 = tensor.insert_slice %b into %1 ...
    // becomes, in a long chain
    %2 = call @main__part(%a, %0, %b)
    ```

    Numerics: bit-exact.
  }];
  let options = [
    Option<"maxLength", "max-length", "int64_t", /*default=*/"8", "Updates in a chain of one function">,
    Option<"maxDepth", "max-depth", "int64_t", /*default=*/"4", "Loops within each other in one function">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def RecordSignaturesPass : Pass<"forge-record-signatures", "::mlir::ModuleOp"> {
  let summary = "Writes on each entry what it takes and gives";
  let description = [{
    Public functions get their types and donated arguments as an attribute, unless they have it. Later phases drop signs
    of integers, and at last the types themselves; a file of such a phase still says how its entries are called.

    ```mlir
    func.func @main(%a: tensor<4xui8>) -> tensor<4xf32>
    // becomes
    func.func @main(%a: tensor<4xui8>) -> tensor<4xf32>
        attributes {forge.signature = {donated = array<i64>, type = (tensor<4xui8>) -> tensor<4xf32>}}
    ```

    Numerics: bit-exact.
  }];
}

def ScalarizeLoopsPass : Pass<"forge-scalarize-loops"> {
  let summary = "Turns tensors of one scalar into scalars, and counting while loops into for loops";
  let description = [{
    StableHLO has no scalars: a loop counter is a `tensor<i32>`. Operations on tensors of rank 0 become scalar
    operations, `scf.while` carries scalars instead of such tensors, and a loop that counts up by a constant to a fixed
    bound becomes `scf.for`, which bufferizes in place and whose body the passes after it understand.

    Numerics: bit-exact.
  }];
  let options = [
    Option<"integersOnly", "integers-only", "bool", /*default=*/"false",
           "Leave floats in tensors: on a GPU they are data, which the host does not wait for">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def SeparateEmptiesPass : Pass<"forge-separate-empties"> {
  let summary = "Gives every use of an empty tensor an empty tensor of its own";
  let description = [{
    An empty tensor has no content to lose, so bufferization sees no conflict between two writes to one of them: two
    loop arguments that start from the same `tensor.empty` (which CSE makes one of) would share one buffer. After this
    pass each has its own.

    Numerics: bit-exact.
  }];
}

def SwitchesToIfsPass : Pass<"forge-switches-to-ifs"> {
  let summary = "Turns switches over tensors into chains of scf.if";
  let description = [{
    One-Shot Bufferize does not know that what a branch of `scf.index_switch` yields shares its buffer with the switch's
    result (it does for `scf.if`): the result of a switch that hands on an argument would be written in place although
    the argument is read later. After this pass no switch has a tensor as a result.

    ```mlir
    %r = scf.index_switch %i -> tensor<4xf32>
    case 0 { scf.yield %a : tensor<4xf32> }
    default { scf.yield %b : tensor<4xf32> }
    // becomes
    %is_0 = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %is_0 -> tensor<4xf32> { scf.yield %a : tensor<4xf32> } else { scf.yield %b : tensor<4xf32> }
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // FORGE_TARGET_CPU_PASSES
