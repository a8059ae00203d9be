// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Control flow, composites, tuples, tokens.

// CHECK-LABEL: @branches
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: "stablehlo.if"(%arg0) ({
  // CHECK-NEXT: stablehlo.return %arg2 : tensor<f32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[N]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<i1>) -> tensor<f32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %n = stablehlo.negate %x : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: "stablehlo.case"(%arg1) ({
  // CHECK-NEXT: stablehlo.return %arg2 : tensor<f32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  // CHECK: "stablehlo.if"(%arg0) ({
  // CHECK-NEXT: stablehlo.return
  // CHECK-NEXT: }, {
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> ()
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @loop(
func.func @loop(%i: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: %{{.*}}:2 = stablehlo.while(%[[I:.*]] = %arg0, %[[X:.*]] = %arg1) : tensor<i32>, tensor<?xf32> attributes {mhlo.note = "kept"}
  // CHECK-NEXT: cond {
  // CHECK: stablehlo.compare LT, %[[I]]
  // CHECK: } do {
  // CHECK: stablehlo.return %[[I]], %[[X]] : tensor<i32>, tensor<?xf32>
  %0:2 = stablehlo.while(%iterArg = %i, %iterArg_0 = %x) : tensor<i32>, tensor<?xf32> attributes {mhlo.note = "kept"}
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %lt = stablehlo.compare LT, %iterArg, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    stablehlo.return %iterArg, %iterArg_0 : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}

// CHECK-LABEL: @loop_without_values
func.func @loop_without_values(%p: tensor<i1>) {
  // CHECK: stablehlo.while()
  // CHECK-NEXT: cond {
  stablehlo.while()
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: @barriers
func.func @barriers(%x: tensor<2xf32>, %i: tensor<i32>) {
  // CHECK: %{{.*}}:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2xf32>, tensor<i32>
  %0:2 = stablehlo.optimization_barrier %x, %i : tensor<2xf32>, tensor<i32>
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  return
}

func.func private @gelu(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// CHECK-LABEL: @composites
func.func @composites(%x: tensor<2xf32>) {
  // CHECK: stablehlo.composite "mylib.gelu" %arg0 {composite_attributes = {approximate = true}, decomposition = @gelu, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.composite "mylib.gelu" %x {composite_attributes = {approximate = true}, decomposition = @gelu, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.composite "mylib.gelu" %arg0 {decomposition = @gelu} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "mylib.gelu" %x {decomposition = @gelu} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @tuples
func.func @tuples(%x: tensor<2xf32>, %i: tensor<i32>) -> tensor<i32> {
  // CHECK: %[[T:.*]] = stablehlo.tuple %arg0, %arg1 : tuple<tensor<2xf32>, tensor<i32>>
  %0 = stablehlo.tuple %x, %i : tuple<tensor<2xf32>, tensor<i32>>
  // CHECK: stablehlo.get_tuple_element %[[T]][1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: stablehlo.tuple : tuple<>
  %2 = stablehlo.tuple : tuple<>
  return %1 : tensor<i32>
}

// CHECK-LABEL: @tokens
func.func @tokens() -> !stablehlo.token {
  // CHECK: %[[T:.*]] = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.after_all %[[T]], %[[T]] : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  // CHECK: stablehlo.after_all : !stablehlo.token
  %2 = stablehlo.after_all : !stablehlo.token
  return %1 : !stablehlo.token
}

// Attributes of other dialects on functions and modules stay; so do calls and locations.

// CHECK-LABEL: module @nested attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32}
module @nested attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32} {
  // CHECK: func.func public @main(%arg0: tensor<f32> {jax.arg_info = "x", mhlo.sharding = "{replicated}"}) -> (tensor<f32> {jax.result_info = "result"})
  func.func public @main(%x: tensor<f32> {jax.arg_info = "x", mhlo.sharding = "{replicated}"} loc("x")) -> (tensor<f32> {jax.result_info = "result"}) {
    // CHECK: call @helper
    %0 = call @helper(%x) : (tensor<f32>) -> tensor<f32> loc("jit(f)/call"("f.py":1:2 to :3))
    return %0 : tensor<f32>
  }
  func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
}
