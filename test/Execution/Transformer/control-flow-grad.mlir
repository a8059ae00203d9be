// Gradients through branches and loops, compiled, against the reference.
// RUN: sed 's/T_/f32/g' %s | forge-opt --transformer-differentiate -o %t.f32.mlir
// RUN: forge verify %t.f32.mlir --function main_grad --each-stage
// RUN: forge verify %t.f32.mlir --function main_grad --tier correctness
// RUN: sed 's/T_/bf16/g' %s | forge-opt --transformer-differentiate -o %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --function main_grad
func.func @main(%x: tensor<?x4xT_>, %w: tensor<3x4x4xT_>, %flags: tensor<2xi1>, %n: tensor<T_>) -> (tensor<?x4xT_>, tensor<?x4xT_>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> tensor<?x4xT_> {
    %m = tensor.extract_slice %w[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xT_> to tensor<4x4xT_>
    %p = transformer.matmul %h, %m : (tensor<?x4xT_>, tensor<4x4xT_>) -> tensor<?x4xT_>
    %t = transformer.activation tanh %p : tensor<?x4xT_>
    scf.yield %t : tensor<?x4xT_>
  }
  %first = tensor.extract %flags[%c0] : tensor<2xi1>
  %second = tensor.extract %flags[%c1] : tensor<2xi1>
  %number = tensor.extract %n[] : tensor<T_>
  %a, %f = scf.if %first -> (tensor<?x4xT_>, T_) {
    %s = transformer.softmax %y {dimension = 1 : i64} : tensor<?x4xT_>
    %q = arith.mulf %number, %number : T_
    scf.yield %s, %q : tensor<?x4xT_>, T_
  } else {
    scf.yield %x, %number : tensor<?x4xT_>, T_
  }
  %b = scf.if %second -> tensor<?x4xT_> {
    scf.yield %a : tensor<?x4xT_>
  } else {
    %e = transformer.multiply %a, %y : tensor<?x4xT_>
    scf.yield %e : tensor<?x4xT_>
  }
  %d = tensor.dim %x, %c0 : tensor<?x4xT_>
  %many = tensor.splat %f[%d] : tensor<?x4xT_>
  return %b, %many : tensor<?x4xT_>, tensor<?x4xT_>
}
