module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  memref.global "private" constant @__constant_5x7xf64_0 : memref<5x7xf64> = dense<[[-4.0896635946524977, -5.2035365268290956, -2.0998486044131641, -2.0543716182315079, -2.1846940329152411, -5.5580946032460581, -1.8742713896235315], [-3.6800679015698829, -0.71528440028190499, -0.50213168480988946, -1.3679934880325813, -0.11983810579204865, -5.0992561837764008, -0.73063142936550929], [-2.8321294558434205, 1.1302784794698757, -0.37137121268702389, 0.97069439024483861, 0.033663053680914386, -2.2067052115096883, 0.92144406147571478], [-0.92573122376613293, 1.4959596210409398, 2.6681087215860151, 1.544143027486987, 4.7389017179183535, -1.625141303366769, 2.5896494222636242], [1.6630315746085409, 2.7632953409939716, 3.7176209758875078, 3.9131576334488489, 8.2306975220664498, 1.2187365390560596, 3.2311120719177095]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5x7xf64 : memref<5x7xf64> = dense<[[-4.0896635946524977, 2.7632953409939716, -0.50213168480988946, -2.0543716182315079, 4.7389017179183535, -5.0992561837764008, 3.2311120719177095], [-3.6800679015698829, -5.2035365268290956, -0.37137121268702389, 3.9131576334488489, 8.2306975220664498, 1.2187365390560596, 2.5896494222636242], [-0.92573122376613293, -0.71528440028190499, 2.6681087215860151, 0.97069439024483861, -2.1846940329152411, -2.2067052115096883, 0.92144406147571478], [-2.8321294558434205, 1.1302784794698757, 3.7176209758875078, -1.3679934880325813, -0.11983810579204865, -5.5580946032460581, -1.8742713896235315], [1.6630315746085409, 1.4959596210409398, -2.0998486044131641, 1.544143027486987, 0.033663053680914386, -1.625141303366769, -0.73063142936550929]]> {alignment = 64 : i64}
  func.func @main() -> (memref<5x7xf64> {jax.result_info = "[0]"}) {
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c1_i64 = arith.constant 1 : i64
    %c63_i64 = arith.constant 63 : i64
    %cst = arith.constant 0x7FF8000000000000 : f64
    %cst_0 = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @__constant_5x7xf64 : memref<5x7xf64>
    %1 = memref.get_global @__constant_5x7xf64_0 : memref<5x7xf64>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xf64>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<5x7xf64>
    memref.copy %0, %alloc_1 : memref<5x7xf64> to memref<5x7xf64>
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
            %18 = memref.load %alloc_1[%16, %arg0] : memref<5x7xf64>
            %19 = memref.load %alloc_1[%17, %arg0] : memref<5x7xf64>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.cmpf oeq, %19, %cst_0 : f64
            %23 = arith.select %22, %cst_0, %19 : f64
            %24 = arith.cmpf une, %19, %19 : f64
            %25 = arith.select %24, %cst, %23 : f64
            %26 = arith.cmpf oeq, %18, %cst_0 : f64
            %27 = arith.select %26, %cst_0, %18 : f64
            %28 = arith.cmpf une, %18, %18 : f64
            %29 = arith.select %28, %cst, %27 : f64
            %30 = arith.bitcast %25 : f64 to i64
            %31 = arith.shrsi %30, %c63_i64 : i64
            %32 = arith.shrui %31, %c1_i64 : i64
            %33 = arith.xori %30, %32 : i64
            %34 = arith.bitcast %29 : f64 to i64
            %35 = arith.shrsi %34, %c63_i64 : i64
            %36 = arith.shrui %35, %c1_i64 : i64
            %37 = arith.xori %34, %36 : i64
            %38 = arith.cmpi slt, %33, %37 : i64
            %39 = arith.andi %21, %38 : i1
            %40 = arith.ori %20, %39 : i1
            %41 = arith.addi %arg4, %c1 : index
            %42 = arith.select %40, %arg4, %41 : index
            %43 = arith.addi %arg5, %c1 : index
            %44 = arith.select %40, %43, %arg5 : index
            %45 = arith.select %40, %19, %18 : f64
            memref.store %45, %alloc[%arg3] : memref<5xf64>
            scf.yield %42, %44 : index, index
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
            %18 = memref.load %alloc[%16] : memref<5xf64>
            %19 = memref.load %alloc[%17] : memref<5xf64>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.cmpf oeq, %19, %cst_0 : f64
            %23 = arith.select %22, %cst_0, %19 : f64
            %24 = arith.cmpf une, %19, %19 : f64
            %25 = arith.select %24, %cst, %23 : f64
            %26 = arith.cmpf oeq, %18, %cst_0 : f64
            %27 = arith.select %26, %cst_0, %18 : f64
            %28 = arith.cmpf une, %18, %18 : f64
            %29 = arith.select %28, %cst, %27 : f64
            %30 = arith.bitcast %25 : f64 to i64
            %31 = arith.shrsi %30, %c63_i64 : i64
            %32 = arith.shrui %31, %c1_i64 : i64
            %33 = arith.xori %30, %32 : i64
            %34 = arith.bitcast %29 : f64 to i64
            %35 = arith.shrsi %34, %c63_i64 : i64
            %36 = arith.shrui %35, %c1_i64 : i64
            %37 = arith.xori %34, %36 : i64
            %38 = arith.cmpi slt, %33, %37 : i64
            %39 = arith.andi %21, %38 : i1
            %40 = arith.ori %20, %39 : i1
            %41 = arith.addi %arg4, %c1 : index
            %42 = arith.select %40, %arg4, %41 : index
            %43 = arith.addi %arg5, %c1 : index
            %44 = arith.select %40, %43, %arg5 : index
            %45 = arith.select %40, %19, %18 : f64
            memref.store %45, %alloc_1[%arg3, %arg0] : memref<5x7xf64>
            scf.yield %42, %44 : index, index
          }
        }
      }
    }
    %cast = memref.cast %alloc_1 : memref<5x7xf64> to memref<*xf64>
    %cast_2 = memref.cast %1 : memref<5x7xf64> to memref<*xf64>
    call @forge_rt_expect_eq_f64(%cast, %cast_2) : (memref<*xf64>, memref<*xf64>) -> ()
    return %alloc_1 : memref<5x7xf64>
  }
  func.func private @forge_rt_expect_eq_f64(memref<*xf64> {bufferization.access = "read"}, memref<*xf64> {bufferization.access = "read"})
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
