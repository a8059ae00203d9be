// Schedules that strategy tiles refuses.
// RUN: forge-opt %s --split-input-file --verify-diagnostics --forge-schedule-kernels=chip=gfx942

// expected-error @below {{expected m and n to be powers of two from 64 to 128, but got 48}}
func.func private @rows(%a: tensor<128x128xbf16>, %b: tensor<128x128xbf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = tiles, m = 48>} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected k to be a power of two from 16 to 64, and of at most 65536 products a step, but got 24}}
func.func private @terms(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = tiles, k = 24>} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// -----

// expected-error @below {{of at most 65536 products a step, but got 32}}
func.func private @products(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = tiles, m = 64, n = 64, k = 32>} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// -----

// expected-error @below {{strategy 'tiles' cannot take this kernel: it needs one contraction from zeros}}
func.func private @copy(%a: tensor<128xf32>, %c: tensor<128xf32>) -> tensor<128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = tiles>} {
  %0 = linalg.copy ins(%a : tensor<128xf32>) outs(%c : tensor<128xf32>) -> tensor<128xf32>
  return %0 : tensor<128xf32>
}
