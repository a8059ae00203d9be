// RUN: forge-opt %s --split-input-file --forge-fuse-launches=processors=2 | FileCheck %s

// The two products move over the launch that reads the first one's result; the kernel of each part has its own arguments and
// numbers of blocks; parts share buffers of equal types, since a block does one part. What nothing launches any more is gone.
// CHECK-LABEL: gpu.module @first
// CHECK-NOT: gpu.func @q(
// CHECK: gpu.func @q_and_k_and_k(%[[X:.*]]: memref<64xf32>, %[[Q:.*]]: memref<64xf32>, %[[X1:.*]]: memref<64xf32>, %[[K:.*]]: memref<64xf32>, %[[X2:.*]]: memref<64xf32>, %[[V:.*]]: memref<64xf32>)
// CHECK-SAME: workgroup(%[[S:.*]] : memref<32xf32, #gpu.address_space<workgroup>>, %[[T:.*]] : memref<16xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME: forge.parts = ["q", "k", "k"], forge.schedule = #forge.schedule<strategy = gemv>, known_block_size = array<i32: 32, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[IS_Q:.*]] = arith.cmpi ult, %[[BLOCK]], %[[TWO]]
// CHECK: scf.if %[[IS_Q]] {
// CHECK: %[[OWN_Q:.*]] = arith.constant 2 : index
// CHECK: arith.muli %[[BLOCK]], %[[OWN_Q]]
// CHECK: memref.load %[[X]]
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: memref.store %{{.*}}, %[[Q]]
// CHECK: } else {
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[IS_K:.*]] = arith.cmpi ult, %[[BLOCK]], %[[THREE]]
// CHECK: scf.if %[[IS_K]] {
// CHECK: %[[OWN_K:.*]] = arith.subi %[[BLOCK]],
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK: memref.store %{{.*}}, %[[K]][%[[OWN_K]]]
// CHECK: } else {
// CHECK: %[[OWN_V:.*]] = arith.subi %[[BLOCK]],
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK: memref.store %{{.*}}, %[[V]][%[[OWN_V]]]
// CHECK: gpu.return
// CHECK-LABEL: func.func @first_main(
// CHECK-SAME: %[[HX:[a-z0-9]*]]: memref<64xf32>, %[[OUT:[a-z0-9]*]]: memref<64xf32>)
// CHECK-DAG: %[[HQ:.*]] = memref.alloc() : memref<64xf32>
// CHECK-DAG: %[[HK:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-DAG: %[[KVIEW:.*]] = memref.collapse_shape %[[HK]]
// CHECK: %[[BLOCKS:.*]] = arith.constant 4 : index
// CHECK: gpu.launch_func @first::@q_and_k_and_k blocks in (%[[BLOCKS]], {{.*}} args(%[[HX]] : memref<64xf32>, %[[HQ]] : memref<64xf32>, %[[HX]] : memref<64xf32>, %[[KVIEW]] : memref<64xf32>, %[[HX]] : memref<64xf32>, %{{.*}} : memref<64xf32>)
// CHECK-SAME: forge.description = "q | k | v"
// CHECK-NEXT: gpu.launch_func @first::@rope
// CHECK-NOT: gpu.launch_func
// CHECK: return
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @q(%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = gemv>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %n = gpu.grid_dim x
      %at = arith.muli %b, %n : index
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %v, %y[%at] : memref<64xf32>
      gpu.return
    }
    gpu.func @k(%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = gemv>, known_block_size = array<i32: 32, 1, 1>} {
      %b = gpu.block_id x
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%b] : memref<64xf32>
      %first = arith.cmpi eq, %b, %c0 : index
      scf.if %first {
        memref.store %v, %s[%b] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      memref.store %v, %y[%b] : memref<64xf32>
      gpu.return
    }
    gpu.func @rope(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @first_main(%x: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %q = memref.alloc() : memref<64xf32>
    gpu.launch_func @first::@q blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %q : memref<64xf32>) {forge.description = "q"}
    gpu.launch_func @first::@rope blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%q : memref<64xf32>, %out : memref<64xf32>) {forge.description = "rope"}
    %k = memref.alloc() : memref<8x8xf32>
    %k1 = memref.collapse_shape %k [[0, 1]] : memref<8x8xf32> into memref<64xf32>
    gpu.launch_func @first::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %k1 : memref<64xf32>) {forge.description = "k"}
    %v = memref.alloc() : memref<64xf32>
    gpu.launch_func @first::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %v : memref<64xf32>) {forge.description = "v"}
    return
  }
}

// -----

