// Of long lines each piece gives its first elements first: results are those of one sort, equal elements in their order, and what fills
// the last piece is never among them. On the CPU one sort does it.
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function equal --target sim:sm_90a
// RUN: forge verify %s --function equal --target sim:gfx1100
// RUN: forge verify %s --function unsigned --target sim:sm_90a
// RUN: forge verify %s --function unsigned --target sim:gfx942
// RUN: forge verify %s --function whole_pieces --target sim:sm_90a
// RUN: forge verify %s --function smallest --target sim:sm_90a
// RUN: forge verify %s --function smallest --target cpu
// RUN: forge compile %s --function odd --target cuda:sm_90a --to linalg -o - | FileCheck %s
// RUN: forge compile %s --function odd --target cpu --to linalg -o - | FileCheck %s --check-prefix=CPU
// RUN: forge compile %s --function many --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=MANY

// CHECK: tensor<2x5x1024xf32>
// CPU-NOT: x1024x
// An eighth of a piece is less than these.
// MANY-NOT: x1024x

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
