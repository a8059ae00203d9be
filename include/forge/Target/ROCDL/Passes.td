// Passes of the ROCDL target. Each description ends with what the pass does to numerics.
#ifndef FORGE_TARGET_ROCDL_PASSES
#define FORGE_TARGET_ROCDL_PASSES

include "mlir/Pass/PassBase.td"

def ConvertToROCDLPass : Pass<"forge-convert-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Converts a gpu.module to the LLVM dialect with ROCDL";
  let description = [{
    As forge-convert-to-nvvm, for AMD. What is left of math becomes LLVM intrinsics: no device libraries.

    Numerics: bit-exact; division and square root are correctly rounded, denormals are kept.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"gfx942\"", "The chip: a name of lib/Codegen/TargetInfo">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

#endif // FORGE_TARGET_ROCDL_PASSES
