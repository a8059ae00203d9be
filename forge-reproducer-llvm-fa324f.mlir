module {
  func.func @main(%arg0: memref<?x2xf32>, %arg1: memref<f8E4M3FN>, %arg2: memref<3xi1>) -> (memref<?x2xf32>, memref<f32>, memref<3xi1>) {
    %cst = arith.constant 0x7FC00000 : f32
    %cst_0 = arith.constant 2.560000e+02 : f32
    %c7_i16 = arith.constant 7 : i16
    %c8_i16 = arith.constant 8 : i16
    %c128_i16 = arith.constant 128 : i16
    %c127_i16 = arith.constant 127 : i16
    %cst_1 = arith.constant 6.000000e-01 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %c23_i32 = arith.constant 23 : i32
    %c127_i32 = arith.constant 127 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 0.49999994 : f32
    %cst_5 = arith.constant 0.166665167 : f32
    %cst_6 = arith.constant 0.0416681021 : f32
    %cst_7 = arith.constant 0.00836919155 : f32
    %cst_8 = arith.constant 0.00138388388 : f32
    %cst_9 = arith.constant 1.90465421E-9 : f32
    %cst_10 = arith.constant -0.693147182 : f32
    %c1262485504_i32 = arith.constant 1262485504 : i32
    %cst_11 = arith.constant 1.44269502 : f32
    %cst_12 = arith.constant 0x4B400000 : f32
    %cst_13 = arith.constant 8.900000e+01 : f32
    %cst_14 = arith.constant -1.040000e+02 : f32
    %cst_15 = arith.constant 1.000000e+01 : f32
    %cst_16 = arith.constant 0.000000e+00 : f32
    %cst_17 = arith.constant -3.333330e-01 : f32
    %cst_18 = arith.constant 0.133319363 : f32
    %cst_19 = arith.constant -0.0537847169 : f32
    %cst_20 = arith.constant 0.0207986254 : f32
    %cst_21 = arith.constant -0.00589796668 : f32
    %cst_22 = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x2xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?x2xf32>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<?x2xf32> into memref<?xf32>
    %collapse_shape_23 = memref.collapse_shape %alloc [[0, 1]] : memref<?x2xf32> into memref<?xf32>
    %dim_24 = memref.dim %collapse_shape, %c0 : memref<?xf32>
    %0 = arith.remui %dim_24, %c16 : index
    %1 = arith.subi %dim_24, %0 : index
    scf.for %arg3 = %c0 to %1 step %c16 {
      %63 = vector.load %collapse_shape[%arg3] : memref<?xf32>, vector<16xf32>
      %64 = arith.addf %63, %63 : vector<16xf32>
      vector.store %64, %collapse_shape_23[%arg3] : memref<?xf32>, vector<16xf32>
    }
    %2 = arith.cmpi ult, %1, %dim_24 : index
    scf.if %2 {
      %63 = arith.subi %dim_24, %1 : index
      %64 = vector.create_mask %63 : vector<16xi1>
      %65 = vector.maskedload %collapse_shape[%1], %64, %cst_22 : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %66 = arith.addf %65, %65 : vector<16xf32>
      vector.maskedstore %collapse_shape_23[%1], %64, %66 : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
    %3 = memref.load %arg1[] : memref<f8E4M3FN>
    %4 = arith.bitcast %3 : f8E4M3FN to i8
    %5 = arith.extui %4 : i8 to i16
    %6 = arith.andi %5, %c127_i16 : i16
    %7 = arith.andi %5, %c128_i16 : i16
    %8 = arith.shli %7, %c8_i16 : i16
    %9 = arith.shli %6, %c7_i16 : i16
    %10 = arith.ori %8, %9 : i16
    %11 = arith.bitcast %10 : i16 to f16
    %12 = arith.extf %11 : f16 to f32
    %13 = arith.mulf %12, %cst_0 : f32
    %14 = arith.cmpi eq, %6, %c127_i16 : i16
    %15 = arith.select %14, %cst, %13 : f32
    %16 = math.absf %15 : f32
    %17 = arith.mulf %15, %15 : f32
    %18 = math.fma %cst_21, %17, %cst_20 : f32
    %19 = math.fma %18, %17, %cst_19 : f32
    %20 = math.fma %19, %17, %cst_18 : f32
    %21 = math.fma %20, %17, %cst_17 : f32
    %22 = arith.mulf %17, %21 : f32
    %23 = math.fma %22, %15, %15 : f32
    %24 = arith.cmpf olt, %16, %cst_16 : f32
    %25 = arith.select %24, %cst_16, %16 : f32
    %26 = arith.cmpf olt, %cst_15, %25 : f32
    %27 = arith.select %26, %cst_15, %25 : f32
    %28 = arith.addf %27, %27 : f32
    %29 = arith.cmpf olt, %28, %cst_14 : f32
    %30 = arith.select %29, %cst_14, %28 : f32
    %31 = arith.cmpf olt, %cst_13, %30 : f32
    %32 = arith.select %31, %cst_13, %30 : f32
    %33 = math.fma %32, %cst_11, %cst_12 : f32
    %34 = arith.subf %33, %cst_12 : f32
    %35 = arith.bitcast %33 : f32 to i32
    %36 = arith.subi %35, %c1262485504_i32 : i32
    %37 = math.fma %34, %cst_10, %32 : f32
    %38 = math.fma %34, %cst_9, %37 : f32
    %39 = math.fma %cst_8, %38, %cst_7 : f32
    %40 = math.fma %39, %38, %cst_6 : f32
    %41 = math.fma %40, %38, %cst_5 : f32
    %42 = math.fma %41, %38, %cst_4 : f32
    %43 = math.fma %38, %42, %cst_3 : f32
    %44 = math.fma %38, %43, %cst_3 : f32
    %45 = arith.shrsi %36, %c1_i32 : i32
    %46 = arith.addi %45, %c127_i32 : i32
    %47 = arith.shli %46, %c23_i32 : i32
    %48 = arith.bitcast %47 : i32 to f32
    %49 = arith.mulf %44, %48 : f32
    %50 = arith.subi %36, %45 : i32
    %51 = arith.addi %50, %c127_i32 : i32
    %52 = arith.shli %51, %c23_i32 : i32
    %53 = arith.bitcast %52 : i32 to f32
    %54 = arith.mulf %49, %53 : f32
    %55 = arith.addf %54, %cst_3 : f32
    %56 = arith.divf %cst_2, %55 : f32
    %57 = arith.subf %cst_3, %56 : f32
    %58 = arith.cmpf olt, %16, %cst_1 : f32
    %59 = arith.cmpf oeq, %15, %cst_16 : f32
    %60 = arith.select %59, %15, %23 : f32
    %61 = math.copysign %57, %15 : f32
    %62 = arith.select %58, %60, %61 : f32
    %alloc_25 = memref.alloc() {alignment = 64 : i64} : memref<f32>
    memref.store %62, %alloc_25[] : memref<f32>
    return %alloc, %alloc_25, %arg2 : memref<?x2xf32>, memref<f32>, memref<3xi1>
  }
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(expand-strided-metadata, lower-affine, convert-scf-to-cf{allow-pattern-rollback=true}, forge-math-to-libm, forge-convert-to-llvm, reconcile-unrealized-casts)",
      disable_threading: false,
      verify_each: true
    }
  }
#-}
