// A dimension expanded to several whose sizes are known at run time only, of a whole tensor and of a part of one.
// RUN: forge verify %s --target cpu --each-stage | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a --each-stage | FileCheck %s

// CHECK: simplify: result 0 agrees
// CHECK: result 1 agrees
// CHECK: whole: result 0 agrees
// CHECK: whole: result 1 agrees
func.func @main(%x: tensor<?x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x2xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x2xf32>
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x2xf32> into tensor<?x2xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%m, %n, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  %2 = transformer.activation tanh %1 : tensor<?x?x2xf32>
  %3 = tensor.extract_slice %x[0, 0, 1] [%n, %m, 1] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x?xf32>
  %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  %6 = transformer.activation tanh %5 : tensor<?x?xf32>
  return %2, %6 : tensor<?x?x2xf32>, tensor<?x?xf32>
}
