module {
  memref.global "private" constant @__constant_7xi32_2 : memref<7xi32> = dense<[3, 1, 2, 3, 1, 2, 3]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x2xf32_1 : memref<3x2xf32> = dense<[[3.000000e+00, -1.000000e+00], [5.000000e-01, 7.000000e+00], [2.000000e+00, -4.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1xi32 : memref<1xi32> = dense<9> {alignment = 64 : i64}
  memref.global "private" constant @__constant_0xi32 : memref<0xi32> = dense<0> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x4xf32_0 : memref<2x4xf32> = dense<[[-0.000000e+00, 1.000000e+00, 0x7FC00000, 0.000000e+00], [2.000000e+00, 2.000000e+00, -1.000000e+00, 0xFF800000]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xi8 : memref<4xi8> = dense<[-56, 7, -1, 7]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_7xi32 : memref<7xi32> = dense<[3, 3, 3, 2, 2, 1, 1]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_7xi64 : memref<7xi64> = dense<[0, 3, 6, 2, 5, 1, 4]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x2xf32 : memref<3x2xf32> = dense<[[5.000000e-01, -4.000000e+00], [2.000000e+00, -1.000000e+00], [3.000000e+00, 7.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x4xi32 : memref<2x4xi32> = dense<[[2, 1, 3, 0], [0, 1, 2, 3]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x4xf32 : memref<2x4xf32> = dense<[[0x7FC00000, 1.000000e+00, 0.000000e+00, -0.000000e+00], [2.000000e+00, 2.000000e+00, -1.000000e+00, 0xFF800000]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xi8 : memref<2xi8> = dense<7> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xi32 : memref<2xi32> = dense<[1, 3]> {alignment = 64 : i64}
  func.func @main() {
    %c7 = arith.constant 7 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c31_i32 = arith.constant 31 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %c6 = arith.constant 6 : index
    %0 = memref.get_global @__constant_2xi32 : memref<2xi32>
    %1 = memref.get_global @__constant_2xi8 : memref<2xi8>
    %2 = memref.get_global @__constant_2x4xf32 : memref<2x4xf32>
    %3 = memref.get_global @__constant_2x4xi32 : memref<2x4xi32>
    %4 = memref.get_global @__constant_3x2xf32 : memref<3x2xf32>
    %5 = memref.get_global @__constant_7xi64 : memref<7xi64>
    %6 = memref.get_global @__constant_7xi32 : memref<7xi32>
    %7 = memref.get_global @__constant_4xi8 : memref<4xi8>
    %8 = memref.get_global @__constant_2x4xf32_0 : memref<2x4xf32>
    %9 = memref.get_global @__constant_0xi32 : memref<0xi32>
    %10 = memref.get_global @__constant_1xi32 : memref<1xi32>
    %11 = memref.get_global @__constant_3x2xf32_1 : memref<3x2xf32>
    %12 = memref.get_global @__constant_7xi32_2 : memref<7xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<7xi64>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<7xi64>
    %13 = vector.create_mask %c7 : vector<8xi1>
    %14 = vector.step : vector<8xindex>
    %15 = arith.index_cast %14 : vector<8xindex> to vector<8xi64>
    vector.maskedstore %alloc_0[%c0], %13, %15 : memref<7xi64>, vector<8xi1>, vector<8xi64>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<7xi32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<7xi32>
    memref.copy %12, %alloc_2 : memref<7xi32> to memref<7xi32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %19 = arith.addi %arg0, %arg0 : index
      %20 = arith.shli %c1, %19 : index
      %21 = arith.addi %20, %20 : index
      %22 = arith.addi %21, %c6 : index
      %23 = arith.divui %22, %21 : index
      scf.for %arg1 = %c0 to %23 step %c1 {
        %27 = arith.muli %arg1, %21 : index
        %28 = arith.addi %27, %20 : index
        %29 = arith.minsi %28, %c7 : index
        %30 = arith.addi %27, %21 : index
        %31 = arith.minsi %30, %c7 : index
        %32 = arith.subi %29, %c1 : index
        %33 = arith.subi %31, %c1 : index
        %34:2 = scf.for %arg2 = %27 to %31 step %c1 iter_args(%arg3 = %27, %arg4 = %29) -> (index, index) {
          %35 = arith.minsi %arg3, %32 : index
          %36 = arith.minsi %arg4, %33 : index
          %37 = memref.load %alloc_2[%35] : memref<7xi32>
          %38 = memref.load %alloc_2[%36] : memref<7xi32>
          %39 = memref.load %alloc_0[%35] : memref<7xi64>
          %40 = memref.load %alloc_0[%36] : memref<7xi64>
          %41 = arith.cmpi sge, %arg3, %29 : index
          %42 = arith.cmpi slt, %arg4, %31 : index
          %43 = arith.cmpi sgt, %38, %37 : i32
          %44 = arith.andi %42, %43 : i1
          %45 = arith.ori %41, %44 : i1
          %46 = arith.addi %arg3, %c1 : index
          %47 = arith.select %45, %arg3, %46 : index
          %48 = arith.addi %arg4, %c1 : index
          %49 = arith.select %45, %48, %arg4 : index
          %50 = arith.select %45, %38, %37 : i32
          memref.store %50, %alloc_1[%arg2] : memref<7xi32>
          %51 = arith.select %45, %40, %39 : i64
          memref.store %51, %alloc[%arg2] : memref<7xi64>
          scf.yield %47, %49 : index, index
        }
      }
      %24 = arith.addi %21, %21 : index
      %25 = arith.addi %24, %c6 : index
      %26 = arith.divui %25, %24 : index
      scf.for %arg1 = %c0 to %26 step %c1 {
        %27 = arith.muli %arg1, %24 : index
        %28 = arith.addi %27, %21 : index
        %29 = arith.minsi %28, %c7 : index
        %30 = arith.addi %27, %24 : index
        %31 = arith.minsi %30, %c7 : index
        %32 = arith.subi %29, %c1 : index
        %33 = arith.subi %31, %c1 : index
        %34:2 = scf.for %arg2 = %27 to %31 step %c1 iter_args(%arg3 = %27, %arg4 = %29) -> (index, index) {
          %35 = arith.minsi %arg3, %32 : index
          %36 = arith.minsi %arg4, %33 : index
          %37 = memref.load %alloc_1[%35] : memref<7xi32>
          %38 = memref.load %alloc_1[%36] : memref<7xi32>
          %39 = memref.load %alloc[%35] : memref<7xi64>
          %40 = memref.load %alloc[%36] : memref<7xi64>
          %41 = arith.cmpi sge, %arg3, %29 : index
          %42 = arith.cmpi slt, %arg4, %31 : index
          %43 = arith.cmpi sgt, %38, %37 : i32
          %44 = arith.andi %42, %43 : i1
          %45 = arith.ori %41, %44 : i1
          %46 = arith.addi %arg3, %c1 : index
          %47 = arith.select %45, %arg3, %46 : index
          %48 = arith.addi %arg4, %c1 : index
          %49 = arith.select %45, %48, %arg4 : index
          %50 = arith.select %45, %38, %37 : i32
          memref.store %50, %alloc_2[%arg2] : memref<7xi32>
          %51 = arith.select %45, %40, %39 : i64
          memref.store %51, %alloc_0[%arg2] : memref<7xi64>
          scf.yield %47, %49 : index, index
        }
      }
    }
    %cast = memref.cast %alloc_2 : memref<7xi32> to memref<*xi32>
    %cast_3 = memref.cast %6 : memref<7xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast, %cast_3) : (memref<*xi32>, memref<*xi32>) -> ()
    %cast_4 = memref.cast %alloc_0 : memref<7xi64> to memref<*xi64>
    %cast_5 = memref.cast %5 : memref<7xi64> to memref<*xi64>
    call @forge_rt_expect_eq_i64(%cast_4, %cast_5) : (memref<*xi64>, memref<*xi64>) -> ()
    %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
    %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<3x2xf32>
    memref.copy %11, %alloc_7 : memref<3x2xf32> to memref<3x2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %20 = arith.muli %arg1, %c2 : index
        %21 = arith.addi %20, %c1 : index
        %22 = arith.minsi %21, %c3 : index
        %23 = arith.addi %20, %c2 : index
        %24 = arith.minsi %23, %c3 : index
        %25 = arith.subi %22, %c1 : index
        %26 = arith.subi %24, %c1 : index
        %27:2 = scf.for %arg2 = %20 to %24 step %c1 iter_args(%arg3 = %20, %arg4 = %22) -> (index, index) {
          %28 = arith.minsi %arg3, %25 : index
          %29 = arith.minsi %arg4, %26 : index
          %30 = memref.load %alloc_7[%28, %arg0] : memref<3x2xf32>
          %31 = memref.load %alloc_7[%29, %arg0] : memref<3x2xf32>
          %32 = arith.cmpi sge, %arg3, %22 : index
          %33 = arith.cmpi slt, %arg4, %24 : index
          %34 = arith.cmpf olt, %31, %30 : f32
          %35 = arith.andi %33, %34 : i1
          %36 = arith.ori %32, %35 : i1
          %37 = arith.addi %arg3, %c1 : index
          %38 = arith.select %36, %arg3, %37 : index
          %39 = arith.addi %arg4, %c1 : index
          %40 = arith.select %36, %39, %arg4 : index
          %41 = arith.select %36, %31, %30 : f32
          memref.store %41, %alloc_6[%arg2] : memref<3xf32>
          scf.yield %38, %40 : index, index
        }
      }
      %19:2 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%arg2 = %c0, %arg3 = %c2) -> (index, index) {
        %20 = arith.minsi %arg2, %c1 : index
        %21 = arith.minsi %arg3, %c2 : index
        %22 = memref.load %alloc_6[%20] : memref<3xf32>
        %23 = memref.load %alloc_6[%21] : memref<3xf32>
        %24 = arith.cmpi sge, %arg2, %c2 : index
        %25 = arith.cmpi slt, %arg3, %c3 : index
        %26 = arith.cmpf olt, %23, %22 : f32
        %27 = arith.andi %25, %26 : i1
        %28 = arith.ori %24, %27 : i1
        %29 = arith.addi %arg2, %c1 : index
        %30 = arith.select %28, %arg2, %29 : index
        %31 = arith.addi %arg3, %c1 : index
        %32 = arith.select %28, %31, %arg3 : index
        %33 = arith.select %28, %23, %22 : f32
        memref.store %33, %alloc_7[%arg1, %arg0] : memref<3x2xf32>
        scf.yield %30, %32 : index, index
      }
    }
    %cast_8 = memref.cast %alloc_7 : memref<3x2xf32> to memref<*xf32>
    %cast_9 = memref.cast %4 : memref<3x2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_8, %cast_9) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_10 = memref.cast %10 : memref<1xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_10, %cast_10) : (memref<*xi32>, memref<*xi32>) -> ()
    %cast_11 = memref.cast %9 : memref<0xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_11, %cast_11) : (memref<*xi32>, memref<*xi32>) -> ()
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<2x4xi32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %19 = vector.create_mask %c4 : vector<8xi1>
      %20 = arith.index_cast %14 : vector<8xindex> to vector<8xi32>
      vector.maskedstore %alloc_12[%arg0, %c0], %19, %20 : memref<2x4xi32>, vector<8xi1>, vector<8xi32>
    }
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    %alloc_14 = memref.alloc() {alignment = 64 : i64} : memref<4xi32>
    %alloc_15 = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
    memref.copy %8, %alloc_15 : memref<2x4xf32> to memref<2x4xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %20 = arith.muli %arg1, %c2 : index
        %21 = arith.addi %20, %c1 : index
        %22 = arith.minsi %21, %c4 : index
        %23 = arith.addi %20, %c2 : index
        %24 = arith.minsi %23, %c4 : index
        %25 = arith.subi %22, %c1 : index
        %26 = arith.subi %24, %c1 : index
        %27:2 = scf.for %arg2 = %20 to %24 step %c1 iter_args(%arg3 = %20, %arg4 = %22) -> (index, index) {
          %28 = arith.minsi %arg3, %25 : index
          %29 = arith.minsi %arg4, %26 : index
          %30 = memref.load %alloc_15[%arg0, %28] : memref<2x4xf32>
          %31 = memref.load %alloc_15[%arg0, %29] : memref<2x4xf32>
          %32 = memref.load %alloc_12[%arg0, %28] : memref<2x4xi32>
          %33 = memref.load %alloc_12[%arg0, %29] : memref<2x4xi32>
          %34 = arith.cmpi sge, %arg3, %22 : index
          %35 = arith.cmpi slt, %arg4, %24 : index
          %36 = arith.bitcast %31 : f32 to i32
          %37 = arith.shrsi %36, %c31_i32 : i32
          %38 = arith.andi %37, %c2147483647_i32 : i32
          %39 = arith.xori %36, %38 : i32
          %40 = arith.bitcast %30 : f32 to i32
          %41 = arith.shrsi %40, %c31_i32 : i32
          %42 = arith.andi %41, %c2147483647_i32 : i32
          %43 = arith.xori %40, %42 : i32
          %44 = arith.cmpi sgt, %39, %43 : i32
          %45 = arith.andi %35, %44 : i1
          %46 = arith.ori %34, %45 : i1
          %47 = arith.addi %arg3, %c1 : index
          %48 = arith.select %46, %arg3, %47 : index
          %49 = arith.addi %arg4, %c1 : index
          %50 = arith.select %46, %49, %arg4 : index
          %51 = arith.select %46, %31, %30 : f32
          memref.store %51, %alloc_13[%arg2] : memref<4xf32>
          %52 = arith.select %46, %33, %32 : i32
          memref.store %52, %alloc_14[%arg2] : memref<4xi32>
          scf.yield %48, %50 : index, index
        }
      }
      %19:2 = scf.for %arg1 = %c0 to %c4 step %c1 iter_args(%arg2 = %c0, %arg3 = %c2) -> (index, index) {
        %20 = arith.minsi %arg2, %c1 : index
        %21 = arith.minsi %arg3, %c3 : index
        %22 = memref.load %alloc_13[%20] : memref<4xf32>
        %23 = memref.load %alloc_13[%21] : memref<4xf32>
        %24 = memref.load %alloc_14[%20] : memref<4xi32>
        %25 = memref.load %alloc_14[%21] : memref<4xi32>
        %26 = arith.cmpi sge, %arg2, %c2 : index
        %27 = arith.cmpi slt, %arg3, %c4 : index
        %28 = arith.bitcast %23 : f32 to i32
        %29 = arith.shrsi %28, %c31_i32 : i32
        %30 = arith.andi %29, %c2147483647_i32 : i32
        %31 = arith.xori %28, %30 : i32
        %32 = arith.bitcast %22 : f32 to i32
        %33 = arith.shrsi %32, %c31_i32 : i32
        %34 = arith.andi %33, %c2147483647_i32 : i32
        %35 = arith.xori %32, %34 : i32
        %36 = arith.cmpi sgt, %31, %35 : i32
        %37 = arith.andi %27, %36 : i1
        %38 = arith.ori %26, %37 : i1
        %39 = arith.addi %arg2, %c1 : index
        %40 = arith.select %38, %arg2, %39 : index
        %41 = arith.addi %arg3, %c1 : index
        %42 = arith.select %38, %41, %arg3 : index
        %43 = arith.select %38, %23, %22 : f32
        memref.store %43, %alloc_15[%arg0, %arg1] : memref<2x4xf32>
        %44 = arith.select %38, %25, %24 : i32
        memref.store %44, %alloc_12[%arg0, %arg1] : memref<2x4xi32>
        scf.yield %40, %42 : index, index
      }
    }
    %cast_16 = memref.cast %alloc_12 : memref<2x4xi32> to memref<*xi32>
    %cast_17 = memref.cast %3 : memref<2x4xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_16, %cast_17) : (memref<*xi32>, memref<*xi32>) -> ()
    %cast_18 = memref.cast %alloc_15 : memref<2x4xf32> to memref<*xf32>
    %cast_19 = memref.cast %2 : memref<2x4xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_18, %cast_19) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_20 = memref.alloc() {alignment = 64 : i64} : memref<4xi32>
    %16 = vector.create_mask %c4 : vector<8xi1>
    %17 = arith.index_cast %14 : vector<8xindex> to vector<8xi32>
    vector.maskedstore %alloc_20[%c0], %16, %17 : memref<4xi32>, vector<8xi1>, vector<8xi32>
    %alloc_21 = memref.alloc() {alignment = 64 : i64} : memref<4xi8>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %19 = arith.muli %arg0, %c2 : index
      %20 = arith.addi %19, %c1 : index
      %21 = arith.minsi %20, %c4 : index
      %22 = arith.addi %19, %c2 : index
      %23 = arith.minsi %22, %c4 : index
      %24 = arith.subi %21, %c1 : index
      %25 = arith.subi %23, %c1 : index
      %26:2 = scf.for %arg1 = %19 to %23 step %c1 iter_args(%arg2 = %19, %arg3 = %21) -> (index, index) {
        %27 = arith.minsi %arg2, %24 : index
        %28 = arith.minsi %arg3, %25 : index
        %29 = memref.load %7[%27] : memref<4xi8>
        %30 = memref.load %7[%28] : memref<4xi8>
        %31 = memref.load %alloc_20[%27] : memref<4xi32>
        %32 = memref.load %alloc_20[%28] : memref<4xi32>
        %33 = arith.cmpi sge, %arg2, %21 : index
        %34 = arith.cmpi slt, %arg3, %23 : index
        %35 = arith.cmpi ugt, %29, %30 : i8
        %36 = arith.andi %34, %35 : i1
        %37 = arith.ori %33, %36 : i1
        %38 = arith.addi %arg2, %c1 : index
        %39 = arith.select %37, %arg2, %38 : index
        %40 = arith.addi %arg3, %c1 : index
        %41 = arith.select %37, %40, %arg3 : index
        %42 = arith.select %37, %30, %29 : i8
        memref.store %42, %alloc_21[%arg1] : memref<4xi8>
        %43 = arith.select %37, %32, %31 : i32
        memref.store %43, %alloc_14[%arg1] : memref<4xi32>
        scf.yield %39, %41 : index, index
      }
    }
    %alloc_22 = memref.alloc() {alignment = 64 : i64} : memref<4xi8>
    memref.copy %7, %alloc_22 : memref<4xi8> to memref<4xi8>
    %18:2 = scf.for %arg0 = %c0 to %c4 step %c1 iter_args(%arg1 = %c0, %arg2 = %c2) -> (index, index) {
      %19 = arith.minsi %arg1, %c1 : index
      %20 = arith.minsi %arg2, %c3 : index
      %21 = memref.load %alloc_21[%19] : memref<4xi8>
      %22 = memref.load %alloc_21[%20] : memref<4xi8>
      %23 = memref.load %alloc_14[%19] : memref<4xi32>
      %24 = memref.load %alloc_14[%20] : memref<4xi32>
      %25 = arith.cmpi sge, %arg1, %c2 : index
      %26 = arith.cmpi slt, %arg2, %c4 : index
      %27 = arith.cmpi ugt, %21, %22 : i8
      %28 = arith.andi %26, %27 : i1
      %29 = arith.ori %25, %28 : i1
      %30 = arith.addi %arg1, %c1 : index
      %31 = arith.select %29, %arg1, %30 : index
      %32 = arith.addi %arg2, %c1 : index
      %33 = arith.select %29, %32, %arg2 : index
      %34 = arith.select %29, %22, %21 : i8
      memref.store %34, %alloc_22[%arg0] : memref<4xi8>
      %35 = arith.select %29, %24, %23 : i32
      memref.store %35, %alloc_20[%arg0] : memref<4xi32>
      scf.yield %31, %33 : index, index
    }
    %subview = memref.subview %alloc_22[0] [2] [1] : memref<4xi8> to memref<2xi8, strided<[1]>>
    %subview_23 = memref.subview %alloc_20[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
    %cast_24 = memref.cast %subview : memref<2xi8, strided<[1]>> to memref<*xi8>
    %cast_25 = memref.cast %1 : memref<2xi8> to memref<*xi8>
    call @forge_rt_expect_eq_ui8(%cast_24, %cast_25) : (memref<*xi8>, memref<*xi8>) -> ()
    %cast_26 = memref.cast %subview_23 : memref<2xi32, strided<[1]>> to memref<*xi32>
    %cast_27 = memref.cast %0 : memref<2xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_26, %cast_27) : (memref<*xi32>, memref<*xi32>) -> ()
    return
  }
  func.func private @forge_rt_expect_eq_i32(memref<*xi32> {bufferization.access = "read"}, memref<*xi32> {bufferization.access = "read"})
  func.func private @forge_rt_expect_eq_i64(memref<*xi64> {bufferization.access = "read"}, memref<*xi64> {bufferization.access = "read"})
  func.func private @forge_rt_expect_eq_f32(memref<*xf32> {bufferization.access = "read"}, memref<*xf32> {bufferization.access = "read"})
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
