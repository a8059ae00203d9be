// RUN: forge-opt %s --convert-forge-to-linalg | FileCheck %s
// RUN: not forge-opt %s --convert-forge-to-linalg="block-bytes=8000" 2>&1 | FileCheck %s --check-prefix=BYTES

// BYTES: error: expected lines of at most 8000 bytes in the memory of a block, but one of 768 numbers takes 12672

// Pairs of real numbers: two passes, by 16 and 8, of 128 complex ones, and a loop that takes them apart, of k from 0 to 64; tiles
// of 8 lines, which have 8 * (128 + 4) numbers in each memory. No numbers of the second half.
// CHECK-LABEL: func @real
// CHECK-DAG: arith.constant dense<{{.*}}> : tensor<128xf32>
// CHECK: %[[TILES:.*]] = arith.constant 8 : index
// CHECK: scf.for %{{.*}} to %[[TILES]]
// CHECK-COUNT-2: tensor.empty() : tensor<1056xf32>
// CHECK: scf.for
// CHECK-COUNT-32: tensor.extract %arg0
// CHECK-NOT: tensor.extract %arg0
// CHECK: } {forge.shared}
// CHECK-COUNT-2: tensor.empty() : tensor<1056xf32>
// CHECK: } {forge.shared}
// CHECK: scf.for
// CHECK-COUNT-4: tensor.insert {{.*}} : tensor<64x129xf32>
// CHECK-NOT: tensor.insert
// CHECK: } {forge.shared}
// CHECK: } {forge.independent}
func.func @real(%x: tensor<64x256xf32>) -> (tensor<64x129xf32>, tensor<64x129xf32>) {
  %re, %im = forge.fft_lines %x {dim = 1 : i64, length = 256 : i64} : (tensor<64x256xf32>) -> (tensor<64x129xf32>, tensor<64x129xf32>)
  return %re, %im : tensor<64x129xf32>, tensor<64x129xf32>
}

// Three passes, by 12, 8 and 8; the numbers behind the first 100 are zeros; what no slice keeps is not written.
// CHECK-LABEL: func @sliced
// CHECK-NOT: tensor.extract_slice
// CHECK-COUNT-3: {forge.shared}
// CHECK: return {{.*}} : tensor<5x300xf32>, tensor<5x300xf32>
func.func @sliced(%x: tensor<5x100xf32>, %y: tensor<5x100xf32>) -> (tensor<5x300xf32>, tensor<5x300xf32>) {
  %re, %im = forge.fft_lines %x, %y {dim = 1 : i64, length = 768 : i64} : (tensor<5x100xf32>, tensor<5x100xf32>) -> (tensor<5x768xf32>, tensor<5x768xf32>)
  %a = tensor.extract_slice %re[0, 0] [5, 300] [1, 1] : tensor<5x768xf32> to tensor<5x300xf32>
  %b = tensor.extract_slice %im[0, 0] [5, 300] [1, 1] : tensor<5x768xf32> to tensor<5x300xf32>
  return %a, %b : tensor<5x300xf32>, tensor<5x300xf32>
}

// Another reader wants all numbers.
// CHECK-LABEL: func @read_twice
// CHECK: tensor.extract_slice
func.func @read_twice(%x: tensor<5x100xf32>) -> (tensor<5x128xf32>, tensor<5x30xf32>) {
  %re = forge.fft_lines %x {dim = 1 : i64, length = 128 : i64} : (tensor<5x100xf32>) -> tensor<5x128xf32>
  %a = tensor.extract_slice %re[0, 0] [5, 30] [1, 1] : tensor<5x128xf32> to tensor<5x30xf32>
  return %re, %a : tensor<5x128xf32>, tensor<5x30xf32>
}

// Neither zeros behind the numbers of a line nor an imaginary part of zeros are read, and no imaginary part is written that nothing
// reads: of 8 pairs of each step, the first 5 are.
// CHECK-LABEL: func @zeros
// CHECK: scf.for
// CHECK-COUNT-10: tensor.extract %arg0
// CHECK-NOT: tensor.extract %arg0
// CHECK: {forge.shared}
// CHECK: {forge.independent}
// CHECK: return {{.*}} : tensor<3x64xf32>
func.func @zeros(%x: tensor<3x40xf32>) -> tensor<3x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x64xf32>) -> tensor<3x64xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 0] [3, 40] [1, 1] : tensor<3x40xf32> into tensor<3x64xf32>
  %re, %im = forge.fft_lines %padded, %zeros {dim = 1 : i64, length = 64 : i64} : (tensor<3x64xf32>, tensor<3x64xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>)
  return %re : tensor<3x64xf32>
}

// Zeros in front are.
// CHECK-LABEL: func @in_front
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: tensor.extract %[[P]]
func.func @in_front(%x: tensor<3x40xf32>) -> tensor<3x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x64xf32>) -> tensor<3x64xf32>
  %padded = tensor.insert_slice %x into %zeros[0, 24] [3, 40] [1, 1] : tensor<3x40xf32> into tensor<3x64xf32>
  %re = forge.fft_lines %padded {dim = 1 : i64, length = 64 : i64} : (tensor<3x64xf32>) -> tensor<3x64xf32>
  return %re : tensor<3x64xf32>
}
