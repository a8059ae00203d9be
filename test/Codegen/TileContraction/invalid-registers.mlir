// A tile that does not fit the registers is refused.
// RUN: forge-opt %s --verify-diagnostics --forge-schedule-kernels=chip=gfx1100

// Each element of the factors is loaded alone.
// expected-error @below {{expected a tile of at most 224 registers a thread, but got 128 x 128 with 240}}
func.func private @registers(%a: tensor<1024x512x16xbf16>, %b: tensor<512x1024x16xbf16>, %c: tensor<16x1024x1024xf32>) -> tensor<16x1024x1024xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = tiles, m = 128, n = 128>} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<16x1024x1024xf32>) -> tensor<16x1024x1024xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(o, m, n, k) -> (m, k, o)>, affine_map<(o, m, n, k) -> (k, n, o)>, affine_map<(o, m, n, k) -> (o, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x512x16xbf16>, tensor<512x1024x16xbf16>) outs(%0 : tensor<16x1024x1024xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<16x1024x1024xf32>
  return %1 : tensor<16x1024x1024xf32>
}
