// Conversion of the forge dialect's operations.
#ifndef FORGE_CONVERSION_FORGETOLINALG_PASSES
#define FORGE_CONVERSION_FORGETOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertForgeToLinalgPass : Pass<"convert-forge-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Writes Fourier transforms of lines as loops for the blocks of a GPU";
  let description = [{
    `forge.fft_lines` becomes a loop over tiles of lines, each a block's (`forge.independent`), and in it a loop for each
    pass, whose steps the threads of the block share (`forge.shared`). A step reads as many numbers of a line as the radix
    of its pass is, 16 at most, from places that are equally far apart, turns them, transforms them in registers, and
    writes them where the next pass reads them (Stockham's order, so that no pass puts numbers in another order; Govindaraju et
    al., High Performance Discrete Fourier Transforms on Graphics Processors, SC 2008). The first pass reads the operands, the last one
    writes the results, and what is in between is the block's. Lines of real numbers, or that give real numbers, are transformed in
    pairs. Zeros behind a line and imaginary parts of zeros are not read; what only a later `tensor.extract_slice` leaves, and
    imaginary parts that nothing reads, are not written.

    ```mlir
    %re, %im = forge.fft_lines %x {dim = 1 : i64, length = 256 : i64} : (tensor<64x256xf32>) -> (tensor<64x129xf32>, tensor<64x129xf32>)
    // becomes a loop over 8 tiles of 8 lines, and in each two passes, by 16 and 8, of 128 pairs, and a loop that takes the pairs apart
    ```

    Numerics: within log2(length) times some units in the last place of the square root of a line's sum of squares. Roots of
    unity are products of at most four that were computed in double precision and rounded once.
  }];
  let options = [
    Option<"blockBytes", "block-bytes", "int64_t", /*default=*/"49152", "Bytes of memory that a block may have">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CONVERSION_FORGETOLINALG_PASSES
