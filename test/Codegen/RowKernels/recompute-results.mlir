// Elementwise results that kernels compute again instead of reading them.
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-recompute-results))" | FileCheck %s

#m = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>

// The exponentials of kernel 0 are those of the gradient, too, which follows from their sum. What only the sum uses then is part of it.
// CHECK-LABEL: func.func @gradient
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%arg0, %arg1 : {{.*}} {forge.cluster = 0 : i64}
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %[[SUM]] : tensor<512x16384xf32>, tensor<512xf32>, tensor<512xf32>)
// CHECK: math.exp
// CHECK: arith.divf
func.func @gradient(%x: tensor<512x16384xf32>, %max: tensor<512xf32>) -> (tensor<512xf32>, tensor<512x16384xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x16384xf32>
  %exps = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<512x16384xf32>, tensor<512xf32>) outs(%e : tensor<512x16384xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x16384xf32>
  %e1 = tensor.empty() : tensor<512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%exps : tensor<512x16384xf32>) outs(%f1 : tensor<512xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %e2 = tensor.empty() : tensor<512x16384xbf16>
  %grad = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%exps, %sum : tensor<512x16384xf32>, tensor<512xf32>) outs(%e2 : tensor<512x16384xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %0 = arith.divf %a, %b : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<512x16384xbf16>
  return %sum, %grad : tensor<512xf32>, tensor<512x16384xbf16>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>

// As a member of the cluster that reads them.
// CHECK-LABEL: func.func @clusters
// CHECK: forge.cluster = 0
// CHECK: %[[AGAIN:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<512x16384xbf16>) {{.*}} {forge.cluster = 1 : i64}
// CHECK: linalg.generic {{.*}} ins(%[[AGAIN]] : tensor<512x16384xf32>) {{.*}} {forge.cluster = 1 : i64}
func.func @clusters(%x: tensor<512x16384xbf16>) -> (tensor<512xf32>, tensor<512xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x16384xf32>
  %squares = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x16384xbf16>) outs(%e : tensor<512x16384xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x16384xf32>
  %e1 = tensor.empty() : tensor<512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%squares : tensor<512x16384xf32>) outs(%f1 : tensor<512xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
  %largest = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%squares : tensor<512x16384xf32>) outs(%f2 : tensor<512xf32>) attrs = {forge.cluster = 1 : i64} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  return %sum, %largest : tensor<512xf32>, tensor<512xf32>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>
#all = affine_map<(r, c) -> ()>

// Where a body looks an element up, it is computed there, indices and all; a sum of all elements reads the source, too.
// CHECK-LABEL: func.func @lookups
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<512x16512xf32>)
// CHECK: %[[R:.*]] = linalg.index 0
// CHECK: %[[ELEMENT:.*]] = tensor.extract %arg0[%[[R]], %[[C:.*]]] :
// CHECK: arith.index_cast %[[C]]
// CHECK: arith.mulf %[[ELEMENT]]
// CHECK: ["reduction", "reduction"]} ins(%arg0 : tensor<512x16384xf32>)
func.func @lookups(%x: tensor<512x16384xf32>) -> (tensor<512x16512xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %c16383 = arith.constant 16383 : index
  %e = tensor.empty() : tensor<512x16384xf32>
  %scaled = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x16384xf32>) outs(%e : tensor<512x16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<512x16384xf32>
  %e1 = tensor.empty() : tensor<512x16512xf32>
  %padded = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%e1 : tensor<512x16512xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = arith.minui %1, %c16383 : index
    %3 = tensor.extract %scaled[%0, %2] : tensor<512x16384xf32>
    linalg.yield %3 : f32
  } -> tensor<512x16512xf32>
  %e2 = tensor.empty() : tensor<f32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%scaled : tensor<512x16384xf32>) outs(%f2 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %padded, %sum : tensor<512x16512xf32>, tensor<f32>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#all = affine_map<(r, c) -> ()>

// What is returned is in memory anyway; small results stay in caches; two operands of full size cost more than the result.
// CHECK-LABEL: func.func @kept
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<512x16384xf32>)
// CHECK: ins(%[[A]] : tensor<512x16384xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<512x64xf32>)
// CHECK: ins(%[[B]] : tensor<512x64xf32>)
// CHECK: ins(%[[B]] : tensor<512x64xf32>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%arg0, %arg2 :
// CHECK: ins(%[[C]] : tensor<512x16384xf32>)
// CHECK: ins(%[[C]] : tensor<512x16384xf32>)
func.func @kept(%x: tensor<512x16384xf32>, %s: tensor<512x64xf32>, %y: tensor<512x16384xf32>) -> (tensor<512x16384xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x16384xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %returned = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x16384xf32>) outs(%e : tensor<512x16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %sum = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%returned : tensor<512x16384xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %e1 = tensor.empty() : tensor<512x64xf32>
  %small = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<512x64xf32>) outs(%e1 : tensor<512x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<512x64xf32>
  %sum1 = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%small : tensor<512x64xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %max1 = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%small : tensor<512x64xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %both = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<512x16384xf32>, tensor<512x16384xf32>) outs(%e : tensor<512x16384xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %sum2 = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%both : tensor<512x16384xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %max2 = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%both : tensor<512x16384xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %returned, %sum, %sum1, %max1, %sum2, %max2 : tensor<512x16384xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#all = affine_map<(r, c) -> ()>

// What is computed of a product's sums alone is its epilogue: the sums are not in memory.
// CHECK-LABEL: func.func @epilogue
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<512x16384xf32>) outs(%{{.*}} : tensor<512x16384xf32>)
// CHECK: ins(%[[E]] : tensor<512x16384xf32>)
// CHECK: ins(%[[E]] : tensor<512x16384xf32>)
func.func @epilogue(%a: tensor<512x64xf32>, %b: tensor<64x16384xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x16384xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x16384xf32>) -> tensor<512x16384xf32>
  %p = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x16384xf32>) outs(%f : tensor<512x16384xf32>) -> tensor<512x16384xf32>
  %relu = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<512x16384xf32>) outs(%e : tensor<512x16384xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%relu : tensor<512x16384xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.addf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%relu : tensor<512x16384xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.maximumf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %sum, %max : tensor<f32>, tensor<f32>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#all = affine_map<(r, c) -> ()>

// Indices in regions of a body would be those of other loops.
// CHECK-LABEL: func.func @regions
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%arg0 :
// CHECK: ins(%[[E]] : tensor<512x16384xf32>)
// CHECK: ins(%[[E]] : tensor<512x16384xf32>)
func.func @regions(%x: tensor<512x16384xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<512x16384xf32>
  %masked = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x16384xf32>) outs(%e : tensor<512x16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = linalg.index 0 : index
    %first = arith.cmpi ult, %r, %c8 : index
    %0 = scf.if %first -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%masked : tensor<512x16384xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#m, #all], iterator_types = ["reduction", "reduction"]} ins(%masked : tensor<512x16384xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %sum, %max : tensor<f32>, tensor<f32>
}

// -----

#m = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>

// A softmax of which a gradient reads the quotients: what kernel 0 computes for them element by element, too. Its sum stays, and so do the
// exponentials that it alone reads then.
// CHECK-LABEL: func.func @chain
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} {{.*}} {forge.cluster = 0 : i64}
// CHECK-NOT: forge.cluster
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %[[SUM]], %arg2 : tensor<512x16384xbf16>, tensor<512xf32>, tensor<512xf32>, tensor<512x16384xf32>)
// CHECK: arith.extf
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: arith.mulf
func.func @chain(%x: tensor<512x16384xbf16>, %max: tensor<512xf32>, %d: tensor<512x16384xf32>) -> tensor<512x16384xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x16384xf32>
  %wide = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x16384xbf16>) outs(%e : tensor<512x16384xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %exps = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%wide, %max : tensor<512x16384xf32>, tensor<512xf32>) outs(%e : tensor<512x16384xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x16384xf32>
  %e1 = tensor.empty() : tensor<512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%exps : tensor<512x16384xf32>) outs(%f1 : tensor<512xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %quotients = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%exps, %sum : tensor<512x16384xf32>, tensor<512xf32>) outs(%e : tensor<512x16384xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<512x16384xf32>
  %e2 = tensor.empty() : tensor<512x16384xbf16>
  %grad = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%quotients, %d : tensor<512x16384xf32>, tensor<512x16384xf32>) outs(%e2 : tensor<512x16384xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<512x16384xbf16>
  return %grad : tensor<512x16384xbf16>
}
