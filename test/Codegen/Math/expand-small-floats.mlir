// RUN: forge-opt %s --forge-expand-small-floats | FileCheck %s

// CHECK-LABEL: func @extend
// CHECK: arith.bitcast {{.*}} : vector<4xf8E4M3FN> to vector<4xi8>
// CHECK-NOT: arith.extf {{.*}}f8E4M3FN
// CHECK: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
func.func @extend(%x: vector<4xf8E4M3FN>) -> vector<4xf32> {
  %0 = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
  return %0 : vector<4xf32>
}

// From f64 directly: rounding to f32 first would round twice.
// CHECK-LABEL: func @truncate_f64
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : f64 to i64
// CHECK: %[[R:.*]] = arith.bitcast {{.*}} : i8 to f8E5M2
// CHECK: return %[[R]]
func.func @truncate_f64(%x: f64) -> f8E5M2 {
  %0 = arith.truncf %x : f64 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-LABEL: func @truncate_bf16
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: arith.bitcast {{.*}} : i8 to f8E4M3FN
func.func @truncate_bf16(%x: bf16) -> f8E4M3FN {
  %0 = arith.truncf %x : bf16 to f8E4M3FN
  return %0 : f8E4M3FN
}

// Exact in f32 as they are.
// CHECK-LABEL: func @from_i8
// CHECK: arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf32>
// CHECK: arith.bitcast {{.*}} : vector<4xi8> to vector<4xf8E5M2>
func.func @from_i8(%x: vector<4xi8>) -> vector<4xf8E5M2> {
  %0 = arith.sitofp %x : vector<4xi8> to vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}

// What f32 does not hold is out of range in 8 bits.
// CHECK-LABEL: func @from_u32
// CHECK: %[[LARGE:.*]] = arith.cmpi ugt, %{{.*}}, %c131072_i32
// CHECK: %[[HELD:.*]] = arith.select %[[LARGE]], %c131072_i32
// CHECK: arith.uitofp %[[HELD]] : i32 to f32
func.func @from_u32(%x: i32) -> f8E4M3FN {
  %0 = arith.uitofp %x : i32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// CHECK-LABEL: func @to_i32
// CHECK: arith.fptosi %{{.*}} : f32 to i32
func.func @to_i32(%x: f8E4M3FN) -> i32 {
  %0 = arith.fptosi %x : f8E4M3FN to i32
  return %0 : i32
}

// Another rounding, and other types, are left.
// CHECK-LABEL: func @kept
// CHECK: arith.truncf {{.*}} toward_zero
// CHECK: arith.extf {{.*}} : f8E4M3FNUZ to f32
func.func @kept(%x: f32, %y: f8E4M3FNUZ) -> (f8E5M2, f32) {
  %0 = arith.truncf %x toward_zero : f32 to f8E5M2
  %1 = arith.extf %y : f8E4M3FNUZ to f32
  return %0, %1 : f8E5M2, f32
}
