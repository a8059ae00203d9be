// Passes of the simulator, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_SIMULATOR_PASSES
#define FORGE_SIMULATOR_PASSES

include "mlir/Pass/PassBase.td"

def ConvertSimulationToLLVMPass : Pass<"forge-convert-simulation-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts functions of simulated kernels to the LLVM dialect";
  let description = [{
    One dialect conversion for everything below structured control flow, like forge-convert-to-llvm, but with the
    address spaces of a GPU: shared memory is 3, everything else 0. Memory cannot be allocated.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CountStepsPass : Pass<"forge-count-steps", "::mlir::ModuleOp"> {
  let summary = "Puts a call of the simulator at the end of every loop, so that endless ones end";
  let description = [{
    In front of each branch that leads back to an earlier block of a function stands a call that counts the steps of its
    thread. Past the limit of steps the launch ends with a finding.

    ```mlir
    llvm.br ^loop(%next : i64)
    // becomes
    llvm.call @forge_sim_step(%site) : (i32) -> ()
    llvm.br ^loop(%next : i64)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandGpuReductionsPass : Pass<"forge-expand-gpu-reductions"> {
  let summary = "Rewrites reductions of warps, and global thread numbers, into what they consist of";
  let description = [{
    gpu.subgroup_reduce becomes butterfly shuffles.

    Numerics: sums are reassociated as a tree over the lanes.
  }];
  let options = [Option<"warpSize", "warp-size", "unsigned", /*default=*/"32", "Lanes of a warp">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def InstrumentAccessesPass : Pass<"forge-instrument-accesses", "::mlir::ModuleOp"> {
  let summary = "Puts a check of the simulator in front of every memory access";
  let description = [{
    In front of loads, stores, atomic operations, masked and block copies of the LLVM dialect stands a call that says
    address and site. A site is a number; the module's attribute `forge_sim.sites` says for each which operation it is,
    where it is in the source, how many bytes it accesses, what the address is a multiple of, and from which
    argument of the kernel the address is computed, where that can be seen. Private arrays are checked against their
    own size where the index is not a constant.

    ```mlir
    %v = llvm.load %p : !llvm.ptr -> f32
    // becomes
    llvm.call @forge_sim_load(%p, %site) : (!llvm.ptr, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SimulateGpuPass : Pass<"forge-simulate-gpu", "::mlir::ModuleOp"> {
  let summary = "Makes functions for one thread of the kernels of a gpu.module";
  let description = [{
    The module is left with what its gpu.module held. Every kernel becomes a function of one pointer, to the pointers
    to its arguments, as a driver's launch takes them: memrefs are passed as one pointer, `index` as 64 bits, i1 and
    i4 as one byte. Numbers of threads, shuffles, votes, barriers, fences and asynchronous copies of the gpu, nvvm and
    rocdl dialects become calls of the simulator's runtime. Shared memory, declared or dynamic, is an offset into the
    block's. An operation that the simulator has no model of is an error.

    ```mlir
    gpu.func @k(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
    // becomes
    func.func @k(%args: !llvm.ptr) attributes {forge_sim.kernel = ...} {
      %t = llvm.call @forge_sim_index(...)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // FORGE_SIMULATOR_PASSES
