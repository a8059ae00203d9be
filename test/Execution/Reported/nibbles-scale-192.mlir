// A scale of 160 or 192 terms of a matrix of nibbles: four lanes had 128 terms, of two scales, and sums were wrong.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main(%x: tensor<1x768xbf16>, %p: tensor<64x96xi32>, %s: tensor<64x4xbf16>) -> tensor<1x64xf32> {
  %we = tensor.empty() : tensor<64x768xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<64x768xbf16>) {
  ^bb0(%u: bf16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %terms = arith.constant 192 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %p[%n, %at] : tensor<64x96xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %terms : index
    %stored = tensor.extract %s[%n, %group] : tensor<64x4xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x768xbf16>
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x768xbf16>, tensor<64x768xbf16>) -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
