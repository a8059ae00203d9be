// RUN: forge-opt --forge-fuse-elementwise --forge-schedule-rows --forge-tile-rows --split-input-file %s | FileCheck %s

// Softmax: maximum, exponential, sum and division of a row in one loop; the temporaries hold a tile.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg
// CHECK: scf.forall (%{{.*}}) in (4096) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<4096x1024xf32>)
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: -> tensor<1x1024xf32>
// CHECK-NOT: math.exp
// CHECK: arith.addf
// CHECK: tensor.extract_slice %[[OUT]]
// CHECK: arith.divf
// CHECK: tensor.parallel_insert_slice
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [1, 0]>
// CHECK-NOT: linalg.generic
func.func @softmax(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %e = tensor.empty() : tensor<4096x1024xf32>
  %r = tensor.empty() : tensor<4096xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %f0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4096x1024xf32>) outs(%f0 : tensor<4096xf32>) dimensions = [1]
  %bmax = linalg.broadcast ins(%max : tensor<4096xf32>) outs(%e : tensor<4096x1024xf32>) dimensions = [1]
  %sub = linalg.sub ins(%x, %bmax : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %exp = linalg.exp ins(%sub : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%r : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<4096x1024xf32>) outs(%f1 : tensor<4096xf32>) dimensions = [1]
  %bsum = linalg.broadcast ins(%sum : tensor<4096xf32>) outs(%e : tensor<4096x1024xf32>) dimensions = [1]
  %div = linalg.div ins(%exp, %bsum : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  return %div : tensor<4096x1024xf32>
}

// -----

// Small work is left sequential: a parallel loop costs more than it.
// CHECK-LABEL: func.func @tiny_softmax
// CHECK-NOT: scf.forall
func.func @tiny_softmax(%x: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %r = tensor.empty() : tensor<4xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %f0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x33xf32>) outs(%f0 : tensor<4xf32>) dimensions = [1]
  %bmax = linalg.broadcast ins(%max : tensor<4xf32>) outs(%e : tensor<4x33xf32>) dimensions = [1]
  %sub = linalg.sub ins(%x, %bmax : tensor<4x33xf32>, tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) -> tensor<4x33xf32>
  %exp = linalg.exp ins(%sub : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) -> tensor<4x33xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<4x33xf32>) outs(%f1 : tensor<4xf32>) dimensions = [1]
  %bsum = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%e : tensor<4x33xf32>) dimensions = [1]
  %div = linalg.div ins(%exp, %bsum : tensor<4x33xf32>, tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) -> tensor<4x33xf32>
  return %div : tensor<4x33xf32>
}

// -----

// A schedule written by hand is kept, also where the heuristics would not tile.
// CHECK-LABEL: func.func @by_hand
// CHECK: scf.forall (%{{.*}}) = (0) to (4) step (2)
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [2, 0]>
func.func @by_hand(%x: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [2, 0]>} {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

// Layer norm with the residual sum needed afterwards too: the sum is computed once, in the loop, and returned by it.
// CHECK-LABEL: func.func @residual_layer_norm
// CHECK-NOT: linalg.generic
// CHECK: %[[L:.*]]:2 = scf.forall
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: math.rsqrt
// CHECK: scf.forall.in_parallel
// CHECK-COUNT-2: tensor.parallel_insert_slice
// CHECK-NOT: linalg.generic
// CHECK: return %[[L]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#v = affine_map<(d0) -> (d0)>
func.func @residual_layer_norm(%x: tensor<512x768xf32>, %y: tensor<512x768xf32>, %g: tensor<768xf32>)
    -> (tensor<512x768xf32>, tensor<512x768xf32>) {
  %e = tensor.empty() : tensor<512x768xf32>
  %r = tensor.empty() : tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = linalg.add ins(%x, %y : tensor<512x768xf32>, tensor<512x768xf32>) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.reduce { arith.addf } ins(%z : tensor<512x768xf32>) outs(%f : tensor<512xf32>) dimensions = [1]
  %sqs = linalg.square ins(%z : tensor<512x768xf32>) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %sq = linalg.reduce { arith.addf } ins(%sqs : tensor<512x768xf32>) outs(%f : tensor<512xf32>) dimensions = [1]
  %rstd = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%sum, %sq : tensor<512xf32>, tensor<512xf32>) outs(%r : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    %m2 = arith.mulf %m, %m : f32
    %q = arith.divf %b, %n : f32
    %var = arith.subf %q, %m2 : f32
    %ve = arith.addf %var, %eps : f32
    %s = math.rsqrt %ve : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %out = linalg.generic {indexing_maps = [#id, #row, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %sum, %rstd, %g : tensor<512x768xf32>, tensor<512xf32>, tensor<512xf32>, tensor<768xf32>) outs(%e : tensor<512x768xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32, %w: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %c = arith.subf %a, %m : f32
    %d = arith.mulf %c, %q : f32
    %h = arith.mulf %d, %w : f32
    linalg.yield %h : f32
  } -> tensor<512x768xf32>
  return %z, %out : tensor<512x768xf32>, tensor<512x768xf32>
}

// -----

// Rows counted at run time: one per tile, so that no tile is cut short.
// CHECK-LABEL: func.func @dynamic
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: tensor<1x?xf32>
// CHECK: math.exp
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = tensor.empty(%m) : tensor<?xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%ninf : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A matrix product is not tiled here; what follows it is.
// CHECK-LABEL: func.func @after_matmul
// CHECK: linalg.matmul
// CHECK: scf.forall
// CHECK: math.tanh
func.func @after_matmul(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %e = tensor.empty() : tensor<256x256xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  %t = linalg.tanh ins(%c : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %t : tensor<256x256xf32>
}

// -----

// The centred variance needs the mean first: both sums start from one fill, and yet all is one loop.
// CHECK-LABEL: func.func @centred_layer_norm
// CHECK-NOT: linalg
// CHECK: scf.forall
// CHECK-COUNT-2: "reduction"
// CHECK: math.rsqrt
// CHECK: scf.forall.in_parallel
// CHECK-NOT: scf.forall
// CHECK: return
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
func.func @centred_layer_norm(%x: tensor<512x768xf32>) -> tensor<512x768xf32> {
  %e = tensor.empty() : tensor<512x768xf32>
  %r = tensor.empty() : tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<512x768xf32>) outs(%f : tensor<512xf32>) dimensions = [1]
  %sq = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<512x768xf32>, tensor<512xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %b, %n : f32
    %c = arith.subf %a, %m : f32
    %c2 = arith.mulf %c, %c : f32
    %s = arith.addf %o, %c2 : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %inv = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sq : tensor<512xf32>) outs(%r : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.rsqrt %a : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %inv : tensor<512x768xf32>, tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512x768xf32>) {
  ^bb0(%a: f32, %b: f32, %i: f32, %o: f32):
    %m = arith.divf %b, %n : f32
    %c = arith.subf %a, %m : f32
    %d = arith.mulf %c, %i : f32
    linalg.yield %d : f32
  } -> tensor<512x768xf32>
  return %y : tensor<512x768xf32>
}
