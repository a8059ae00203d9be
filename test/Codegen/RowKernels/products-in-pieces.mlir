// A product of f32 in bf16 pieces is no reduction of rows, whatever follows it: a power is a kernel of its own here.
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s

// CHECK: func.func private @reduce{{.*}}strategy = wgmma
// CHECK: forge.pieces
// CHECK-NOT: math.powf
// CHECK: func.func private @elementwise{{.*}}strategy = rows
// CHECK: math.powf
// CHECK: func.func private @reduce{{.*}}strategy = wgmma
func.func @main(%x: tensor<2048x1024xf32>, %w: tensor<4096x1024xbf16>, %v: tensor<1024x4096xbf16>) -> tensor<2048x1024xf32> {
  %w32 = stablehlo.convert %w : (tensor<4096x1024xbf16>) -> tensor<4096x1024xf32>
  %v32 = stablehlo.convert %v : (tensor<1024x4096xbf16>) -> tensor<1024x4096xf32>
  %up = stablehlo.dot_general %x, %w32, contracting_dims = [1] x [1] : (tensor<2048x1024xf32>, tensor<4096x1024xf32>) -> tensor<2048x4096xf32>
  %exponent = stablehlo.constant dense<2.5> : tensor<2048x4096xf32>
  %power = stablehlo.power %up, %exponent : tensor<2048x4096xf32>
  %down = stablehlo.dot_general %power, %v32, contracting_dims = [1] x [1] : (tensor<2048x4096xf32>, tensor<1024x4096xf32>) -> tensor<2048x1024xf32>
  return %down : tensor<2048x1024xf32>
}
