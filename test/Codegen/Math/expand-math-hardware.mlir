// RUN: forge-opt %s --forge-expand-math="hardware-exp2=true" | FileCheck %s

// In f32 two powers by the instruction, so that their product is as accurate as the polynomial's. Only the whole power may be
// subnormal.
// CHECK-LABEL: func.func @exp
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: math.exp2 %{{.*}} fastmath<afn> {forge.normal} : f32
// CHECK: math.exp2 %{{.*}} fastmath<afn> : f32
// CHECK-NOT: math.exp
// CHECK: return
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// What is rounded to bf16 needs one power, and no clamping: the instruction overflows and underflows by itself.
// CHECK-LABEL: func.func @exp_narrow
// CHECK: arith.mulf
// CHECK-NEXT: math.exp2 %{{.*}} fastmath<afn> : f32
// CHECK-NEXT: arith.truncf
func.func @exp_narrow(%x: bf16) -> bf16 {
  %0 = math.exp %x : bf16
  return %0 : bf16
}

// An exponential that says itself that an approximation will do, and that 0 may stand for subnormal results.
// CHECK-LABEL: func.func @exp_approximate
// CHECK: arith.mulf
// CHECK-NEXT: math.exp2 %{{.*}} fastmath<afn> : f32
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: math.exp2 %{{.*}} fastmath<afn> {forge.normal} : f32
// CHECK-NEXT: return
func.func @exp_approximate(%x: f32, %y: f32) -> (f32, f32) {
  %0 = math.exp %x fastmath<afn> : f32
  %1 = math.exp %y fastmath<afn> {forge.normal} : f32
  return %0, %1 : f32, f32
}

// No absolute value and no sign to put back: 1 - 2 / (e^2x + 1) has the right sign by itself.
// CHECK-LABEL: func.func @tanh_narrow
// CHECK: math.exp2 %{{.*}} fastmath<afn> {forge.normal} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<afn> {forge.normal} : f32
// CHECK-NOT: math.copysign
// CHECK: math.fma
// CHECK: arith.truncf
func.func @tanh_narrow(%x: f16) -> f16 {
  %0 = math.tanh %x : f16
  return %0 : f16
}

// exp2 with fastmath<afn> is the instruction already; without, it is expanded.
// CHECK-LABEL: func.func @exp2
// CHECK: math.exp2 %{{.*}} fastmath<afn>
// CHECK-NOT: math.exp2
// CHECK: return
func.func @exp2(%x: f32) -> (f32, f32) {
  %0 = math.exp2 %x fastmath<afn> : f32
  %1 = math.exp2 %x : f32
  return %0, %1 : f32, f32
}

// The same where an f32 result is only rounded.
// CHECK-LABEL: func.func @tanh_rounded
// CHECK-COUNT-1: math.exp2
// CHECK-NOT: math.exp2
// CHECK: arith.truncf
func.func @tanh_rounded(%x: f32) -> bf16 {
  %0 = math.tanh %x : f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}

// And where fastmath<afn> says that it is enough.
// CHECK-LABEL: func.func @tanh_afn
// CHECK-COUNT-1: math.exp2
// CHECK-NOT: math.exp2
// CHECK-NOT: math.copysign
// CHECK: return
func.func @tanh_afn(%x: f32) -> f32 {
  %0 = math.tanh %x fastmath<afn> : f32
  return %0 : f32
}

// erfc by the processor's power, which is not exact enough for f32 results.
// CHECK-LABEL: func.func @erfc_narrow
// CHECK-NOT: f64
// CHECK-COUNT-1: math.exp2
// CHECK-NOT: {{f64|math.exp2}}
// CHECK: return
func.func @erfc_narrow(%x: bf16) -> bf16 {
  %0 = math.erfc %x : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @erfc_afn
// CHECK-NOT: f64
// CHECK: return
func.func @erfc_afn(%x: f32) -> f32 {
  %0 = math.erfc %x fastmath<afn> : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @erfc(
// CHECK-NOT: {{f64|math.exp2}}
// CHECK: return
func.func @erfc(%x: f32) -> f32 {
  %0 = math.erfc %x : f32
  return %0 : f32
}
