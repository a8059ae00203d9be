// RUN: forge-opt %s --split-input-file --convert-stablehlo-to-linalg="block-bytes=65536" | FileCheck %s
// RUN: forge-opt %s --split-input-file --convert-stablehlo-to-linalg | FileCheck %s --check-prefix=ALONE

// A block for each matrix: it reads 24 rows in panels of 8 columns, adds up a panel's elements, solves its rows, and writes.
// ALONE-LABEL: func @factor
// ALONE-NOT: forge.shared
// CHECK-LABEL: func @factor
// CHECK: scf.for %{{.*}} to %c3
// CHECK: tensor.empty() : tensor<24x28xf32>
// CHECK: scf.for
// CHECK-COUNT-3: tensor.extract %arg0
// CHECK-NOT: tensor.extract
// CHECK: } {forge.shared}
// CHECK: tensor.empty() : tensor<24x12xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-8: math.fma
// CHECK-NOT: math.fma
// CHECK: } {forge.shared}
// CHECK: scf.for
// CHECK-COUNT-8: math.sqrt
// CHECK-NOT: math.sqrt
// CHECK-COUNT-8: tensor.insert {{.*}} : tensor<24x28xf32>
// CHECK: } {forge.shared}
// CHECK: scf.for
// CHECK-COUNT-3: tensor.insert {{.*}} : tensor<3x24x24xf32>
// CHECK: } {forge.shared}
// CHECK: } {forge.independent}
func.func @factor(%a: tensor<3x24x24xf32>) -> tensor<3x24x24xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x24x24xf32>
  return %0 : tensor<3x24x24xf32>
}

// -----

// Of a single matrix there is a loop of two steps, the second of which does nothing. What is behind 10 rows is the identity, and is
// not written. The upper factor is read and written transposed: threads side by side have columns side by side.
// CHECK-LABEL: func @upper
// CHECK: arith.cmpi slt, %{{.*}}, %c1
// CHECK: scf.if
// CHECK: tensor.empty() : tensor<16x20xf64>
// CHECK: scf.for %[[T:[a-z0-9]+]] =
// CHECK: arith.divui %[[T]], %c8
// CHECK: %[[INNER:.*]] = arith.remui %[[T]], %c8
// CHECK: %[[PLACE:.*]] = arith.minsi %[[INNER]], %c9
// CHECK: tensor.extract %arg0[%{{.*}}, %[[PLACE]]] : tensor<10x10xf64>
// CHECK: arith.select
// CHECK: forge.shared
// CHECK: scf.if {{.*}} -> (tensor<10x10xf64>)
// CHECK: forge.shared
func.func @upper(%a: tensor<10x10xf64>) -> tensor<10x10xf64> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<10x10xf64>
  return %0 : tensor<10x10xf64>
}

// -----

// Three tiles of 32 right-hand sides. The diagonal is inverted once, and each thread has a side.
// ALONE-LABEL: func @solve
// ALONE-NOT: forge.shared
// CHECK-LABEL: func @solve
// CHECK-DAG: %[[TILES:.*]] = arith.constant 3 : index
// CHECK: scf.for %{{.*}} to %[[TILES]]
// CHECK: tensor.empty() : tensor<16x20xf32>
// CHECK: forge.shared
// CHECK: arith.divf
// CHECK: forge.shared
// CHECK: tensor.empty() : tensor<16x36xf32>
// CHECK: forge.shared
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK-COUNT-64: math.fma
// CHECK: scf.yield
// CHECK-COUNT-28: math.fma
// CHECK-NOT: arith.divf
// CHECK: forge.shared
// CHECK: tensor.insert {{.*}} : tensor<96x16xf32>
// CHECK: forge.shared
// CHECK: forge.independent
func.func @solve(%a: tensor<16x16xf32>, %b: tensor<96x16xf32>) -> tensor<96x16xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<16x16xf32>, tensor<96x16xf32>) -> tensor<96x16xf32>
  return %0 : tensor<96x16xf32>
}

// -----

// A unit diagonal is not read. Numbers of 16 bits have 32 in the memory of a block. Sizes of a batch and of right-hand sides may be open.
// CHECK-LABEL: func @unit
// CHECK: arith.ceildivui
// CHECK: tensor.empty() : tensor<16x20xf32>
// CHECK: arith.extf
// CHECK-NOT: arith.divf
// CHECK: forge.independent
func.func @unit(%a: tensor<?x16x16xbf16>, %b: tensor<?x16x?xbf16>) -> tensor<?x16x?xbf16> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<?x16x16xbf16>, tensor<?x16x?xbf16>) -> tensor<?x16x?xbf16>
  return %0 : tensor<?x16x?xbf16>
}

// -----

// Few rows, more than a block takes or has memory for (of 64 KiB, 126 in f32 and 88 in f64), and open numbers of rows are one thread's.
// CHECK-LABEL: func @others
// CHECK-NOT: forge.shared
// CHECK: return
func.func @others(%a: tensor<7x7xf32>, %b: tensor<129x129xf32>, %c: tensor<88x88xf64>, %d: tensor<?x?xf32>, %e: tensor<126x126xf32>) -> (tensor<7x7xf32>, tensor<129x129xf32>, tensor<88x88xf64>, tensor<?x?xf32>, tensor<126x126xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<7x7xf32>
  %1 = stablehlo.cholesky %b, lower = true : tensor<129x129xf32>
  %2 = stablehlo.cholesky %c, lower = true : tensor<88x88xf64>
  %3 = stablehlo.cholesky %d, lower = true : tensor<?x?xf32>
  %4 = "stablehlo.triangular_solve"(%e, %e) {left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<126x126xf32>, tensor<126x126xf32>) -> tensor<126x126xf32>
  return %0, %1, %2, %3, %4 : tensor<7x7xf32>, tensor<129x129xf32>, tensor<88x88xf64>, tensor<?x?xf32>, tensor<126x126xf32>
}
