module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  memref.global "private" constant @__constant_5xf32_0 : memref<5xf32> = dense<[0xFF800000, 2.000000e+00, 0x7F800000, 0xFFC00000, 0x7FC00000]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5xf32 : memref<5xf32> = dense<[0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 2.000000e+00]> {alignment = 64 : i64}
  func.func @main() -> (memref<5xf32> {jax.result_info = "[0]"}) {
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst = arith.constant 0x7FC00000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @__constant_5xf32 : memref<5xf32>
    %1 = memref.get_global @__constant_5xf32_0 : memref<5xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
    memref.copy %0, %alloc_1 : memref<5xf32> to memref<5xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %2 = arith.addi %arg0, %arg0 : index
      %3 = arith.shli %c1, %2 : index
      %4 = arith.addi %3, %3 : index
      %5 = arith.ceildivsi %c5, %4 : index
      scf.for %arg1 = %c0 to %5 step %c1 {
        %8 = arith.muli %arg1, %4 : index
        %9 = arith.addi %8, %3 : index
        %10 = arith.minsi %9, %c5 : index
        %11 = arith.addi %8, %4 : index
        %12 = arith.minsi %11, %c5 : index
        %13 = arith.subi %10, %c1 : index
        %14 = arith.subi %12, %c1 : index
        %15:2 = scf.for %arg2 = %8 to %12 step %c1 iter_args(%arg3 = %8, %arg4 = %10) -> (index, index) {
          %16 = arith.minsi %arg3, %13 : index
          %17 = arith.minsi %arg4, %14 : index
          %18 = memref.load %alloc_1[%16] : memref<5xf32>
          %19 = memref.load %alloc_1[%17] : memref<5xf32>
          %20 = arith.cmpi sge, %arg3, %10 : index
          %21 = arith.cmpi slt, %arg4, %12 : index
          %22 = arith.cmpf oeq, %19, %cst_0 : f32
          %23 = arith.select %22, %cst_0, %19 : f32
          %24 = arith.cmpf une, %19, %19 : f32
          %25 = arith.select %24, %cst, %23 : f32
          %26 = arith.cmpf oeq, %18, %cst_0 : f32
          %27 = arith.select %26, %cst_0, %18 : f32
          %28 = arith.cmpf une, %18, %18 : f32
          %29 = arith.select %28, %cst, %27 : f32
          %30 = arith.bitcast %25 : f32 to i32
          %31 = arith.shrsi %30, %c31_i32 : i32
          %32 = arith.shrui %31, %c1_i32 : i32
          %33 = arith.xori %30, %32 : i32
          %34 = arith.bitcast %29 : f32 to i32
          %35 = arith.shrsi %34, %c31_i32 : i32
          %36 = arith.shrui %35, %c1_i32 : i32
          %37 = arith.xori %34, %36 : i32
          %38 = arith.cmpi slt, %33, %37 : i32
          %39 = arith.andi %21, %38 : i1
          %40 = arith.ori %20, %39 : i1
          %41 = arith.addi %arg3, %c1 : index
          %42 = arith.select %40, %arg3, %41 : index
          %43 = arith.addi %arg4, %c1 : index
          %44 = arith.select %40, %43, %arg4 : index
          %45 = arith.select %40, %19, %18 : f32
          memref.store %45, %alloc[%arg2] : memref<5xf32>
          scf.yield %42, %44 : index, index
        }
      }
      %6 = arith.addi %4, %4 : index
      %7 = arith.ceildivsi %c5, %6 : index
      scf.for %arg1 = %c0 to %7 step %c1 {
        %8 = arith.muli %arg1, %6 : index
        %9 = arith.addi %8, %4 : index
        %10 = arith.minsi %9, %c5 : index
        %11 = arith.addi %8, %6 : index
        %12 = arith.minsi %11, %c5 : index
        %13 = arith.subi %10, %c1 : index
        %14 = arith.subi %12, %c1 : index
        %15:2 = scf.for %arg2 = %8 to %12 step %c1 iter_args(%arg3 = %8, %arg4 = %10) -> (index, index) {
          %16 = arith.minsi %arg3, %13 : index
          %17 = arith.minsi %arg4, %14 : index
          %18 = memref.load %alloc[%16] : memref<5xf32>
          %19 = memref.load %alloc[%17] : memref<5xf32>
          %20 = arith.cmpi sge, %arg3, %10 : index
          %21 = arith.cmpi slt, %arg4, %12 : index
          %22 = arith.cmpf oeq, %19, %cst_0 : f32
          %23 = arith.select %22, %cst_0, %19 : f32
          %24 = arith.cmpf une, %19, %19 : f32
          %25 = arith.select %24, %cst, %23 : f32
          %26 = arith.cmpf oeq, %18, %cst_0 : f32
          %27 = arith.select %26, %cst_0, %18 : f32
          %28 = arith.cmpf une, %18, %18 : f32
          %29 = arith.select %28, %cst, %27 : f32
          %30 = arith.bitcast %25 : f32 to i32
          %31 = arith.shrsi %30, %c31_i32 : i32
          %32 = arith.shrui %31, %c1_i32 : i32
          %33 = arith.xori %30, %32 : i32
          %34 = arith.bitcast %29 : f32 to i32
          %35 = arith.shrsi %34, %c31_i32 : i32
          %36 = arith.shrui %35, %c1_i32 : i32
          %37 = arith.xori %34, %36 : i32
          %38 = arith.cmpi slt, %33, %37 : i32
          %39 = arith.andi %21, %38 : i1
          %40 = arith.ori %20, %39 : i1
          %41 = arith.addi %arg3, %c1 : index
          %42 = arith.select %40, %arg3, %41 : index
          %43 = arith.addi %arg4, %c1 : index
          %44 = arith.select %40, %43, %arg4 : index
          %45 = arith.select %40, %19, %18 : f32
          memref.store %45, %alloc_1[%arg2] : memref<5xf32>
          scf.yield %42, %44 : index, index
        }
      }
    }
    %cast = memref.cast %alloc_1 : memref<5xf32> to memref<*xf32>
    %cast_2 = memref.cast %1 : memref<5xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast, %cast_2) : (memref<*xf32>, memref<*xf32>) -> ()
    return %alloc_1 : memref<5xf32>
  }
  func.func private @forge_rt_expect_eq_f32(memref<*xf32> {bufferization.access = "read"}, memref<*xf32> {bufferization.access = "read"})
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
