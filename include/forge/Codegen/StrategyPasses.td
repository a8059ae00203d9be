// Passes of lib/Codegen/Strategy: schedules of kernel functions, and their lowering.
#ifndef FORGE_CODEGEN_STRATEGYPASSES
#define FORGE_CODEGEN_STRATEGYPASSES

include "mlir/Pass/PassBase.td"

def LowerKernelsPass : Pass<"forge-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes device functions of kernel functions, and launches of their calls";
  let description = [{
    Every kernel function on memrefs is rewritten by the strategy of its `forge.schedule`, or, a tile program, as it says, to the work of one thread, and
    becomes a gpu.func in `gpu.module @kernels`. Its arguments are pointers (memrefs of static shape, or of rank 0 with
    the sizes as arguments of their own) and scalars. Calls become gpu.launch_func; the host counts the blocks.

    ```mlir
    call @elementwise(%a, %out) : (memref<1000xf32>, memref<1000xf32>) -> ()
    // becomes
    gpu.launch_func @kernels::@elementwise blocks in (%c4, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%a : memref<1000xf32>, %out : memref<1000xf32>)
    ```

    Numerics: as the strategy or the tile program says; `generic` is bit-exact.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip: a name of lib/Codegen/TargetInfo">,
    Option<"naiveTiles", "naive-tiles", "bool", /*default=*/"false", "Tile programs in their naive form: one thread a block">,
    Option<"stamps", "stamps", "bool", /*default=*/"false", "Kernels take time stamps where stages of their roles begin">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def WriteTileProgramsPass : Pass<"forge-write-tile-programs", "::mlir::ModuleOp"> {
  let summary = "Writes kernels as programs on tiles, where their strategies do";
  let description = [{
    The body of a kernel function on memrefs, whose `forge.schedule` names such a strategy, becomes a program in the `tile`
    dialect: what a block of threads does. A program that takes tiles of work from a counter has it as a last argument;
    calls pass two numbers in memory, cleared where the host's function begins.

    Numerics: as the strategy says.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip: a name of lib/Codegen/TargetInfo">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::LLVM::LLVMDialect", "::forge::tile::TileDialect"];
}

def ScheduleKernelsPass : Pass<"forge-schedule-kernels", "::mlir::ModuleOp"> {
  let summary = "Decides how kernel functions are computed";
  let description = [{
    Writes `forge.schedule` on every kernel function. The module may have a plan, `forge.plan`, which is taken away: its
    schedules replace those of the kernels that have their hash, and what is wrong with them is told at their place in the
    plan. What a schedule in the file says stays; the strategy that it names
    chooses the fields that it leaves out. Where it names none, all strategies that know its fields are asked, and the
    one with the least predicted time is chosen; with `library = prefer` the library, if it takes the kernel. All are checked, with a diagnostic that says what is expected. Strategy `library` comes with a
    second schedule, in `forge.fallback_schedule`: how the kernel is computed where the library is missing.
    Several products that are called with nothing between them that they wait for, which the library would launch one by
    one, get this second schedule and `forge.joined` where one launch of all is predicted to take less.

    ```mlir
    forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1, library = never>
    ```

    Numerics: bit-exact; only attributes are written.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip: a name of lib/Codegen/TargetInfo">,
    Option<"genericOnly", "generic-only", "bool", /*default=*/"false", "Only the strategy that takes anything">,
    Option<"library", "library", "std::string", /*default=*/"\"never\"",
      "Whether the vendor's library computes products, where a schedule does not say it: prefer, cost or never">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif // FORGE_CODEGEN_STRATEGYPASSES
