// Factors of f32 products in 16 bits: where they were widened, where the product's algorithm says so, and in gradients of attention.
// RUN: forge-opt %s --forge-narrow-factors | FileCheck %s
// Where the correctness tier or the CPU multiplies, nothing changes.
// RUN: forge compile %s --function attention --target cuda:sm_90a --tier correctness --to simplify -o - | FileCheck %s --check-prefix=NAIVE
// RUN: forge compile %s --function attention --target cpu --to simplify -o - | FileCheck %s --check-prefix=NAIVE
// NAIVE-NOT: (tensor<32x64xf32>) -> tensor<32x64xbf16>

// CHECK-LABEL: func.func @widened
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf16>, %[[B:.*]]: tensor<4x2xf16>
// CHECK: %[[R:.*]] = stablehlo.convert %{{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK: stablehlo.dot_general %[[A]], %[[R]], contracting_dims = [1] x [1] : (tensor<8x4xf16>, tensor<2x4xf16>) -> tensor<8x2xf32>
func.func @widened(%a: tensor<8x4xf16>, %b: tensor<4x2xf16>) -> tensor<8x2xf32> {
  %x = stablehlo.convert %a : (tensor<8x4xf16>) -> tensor<8x4xf32>
  %y = stablehlo.convert %b : (tensor<4x2xf16>) -> tensor<4x2xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %r = stablehlo.dot_general %x, %t, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// Widened from two types, or computed with between.
// CHECK-LABEL: func.func @not_of_one_type
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @not_of_one_type(%a: tensor<8x4xf16>, %b: tensor<4x2xbf16>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %x = stablehlo.convert %a : (tensor<8x4xf16>) -> tensor<8x4xf32>
  %y = stablehlo.convert %b : (tensor<4x2xbf16>) -> tensor<4x2xf32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %z = stablehlo.tanh %x : tensor<8x4xf32>
  %s = stablehlo.dot_general %z, %y, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %r, %s : tensor<8x2xf32>, tensor<8x2xf32>
}

// CHECK-LABEL: func.func @algorithm
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x4xbf16>, tensor<4x2xbf16>) -> tensor<8x2xf32>
func.func @algorithm(%x: tensor<8x4xf32>, %y: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// Three components, or another type for each factor.
// CHECK-LABEL: func.func @other_algorithms
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @other_algorithms(%x: tensor<8x4xf32>, %y: tensor<4x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %s = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %r, %s : tensor<8x2xf32>, tensor<8x2xf32>
}

// As JAX differentiates it: P and dS are rounded beside what was widened from bf16. The forward product of P is not.
// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[Q:.*]]: tensor<32x16xbf16>, %[[K:.*]]: tensor<64x16xbf16>, %[[V:.*]]: tensor<64x16xbf16>, %[[DO:.*]]: tensor<32x16xbf16>
// CHECK: stablehlo.dot_general %[[Q]], %[[K]]
// CHECK: %[[P:.*]] = stablehlo.divide
// CHECK: stablehlo.dot_general %[[P]], %{{.*}} : (tensor<32x64xf32>, tensor<64x16xf32>)
// CHECK: %[[NP:.*]] = stablehlo.convert %[[P]] : (tensor<32x64xf32>) -> tensor<32x64xbf16>
// CHECK: stablehlo.dot_general %[[NP]], %[[DO]], contracting_dims = [0] x [0]
// CHECK: stablehlo.dot_general %[[DO]], %[[V]]
// CHECK: stablehlo.subtract
// CHECK: %[[DS:.*]] = stablehlo.multiply
// CHECK: %[[NQ:.*]] = stablehlo.convert %[[DS]] : (tensor<32x64xf32>) -> tensor<32x64xbf16>
// CHECK: stablehlo.dot_general %[[NQ]], %[[K]], contracting_dims = [1] x [0]
// CHECK: %[[NK:.*]] = stablehlo.convert %[[DS]] : (tensor<32x64xf32>) -> tensor<32x64xbf16>
// CHECK: stablehlo.dot_general %[[NK]], %[[Q]], contracting_dims = [0] x [0]
func.func @attention(%q: tensor<32x16xbf16>, %k: tensor<64x16xbf16>, %v: tensor<64x16xbf16>, %do: tensor<32x16xbf16>)
    -> (tensor<32x16xf32>, tensor<32x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %qf = stablehlo.convert %q : (tensor<32x16xbf16>) -> tensor<32x16xf32>
  %kf = stablehlo.convert %k : (tensor<64x16xbf16>) -> tensor<64x16xf32>
  %vf = stablehlo.convert %v : (tensor<64x16xbf16>) -> tensor<64x16xf32>
  %dof = stablehlo.convert %do : (tensor<32x16xbf16>) -> tensor<32x16xf32>
  %s = stablehlo.dot_general %qf, %kf, contracting_dims = [1] x [1] : (tensor<32x16xf32>, tensor<64x16xf32>) -> tensor<32x64xf32>
  %m = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
  %d = stablehlo.subtract %s, %mb : tensor<32x64xf32>
  %e = stablehlo.exponential %d : tensor<32x64xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
  %p = stablehlo.divide %e, %zb : tensor<32x64xf32>
  %o = stablehlo.dot_general %p, %vf, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  %dv = stablehlo.dot_general %p, %dof, contracting_dims = [0] x [0] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %dp = stablehlo.dot_general %dof, %vf, contracting_dims = [1] x [1] : (tensor<32x16xf32>, tensor<64x16xf32>) -> tensor<32x64xf32>
  %pdp = stablehlo.multiply %p, %dp : tensor<32x64xf32>
  %r = stablehlo.reduce(%pdp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
  %c = stablehlo.subtract %dp, %rb : tensor<32x64xf32>
  %ds = stablehlo.multiply %p, %c : tensor<32x64xf32>
  %dq = stablehlo.dot_general %ds, %kf, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  %dk = stablehlo.dot_general %ds, %qf, contracting_dims = [0] x [0] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %o, %dq, %dk, %dv : tensor<32x16xf32>, tensor<32x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
}

// Where HIGHEST is asked for, dS stays; gradients in f16 would leave its range.
// CHECK-LABEL: func.func @precise
// CHECK: %[[DS:.*]] = stablehlo.multiply
// CHECK: stablehlo.dot_general %[[DS]], %{{.*}}, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x64xf32>
// CHECK: stablehlo.dot_general %[[DS]], %{{.*}}, contracting_dims = [1] x [0] : (tensor<32x64xf32>
func.func @precise(%q: tensor<32x16xbf16>, %k: tensor<64x16xbf16>, %h: tensor<64x16xf16>, %v: tensor<64x16xbf16>, %do: tensor<32x16xbf16>)
    -> (tensor<32x16xf32>, tensor<32x16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %kf = stablehlo.convert %k : (tensor<64x16xbf16>) -> tensor<64x16xf32>
  %hf = stablehlo.convert %h : (tensor<64x16xf16>) -> tensor<64x16xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<32x16xbf16>, tensor<64x16xbf16>) -> tensor<32x64xf32>
  %e = stablehlo.exponential %s : tensor<32x64xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
  %p = stablehlo.divide %e, %zb : tensor<32x64xf32>
  %dp = stablehlo.dot_general %do, %v, contracting_dims = [1] x [1] : (tensor<32x16xbf16>, tensor<64x16xbf16>) -> tensor<32x64xf32>
  %ds = stablehlo.multiply %p, %dp : tensor<32x64xf32>
  %dq = stablehlo.dot_general %ds, %kf, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  %dh = stablehlo.dot_general %ds, %hf, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  return %dq, %dh : tensor<32x16xf32>, tensor<32x16xf32>
}

// A loss: its softmax's gradient is of no product dP.
// CHECK-LABEL: func.func @loss
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
func.func @loss(%x: tensor<32x16xbf16>, %w: tensor<16x64xbf16>, %labels: tensor<32x64xf32>) -> tensor<16x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %xf = stablehlo.convert %x : (tensor<32x16xbf16>) -> tensor<32x16xf32>
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xbf16>, tensor<16x64xbf16>) -> tensor<32x64xf32>
  %e = stablehlo.exponential %s : tensor<32x64xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
  %p = stablehlo.divide %e, %zb : tensor<32x64xf32>
  %d = stablehlo.subtract %p, %labels : tensor<32x64xf32>
  %dw = stablehlo.dot_general %xf, %d, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  return %dw : tensor<16x64xf32>
}

