// Passes of lib/Codegen/Contraction: matrix products on the CPU.
#ifndef FORGE_CODEGEN_CONTRACTIONPASSES
#define FORGE_CODEGEN_CONTRACTIONPASSES

include "mlir/Pass/PassBase.td"

def FuseNarrowFactorsPass : Pass<"forge-fuse-narrow-factors", "::mlir::func::FuncOp"> {
  let summary = "Puts what widens a factor of few bits into the product that reads it";
  let description = [{
    A matrix of 8 or 4 bits, or of a GGUF file's blocks, is made numbers of the model's type by an elementwise operation.
    Where a product alone reads them, that operation becomes a part of the product's body, so that no wider matrix is
    written to memory and read again: `forge-lower-contractions` computes neighbours along k together in registers, or, for
    many rows, in panels of its tasks. Only factors that are made of at most three quarters of their bytes, and of
    elements that neighbours along k have in common or next to each other. Products of bf16 that the processor has an
    instruction for are left alone, but for few rows.

    ```mlir
    %w = linalg.generic {...} ins(%i : tensor<2048x2048xi8>) ... { arith.sitofp : i8 to bf16 }
    %c = linalg.generic {... "reduction"]} ins(%a, %w : tensor<1x2048xbf16>, tensor<2048x2048xbf16>) ...
    // becomes
    %c = linalg.generic {... "reduction"]} ins(%a, %i : tensor<1x2048xbf16>, tensor<2048x2048xi8>) ...
    ```

    Numerics: bit-exact; the same numbers are multiplied.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"host\"",
           "processor: host, avx512-bf16, avx512, avx2 or generic">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def LowerContractionsPass : Pass<"forge-lower-contractions", "::mlir::ModuleOp"> {
  let summary = "Lowers matrix products on buffers to tiled, packed vector code";
  let description = [{
    Replaces every contraction of floats over memrefs (linalg.matmul, batch_matmul, matvec, or a linalg.generic whose
    body adds a product of its two inputs: any number of batch, m, n and k loops, any strides, static or dynamic sizes;
    one input may be read by windows, as a convolution reads its image)
    by a call of a private function, one for each distinct kernel. Three strategies: `packed` for matrices, `stream` and
    `dot` for few rows. A large second factor that is contiguous along k is read where it is, without panels: the factors change
    places, and tiles are turned in registers when they are written. With `stage_b` a task of `packed` copies the panel of the second
    factor that its tiles read to memory of its own, and the microkernel of its last tiles asks for the next one. The schedule is written to the function as `forge.schedule`, and one found on the operation is
    filled up by the heuristics. A fill with zero right before is absorbed. Other operations, and contractions
    whose strides no strategy takes, are left to the lowering to plain loops.

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
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // FORGE_CODEGEN_CONTRACTIONPASSES
