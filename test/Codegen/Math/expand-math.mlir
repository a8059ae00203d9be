// RUN: forge-opt %s --forge-expand-math | FileCheck %s

// CHECK-LABEL: func @exp_vector
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<8xf32>
// CHECK: arith.shli {{.*}} : vector<8xi32>
// CHECK: return {{.*}} : vector<8xf32>
func.func @exp_vector(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Narrow types go through f32.
// CHECK-LABEL: func @tanh_bf16
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK-NOT: math.tanh
// CHECK: %[[R:.*]] = arith.truncf {{.*}} : f32 to bf16
// CHECK: return %[[R]]
func.func @tanh_bf16(%x: bf16) -> bf16 {
  %0 = math.tanh %x : bf16
  return %0 : bf16
}

// What needs range reduction or one correct rounding goes through f64.
// CHECK-LABEL: func @power
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK-NOT: math.powf
// CHECK: arith.truncf {{.*}} : f64 to f32
func.func @power(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func @sincos
// CHECK-NOT: math.sincos
// CHECK: return
func.func @sincos(%x: f32) -> (f32, f32) {
  %s, %c = math.sincos %x : f32
  return %s, %c : f32, f32
}

// f64 and single instructions stay; tensors are not this pass's business.
// CHECK-LABEL: func @kept
// CHECK: math.exp {{.*}} : f64
// CHECK: math.sqrt {{.*}} : f32
// CHECK: math.exp {{.*}} : tensor<4xf32>
func.func @kept(%x: f64, %y: f32, %z: tensor<4xf32>) -> (f64, f32, tensor<4xf32>) {
  %0 = math.exp %x : f64
  %1 = math.sqrt %y : f32
  %2 = math.exp %z : tensor<4xf32>
  return %0, %1, %2 : f64, f32, tensor<4xf32>
}
