// Fourier transforms by the blocks of a GPU: in one, two and three passes, of tiles of lines along the last dimension and
// across others, of lengths with factors of 2 to 13, of real numbers, to real numbers, padded, cut off, in two dimensions, and
// of more numbers than a block has memory for.
// RUN: forge verify %s --function passes --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function passes --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function one_line --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function one_line --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function real --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function real --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function to_real --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function to_real --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function two_dimensions --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function two_dimensions --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function mixing --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function mixing --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function long --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function long --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function convolution --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function convolution --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --target sim:sm_90a --function passes --each-stage --reproducer-dir %t
// RUN: forge verify %s --target sim:sm_90a --function convolution --tier correctness --reproducer-dir %t
// RUN: forge compile %s --function convolution --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=LAUNCHES

// Of the signal, of the filter, and back, where the spectra are multiplied: three kernels, behind each other in one launch; neither zeros nor what
// is cut off is in memory.
// LAUNCHES: gpu.launch_func
// LAUNCHES-NOT: gpu.launch_func

func.func @passes(%x: tensor<3x8xcomplex<f32>>, %y: tensor<5x104xcomplex<f32>>, %z: tensor<2x3x768xcomplex<f32>>) -> (tensor<3x8xcomplex<f32>>, tensor<5x104xcomplex<f32>>, tensor<2x3x768xcomplex<f32>>) {
  %a = stablehlo.fft %x, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %b = stablehlo.fft %y, type = IFFT, length = [104] : (tensor<5x104xcomplex<f32>>) -> tensor<5x104xcomplex<f32>>
  %c = stablehlo.fft %z, type = FFT, length = [768] : (tensor<2x3x768xcomplex<f32>>) -> tensor<2x3x768xcomplex<f32>>
  return %a, %b, %c : tensor<3x8xcomplex<f32>>, tensor<5x104xcomplex<f32>>, tensor<2x3x768xcomplex<f32>>
}

// One line; of 16 numbers, a block does it in one step.
func.func @one_line(%x: tensor<16xcomplex<f32>>, %y: tensor<1x2048xf32>) -> (tensor<16xcomplex<f32>>, tensor<1x1025xcomplex<f32>>) {
  %a = stablehlo.fft %x, type = FFT, length = [16] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %b = stablehlo.fft %y, type = RFFT, length = [2048] : (tensor<1x2048xf32>) -> tensor<1x1025xcomplex<f32>>
  return %a, %b : tensor<16xcomplex<f32>>, tensor<1x1025xcomplex<f32>>
}

func.func @real(%x: tensor<6x315xf32>, %y: tensor<2x1000xf32>, %z: tensor<7x22xf64>) -> (tensor<6x158xcomplex<f32>>, tensor<2x501xcomplex<f32>>, tensor<7x12xcomplex<f64>>) {
  %a = stablehlo.fft %x, type = RFFT, length = [315] : (tensor<6x315xf32>) -> tensor<6x158xcomplex<f32>>
  %b = stablehlo.fft %y, type = RFFT, length = [1000] : (tensor<2x1000xf32>) -> tensor<2x501xcomplex<f32>>
  %c = stablehlo.fft %z, type = RFFT, length = [22] : (tensor<7x22xf64>) -> tensor<7x12xcomplex<f64>>
  return %a, %b, %c : tensor<6x158xcomplex<f32>>, tensor<2x501xcomplex<f32>>, tensor<7x12xcomplex<f64>>
}

func.func @to_real(%x: tensor<6x158xcomplex<f32>>, %y: tensor<4x65xcomplex<f32>>, %z: tensor<2x14xcomplex<f64>>) -> (tensor<6x315xf32>, tensor<4x128xf32>, tensor<2x27xf64>) {
  %a = stablehlo.fft %x, type = IRFFT, length = [315] : (tensor<6x158xcomplex<f32>>) -> tensor<6x315xf32>
  %b = stablehlo.fft %y, type = IRFFT, length = [128] : (tensor<4x65xcomplex<f32>>) -> tensor<4x128xf32>
  %c = stablehlo.fft %z, type = IRFFT, length = [27] : (tensor<2x14xcomplex<f64>>) -> tensor<2x27xf64>
  return %a, %b, %c : tensor<6x315xf32>, tensor<4x128xf32>, tensor<2x27xf64>
}

