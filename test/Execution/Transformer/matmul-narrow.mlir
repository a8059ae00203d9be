// Products of f8 and of i8 factors against the reference; the integer ones to the bit.
// RUN: forge verify %s --each-stage --verbose | FileCheck %s
// RUN: forge verify %s --tier correctness

// CHECK: {{^}}  result 0: {{.*}}; tolerance
// CHECK: {{^}}  result 3: {{.*}}; exact{{$}}
// CHECK-NOT: differ
func.func @main(%a: tensor<5x19xf8E4M3FN>, %b: tensor<19x7xf8E4M3FN>, %c: tensor<7x19xf8E5M2>, %u: tensor<5xbf16>,
                %i: tensor<5x19xi8>, %j: tensor<7x19xi8>, %n: tensor<7xi32>, %r: tensor<5x7xi32>, %d: tensor<?x19xi8>)
    -> (tensor<5x7xf32>, tensor<5x7xbf16>, tensor<5x5xbf16>, tensor<5x7xi32>, tensor<?x7xi32>) {
  %0 = transformer.matmul %a, %b : (tensor<5x19xf8E4M3FN>, tensor<19x7xf8E4M3FN>) -> tensor<5x7xf32>
  %1 = transformer.matmul %a, %c {transpose_rhs} : (tensor<5x19xf8E4M3FN>, tensor<7x19xf8E5M2>) -> tensor<5x7xbf16>
  %2 = transformer.matmul %a, %a bias %u {transpose_rhs, activation = #transformer.activation<relu>}
      : (tensor<5x19xf8E4M3FN>, tensor<5x19xf8E4M3FN>, tensor<5xbf16>) -> tensor<5x5xbf16>
  %3 = transformer.matmul %i, %j bias %n residual %r {transpose_rhs}
      : (tensor<5x19xi8>, tensor<7x19xi8>, tensor<7xi32>, tensor<5x7xi32>) -> tensor<5x7xi32>
  %4 = transformer.matmul %d, %j {transpose_rhs, accumulate = i32} : (tensor<?x19xi8>, tensor<7x19xi8>) -> tensor<?x7xi32>
  return %0, %1, %2, %3, %4 : tensor<5x7xf32>, tensor<5x7xbf16>, tensor<5x5xbf16>, tensor<5x7xi32>, tensor<?x7xi32>
}
