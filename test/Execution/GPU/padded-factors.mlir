// Gradients of logits of a vocabulary whose rows are no multiples of 16 bytes: products read padded rows, which are written where the
// gradients are computed.
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s
// CHECK-DAG: func.func private @elementwise{{.*}} -> tensor<192x256xbf16>
// CHECK-DAG: func.func private {{.*}}(%{{.*}}: tensor<192x256xbf16>, %{{.*}}: tensor<251x128xbf16>, {{.*}} -> tensor<192x128xbf16> attributes {{.*}}strategy = wgmma
// CHECK-DAG: func.func private {{.*}}(%{{.*}}: tensor<192x256xbf16>, %{{.*}}: tensor<192x128xbf16>, {{.*}} -> tensor<251x128xbf16> attributes {{.*}}strategy = wgmma
func.func @main(%x: tensor<192x128xbf16>, %w: tensor<251x128xbf16>, %labels: tensor<192x251xf32>) -> (tensor<192x128xbf16>, tensor<251x128xbf16>) {
  %z = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<192x128xbf16>, tensor<251x128xbf16>) -> tensor<192x251xf32>
  %d = stablehlo.subtract %z, %labels : tensor<192x251xf32>
  %n = stablehlo.convert %d : (tensor<192x251xf32>) -> tensor<192x251xbf16>
  %dx = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<192x251xbf16>, tensor<251x128xbf16>) -> tensor<192x128xbf16>
  %dw = stablehlo.dot_general %n, %x, contracting_dims = [0] x [0] : (tensor<192x251xbf16>, tensor<192x128xbf16>) -> tensor<251x128xbf16>
  return %dx, %dw : tensor<192x128xbf16>, tensor<251x128xbf16>
}
