// RUN: forge-opt %s --forge-fuse-expansions --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#pairs = affine_map<(d0, d1, d2) -> (d0, d1)>

// The squared distance of all pairs of points: three terms, computed from slices of the points, beginning with what the sum begins with.
// CHECK-DAG:   #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @distances(
// CHECK-SAME:    %[[X:.*]]: tensor<256x3xf32>, %[[Y:.*]]: tensor<128x3xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     tensor.extract_slice %[[X]][0, 0] [256, 1] [1, 1] : tensor<256x3xf32> to tensor<256xf32>
// CHECK-DAG:     tensor.extract_slice %[[X]][0, 2] [256, 1] [1, 1] : tensor<256x3xf32> to tensor<256xf32>
// CHECK-DAG:     tensor.extract_slice %[[Y]][0, 1] [128, 1] [1, 1] : tensor<128x3xf32> to tensor<128xf32>
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[ROW]], #[[ROW]], #[[ROW]], #[[COLUMN]], #[[COLUMN]], #[[COLUMN]], {{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK:           arith.addf %{{.*}}, %[[ZERO]]
// CHECK-COUNT-2:   arith.addf
// CHECK-NOT:       arith.addf
// CHECK:         return %[[R]]
func.func @distances(%x: tensor<256x3xf32>, %y: tensor<128x3xf32>) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #pairs], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<256x3xf32>, tensor<128x3xf32>) outs(%f : tensor<256x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %s = arith.mulf %d, %d : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<256x128xf32>
  return %r : tensor<256x128xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#pairs = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Nine terms are too many; what is read in full is read by rows; products of rows and columns have kernels of their own.
