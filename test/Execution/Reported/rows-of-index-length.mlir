// A reduction of numbers computed from indices, of a length known at run time only: GPUs took it to be 1 (the largest position of a rope).
// RUN: forge verify %s --target cpu --dynamic-size 300
// RUN: forge verify %s --target sim:sm_90a --dynamic-size 300
// RUN: forge verify %s --target sim:gfx942 --dynamic-size 300
#id = affine_map<(s) -> (s)>
#scalar = affine_map<(s) -> ()>
func.func @main(%x: tensor<?xf32>) -> tensor<i64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %positions = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    linalg.yield %j : i32
  } -> tensor<?xi32>
  %me = tensor.empty() : tensor<i64>
  %m0 = linalg.fill ins(%zero : i64) outs(%me : tensor<i64>) -> tensor<i64>
  %m = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]} ins(%positions : tensor<?xi32>) outs(%m0 : tensor<i64>) {
  ^bb0(%in: i32, %out: i64):
    %a = arith.extsi %in : i32 to i64
    %b = arith.maxsi %out, %a : i64
    linalg.yield %b : i64
  } -> tensor<i64>
  return %m : tensor<i64>
}
