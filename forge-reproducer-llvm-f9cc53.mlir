#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  memref.global "private" constant @__constant_1x1x4xf32_2 : memref<1x1x4xf32> = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x2xf32_1 : memref<1x1x2xf32> = dense<[[[1.000000e+00, 1.000000e+01]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x3xf32_0 : memref<1x1x3xf32> = dense<[[[2.100000e+01, 3.200000e+01, 4.300000e+01]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x3xf32 : memref<1x1x3xf32> = dense<[[[1.200000e+01, 2.300000e+01, 3.400000e+01]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x2xf32 : memref<1x1x2xf32> = dense<[[[2.000000e+01, 3.000000e+01]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x2x2xi32 : memref<1x2x2xi32> = dense<[[[10, 20], [300, 400]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x1x1xi32 : memref<1x1x1x1xi32> = dense<10614> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x1xbf16 : memref<1x1x1xbf16> = dense<2.600000e+02> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x1x4xf32 : memref<1x1x4xf32> = dense<[[[1.000000e+01, 2.100000e+01, 3.200000e+01, 4.300000e+01]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x2x1x2xi32 : memref<1x2x1x2xi32> = dense<[[[[1, 2]], [[3, 4]]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x1x1x1xi32 : memref<2x1x1x1xi32> = dense<[[[[10]]], [[[100]]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x1x1x2xi32 : memref<2x1x1x2xi32> = dense<[[[[1, 2]]], [[[3, 4]]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_1x2x2x1x1xi8 : memref<1x2x2x1x1xi8> = dense<[[[[[100]], [[101]]], [[[102]], [[103]]]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x2x1x1x1xi8 : memref<2x2x1x1x1xi8> = dense<[[[[[100]]], [[[1]]]], [[[[2]]], [[[3]]]]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2x1xf32 : memref<2x1xf32> = dense<[[1.000000e+00], [1.000000e+01]]> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> {alignment = 64 : i64}
  func.func @main() {
    %cst = arith.constant dense<1.000000e+00> : vector<32xbf16>
    %cst_0 = arith.constant dense<0> : vector<16xi32>
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %c259 = arith.constant 259 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %cst_1 = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = memref.get_global @__constant_4xf32 : memref<4xf32>
    %1 = memref.get_global @__constant_2x1xf32 : memref<2x1xf32>
    %2 = memref.get_global @__constant_2x2x1x1x1xi8 : memref<2x2x1x1x1xi8>
    %3 = memref.get_global @__constant_1x2x2x1x1xi8 : memref<1x2x2x1x1xi8>
    %4 = memref.get_global @__constant_2x1x1x2xi32 : memref<2x1x1x2xi32>
    %5 = memref.get_global @__constant_2x1x1x1xi32 : memref<2x1x1x1xi32>
    %6 = memref.get_global @__constant_1x2x1x2xi32 : memref<1x2x1x2xi32>
    %7 = memref.get_global @__constant_1x1x4xf32 : memref<1x1x4xf32>
    %8 = memref.get_global @__constant_1x1x1xbf16 : memref<1x1x1xbf16>
    %9 = memref.get_global @__constant_1x1x1x1xi32 : memref<1x1x1x1xi32>
    %10 = memref.get_global @__constant_1x2x2xi32 : memref<1x2x2xi32>
    %11 = memref.get_global @__constant_1x1x2xf32 : memref<1x1x2xf32>
    %12 = memref.get_global @__constant_1x1x3xf32 : memref<1x1x3xf32>
    %13 = memref.get_global @__constant_1x1x3xf32_0 : memref<1x1x3xf32>
    %14 = memref.get_global @__constant_1x1x2xf32_1 : memref<1x1x2xf32>
    %15 = memref.get_global @__constant_1x1x4xf32_2 : memref<1x1x4xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x259x1xbf16>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<3x2xf32>
    %collapse_shape = memref.collapse_shape %alloc_2 [[0, 1]] : memref<3x2xf32> into memref<6xf32>
    %16 = vector.create_mask %c4 : vector<16xi1>
    %17 = vector.maskedload %0[%c0], %16, %cst_1 : memref<4xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %collapse_shape[%c0], %16, %17 : memref<6xf32>, vector<16xi1>, vector<16xf32>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<3x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      %25 = vector.create_mask %c1 : vector<16xi1>
      vector.maskedstore %alloc_3[%arg0, %c0], %25, %cst_1 : memref<3x1xf32>, vector<16xi1>, vector<16xf32>
    }
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<3x1xf32>
    memref.copy %alloc_3, %alloc_4 : memref<3x1xf32> to memref<3x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c2 step %c1 {
          %25 = memref.load %alloc_2[%arg0, %arg2] : memref<3x2xf32>
          %26 = memref.load %1[%arg2, %arg1] : memref<2x1xf32>
          %27 = memref.load %alloc_4[%arg0, %arg1] : memref<3x1xf32>
          %28 = arith.mulf %25, %26 : f32
          %29 = arith.addf %27, %28 : f32
          memref.store %29, %alloc_4[%arg0, %arg1] : memref<3x1xf32>
        }
      }
    }
    %collapse_shape_5 = memref.collapse_shape %alloc_4 [[0, 1]] : memref<3x1xf32> into memref<3xf32>
    %expand_shape = memref.expand_shape %collapse_shape_5 [[0, 1, 2]] output_shape [1, 1, 3] : memref<3xf32> into memref<1x1x3xf32>
    %cast = memref.cast %expand_shape : memref<1x1x3xf32> to memref<*xf32>
    %cast_6 = memref.cast %13 : memref<1x1x3xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast, %cast_6) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<2x1x1xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          %25 = arith.subi %c1, %arg0 : index
          %26 = memref.load %14[%c0, %c0, %25] : memref<1x1x2xf32>
          memref.store %26, %alloc_7[%arg0, %arg1, %arg2] : memref<2x1x1xf32>
        }
      }
    }
    %collapse_shape_8 = memref.collapse_shape %alloc_7 [[0, 1], [2]] : memref<2x1x1xf32> into memref<2x1xf32>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c2 step %c1 {
          %25 = memref.load %alloc_2[%arg0, %arg2] : memref<3x2xf32>
          %26 = memref.load %collapse_shape_8[%arg2, %arg1] : memref<2x1xf32>
          %27 = memref.load %alloc_3[%arg0, %arg1] : memref<3x1xf32>
          %28 = arith.mulf %25, %26 : f32
          %29 = arith.addf %27, %28 : f32
          memref.store %29, %alloc_3[%arg0, %arg1] : memref<3x1xf32>
        }
      }
    }
    %collapse_shape_9 = memref.collapse_shape %alloc_3 [[0, 1]] : memref<3x1xf32> into memref<3xf32>
    %expand_shape_10 = memref.expand_shape %collapse_shape_9 [[0, 1, 2]] output_shape [1, 1, 3] : memref<3xf32> into memref<1x1x3xf32>
    %cast_11 = memref.cast %expand_shape_10 : memref<1x1x3xf32> to memref<*xf32>
    %cast_12 = memref.cast %12 : memref<1x1x3xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_11, %cast_12) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<1x1x6xf32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        %25 = vector.create_mask %c6 : vector<16xi1>
        vector.maskedstore %alloc_13[%arg0, %arg1, %c0], %25, %cst_1 : memref<1x1x6xf32>, vector<16xi1>, vector<16xf32>
      }
    }
    %subview = memref.subview %15[0, 0, 0] [1, 1, 3] [1, 1, 1] : memref<1x1x4xf32> to memref<1x1x3xf32, strided<[4, 4, 1]>>
    %subview_14 = memref.subview %alloc_13[0, 0, 1] [1, 1, 3] [1, 1, 2] : memref<1x1x6xf32> to memref<1x1x3xf32, strided<[6, 6, 2], offset: 1>>
    memref.copy %subview, %subview_14 : memref<1x1x3xf32, strided<[4, 4, 1]>> to memref<1x1x3xf32, strided<[6, 6, 2], offset: 1>>
    %collapse_shape_15 = memref.collapse_shape %alloc_13 [[0, 1, 2]] : memref<1x1x6xf32> into memref<6xf32>
    %alloc_16 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
    %collapse_shape_17 = memref.collapse_shape %alloc_16 [[0, 1]] : memref<2x2xf32> into memref<4xf32>
    %18 = vector.create_mask %c6 : vector<16xi1>
    %19 = vector.maskedload %collapse_shape_15[%c0], %18, %cst_1 : memref<6xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %collapse_shape_17[%c0], %18, %19 : memref<4xf32>, vector<16xi1>, vector<16xf32>
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<2x1xf32>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      %25 = vector.create_mask %c1 : vector<16xi1>
      vector.maskedstore %alloc_18[%arg0, %c0], %25, %cst_1 : memref<2x1xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c2 step %c1 {
          %25 = memref.load %alloc_16[%arg0, %arg2] : memref<2x2xf32>
          %26 = memref.load %1[%arg2, %arg1] : memref<2x1xf32>
          %27 = memref.load %alloc_18[%arg0, %arg1] : memref<2x1xf32>
          %28 = arith.mulf %25, %26 : f32
          %29 = arith.addf %27, %28 : f32
          memref.store %29, %alloc_18[%arg0, %arg1] : memref<2x1xf32>
        }
      }
    }
    %collapse_shape_19 = memref.collapse_shape %alloc_18 [[0, 1]] : memref<2x1xf32> into memref<2xf32>
    %expand_shape_20 = memref.expand_shape %collapse_shape_19 [[0, 1, 2]] output_shape [1, 1, 2] : memref<2xf32> into memref<1x1x2xf32>
    %cast_21 = memref.cast %expand_shape_20 : memref<1x1x2xf32> to memref<*xf32>
    %cast_22 = memref.cast %11 : memref<1x1x2xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_21, %cast_22) : (memref<*xf32>, memref<*xf32>) -> ()
    %alloc_23 = memref.alloc() {alignment = 64 : i64} : memref<1x2x1x2xi32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          %25 = vector.create_mask %c2 : vector<16xi1>
          vector.maskedstore %alloc_23[%arg0, %arg1, %arg2, %c0], %25, %cst_0 : memref<1x2x1x2xi32>, vector<16xi1>, vector<16xi32>
        }
      }
    }
    %alloc_24 = memref.alloc() {alignment = 64 : i64} : memref<1x2x1x2xi32>
    memref.copy %alloc_23, %alloc_24 : memref<1x2x1x2xi32> to memref<1x2x1x2xi32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          scf.for %arg3 = %c0 to %c2 step %c1 {
            scf.for %arg4 = %c0 to %c1 step %c1 {
              scf.for %arg5 = %c0 to %c1 step %c1 {
                %25 = affine.apply #map(%arg3, %arg5)
                %26 = memref.load %6[%arg0, %arg1, %arg4, %25] : memref<1x2x1x2xi32>
                %27 = memref.load %5[%arg1, %arg2, %arg4, %arg5] : memref<2x1x1x1xi32>
                %28 = memref.load %alloc_24[%arg0, %arg1, %arg2, %arg3] : memref<1x2x1x2xi32>
                %29 = arith.muli %26, %27 : i32
                %30 = arith.addi %28, %29 : i32
                memref.store %30, %alloc_24[%arg0, %arg1, %arg2, %arg3] : memref<1x2x1x2xi32>
              }
            }
          }
        }
      }
    }
    %collapse_shape_25 = memref.collapse_shape %alloc_24 [[0], [1, 2], [3]] : memref<1x2x1x2xi32> into memref<1x2x2xi32>
    %cast_26 = memref.cast %collapse_shape_25 : memref<1x2x2xi32> to memref<*xi32>
    %cast_27 = memref.cast %10 : memref<1x2x2xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_26, %cast_27) : (memref<*xi32>, memref<*xi32>) -> ()
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          scf.for %arg3 = %c0 to %c2 step %c1 {
            scf.for %arg4 = %c0 to %c1 step %c1 {
              scf.for %arg5 = %c0 to %c1 step %c1 {
                %25 = affine.apply #map(%arg3, %arg5)
                %26 = memref.load %4[%arg1, %arg0, %arg4, %25] : memref<2x1x1x2xi32>
                %27 = memref.load %5[%arg1, %arg2, %arg4, %arg5] : memref<2x1x1x1xi32>
                %28 = memref.load %alloc_23[%arg0, %arg1, %arg2, %arg3] : memref<1x2x1x2xi32>
                %29 = arith.muli %26, %27 : i32
                %30 = arith.addi %28, %29 : i32
                memref.store %30, %alloc_23[%arg0, %arg1, %arg2, %arg3] : memref<1x2x1x2xi32>
              }
            }
          }
        }
      }
    }
    %collapse_shape_28 = memref.collapse_shape %alloc_23 [[0], [1, 2], [3]] : memref<1x2x1x2xi32> into memref<1x2x2xi32>
    %cast_29 = memref.cast %collapse_shape_28 : memref<1x2x2xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_29, %cast_27) : (memref<*xi32>, memref<*xi32>) -> ()
    %alloc_30 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x1x1xi32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          scf.for %arg3 = %c0 to %c1 step %c1 {
            %25 = vector.create_mask %c1 : vector<16xi1>
            vector.maskedstore %alloc_30[%arg0, %arg1, %arg2, %arg3, %c0], %25, %cst_0 : memref<1x1x1x1x1xi32>, vector<16xi1>, vector<16xi32>
          }
        }
      }
    }
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c1 step %c1 {
          scf.for %arg3 = %c0 to %c1 step %c1 {
            scf.for %arg4 = %c0 to %c1 step %c1 {
              scf.for %arg5 = %c0 to %c1 step %c1 {
                scf.for %arg6 = %c0 to %c2 step %c1 {
                  scf.for %arg7 = %c0 to %c2 step %c1 {
                    %25 = affine.apply #map(%arg3, %arg6)
                    %26 = affine.apply #map(%arg4, %arg7)
                    %27 = memref.load %3[%arg0, %25, %26, %arg1, %arg5] : memref<1x2x2x1x1xi8>
                    %28 = memref.load %2[%arg6, %arg7, %arg5, %arg1, %arg2] : memref<2x2x1x1x1xi8>
                    %29 = memref.load %alloc_30[%arg3, %arg0, %arg1, %arg2, %arg4] : memref<1x1x1x1x1xi32>
                    %30 = arith.extsi %27 : i8 to i32
                    %31 = arith.extsi %28 : i8 to i32
                    %32 = arith.muli %30, %31 : i32
                    %33 = arith.addi %29, %32 : i32
                    memref.store %33, %alloc_30[%arg3, %arg0, %arg1, %arg2, %arg4] : memref<1x1x1x1x1xi32>
                  }
                }
              }
            }
          }
        }
      }
    }
    %collapse_shape_31 = memref.collapse_shape %alloc_30 [[0], [1], [2, 3], [4]] : memref<1x1x1x1x1xi32> into memref<1x1x1x1xi32>
    %cast_32 = memref.cast %collapse_shape_31 : memref<1x1x1x1xi32> to memref<*xi32>
    %cast_33 = memref.cast %9 : memref<1x1x1x1xi32> to memref<*xi32>
    call @forge_rt_expect_eq_i32(%cast_32, %cast_33) : (memref<*xi32>, memref<*xi32>) -> ()
    %collapse_shape_34 = memref.collapse_shape %alloc [[0, 1], [2]] : memref<1x259x1xbf16> into memref<259x1xbf16>
    scf.for %arg0 = %c0 to %c259 step %c1 {
      %25 = vector.create_mask %c1 : vector<32xi1>
      vector.maskedstore %collapse_shape_34[%arg0, %c0], %25, %cst : memref<259x1xbf16>, vector<32xi1>, vector<32xbf16>
    }
    %alloc_35 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x259xbf16>
    %collapse_shape_36 = memref.collapse_shape %alloc_35 [[0, 1, 2, 3]] : memref<1x1x1x259xbf16> into memref<259xbf16>
    scf.for %arg0 = %c0 to %c256 step %c32 {
      vector.store %cst, %collapse_shape_36[%arg0] : memref<259xbf16>, vector<32xbf16>
    }
    %20 = vector.create_mask %c3 : vector<32xi1>
    vector.maskedstore %collapse_shape_36[%c256], %20, %cst : memref<259xbf16>, vector<32xi1>, vector<32xbf16>
    %collapse_shape_37 = memref.collapse_shape %alloc_35 [[0, 1], [2, 3]] : memref<1x1x1x259xbf16> into memref<1x259xbf16>
    %alloc_38 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      %25 = vector.create_mask %c1 : vector<16xi1>
      vector.maskedstore %alloc_38[%arg0, %c0], %25, %cst_1 : memref<1x1xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c259 step %c1 {
          %25 = memref.load %collapse_shape_37[%arg0, %arg2] : memref<1x259xbf16>
          %26 = memref.load %collapse_shape_34[%arg2, %arg1] : memref<259x1xbf16>
          %27 = memref.load %alloc_38[%arg0, %arg1] : memref<1x1xf32>
          %28 = arith.extf %25 : bf16 to f32
          %29 = arith.extf %26 : bf16 to f32
          %30 = arith.mulf %28, %29 : f32
          %31 = arith.addf %27, %30 : f32
          memref.store %31, %alloc_38[%arg0, %arg1] : memref<1x1xf32>
        }
      }
    }
    %collapse_shape_39 = memref.collapse_shape %alloc_38 [] : memref<1x1xf32> into memref<f32>
    %alloc_40 = memref.alloc() {alignment = 64 : i64} : memref<bf16>
    %21 = memref.load %collapse_shape_39[] : memref<f32>
    %22 = arith.truncf %21 : f32 to bf16
    memref.store %22, %alloc_40[] : memref<bf16>
    %expand_shape_41 = memref.expand_shape %alloc_40 [] output_shape [1, 1, 1] : memref<bf16> into memref<1x1x1xbf16>
    %cast_42 = memref.cast %expand_shape_41 : memref<1x1x1xbf16> to memref<*xbf16>
    %cast_43 = memref.cast %8 : memref<1x1x1xbf16> to memref<*xbf16>
    call @forge_rt_expect_eq_bf16(%cast_42, %cast_43) : (memref<*xbf16>, memref<*xbf16>) -> ()
    %alloc_44 = memref.alloc() {alignment = 64 : i64} : memref<1x1x5xf32>
    scf.for %arg0 = %c0 to %c1 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        %25 = vector.create_mask %c5 : vector<16xi1>
        vector.maskedstore %alloc_44[%arg0, %arg1, %c0], %25, %cst_1 : memref<1x1x5xf32>, vector<16xi1>, vector<16xf32>
      }
    }
    %subview_45 = memref.subview %alloc_44[0, 0, 1] [1, 1, 4] [1, 1, 1] : memref<1x1x5xf32> to memref<1x1x4xf32, strided<[5, 5, 1], offset: 1>>
    memref.copy %15, %subview_45 : memref<1x1x4xf32> to memref<1x1x4xf32, strided<[5, 5, 1], offset: 1>>
    %collapse_shape_46 = memref.collapse_shape %alloc_44 [[0, 1, 2]] : memref<1x1x5xf32> into memref<5xf32>
    %alloc_47 = memref.alloc() {alignment = 64 : i64} : memref<4x2xf32>
    %collapse_shape_48 = memref.collapse_shape %alloc_47 [[0, 1]] : memref<4x2xf32> into memref<8xf32>
    %23 = vector.create_mask %c5 : vector<16xi1>
    %24 = vector.maskedload %collapse_shape_46[%c0], %23, %cst_1 : memref<5xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %collapse_shape_48[%c0], %23, %24 : memref<8xf32>, vector<16xi1>, vector<16xf32>
    %alloc_49 = memref.alloc() {alignment = 64 : i64} : memref<4x1xf32>
    scf.for %arg0 = %c0 to %c4 step %c1 {
      %25 = vector.create_mask %c1 : vector<16xi1>
      vector.maskedstore %alloc_49[%arg0, %c0], %25, %cst_1 : memref<4x1xf32>, vector<16xi1>, vector<16xf32>
    }
    scf.for %arg0 = %c0 to %c4 step %c1 {
      scf.for %arg1 = %c0 to %c1 step %c1 {
        scf.for %arg2 = %c0 to %c2 step %c1 {
          %25 = memref.load %alloc_47[%arg0, %arg2] : memref<4x2xf32>
          %26 = memref.load %1[%arg2, %arg1] : memref<2x1xf32>
          %27 = memref.load %alloc_49[%arg0, %arg1] : memref<4x1xf32>
          %28 = arith.mulf %25, %26 : f32
          %29 = arith.addf %27, %28 : f32
          memref.store %29, %alloc_49[%arg0, %arg1] : memref<4x1xf32>
        }
      }
    }
    %collapse_shape_50 = memref.collapse_shape %alloc_49 [[0, 1]] : memref<4x1xf32> into memref<4xf32>
    %expand_shape_51 = memref.expand_shape %collapse_shape_50 [[0, 1, 2]] output_shape [1, 1, 4] : memref<4xf32> into memref<1x1x4xf32>
    %cast_52 = memref.cast %expand_shape_51 : memref<1x1x4xf32> to memref<*xf32>
    %cast_53 = memref.cast %7 : memref<1x1x4xf32> to memref<*xf32>
    call @forge_rt_expect_eq_f32(%cast_52, %cast_53) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @forge_rt_expect_eq_f32(memref<*xf32> {bufferization.access = "read"}, memref<*xf32> {bufferization.access = "read"})
  func.func private @forge_rt_expect_eq_i32(memref<*xi32> {bufferization.access = "read"}, memref<*xi32> {bufferization.access = "read"})
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
