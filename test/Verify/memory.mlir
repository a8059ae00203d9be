// The reference on memory: views, copies, loops, calls; as phase bufferize leaves them.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge-interpret --every-function %t/holds.mlir | FileCheck %s --check-prefix=HOLDS
// HOLDS: @views: 4 checks hold
// HOLDS: @overlap: 1 check holds
// HOLDS: @linalg: 2 checks hold
// HOLDS: @loops: 2 checks hold
// RUN: not forge-interpret %t/outside.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: outside.mlir:4:8: error: no element 4 of a dimension of size 4
// RUN: not forge-interpret %t/view.mlir 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: view.mlir:6:8: error: no element 8 of tensor<8xf32>
// RUN: not forge-interpret %t/differs.mlir 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: differs.mlir:8:3: error: check.expect_eq does not hold: 1 of 2 elements differ
// RUN: not forge-interpret %t/fails.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: fails.mlir:5:3: error: expected 3, but got 7
// RUN: not forge-interpret %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:3:3: error: unsupported call of 'mystery', which has no body

//--- holds.mlir
func.func private @forge_rt_expect_eq_f32(memref<*xf32>, memref<*xf32>)
func.func private @forge_rt_expect_eq_i32(tensor<*xi32>, tensor<*xi32>)
func.func private @forge_assert_0(i1, index, index) attributes {forge.assert_message = "expected {1}, but got {0}"}
memref.global "private" constant @table : memref<2x4xf32> = dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]>
memref.global "private" constant @column : memref<2xf32> = dense<[2.0, 6.0]>
memref.global "private" constant @flat : memref<8xf32> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]>
memref.global "private" constant @shifted : memref<8xf32> = dense<[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @sums : memref<2xf32> = dense<[6.0, 22.0]>
memref.global "private" constant @cube : memref<2x2x2xf32> = dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]>

func.func @views() {
  %table = memref.get_global @table : memref<2x4xf32>
  %column = memref.get_global @column : memref<2xf32>
  %flat = memref.get_global @flat : memref<8xf32>
  %cube = memref.get_global @cube : memref<2x2x2xf32>
  %expected = memref.cast %column : memref<2xf32> to memref<*xf32>
  %0 = memref.subview %table[0, 2] [2, 1] [1, 1] : memref<2x4xf32> to memref<2xf32, strided<[4], offset: 2>>
  %1 = memref.cast %0 : memref<2xf32, strided<[4], offset: 2>> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%1, %expected) : (memref<*xf32>, memref<*xf32>) -> ()
  %2 = memref.reinterpret_cast %table to offset: [2], sizes: [2], strides: [4] : memref<2x4xf32> to memref<2xf32, strided<[4], offset: 2>>
  %3 = memref.cast %2 : memref<2xf32, strided<[4], offset: 2>> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%3, %expected) : (memref<*xf32>, memref<*xf32>) -> ()
  %4 = memref.collapse_shape %table [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  %5 = memref.cast %4 : memref<8xf32> to memref<*xf32>
  %6 = memref.cast %flat : memref<8xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%5, %6) : (memref<*xf32>, memref<*xf32>) -> ()
  %7 = memref.expand_shape %table [[0], [1, 2]] output_shape [2, 2, 2] : memref<2x4xf32> into memref<2x2x2xf32>
  %8 = memref.cast %7 : memref<2x2x2xf32> to memref<*xf32>
  %9 = memref.cast %cube : memref<2x2x2xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%8, %9) : (memref<*xf32>, memref<*xf32>) -> ()
  return
}

// A copy to a place that overlaps its source.
func.func @overlap() {
  %flat = memref.get_global @flat : memref<8xf32>
  %shifted = memref.get_global @shifted : memref<8xf32>
  %m = memref.alloc() : memref<8xf32>
  memref.copy %flat, %m : memref<8xf32> to memref<8xf32>
  %from = memref.subview %m[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %to = memref.subview %m[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  memref.copy %from, %to : memref<7xf32, strided<[1]>> to memref<7xf32, strided<[1], offset: 1>>
  %0 = memref.cast %m : memref<8xf32> to memref<*xf32>
  %1 = memref.cast %shifted : memref<8xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%0, %1) : (memref<*xf32>, memref<*xf32>) -> ()
  return
}

// A kernel computes in its argument, what a view of is seen too.
func.func private @kernel(%x: memref<2x4xf32>, %o: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%o : memref<2xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x4xf32>) outs(%o : memref<2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @linalg() {
  %table = memref.get_global @table : memref<2x4xf32>
  %sums = memref.get_global @sums : memref<2xf32>
  %c2 = arith.constant 2 : index
  %n = memref.alloc(%c2) : memref<?xf32>
  %o = memref.cast %n : memref<?xf32> to memref<2xf32>
  call @kernel(%table, %o) : (memref<2x4xf32>, memref<2xf32>) -> ()
  %0 = memref.cast %n : memref<?xf32> to memref<*xf32>
  %1 = memref.cast %sums : memref<2xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%0, %1) : (memref<*xf32>, memref<*xf32>) -> ()
  %no = arith.constant false
  %chosen = arith.select %no, %sums, %o : memref<2xf32>
  %2 = memref.cast %chosen : memref<2xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%2, %0) : (memref<*xf32>, memref<*xf32>) -> ()
  memref.dealloc %n : memref<?xf32>
  return
}