// What stays: a launch that reads what the one before wrote; one that overwrites what it reads, through a view; a strategy that
// is not like it; blocks of another size where the threads of the smaller one meet; different kernels of more blocks than the chip has room for; a grid known at run time;
// one that a write on the host is in front of; a buffer that a loop hands on and may be any.
// CHECK-LABEL: gpu.module @second
// CHECK-NOT: _and_
// CHECK-LABEL: func.func @needs(
// CHECK-COUNT-3: gpu.launch_func
// CHECK-LABEL: func.func @unlike(
// CHECK-COUNT-5: gpu.launch_func
// CHECK-LABEL: func.func @large(
// CHECK-COUNT-2: gpu.launch_func
// CHECK-LABEL: func.func @dynamic(
// CHECK-COUNT-2: gpu.launch_func
// CHECK-LABEL: func.func @host(
// CHECK: gpu.launch_func
// CHECK: memref.store
// CHECK: gpu.launch_func
// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-2: gpu.launch_func
module attributes {gpu.container_module} {
  gpu.module @second {
    gpu.func @a(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @b(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      %w = arith.negf %v : f32
      memref.store %w, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @meets(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      gpu.barrier
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @gemv(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = gemv>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @wide(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @tiles(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @clusters(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>,
                    known_cluster_size = array<i32: 2, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @needs(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<64xf32>, %z : memref<64xf32>)
    %view = memref.expand_shape %y [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %same = memref.collapse_shape %view [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %same : memref<64xf32>)
    return
  }
  func.func @unlike(%x: memref<64xf32>, %p: memref<64xf32>, %q: memref<64xf32>, %r: memref<64xf32>, %s: memref<64xf32>, %t: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @second::@meets blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %p : memref<64xf32>)
    gpu.launch_func @second::@gemv blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %q : memref<64xf32>)
    gpu.launch_func @second::@wide blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %r : memref<64xf32>)
    gpu.launch_func @second::@tiles blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %s : memref<64xf32>)
    gpu.launch_func @second::@clusters blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %t : memref<64xf32>)
    return
  }
  func.func @large(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c129 = arith.constant 129 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @second::@a blocks in (%c129, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @second::@b blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %z : memref<64xf32>)
    return
  }
  func.func @dynamic(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @second::@a blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %z : memref<64xf32>)
    return
  }
  func.func @host(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    memref.store %f, %x[%c1] : memref<64xf32>
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %z : memref<64xf32>)
    return
  }
  func.func @loop(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %l:2 = scf.for %i = %c0 to %c32 step %c1 iter_args(%a = %y, %b = %z) -> (memref<64xf32>, memref<64xf32>) {
      gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
      gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %b : memref<64xf32>)
      scf.yield %b, %a : memref<64xf32>, memref<64xf32>
    }
    return
  }
}

// -----

