// Of long lines a tile gives as many elements as are wanted, and two runs as many as one has: results are those of one sort, equal elements in their order. On the CPU one
// sort does it.
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function equal --target sim:sm_90a
// RUN: forge verify %s --function equal --target sim:gfx1100
// RUN: forge verify %s --function unsigned --target sim:sm_90a
// RUN: forge verify %s --function unsigned --target sim:gfx942
// RUN: forge verify %s --function whole_pieces --target sim:sm_90a
// RUN: forge verify %s --function smallest --target sim:sm_90a
// RUN: forge verify %s --function smallest --target cpu
// RUN: forge verify %s --function runs --target sim:sm_90a
// RUN: forge compile %s --function odd --target cuda:sm_90a --to linalg -o - | FileCheck %s
// RUN: forge compile %s --function odd --target cpu --to linalg -o - | FileCheck %s --check-prefix=CPU
// RUN: forge compile %s --function many --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=MANY

// 8 of each of three tiles of 2048.
// CHECK: tensor<2x24xf32>
// CHECK: tensor<2x8xf32>
// CPU-NOT: x24x
// 256 of each tile; then the first runs of pairs of tiles.
// MANY: tensor<768xf32>
// MANY: tensor<256xf32>

func.func @odd(%x: tensor<2x4501xf32>) -> (tensor<2x5xf32>, tensor<2x5xi32>) {
  %v, %i = chlo.top_k(%x, k = 5) : tensor<2x4501xf32> -> (tensor<2x5xf32>, tensor<2x5xi32>)
  return %v, %i : tensor<2x5xf32>, tensor<2x5xi32>
}
func.func @equal(%x: tensor<9000xi8>) -> (tensor<20xi8>, tensor<20xi32>) {
  %v, %i = chlo.top_k(%x, k = 20) : tensor<9000xi8> -> (tensor<20xi8>, tensor<20xi32>)
  return %v, %i : tensor<20xi8>, tensor<20xi32>
}
func.func @unsigned(%x: tensor<2x5000xui8>) -> (tensor<2x128xui8>, tensor<2x128xi32>) {
  %v, %i = chlo.top_k(%x, k = 128) : tensor<2x5000xui8> -> (tensor<2x128xui8>, tensor<2x128xi32>)
  return %v, %i : tensor<2x128xui8>, tensor<2x128xi32>
}
func.func @whole_pieces(%x: tensor<3x8192xbf16>) -> (tensor<3x1xbf16>, tensor<3x1xi32>) {
  %v, %i = chlo.top_k(%x, k = 1) : tensor<3x8192xbf16> -> (tensor<3x1xbf16>, tensor<3x1xi32>)
  return %v, %i : tensor<3x1xbf16>, tensor<3x1xi32>
}
func.func @smallest(%x: tensor<2x5000xi16>) -> (tensor<2x7xi16>, tensor<2x7xi32>) {
  %r:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 7 : i64, largest = false}} : (tensor<2x5000xi16>) -> (tensor<2x7xi16>, tensor<2x7xi32>)
  return %r#0, %r#1 : tensor<2x7xi16>, tensor<2x7xi32>
}
func.func @many(%x: tensor<5000xf32>) -> (tensor<129xf32>, tensor<129xi32>) {
  %v, %i = chlo.top_k(%x, k = 129) : tensor<5000xf32> -> (tensor<129xf32>, tensor<129xi32>)
  return %v, %i : tensor<129xf32>, tensor<129xi32>
}
// More than a tile: pairs of runs of 4096.
func.func @runs(%x: tensor<9001xf32>) -> (tensor<2100xf32>, tensor<2100xi32>) {
  %v, %i = chlo.top_k(%x, k = 2100) : tensor<9001xf32> -> (tensor<2100xf32>, tensor<2100xi32>)
  return %v, %i : tensor<2100xf32>, tensor<2100xi32>
}
