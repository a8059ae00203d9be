module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  memref.global "private" constant @__constant_5x7xbf16_0 : memref<5x7xbf16> = dense<[[-4.156250e+00, -4.125000e+00, -4.312500e+00, -1.460940e+00, -6.312500e+00, -2.687500e+00, -3.468750e+00], [-1.240230e-01, -3.046880e+00, -7.695310e-01, -9.882810e-01, -1.070310e+00, -5.937500e-01, -2.468750e+00], [-6.152340e-02, -6.796880e-01, 1.937500e+00, -8.945310e-01, -6.884770e-02, -5.195310e-01, -3.750000e-01], [2.406250e+00, 1.031250e+00, 3.140630e+00, -3.750000e-01, -4.174800e-02, 1.982420e-01, 6.591800e-02], [4.343750e+00, 3.421880e+00, 3.593750e+00, 3.515630e-01, 7.695310e-01, 2.203130e+00, 1.531250e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5x7xbf16 : memref<5x7xbf16> = dense<[[2.406250e+00, 3.421880e+00, 3.593750e+00, -3.750000e-01, -4.174800e-02, 1.982420e-01, 6.591800e-02], [-6.152340e-02, 1.031250e+00, -7.695310e-01, -8.945310e-01, 7.695310e-01, 2.203130e+00, -2.468750e+00], [4.343750e+00, -4.125000e+00, 3.140630e+00, -9.882810e-01, -1.070310e+00, -5.937500e-01, -3.750000e-01], [-1.240230e-01, -3.046880e+00, 1.937500e+00, -1.460940e+00, -6.884770e-02, -2.687500e+00, -3.468750e+00], [-4.156250e+00, -6.796880e-01, -4.312500e+00, 3.515630e-01, -6.312500e+00, -5.195310e-01, 1.531250e+00]]> {alignment = 64 : i64}
  func.func @main() -> (memref<5x7xbf16> {jax.result_info = "[0]"}) {
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c1_i16 = arith.constant 1 : i16
    %c15_i16 = arith.constant 15 : i16
    %cst = arith.constant 0x7FC0 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @__constant_5x7xbf16 : memref<5x7xbf16>
    %1 = memref.get_global @__constant_5x7xbf16_0 : memref<5x7xbf16>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xbf16>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<5x7xbf16>
    memref.copy %0, %alloc_2 : memref<5x7xbf16> to memref<5x7xbf16>
    scf.for %arg0 = %c0 to %c7 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %2 = arith.addi %arg1, %arg1 : index
        %3 = arith.shli %c1, %2 : index
        %4 = arith.addi %3, %3 : index
        %5 = arith.ceildivsi %c5, %4 : index
        scf.for %arg2 = %c0 to %5 step %c1 {
          %8 = arith.muli %arg2, %4 : index
          %9 = arith.addi %8, %3 : index
          %10 = arith.minsi %9, %c5 : index
          %11 = arith.addi %8, %4 : index
          %12 = arith.minsi %11, %c5 : index
          %13 = arith.subi %10, %c1 : index
          %14 = arith.subi %12, %c1 : index
          %15:2 = scf.for %arg3 = %8 to %12 step %c1 iter_args(%arg4 = %8, %arg5 = %10) -> (index, index) {
            %16 = arith.minsi %arg4, %13 : index
            %17 = arith.minsi %arg5, %14 : index
            %18 = memref.load %alloc_2[%16, %arg0] : memref<5x7xbf16>
            %19 = memref.load %alloc_2[%17, %arg0] : memref<5x7xbf16>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.extf %19 : bf16 to f32
            %23 = arith.cmpf oeq, %22, %cst_0 : f32
            %24 = arith.select %23, %cst_1, %19 : bf16
            %25 = arith.cmpf une, %22, %22 : f32
            %26 = arith.select %25, %cst, %24 : bf16
            %27 = arith.extf %18 : bf16 to f32
            %28 = arith.cmpf oeq, %27, %cst_0 : f32
            %29 = arith.select %28, %cst_1, %18 : bf16
            %30 = arith.cmpf une, %27, %27 : f32
            %31 = arith.select %30, %cst, %29 : bf16
            %32 = arith.bitcast %26 : bf16 to i16
            %33 = arith.shrsi %32, %c15_i16 : i16
            %34 = arith.shrui %33, %c1_i16 : i16
            %35 = arith.xori %32, %34 : i16
            %36 = arith.bitcast %31 : bf16 to i16
            %37 = arith.shrsi %36, %c15_i16 : i16
            %38 = arith.shrui %37, %c1_i16 : i16
            %39 = arith.xori %36, %38 : i16
            %40 = arith.cmpi slt, %35, %39 : i16
            %41 = arith.andi %21, %40 : i1
            %42 = arith.ori %20, %41 : i1
            %43 = arith.addi %arg4, %c1 : index
            %44 = arith.select %42, %arg4, %43 : index
            %45 = arith.addi %arg5, %c1 : index
            %46 = arith.select %42, %45, %arg5 : index
            %47 = arith.select %42, %19, %18 : bf16
            memref.store %47, %alloc[%arg3] : memref<5xbf16>
            scf.yield %44, %46 : index, index
          }
        }
        %6 = arith.addi %4, %4 : index
        %7 = arith.ceildivsi %c5, %6 : index
        scf.for %arg2 = %c0 to %7 step %c1 {
          %8 = arith.muli %arg2, %6 : index
          %9 = arith.addi %8, %4 : index
          %10 = arith.minsi %9, %c5 : index
          %11 = arith.addi %8, %6 : index
          %12 = arith.minsi %11, %c5 : index
          %13 = arith.subi %10, %c1 : index
          %14 = arith.subi %12, %c1 : index
          %15:2 = scf.for %arg3 = %8 to %12 step %c1 iter_args(%arg4 = %8, %arg5 = %10) -> (index, index) {
            %16 = arith.minsi %arg4, %13 : index
            %17 = arith.minsi %arg5, %14 : index
            %18 = memref.load %alloc[%16] : memref<5xbf16>
            %19 = memref.load %alloc[%17] : memref<5xbf16>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.extf %19 : bf16 to f32
            %23 = arith.cmpf oeq, %22, %cst_0 : f32
            %24 = arith.select %23, %cst_1, %19 : bf16
            %25 = arith.cmpf une, %22, %22 : f32
            %26 = arith.select %25, %cst, %24 : bf16
            %27 = arith.extf %18 : bf16 to f32
            %28 = arith.cmpf oeq, %27, %cst_0 : f32
            %29 = arith.select %28, %cst_1, %18 : bf16
            %30 = arith.cmpf une, %27, %27 : f32
            %31 = arith.select %30, %cst, %29 : bf16
            %32 = arith.bitcast %26 : bf16 to i16
            %33 = arith.shrsi %32, %c15_i16 : i16
            %34 = arith.shrui %33, %c1_i16 : i16
            %35 = arith.xori %32, %34 : i16
            %36 = arith.bitcast %31 : bf16 to i16
            %37 = arith.shrsi %36, %c15_i16 : i16
            %38 = arith.shrui %37, %c1_i16 : i16
            %39 = arith.xori %36, %38 : i16
            %40 = arith.cmpi slt, %35, %39 : i16
            %41 = arith.andi %21, %40 : i1
            %42 = arith.ori %20, %41 : i1
            %43 = arith.addi %arg4, %c1 : index
            %44 = arith.select %42, %arg4, %43 : index
            %45 = arith.addi %arg5, %c1 : index
            %46 = arith.select %42, %45, %arg5 : index
            %47 = arith.select %42, %19, %18 : bf16
            memref.store %47, %alloc_2[%arg3, %arg0] : memref<5x7xbf16>
            scf.yield %44, %46 : index, index
          }
        }
      }
    }
    %cast = memref.cast %alloc_2 : memref<5x7xbf16> to memref<*xbf16>
    %cast_3 = memref.cast %1 : memref<5x7xbf16> to memref<*xbf16>
    call @forge_rt_expect_eq_bf16(%cast, %cast_3) : (memref<*xbf16>, memref<*xbf16>) -> ()
    return %alloc_2 : memref<5x7xbf16>
  }
  func.func private @forge_rt_expect_eq_bf16(memref<*xbf16> {bufferization.access = "read"}, memref<*xbf16> {bufferization.access = "read"})
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