// The first dimension is across lines, of which tiles have 16 or fewer: 33 are 3 times 11.
func.func @two_dimensions(%x: tensor<2x64x33xcomplex<f32>>, %y: tensor<3x40x48xf32>) -> (tensor<2x64x33xcomplex<f32>>, tensor<3x40x25xcomplex<f32>>) {
  %a = stablehlo.fft %x, type = FFT, length = [64, 33] : (tensor<2x64x33xcomplex<f32>>) -> tensor<2x64x33xcomplex<f32>>
  %b = stablehlo.fft %y, type = RFFT, length = [40, 48] : (tensor<3x40x48xf32>) -> tensor<3x40x25xcomplex<f32>>
  return %a, %b : tensor<2x64x33xcomplex<f32>>, tensor<3x40x25xcomplex<f32>>
}

// As FNet has it: of real numbers, the real parts alone.
func.func @mixing(%x: tensor<2x32x48xf32>) -> tensor<2x32x48xf32> {
  %z = stablehlo.convert %x : (tensor<2x32x48xf32>) -> tensor<2x32x48xcomplex<f32>>
  %a = stablehlo.fft %z, type = FFT, length = [48] : (tensor<2x32x48xcomplex<f32>>) -> tensor<2x32x48xcomplex<f32>>
  %t = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<2x32x48xcomplex<f32>>) -> tensor<2x48x32xcomplex<f32>>
  %b = stablehlo.fft %t, type = FFT, length = [32] : (tensor<2x48x32xcomplex<f32>>) -> tensor<2x48x32xcomplex<f32>>
  %u = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<2x48x32xcomplex<f32>>) -> tensor<2x32x48xcomplex<f32>>
  %r = stablehlo.real %u : (tensor<2x32x48xcomplex<f32>>) -> tensor<2x32x48xf32>
  return %r : tensor<2x32x48xf32>
}

func.func @convolution(%x: tensor<2x4x100xf32>, %h: tensor<4x100xf32>) -> tensor<2x4x100xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %px = stablehlo.pad %x, %zero, low = [0, 0, 0], high = [0, 0, 100], interior = [0, 0, 0] : (tensor<2x4x100xf32>, tensor<f32>) -> tensor<2x4x200xf32>
  %ph = stablehlo.pad %h, %zero, low = [0, 0], high = [0, 100], interior = [0, 0] : (tensor<4x100xf32>, tensor<f32>) -> tensor<4x200xf32>
  %fx = stablehlo.fft %px, type = RFFT, length = [200] : (tensor<2x4x200xf32>) -> tensor<2x4x101xcomplex<f32>>
  %fh = stablehlo.fft %ph, type = RFFT, length = [200] : (tensor<4x200xf32>) -> tensor<4x101xcomplex<f32>>
  %bh = stablehlo.broadcast_in_dim %fh, dims = [1, 2] : (tensor<4x101xcomplex<f32>>) -> tensor<2x4x101xcomplex<f32>>
  %p = stablehlo.multiply %fx, %bh : tensor<2x4x101xcomplex<f32>>
  %y = stablehlo.fft %p, type = IRFFT, length = [200] : (tensor<2x4x101xcomplex<f32>>) -> tensor<2x4x200xf32>
  %r = stablehlo.slice %y [0:2, 0:4, 0:100] : (tensor<2x4x200xf32>) -> tensor<2x4x100xf32>
  return %r : tensor<2x4x100xf32>
}

// More than 48 KiB of a block's memory; in two steps of 64 where a block has 64 KiB.
func.func @long(%x: tensor<2x4096xcomplex<f32>>) -> tensor<2x4096xcomplex<f32>> {
  %a = stablehlo.fft %x, type = FFT, length = [4096] : (tensor<2x4096xcomplex<f32>>) -> tensor<2x4096xcomplex<f32>>
  return %a : tensor<2x4096xcomplex<f32>>
}
