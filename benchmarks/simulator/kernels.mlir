// How fast the simulator is; docs/simulator.md says what was measured.
// forge-sim kernels.mlir --kernel elementwise --grid 4096 --block 256 --arg f32[1048576]=1 --arg f32[1048576]=uninitialised --repeat 5
// forge-sim kernels.mlir --kernel dot --grid 256 --block 256 --arg f32[32768]=1 --arg f32[32768]=1 --arg f32[65536]=uninitialised --repeat 5
// forge-sim kernels.mlir --kernel row_sum --grid 1024 --block 256 --arg f32[1048576]=1 --arg f32[1024]=uninitialised --repeat 5
gpu.module @m {
  // One thread per element, no barrier.
  gpu.func @elementwise(%a: memref<1048576xf32>, %b: memref<1048576xf32>) kernel {
    %t = gpu.thread_id x
    %b0 = gpu.block_id x
    %bd = gpu.block_dim x
    %o = arith.muli %b0, %bd : index
    %i = arith.addi %o, %t : index
    %x = memref.load %a[%i] : memref<1048576xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<1048576xf32>
    gpu.return
  }
  // One thread per output, 128 terms.
  gpu.func @dot(%a: memref<256x128xf32>, %b: memref<128x256xf32>, %c: memref<256x256xf32>) kernel {
    %t = gpu.thread_id x
    %r = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
      %x = memref.load %a[%r, %k] : memref<256x128xf32>
      %y = memref.load %b[%k, %t] : memref<128x256xf32>
      %z = math.fma %x, %y, %s : f32
      scf.yield %z : f32
    }
    memref.store %s, %c[%r, %t] : memref<256x256xf32>
    gpu.return
  }
  // A block per row: vectors of 16 bytes, shuffles, one barrier.
  gpu.func @row_sum(%a: memref<1024x1024xf32>, %b: memref<1024xf32>) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %r = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %w = arith.constant 32 : i32
    %i = arith.muli %t, %c4 : index
    %v = vector.load %a[%r, %i] {alignment = 16} : memref<1024x1024xf32>, vector<4xf32>
    %sum = vector.reduction <add>, %v : vector<4xf32> into f32
    %o16 = arith.constant 16 : i32
    %o8 = arith.constant 8 : i32
    %o4 = arith.constant 4 : i32
    %o2 = arith.constant 2 : i32
    %o1 = arith.constant 1 : i32
    %x16, %v16 = gpu.shuffle xor %sum, %o16, %w : f32
    %s16 = arith.addf %sum, %x16 : f32
    %x8, %v8 = gpu.shuffle xor %s16, %o8, %w : f32
    %s8 = arith.addf %s16, %x8 : f32
    %x4, %v4 = gpu.shuffle xor %s8, %o4, %w : f32
    %s4 = arith.addf %s8, %x4 : f32
    %x2, %v2 = gpu.shuffle xor %s4, %o2, %w : f32
    %s2 = arith.addf %s4, %x2 : f32
    %x1, %v1 = gpu.shuffle xor %s2, %o1, %w : f32
    %s1 = arith.addf %s2, %x1 : f32
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %s1, %s[%warp] : memref<8xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %zero = arith.cmpi eq, %t, %c0 : index
    scf.if %zero {
      %all = vector.load %s[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
      %total = vector.reduction <add>, %all : vector<8xf32> into f32
      memref.store %total, %b[%r] : memref<1024xf32>
    }
    gpu.return
  }
}
