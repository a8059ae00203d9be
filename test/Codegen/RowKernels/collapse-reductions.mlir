// RUN: forge-opt %s --split-input-file --forge-collapse-reductions | FileCheck %s

// A whole tensor is one dimension; what lacks dimensions is read at quotients and remainders.
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0) -> (d0 mod 100)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0 floordiv 100)>
// CHECK-LABEL: func.func @whole
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1]] : tensor<30x100xf32> into tensor<3000xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMN]], #[[ROW]], #{{.*}}], iterator_types = ["reduction"]} ins(%[[FLAT]], %arg1, %arg2
func.func @whole(%x: tensor<30x100xf32>, %c: tensor<100xf32>, %r: tensor<30xf32>, %e: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %c, %r : tensor<30x100xf32>, tensor<100xf32>, tensor<30xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// Part of the group side by side, in the middle; indices of the old loops.
// CHECK-DAG: #[[MIDDLE:.*]] = affine_map<(d0, d1) -> ((d1 floordiv 5) mod 12)>
// CHECK-LABEL: func.func @middle
// CHECK-DAG: tensor.collapse_shape %arg0 {{\[}}[0], [1, 2, 3, 4]] : tensor<7x2x3x4x5xf32> into tensor<7x120xf32>
// CHECK-DAG: tensor.collapse_shape %arg1 {{\[}}[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[MIDDLE]], #{{.*}}], iterator_types = ["parallel", "reduction"]}
// CHECK: %[[I:.*]] = linalg.index 1
// CHECK: arith.divui %[[I]], %c20
// CHECK: arith.remui %{{.*}}, %c3
func.func @middle(%x: tensor<7x2x3x4x5xf32>, %m: tensor<3x4xf32>, %e: tensor<7xf32>) -> tensor<7xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(n, i, j, k, l) -> (n, i, j, k, l)>, affine_map<(n, i, j, k, l) -> (j, k)>, affine_map<(n, i, j, k, l) -> (n)>], iterator_types = ["parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%x, %m : tensor<7x2x3x4x5xf32>, tensor<3x4xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %j = linalg.index 2 : index
    %i = arith.index_cast %j : index to i32
    %w = arith.uitofp %i : i32 to f32
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %w : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<7xf32>
  return %sum : tensor<7xf32>
}

// -----

// Outer dimensions, of a size known at run time.
// CHECK-LABEL: func.func @leading
// CHECK: tensor.collapse_shape %arg0 {{\[}}[0, 1], [2]] : tensor<?x128x48xf32> into tensor<?x48xf32>
// CHECK: iterator_types = ["reduction", "parallel"]
func.func @leading(%x: tensor<?x128x48xf32>, %e: tensor<48xf32>) -> tensor<48xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%x : tensor<?x128x48xf32>) outs(%e : tensor<48xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<48xf32>
  return %sum : tensor<48xf32>
}

// -----

// Not side by side; a remainder by a size that is not known; a window: these stay.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: collapse_shape
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: collapse_shape
// CHECK-LABEL: func.func @window
// CHECK-NOT: collapse_shape
func.func @apart(%x: tensor<30x6x100xf32>, %e: tensor<6xf32>) -> tensor<6xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<30x6x100xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  return %sum : tensor<6xf32>
}
func.func @unknown(%x: tensor<30x?xf32>, %c: tensor<?xf32>, %e: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %c : tensor<30x?xf32>, tensor<?xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.maximumf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @window(%x: tensor<30x40xf32>, %y: tensor<69xf32>, %e: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %y : tensor<30x40xf32>, tensor<69xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.maximumf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// What follows from a reduction and reads the same tensor has its dimensions in one loop too; what does not follow stays.
// CHECK-LABEL: func.func @followers
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<8x120xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<8x120xf32>, tensor<8xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x10x12xf32>)
func.func @followers(%x: tensor<8x10x12xf32>, %e: tensor<8xf32>, %o: tensor<8x10x12xf32>) -> (tensor<8x10x12xf32>, tensor<8x10x12xf32>) {
  %most = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<8x10x12xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.maximumf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %most : tensor<8x10x12xf32>, tensor<8xf32>) outs(%o : tensor<8x10x12xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x10x12xf32>
  %other = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x10x12xf32>) outs(%o : tensor<8x10x12xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x10x12xf32>
  return %scaled, %other : tensor<8x10x12xf32>, tensor<8x10x12xf32>
}

// -----

// A long sum of one result with a factor for each row and one for each column keeps its loops: the outer one can be divided among
// blocks. Of 16 results each has a block.
// CHECK-LABEL: func.func @divided
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%arg0, %arg1, %arg2 :
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<16x8388608xf32>
func.func @divided(%x: tensor<8192x1024xf32>, %c: tensor<1024xf32>, %r: tensor<8192xf32>, %y: tensor<16x8192x1024xf32>) -> (tensor<f32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %e16 = tensor.empty() : tensor<16xf32>
  %f16 = linalg.fill ins(%zero : f32) outs(%e16 : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %c, %r : tensor<8192x1024xf32>, tensor<1024xf32>, tensor<8192xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %many = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (j)>, affine_map<(n, i, j) -> (n)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%y, %c : tensor<16x8192x1024xf32>, tensor<1024xf32>) outs(%f16 : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %sum, %many : tensor<f32>, tensor<16xf32>
}
