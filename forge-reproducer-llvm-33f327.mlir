module {
  func.func private @assert_0(i1, i64) attributes {forge.assert_message = "expected at most 3, but got {0}"}
  func.func @main(%arg0: memref<i64>) -> memref<?xf32> {
    %cst = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %c3_i64 = arith.constant 3 : i64
    %0 = memref.load %arg0[] : memref<i64>
    %1 = arith.cmpi sle, %0, %c3_i64 : i64
    call @assert_0(%1, %0) : (i1, i64) -> ()
    %2 = arith.cmpi ne, %0, %c3_i64 : i64
    cf.assert %2, "three is not allowed"
    %3 = arith.index_cast %0 : i64 to index
    %alloc = memref.alloc(%3) {alignment = 64 : i64} : memref<?xf32>
    %4 = arith.remui %3, %c16 : index
    %5 = arith.subi %3, %4 : index
    scf.for %arg1 = %c0 to %5 step %c16 {
      vector.store %cst, %alloc[%arg1] : memref<?xf32>, vector<16xf32>
    }
    %6 = arith.cmpi ult, %5, %3 : index
    scf.if %6 {
      %7 = arith.subi %3, %5 : index
      %8 = vector.create_mask %7 : vector<16xi1>
      vector.maskedstore %alloc[%5], %8, %cst : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
    return %alloc : memref<?xf32>
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
