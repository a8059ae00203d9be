module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  memref.global "private" constant @__constant_5x7xi8_0 : memref<5x7xi8> = dense<[[0, 0, 0, 0, 0, 1, 0], [1, 0, 1, 0, 1, 3, 0], [2, 2, 1, 1, 2, 4, 0], [2, 4, 2, 2, 3, 4, 0], [5, 4, 4, 2, 5, 5, 3]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_5x7xi8 : memref<5x7xi8> = dense<[[5, 4, 2, 2, 3, 3, 0], [2, 2, 0, 1, 1, 4, 0], [0, 0, 1, 0, 2, 4, 3], [2, 0, 1, 2, 0, 5, 0], [1, 4, 4, 0, 5, 1, 0]]> {alignment = 64 : i64}
  func.func @main() -> (memref<5x7xi8> {jax.result_info = "[0]"}) {
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @__constant_5x7xi8 : memref<5x7xi8>
    %1 = memref.get_global @__constant_5x7xi8_0 : memref<5x7xi8>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xi8>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<5x7xi8>
    memref.copy %0, %alloc_0 : memref<5x7xi8> to memref<5x7xi8>
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
            %18 = memref.load %alloc_0[%16, %arg0] : memref<5x7xi8>
            %19 = memref.load %alloc_0[%17, %arg0] : memref<5x7xi8>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.cmpi ult, %19, %18 : i8
            %23 = arith.andi %21, %22 : i1
            %24 = arith.ori %20, %23 : i1
            %25 = arith.addi %arg4, %c1 : index
            %26 = arith.select %24, %arg4, %25 : index
            %27 = arith.addi %arg5, %c1 : index
            %28 = arith.select %24, %27, %arg5 : index
            %29 = arith.select %24, %19, %18 : i8
            memref.store %29, %alloc[%arg3] : memref<5xi8>
            scf.yield %26, %28 : index, index
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
            %18 = memref.load %alloc[%16] : memref<5xi8>
            %19 = memref.load %alloc[%17] : memref<5xi8>
            %20 = arith.cmpi sge, %arg4, %10 : index
            %21 = arith.cmpi slt, %arg5, %12 : index
            %22 = arith.cmpi ult, %19, %18 : i8
            %23 = arith.andi %21, %22 : i1
            %24 = arith.ori %20, %23 : i1
            %25 = arith.addi %arg4, %c1 : index
            %26 = arith.select %24, %arg4, %25 : index
            %27 = arith.addi %arg5, %c1 : index
            %28 = arith.select %24, %27, %arg5 : index
            %29 = arith.select %24, %19, %18 : i8
            memref.store %29, %alloc_0[%arg3, %arg0] : memref<5x7xi8>
            scf.yield %26, %28 : index, index
          }
        }
      }
    }
    %cast = memref.cast %alloc_0 : memref<5x7xi8> to memref<*xi8>
    %cast_1 = memref.cast %1 : memref<5x7xi8> to memref<*xi8>
    call @forge_rt_expect_eq_ui8(%cast, %cast_1) : (memref<*xi8>, memref<*xi8>) -> ()
    return %alloc_0 : memref<5x7xi8>
  }
  func.func private @forge_rt_expect_eq_ui8(memref<*xi8> {bufferization.access = "read"}, memref<*xi8> {bufferization.access = "read"})
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
