// Passes of the host code that drives a device. Each description ends with what the pass does to numerics.
#ifndef FORGE_TARGET_DEVICE_PASSES
#define FORGE_TARGET_DEVICE_PASSES

include "mlir/Pass/PassBase.td"

def CaptureSequencesPass : Pass<"forge-capture-sequences", "::mlir::ModuleOp"> {
  let summary = "Puts static sequences of launches and copies under graphs";
  let description = [{
    A run of launches, copies and allocations in the body of a public function, with no read, loop or branch between
    them, does the same whenever its pointers and sizes are the same. It is issued under forge_rt_graph_begin, which
    replays what it captured when all words are as they were, and forge_rt_graph_end. Loops of a known number of steps
    (up to 16,384 launches in all), whose bodies consist of such operations and have no results, are part of the run:
    one graph has all steps. Their bodies are sequences of their own, too, for runs in which the one around is not
    captured yet.

    ```mlir
    gpu.launch_func @kernels::@a ...
    gpu.launch_func @kernels::@b ...
    // becomes
    %issue = llvm.call @forge_rt_graph_begin(%key, %words, %count)
    scf.if %issue != 0 {
      gpu.launch_func @kernels::@a ...
      gpu.launch_func @kernels::@b ...
      llvm.call @forge_rt_graph_end(%key)
    }
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertHostToLLVMPass : Pass<"forge-convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts the host function of a GPU target to the LLVM dialect";
  let description = [{
    As forge-convert-to-llvm, but every memref is device memory: allocations, copies and launches become calls of the
    runtime (forge/Runtime/DeviceABI.h); memref.load and memref.store copy one element; a memref.global is uploaded at
    its first use. Functions that check tensors get copies in host memory.

    Device code is the symbol `forge_device_code`, its size `forge_device_code_size`; both are defined when it has been
    compiled.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CountersInMemoryPass : Pass<"forge-counters-in-memory", "::mlir::ModuleOp"> {
  let summary = "Has kernels in loops read what changes with each step from memory";
  let description = [{
    A step of a loop that launches the same kernels on the same buffers each time is not the same work if one of them
    takes the loop's counter, or a number that the host has read: no graph of it could be replayed. A kernel of one thread, which is not part of the graph,
    writes such scalars to memory at the start of the step, and the kernels read them there.

    ```mlir
    scf.for %i = ... {
      gpu.launch_func @kernels::@a ... args(%x : memref<8xf32>, %i : index)
      gpu.launch_func @kernels::@b ...
    }
    // becomes
    %counters = memref.alloc() : memref<1xi64>
    scf.for %i = ... {
      gpu.launch_func @kernels::@counters ... args(%counters : memref<1xi64>, %word : i64) {forge.not_captured}
      gpu.launch_func @kernels::@a_0 ... args(%x : memref<8xf32>, %counters : memref<1xi64>)
      gpu.launch_func @kernels::@b ...
    }
    ```

    Steps of fewer than four launches, and those whose grids, views or copies change too, stay as they are.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

def FlattenViewsPass : Pass<"forge-flatten-views", "::mlir::func::FuncOp"> {
  let summary = "Makes reshapes of contiguous buffers views by sizes and strides";
  let description = [{
    Every memref of the host is contiguous, so memref.expand_shape and memref.collapse_shape are the same elements under
    other sizes: a memref.reinterpret_cast, whose sizes may all be known at run time only.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def ChainLaunchesPass : Pass<"forge-chain-launches", "::mlir::ModuleOp"> {
  let summary = "Makes small launches behind each other one launch of a cluster";
  let description = [{
    Launches of strategies `rows` and `generic` behind each other, of at most `cluster` blocks each, become one launch of a
    single cluster: its blocks compute those of the first launch, meet, and compute those of the next one (vertical
    fusion). So the norms of queries and keys, rotary positions and the append to the cache are one launch. Between the
    launches there are only operations that do not touch memory, and allocations. Grids are static and one-dimensional;
    kernels with clusters, tensor maps or dynamic shared memory stay as they are. Threads that a launch does not have
    do nothing; threads of a smaller block meet at a barrier of their own.

    ```mlir
    gpu.launch_func @kernels::@norm blocks in (%c2, %c1, %c1) ... args(%q, %s)
    gpu.launch_func @kernels::@rope blocks in (%c6, %c1, %c1) ... args(%q, %s, %r)
    // becomes
    gpu.launch_func @kernels::@norm_then_rope blocks in (%c8, %c1, %c1) ... args(%q, %s, %q, %s, %r)
    ```

    Numerics: bit-exact.
  }];
  let options = [Option<"cluster", "cluster", "int64_t", "8", "The most blocks of a cluster.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def FuseLaunchesPass : Pass<"forge-fuse-launches", "::mlir::ModuleOp"> {
  let summary = "Makes independent launches of like kernels one launch";
  let description = [{
    Launches of the same strategy, or of `rows` and `generic`, none of which reads or writes what another writes, become one
    launch (horizontal fusion). Parts of one buffer that have no element in common are as buffers of their own, if each kernel
    has one static view of the buffer. The grid has the blocks of each, one part after the other, and the number of a block says
    whose it is. Blocks have one size, or the threads of smaller ones do not meet: then those that such a part lacks do
    nothing. A launch moves back to one that it can run with, across at most 64 operations that do not touch what it
    touches. So the products with q, k and v of a decoding step are one launch, without a copy of the weights, as are its
    two appends to the cache, and rotary positions of queries with them.

    ```mlir
    gpu.launch_func @kernels::@q blocks in (%c32, %c1, %c1) ... args(%x, %wq, %q)
    gpu.launch_func @kernels::@rope blocks in (%c1, %c1, %c1) ... args(%q, %r)
    gpu.launch_func @kernels::@k blocks in (%c8, %c1, %c1) ... args(%x, %wk, %k)
    // becomes
    gpu.launch_func @kernels::@q_and_k blocks in (%c40, %c1, %c1) ... args(%x, %wq, %q, %x, %wk, %k)
    gpu.launch_func @kernels::@rope blocks in (%c1, %c1, %c1) ... args(%q, %r)
    ```

    Grids are static and one-dimensional, at most 8 kernels are fused. Different kernels are fused only while the blocks of
    each have room on the chip at once: a fused kernel has the registers of its greediest part. Those with tensor maps or
    dynamic shared memory are products of few rows by strategy `wgmma`, of which a multiprocessor has two blocks or more,
    while all their blocks run at once; what makes a tensor map moves with its launch. Other kernels with these, those with
    clusters, and tile programs stay as they are.

    Numerics: bit-exact.
  }];
  let options = [Option<"processors", "processors", "int64_t", "132", "Multiprocessors of the chip.">,
                 Option<"sharedBytes", "shared-bytes", "int64_t", "232448", "Shared memory that a block may have.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def StageChecksPass : Pass<"forge-stage-checks", "::mlir::func::FuncOp"> {
  let summary = "Copies what check functions read to host memory";
  let description = [{
    The runtime's functions that take unranked memrefs (forge_rt_expect_eq_f32 and its like) run on the host. Their
    operands are copied there first, to buffers with the attribute `forge.host`.

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def SinkReadsPass : Pass<"forge-sink-reads", "::mlir::ModuleOp"> {
  let summary = "Lets the host wait for a number behind the work that does not need it";
  let description = [{
    The host reads a number from the device, for the condition of a loop perhaps, and waits for it. Such a read, with the scalars
    that are computed of it, moves behind the launches and copies that follow and neither need it nor change what it reads: they are
    issued before the host waits, and a step whose work is not interrupted can be one graph.

    ```mlir
    %rest = memref.load %norm[] : memref<f32>
    gpu.launch_func @kernels::@next ...
    scf.yield %rest : f32
    // becomes
    gpu.launch_func @kernels::@next ...
    %rest = memref.load %norm[] : memref<f32>
    scf.yield %rest : f32
    ```

    Numerics: bit-exact.
  }];
}

#endif // FORGE_TARGET_DEVICE_PASSES
