// RUN: forge-opt --forge-fuse-elementwise --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// bias add, then relu: one operation that reads x and the bias once.
// CHECK-LABEL: func.func @bias_relu
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: linalg.generic
func.func @bias_relu(%x: tensor<4x33xf32>, %b: tensor<33xf32>) -> tensor<4x33xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %bb = linalg.broadcast ins(%b : tensor<33xf32>) outs(%e : tensor<4x33xf32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bb : tensor<4x33xf32>, tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x33xf32>) -> tensor<4x33xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %z : tensor<4x33xf32>, tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.maximumf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %1 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The exponential has two readers: it is computed once, and not again inside the sum.
// CHECK-LABEL: func.func @exp_used_twice
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
func.func @exp_used_twice(%x: tensor<4x33xf32>) -> (tensor<4x33xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x33xf32>
  %r = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.reduce ins(%0 : tensor<4x33xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
      (%a: f32, %o: f32) {
        %s = arith.addf %a, %o : f32
        linalg.yield %s : f32
      }
  return %0, %1 : tensor<4x33xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// An expensive value per row is not computed again for every column.
// CHECK-LABEL: func.func @rsqrt_per_row
// CHECK: linalg.generic
// CHECK: math.rsqrt
// CHECK: linalg.generic
// CHECK: arith.mulf
func.func @rsqrt_per_row(%x: tensor<?x?xf32>, %v: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = tensor.empty(%m) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%v : tensor<?xf32>) outs(%r : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.rsqrt %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Sum and sum of squares of the same rows: one operation with two results, which reads x once.
// CHECK-LABEL: func.func @mean_and_square
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>)
// CHECK-NOT: linalg.generic
func.func @mean_and_square(%x: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %sq = linalg.mul ins(%x, %x : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %sumsq = linalg.reduce { arith.addf } ins(%sq : tensor<8x64xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %sum, %sumsq : tensor<8xf32>, tensor<8xf32>
}

// -----

// A transpose becomes an indexing map of its reader.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transpose_add
// CHECK: linalg.generic {indexing_maps = [#[[$T]], #[[$ID]], #[[$ID]]]
// CHECK-NOT: linalg.generic
func.func @transpose_add(%x: tensor<16x8xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %0 = linalg.add ins(%t, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The tanh reads the cache before the row is written over it. Fused into the sum, which is after the
// write, it would keep the old cache alive and force a copy of it.
// CHECK-LABEL: func.func @read_before_update
// CHECK: math.tanh
// CHECK: tensor.insert_slice
// CHECK: arith.addf
func.func @read_before_update(%cache: tensor<128x64xf32>, %row: tensor<1x64xf32>, %at: index)
    -> (tensor<128x64xf32>, tensor<128x64xf32>) {
  %e = tensor.empty() : tensor<128x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%cache : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.tanh %a : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  %new = tensor.insert_slice %row into %cache[%at, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<128x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %new : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %new, %1 : tensor<128x64xf32>, tensor<128x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d0, d1)>

// Mean, and mean of squares of a row kept as a dimension of size one (as frameworks print layer norm): the unit dimension
// goes, and the two sums become one operation, though the first mean is used before the second sum.
// CHECK-LABEL: func.func @unit_dimension
// CHECK-NOT: expand_shape
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>)
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK: arith.divf
// CHECK: arith.subf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @unit_dimension(%x: tensor<8x64xf32>) -> tensor<8x1xf32> {
  %n = arith.constant 64.0 : f32
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %n : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %mean1 = tensor.expand_shape %mean [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %x1 = tensor.expand_shape %x [[0, 1], [2]] output_shape [8, 1, 64] : tensor<8x64xf32> into tensor<8x1x64xf32>
  %r1 = tensor.empty() : tensor<8x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%r1 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %squares = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x1 : tensor<8x1x64xf32>) outs(%f1 : tensor<8x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x1xf32>
  %var = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%squares, %mean1 : tensor<8x1xf32>, tensor<8x1xf32>) outs(%r1 : tensor<8x1xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %q = arith.divf %a, %n : f32
    %mm = arith.mulf %m, %m : f32
    %s = arith.subf %q, %mm : f32
    linalg.yield %s : f32
  } -> tensor<8x1xf32>
  return %var : tensor<8x1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A sum of one element, broadcast: without its loop it is elementwise, but starts from the initial value. Every column
// must start from it anew.
// CHECK-LABEL: func.func @sum_of_one
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.addf %[[X]], %{{.*}} : f32
// CHECK-NOT: linalg.generic
func.func @sum_of_one(%x: tensor<8x1xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x1xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %b = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%e : tensor<8x16xf32>) dimensions = [1]
  return %b : tensor<8x16xf32>
}

// -----

// One window of seven in rows of eight: the eighth element is not read, so the loop over windows stays.
// CHECK-LABEL: func.func @one_window
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<8x3xf32>) outs(%{{.*}} : tensor<1x7x3xf32>)
func.func @one_window(%x: tensor<8x3xf32>) -> tensor<1x7x3xf32> {
  %e = tensor.empty() : tensor<1x7x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 * 2 + d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x3xf32>) outs(%e : tensor<1x7x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x7x3xf32>
  return %0 : tensor<1x7x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0) -> (d0)>

// One element of each row of a conversion is converted where it is used; nothing is left that writes the whole of it.
// CHECK-LABEL: func.func @picked_element
// CHECK-SAME: %[[X:.*]]: tensor<33x4xbf16>
// CHECK-COUNT-1: linalg.generic
// CHECK: ^bb0(%[[T:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[C:.*]] = arith.index_cast %[[T]]
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[C]], %[[I]]]
// CHECK: arith.extf %[[E]]
// CHECK-NOT: linalg.generic
func.func @picked_element(%x: tensor<33x4xbf16>, %t: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %w = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<33x4xbf16>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %s = arith.extf %a : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %r = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%r : tensor<4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %a : i32 to index
    %v = tensor.extract %w[%i, %c] : tensor<4x33xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Nothing to add up: the sums are what they start from, and nothing is left to be tiled.
// CHECK-LABEL: func @no_terms
// CHECK-SAME: (%{{.*}}: tensor<?x0xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @no_terms(%x: tensor<?x0xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x0xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
