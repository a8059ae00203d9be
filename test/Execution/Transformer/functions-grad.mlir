// Gradients of functions of numbers, and of numbers that leave tensors, compiled, against the reference.
// RUN: sed 's/T_/f32/g' %s | forge-opt --transformer-differentiate=function=functions --transformer-differentiate=function=numbers -o %t.f32.mlir
// RUN: forge verify %t.f32.mlir --function functions_grad
// RUN: forge verify %t.f32.mlir --function numbers_grad --each-stage
// RUN: sed 's/T_/f64/g' %s | forge-opt --transformer-differentiate=function=functions --transformer-differentiate=function=numbers -o %t.f64.mlir
// RUN: forge verify %t.f64.mlir --function functions_grad
// RUN: sed 's/T_/bf16/g' %s | forge-opt --transformer-differentiate=function=functions --transformer-differentiate=function=numbers -o %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --function functions_grad
// RUN: forge verify %t.bf16.mlir --function numbers_grad
// RUN: sed 's/T_/f16/g' %s | forge-opt --transformer-differentiate=function=functions --transformer-differentiate=function=numbers -o %t.f16.mlir
// RUN: forge verify %t.f16.mlir --function functions_grad
func.func @functions(%x: tensor<?x3xT_>, %y: tensor<?x3xT_>) -> tensor<?x3xT_> {
  %u = math.tanh %x : tensor<?x3xT_>
  %v = math.sin %y : tensor<?x3xT_>
  %s = arith.mulf %u, %u : tensor<?x3xT_>
  %e = math.exp %s : tensor<?x3xT_>
  %p = arith.addf %e, %e : tensor<?x3xT_>
  %a = arith.divf %u, %p : tensor<?x3xT_>
  %t0 = math.absf %u : tensor<?x3xT_>
  %t1 = math.acos %a : tensor<?x3xT_>
  %sum1 = arith.addf %t0, %t1 : tensor<?x3xT_>
  %t2 = math.acosh %p : tensor<?x3xT_>
  %sum2 = arith.addf %sum1, %t2 : tensor<?x3xT_>
  %t3 = math.asin %a : tensor<?x3xT_>
  %sum3 = arith.addf %sum2, %t3 : tensor<?x3xT_>
  %t4 = math.asinh %u : tensor<?x3xT_>
  %sum4 = arith.addf %sum3, %t4 : tensor<?x3xT_>
  %t5 = math.atan %u : tensor<?x3xT_>
  %sum5 = arith.addf %sum4, %t5 : tensor<?x3xT_>
  %t6 = math.atanh %a : tensor<?x3xT_>
  %sum6 = arith.addf %sum5, %t6 : tensor<?x3xT_>
  %t7 = math.cbrt %p : tensor<?x3xT_>
  %sum7 = arith.addf %sum6, %t7 : tensor<?x3xT_>
  %t8 = math.cos %u : tensor<?x3xT_>
  %sum8 = arith.addf %sum7, %t8 : tensor<?x3xT_>
  %t9 = math.cosh %u : tensor<?x3xT_>
  %sum9 = arith.addf %sum8, %t9 : tensor<?x3xT_>
  %t10 = math.erf %u : tensor<?x3xT_>
  %sum10 = arith.addf %sum9, %t10 : tensor<?x3xT_>
  %t11 = math.erfc %u : tensor<?x3xT_>
  %sum11 = arith.addf %sum10, %t11 : tensor<?x3xT_>
  %t12 = math.exp %u : tensor<?x3xT_>
  %sum12 = arith.addf %sum11, %t12 : tensor<?x3xT_>
  %t13 = math.exp2 %u : tensor<?x3xT_>
  %sum13 = arith.addf %sum12, %t13 : tensor<?x3xT_>
  %t14 = math.expm1 %u : tensor<?x3xT_>
  %sum14 = arith.addf %sum13, %t14 : tensor<?x3xT_>
  %t15 = math.log %p : tensor<?x3xT_>
  %sum15 = arith.addf %sum14, %t15 : tensor<?x3xT_>
  %t16 = math.log10 %p : tensor<?x3xT_>
  %sum16 = arith.addf %sum15, %t16 : tensor<?x3xT_>
  %t17 = math.log1p %p : tensor<?x3xT_>
  %sum17 = arith.addf %sum16, %t17 : tensor<?x3xT_>
  %t18 = math.log2 %p : tensor<?x3xT_>
  %sum18 = arith.addf %sum17, %t18 : tensor<?x3xT_>
  %t19 = math.rsqrt %p : tensor<?x3xT_>
  %sum19 = arith.addf %sum18, %t19 : tensor<?x3xT_>
  %t20 = math.sin %u : tensor<?x3xT_>
  %sum20 = arith.addf %sum19, %t20 : tensor<?x3xT_>
  %t21 = math.sinh %u : tensor<?x3xT_>
  %sum21 = arith.addf %sum20, %t21 : tensor<?x3xT_>
  %t22 = math.sqrt %p : tensor<?x3xT_>
  %sum22 = arith.addf %sum21, %t22 : tensor<?x3xT_>
  %t23 = math.tan %u : tensor<?x3xT_>
  %sum23 = arith.addf %sum22, %t23 : tensor<?x3xT_>
  %t24 = math.tanh %u : tensor<?x3xT_>
  %sum24 = arith.addf %sum23, %t24 : tensor<?x3xT_>
  %t25 = math.atan2 %u, %p : tensor<?x3xT_>
  %sum25 = arith.addf %sum24, %t25 : tensor<?x3xT_>
  %t26 = math.powf %p, %v : tensor<?x3xT_>
  %sum26 = arith.addf %sum25, %t26 : tensor<?x3xT_>
  %t27 = math.fma %u, %v, %p : tensor<?x3xT_>
  %sum27 = arith.addf %sum26, %t27 : tensor<?x3xT_>
  %t28 = arith.remf %v, %p : tensor<?x3xT_>
  %sum28 = arith.addf %sum27, %t28 : tensor<?x3xT_>
  %t29 = arith.maxnumf %u, %v : tensor<?x3xT_>
  %sum29 = arith.addf %sum28, %t29 : tensor<?x3xT_>
  %t30 = arith.minnumf %u, %a : tensor<?x3xT_>
  %sum30 = arith.addf %sum29, %t30 : tensor<?x3xT_>
  %t31 = math.floor %p : tensor<?x3xT_>
  %sum31 = arith.addf %sum30, %t31 : tensor<?x3xT_>
  return %sum31 : tensor<?x3xT_>
}

