// Products of groups of many rows, in tiles of rows of one group on devices: sizes and offsets, rows in no group, epilogues.
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:sm_80 --seed 1
// RUN: forge verify %s --target sim:gfx942 --seed 2
// RUN: forge verify %s --target sim:gfx1100 --seed 3

// A product on matrix units reads the matrices where they are.
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s
// CHECK: @contraction(%{{.*}}: tensor<11xi32>, %{{.*}}: tensor<5x160x96xbf16>, %{{.*}}: tensor<11x32x96xbf16>, {{.*}}strategy = wgmma

func.func @main(%x: tensor<200x96xbf16>, %w: tensor<5x160x96xbf16>, %b: tensor<5x160xbf16>, %sizes: tensor<5xi32>, %offsets: tensor<6xi64>,
                %i: tensor<200x96xi8>, %wi: tensor<5x96x160xi8>, %f: tensor<200x96xf32>, %wf: tensor<5x96x160xf32>)
    -> (tensor<200x160xbf16>, tensor<200x160xf32>, tensor<200x160xi32>, tensor<200x160xf32>) {
  %0 = transformer.grouped_matmul %x, %w groups %sizes bias %b {transpose_rhs, activation = #transformer.activation<silu>}
      : (tensor<200x96xbf16>, tensor<5x160x96xbf16>, tensor<5xi32>, tensor<5x160xbf16>) -> tensor<200x160xbf16>
  %1 = transformer.grouped_matmul %x, %w groups %offsets {offsets, transpose_rhs}
      : (tensor<200x96xbf16>, tensor<5x160x96xbf16>, tensor<6xi64>) -> tensor<200x160xf32>
  %2 = transformer.grouped_matmul %i, %wi groups %sizes : (tensor<200x96xi8>, tensor<5x96x160xi8>, tensor<5xi32>) -> tensor<200x160xi32>
  %3 = transformer.grouped_matmul %f, %wf groups %offsets {offsets}
      : (tensor<200x96xf32>, tensor<5x96x160xf32>, tensor<6xi64>) -> tensor<200x160xf32>
  return %0, %1, %2, %3 : tensor<200x160xbf16>, tensor<200x160xf32>, tensor<200x160xi32>, tensor<200x160xf32>
}
