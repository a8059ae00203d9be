// RUN: forge-opt %s --split-input-file --forge-block-linear-algebra | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-block-linear-algebra=least-columns=8 | FileCheck %s --check-prefix=FEW
// RUN: forge-opt %s --split-input-file --forge-block-linear-algebra=block-bytes=232448 | FileCheck %s --check-prefix=BLOCK
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify target=cuda:sm_90a" | FileCheck %s --check-prefix=BLOCK
// RUN: forge-opt %s --split-input-file --forge-block-linear-algebra=block-bytes=65536 | FileCheck %s --check-prefix=SMALL

// 96 rows are six blocks. Each step reads what is known of l by rows of the block, and writes 16 columns of all rows.
// CHECK-LABEL: func.func @lower
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<2x96x96xf32>
// CHECK: %[[P:.*]] = stablehlo.dot_general {{.*}} batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x96x96xf32>, tensor<2x16x96xf32>) -> tensor<2x96x16xf32>
// CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<2x16x16xf32>
// CHECK: "stablehlo.triangular_solve"{{.*}} : (tensor<2x16x16xf32>, tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<2x96x16xf32>, tensor<2x16x16xf32>) -> tensor<2x96x16xf32>
// CHECK-NOT: stablehlo.transpose
// CHECK: return
// A block of a GPU's threads has memory for all of it.
// BLOCK-LABEL: func.func @lower
// BLOCK-NEXT: stablehlo.cholesky
// BLOCK-NEXT: return
func.func @lower(%a: tensor<2x96x96xf32>) -> tensor<2x96x96xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x96x96xf32>
  return %0 : tensor<2x96x96xf32>
}

// -----

// 70 rows are five blocks, the last of which ends with the identity. The upper factor is that of the transpose, transposed.
// CHECK-LABEL: func.func @upper
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK: stablehlo.pad {{.*}} high = [10, 10]
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<80x80xf64>
// CHECK: stablehlo.slice %{{.*}} [0:70, 0:70]
// CHECK: stablehlo.transpose
func.func @upper(%a: tensor<70x70xf64>) -> tensor<70x70xf64> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<70x70xf64>
  return %0 : tensor<70x70xf64>
}

// -----

// The inverses of all blocks on the diagonal first, then two products a step.
// Of five columns, only where so few are asked for.
// FEW-LABEL: func.func @solve
// FEW-NOT: stablehlo.while
// FEW: return
// CHECK-LABEL: func.func @solve
// CHECK: stablehlo.reduce{{.*}} : (tensor<4x32x4x32xf32>, tensor<f32>) -> tensor<4x32x32xf32>
// CHECK: "stablehlo.triangular_solve"{{.*}} lower = true{{.*}} : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<128x5xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<32x128xf32>, tensor<128x5xf32>) -> tensor<32x5xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<32x32xf32>, tensor<32x5xf32>) -> tensor<32x5xf32>
func.func @solve(%a: tensor<128x128xf32>, %b: tensor<128x5xf32>) -> tensor<128x5xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<128x128xf32>, tensor<128x5xf32>) -> tensor<128x5xf32>
  return %0 : tensor<128x5xf32>
}

// -----

// Blocks of as many rows, a power of two, as blocks of threads have memory for: factors, and the rows below by substitution; inverses
// for systems.
// BLOCK-LABEL: func.func @large
// BLOCK: stablehlo.while({{.*}}) : tensor<i32>, tensor<256x256xf32>
// BLOCK: stablehlo.cholesky %{{.*}}, lower = true : tensor<128x128xf32>
// BLOCK: "stablehlo.triangular_solve"{{.*}}left_side = false{{.*}} : (tensor<128x128xf32>, tensor<256x128xf32>) -> tensor<256x128xf32>
// BLOCK: "stablehlo.triangular_solve"{{.*}} : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
// BLOCK: stablehlo.while({{.*}}) : tensor<i32>, tensor<256x5xf32>
// SMALL-LABEL: func.func @large
// SMALL: stablehlo.cholesky %{{.*}}, lower = true : tensor<64x64xf32>
// SMALL: "stablehlo.triangular_solve"{{.*}}left_side = false{{.*}} : (tensor<64x64xf32>, tensor<256x64xf32>) -> tensor<256x64xf32>
// SMALL: "stablehlo.triangular_solve"{{.*}} : (tensor<4x64x64xf32>, tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
func.func @large(%a: tensor<250x250xf32>, %b: tensor<250x5xf32>) -> tensor<250x5xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<250x250xf32>
  %1 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<250x250xf32>, tensor<250x5xf32>) -> tensor<250x5xf32>
  return %1 : tensor<250x5xf32>
}

// -----

// Few rows, narrow floats and sizes that are not known stay.
// CHECK-LABEL: func.func @others
// CHECK-NOT: stablehlo.while
func.func @others(%a: tensor<9x64x64xf32>, %b: tensor<96x96xbf16>, %c: tensor<?x96x96xf32>) -> (tensor<9x64x64xf32>, tensor<96x96xbf16>, tensor<?x96x96xf32>) {
  // CHECK-COUNT-3: stablehlo.cholesky
  %0 = stablehlo.cholesky %a, lower = true : tensor<9x64x64xf32>
  %1 = stablehlo.cholesky %b, lower = true : tensor<96x96xbf16>
  %2 = stablehlo.cholesky %c, lower = true : tensor<?x96x96xf32>
  return %0, %1, %2 : tensor<9x64x64xf32>, tensor<96x96xbf16>, tensor<?x96x96xf32>
}
