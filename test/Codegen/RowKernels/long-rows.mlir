// Rows longer than registers hold.
// RUN: forge explain %s --function two --target cuda:sm_90a | FileCheck %s --check-prefix=TWO
// RUN: forge explain %s --function one --target cuda:sm_90a | FileCheck %s --check-prefix=ONE
// RUN: forge explain %s --function few --target cuda:sm_90a | FileCheck %s --check-prefix=FEW
// RUN: forge verify %s --function small --target sim:sm_90a
// RUN: forge explain %s --function small --target sim:sm_90a | FileCheck %s --check-prefix=SMALL

// A thread of 1,024 keeps 32 elements of one operand, but not of two: blocks of a cluster keep the rows in shared memory.
// TWO: {{^}}rows, 1 launch: rows; vector 8, loads 0, rows 1, blocks 4, threads 128
func.func @two(%x: tensor<2048x32000xbf16>, %y: tensor<2048x32000xbf16>) -> tensor<2048x32000xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<2048x32000xbf16>
  %1 = transformer.softmax %y {dimension = 1 : i64} : tensor<2048x32000xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<2048x32000xbf16>
  return %2 : tensor<2048x32000xbf16>
}
// ONE: {{^}}rows, 1 launch: rows; vector 8, loads 4, rows 1, blocks 1, threads 1024
func.func @one(%x: tensor<2048x32000xbf16>) -> tensor<2048x32000xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<2048x32000xbf16>
  return %0 : tensor<2048x32000xbf16>
}
// Shared memory of a cluster does not hold a row, and is not needed: rows are too few to fill the chip with a block each.
// FEW: {{^}}rows, 1 launch: rows; vector 4, loads 0, rows 1, blocks 2, threads 1024
func.func @few(%x: tensor<64x128256xf32>) -> tensor<64x128256xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<64x128256xf32>
  return %0 : tensor<64x128256xf32>
}
// SMALL: {{^}}rows, 1 launch: rows; vector 4, loads 0, rows 1, blocks 8, threads 1024
func.func @small(%x: tensor<1x100000xf32>) -> tensor<1x100000xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<1x100000xf32>
  return %0 : tensor<1x100000xf32>
}
