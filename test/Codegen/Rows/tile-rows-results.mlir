// RUN: forge-opt --forge-tile-rows %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// The loop reads the second result of the pair; the first one is used after it. The pair moves into the loop as a
// whole and nothing of it stays in front, where its operand, computed in the loop too, is not there yet.
// CHECK-LABEL: func.func @second_result_in_loop
// CHECK-NOT: linalg.generic
// CHECK: %[[LOOP:.*]]:2 = scf.forall
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: %[[PAIR:.*]]:2 = linalg.generic {{.*}} ins(%[[P]] :
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[PAIR]]#1 :
// CHECK: scf.forall.in_parallel
// CHECK-DAG: tensor.parallel_insert_slice %[[LAST]]
// CHECK-DAG: tensor.parallel_insert_slice %[[PAIR]]#0
// CHECK: return %[[LOOP]]#1, %[[LOOP]]#0
func.func @second_result_in_loop(%x: tensor<7x33xf32>) -> (tensor<7x33xf32>, tensor<7x33xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<7x33xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<7x33xf32>
  %b = tensor.empty() : tensor<7x33xi1>
  %both:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<7x33xf32>) outs(%e, %b : tensor<7x33xf32>, tensor<7x33xi1>) {
  ^bb0(%a: f32, %o: f32, %o2: i1):
    %l = math.log %a : f32
    %c = arith.cmpf ogt, %a, %one : f32
    linalg.yield %l, %c : f32, i1
  } -> (tensor<7x33xf32>, tensor<7x33xi1>)
  %last = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %both#1 : tensor<7x33xf32>, tensor<7x33xi1>) outs(%e : tensor<7x33xf32>) attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [1, 0]>} {
  ^bb0(%a: f32, %c: i1, %o: f32):
    %r = arith.select %c, %a, %one : f32
    linalg.yield %r : f32
  } -> tensor<7x33xf32>
  return %both#0, %last : tensor<7x33xf32>, tensor<7x33xf32>
}