// CHECK-LABEL: func.func @other_sums(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
func.func @other_sums(%x: tensor<256x9xf32>, %y: tensor<128x9xf32>, %z: tensor<256x128x3xf32>, %v: tensor<256x4xf32>, %w: tensor<128x4xf32>)
    -> (tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #pairs], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<256x9xf32>, tensor<128x9xf32>) outs(%f : tensor<256x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %s = arith.mulf %d, %d : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<256x128xf32>
  %s = linalg.generic {indexing_maps = [#all, #pairs], iterator_types = ["parallel", "parallel", "reduction"]} ins(%z : tensor<256x128x3xf32>) outs(%f : tensor<256x128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %out, %a : f32
    linalg.yield %t : f32
  } -> tensor<256x128xf32>
  %p = linalg.generic {indexing_maps = [#rows, #columns, #pairs], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v, %w : tensor<256x4xf32>, tensor<128x4xf32>) outs(%f : tensor<256x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    linalg.yield %t : f32
  } -> tensor<256x128xf32>
  return %r, %s, %p : tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Two readers compute it: one adds rows up, one turns it.
// CHECK-LABEL: func.func @two_readers(
// CHECK-SAME:    %[[X:.*]]: tensor<512xf32>, %[[Y:.*]]: tensor<256xf32>, %[[Z:.*]]: tensor<512x256xf32>)
// CHECK-NOT:     linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<512xf32>, tensor<256xf32>) outs(%{{.*}} : tensor<512x256xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[X]], %[[Y]], %[[Z]] :
// CHECK:           arith.subf
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[Y]] : tensor<512xf32>, tensor<256xf32>) outs(%{{.*}} : tensor<256x512xf32>)
// CHECK:           arith.subf
// CHECK:           math.exp
func.func @two_readers(%x: tensor<512xf32>, %y: tensor<256xf32>, %z: tensor<512x256xf32>) -> (tensor<256xf32>, tensor<256x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x256xf32>
  %d = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<256xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.sqrt %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x256xf32>
  %es = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.generic {indexing_maps = [#all, #all, #column], iterator_types = ["reduction", "parallel"]} ins(%d, %z : tensor<512x256xf32>, tensor<512x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    %u = arith.maximumf %t, %m : f32
    %v = arith.minimumf %t, %u : f32
    linalg.yield %v : f32
  } -> tensor<256xf32>
  %et = tensor.empty() : tensor<256x512xf32>
  %t = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<512x256xf32>) outs(%et : tensor<256x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  return %s, %t : tensor<256xf32>, tensor<256x512xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Two error functions and a power take longer than memory does.
// CHECK-LABEL: func.func @dear(
// CHECK-COUNT-1: math.erfc
// CHECK-NOT:     math.erfc
func.func @dear(%x: tensor<512xf32>, %y: tensor<256xf32>) -> (tensor<256x512xf32>, tensor<256x512xf32>) {
  %e = tensor.empty() : tensor<512x256xf32>
  %d = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<256xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = math.erfc %a : f32
    %1 = math.erf %b : f32
    %2 = math.powf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<512x256xf32>
  %et = tensor.empty() : tensor<256x512xf32>
  %t = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<512x256xf32>) outs(%et : tensor<256x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  %u = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<512x256xf32>) outs(%et : tensor<256x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  return %t, %u : tensor<256x512xf32>, tensor<256x512xf32>
}

// What is returned is in memory anyway.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-1: math.sqrt
// CHECK-NOT:     math.sqrt
func.func @returned(%x: tensor<512xf32>, %y: tensor<256xf32>) -> (tensor<512x256xf32>, tensor<256x512xf32>) {
  %e = tensor.empty() : tensor<512x256xf32>
  %d = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<256xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.sqrt %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x256xf32>
  %et = tensor.empty() : tensor<256x512xf32>
  %t = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<512x256xf32>) outs(%et : tensor<256x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  return %d, %t : tensor<512x256xf32>, tensor<256x512xf32>
}

// -----

#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#column = affine_map<(d0, d1, d2) -> (d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Each of two slices by itself, with the index of the step that it is.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.*]]: tensor<64x2xf32>, %[[Y:.*]]: tensor<16xf32>)
// CHECK-DAG:     %[[A:.*]] = tensor.extract_slice %[[X]][0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64xf32>
// CHECK-DAG:     %[[B:.*]] = tensor.extract_slice %[[X]][0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK-COUNT-2:   math.exp
// CHECK:         return %[[R]]
func.func @slices(%x: tensor<64x2xf32>, %y: tensor<16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x2x16xf32>
  %d = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<64x2xf32>, tensor<16xf32>) outs(%e : tensor<64x2x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %0 = arith.mulf %a, %b : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %k : f32
    linalg.yield %2 : f32
  } -> tensor<64x2x16xf32>
  %p = tensor.extract_slice %d[0, 0, 0] [64, 1, 16] [1, 1, 1] : tensor<64x2x16xf32> to tensor<64x16xf32>
  %q = tensor.extract_slice %d[0, 1, 0] [64, 1, 16] [1, 1, 1] : tensor<64x2x16xf32> to tensor<64x16xf32>
  %et = tensor.empty() : tensor<64x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %q : tensor<64x16xf32>, tensor<64x16xf32>) outs(%et : tensor<64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// Overlapping slices would compute some elements twice; a product reads its factor from memory.
// CHECK-LABEL: func.func @other_slices(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:         tensor.extract_slice
func.func @other_slices(%x: tensor<64xf32>) -> (tensor<64x40xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = math.tanh %a : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %p = tensor.extract_slice %d[0, 0] [64, 40] [1, 1] : tensor<64x64xf32> to tensor<64x40xf32>
  %q = tensor.extract_slice %d[0, 24] [64, 40] [1, 1] : tensor<64x64xf32> to tensor<64x40xf32>
  %et = tensor.empty() : tensor<64x40xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %q : tensor<64x40xf32>, tensor<64x40xf32>) outs(%et : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x40xf32>
  %u = tensor.extract_slice %c[0, 0] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
  %v = tensor.extract_slice %c[0, 32] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
  %es = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<64x32xf32>) -> tensor<64x32xf32>
  %s = linalg.matmul ins(%u, %v : tensor<64x32xf32>, tensor<32x32xf32>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r, %s : tensor<64x40xf32>, tensor<64x32xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// A row kernel computes it with all that reads it.
// CHECK-LABEL: func.func @in_rows(
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
func.func @in_rows(%x: tensor<512xf32>, %y: tensor<256xf32>) -> tensor<512x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x256xf32>
  %d = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<256xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x256xf32>
  %es = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<512x256xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %out, %a : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %s : tensor<512x256xf32>, tensor<512xf32>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<512x256xf32>
  return %r : tensor<512x256xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#both = affine_map<(d0, d1) -> (d0, d1)>
#terms = affine_map<(d0, d1, d2) -> (d1, d2)>
#weights = affine_map<(d0, d1, d2) -> (d0, d1)>
#sums = affine_map<(d0, d1, d2) -> (d0, d2)>

// Weights of all pairs, which a thread computes once for three sums that it has; for nine it would be too often.
// CHECK-LABEL: func.func @components(
// CHECK-NOT:     tensor<512x512xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins({{.*}}) outs({{.*}} : tensor<512x3xf32>)
// CHECK:           math.sqrt
// CHECK:           arith.divf
// CHECK-NOT:     linalg.generic
// CHECK-LABEL: func.func @many_components(
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} {{.*}} outs({{.*}} : tensor<512x512xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins({{.*}}, %[[W]] :
func.func @components(%x: tensor<512xf32>, %y: tensor<512xf32>, %v: tensor<512x3xf32>) -> tensor<512x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %w = linalg.generic {indexing_maps = [#row, #column, #both], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %r = math.sqrt %s : f32
    %d = arith.divf %a, %r : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %e3 = tensor.empty() : tensor<512x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<512x3xf32>) -> tensor<512x3xf32>
  %t = linalg.generic {indexing_maps = [#terms, #sums, #weights, #sums], iterator_types = ["parallel", "reduction", "parallel"]} ins(%v, %v, %w : tensor<512x3xf32>, tensor<512x3xf32>, tensor<512x512xf32>) outs(%f : tensor<512x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %p = arith.mulf %d, %c : f32
    %s = arith.addf %out, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<512x3xf32>
  return %t : tensor<512x3xf32>
}

func.func @many_components(%x: tensor<512xf32>, %y: tensor<512xf32>, %v: tensor<512x9xf32>) -> tensor<512x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %w = linalg.generic {indexing_maps = [#row, #column, #both], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %r = math.sqrt %s : f32
    %d = arith.divf %a, %r : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %e9 = tensor.empty() : tensor<512x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e9 : tensor<512x9xf32>) -> tensor<512x9xf32>
  %t = linalg.generic {indexing_maps = [#terms, #sums, #weights, #sums], iterator_types = ["parallel", "reduction", "parallel"]} ins(%v, %v, %w : tensor<512x9xf32>, tensor<512x9xf32>, tensor<512x512xf32>) outs(%f : tensor<512x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %p = arith.mulf %d, %c : f32
    %s = arith.addf %out, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<512x9xf32>
  return %t : tensor<512x9xf32>
}