// Launches of one kernel are fused whatever their number of blocks is, eight at most; equal groups are one kernel.
// CHECK-LABEL: gpu.module @third
// CHECK: gpu.func @a_and_a(
// CHECK-NOT: gpu.func @a_and_a_{{[0-9]}}
// CHECK-LABEL: func.func @equal(
// CHECK: gpu.launch_func @third::@a_and_a blocks
// CHECK: gpu.launch_func @third::@a_and_a blocks
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: func.func @nine(
// CHECK: gpu.launch_func @third::@a_and_a_and_a_and_a_and_a_and_a_and_a_and_a blocks
// CHECK: gpu.launch_func @third::@a blocks
module attributes {gpu.container_module} {
  gpu.module @third {
    gpu.func @a(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @equal(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %p: memref<64xf32>, %q: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c999 = arith.constant 999 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @third::@a blocks in (%c999, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c999, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %z : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c999, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<64xf32>, %p : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c999, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<64xf32>, %q : memref<64xf32>)
    return
  }
  func.func @nine(%x: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>, %e: memref<64xf32>,
                  %f: memref<64xf32>, %g: memref<64xf32>, %h: memref<64xf32>, %i: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %b : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %c : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %d : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %e : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %f : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %g : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %h : memref<64xf32>)
    gpu.launch_func @third::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %i : memref<64xf32>)
    return
  }
}

// -----

// Kernels that compute element by element are alike, and where the threads of a block do not meet it may have more of them: the
// first 32 of each block do the work of the smaller one.
// CHECK-LABEL: gpu.module @fourth
// CHECK: gpu.func @small_and_wide(%[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>, %{{.*}}: memref<64xf32>, %[[Z:.*]]: memref<64xf32>)
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: scf.if
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[COUNT:.*]] = arith.constant 32 : index
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[THREAD]], %[[COUNT]]
// CHECK: scf.if %[[HAS]] {
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: } else {
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[Z]]
// CHECK-LABEL: func.func @sizes(
// CHECK: %[[BLOCK:.*]] = arith.constant 64 : index
// CHECK: gpu.launch_func @fourth::@small_and_wide blocks in ({{.*}}) threads in (%[[BLOCK]],
// CHECK-NOT: gpu.launch_func
module attributes {gpu.container_module} {
  gpu.module @fourth {
    gpu.func @small(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @wide(%x: memref<64xf32>, %y: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      gpu.barrier
      memref.store %v, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @sizes(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @fourth::@small blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @fourth::@wide blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %z : memref<64xf32>)
    return
  }
}

// -----

// Parts of one buffer that have no element in common are written at the same time: two columns. Rows that overlap are not, nor is what
// reads a part that was written; of a view of a buffer it is not known where that is.
// CHECK-LABEL: gpu.module @fifth
// CHECK-LABEL: func.func @parts(
// CHECK: gpu.launch_func @fifth::@left_and_right
// CHECK: gpu.launch_func @fifth::@upper
// CHECK-NEXT: gpu.launch_func @fifth::@lower
// CHECK-NEXT: gpu.launch_func @fifth::@read
// CHECK: gpu.launch_func @fifth::@left
// CHECK-NEXT: gpu.launch_func @fifth::@right
// CHECK-NOT: gpu.launch_func
module attributes {gpu.container_module} {
  gpu.module @fifth {
    gpu.func @left(%x: memref<32xf32>, %y: memref<32x4xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %p = memref.reinterpret_cast %y to offset: [1], sizes: [32], strides: [4] : memref<32x4xf32> to memref<32xf32, strided<[4], offset: 1>>
      memref.store %v, %p[%t] : memref<32xf32, strided<[4], offset: 1>>
      gpu.return
    }
    gpu.func @right(%x: memref<32xf32>, %y: memref<32x4xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %p = memref.reinterpret_cast %y to offset: [3], sizes: [32], strides: [4] : memref<32x4xf32> to memref<32xf32, strided<[4], offset: 3>>
      memref.store %v, %p[%t] : memref<32xf32, strided<[4], offset: 3>>
      gpu.return
    }
    gpu.func @upper(%x: memref<32xf32>, %y: memref<32x4xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %p = memref.reinterpret_cast %y to offset: [0], sizes: [20, 4], strides: [4, 1] : memref<32x4xf32> to memref<20x4xf32, strided<[4, 1]>>
      memref.store %v, %p[%c0, %c0] : memref<20x4xf32, strided<[4, 1]>>
      gpu.return
    }
    gpu.func @lower(%x: memref<32xf32>, %y: memref<32x4xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %p = memref.reinterpret_cast %y to offset: [64], sizes: [16, 4], strides: [4, 1] : memref<32x4xf32> to memref<16x4xf32, strided<[4, 1], offset: 64>>
      memref.store %v, %p[%c0, %c0] : memref<16x4xf32, strided<[4, 1], offset: 64>>
      gpu.return
    }
    gpu.func @read(%x: memref<32x4xf32>, %y: memref<32xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %p = memref.reinterpret_cast %x to offset: [64], sizes: [16, 4], strides: [4, 1] : memref<32x4xf32> to memref<16x4xf32, strided<[4, 1], offset: 64>>
      %v = memref.load %p[%c0, %c0] : memref<16x4xf32, strided<[4, 1], offset: 64>>
      memref.store %v, %y[%t] : memref<32xf32>
      gpu.return
    }
  }
  func.func @parts(%x: memref<32xf32>, %y: memref<32x4xf32>, %z: memref<32x4xf32>, %r: memref<32xf32>, %w: memref<2x32x4xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @fifth::@left blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32x4xf32>)
    gpu.launch_func @fifth::@right blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32x4xf32>)
    "gpu.barrier"() : () -> ()
    gpu.launch_func @fifth::@upper blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %z : memref<32x4xf32>)
    gpu.launch_func @fifth::@lower blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %z : memref<32x4xf32>)
    gpu.launch_func @fifth::@read blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%z : memref<32x4xf32>, %r : memref<32xf32>)
    "gpu.barrier"() : () -> ()
    %a = memref.reinterpret_cast %w to offset: [0], sizes: [32, 4], strides: [4, 1] : memref<2x32x4xf32> to memref<32x4xf32>
    gpu.launch_func @fifth::@left blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %a : memref<32x4xf32>)
    gpu.launch_func @fifth::@right blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %a : memref<32x4xf32>)
    return
  }
}

// -----

