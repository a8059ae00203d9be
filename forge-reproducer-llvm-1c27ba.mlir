module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%arg0: memref<6x50xf32>) -> (memref<6x5xf32> {jax.result_info = "result[0]"}, memref<6x5xi32> {jax.result_info = "result[1]"}) {
    %c3 = arith.constant 3 : index
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %c31_i32 = arith.constant 31 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c50 = arith.constant 50 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x50xi32>
    scf.for %arg1 = %c0 to %c6 step %c1 {
      scf.for %arg2 = %c0 to %c50 step %c1 {
        %0 = arith.index_cast %arg2 : index to i32
        memref.store %0, %alloc[%arg1, %arg2] : memref<6x50xi32>
      }
    }
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<50xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<50xi32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<6x50xf32>
    memref.copy %arg0, %alloc_2 : memref<6x50xf32> to memref<6x50xf32>
    scf.for %arg1 = %c0 to %c6 step %c1 {
      scf.for %arg2 = %c0 to %c3 step %c1 {
        %0 = arith.addi %arg2, %arg2 : index
        %1 = arith.shli %c1, %0 : index
        %2 = arith.addi %1, %1 : index
        %3 = arith.ceildivsi %c50, %2 : index
        scf.for %arg3 = %c0 to %3 step %c1 {
          %6 = arith.muli %arg3, %2 : index
          %7 = arith.addi %6, %1 : index
          %8 = arith.minsi %7, %c50 : index
          %9 = arith.addi %6, %2 : index
          %10 = arith.minsi %9, %c50 : index
          %11 = arith.subi %8, %c1 : index
          %12 = arith.subi %10, %c1 : index
          %13:2 = scf.for %arg4 = %6 to %10 step %c1 iter_args(%arg5 = %6, %arg6 = %8) -> (index, index) {
            %14 = arith.minsi %arg5, %11 : index
            %15 = arith.minsi %arg6, %12 : index
            %16 = memref.load %alloc_2[%arg1, %14] : memref<6x50xf32>
            %17 = memref.load %alloc_2[%arg1, %15] : memref<6x50xf32>
            %18 = memref.load %alloc[%arg1, %14] : memref<6x50xi32>
            %19 = memref.load %alloc[%arg1, %15] : memref<6x50xi32>
            %20 = arith.cmpi sge, %arg5, %8 : index
            %21 = arith.cmpi slt, %arg6, %10 : index
            %22 = arith.bitcast %17 : f32 to i32
            %23 = arith.shrsi %22, %c31_i32 : i32
            %24 = arith.andi %23, %c2147483647_i32 : i32
            %25 = arith.xori %22, %24 : i32
            %26 = arith.bitcast %16 : f32 to i32
            %27 = arith.shrsi %26, %c31_i32 : i32
            %28 = arith.andi %27, %c2147483647_i32 : i32
            %29 = arith.xori %26, %28 : i32
            %30 = arith.cmpi sgt, %25, %29 : i32
            %31 = arith.andi %21, %30 : i1
            %32 = arith.ori %20, %31 : i1
            %33 = arith.addi %arg5, %c1 : index
            %34 = arith.select %32, %arg5, %33 : index
            %35 = arith.addi %arg6, %c1 : index
            %36 = arith.select %32, %35, %arg6 : index
            %37 = arith.select %32, %17, %16 : f32
            memref.store %37, %alloc_0[%arg4] : memref<50xf32>
            %38 = arith.select %32, %19, %18 : i32
            memref.store %38, %alloc_1[%arg4] : memref<50xi32>
            scf.yield %34, %36 : index, index
          }
        }
        %4 = arith.addi %2, %2 : index
        %5 = arith.ceildivsi %c50, %4 : index
        scf.for %arg3 = %c0 to %5 step %c1 {
          %6 = arith.muli %arg3, %4 : index
          %7 = arith.addi %6, %2 : index
          %8 = arith.minsi %7, %c50 : index
          %9 = arith.addi %6, %4 : index
          %10 = arith.minsi %9, %c50 : index
          %11 = arith.subi %8, %c1 : index
          %12 = arith.subi %10, %c1 : index
          %13:2 = scf.for %arg4 = %6 to %10 step %c1 iter_args(%arg5 = %6, %arg6 = %8) -> (index, index) {
            %14 = arith.minsi %arg5, %11 : index
            %15 = arith.minsi %arg6, %12 : index
            %16 = memref.load %alloc_0[%14] : memref<50xf32>
            %17 = memref.load %alloc_0[%15] : memref<50xf32>
            %18 = memref.load %alloc_1[%14] : memref<50xi32>
            %19 = memref.load %alloc_1[%15] : memref<50xi32>
            %20 = arith.cmpi sge, %arg5, %8 : index
            %21 = arith.cmpi slt, %arg6, %10 : index
            %22 = arith.bitcast %17 : f32 to i32
            %23 = arith.shrsi %22, %c31_i32 : i32
            %24 = arith.andi %23, %c2147483647_i32 : i32
            %25 = arith.xori %22, %24 : i32
            %26 = arith.bitcast %16 : f32 to i32
            %27 = arith.shrsi %26, %c31_i32 : i32
            %28 = arith.andi %27, %c2147483647_i32 : i32
            %29 = arith.xori %26, %28 : i32
            %30 = arith.cmpi sgt, %25, %29 : i32
            %31 = arith.andi %21, %30 : i1
            %32 = arith.ori %20, %31 : i1
            %33 = arith.addi %arg5, %c1 : index
            %34 = arith.select %32, %arg5, %33 : index
            %35 = arith.addi %arg6, %c1 : index
            %36 = arith.select %32, %35, %arg6 : index
            %37 = arith.select %32, %17, %16 : f32
            memref.store %37, %alloc_2[%arg1, %arg4] : memref<6x50xf32>
            %38 = arith.select %32, %19, %18 : i32
            memref.store %38, %alloc[%arg1, %arg4] : memref<6x50xi32>
            scf.yield %34, %36 : index, index
          }
        }
      }
    }
    %subview = memref.subview %alloc_2[0, 0] [6, 5] [1, 1] : memref<6x50xf32> to memref<6x5xf32, strided<[50, 1]>>
    %subview_3 = memref.subview %alloc[0, 0] [6, 5] [1, 1] : memref<6x50xi32> to memref<6x5xi32, strided<[50, 1]>>
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<6x5xf32>
    memref.copy %subview, %alloc_4 : memref<6x5xf32, strided<[50, 1]>> to memref<6x5xf32>
    %alloc_5 = memref.alloc() {alignment = 64 : i64} : memref<6x5xi32>
    memref.copy %subview_3, %alloc_5 : memref<6x5xi32, strided<[50, 1]>> to memref<6x5xi32>
    return %alloc_4, %alloc_5 : memref<6x5xf32>, memref<6x5xi32>
  }
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
