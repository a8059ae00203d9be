// Passes of the NVVM target. Each description ends with what the pass does to numerics.
#ifndef FORGE_TARGET_NVVM_PASSES
#define FORGE_TARGET_NVVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertToNVVMPass : Pass<"forge-convert-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Converts a gpu.module to the LLVM dialect with NVVM";
  let description = [{
    One dialect conversion for everything below structured control flow. Kernel arguments are pointers and scalars.
    What is left of math (sqrt, fma, rounding, sign and bit counting operations) becomes LLVM intrinsics, which the
    NVPTX code generator has instructions for: no libdevice.

    Numerics: bit-exact; division and square root are correctly rounded, denormals are kept.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // FORGE_TARGET_NVVM_PASSES
