// A stack of channels that are computed alike is computed once, at the channel: each element reads what it needs of its own channel.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=fuse" | FileCheck %s
// RUN: forge verify %s --function channels --target sim:sm_90a
// RUN: forge verify %s --function others --target sim:sm_90a
// RUN: forge verify %s --function parts --target sim:gfx942

// CHECK-LABEL: @channels
// CHECK: linalg.generic
// CHECK-DAG: %[[R:.*]] = linalg.index 0
// CHECK-DAG: %[[C:.*]] = linalg.index 1
// CHECK: tensor.extract %arg0[%{{.*}}, %[[C]]]
// CHECK: tensor.extract %arg0[%{{.*}}, %[[C]]]
// CHECK-NOT: tensor.extract %arg0
// CHECK-NOT: arith.cmpi
// CHECK: linalg.yield
func.func @channels(%x: tensor<40x3xf32>, %i: tensor<64xi32>, %j: tensor<64xi32>) -> tensor<64x3xf32> {
  %ii = stablehlo.reshape %i : (tensor<64xi32>) -> tensor<64x1xi32>
  %jj = stablehlo.reshape %j : (tensor<64xi32>) -> tensor<64x1xi32>
  %x0 = stablehlo.slice %x [0:40, 0:1] : (tensor<40x3xf32>) -> tensor<40x1xf32>
  %x1 = stablehlo.slice %x [0:40, 1:2] : (tensor<40x3xf32>) -> tensor<40x1xf32>
  %x2 = stablehlo.slice %x [0:40, 2:3] : (tensor<40x3xf32>) -> tensor<40x1xf32>
  %a0 = "stablehlo.gather"(%x0, %ii) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %b0 = "stablehlo.gather"(%x0, %jj) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %a1 = "stablehlo.gather"(%x1, %ii) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %b1 = "stablehlo.gather"(%x1, %jj) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %a2 = "stablehlo.gather"(%x2, %ii) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %b2 = "stablehlo.gather"(%x2, %jj) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<40x1xf32>, tensor<64x1xi32>) -> tensor<64x1xf32>
  %r0 = stablehlo.subtract %a0, %b0 : tensor<64x1xf32>
  %r1 = stablehlo.subtract %a1, %b1 : tensor<64x1xf32>
  %r2 = stablehlo.subtract %a2, %b2 : tensor<64x1xf32>
  %r = stablehlo.concatenate %r0, %r1, %r2, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x3xf32>
  %s = stablehlo.multiply %r, %r : tensor<64x3xf32>
  return %s : tensor<64x3xf32>
}

// Channels in another order: at a place that is chosen, still one computation.
// CHECK-LABEL: @others
// CHECK: linalg.generic
// CHECK: %[[PLACE:.*]] = arith.select
// CHECK: tensor.extract %arg0[%{{.*}}, %[[PLACE]]]
// CHECK-NOT: tensor.extract %arg0
// CHECK: linalg.yield
func.func @others(%x: tensor<64x3xf32>) -> tensor<64x2xf32> {
  %x0 = stablehlo.slice %x [0:64, 2:3] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %x1 = stablehlo.slice %x [0:64, 0:1] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %r0 = stablehlo.tanh %x0 : tensor<64x1xf32>
  %r1 = stablehlo.tanh %x1 : tensor<64x1xf32>
  %r = stablehlo.concatenate %r0, %r1, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %s = stablehlo.multiply %r, %r : tensor<64x2xf32>
  return %s : tensor<64x2xf32>
}

// Parts that compute something else stay.
// CHECK-LABEL: @parts
// CHECK: math.tanh
// CHECK: math.exp
// CHECK: arith.select
func.func @parts(%x: tensor<64x3xf32>) -> tensor<64x2xf32> {
  %x0 = stablehlo.slice %x [0:64, 2:3] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %x1 = stablehlo.slice %x [0:64, 0:1] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %r0 = stablehlo.tanh %x0 : tensor<64x1xf32>
  %r1 = stablehlo.exponential %x1 : tensor<64x1xf32>
  %r = stablehlo.concatenate %r0, %r1, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %s = stablehlo.multiply %r, %r : tensor<64x2xf32>
  return %s : tensor<64x2xf32>
}
