// Rows of two numbers of a table are read at once, by a thread that computes both: one index, one access. What is put together of such rows is written at once, too.
// RUN: forge compile %s --target cuda:sm_90a --tier optimized --to ptx -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942

// CHECK-LABEL: .entry loop(
// CHECK: ld.global.v2.b32
// CHECK: st.global.v2.b32
// CHECK-NOT: st.global
// CHECK-LABEL: .entry loop_0(
// CHECK: ld.global.v2.b32
// CHECK: st.global.v2.b32
// CHECK-NOT: st.global
func.func @levels(%table: tensor<2x512x2xf32>, %i: tensor<32768xi32>, %w: tensor<32768xf32>) -> tensor<32768x4xf32> {
  %a = stablehlo.slice %table [0:1, 0:512, 0:2] : (tensor<2x512x2xf32>) -> tensor<1x512x2xf32>
  %ar = stablehlo.reshape %a : (tensor<1x512x2xf32>) -> tensor<512x2xf32>
  %b = stablehlo.slice %table [1:2, 0:512, 0:2] : (tensor<2x512x2xf32>) -> tensor<1x512x2xf32>
  %br = stablehlo.reshape %b : (tensor<1x512x2xf32>) -> tensor<512x2xf32>
  %mask = stablehlo.constant dense<511> : tensor<32768xi32>
  %three = stablehlo.constant dense<3> : tensor<32768xi32>
  %at = stablehlo.and %i, %mask : tensor<32768xi32>
  %j = stablehlo.multiply %i, %three : tensor<32768xi32>
  %bt = stablehlo.and %j, %mask : tensor<32768xi32>
  %ai = stablehlo.reshape %at : (tensor<32768xi32>) -> tensor<32768x1xi32>
  %bi = stablehlo.reshape %bt : (tensor<32768xi32>) -> tensor<32768x1xi32>
  %ag = "stablehlo.gather"(%ar, %ai) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<512x2xf32>, tensor<32768x1xi32>) -> tensor<32768x2xf32>
  %bg = "stablehlo.gather"(%br, %bi) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<512x2xf32>, tensor<32768x1xi32>) -> tensor<32768x2xf32>
  %wb = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<32768xf32>) -> tensor<32768x2xf32>
  %am = stablehlo.multiply %ag, %wb : tensor<32768x2xf32>
  %bm = stablehlo.multiply %bg, %wb : tensor<32768x2xf32>
  %r = stablehlo.concatenate %am, %bm, dim = 1 : (tensor<32768x2xf32>, tensor<32768x2xf32>) -> tensor<32768x4xf32>
  return %r : tensor<32768x4xf32>
}
