// Functions on f64 and remainders, which no chip has as instructions: our own code, on the simulator and for every chip.
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx1100 --tier correctness
// RUN: forge compile %s --target cuda:sm_75 --to ptx -o - | FileCheck %s
// RUN: forge compile %s --target hip:gfx90a --to hsaco -o %t.hsaco
// CHECK-NOT: .extern
func.func @main(%x: tensor<64xf64>, %y: tensor<64xf64>, %h: tensor<64xf32>, %b: tensor<64xbf16>)
    -> (tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf32>, tensor<64xf32>, tensor<64xbf16>) {
  %0 = stablehlo.exponential %x : tensor<64xf64>
  %1 = stablehlo.sine %x : tensor<64xf64>
  %2 = stablehlo.tanh %x : tensor<64xf64>
  %3 = stablehlo.remainder %x, %y : tensor<64xf64>
  %4 = stablehlo.power %0, %y : tensor<64xf64>
  %5 = chlo.erf %x : tensor<64xf64> -> tensor<64xf64>
  %6 = chlo.lgamma %h : tensor<64xf32> -> tensor<64xf32>
  %7 = stablehlo.remainder %h, %6 : tensor<64xf32>
  %8 = stablehlo.remainder %b, %b : tensor<64xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf32>, tensor<64xf32>, tensor<64xbf16>
}
