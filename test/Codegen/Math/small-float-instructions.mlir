// 8-bit floats by instructions that convert two numbers at once.
// RUN: forge-opt %s --forge-expand-small-floats=instructions=true | FileCheck %s

// CHECK-LABEL: func @extend(
// CHECK-COUNT-2: nvvm.convert.f8x2.to.f16x2 {{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// CHECK-NOT: nvvm.convert
// CHECK: return
func.func @extend(%x: vector<4xf8E4M3FN>) -> vector<4xf32> {
  %0 = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
  return %0 : vector<4xf32>
}

// One is converted beside itself; bf16 is rounded from f32, which changes nothing.
// CHECK-LABEL: func @extend_one
// CHECK: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E5M2)
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @extend_one(%x: f8E5M2) -> bf16 {
  %0 = arith.extf %x : f8E5M2 to bf16
  return %0 : bf16
}

// What is beyond the limit becomes NaN, which the instruction does not give.
// CHECK-LABEL: func @truncate(
// CHECK: arith.constant 4.640000e+02
// CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}} {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8>(f8E4M3FN)
// CHECK: arith.select
func.func @truncate(%x: f32) -> f8E4M3FN {
  %0 = arith.truncf %x : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// Unless numbers are held within it. Those that make a vector are converted by pairs.
// CHECK-LABEL: func @truncate_held
// CHECK: nvvm.convert.f32x2.to.f8x2
// CHECK-NOT: nvvm.convert
// CHECK-NOT: arith.select
// CHECK: return
func.func @truncate_held(%x: f32, %y: f32) -> vector<2xf8E4M3FN> {
  %low = arith.constant -448.0 : f32
  %high = arith.constant 448.0 : f32
  %0 = arith.maximumf %x, %low : f32
  %1 = arith.minimumf %0, %high : f32
  %2 = arith.maximumf %y, %low : f32
  %3 = arith.minimumf %2, %high : f32
  %4 = arith.truncf %1 : f32 to f8E4M3FN
  %5 = arith.truncf %3 : f32 to f8E4M3FN
  %6 = vector.from_elements %4, %5 : vector<2xf8E4M3FN>
  return %6 : vector<2xf8E4M3FN>
}

// f64 would be rounded twice, an odd number of elements has no pairs: by operations on bits.
// CHECK-LABEL: func @others
// CHECK-NOT: nvvm.convert
// CHECK: return
func.func @others(%x: f64, %y: vector<3xf32>) -> (f8E4M3FN, vector<3xf8E5M2>) {
  %0 = arith.truncf %x : f64 to f8E4M3FN
  %1 = arith.truncf %y : vector<3xf32> to vector<3xf8E5M2>
  return %0, %1 : f8E4M3FN, vector<3xf8E5M2>
}
