module {
  func.func @main(%arg0: memref<2x3xf32>, %arg1: memref<2x3xf32>) -> memref<2x3xf32> {
    %cst = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x3xf32>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
    %collapse_shape_0 = memref.collapse_shape %arg1 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
    %collapse_shape_1 = memref.collapse_shape %alloc [[0, 1]] : memref<2x3xf32> into memref<6xf32>
    %0 = vector.create_mask %c6 : vector<16xi1>
    %1 = vector.maskedload %collapse_shape[%c0], %0, %cst : memref<6xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %2 = vector.maskedload %collapse_shape_0[%c0], %0, %cst : memref<6xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %3 = arith.addf %1, %2 : vector<16xf32>
    vector.maskedstore %collapse_shape_1[%c0], %0, %3 : memref<6xf32>, vector<16xi1>, vector<16xf32>
    return %alloc : memref<2x3xf32>
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
