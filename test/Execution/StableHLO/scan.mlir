// chlo.scan: a running reduction as JAX writes it for GPUs, backward too, and loops that carry several values; on the CPU and on simulated chips, against
// the reference, which goes step by step.
// RUN: forge verify %s --function sum --target cpu
// RUN: forge verify %s --function sum --target sim:sm_90a
// RUN: forge verify %s --function sum --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function highest --target cpu
// RUN: forge verify %s --function highest --target sim:gfx1100
// RUN: forge verify %s --function decayed --target cpu
// RUN: forge verify %s --function decayed --target sim:sm_90a
// RUN: forge verify %s --function doubled --target cpu
// RUN: forge verify %s --function no_steps --target cpu
// RUN: forge run %s --function check
// RUN: forge-opt %s --forge-legalize-chlo | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s --check-prefix=PRINT

// CHECK-LABEL: @sum
// CHECK: stablehlo.reduce_window
// CHECK-SAME: padding = dense<{{\[\[}}0, 0], [6, 0], [0, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 1, 7, 1>
// CHECK: stablehlo.dynamic_slice
// PRINT-LABEL: @sum
// PRINT: chlo.scan(%arg0) inits (%{{.*}}) dimension=1 attributes {is_associative = true, is_reverse = false} {
// PRINT: ^bb0(%input: tensor<3x2xf32>, %carry: tensor<3x2xf32>):
// PRINT: } : (tensor<3x7x2xf32>, tensor<3x2xf32>) -> (tensor<3x7x2xf32>, tensor<3x2xf32>)
func.func @sum(%x: tensor<3x7x2xf32>) -> (tensor<3x7x2xf32>, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %init = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
  %r:2 = chlo.scan(%x) inits (%init) dimension=1  attributes {is_associative = true, is_reverse = false} {
  ^bb0(%input: tensor<3x2xf32>, %carry: tensor<3x2xf32>):
    %s = stablehlo.add %input, %carry : tensor<3x2xf32>
    stablehlo.return %s, %s : tensor<3x2xf32>, tensor<3x2xf32>
  } : (tensor<3x7x2xf32>, tensor<3x2xf32>) -> (tensor<3x7x2xf32>, tensor<3x2xf32>)
  return %r#0, %r#1 : tensor<3x7x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: @highest
// CHECK: stablehlo.reduce_window
// CHECK-SAME: padding = dense<{{\[\[}}0, 4]]>
func.func @highest(%x: tensor<5xi32>) -> (tensor<5xi32>, tensor<i32>) {
  %init = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r:2 = chlo.scan(%x) inits (%init) dimension=0 attributes {is_reverse = true} {
  ^bb0(%input: tensor<i32>, %carry: tensor<i32>):
    %s = stablehlo.maximum %carry, %input : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  } : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  return %r#0, %r#1 : tensor<5xi32>, tensor<i32>
}

// Two inputs, two carried values; the output is not what is carried; what the body reads from around it.
// CHECK-LABEL: @decayed
// CHECK: stablehlo.while
// CHECK-NOT: chlo.scan
// CHECK: return
func.func @decayed(%x: tensor<3x6xf32>, %a: tensor<3x6xf32>, %h: tensor<3xf32>, %k: tensor<3xf32>) -> (tensor<3x6xf32>, tensor<3xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = chlo.scan(%x, %a) inits (%h, %one) dimension=1 attributes {is_reverse = true, scan_dim_size = 6 : i64} {
  ^bb0(%xt: tensor<3xf32>, %at: tensor<3xf32>, %ht: tensor<3xf32>, %n: tensor<i32>):
    %p = stablehlo.multiply %at, %ht : tensor<3xf32>
    %q = stablehlo.add %p, %xt : tensor<3xf32>
    %y = stablehlo.multiply %q, %k : tensor<3xf32>
    %m = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %y, %q, %m : tensor<3xf32>, tensor<3xf32>, tensor<i32>
  } : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3xf32>, tensor<i32>) -> (tensor<3x6xf32>, tensor<3xf32>, tensor<i32>)
  return %r#0, %r#1, %r#2 : tensor<3x6xf32>, tensor<3xf32>, tensor<i32>
}

// No inputs; written in the generic form.
// CHECK-LABEL: @doubled
// CHECK: stablehlo.while
func.func @doubled(%d: tensor<2xf32>) -> tensor<2x5xf32> {
  %r:2 = "chlo.scan"(%d) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64}> ({
  ^bb0(%q: tensor<2xf32>):
    %s = stablehlo.add %q, %q : tensor<2xf32>
    stablehlo.return %q, %s : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>) -> (tensor<2x5xf32>, tensor<2xf32>)
  return %r#0 : tensor<2x5xf32>
}

func.func @no_steps(%x: tensor<2x0xf32>, %d: tensor<2xf32>) -> (tensor<2x0xf32>, tensor<2xf32>) {
  %r:2 = chlo.scan(%x) inits (%d) dimension=1 {
  ^bb0(%p: tensor<2xf32>, %q: tensor<2xf32>):
    %s = stablehlo.add %q, %p : tensor<2xf32>
    stablehlo.return %q, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x0xf32>, tensor<2xf32>) -> (tensor<2x0xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2x0xf32>, tensor<2xf32>
}

// A sum that does not begin with 0 is no window: each would begin with what it begins with.
// CHECK-LABEL: @check
// CHECK: stablehlo.while
func.func @check() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %r:2 = chlo.scan(%x) inits (%ten) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %q, %p : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<[11, 13, 16, 20]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<20> : tensor<i32>
  return
}
