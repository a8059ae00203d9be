// A layer of a graph network and its gradients: tables are multiplied, not what is looked up in them. Some indices are before
// the table and some behind it; no index is odd, and row 1 is infinite, which no sum may see.
// RUN: forge compile %s --target sim:sm_90a --to simplify -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a | FileCheck %s --check-prefix=AGREES
// RUN: forge verify %s --target sim:gfx942 | FileCheck %s --check-prefix=AGREES
// RUN: forge compile %s --to simplify -o - | FileCheck %s
// RUN: forge verify %s | FileCheck %s --check-prefix=AGREES
// The correctness tier computes what the module says.
// RUN: forge compile %s --target sim:sm_90a --tier correctness --to simplify -o - | FileCheck %s --check-prefix=SAID
// AGREES-COUNT-4: agrees
// AGREES-NOT: inf

// CHECK: stablehlo.dot_general {{.*}} -> tensor<256x128xf32>
// CHECK-NOT: tensor<1024x129xf32>
// SAID: tensor<1024x129xf32>
func.func @main(%nodes: tensor<256x128xf32>, %d: tensor<1024x1xf32>, %w: tensor<129x128xf32>, %dy: tensor<1024x128xf32>)
    -> (tensor<1024x128xf32>, tensor<128x129xf32>, tensor<256x128xf32>, tensor<1024x1xf32>) {
  %place = stablehlo.iota dim = 0 : tensor<1024x1xi32>
  %7 = stablehlo.constant dense<7> : tensor<1024x1xi32>
  %134 = stablehlo.constant dense<134> : tensor<1024x1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1024x1xi32>
  %4 = stablehlo.constant dense<4> : tensor<1024x1xi32>
  %i0 = stablehlo.multiply %place, %7 : tensor<1024x1xi32>
  %i1 = stablehlo.remainder %i0, %134 : tensor<1024x1xi32>
  %i2 = stablehlo.multiply %i1, %2 : tensor<1024x1xi32>
  %i = stablehlo.subtract %i2, %4 : tensor<1024x1xi32>
  %row = stablehlo.iota dim = 0 : tensor<256x128xi32>
  %one = stablehlo.constant dense<1> : tensor<256x128xi32>
  %infinity = stablehlo.constant dense<0x7F800000> : tensor<256x128xf32>
  %is = stablehlo.compare EQ, %row, %one : (tensor<256x128xi32>, tensor<256x128xi32>) -> tensor<256x128xi1>
  %t = stablehlo.select %is, %infinity, %nodes : tensor<256x128xi1>, tensor<256x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<256x128xf32>
  %g = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}> : (tensor<256x128xf32>, tensor<1024x1xi32>) -> tensor<1024x128xf32>
  %x = stablehlo.concatenate %g, %d, dim = 1 : (tensor<1024x128xf32>, tensor<1024x1xf32>) -> tensor<1024x129xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x129xf32>, tensor<129x128xf32>) -> tensor<1024x128xf32>
  %dw = stablehlo.dot_general %dy, %x, contracting_dims = [0] x [0] : (tensor<1024x128xf32>, tensor<1024x129xf32>) -> tensor<128x129xf32>
  %dx = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [1] : (tensor<1024x128xf32>, tensor<129x128xf32>) -> tensor<1024x129xf32>
  %dg = stablehlo.slice %dx [0:1024, 0:128] : (tensor<1024x129xf32>) -> tensor<1024x128xf32>
  %dd = stablehlo.slice %dx [0:1024, 128:129] : (tensor<1024x129xf32>) -> tensor<1024x1xf32>
  %dt = "stablehlo.scatter"(%zero, %i, %dg) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<256x128xf32>, tensor<1024x1xi32>, tensor<1024x128xf32>) -> tensor<256x128xf32>
  return %y, %dw, %dt, %dd : tensor<1024x128xf32>, tensor<128x129xf32>, tensor<256x128xf32>, tensor<1024x1xf32>
}
