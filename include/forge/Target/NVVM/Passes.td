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

def DependentLaunchesPass : Pass<"forge-dependent-launches", "::mlir::ModuleOp"> {
  let summary = "Has kernels wait for the work before them themselves";
  let description = [{
    Programmatic dependent launch (PTX ISA, "griddepcontrol"): a kernel first lets the kernel after it be set up, then
    waits until all work before it has ended and its results can be seen. Every thread waits before it touches memory
    that a launch of the module may write, so that a kernel that has ended knows that all before it have; arguments of
    the host's functions that nothing writes, as weights are, it reads before. Launches of these kernels get
    `forge.dependent_launch`, but for the first one of a run where kernels read early: what they read may be from a run
    before. Copies by tensor maps of such arguments come before, too, so that a role that copies weights does not wait.
    Launched plainly are kernels that hold a griddepcontrol already, and those that have more blocks than `processors`
    multiprocessors run at once, or blocks that are counted at run time. Where warps give registers to others, one of
    them lets the kernel after it be set up.

    ```mlir
    gpu.func @a(%x: memref<4xf32>) kernel {
      nvvm.griddepcontrol launch_dependents
      nvvm.griddepcontrol wait
      ...
    }
    gpu.launch_func @kernels::@a ... {forge.dependent_launch}
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"processors", "processors", "int64_t", "132", "Multiprocessors of the chip">
  ];
}

def PackRoundingsPass : Pass<"forge-pack-roundings", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rounds two numbers at a time in kernels with wgmma";
  let description = [{
    In kernels that hold `nvvm.wgmma` operations, roundings of two numbers of f32 to 16 bits become one
    instruction (PTX ISA, "cvt.rn.bf16x2.f32"), where the second number is there before the first is rounded. ptxas (13.0)
    makes such pairs itself, of accumulators before their products have ended, and then has every product wait for the
    one before it (C7514, "wgmma.mma_async instructions are serialized").

    ```mlir
    %pair = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%b, %a) : (f32, f32) -> vector<2xbf16>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // FORGE_TARGET_NVVM_PASSES
