// Passes of kernel formation, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_KERNELS_PASSES
#define FORGE_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def AlternateBuffersPass : Pass<"forge-alternate-buffers", "::mlir::ModuleOp"> {
  let summary = "Lets two steps of a loop hand their buffers to and fro";
  let description = [{
    Where a kernel reads what `scf.for` carries, and computes the next value in a buffer of its own, that is copied to
    where the next step reads it. With two steps in an iteration the first reads one buffer and writes the other, and
    the second the other way round: nothing is copied. Loops of at least 4 steps, a number known at compile time, with up
    to 32 calls of kernels and no loops inside; a step that is left over follows the loop.

    ```mlir
    scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) {
      %b = call @k(%a, %empty)
      scf.yield %b
    // becomes
    scf.for %i = %c0 to %c8 step %c2 iter_args(%a = %x) {
      %b = call @k(%a, %empty)
      %c = call @k(%b, %empty)
      scf.yield %c
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def DropReferencesPass : Pass<"forge-drop-references", "::mlir::ModuleOp"> {
  let summary = "Removes the functions that say what tile programs compute";
  let description = [{
    `forge verify` runs the function that `forge.reference` names instead of the tile program that has the attribute.
    Compiled code needs neither; private functions that nothing else uses go.

    ```mlir
    func.func private @rows(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {forge.kernel, forge.reference = @linalg}
    func.func private @linalg(%x: memref<8x8xf32>, %y: memref<8x8xf32>) { ... }
    // becomes
    func.func private @rows(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {forge.kernel}
    ```

    Numerics: none; nothing that is run changes.
  }];
}

def FormKernelsPass : Pass<"forge-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes the host function a sequence of calls of kernel functions on tensors";
  let description = [{
    Every operation that computes elements becomes a private function with the attribute `forge.kernel`, and a call of
    it: linalg operations, insertions, and loops over scalars (a sort, a scatter, a scan). What an operation takes
    along: the fill it starts from, the slices it reads, its constants, and scalars that depend on an element of a
    tensor, so that the host need not read it. Loops and branches around such operations stay on the host, with the
    arithmetic of sizes and counters.

    A kernel function is in destination-passing style: its results are computed in arguments
    (`forge-results-to-arguments` sees to those that are not).

    ```mlir
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    // becomes
    %1 = call @matmul(%a, %b, %empty) : ...
    func.func private @matmul(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
      attributes {forge.kernel} { fill, matmul }
    ```

    Numerics: bit-exact; the same operations in the same order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergeKernelsPass : Pass<"forge-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Keeps one of the kernel functions whose types and bodies are equal";
  let description = [{
    Kernel functions are compared by their text without names and locations; calls of those that go call the one that
    stays. A model of 32 equal layers compiles the kernels of one.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ResultsToArgumentsPass : Pass<"forge-results-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Makes kernel functions on buffers compute their results in arguments";
  let description = [{
    Bufferization leaves a kernel that returns a buffer where the result is not one of the kernel's arguments on every
    path: a branch that hands on what it was given, or a loop that still reads what it overwrites. The caller allocates
    that buffer, too, and passes it as a last argument; the kernel computes the result there if it made the buffer
    itself, and else copies it at the end.

    ```mlir
    func.func private @loop(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) -> memref<4xf32> attributes {forge.kernel} {
      %r = scf.if %p -> memref<4xf32> { ... scf.yield %y } else { scf.yield %x }
      return %r
    // becomes
    func.func private @loop(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1, %out: memref<4xf32>) attributes {forge.kernel} {
      %r = scf.if %p -> memref<4xf32> { ... scf.yield %y } else { scf.yield %x }
      memref.copy %r, %out
      return
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def ShareScalarsPass : Pass<"forge-share-scalars", "::mlir::func::FuncOp"> {
  let summary = "Computes scalars once which threads of kernels would compute each for itself";
  let description = [{
    A scalar that depends on elements of tensors is computed by the kernels that read it (`forge-form-kernels`), each of whose
    threads does all of its arithmetic. That of a norm over the gradients of a hundred tensors is a hundred additions, in the
    kernel of each tensor. Where the threads would take longer for it than a launch takes, or several kernels would repeat many
    operations, a fill computes the scalar, in a tensor of rank 0 that the others read. Shared are scalars that a kernel reads,
    and those that several others are computed of.

    ```mlir
    %norm = math.sqrt %sum : f32                      // of a hundred elements of other tensors
    %0 = linalg.generic ins(%a : tensor<4096x4096xf32>) ... { arith.divf %x, %norm }
    // becomes
    %1 = linalg.fill ins(%norm : f32) outs(%empty : tensor<f32>) -> tensor<f32>
    %shared = tensor.extract %1[] : tensor<f32>
    %0 = linalg.generic ins(%a : tensor<4096x4096xf32>) ... { arith.divf %x, %shared }
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def UpdateInPlacePass : Pass<"forge-update-in-place", "::mlir::ModuleOp"> {
  let summary = "Lets elementwise kernels overwrite what a loop carries";
  let description = [{
    A kernel that computes the next value of a tensor that `scf.for` or `scf.while` carries, element by element of the value it
    reads (sums of gradients over steps, the iterates of a solver), gets that tensor as the destination, in place of a new one: a
    variant of the kernel reads the argument that it writes, and no step copies a buffer. This is done for kernels of one
    elementwise operation whose old value no operation after the call reads.

    ```mlir
    scf.while (%a = %x) ... do {
      %b = func.call @elementwise(%a, %y, %empty)
      scf.yield %b
    // becomes
      %b = func.call @elementwise_in_place(%y, %a)
      scf.yield %b
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // FORGE_KERNELS_PASSES