// A buffer that a kernel reads by a tensor map alone is not written before that: @write of %x stays behind @mapped, and does not join the
// first @write. Products with tensor maps are one launch, with what makes their maps in front, and the most shared memory of both.
// CHECK-LABEL: gpu.module @maps
// CHECK: gpu.func @mapped_and_other(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<128xi8>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<128xi8>) kernel
// CHECK-SAME: forge.by_value = array<i64: 2, 5>
// CHECK-LABEL: func.func @read_by_map(
// CHECK: launch_func @maps::@write {{.*}}args(%{{.*}} : memref<64xf32>, %[[A:.*]] :
// CHECK: launch_func @maps::@mapped
// CHECK: launch_func @maps::@write
// CHECK-LABEL: func.func @two_maps(
// CHECK: call @forge_rt_device_tensor_map_f32
// CHECK: call @forge_rt_device_tensor_map_f32
// CHECK: launch_func @maps::@mapped_and_other blocks in (%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} dynamic_shared_memory_size %[[BYTES:[a-z0-9_]+]] args({{.*}}) {forge.by_value = array<i64: 2, 5>
// CHECK-NOT: launch_func
// Of kernels that fill a multiprocessor each has a launch.
// CHECK-LABEL: func.func @large_maps(
// CHECK: launch_func @maps::@mapped
// CHECK: launch_func @maps::@other
module attributes {gpu.container_module} {
  gpu.module @maps {
    gpu.func @write(%in: memref<64xf32>, %out: memref<64xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, forge.schedule = #forge.schedule<strategy = rows>} {
      %t = gpu.thread_id x
      %v = memref.load %in[%t] : memref<64xf32>
      memref.store %v, %out[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @mapped(%in: memref<64xf32>, %out: memref<64xf32>, %map: memref<128xi8>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, forge.by_value = array<i64: 2>, forge.schedule = #forge.schedule<strategy = wgmma>} {
      %t = gpu.thread_id x
      %p = memref.extract_aligned_pointer_as_index %map : memref<128xi8> -> index
      %i = arith.index_cast %p : index to i32
      %f = arith.sitofp %i : i32 to f32
      memref.store %f, %out[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @other(%in: memref<64xf32>, %out: memref<64xf32>, %map: memref<128xi8>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, forge.by_value = array<i64: 2>, forge.schedule = #forge.schedule<strategy = wgmma>} {
      %t = gpu.thread_id x
      %p = memref.extract_aligned_pointer_as_index %map : memref<128xi8> -> index
      %i = arith.index_cast %p : index to i32
      %f = arith.sitofp %i : i32 to f32
      memref.store %f, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func private @forge_rt_device_tensor_map_f32(memref<*xi8>, memref<*xf32>)
  func.func @read_by_map(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %w: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = arith.constant 1024 : i32
    %m = memref.alloca() : memref<128xi8>
    gpu.launch_func @maps::@write blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<64xf32>, %w : memref<64xf32>)
    %mu = memref.cast %m : memref<128xi8> to memref<*xi8>
    %xu = memref.cast %x : memref<64xf32> to memref<*xf32>
    func.call @forge_rt_device_tensor_map_f32(%mu, %xu) {forge.device_call} : (memref<*xi8>, memref<*xf32>) -> ()
    gpu.launch_func @maps::@mapped blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s
        args(%x : memref<64xf32>, %z : memref<64xf32>, %m : memref<128xi8>) {forge.by_value = array<i64: 2>}
    gpu.launch_func @maps::@write blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<64xf32>, %x : memref<64xf32>)
    return
  }
  func.func @two_maps(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = arith.constant 1024 : i32
    %large = arith.constant 2048 : i32
    %m = memref.alloca() : memref<128xi8>
    %n = memref.alloca() : memref<128xi8>
    %xu = memref.cast %x : memref<64xf32> to memref<*xf32>
    %mu = memref.cast %m : memref<128xi8> to memref<*xi8>
    func.call @forge_rt_device_tensor_map_f32(%mu, %xu) {forge.device_call} : (memref<*xi8>, memref<*xf32>) -> ()
    gpu.launch_func @maps::@mapped blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s
        args(%x : memref<64xf32>, %y : memref<64xf32>, %m : memref<128xi8>) {forge.by_value = array<i64: 2>}
    %nu = memref.cast %n : memref<128xi8> to memref<*xi8>
    func.call @forge_rt_device_tensor_map_f32(%nu, %xu) {forge.device_call} : (memref<*xi8>, memref<*xf32>) -> ()
    gpu.launch_func @maps::@other blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %large
        args(%x : memref<64xf32>, %z : memref<64xf32>, %n : memref<128xi8>) {forge.by_value = array<i64: 2>}
    return
  }
  func.func @large_maps(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %m: memref<128xi8>, %n: memref<128xi8>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = arith.constant 120000 : i32
    gpu.launch_func @maps::@mapped blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s
        args(%x : memref<64xf32>, %y : memref<64xf32>, %m : memref<128xi8>) {forge.by_value = array<i64: 2>}
    gpu.launch_func @maps::@other blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s
        args(%x : memref<64xf32>, %z : memref<64xf32>, %n : memref<128xi8>) {forge.by_value = array<i64: 2>}
    return
  }
}
