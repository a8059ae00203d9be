// RUN: forge-opt %s --split-input-file --forge-split-complex=for-gpu --forge-fft-to-lines="block-bytes=65536" | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-split-complex=for-gpu | FileCheck %s --check-prefix=PARTS
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify target=sim:gfx942" | FileCheck %s

// Of the parts of numbers; the reference knows the transform by its decomposition.
// PARTS-LABEL: @complex
// PARTS: stablehlo.composite "forge.fft" %{{.*}}, %{{.*}} {composite_attributes = {dims = 2 : i64, kind = "ifft"}, decomposition = @[[F:.*]]} : (tensor<4x24x32xf32>, tensor<4x24x32xf32>) -> (tensor<4x24x32xf32>, tensor<4x24x32xf32>)
// PARTS: func.func private @[[F]]
// PARTS: stablehlo.dot_general
// CHECK-LABEL: @complex
// CHECK: %[[A:.*]]:2 = forge.fft_lines %{{.*}}, %{{.*}} {backward, dim = 1 : i64, length = 24 : i64} : (tensor<4x24x32xf32>
// CHECK: forge.fft_lines %[[A]]#0, %[[A]]#1 {backward, dim = 2 : i64, length = 32 : i64, scale = 0.0013020833333333333 : f64}
func.func @complex(%x: tensor<4x24x32xcomplex<f32>>) -> tensor<4x24x32xcomplex<f32>> {
  %y = stablehlo.fft %x, type = IFFT, length = [24, 32] : (tensor<4x24x32xcomplex<f32>>) -> tensor<4x24x32xcomplex<f32>>
  return %y : tensor<4x24x32xcomplex<f32>>
}

// -----

// Of real numbers the first half; zeros are dropped later (convert-forge-to-linalg), when the calls that pad are inlined.
// CHECK-LABEL: @real
// CHECK: forge.fft_lines %arg0 {dim = 1 : i64, length = 64 : i64} : (tensor<3x64xf32>) -> (tensor<3x33xf32>, tensor<3x33xf32>)
// CHECK: forge.fft_lines {{.*}} {backward, dim = 1 : i64, hermitian, length = 64 : i64, scale = 1.562500e-02 : f64} : (tensor<3x33xf32>, tensor<3x33xf32>) -> tensor<3x64xf32>
func.func @real(%x: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %y = stablehlo.fft %x, type = RFFT, length = [64] : (tensor<3x64xf32>) -> tensor<3x33xcomplex<f32>>
  %z = stablehlo.fft %y, type = IRFFT, length = [64] : (tensor<3x33xcomplex<f32>>) -> tensor<3x64xf32>
  return %z : tensor<3x64xf32>
}

// -----

// A block has memory for lines of 2048 numbers, twice: of 4096 there are two steps, with factors in between.
// CHECK-LABEL: @long
// CHECK: forge.fft_lines {{.*}} {dim = 1 : i64, length = 64 : i64} : (tensor<2x64x64xf32>
// CHECK: stablehlo.multiply
// CHECK: forge.fft_lines {{.*}} {dim = 2 : i64, length = 64 : i64} : (tensor<2x64x64xf32>
// CHECK: stablehlo.transpose
func.func @long(%x: tensor<2x4096xcomplex<f32>>) -> tensor<2x4096xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [4096] : (tensor<2x4096xcomplex<f32>>) -> tensor<2x4096xcomplex<f32>>
  return %y : tensor<2x4096xcomplex<f32>>
}

// -----

// A prime of 17 or more, few numbers, and sizes known only at run time are products.
// CHECK-LABEL: @products
// CHECK-NOT: forge.fft_lines
func.func @products(%x: tensor<2x34xcomplex<f32>>, %y: tensor<2x6xcomplex<f32>>, %z: tensor<?x64xcomplex<f32>>) -> (tensor<2x34xcomplex<f32>>, tensor<2x6xcomplex<f32>>, tensor<?x64xcomplex<f32>>) {
  %a = stablehlo.fft %x, type = FFT, length = [34] : (tensor<2x34xcomplex<f32>>) -> tensor<2x34xcomplex<f32>>
  %b = stablehlo.fft %y, type = FFT, length = [6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  %c = stablehlo.fft %z, type = FFT, length = [64] : (tensor<?x64xcomplex<f32>>) -> tensor<?x64xcomplex<f32>>
  return %a, %b, %c : tensor<2x34xcomplex<f32>>, tensor<2x6xcomplex<f32>>, tensor<?x64xcomplex<f32>>
}

// -----

// What is none of a transform stays what its decomposition says.
// PARTS-LABEL: @misfits
// PARTS-COUNT-3: stablehlo.composite
// CHECK-LABEL: @misfits
// CHECK-NOT: forge.fft_lines
func.func @misfits(%x: tensor<4x16xf32>, %i: tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xi32>) {
  %a = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "dct"}, decomposition = @same} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %b = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "rfft"}, decomposition = @same} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = stablehlo.composite "forge.fft" %i {composite_attributes = {dims = 1 : i64, kind = "irfft"}, decomposition = @integers} : (tensor<4x16xi32>) -> tensor<4x16xi32>
  return %a, %b, %c : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xi32>
}
func.func private @same(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  return %x : tensor<4x16xf32>
}
func.func private @integers(%x: tensor<4x16xi32>) -> tensor<4x16xi32> {
  return %x : tensor<4x16xi32>
}
