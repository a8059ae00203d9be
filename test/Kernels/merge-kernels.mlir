// RUN: forge-opt %s --forge-merge-kernels | FileCheck %s

// Equal but for the name: one stays.
// CHECK: func.func private @add(
// CHECK-NOT: @add_0
func.func private @add(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @add_0(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// Another body, and another type, are other kernels.
// CHECK: func.func private @mul(
func.func private @mul(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel} {
  %0 = linalg.mul ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK: func.func private @add_1(
func.func private @add_1(%x: tensor<9xf32>, %o: tensor<9xf32>) -> tensor<9xf32> attributes {forge.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<9xf32>, tensor<9xf32>) outs(%o : tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
// CHECK-LABEL: func.func @main
// CHECK: call @add(
// CHECK: call @add(
// CHECK: call @mul(
func.func @main(%x: tensor<8xf32>, %y: tensor<9xf32>) -> (tensor<8xf32>, tensor<9xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<9xf32>
  %0 = call @add(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = call @add_0(%0, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = call @mul(%1, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = call @add_1(%y, %f) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  return %2, %3 : tensor<8xf32>, tensor<9xf32>
}
