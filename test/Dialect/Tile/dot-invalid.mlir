// Products of factors in registers that tile.dot refuses.
// RUN: forge-opt --split-input-file --verify-diagnostics %s

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_mma(%a: tensor<64x64xf32, #left>, %b: tensor<64x64xf32, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected factors of bf16 or f16 for mma, but got 'f32'}}
  %d = tile.dot mma<16x8x16> %a, %b, %c : tensor<64x64xf32, #left>, tensor<64x64xf32, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_sum(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xbf16, #acc>) {
  // expected-error @below {{expected an accumulator of f32 for mma, but got 'bf16'}}
  %d = tile.dot mma<16x8x16> %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xbf16, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_fma(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf16, #acc>) {
  // expected-error @below {{expected an accumulator of the factors' type or a wider one for fma, but got 'f16' of 'bf16'}}
  %d = tile.dot fma %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf16, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_mixed(%a: tensor<64x64xi8, #left>, %b: tensor<64x64xi8, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected floats or integers for fma, but got 'i8' and 'f32'}}
  %d = tile.dot fma %a, %b, %c : tensor<64x64xi8, #left>, tensor<64x64xi8, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c3_mma(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an instruction of mma, which is mma<16x8x16>}}
  %d = tile.dot mma<16x8x8> %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c3_mfma(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an instruction of mfma, which is mfma<32x32x8> or mfma<16x16x16>}}
  %d = tile.dot mfma %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c5_mfma(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an accumulator made of the instruction's operands}}
  %d = tile.dot mfma<16x16x16> %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
!S = !tile.shared<64x64xbf16, sw128>
func.func @dot_c8(%a: !S, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected factors in registers with a layout for mma, but got '!tile.shared}}
  %d = tile.dot mma<16x8x16> %a, %b, %c : !S, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#other = #tile.layout<reg = [y1], lane = [y2, y4, y8, x1, x2], warp = [_, _]>
func.func @dot_c8_right(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #other>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected a right factor made of the instruction's operands}}
  %d = tile.dot mma<16x8x16> %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #other>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c9(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected a left factor made of the instruction's operands, of layout #tile.layout<reg = [x1], lane = [x2, x4, y1, y2, y4], warp = []>}}
  %d = tile.dot mma<16x8x16> %a transposed, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [x1, x8], lane = [x2, x4, y1, y2, y4], warp = [_, y8]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c9_warps(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected the right factor to have the warps of the accumulator's columns}}
  %d = tile.dot mma<16x8x16> %a, %b transposed, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}

// -----

#t = #tile.layout<reg = [x1, y1], lane = [], warp = []>
func.func @dot_c9_fma(%a: tensor<4x4xf32, #t>, %b: tensor<4x4xf32, #t>, %c: tensor<4x4xf32, #t>) {
  // expected-error @below {{expected factors in registers not to be transposed for fma}}
  %d = tile.dot fma %a, %b transposed, %c : tensor<4x4xf32, #t>, tensor<4x4xf32, #t>, tensor<4x4xf32, #t>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#other = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [x8, _]>
func.func @dot_c9_warps(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #other>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected the right factor to have the warps of the accumulator's columns, and all of k}}
  %d = tile.dot mma<16x8x16> %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #other>, tensor<64x64xf32, #acc>
  return
}

// -----

#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = [_, _]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c9_lanes(%a: tensor<64x64xbf16, #left>, %b: tensor<64x64xbf16, #right>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected the left factor to have the lanes of the accumulator's rows, and all of k}}
  %d = tile.dot fma %a, %b, %c : tensor<64x64xbf16, #left>, tensor<64x64xbf16, #right>, tensor<64x64xf32, #acc>
  return
}
