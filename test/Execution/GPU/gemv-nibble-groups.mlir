// Matrices of nibbles with a scale for any number of terms, in rows of 768: four lanes have 32, 64 or 128 terms of a scale, a word or an
// access of each. Scales of 16 terms are read by threads. Results against the reference.
// RUN: sed 's/GROUP/16/; s/COUNT/48/' %s >%t-16.mlir
// RUN: forge verify %t-16.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-16.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/32/; s/COUNT/24/' %s >%t-32.mlir
// RUN: forge verify %t-32.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-32.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/64/; s/COUNT/12/' %s >%t-64.mlir
// RUN: forge verify %t-64.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-64.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/96/; s/COUNT/8/' %s >%t-96.mlir
// RUN: forge verify %t-96.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-96.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/128/; s/COUNT/6/' %s >%t-128.mlir
// RUN: forge verify %t-128.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-128.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/192/; s/COUNT/4/' %s >%t-192.mlir
// RUN: forge verify %t-192.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-192.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/256/; s/COUNT/3/' %s >%t-256.mlir
// RUN: forge verify %t-256.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-256.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/384/; s/COUNT/2/' %s >%t-384.mlir
// RUN: forge verify %t-384.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-384.mlir --function sixteen --target sim:sm_90a
// RUN: sed 's/GROUP/768/; s/COUNT/1/' %s >%t-768.mlir
// RUN: forge verify %t-768.mlir --function row --target sim:sm_90a
// RUN: forge verify %t-768.mlir --function sixteen --target sim:sm_90a

// RUN: forge compile %t-16.mlir --function row --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=THREADS
// RUN: forge compile %t-32.mlir --function row --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %t-64.mlir --function row --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TWO
// RUN: forge compile %t-96.mlir --function row --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %t-192.mlir --function sixteen --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TWO
// RUN: forge compile %t-768.mlir --function sixteen --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=FOUR
// THREADS: gpu.func
// THREADS-NOT: nvvm.mma.sync
// ONE: vector.load %{{.*}} : memref<64x96xi32>, vector<1xi32>
// ONE: nvvm.mma.sync
// TWO: vector.load %{{.*}} : memref<64x96xi32>, vector<2xi32>
// TWO: nvvm.mma.sync
// FOUR: vector.load %{{.*}} : memref<64x96xi32>, vector<4xi32>
// FOUR: nvvm.mma.sync
// A group of no terms divides by zero, whatever computes it.
// RUN: sed 's/GROUP/0/; s/COUNT/1/' %s >%t-0.mlir
// RUN: forge compile %t-0.mlir --function row --target cuda:sm_90a --to gpu -o /dev/null

func.func @row(%x: tensor<1x768xbf16>, %p: tensor<64x96xi32>, %s: tensor<64xCOUNTxbf16>) -> tensor<1x64xf32> {
  %we = tensor.empty() : tensor<64x768xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<64x768xbf16>) {
  ^bb0(%u: bf16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %terms = arith.constant GROUP : index
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
    %stored = tensor.extract %s[%n, %group] : tensor<64xCOUNTxbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x768xbf16>
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x768xbf16>, tensor<64x768xbf16>) -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
func.func @sixteen(%x: tensor<16x768xf16>, %p: tensor<64x96xi32>, %s: tensor<64xCOUNTxbf16>) -> tensor<16x64xf32> {
  %we = tensor.empty() : tensor<64x768xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<64x768xf16>) {
  ^bb0(%u: f16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %terms = arith.constant GROUP : index
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
    %stored = tensor.extract %s[%n, %group] : tensor<64xCOUNTxbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<64x768xf16>
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x768xf16>, tensor<64x768xf16>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
