module {
  memref.global "private" constant @__constant_3x3xf64_13 : memref<3x3xf64> = dense<[[4.000000e+00, 9.900000e+01, 9.900000e+01], [2.000000e+00, 1.000000e+01, 9.900000e+01], [8.000000e+00, 1.900000e+01, 7.700000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x3xf32 : memref<3x3xf32> = dense<[[2.000000e+00, 9.900000e+01, 9.900000e+01], [1.000000e+00, 3.000000e+00, 9.900000e+01], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x1xf32_12 : memref<3x1xf32> = dense<[[2.000000e+00], [7.000000e+00], [3.200000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x1xf32_11 : memref<3x1xf32> = dense<[[1.600000e+01], [2.100000e+01], [1.800000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x1xf32_10 : memref<3x1xf32> = dense<[[1.000000e+00], [3.000000e+00], [1.700000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x2xf32_9 : memref<2x2xf32> = dense<[[1.000000e+00, 1.000000e+00], [3.000000e+00, 9.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32_8 : memref<2xf32> = dense<[2.000000e+00, 1.000000e+01]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32_7 : memref<2xf32> = dense<[5.000000e-01, 1.000000e+02]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x2xf32_6 : memref<2x2xf32> = dense<[[1.000000e+00, 4.000000e+00], [3.000000e+00, 8.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x3xf32_5 : memref<1x3xf32> = dense<[[1.600000e+01, 2.100000e+01, 1.800000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x3xf64_4 : memref<3x3xf64> = dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 3.000000e+00, 0.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x3xf64 : memref<3x3xf64> = dense<[[2.000000e+00, 1.000000e+00, 4.000000e+00], [0.000000e+00, 3.000000e+00, 5.000000e+00], [0.000000e+00, 0.000000e+00, 6.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_3x1xf32 : memref<3x1xf32> = dense<[[1.000000e+00], [2.000000e+00], [3.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x3xf32 : memref<1x3xf32> = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x2xf32_3 : memref<2x2xf32> = dense<0.000000e+00> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x2xf32 : memref<2x2xf32> = dense<[[-1.500000e+00, 9.000000e+01], [2.500000e+00, 1.100000e+02]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32_2 : memref<2xf32> = dense<[2.000000e+00, 5.000000e+00]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32_1 : memref<2xf32> = dense<[1.000000e+00, 1.600000e+01]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[2.000000e+00, 4.000000e+00]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[4.000000e+00, 1.200000e+01]> {alignment = 64 : i64}
  func.func @main() {
    %cst = arith.constant dense<2.000000e+00> : vector<16xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : vector<8xf64>
    %cst_1 = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
    %1 = memref.get_global @__constant_2xf32_0 : memref<2xf32>
    %2 = memref.get_global @__constant_2xf32_1 : memref<2xf32>
    %3 = memref.get_global @__constant_2xf32_2 : memref<2xf32>
    %4 = memref.get_global @__constant_2x2xf32 : memref<2x2xf32>
    %5 = memref.get_global @__constant_2x2xf32_3 : memref<2x2xf32>
    %6 = memref.get_global @__constant_1x3xf32 : memref<1x3xf32>
    %7 = memref.get_global @__constant_3x1xf32 : memref<3x1xf32>
    %8 = memref.get_global @__constant_3x3xf64 : memref<3x3xf64>
    %9 = memref.get_global @__constant_3x3xf64_4 : memref<3x3xf64>
    %10 = memref.get_global @__constant_1x3xf32_5 : memref<1x3xf32>
    %11 = memref.get_global @__constant_2x2xf32_6 : memref<2x2xf32>
    %12 = memref.get_global @__constant_2xf32_7 : memref<2xf32>
    %13 = memref.get_global @__constant_2xf32_8 : memref<2xf32>
    %14 = memref.get_global @__constant_2x2xf32_9 : memref<2x2xf32>
    %15 = memref.get_global @__constant_3x1xf32_10 : memref<3x1xf32>
    %16 = memref.get_global @__constant_3x1xf32_11 : memref<3x1xf32>
    %17 = memref.get_global @__constant_3x1xf32_12 : memref<3x1xf32>
    %18 = memref.get_global @__constant_3x3xf32 : memref<3x3xf32>
    %19 = memref.get_global @__constant_3x3xf64_13 : memref<3x3xf64>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<3x3xf64>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<3x3xf64>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = vector.create_mask %c3 : vector<8xi1>
      vector.maskedstore %alloc_2[%arg0, %c0], %25, %cst_0 : memref<3x3xf64>, vector<8xi1>, vector<8xf64>
    }
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<3x3xf64>
    memref.copy %alloc_2, %alloc_3 : memref<3x3xf64> to memref<3x3xf64>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %arg0 to %c3 step %c1 {
        %25 = memref.load %19[%arg1, %arg0] : memref<3x3xf64>
        %26 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %25) -> (f64) {
          %32 = memref.load %alloc_3[%arg1, %arg2] : memref<3x3xf64>
          %33 = memref.load %alloc_3[%arg0, %arg2] : memref<3x3xf64>
          %34 = arith.mulf %32, %33 : f64
          %35 = arith.subf %arg3, %34 : f64
          scf.yield %35 : f64
        }
        %27 = arith.cmpi eq, %arg1, %arg0 : index
        %28 = math.sqrt %26 : f64
        %29 = memref.load %alloc_3[%arg0, %arg0] : memref<3x3xf64>
        %30 = arith.divf %26, %29 : f64
        %31 = arith.select %27, %28, %30 : f64
        memref.store %31, %alloc_3[%arg1, %arg0] : memref<3x3xf64>
      }
    }
    %cast = memref.cast %alloc_3 : memref<3x3xf64> to memref<*xf64>
    %cast_4 = memref.cast %9 : memref<3x3xf64> to memref<*xf64>
    call @forge_rt_expect_eq_f64(%cast, %cast_4) : (memref<*xf64>, memref<*xf64>) -> ()
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = vector.create_mask %c3 : vector<8xi1>
      %26 = memref.load %19[%c0, %arg0] : memref<3x3xf64>
      %27 = memref.load %19[%c1, %arg0] : memref<3x3xf64>
      %28 = memref.load %19[%c2, %arg0] : memref<3x3xf64>
      %29 = vector.from_elements %26, %27, %28, %28, %28, %28, %28, %28 : vector<8xf64>
      vector.maskedstore %alloc[%arg0, %c0], %25, %29 : memref<3x3xf64>, vector<8xi1>, vector<8xf64>
    }
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %arg0 to %c3 step %c1 {
        %25 = memref.load %alloc[%arg0, %arg1] : memref<3x3xf64>
        %26 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %25) -> (f64) {
          %32 = memref.load %alloc_2[%arg2, %arg1] : memref<3x3xf64>
          %33 = memref.load %alloc_2[%arg2, %arg0] : memref<3x3xf64>
          %34 = arith.mulf %32, %33 : f64
          %35 = arith.subf %arg3, %34 : f64
          scf.yield %35 : f64
        }
        %27 = arith.cmpi eq, %arg1, %arg0 : index
        %28 = math.sqrt %26 : f64
        %29 = memref.load %alloc_2[%arg0, %arg0] : memref<3x3xf64>
        %30 = arith.divf %26, %29 : f64
        %31 = arith.select %27, %28, %30 : f64
        memref.store %31, %alloc_2[%arg0, %arg1] : memref<3x3xf64>
      }
    }
    %cast_5 = memref.cast %alloc_2 : memref<3x3xf64> to memref<*xf64>
    %cast_6 = memref.cast %8 : memref<3x3xf64> to memref<*xf64>
    call @forge_rt_expect_eq_f64(%cast_5, %cast_6) : (memref<*xf64>, memref<*xf64>) -> ()
    %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<3x1xf32>
    memref.copy %17, %alloc_7 : memref<3x1xf32> to memref<3x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = memref.load %alloc_7[%arg0, %c0] : memref<3x1xf32>
      %26 = scf.for %arg1 = %c0 to %arg0 step %c1 iter_args(%arg2 = %25) -> (f32) {
        %29 = memref.load %18[%arg0, %arg1] : memref<3x3xf32>
        %30 = memref.load %alloc_7[%arg1, %c0] : memref<3x1xf32>
        %31 = arith.mulf %29, %30 : f32
        %32 = arith.subf %arg2, %31 : f32
        scf.yield %32 : f32
      }
      %27 = memref.load %18[%arg0, %arg0] : memref<3x3xf32>
      %28 = arith.divf %26, %27 : f32
      memref.store %28, %alloc_7[%arg0, %c0] : memref<3x1xf32>
    }
    %cast_8 = memref.cast %alloc_7 : memref<3x1xf32> to memref<*xf32>
    %cast_9 = memref.cast %7 : memref<3x1xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_8, %cast_9) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_10 = memref.alloc() {alignment = 64 : i64} : memref<3x1xf32>
    memref.copy %16, %alloc_10 : memref<3x1xf32> to memref<3x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = arith.subi %c2, %arg0 : index
      %26 = memref.load %alloc_10[%25, %c0] : memref<3x1xf32>
      %27 = arith.subi %c3, %arg0 : index
      %28 = scf.for %arg1 = %27 to %c3 step %c1 iter_args(%arg2 = %26) -> (f32) {
        %31 = memref.load %18[%arg1, %25] : memref<3x3xf32>
        %32 = memref.load %alloc_10[%arg1, %c0] : memref<3x1xf32>
        %33 = arith.mulf %31, %32 : f32
        %34 = arith.subf %arg2, %33 : f32
        scf.yield %34 : f32
      }
      %29 = memref.load %18[%25, %25] : memref<3x3xf32>
      %30 = arith.divf %28, %29 : f32
      memref.store %30, %alloc_10[%25, %c0] : memref<3x1xf32>
    }
    %cast_11 = memref.cast %alloc_10 : memref<3x1xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_11, %cast_9) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<1x3xf32>
    memref.copy %10, %alloc_12 : memref<1x3xf32> to memref<1x3xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = arith.subi %c2, %arg0 : index
      %26 = memref.load %alloc_12[%c0, %25] : memref<1x3xf32>
      %27 = arith.subi %c3, %arg0 : index
      %28 = scf.for %arg1 = %27 to %c3 step %c1 iter_args(%arg2 = %26) -> (f32) {
        %31 = memref.load %18[%arg1, %25] : memref<3x3xf32>
        %32 = memref.load %alloc_12[%c0, %arg1] : memref<1x3xf32>
        %33 = arith.mulf %31, %32 : f32
        %34 = arith.subf %arg2, %33 : f32
        scf.yield %34 : f32
      }
      %29 = memref.load %18[%25, %25] : memref<3x3xf32>
      %30 = arith.divf %28, %29 : f32
      memref.store %30, %alloc_12[%c0, %25] : memref<1x3xf32>
    }
    %cast_13 = memref.cast %alloc_12 : memref<1x3xf32> to memref<*xf32>
    %cast_14 = memref.cast %6 : memref<1x3xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_13, %cast_14) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_15 = memref.alloc() {alignment = 64 : i64} : memref<3x1xf32>
    memref.copy %15, %alloc_15 : memref<3x1xf32> to memref<3x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = memref.load %alloc_15[%arg0, %c0] : memref<3x1xf32>
      %26 = scf.for %arg1 = %c0 to %arg0 step %c1 iter_args(%arg2 = %25) -> (f32) {
        %27 = memref.load %18[%arg0, %arg1] : memref<3x3xf32>
        %28 = memref.load %alloc_15[%arg1, %c0] : memref<3x1xf32>
        %29 = arith.mulf %27, %28 : f32
        %30 = arith.subf %arg2, %29 : f32
        scf.yield %30 : f32
      }
      memref.store %26, %alloc_15[%arg0, %c0] : memref<3x1xf32>
    }
    %cast_16 = memref.cast %alloc_15 : memref<3x1xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_16, %cast_9) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_17 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    %20 = vector.create_mask %c2 : vector<16xi1>
    vector.maskedstore %alloc_18[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    %alloc_19 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    memref.copy %alloc_18, %alloc_19 : memref<2xf32> to memref<2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %14[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %alloc_19[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = arith.addf %26, %25 fastmath<reassoc> : vector<16xf32>
      vector.maskedstore %alloc_19[%c0], %20, %27 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    }
    %alloc_20 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    %21 = vector.maskedload %alloc_19[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %22 = arith.divf %21, %cst : vector<16xf32>
    vector.maskedstore %alloc_20[%c0], %20, %22 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    %alloc_21 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
    %alloc_22 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    memref.copy %alloc_18, %alloc_22 : memref<2xf32> to memref<2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %14[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %alloc_20[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = vector.maskedload %alloc_22[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %28 = arith.subf %25, %26 : vector<16xf32>
      %29 = arith.mulf %28, %28 : vector<16xf32>
      %30 = arith.addf %27, %29 fastmath<reassoc> : vector<16xf32>
      vector.maskedstore %alloc_22[%c0], %20, %30 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    }
    %23 = vector.maskedload %alloc_22[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %24 = arith.divf %23, %cst : vector<16xf32>
    vector.maskedstore %alloc_17[%c0], %20, %24 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    %alloc_23 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %alloc_17[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = arith.addf %25, %cst_1 : vector<16xf32>
      %27 = math.sqrt %26 : vector<16xf32>
      vector.maskedstore %alloc_23[%arg0, %c0], %20, %27 : memref<2x2xf32>, vector<16xi1>, vector<16xf32>
    }
    %alloc_24 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %14[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %alloc_20[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = vector.maskedload %alloc_23[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %28 = arith.subf %25, %26 : vector<16xf32>
      %29 = arith.divf %28, %27 : vector<16xf32>
      vector.maskedstore %alloc_24[%arg0, %c0], %20, %29 : memref<2x2xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %13[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %alloc_24[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = vector.maskedload %12[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %28 = arith.mulf %25, %26 : vector<16xf32>
      %29 = arith.addf %28, %27 : vector<16xf32>
      vector.maskedstore %alloc_21[%arg0, %c0], %20, %29 : memref<2x2xf32>, vector<16xi1>, vector<16xf32>
    }
    %cast_25 = memref.cast %alloc_21 : memref<2x2xf32> to memref<*xf32>
    %cast_26 = memref.cast %4 : memref<2x2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_25, %cast_26) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_27 = memref.cast %alloc_20 : memref<2xf32> to memref<*xf32>
    %cast_28 = memref.cast %3 : memref<2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_27, %cast_28) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_29 = memref.cast %alloc_17 : memref<2xf32> to memref<*xf32>
    %cast_30 = memref.cast %2 : memref<2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_29, %cast_30) : (memref<*xf32>, memref<*xf32>) -> ()
    call @forge_rt_expect_eq_f32(%cast_25, %cast_26) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_31 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    memref.copy %alloc_18, %alloc_31 : memref<2xf32> to memref<2xf32>
    %alloc_32 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    memref.copy %alloc_18, %alloc_32 : memref<2xf32> to memref<2xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %11[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %14[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = vector.maskedload %alloc_20[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %28 = vector.maskedload %alloc_31[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %29 = vector.maskedload %alloc_32[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %30 = arith.addf %28, %25 fastmath<reassoc> : vector<16xf32>
      %31 = arith.subf %26, %27 : vector<16xf32>
      %32 = arith.mulf %31, %25 : vector<16xf32>
      %33 = arith.addf %29, %32 fastmath<reassoc> : vector<16xf32>
      vector.maskedstore %alloc_31[%c0], %20, %30 : memref<2xf32>, vector<16xi1>, vector<16xf32>
      vector.maskedstore %alloc_32[%c0], %20, %33 : memref<2xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.maskedload %13[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %26 = vector.maskedload %alloc_23[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %27 = vector.maskedload %11[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %28 = vector.maskedload %alloc_31[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %29 = vector.maskedload %alloc_32[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %30 = vector.maskedload %14[%arg0, %c0], %20, %cst_1 : memref<2x2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %31 = vector.maskedload %alloc_20[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %32 = vector.maskedload %alloc_17[%c0], %20, %cst_1 : memref<2xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %33 = arith.addf %32, %cst_1 : vector<16xf32>
      %34 = arith.subf %30, %31 : vector<16xf32>
      %35 = arith.mulf %29, %34 : vector<16xf32>
      %36 = arith.divf %35, %33 : vector<16xf32>
      %37 = arith.mulf %27, %cst : vector<16xf32>
      %38 = arith.subf %37, %28 : vector<16xf32>
      %39 = arith.subf %38, %36 : vector<16xf32>
      %40 = arith.divf %25, %26 : vector<16xf32>
      %41 = arith.divf %40, %cst : vector<16xf32>
      %42 = arith.mulf %41, %39 : vector<16xf32>
      vector.maskedstore %alloc_21[%arg0, %c0], %20, %42 : memref<2x2xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %25 = memref.load %alloc_24[%arg0, %arg1] : memref<2x2xf32>
        %26 = memref.load %11[%arg0, %arg1] : memref<2x2xf32>
        %27 = memref.load %alloc_18[%arg1] : memref<2xf32>
        %28 = arith.mulf %25, %26 : f32
        %29 = arith.addf %27, %28 fastmath<reassoc> : f32
        memref.store %29, %alloc_18[%arg1] : memref<2xf32>
      }
    }
    %cast_33 = memref.cast %5 : memref<2x2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_25, %cast_33) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_34 = memref.cast %alloc_18 : memref<2xf32> to memref<*xf32>
    %cast_35 = memref.cast %1 : memref<2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_34, %cast_35) : (memref<*xf32>, memref<*xf32>) -> ()
    %cast_36 = memref.cast %alloc_31 : memref<2xf32> to memref<*xf32>
    %cast_37 = memref.cast %0 : memref<2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_36, %cast_37) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @forge_rt_expect_eq_f64(memref<*xf64> {bufferization.access = "read"}, memref<*xf64> {bufferization.access = "read"})
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
