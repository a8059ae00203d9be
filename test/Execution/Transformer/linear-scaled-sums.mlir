// Linear layers whose scales multiply whole sums, against the reference: i8, i4 and f8, on each target.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir && forge verify %t.f16.mlir --target sim:gfx942
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --each-stage && forge verify %t.bf16.mlir --target sim:sm_90a
func.func @main(%x: tensor<3x512xT_>, %w: tensor<24x512xi8>, %s: tensor<24xf32>, %b: tensor<24xT_>,
                %q: tensor<24x512xi4>, %f: tensor<24x512xf8E5M2>, %p: tensor<T_>)
    -> (tensor<3x24xT_>, tensor<3x24xT_>, tensor<3x24xT_>) {
  %0 = transformer.linear %x, %w scale %s bias %b {activation = #transformer.activation<silu>}
      : (tensor<3x512xT_>, tensor<24x512xi8>, tensor<24xf32>, tensor<24xT_>) -> tensor<3x24xT_>
  %1 = transformer.linear %x, %q scale %p
      : (tensor<3x512xT_>, tensor<24x512xi4>, tensor<T_>) -> tensor<3x24xT_>
  %2 = transformer.linear %x, %f scale %s
      : (tensor<3x512xT_>, tensor<24x512xf8E5M2>, tensor<24xf32>) -> tensor<3x24xT_>
  return %0, %1, %2 : tensor<3x24xT_>, tensor<3x24xT_>, tensor<3x24xT_>
}
