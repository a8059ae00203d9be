// RUN: forge-opt %s --forge-math-to-libm | FileCheck %s

// CHECK: func.func private @tanhf(f32) -> f32
// CHECK-LABEL: @functions
func.func @functions(%x: f32, %d: f64, %h: f16) -> (f32, f64, f16, f32) {
  // CHECK: call @tanhf
  %a = math.tanh %x : f32
  // CHECK: call @log1p
  %b = math.log1p %d : f64
  // CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: call @expm1f(%[[W]])
  %c = math.expm1 %h : f16
  // exp has an intrinsic.
  // CHECK: math.exp
  %e = math.exp %x : f32
  return %a, %b, %c, %e : f32, f64, f16, f32
}
