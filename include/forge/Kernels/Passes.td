// Passes of kernel formation, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_KERNELS_PASSES
#define FORGE_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def FormKernelsPass : Pass<"forge-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes the host function a sequence of calls of kernel functions on tensors";
  let description = [{
    Every operation that computes elements becomes a private function with the attribute `forge.kernel`, and a call of
    it: linalg operations, insertions, and loops over scalars (a sort, a scatter, a scan). What an operation takes
    along: the fill it starts from, the slices it reads, its constants, and scalars that depend on an element of a
    tensor, so that the host need not read it. Loops and branches around such operations stay on the host, with the
    arithmetic of sizes and counters.

    A kernel function is in destination-passing style: its results are computed in arguments.

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

#endif // FORGE_KERNELS_PASSES
