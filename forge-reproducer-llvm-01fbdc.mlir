module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  memref.global "private" constant @__constant_5xi32 : memref<5xi32> = dense<[1, 0, 4, 3, 2]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5xf32_0 : memref<5xf32> = dense<[0x7FC00000, 0x7F800000, 3.000000e+00, 0xFF800000, 0xFFC00000]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5xf32 : memref<5xf32> = dense<[0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 3.000000e+00]> {alignment = 64 : i64}
  func.func @main() -> (memref<5xf32> {jax.result_info = "[0]"}, memref<5xi32> {jax.result_info = "[1]"}) {
    %c2 = arith.constant 2 : index
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %c31_i32 = arith.constant 31 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %0 = memref.get_global @__constant_5xf32 : memref<5xf32>
    %1 = memref.get_global @__constant_5xf32_0 : memref<5xf32>
    %2 = memref.get_global @__constant_5xi32 : memref<5xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xi32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<5xi32>
    scf.for %arg0 = %c0 to %c5 step %c1 {
      %3 = arith.index_cast %arg0 : index to i32
      memref.store %3, %alloc_0[%arg0] : memref<5xi32>
    }
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
    memref.copy %0, %alloc_2 : memref<5xf32> to memref<5xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %3 = arith.addi %arg0, %arg0 : index
      %4 = arith.shli %c1, %3 : index
      %5 = arith.addi %4, %4 : index
      %6 = arith.ceildivsi %c5, %5 : index
      scf.for %arg1 = %c0 to %6 step %c1 {
        %9 = arith.muli %arg1, %5 : index
        %10 = arith.addi %9, %4 : index
        %11 = arith.minsi %10, %c5 : index
        %12 = arith.addi %9, %5 : index
        %13 = arith.minsi %12, %c5 : index
        %14 = arith.subi %11, %c1 : index
        %15 = arith.subi %13, %c1 : index
        %16:2 = scf.for %arg2 = %9 to %13 step %c1 iter_args(%arg3 = %9, %arg4 = %11) -> (index, index) {
          %17 = arith.minsi %arg3, %14 : index
          %18 = arith.minsi %arg4, %15 : index
          %19 = memref.load %alloc_2[%17] : memref<5xf32>
          %20 = memref.load %alloc_2[%18] : memref<5xf32>
          %21 = memref.load %alloc_0[%17] : memref<5xi32>
          %22 = memref.load %alloc_0[%18] : memref<5xi32>
          %23 = arith.cmpi sge, %arg3, %11 : index
          %24 = arith.cmpi slt, %arg4, %13 : index
          %25 = arith.bitcast %20 : f32 to i32
          %26 = arith.shrsi %25, %c31_i32 : i32
          %27 = arith.andi %26, %c2147483647_i32 : i32
          %28 = arith.xori %25, %27 : i32
          %29 = arith.bitcast %19 : f32 to i32
          %30 = arith.shrsi %29, %c31_i32 : i32
          %31 = arith.andi %30, %c2147483647_i32 : i32
          %32 = arith.xori %29, %31 : i32
          %33 = arith.cmpi sgt, %28, %32 : i32
          %34 = arith.andi %24, %33 : i1
          %35 = arith.ori %23, %34 : i1
          %36 = arith.addi %arg3, %c1 : index
          %37 = arith.select %35, %arg3, %36 : index
          %38 = arith.addi %arg4, %c1 : index
          %39 = arith.select %35, %38, %arg4 : index
          %40 = arith.select %35, %20, %19 : f32
          memref.store %40, %alloc_1[%arg2] : memref<5xf32>
          %41 = arith.select %35, %22, %21 : i32
          memref.store %41, %alloc[%arg2] : memref<5xi32>
          scf.yield %37, %39 : index, index
        }
      }
      %7 = arith.addi %5, %5 : index
      %8 = arith.ceildivsi %c5, %7 : index
      scf.for %arg1 = %c0 to %8 step %c1 {
        %9 = arith.muli %arg1, %7 : index
        %10 = arith.addi %9, %5 : index
        %11 = arith.minsi %10, %c5 : index
        %12 = arith.addi %9, %7 : index
        %13 = arith.minsi %12, %c5 : index
        %14 = arith.subi %11, %c1 : index
        %15 = arith.subi %13, %c1 : index
        %16:2 = scf.for %arg2 = %9 to %13 step %c1 iter_args(%arg3 = %9, %arg4 = %11) -> (index, index) {
          %17 = arith.minsi %arg3, %14 : index
          %18 = arith.minsi %arg4, %15 : index
          %19 = memref.load %alloc_1[%17] : memref<5xf32>
          %20 = memref.load %alloc_1[%18] : memref<5xf32>
          %21 = memref.load %alloc[%17] : memref<5xi32>
          %22 = memref.load %alloc[%18] : memref<5xi32>
          %23 = arith.cmpi sge, %arg3, %11 : index
          %24 = arith.cmpi slt, %arg4, %13 : index
          %25 = arith.bitcast %20 : f32 to i32
          %26 = arith.shrsi %25, %c31_i32 : i32
          %27 = arith.andi %26, %c2147483647_i32 : i32
          %28 = arith.xori %25, %27 : i32
          %29 = arith.bitcast %19 : f32 to i32
          %30 = arith.shrsi %29, %c31_i32 : i32
          %31 = arith.andi %30, %c2147483647_i32 : i32
          %32 = arith.xori %29, %31 : i32
          %33 = arith.cmpi sgt, %28, %32 : i32
          %34 = arith.andi %24, %33 : i1
          %35 = arith.ori %23, %34 : i1
          %36 = arith.addi %arg3, %c1 : index
          %37 = arith.select %35, %arg3, %36 : index
          %38 = arith.addi %arg4, %c1 : index
          %39 = arith.select %35, %38, %arg4 : index
          %40 = arith.select %35, %20, %19 : f32
          memref.store %40, %alloc_2[%arg2] : memref<5xf32>
          %41 = arith.select %35, %22, %21 : i32
          memref.store %41, %alloc_0[%arg2] : memref<5xi32>
          scf.yield %37, %39 : index, index
        }
      }
    }
    %cast = memref.cast %alloc_2 : memref<5xf32> to memref<*xf32>
    %cast_3 = memref.cast %1 : memref<5xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast, %cast_3) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_4 = memref.cast %alloc_0 : memref<5xi32> to memref<*xi32>
    %cast_5 = memref.cast %2 : memref<5xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_4, %cast_5) : (memref<*xi32>, memref<*xi32>) -> ()
    return %alloc_2, %alloc_0 : memref<5xf32>, memref<5xi32>
  }
  func.func private @forge_rt_expect_eq_f32(memref<*xf32> {bufferization.access = "read"}, memref<*xf32> {bufferization.access = "read"})
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