// scf.while counts; scf.forall inserts its parts.
func.func @loops() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %n:2 = scf.while (%i = %c0, %a = %c1) : (i32, i32) -> (i32, i32) {
    %0 = arith.cmpi slt, %i, %c5 : i32
    scf.condition(%0) %i, %a : i32, i32
  } do {
  ^bb0(%i: i32, %a: i32):
    %0 = arith.addi %i, %c1 : i32
    %1 = arith.addi %a, %a : i32
    scf.yield %0, %1 : i32, i32
  }
  %0 = tensor.from_elements %n#0, %n#1 : tensor<2xi32>
  %1 = arith.constant dense<[5, 32]> : tensor<2xi32>
  %2 = tensor.cast %0 : tensor<2xi32> to tensor<*xi32>
  %3 = tensor.cast %1 : tensor<2xi32> to tensor<*xi32>
  call @forge_rt_expect_eq_i32(%2, %3) : (tensor<*xi32>, tensor<*xi32>) -> ()
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %e = tensor.empty() : tensor<3x2xi32>
  %4 = scf.forall (%i, %j) in (2, 3) shared_outs(%o = %e) -> tensor<3x2xi32> {
    %part = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<2x3xi32> to tensor<1x1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<3x2xi32>
    }
  }
  %5 = arith.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %6 = tensor.cast %4 : tensor<3x2xi32> to tensor<*xi32>
  %7 = tensor.cast %5 : tensor<3x2xi32> to tensor<*xi32>
  call @forge_rt_expect_eq_i32(%6, %7) : (tensor<*xi32>, tensor<*xi32>) -> ()
  return
}

func.func @assertion() {
  %yes = arith.constant true
  %c7 = arith.constant 7 : index
  %c3 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%c7)
  call @forge_assert_0(%yes, %c7, %c3) : (i1, index, index) -> ()
  return
}

//--- outside.mlir
func.func @main() -> tensor<f32> {
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf32>
  %0 = memref.load %m[%c4] : memref<4xf32>
  %1 = tensor.from_elements %0 : tensor<f32>
  return %1 : tensor<f32>
}

//--- view.mlir
// A view beyond the end of its memory.
func.func @main() -> tensor<f32> {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [8] : memref<8xf32> to memref<2xf32, strided<[8]>>
  %0 = memref.load %v[%c1] : memref<2xf32, strided<[8]>>
  %1 = tensor.from_elements %0 : tensor<f32>
  return %1 : tensor<f32>
}

//--- differs.mlir
memref.global "private" constant @a : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @b : memref<2xf32> = dense<[1.0, 3.0]>
func.func private @forge_rt_expect_eq_f32(memref<*xf32>, memref<*xf32>)
func.func @main() {
  %a = memref.get_global @a : memref<2xf32> %b = memref.get_global @b : memref<2xf32>
  %0 = memref.cast %a : memref<2xf32> to memref<*xf32>
  %1 = memref.cast %b : memref<2xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%0, %1) : (memref<*xf32>, memref<*xf32>) -> ()
  return
}

//--- fails.mlir
func.func private @forge_assert_0(i1, index, index) attributes {forge.assert_message = "expected {1}, but got {0}"}
func.func @main() {
  %no = arith.constant false
  %c7 = arith.constant 7 : index %c3 = arith.constant 3 : index
  call @forge_assert_0(%no, %c7, %c3) : (i1, index, index) -> ()
  return
}

//--- unknown.mlir
func.func private @mystery()
func.func @main() {
  call @mystery() : () -> ()
  return
}
