// RUN: forge-opt %s --canonicalize --split-input-file | FileCheck %s

// Identities: an op that changes nothing is its operand.

// CHECK-LABEL: @identity
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @identity(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
    tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : tensor<2x3xf32>
  %1 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.slice %x [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.concatenate %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 0], interior = [0, 0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %7 = stablehlo.reverse %x, dims = [] : tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
    tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Neutral elements of integers; floats keep their operation, since -0.0 + 0.0 is 0.0.

// CHECK-LABEL: @neutral
// CHECK-SAME: (%[[X:[^:]*]]: tensor<2xi32>, %[[F:.*]]: tensor<2xf32>)
func.func @neutral(%x: tensor<2xi32>, %f: tensor<2xf32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %fzero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.add %zero, %x : tensor<2xi32>
  %1 = stablehlo.subtract %x, %zero : tensor<2xi32>
  %2 = stablehlo.multiply %one, %x : tensor<2xi32>
  %3 = stablehlo.divide %x, %one : tensor<2xi32>
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[F]]
  %4 = stablehlo.add %f, %fzero : tensor<2xf32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[SUM]]
  return %0, %1, %2, %3, %4
      : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>
}

// -----

// Two of a kind become one.

// CHECK-LABEL: @reshape_of_reshape
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_of_reshape(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: @transpose_of_transpose
// CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: return %[[T]]
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// CHECK-LABEL: @transpose_and_back
// CHECK-NEXT: return %arg0
func.func @transpose_and_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<3xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_of_broadcast(%x: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// -----

// A large constant stays a broadcast, a small one is folded.

// CHECK-LABEL: @broadcast_of_constant
// CHECK-DAG: %[[SMALL:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2x2xf32>
// CHECK-DAG: %[[LARGE:.*]] = stablehlo.broadcast_in_dim {{.*}} -> tensor<100x100xf32>
// CHECK: return %[[SMALL]], %[[LARGE]]
func.func @broadcast_of_constant() -> (tensor<2x2xf32>, tensor<100x100xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<100x100xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<100x100xf32>
}

// -----

// Shape arithmetic of modules with dynamic dimensions.

// CHECK-LABEL: @shape_arithmetic
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<10x5xf32>
// CHECK-NEXT: return %[[B]]
func.func @shape_arithmetic(%x: tensor<5xf32>) -> tensor<10x5xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<5xf32>) -> tensor<i32>
  %n2 = stablehlo.multiply %n, %two : tensor<i32>
  %d0 = stablehlo.reshape %n2 : (tensor<i32>) -> tensor<1xi32>
  %d1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %d0, %d1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1]
      : (tensor<5xf32>, tensor<2xi32>) -> tensor<10x5xf32>
  return %0 : tensor<10x5xf32>
}

// CHECK-LABEL: @integers
// CHECK-DAG: dense<[-1, 1]> : tensor<2xi32>
// CHECK-DAG: dense<[-2, 3]> : tensor<2xi32>
// CHECK-DAG: dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: dense<[249, 3]> : tensor<2xui8>
// CHECK-DAG: dense<[-7, 2]> : tensor<2xi32>
// CHECK-NOT: stablehlo.divide
func.func @integers() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xui8>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[-7, 3]> : tensor<2xi32>
  %b = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %rem = stablehlo.remainder %a, %b : tensor<2xi32>
  %div = stablehlo.divide %a, %b : tensor<2xi32>
  %max = stablehlo.maximum %div, %a : tensor<2xi32>
  %lt = stablehlo.compare LT, %a, %b, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %u = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xui8>
  %pick = stablehlo.select %lt, %a, %b : tensor<2xi1>, tensor<2xi32>
  return %rem, %max, %lt, %u, %pick
      : tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xui8>, tensor<2xi32>
}

// What a division by zero gives is up to the compiled program.

// CHECK-LABEL: @division_by_zero
// CHECK: stablehlo.divide
func.func @division_by_zero() -> tensor<i32> {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.divide %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: @slice_of_constant
// CHECK-NEXT: stablehlo.constant dense<[1, 3]> : tensor<2xi32>
func.func @slice_of_constant() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %0 = stablehlo.slice %c [1:4:2] : (tensor<5xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// Dynamic ops with constant amounts are static ones.

// CHECK-LABEL: @dynamic_to_static
// CHECK-DAG: stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK-DAG: stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-DAG: stablehlo.pad %arg0, %{{.*}}, low = [1], high = [2], interior = [0]
// CHECK-DAG: stablehlo.slice %arg0 [1:5:2]
// CHECK-NOT: dynamic
func.func @dynamic_to_static(%x: tensor<6xf32>)
    -> (tensor<2x3xi32>, tensor<2x3xf32>, tensor<9xf32>, tensor<2xf32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi64>
  %c1 = stablehlo.constant dense<1> : tensor<1xi64>
  %c2 = stablehlo.constant dense<2> : tensor<1xi64>
  %c5 = stablehlo.constant dense<5> : tensor<1xi64>
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = stablehlo.dynamic_pad %x, %zero, %c1, %c2, %c0
      : (tensor<6xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<9xf32>
  %3 = stablehlo.real_dynamic_slice %x, %c1, %c5, %c2
      : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2x3xi32>, tensor<2x3xf32>, tensor<9xf32>, tensor<2xf32>
}

// Bounds that do not fit are an error of the run: the op stays.

// CHECK-LABEL: @bad_bounds
// CHECK: stablehlo.real_dynamic_slice
func.func @bad_bounds(%x: tensor<6xf32>) -> tensor<2xf32> {
  %c1 = stablehlo.constant dense<1> : tensor<1xi64>
  %c9 = stablehlo.constant dense<9> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %x, %c1, %c9, %c1
      : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @dynamic_slice_at_constants
// CHECK-NEXT: stablehlo.slice %arg0 [0:2, 1:3]
func.func @dynamic_slice_at_constants(%x: tensor<4x3xf32>) -> tensor<2x2xf32> {
  %low = stablehlo.constant dense<-3> : tensor<i32>
  %high = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %low, %high, sizes = [2, 2]
      : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @known_branch
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[N]], %arg0
func.func @known_branch(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.if"(%false) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %n = stablehlo.negate %x : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "stablehlo.case"(%index) ({
    %n = stablehlo.negate %x : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @select_and_tuple
// CHECK-NEXT: return %arg0, %arg1
func.func @select_and_tuple(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %true, %x, %y : tensor<i1>, tensor<2xf32>
  %t = stablehlo.tuple %x, %y : tuple<tensor<2xf32>, tensor<2xf32>>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
