// Products of a few rows with matrices of i8, by strategy gemv, which reads the matrix where it is and scales the sums, on
// simulated chips; accesses that are left behind the last whole step, f32, f16 and bf16.
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --target sim:sm_90a && forge verify %t.bf16.mlir --target sim:gfx942
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --target sim:sm_90a
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --target sim:sm_90a && forge verify %t.f32.mlir --target sim:gfx942
// RUN: forge explain %t.bf16.mlir --target sim:sm_90a | FileCheck %s --check-prefix=ALL
// ALL-COUNT-3: 1 launch: gemv;
// ALL: {{^}}3 kernels

// Half of the bytes of bf16 are read, 4096 * 4096 and what is around them, and nothing else is launched.
// RUN: forge explain %S/Inputs/row-of-i8.mlir --target cuda:sm_90a | FileCheck %s --check-prefix=BYTES
// BYTES: {{^}}contraction, 1 launch: gemv; n 2, loads 2, blocks 2048, threads 128
// BYTES-NOT: launch
// BYTES: reads 16801792 bytes, writes 8192 bytes,
// BYTES: gemv: predicted 3.7
// BYTES: {{^}}1 kernel;
func.func @main(%x: tensor<1x528xT_>, %w: tensor<64x528xi8>, %s: tensor<64xf32>, %b: tensor<64xT_>, %y: tensor<3x2048xT_>,
                %v: tensor<24x2048xi8>, %t: tensor<f32>, %z: tensor<8x512xT_>, %u: tensor<7x512xi8>, %c: tensor<7xf32>, %r: tensor<8x7xT_>)
    -> (tensor<1x64xT_>, tensor<3x24xT_>, tensor<8x7xT_>) {
  %0 = transformer.linear %x, %w scale %s bias %b {activation = #transformer.activation<silu>}
      : (tensor<1x528xT_>, tensor<64x528xi8>, tensor<64xf32>, tensor<64xT_>) -> tensor<1x64xT_>
  %1 = transformer.linear %y, %v scale %t : (tensor<3x2048xT_>, tensor<24x2048xi8>, tensor<f32>) -> tensor<3x24xT_>
  %2 = transformer.linear %z, %u scale %c residual %r
      : (tensor<8x512xT_>, tensor<7x512xi8>, tensor<7xf32>, tensor<8x7xT_>) -> tensor<8x7xT_>
  return %0, %1, %2 : tensor<1x64xT_>, tensor<3x24xT_>, tensor<8x7xT_>
}
