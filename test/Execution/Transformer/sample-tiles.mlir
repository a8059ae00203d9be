// Rows that a sampler sorts in tiles: as far as top_k says, and to their first element where nothing is drawn.
// RUN: forge verify %s --function rows --target sim:sm_90a --reproducer-dir %t | FileCheck %s
// RUN: forge verify %s --function rows --target sim:gfx942 --reproducer-dir %t | FileCheck %s
// RUN: forge verify %s --function row --target sim:sm_90a --reproducer-dir %t | FileCheck %s
// RUN: forge verify %s --function rows --target cpu | FileCheck %s
// CHECK: whole: result 0 agrees: equal

func.func @rows(%x: tensor<5x5000xf32>, %seeds: tensor<5xi64>, %steps: tensor<5xi64>) -> tensor<5xi32> {
  %t = stablehlo.constant dense<[0.0, 1.0, 0.5, -1.0, 2.0]> : tensor<5xf32>
  %k = stablehlo.constant dense<[7, 3, 0, 0, 4000]> : tensor<5xi32>
  %p = stablehlo.constant dense<[0.5, 1.0, 0.75, 0.25, 0.5]> : tensor<5xf32>
  %0 = transformer.sample %x seeds %seeds steps %steps temperature %t top_k %k top_p %p
      : (tensor<5x5000xf32>, tensor<5xi64>, tensor<5xi64>, tensor<5xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
func.func @row(%x: tensor<1x5000xbf16>, %seeds: tensor<1xi64>, %steps: tensor<1xi64>) -> tensor<1xi32> {
  %k = stablehlo.constant dense<[5]> : tensor<1xi32>
  %0 = transformer.sample %x seeds %seeds steps %steps top_k %k
      : (tensor<1x5000xbf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}
