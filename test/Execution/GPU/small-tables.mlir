// Matrices that are looked up and too small to fill a tile of strategy wgmma: of 16 columns, and of 16 terms. The table is read in place.
// RUN: forge explain %s --target cuda:sm_90a | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// CHECK-COUNT-2: 1 launch: wgmma;
// CHECK: 2 kernels;

func.func @main(%x: tensor<64x1024xbf16>, %a: tensor<6x1024x16xbf16>, %b: tensor<6x16x1024xbf16>) -> tensor<64x1024xbf16> {
  %i = stablehlo.iota dim = 0 : tensor<64x1xi32>
  %five = stablehlo.constant dense<5> : tensor<64x1xi32>
  %ids = stablehlo.and %i, %five : tensor<64x1xi32>
  %0 = "stablehlo.gather"(%a, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1024, 16>}> : (tensor<6x1024x16xbf16>, tensor<64x1xi32>) -> tensor<64x1024x16xbf16>
  %1 = stablehlo.dot_general %x, %0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<64x1024xbf16>, tensor<64x1024x16xbf16>) -> tensor<64x16xbf16>
  %2 = "stablehlo.gather"(%b, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16, 1024>}> : (tensor<6x16x1024xbf16>, tensor<64x1xi32>) -> tensor<64x16x1024xbf16>
  %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<64x16xbf16>, tensor<64x16x1024xbf16>) -> tensor<64x1024xbf16>
  return %3 : tensor<64x1024xbf16>
}
