// RUN: forge-opt %s --forge-split-reductions | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s --check-prefix=SCHEDULE

// Of @depthwise:
// CHECK: #[[WINDOWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d2 + d4, d3 * 2 + d5, d6)>

#x = affine_map<(d0) -> (d0)>
#e = affine_map<(d0) -> ()>

// Rows from the neutral element, then their results from the initial value; both are row kernels.
// CHECK-LABEL: func.func @sum
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1]] output_shape [512, 2048]
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[NEUTRAL]] : f32)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[ROWS]]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}}["reduction"]} ins(%[[SUMS]]
// CHECK-NOT: math.sqrt
// CHECK: return
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512x2048xf32>{{.*}}strategy = rows,
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512xf32>{{.*}}strategy = rows,
func.func @sum(%x: tensor<1048576xf32>) -> tensor<f32> {
  %c = arith.constant 0.5 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.sqrt %in : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}

// Few elements; a size with few powers of two; results that cannot be joined: these stay.
// CHECK-LABEL: func.func @few
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @odd
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @ordered
// CHECK-NOT: expand_shape
func.func @few(%x: tensor<4096xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<4096xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @odd(%x: tensor<1048577xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048577xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @ordered(%x: tensor<1048576xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.subf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}

// Sums of columns over many rows: parts of the rows for enough blocks; results of the parts side by side.
// CHECK-LABEL: func.func @columns
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1], [2]] output_shape [64, 1568, 256]
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}["parallel", "reduction", "parallel"]} ins(%[[PARTS]], %arg1 : {{.*}}) outs(%{{.*}} : tensor<64x256xf32>)
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}}["reduction", "parallel"]} ins(%[[SUMS]]
// CHECK-NOT: arith.mulf
// CHECK: return
// What each column is multiplied by is multiplied with its sum (forge-sum-repeated-factors).
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<64x1568x256xf32>, %{{.*}}: tensor<64x256xf32>) {{.*}}strategy = generic, threads = 256
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<64x256xf32>{{.*}}strategy = generic, threads = 64, reduce_threads = 8
#rc = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
func.func @columns(%x: tensor<100352x256xf32>, %scale: tensor<256xf32>) -> tensor<256xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<256xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<256xf32>) -> tensor<256xf32>
  %2 = linalg.generic {indexing_maps = [#rc, #c, #c], iterator_types = ["reduction", "parallel"]} ins(%x, %scale : tensor<100352x256xf32>, tensor<256xf32>) outs(%1 : tensor<256xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %3 = arith.mulf %in, %s : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<256xf32>
  return %2 : tensor<256xf32>
}

// Enough results for all multiprocessors; elements of a result side by side; a product of a matrix and a vector: these stay.
// CHECK-LABEL: func.func @many_columns
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @along_memory
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @product
// CHECK-NOT: expand_shape
func.func @many_columns(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4096xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4096xf32>) -> tensor<4096xf32>
  %2 = linalg.generic {indexing_maps = [#rc, #c], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x4096xf32>) outs(%1 : tensor<4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<4096xf32>
  return %2 : tensor<4096xf32>
}
func.func @along_memory(%x: tensor<8x1048576xf32>) -> tensor<8xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#rc, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x1048576xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @product(%x: tensor<100352x256xf32>, %y: tensor<100352xf32>) -> tensor<256xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<256xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<256xf32>) -> tensor<256xf32>
  %2 = linalg.generic {indexing_maps = [#rc, affine_map<(d0, d1) -> (d0)>, #c], iterator_types = ["reduction", "parallel"]} ins(%x, %y : tensor<100352x256xf32>, tensor<100352xf32>) outs(%1 : tensor<256xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %3 = arith.mulf %in, %s : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<256xf32>
  return %2 : tensor<256xf32>
}

#in = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#group = affine_map<(d0, d1, d2, d3) -> (d0, d2)>

// A mean of a group of channels: the first reduction goes over parts of the places and keeps the channels, which the second one
// joins with the parts.
// CHECK-LABEL: func.func @groups
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %arg0 {{\[}}[0], [1, 2], [3], [4]] output_shape [4, 8, 512, 32, 10]
// CHECK: linalg.fill {{.*}} -> tensor<8x4x32x10xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%[[ROWS]]
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel", "reduction"]} ins(%[[SUMS]] : tensor<8x4x32x10xf32>) outs(%{{.*}} : tensor<4x32xf32>)
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @groups(%x: tensor<4x4096x32x10xf32>) -> tensor<4x32xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x32xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %2 = linalg.generic {indexing_maps = [#in, #group], iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%x : tensor<4x4096x32x10xf32>) outs(%1 : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.mulf %in, %in : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<4x32xf32>
  return %2 : tensor<4x32xf32>
}

// Enough parts by themselves: only the channels are kept.
// CHECK-LABEL: func.func @many_groups
// CHECK-NOT: expand_shape
// CHECK: linalg.generic {{.*}}["parallel", "reduction", "parallel", "parallel"]}
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<60x64x4xf32>)
func.func @many_groups(%x: tensor<60x257x64x4xf32>) -> tensor<60x64xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<60x64xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<60x64xf32>) -> tensor<60x64xf32>
  %2 = linalg.generic {indexing_maps = [#in, #group], iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%x : tensor<60x257x64x4xf32>) outs(%1 : tensor<60x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<60x64xf32>
  return %2 : tensor<60x64xf32>
}

// The inner loop is long: the outer one's elements are parts, whose sums are rows.
// CHECK-LABEL: func.func @long_rows
// CHECK-NOT: expand_shape
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<512x4x8xf32>)
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel"]} ins(%[[SUMS]] : tensor<512x4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<4x512x8x512xf32>{{.*}}strategy = rows,
func.func @long_rows(%x: tensor<4x512x8x512xf32>) -> tensor<4x8xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#in, #group], iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%x : tensor<4x512x8x512xf32>) outs(%1 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

#windows = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3, d2 * 2 + d4, d5)>
#pixels = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
#taps = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>

// The gradient of a depthwise convolution's weights: each image is a part, and of its lines every 14. Windows are read where the
// line of the part is.
// CHECK-LABEL: func.func @depthwise
// CHECK-SAME: %[[X:.*]]: tensor<32x58x113x192xbf16>
// CHECK: %[[DY:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3], [4]] output_shape [32, 28, 2, 56, 192]
// CHECK: linalg.generic {indexing_maps = [#[[WINDOWS]], {{.*}}["parallel", "parallel", "reduction", "reduction", "parallel", "parallel", "parallel"]} ins(%[[X]], %[[DY]]
// CHECK-SAME: outs(%{{.*}} : tensor<32x28x3x3x192xf32>)
// CHECK: %[[PARTS:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2], [3], [4]]
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel", "parallel"]} ins(%[[PARTS]] : tensor<896x3x3x192xf32>)
func.func @depthwise(%x: tensor<32x58x113x192xbf16>, %dy: tensor<32x56x56x192xbf16>) -> tensor<3x3x192xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x3x192xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<3x3x192xf32>) -> tensor<3x3x192xf32>
  %2 = linalg.generic {indexing_maps = [#windows, #pixels, #taps], iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel", "parallel"]} ins(%x, %dy : tensor<32x58x113x192xbf16>, tensor<32x56x56x192xbf16>) outs(%1 : tensor<3x3x192xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %3 = arith.extf %a : bf16 to f32
    %4 = arith.extf %b : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<3x3x192xf32>
  return %2 : tensor<3x3x192xf32>
}

#c0 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d3, d2 + d4, d5)>
#c1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d6)>
#c2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>

// With channels of both factors it is a product of matrices, which matrix units compute.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: expand_shape
// CHECK: return
func.func @convolution(%x: tensor<32x58x58x16xbf16>, %dy: tensor<32x56x56x16xbf16>) -> tensor<3x3x16x16xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x3x16x16xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<3x3x16x16xf32>) -> tensor<3x3x16x16xf32>
  %2 = linalg.generic {indexing_maps = [#c0, #c1, #c2], iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel", "parallel", "parallel"]} ins(%x, %dy : tensor<32x58x58x16xbf16>, tensor<32x56x56x16xbf16>) outs(%1 : tensor<3x3x16x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %3 = arith.extf %a : bf16 to f32
    %4 = arith.extf %b : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<3x3x16x16xf32>
  return %2 : tensor<3x3x16x16xf32>
}

// An index that the body reads is the old loop's.
// CHECK-LABEL: func.func @index
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2], [3]] output_shape [64, 256, 3, 8]
// CHECK: linalg.generic {{.*}}["parallel", "reduction", "parallel", "parallel"]}
// CHECK-DAG: %[[PART:.*]] = linalg.index 0
// CHECK-DAG: %[[STEP:.*]] = linalg.index 1
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 256 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %[[SIZE]]
// CHECK: arith.addi %[[FIRST]], %[[STEP]]
func.func @index(%x: tensor<16384x3x8xf32>) -> tensor<3x8xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<3x8xf32>) -> tensor<3x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%x : tensor<16384x3x8xf32>) outs(%1 : tensor<3x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %5 = arith.mulf %a, %f : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// Of 2^22 elements and more, also where elements are computed before, of several factors, or of the place itself: indices of parts are
// those of the whole.
// CHECK-LABEL: func.func @off_diagonal
// CHECK: %[[TIMES:.*]] = linalg.generic {{.*}}["parallel"]}
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[TIMES]] {{\[}}[0, 1]] output_shape [512, 8192]
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[PARTS]],
// CHECK: %[[PART:.*]] = linalg.index 0
// CHECK: %[[SIZE:.*]] = arith.constant 8192 : index
// CHECK: %[[IN:.*]] = linalg.index 1
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %[[SIZE]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[IN]]
// CHECK: arith.remui %[[PLACE]]
// CHECK: linalg.generic {{.*}}["reduction"]}
func.func @off_diagonal(%x: tensor<4194304xf32>, %y: tensor<4194304xf32>) -> (tensor<f32>, tensor<4194304xf32>) {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 2049 : index
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<4194304xf32>
  %t = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel"]} ins(%x : tensor<4194304xf32>) outs(%e : tensor<4194304xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<4194304xf32>
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #x, #e], iterator_types = ["reduction"]} ins(%t, %y : tensor<4194304xf32>, tensor<4194304xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %i = linalg.index 0 : index
    %r = arith.remui %i, %n : index
    %is = arith.cmpi eq, %r, %zero : index
    %d = arith.divf %a, %b : f32
    %v = arith.select %is, %c, %d : f32
    %s = arith.addf %out, %v : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %2, %t : tensor<f32>, tensor<4194304xf32>
}

// The body reads a matrix itself, down its columns, which decides: parts of these, and no row kernel.
// CHECK-LABEL: func.func @down_columns
// CHECK: linalg.generic {{.*}}["parallel", "reduction", "parallel"]}
// CHECK: linalg.generic {{.*}}["reduction", "parallel"]}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<{{.*}}x{{.*}}xf32>, %{{.*}}: tensor<4096x1024xf32>{{.*}}strategy = generic,
func.func @down_columns(%w: tensor<4096xf32>, %m: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1024xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<1024xf32>) -> tensor<1024xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<4096xf32>) outs(%1 : tensor<1024xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b = tensor.extract %m[%i, %j] : tensor<4096x1024xf32>
    %p = arith.mulf %a, %b : f32
    %q = math.absf %p : f32
    %s = arith.addf %out, %q fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %2 : tensor<1024xf32>
}

// All pairs of points: each input goes over one of the loops, of which the last one stays whole.
// CHECK-LABEL: func.func @pairs
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<4096xf32>)
// CHECK: linalg.generic {{.*}}["reduction"]}
func.func @pairs(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %y : tensor<4096xf32>, tensor<4096xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %q = math.absf %d : f32
    %s = arith.addf %out, %q fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