func.func @numbers(%x: tensor<3x4xT_>, %y: tensor<?xT_>) -> (tensor<2x2xT_>, tensor<4x?xT_>, tensor<3x4xT_>, tensor<5xT_>, tensor<6x4xT_>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : T_
  %a = tensor.extract %x[%c2, %c0] : tensor<3x4xT_>
  %b = tensor.extract %y[%c2] : tensor<?xT_>
  %p = arith.mulf %a, %b : T_
  %q = arith.addf %p, %b : T_
  %four = tensor.from_elements %a, %p, %p, %q : tensor<2x2xT_>
  %n = tensor.dim %y, %c0 : tensor<?xT_>
  %many = tensor.splat %q[%n] : tensor<4x?xT_>
  %other = tensor.insert %b into %x[%c2, %c2] : tensor<3x4xT_>
  %twice = arith.mulf %other, %x : tensor<3x4xT_>
  %empty = tensor.empty() : tensor<5xT_>
  %filled = linalg.fill ins(%p : T_) outs(%empty : tensor<5xT_>) -> tensor<5xT_>
  %padded = tensor.pad %x low[2, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : T_
  } : tensor<3x4xT_> to tensor<6x4xT_>
  return %four, %many, %twice, %filled, %padded : tensor<2x2xT_>, tensor<4x?xT_>, tensor<3x4xT_>, tensor<5xT_>, tensor<6x4xT_>
}
