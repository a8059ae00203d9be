#map = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  memref.global "private" constant @__constant_4xi32_5 : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi32_4 : memref<4xi32> = dense<[5, 9, 2, 7]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi32_3 : memref<4xi32> = dense<[1, 10, 100, 1000]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi32_2 : memref<4xi32> = dense<[1, 3, 6, 10]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi32_1 : memref<4xi32> = dense<[10, 9, 7, 4]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xi32 : memref<2xi32> = dense<[2, 3]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3xi32_0 : memref<3xi32> = dense<[9, 9, 7]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3xi32 : memref<3xi32> = dense<[1, 1, 3]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi32 : memref<4xi32> = dense<[10, 1100, 0, 0]> {alignment = 64 : i64}
  func.func @main() {
    %cst = arith.constant dense<-100> : vector<16xi32>
    %cst_0 = arith.constant dense<0> : vector<16xi32>
    %c7 = arith.constant 7 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c-2 = arith.constant -2 : index
    %c2 = arith.constant 2 : index
    %false = arith.constant false
    %true = arith.constant true
    %c6 = arith.constant 6 : index
    %0 = memref.get_global @__constant_4xi32 : memref<4xi32>
    %1 = memref.get_global @__constant_3xi32 : memref<3xi32>
    %2 = memref.get_global @__constant_3xi32_0 : memref<3xi32>
    %3 = memref.get_global @__constant_2xi32 : memref<2xi32>
    %4 = memref.get_global @__constant_4xi32_1 : memref<4xi32>
    %5 = memref.get_global @__constant_4xi32_2 : memref<4xi32>
    %6 = memref.get_global @__constant_4xi32_3 : memref<4xi32>
    %7 = memref.get_global @__constant_4xi32_4 : memref<4xi32>
    %8 = memref.get_global @__constant_4xi32_5 : memref<4xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xi32>
    %9 = scf.for %arg0 = %c0 to %c4 step %c1 iter_args(%arg1 = %c0_i32) -> (i32) {
      %15 = memref.load %8[%arg0] : memref<4xi32>
      %16 = arith.addi %arg1, %15 : i32
      memref.store %16, %alloc[%arg0] : memref<4xi32>
      scf.yield %16 : i32
    }
    %cast = memref.cast %alloc : memref<4xi32> to memref<*xi32>
    %cast_1 = memref.cast %5 : memref<4xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast, %cast_1) : (memref<*xi32>, memref<*xi32>) -> ()
    %10 = scf.for %arg0 = %c0 to %c4 step %c1 iter_args(%arg1 = %c0_i32) -> (i32) {
      %15 = arith.subi %c3, %arg0 : index
      %16 = memref.load %8[%15] : memref<4xi32>
      %17 = arith.addi %arg1, %16 : i32
      memref.store %17, %alloc[%15] : memref<4xi32>
      scf.yield %17 : i32
    }
    %cast_2 = memref.cast %4 : memref<4xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast, %cast_2) : (memref<*xi32>, memref<*xi32>) -> ()
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<7xi32>
    %11 = vector.create_mask %c7 : vector<16xi1>
    vector.maskedstore %alloc_3[%c0], %11, %cst_0 : memref<7xi32>, vector<16xi1>, vector<16xi32>
    %subview = memref.subview %8[0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1]>>
    %subview_4 = memref.subview %alloc_3[1] [3] [2] : memref<7xi32> to memref<3xi32, strided<[2], offset: 1>>
    memref.copy %subview, %subview_4 : memref<3xi32, strided<[1]>> to memref<3xi32, strided<[2], offset: 1>>
    %alloc_5 = memref.alloc() {alignment = 64 : i64} : memref<2xi32>
    %12 = vector.create_mask %c2 : vector<16xi1>
    vector.maskedstore %alloc_5[%c0], %12, %cst_0 : memref<2xi32>, vector<16xi1>, vector<16xi32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %15 = affine.apply #map(%arg0, %arg1)
        %16 = memref.load %alloc_3[%15] : memref<7xi32>
        %17 = memref.load %alloc_5[%arg0] : memref<2xi32>
        %18 = arith.addi %17, %16 : i32
        memref.store %18, %alloc_5[%arg0] : memref<2xi32>
      }
    }
    %cast_6 = memref.cast %alloc_5 : memref<2xi32> to memref<*xi32>
    %cast_7 = memref.cast %3 : memref<2xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_6, %cast_7) : (memref<*xi32>, memref<*xi32>) -> ()
    %alloc_8 = memref.alloc() {alignment = 64 : i64} : memref<3xi32>
    %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<3xi32>
    %13 = vector.create_mask %c3 : vector<16xi1>
    vector.maskedstore %alloc_9[%c0], %13, %cst : memref<3xi32>, vector<16xi1>, vector<16xi32>
    vector.maskedstore %alloc_8[%c0], %13, %cst_0 : memref<3xi32>, vector<16xi1>, vector<16xi32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %15 = affine.apply #map1(%arg0, %arg1)
        %16 = memref.load %7[%15] : memref<4xi32>
        %17 = memref.load %alloc_9[%arg0] : memref<3xi32>
        %18 = memref.load %alloc_8[%arg0] : memref<3xi32>
        %19 = arith.addi %arg0, %arg1 : index
        %20 = arith.index_cast %19 : index to i64
        %21 = arith.trunci %20 : i64 to i32
        %22 = arith.cmpi sge, %17, %16 : i32
        %23 = arith.select %22, %17, %16 : i32
        %24 = arith.select %22, %18, %21 : i32
        memref.store %23, %alloc_9[%arg0] : memref<3xi32>
        memref.store %24, %alloc_8[%arg0] : memref<3xi32>
      }
    }
    %cast_10 = memref.cast %alloc_9 : memref<3xi32> to memref<*xi32>
    %cast_11 = memref.cast %2 : memref<3xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_10, %cast_11) : (memref<*xi32>, memref<*xi32>) -> ()
    %cast_12 = memref.cast %alloc_8 : memref<3xi32> to memref<*xi32>
    %cast_13 = memref.cast %1 : memref<3xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_12, %cast_13) : (memref<*xi32>, memref<*xi32>) -> ()
    %14 = vector.create_mask %c4 : vector<16xi1>
    vector.maskedstore %alloc[%c0], %14, %cst_0 : memref<4xi32>, vector<16xi1>, vector<16xi32>
    scf.for %arg0 = %c0 to %c4 step %c1 {
      %15 = arith.addi %arg0, %c-2 : index
      %16 = arith.subi %c2, %arg0 : index
      %17 = arith.maxsi %16, %c0 : index
      %18 = arith.subi %c6, %arg0 : index
      %19 = arith.minsi %18, %c2 : index
      %20:3 = scf.for %arg1 = %17 to %19 step %c1 iter_args(%arg2 = %false, %arg3 = %c0_i32, %arg4 = %c0) -> (i1, i32, index) {
        %22 = arith.addi %15, %arg1 : index
        %23 = memref.load %7[%22] : memref<4xi32>
        %24 = arith.cmpi sge, %arg3, %23 : i32
        %25 = arith.andi %arg2, %24 : i1
        %26 = arith.select %25, %arg3, %23 : i32
        %27 = arith.select %25, %arg4, %22 : index
        scf.yield %true, %26, %27 : i1, i32, index
      }
      %21 = memref.load %6[%arg0] : memref<4xi32>
      scf.if %20#0 {
        %22 = memref.load %alloc[%20#2] : memref<4xi32>
        %23 = arith.addi %22, %21 : i32
        memref.store %23, %alloc[%20#2] : memref<4xi32>
      }
    }
    %cast_14 = memref.cast %0 : memref<4xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast, %cast_14) : (memref<*xi32>, memref<*xi32>) -> ()
    return
  }
  func.func private @forge_rt_expect_eq_i32(memref<*xi32> {bufferization.access = "read"}, memref<*xi32> {bufferization.access = "read"})
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(expand-strided-metadata, lower-affine, convert-scf-to-cf{allow-pattern-rollback=true}, forge-math-to-libm, forge-convert-to-llvm, reconcile-unrealized-casts)",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