// A mixture of experts: weights of a row's experts times what they give, which is no product of matrices.
// CHECK-LABEL: func.func @router
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x4xf32>) -> tensor<16x4xf32>
func.func @router(%x: tensor<32x16xbf16>, %w: tensor<16x4xbf16>, %experts: tensor<32x4x16xbf16>, %dy: tensor<32x16xbf16>) -> tensor<16x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %xf = stablehlo.convert %x : (tensor<32x16xbf16>) -> tensor<32x16xf32>
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xbf16>, tensor<16x4xbf16>) -> tensor<32x4xf32>
  %e = stablehlo.exponential %s : tensor<32x4xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<32xf32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<32xf32>) -> tensor<32x4xf32>
  %p = stablehlo.divide %e, %zb : tensor<32x4xf32>
  %dp = stablehlo.dot_general %experts, %dy, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x4x16xbf16>, tensor<32x16xbf16>) -> tensor<32x4xf32>
  %ds = stablehlo.multiply %p, %dp : tensor<32x4xf32>
  %dw = stablehlo.dot_general %xf, %ds, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x4xf32>) -> tensor<16x4xf32>
  return %dw : tensor<16x4xf32>
}

// Scales of both factors, one by way of a transpose, move behind the product.
// CHECK-LABEL: func.func @scales
// CHECK: %[[SUMS:.*]] = stablehlo.dot_general {{.*}} (tensor<8x64xbf16>, tensor<64x8xbf16>) -> tensor<8x8xf32>
// CHECK: %[[ONCE:.*]] = stablehlo.multiply %[[SUMS]],
// CHECK: %[[TWICE:.*]] = stablehlo.divide %[[ONCE]],
// CHECK: return %[[TWICE]]
func.func @scales(%q: tensor<8x64xbf16>, %k: tensor<8x64xbf16>, %s: tensor<f32>) -> tensor<8x8xf32> {
  %q32 = stablehlo.convert %q : (tensor<8x64xbf16>) -> tensor<8x64xf32>
  %k32 = stablehlo.convert %k : (tensor<8x64xbf16>) -> tensor<8x64xf32>
  %all = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
  %0 = stablehlo.multiply %q32, %all : tensor<8x64xf32>
  %1 = stablehlo.divide %k32, %all : tensor<8x64xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// A scalar cannot be divided by elements, and a factor that was f32 from the start stays: nothing moves.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-2: stablehlo.dot_general {{.*}} (tensor<8x64xf32>, tensor<8x64xf32>)
func.func @stays(%q: tensor<8x64xbf16>, %k: tensor<8x64xf32>, %s: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %q32 = stablehlo.convert %q : (tensor<8x64xbf16>) -> tensor<8x64xf32>
  %all = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
  %0 = stablehlo.multiply %q32, %all : tensor<8x64xf32>
  %1 = stablehlo.divide %all, %q32 : tensor<8x64xf32>
  %2 = stablehlo.dot_general %0, %k, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.dot_general %1, %q32, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
  return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
