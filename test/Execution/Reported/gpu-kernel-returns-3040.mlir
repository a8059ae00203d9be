// A kernel whose result is what one branch was given, and what another computes: GPU code was refused.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<11x5x0xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<11x5x0xf32> {jax.result_info = "result[1][0]"}) {
    %0 = stablehlo.abs %arg0 : tensor<11x5x0xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<11x1x5x16xf32>
    %2 = stablehlo.dot_general %1, %0, batching_dims = [2, 0] x [1, 0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<11x1x5x16xf32>, tensor<11x5x0xf32>) -> tensor<5x11x1x16x0xf32>
    %3 = stablehlo.transpose %2, dims = [4, 0, 1, 2, 3] : (tensor<5x11x1x16x0xf32>) -> tensor<0x5x11x1x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<0x5x11x1x16xf32>
    %4 = stablehlo.multiply %3, %cst_0 : tensor<0x5x11x1x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<0x16x1x2xf32>
    %5 = stablehlo.dot_general %cst_1, %4, contracting_dims = [0, 2, 1] x [0, 3, 4], precision = [DEFAULT, DEFAULT] : (tensor<0x16x1x2xf32>, tensor<0x5x11x1x16xf32>) -> tensor<2x5x11xf32>
    %6 = stablehlo.transpose %5, dims = [2, 0, 1] : (tensor<2x5x11xf32>) -> tensor<11x2x5xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<11x2x5xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<11x2x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.pad %8, %cst_3, low = [2, 0, 0], high = [0, 0, 3], interior = [1, 1, 0] : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<23x3x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_4) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<23x3x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<8xf32>
    %11 = stablehlo.maximum %10, %cst_5 : tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %13 = stablehlo.is_finite %12 : (tensor<1x1x8xf32>) -> tensor<1x1x8xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<1x1x8xf32>
    %14 = stablehlo.select %13, %12, %cst_6 : tensor<1x1x8xi1>, tensor<1x1x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<23x3x8xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<23x3x8xf32>
    %17 = stablehlo.exponential %16 : tensor<23x3x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<23x3x8xf32>, tensor<f32>) -> tensor<8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %20 = stablehlo.abs %19 : tensor<1x1x8xf32>
    %21 = stablehlo.log %20 : tensor<1x1x8xf32>
    %22 = stablehlo.add %21, %14 : tensor<1x1x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%8 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.compare GT, %23, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %25 = stablehlo.convert %24 : (tensor<i1>) -> tensor<i32>
    %26 = "stablehlo.case"(%25) ({
      %127 = func.call @cumsum(%8) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
      stablehlo.return %127 : tensor<11x2x5xf32>
    }, {
      %127 = stablehlo.sine %8 : tensor<11x2x5xf32>
      stablehlo.return %127 : tensor<11x2x5xf32>
    }) : (tensor<i32>) -> tensor<11x2x5xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0, 2] : (tensor<11x2x5xf32>) -> tensor<2x11x5xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x11x5xf32>) -> tensor<110xf32>
    %29 = stablehlo.reshape %28 : (tensor<110xf32>) -> tensor<1x110xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<1x110xf32>) -> tensor<7x110xf32>
    %31 = stablehlo.reshape %30 : (tensor<7x110xf32>) -> tensor<770xf32>
    %32 = stablehlo.reshape %31 : (tensor<770xf32>) -> tensor<7x11x2x5xf32>
    %33 = stablehlo.dot_general %32, %27, batching_dims = [2] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<7x11x2x5xf32>, tensor<2x11x5xf32>) -> tensor<2x7x5x5xf32>
    %34 = stablehlo.transpose %33, dims = [2, 0, 3, 1] : (tensor<2x7x5x5xf32>) -> tensor<5x2x5x7xf32>
    %cst_10 = stablehlo.constant dense<0.301511347> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x2x5x7xf32>
    %36 = stablehlo.multiply %34, %35 : tensor<5x2x5x7xf32>
    %37 = stablehlo.sine %36 : tensor<5x2x5x7xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<5x2x5x7xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.add %38, %cst_12 : tensor<f32>
    %40 = stablehlo.sine %22 : tensor<1x1x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<f32>
    %42 = stablehlo.add %39, %41 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43:2 = stablehlo.optimization_barrier %arg0, %cst_14 : tensor<11x5x0xf32>, tensor<f32>
    %44 = stablehlo.abs %43#0 : tensor<11x5x0xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<11x5x0xf32>
    %45 = stablehlo.compare GE, %43#0, %cst_15, FLOAT : (tensor<11x5x0xf32>, tensor<11x5x0xf32>) -> tensor<11x5x0xi1>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<11x1x5x16xf32>
    %47 = stablehlo.dot_general %46, %44, batching_dims = [2, 0] x [1, 0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<11x1x5x16xf32>, tensor<11x5x0xf32>) -> tensor<5x11x1x16x0xf32>
    %48 = stablehlo.transpose %47, dims = [4, 0, 1, 2, 3] : (tensor<5x11x1x16x0xf32>) -> tensor<0x5x11x1x16xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<0x5x11x1x16xf32>
    %49 = stablehlo.multiply %48, %cst_17 : tensor<0x5x11x1x16xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<0x16x1x2xf32>
    %50 = stablehlo.dot_general %cst_18, %49, contracting_dims = [0, 2, 1] x [0, 3, 4], precision = [DEFAULT, DEFAULT] : (tensor<0x16x1x2xf32>, tensor<0x5x11x1x16xf32>) -> tensor<2x5x11xf32>
    %51 = stablehlo.transpose %50, dims = [2, 0, 1] : (tensor<2x5x11xf32>) -> tensor<11x2x5xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<11x2x5xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<11x2x5xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.pad %53, %cst_20, low = [2, 0, 0], high = [0, 0, 3], interior = [1, 1, 0] : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<23x3x8xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_21) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<23x3x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<8xf32>
    %56 = stablehlo.maximum %55, %cst_22 : tensor<8xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %58 = stablehlo.is_finite %57 : (tensor<1x1x8xf32>) -> tensor<1x1x8xi1>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<1x1x8xf32>
    %59 = stablehlo.select %58, %57, %cst_23 : tensor<1x1x8xi1>, tensor<1x1x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<23x3x8xf32>
    %61 = stablehlo.subtract %54, %60 : tensor<23x3x8xf32>
    %62 = stablehlo.exponential %61 : tensor<23x3x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_24) applies stablehlo.add across dimensions = [0, 1] : (tensor<23x3x8xf32>, tensor<f32>) -> tensor<8xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %65 = stablehlo.abs %64 : tensor<1x1x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<1x1x8xf32>
    %66 = stablehlo.compare GE, %64, %cst_25, FLOAT : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xi1>
    %67 = stablehlo.log %65 : tensor<1x1x8xf32>
    %68 = stablehlo.add %67, %59 : tensor<1x1x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%53 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.compare GT, %69, %cst_27, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %71 = stablehlo.convert %70 : (tensor<i1>) -> tensor<i32>
    %72:2 = "stablehlo.case"(%71) ({
      %127 = func.call @cumsum_1(%53) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<11x2x5xf32>
      stablehlo.return %127, %128 : tensor<11x2x5xf32>, tensor<11x2x5xf32>
    }, {
      %127 = stablehlo.sine %53 : tensor<11x2x5xf32>
      %128 = stablehlo.cosine %53 : tensor<11x2x5xf32>
      stablehlo.return %127, %128 : tensor<11x2x5xf32>, tensor<11x2x5xf32>
    }) : (tensor<i32>) -> (tensor<11x2x5xf32>, tensor<11x2x5xf32>)
    %73 = stablehlo.transpose %72#0, dims = [1, 0, 2] : (tensor<11x2x5xf32>) -> tensor<2x11x5xf32>
    %74 = stablehlo.reshape %73 : (tensor<2x11x5xf32>) -> tensor<110xf32>
    %75 = stablehlo.reshape %74 : (tensor<110xf32>) -> tensor<1x110xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<1x110xf32>) -> tensor<7x110xf32>
    %77 = stablehlo.reshape %76 : (tensor<7x110xf32>) -> tensor<770xf32>
    %78 = stablehlo.reshape %77 : (tensor<770xf32>) -> tensor<7x11x2x5xf32>
    %79 = stablehlo.dot_general %78, %73, batching_dims = [2] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<7x11x2x5xf32>, tensor<2x11x5xf32>) -> tensor<2x7x5x5xf32>
    %80 = stablehlo.transpose %79, dims = [2, 0, 3, 1] : (tensor<2x7x5x5xf32>) -> tensor<5x2x5x7xf32>
    %cst_28 = stablehlo.constant dense<0.301511347> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<5x2x5x7xf32>
    %82 = stablehlo.multiply %80, %81 : tensor<5x2x5x7xf32>
    %83 = stablehlo.cosine %82 : tensor<5x2x5x7xf32>
    %84 = stablehlo.cosine %68 : tensor<1x1x8xf32>
    %85 = stablehlo.broadcast_in_dim %43#1, dims = [] : (tensor<f32>) -> tensor<1x1x8xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<1x1x8xf32>
    %87 = stablehlo.broadcast_in_dim %43#1, dims = [] : (tensor<f32>) -> tensor<5x2x5x7xf32>
    %88 = stablehlo.multiply %87, %83 : tensor<5x2x5x7xf32>
    %cst_29 = stablehlo.constant dense<0.301511347> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<5x2x5x7xf32>
    %90 = stablehlo.multiply %88, %89 : tensor<5x2x5x7xf32>
    %91 = stablehlo.transpose %90, dims = [1, 3, 0, 2] : (tensor<5x2x5x7xf32>) -> tensor<2x7x5x5xf32>
    %92 = stablehlo.dot_general %91, %78, batching_dims = [0] x [2], contracting_dims = [1, 2] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x7x5x5xf32>, tensor<7x11x2x5xf32>) -> tensor<2x5x11xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1] : (tensor<2x5x11xf32>) -> tensor<2x11x5xf32>
    %94 = stablehlo.dot_general %91, %73, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x7x5x5xf32>, tensor<2x11x5xf32>) -> tensor<2x7x5x11xf32>
    %95 = stablehlo.transpose %94, dims = [1, 3, 0, 2] : (tensor<2x7x5x11xf32>) -> tensor<7x11x2x5xf32>
    %96 = stablehlo.reshape %95 : (tensor<7x11x2x5xf32>) -> tensor<770xf32>
    %97 = stablehlo.reshape %96 : (tensor<770xf32>) -> tensor<7x110xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_30) applies stablehlo.add across dimensions = [0] : (tensor<7x110xf32>, tensor<f32>) -> tensor<110xf32>
    %99 = stablehlo.reshape %98 : (tensor<110xf32>) -> tensor<2x11x5xf32>
    %100 = stablehlo.add %93, %99 : tensor<2x11x5xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0, 2] : (tensor<2x11x5xf32>) -> tensor<11x2x5xf32>
    %102 = "stablehlo.case"(%71) ({
      %127 = func.call @cumsum_2(%101) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
      stablehlo.return %127 : tensor<11x2x5xf32>
    }, {
      %127 = stablehlo.multiply %101, %72#1 : tensor<11x2x5xf32>
      stablehlo.return %127 : tensor<11x2x5xf32>
    }) : (tensor<i32>) -> tensor<11x2x5xf32>
    %103 = stablehlo.divide %86, %65 : tensor<1x1x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<1x1x8xf32>
    %104 = stablehlo.select %66, %cst_31, %103 : tensor<1x1x8xi1>, tensor<1x1x8xf32>
    %105 = stablehlo.select %66, %103, %cst_31 : tensor<1x1x8xi1>, tensor<1x1x8xf32>
    %106 = stablehlo.negate %104 : tensor<1x1x8xf32>
    %107 = stablehlo.add %105, %106 : tensor<1x1x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%107 init: %cst_32) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [2] : (tensor<8xf32>) -> tensor<23x3x8xf32>
    %110 = stablehlo.multiply %109, %62 : tensor<23x3x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.pad %110, %cst_33, low = [-2, 0, 0], high = [0, 0, -3], interior = [0, 0, 0] : (tensor<23x3x8xf32>, tensor<f32>) -> tensor<21x3x5xf32>
    %112 = stablehlo.slice %111 [0:21:2, 0:3:2, 0:5] : (tensor<21x3x5xf32>) -> tensor<11x2x5xf32>
    %113 = stablehlo.add %102, %112 : tensor<11x2x5xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<11x2x5xf32>
    %115 = stablehlo.multiply %113, %114 : tensor<11x2x5xf32>
    %116 = stablehlo.transpose %115, dims = [1, 2, 0] : (tensor<11x2x5xf32>) -> tensor<2x5x11xf32>
    %117 = stablehlo.dot_general %116, %cst_18, contracting_dims = [0] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x11xf32>, tensor<0x16x1x2xf32>) -> tensor<5x11x0x16x1xf32>
    %118 = stablehlo.transpose %117, dims = [2, 0, 1, 4, 3] : (tensor<5x11x0x16x1xf32>) -> tensor<0x5x11x1x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<0x5x11x1x16xf32>
    %119 = stablehlo.multiply %118, %cst_35 : tensor<0x5x11x1x16xf32>
    %120 = stablehlo.transpose %119, dims = [1, 2, 3, 4, 0] : (tensor<0x5x11x1x16xf32>) -> tensor<5x11x1x16x0xf32>
    %121 = stablehlo.dot_general %120, %46, batching_dims = [0, 1] x [2, 0], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<5x11x1x16x0xf32>, tensor<11x1x5x16xf32>) -> tensor<5x11x0xf32>
    %122 = stablehlo.transpose %121, dims = [1, 0, 2] : (tensor<5x11x0xf32>) -> tensor<11x5x0xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<11x5x0xf32>
    %123 = stablehlo.select %45, %cst_36, %122 : tensor<11x5x0xi1>, tensor<11x5x0xf32>
    %124 = stablehlo.select %45, %122, %cst_36 : tensor<11x5x0xi1>, tensor<11x5x0xf32>
    %125 = stablehlo.negate %123 : tensor<11x5x0xf32>
    %126 = stablehlo.add %124, %125 : tensor<11x5x0xf32>
    return %42, %126 : tensor<f32>, tensor<11x5x0xf32>
  }
  func.func private @cumsum(%arg0: tensor<11x2x5xf32>) -> tensor<11x2x5xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
    return %0 : tensor<11x2x5xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<11x2x5xf32>) -> tensor<11x2x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[10, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 11, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<11x2x5xf32>
    return %0 : tensor<11x2x5xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<11x2x5xf32>) -> tensor<11x2x5xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
    return %0 : tensor<11x2x5xf32>
  }
  func.func private @cumsum_2(%arg0: tensor<11x2x5xf32>) -> tensor<11x2x5xf32> {
    %0 = call @cumsum_3(%arg0) : (tensor<11x2x5xf32>) -> tensor<11x2x5xf32>
    return %0 : tensor<11x2x5xf32>
  }
  func.func private @cumsum_3(%arg0: tensor<11x2x5xf32>) -> tensor<11x2x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 10], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 11, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<11x2x5xf32>, tensor<f32>) -> tensor<11x2x5xf32>
    return %0 : tensor<11x2x5xf32>
  }
}
