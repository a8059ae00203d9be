// Positions that do not divide their loop: the last tile computes some of the one before again. Not where an element that is written is also read.
// RUN: forge-opt %s --forge-lower-kernels=chip=sm_90a --split-input-file | FileCheck %s

#window = affine_map<(b, i, f, k) -> (b, i + k, f)>
#kernel = affine_map<(b, i, f, k) -> (k, f)>
#result = affine_map<(b, i, f, k) -> (b, i, f)>
#each = affine_map<(b, i, f) -> (b, i, f)>

// Three tiles of seven of nineteen positions, two of which the last tile repeats.
// CHECK-LABEL: gpu.func @added
// CHECK: %[[LAST:.*]] = arith.constant 12 : index
// CHECK: arith.minui %{{.*}}, %[[LAST]]
// CHECK-COUNT-2: scf.if
// CHECK-NOT: scf.if
func.func private @added(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %bias: memref<256x19x256xf32>, %y: memref<256x19x256xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x19x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x19x256xf32>)
  linalg.generic {indexing_maps = [#window, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : memref<256x21x256xf32>, memref<3x256xf32>) outs(%sums : memref<256x19x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums, %bias : memref<256x19x256xf32>, memref<256x19x256xf32>) outs(%y : memref<256x19x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
func.func @main(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %bias: memref<256x19x256xf32>, %y: memref<256x19x256xf32>) {
  call @added(%x, %k, %bias, %y) : (memref<256x21x256xf32>, memref<3x256xf32>, memref<256x19x256xf32>, memref<256x19x256xf32>) -> ()
  return
}

// -----

#window = affine_map<(b, i, f, k) -> (b, i + k, f)>
#kernel = affine_map<(b, i, f, k) -> (k, f)>
#result = affine_map<(b, i, f, k) -> (b, i, f)>
#each = affine_map<(b, i, f) -> (b, i, f)>

// The result replaces what is added.
// CHECK-LABEL: gpu.func @replaced
// CHECK-NOT: arith.minui
// CHECK-NOT: scf.if
// CHECK: gpu.return
func.func private @replaced(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %y: memref<256x19x256xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x19x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x19x256xf32>)
  linalg.generic {indexing_maps = [#window, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : memref<256x21x256xf32>, memref<3x256xf32>) outs(%sums : memref<256x19x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums, %y : memref<256x19x256xf32>, memref<256x19x256xf32>) outs(%y : memref<256x19x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
func.func @main(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %y: memref<256x19x256xf32>) {
  call @replaced(%x, %k, %y) : (memref<256x21x256xf32>, memref<3x256xf32>, memref<256x19x256xf32>) -> ()
  return
}

// -----

#window = affine_map<(b, i, f, k) -> (b, i + k, f)>
#kernel = affine_map<(b, i, f, k) -> (k, f)>
#result = affine_map<(b, i, f, k) -> (b, i, f)>

// Sums that start from what the result holds.
// CHECK-LABEL: gpu.func @continued
// CHECK-NOT: arith.minui
// CHECK: gpu.return
func.func private @continued(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %y: memref<256x19x256xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  linalg.generic {indexing_maps = [#window, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : memref<256x21x256xf32>, memref<3x256xf32>) outs(%y : memref<256x19x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
func.func @main(%x: memref<256x21x256xf32>, %k: memref<3x256xf32>, %y: memref<256x19x256xf32>) {
  call @continued(%x, %k, %y) : (memref<256x21x256xf32>, memref<3x256xf32>, memref<256x19x256xf32>) -> ()
  return
}
