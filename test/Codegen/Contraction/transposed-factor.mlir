// A factor that a module transposes is read where it is: on the CPU panels are filled in either order.
// RUN: forge compile %s --target cpu --to loops -o - | FileCheck %s
// RUN: forge verify %s --target cpu
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<48x300xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<32x48xf32>, tensor<300x48xf32>)
// CHECK-NOT: tensor<48x300xf32>
func.func @main(%x: tensor<32x48xf32>, %e: tensor<300x48xf32>) -> tensor<32x300xf32> {
  %t = stablehlo.transpose %e, dims = [1, 0] : (tensor<300x48xf32>) -> tensor<48x300xf32>
  %r = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<32x48xf32>, tensor<48x300xf32>) -> tensor<32x300xf32>
  return %r : tensor<32x300xf32>
}
