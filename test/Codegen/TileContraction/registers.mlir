// Tiles fit the registers of every chip: nothing spills, whatever the factors' types and strides and the epilogue (of NVIDIA's:
// registers-ptxas.test).
// RUN: forge compile %s --target hip:gfx90a --tier optimized --to hsaco -o %t.hsaco --stats %t.json
// RUN: FileCheck %s --implicit-check-not=generic --implicit-check-not='{{(stack|spill)_bytes": [1-9]}}' < %t.json
// RUN: forge compile %s --target hip:gfx942 --tier optimized --to hsaco -o %t.hsaco --stats %t.json
// RUN: FileCheck %s --implicit-check-not=generic --implicit-check-not='{{(stack|spill)_bytes": [1-9]}}' < %t.json
// RUN: forge compile %s --target hip:gfx1100 --tier optimized --to hsaco -o %t.hsaco --stats %t.json
// RUN: FileCheck %s --implicit-check-not=generic --implicit-check-not='{{(stack|spill)_bytes": [1-9]}}' < %t.json
// CHECK-COUNT-7: "strategy": "tiles"

func.func @bf16(%x: tensor<8x1000x1016xbf16>, %w: tensor<8x1016x1000xbf16>) -> tensor<8x1000x1000xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x1000x1016xbf16>, tensor<8x1016x1000xbf16>) -> tensor<8x1000x1000xbf16>
  return %0 : tensor<8x1000x1000xbf16>
}
// No two elements can be loaded at once.
func.func @bf16_odd(%x: tensor<8x1001x1015xbf16>, %w: tensor<8x1015x1003xbf16>) -> tensor<8x1001x1003xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x1001x1015xbf16>, tensor<8x1015x1003xbf16>) -> tensor<8x1001x1003xbf16>
  return %0 : tensor<8x1001x1003xbf16>
}
// Neither: the batch is innermost.
func.func @batch_last(%x: tensor<1024x512x16xbf16>, %w: tensor<512x1024x16xbf16>) -> tensor<16x1024x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [2] x [2], contracting_dims = [1] x [0] : (tensor<1024x512x16xbf16>, tensor<512x1024x16xbf16>) -> tensor<16x1024x1024xbf16>
  return %0 : tensor<16x1024x1024xbf16>
}
func.func @f32(%x: tensor<8x1024x1024xf32>, %w: tensor<8x1024x1024xf32>) -> tensor<8x1024x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x1024x1024xf32>, tensor<8x1024x1024xf32>) -> tensor<8x1024x1024xf32>
  return %0 : tensor<8x1024x1024xf32>
}
func.func @f32_odd(%x: tensor<8x1021x1023xf32>, %w: tensor<8x1025x1023xf32>) -> tensor<8x1021x1025xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x1021x1023xf32>, tensor<8x1025x1023xf32>) -> tensor<8x1021x1025xf32>
  return %0 : tensor<8x1021x1025xf32>
}
func.func @f64_exp(%x: tensor<4000x1040xf64>, %w: tensor<1040x1120xf64>, %b: tensor<4000x1120xf64>) -> tensor<4000x1120xf64> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4000x1040xf64>, tensor<1040x1120xf64>) -> tensor<4000x1120xf64>
  %2 = stablehlo.add %0, %b : tensor<4000x1120xf64>
  %3 = stablehlo.exponential %2 : tensor<4000x1120xf64>
  return %3 : tensor<4000x1120xf64>
}
func.func @epilogue(%x: tensor<20x500x1040xbf16>, %w: tensor<1040x1120xbf16>, %b: tensor<1120xf32>, %r: tensor<20x500x1120xbf16>) -> tensor<20x500x1120xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<20x500x1040xbf16>, tensor<1040x1120xbf16>) -> tensor<20x500x1120xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<1120xf32>) -> tensor<20x500x1120xf32>
  %2 = stablehlo.add %0, %1 : tensor<20x500x1120xf32>
  %3 = stablehlo.logistic %2 : tensor<20x500x1120xf32>
  %4 = stablehlo.convert %r : (tensor<20x500x1120xbf16>) -> tensor<20x500x1120xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<20x500x1120xf32>
  %6 = stablehlo.iota dim = 1 : tensor<20x500x1120xi32>
  %7 = stablehlo.iota dim = 2 : tensor<20x500x1120xi32>
  %8 = stablehlo.compare GE, %6, %7 : (tensor<20x500x1120xi32>, tensor<20x500x1120xi32>) -> tensor<20x500x1120xi1>
  %9 = stablehlo.select %8, %5, %2 : tensor<20x500x1120xi1>, tensor<20x500x1120xf32>
  %10 = stablehlo.convert %9 : (tensor<20x500x1120xf32>) -> tensor<20x500x1120xbf16>
  return %10 : tensor<20x500x1120xbf16>
}
