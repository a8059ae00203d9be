// Gradients of linalg operations beside those of the dialect, compiled, against the reference.
// RUN: sed 's/T_/f32/g' %s | forge-opt --transformer-differentiate -o %t.f32.mlir
// RUN: forge verify %t.f32.mlir --function main_grad --each-stage
// RUN: forge verify %t.f32.mlir --function main_grad --tier correctness
// RUN: forge verify %t.f32.mlir --function main_grad --target sim:sm_90a
// RUN: sed 's/T_/f64/g' %s | forge-opt --transformer-differentiate -o %t.f64.mlir
// RUN: forge verify %t.f64.mlir --function main_grad
// RUN: sed 's/T_/bf16/g' %s | forge-opt --transformer-differentiate -o %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --function main_grad
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<7x33xT_>, %w: tensor<33x5xT_>, %u: tensor<2x?x5xT_>, %o: tensor<7xT_>, %b: tensor<5xT_>)
    -> (tensor<7x5xT_>, tensor<7xT_>, tensor<2x?x7xT_>) {
  %zero = arith.constant 0.0 : T_
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<7x5xT_>
  %z = linalg.fill ins(%zero : T_) outs(%e : tensor<7x5xT_>) -> tensor<7x5xT_>
  %p = linalg.matmul ins(%x, %w : tensor<7x33xT_>, tensor<33x5xT_>) outs(%z : tensor<7x5xT_>) -> tensor<7x5xT_>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %o, %b : tensor<7x5xT_>, tensor<7xT_>, tensor<5xT_>) outs(%e : tensor<7x5xT_>) {
  ^bb0(%q: T_, %r: T_, %s: T_, %out: T_):
    %0 = arith.mulf %q, %r : T_
    %1 = arith.addf %0, %s : T_
    %2 = math.tanh %1 : T_
    linalg.yield %2 : T_
  } -> tensor<7x5xT_>
  %n = transformer.softmax %y {dimension = 1 : i64} : tensor<7x5xT_>
  %sums = linalg.reduce ins(%n : tensor<7x5xT_>) outs(%o : tensor<7xT_>) dimensions = [1]
      (%q: T_, %s: T_) {
    %0 = arith.mulf %q, %q : T_
    %1 = arith.addf %s, %0 : T_
    linalg.yield %1 : T_
  }
  %m = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 7, 5] : tensor<7x5xT_> into tensor<1x7x5xT_>
  %many = tensor.concat dim(0) %m, %m : (tensor<1x7x5xT_>, tensor<1x7x5xT_>) -> tensor<2x7x5xT_>
  %t = tensor.empty() : tensor<2x5x7xT_>
  %turned = linalg.transpose ins(%many : tensor<2x7x5xT_>) outs(%t : tensor<2x5x7xT_>) permutation = [0, 2, 1]
  %d = tensor.dim %u, %c1 : tensor<2x?x5xT_>
  %f = tensor.empty(%d) : tensor<2x?x7xT_>
  %g = linalg.fill ins(%zero : T_) outs(%f : tensor<2x?x7xT_>) -> tensor<2x?x7xT_>
  %a = linalg.batch_matmul ins(%u, %turned : tensor<2x?x5xT_>, tensor<2x5x7xT_>) outs(%g : tensor<2x?x7xT_>) -> tensor<2x?x7xT_>
  return %y, %sums, %a : tensor<7x5xT_>, tensor<7xT_>, tensor<2x?x7xT_>
}
