// Bodies of linalg operations for many points at a time, beside StableHLO's operations: more points than one batch has, batches
// that end inside a row, strides, steps back, places that are not linear, the loops' own numbers, several results.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge-interpret --every-function %t/holds.mlir | FileCheck %s
// CHECK-DAG: @rows: 1 check holds
// CHECK-DAG: @columns: 1 check holds
// CHECK-DAG: @windows: 1 check holds
// CHECK-DAG: @reversed: 1 check holds
// CHECK-DAG: @halves: 1 check holds
// CHECK-DAG: @last: 2 checks hold
// CHECK-DAG: @none: 1 check holds
// CHECK-DAG: @strided: 1 check holds
// RUN: not forge-interpret %t/outside.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: outside.mlir:4:8: error: no element 4 of tensor<4xf32>
// RUN: not forge-interpret %t/far.mlir 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: far.mlir:4:3: error: no element 4611686018427387904 of tensor<8xf32>

//--- holds.mlir
// 27,003 points in rows of 9,001: batches begin inside of rows. A scalar is the same for all of them.
func.func @rows() {
  %x = stablehlo.iota dim = 1 : tensor<3x9001xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %e = tensor.empty() : tensor<3x9001xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> ()>, affine_map<(r, c) -> (r, c)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %two : tensor<3x9001xf32>, tensor<f32>) outs(%e : tensor<3x9001xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = linalg.index 0 : index
    %i = arith.index_cast %r : index to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %a, %s : f32
    %q = arith.addf %p, %f : f32
    linalg.yield %q : f32
  } -> tensor<3x9001xf32>
  %row = stablehlo.iota dim = 0 : tensor<3x9001xf32>
  %twice = stablehlo.add %x, %x : tensor<3x9001xf32>
  %1 = stablehlo.add %twice, %row : tensor<3x9001xf32>
  check.expect_eq %0, %1 : tensor<3x9001xf32>
  return
}

// A sum over the outer loop: 5 steps of two batches.
func.func @columns() {
  %x = stablehlo.iota dim = 0 : tensor<5x9000xi32>
  %z = stablehlo.constant dense<1> : tensor<9000xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (c)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<5x9000xi32>) outs(%z : tensor<9000xi32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  } -> tensor<9000xi32>
  %1 = stablehlo.constant dense<11> : tensor<9000xi32>
  check.expect_eq %0, %1 : tensor<9000xi32>
  return
}

// Windows of three, with steps of two.
func.func @windows() {
  %x = stablehlo.iota dim = 0 : tensor<21xf32>
  %w = stablehlo.constant dense<0.0> : tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<10xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i * 2 + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<21xf32>, tensor<3xf32>) outs(%z : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %i = stablehlo.iota dim = 0 : tensor<10xf32>
  %six = stablehlo.constant dense<6.0> : tensor<10xf32>
  %three = stablehlo.constant dense<3.0> : tensor<10xf32>
  %p = stablehlo.multiply %i, %six : tensor<10xf32>
  %1 = stablehlo.add %p, %three : tensor<10xf32>
  check.expect_eq %0, %1 : tensor<10xf32>
  return
}

func.func @reversed() {
  %x = stablehlo.iota dim = 1 : tensor<2x10xi8>
  %e = tensor.empty() : tensor<2x10xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(r, i) -> (r, 9 - i)>, affine_map<(r, i) -> (r, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x10xi8>) outs(%e : tensor<2x10xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<2x10xi8>
  %1 = stablehlo.reverse %x, dims = [1] : tensor<2x10xi8>
  check.expect_eq %0, %1 : tensor<2x10xi8>
  return
}

// Not linear in the loop.
func.func @halves() {
  %x = stablehlo.iota dim = 0 : tensor<3xi32>
  %e = tensor.empty() : tensor<6xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xi32>) outs(%e : tensor<6xi32>) {
  ^bb0(%a: i32, %o: i32):
    linalg.yield %a : i32
  } -> tensor<6xi32>
  %1 = stablehlo.constant dense<[0, 0, 1, 1, 2, 2]> : tensor<6xi32>
  check.expect_eq %0, %1 : tensor<6xi32>
  return
}

// The largest of each column and where it is: two results, of which one is the loop's number.
func.func @last() {
  %x = stablehlo.constant dense<[[1.0, 9.0, 2.0], [7.0, 3.0, 2.0]]> : tensor<2x3xf32>
  %m = stablehlo.constant dense<0.0> : tensor<3xf32>
  %n = stablehlo.constant dense<-1> : tensor<3xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (c)>, affine_map<(k, c) -> (c)>],
                         iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%m, %n : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %most: f32, %where: i64):
    %k = linalg.index 0 : index
    %i = arith.index_cast %k : index to i64
    %more = arith.cmpf ogt, %a, %most : f32
    %p = arith.select %more, %a, %most : f32
    %q = arith.select %more, %i, %where : i64
    linalg.yield %p, %q : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  %most = stablehlo.constant dense<[7.0, 9.0, 2.0]> : tensor<3xf32>
  %where = stablehlo.constant dense<[1, 0, 0]> : tensor<3xi64>
  check.expect_eq %0#0, %most : tensor<3xf32>
  check.expect_eq %0#1, %where : tensor<3xi64>
  return
}

// No points: the result is what the output begins as.
func.func @none() {
  %x = stablehlo.constant dense<0.0> : tensor<0x4xf32>
  %z = stablehlo.constant dense<3.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (c)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<0x4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  check.expect_eq %0, %z : tensor<4xf32>
  return
}

// Every second element of memory, into every second element of other memory.
func.func private @forge_rt_expect_eq_f32(memref<*xf32>, memref<*xf32>)
memref.global "private" constant @from : memref<6xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @to : memref<6xf32> = dense<[0.0, 2.0, 0.0, 4.0, 0.0, 6.0]>
func.func @strided() {
  %from = memref.get_global @from : memref<6xf32>
  %to = memref.get_global @to : memref<6xf32>
  %m = memref.alloc() : memref<6xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<6xf32>)
  %a = memref.subview %from[1] [3] [2] : memref<6xf32> to memref<3xf32, strided<[2], offset: 1>>
  %b = memref.subview %m[1] [3] [2] : memref<6xf32> to memref<3xf32, strided<[2], offset: 1>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<3xf32, strided<[2], offset: 1>>) outs(%b : memref<3xf32, strided<[2], offset: 1>>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  %0 = memref.cast %m : memref<6xf32> to memref<*xf32>
  %1 = memref.cast %to : memref<6xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%0, %1) : (memref<*xf32>, memref<*xf32>) -> ()
  return
}

//--- outside.mlir
func.func @main() -> tensor<?xf32> {
  %x = stablehlo.constant dense<0.0> : tensor<4xf32>
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- far.mlir
// Four steps are 2^64, which is 0.
func.func @main(%x: memref<8xf32>, %y: memref<5xf32>) {
  %far = memref.reinterpret_cast %x to offset: [0], sizes: [5], strides: [4611686018427387904] : memref<8xf32> to memref<5xf32, strided<[4611686018427387904]>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%far : memref<5xf32, strided<[4611686018427387904]>>) outs(%y : memref<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}
