// Rows whose keys are all masked by the lowest number, as flax and others write masks: such a row is the mean of its values, though its
// maximum times log2(e) is infinite. So are rows with a bias of that size from memory.
// RUN: forge compile %s --function masked --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --function masked --target sim:sm_90a
// RUN: forge verify %s --function masked --target sim:sm_80
// RUN: forge verify %s --function masked --target sim:gfx942
// RUN: forge verify %s --function biased --target sim:sm_90a
// RUN: forge verify %s --function few --target sim:sm_90a
// RUN: forge verify %s --function single --target sim:sm_90a
// RUN: forge compile %s --function backward --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BACKWARD
// RUN: forge verify %s --function backward --target sim:sm_90a
//
// Other large numbers, which times log2(e) are rounded by more than weights can bear.
// RUN: sed 's/-3.40282347E+38/-1.0e+09/' %s > %t.large.mlir
// RUN: sed -e 's/-3.40282347E+38/-1.2345e+10/' -e 's/xbf16/xf16/g' -e 's/<bf16>/<f16>/g' %s > %t.larger.mlir
// RUN: forge verify %t.large.mlir --function masked --target sim:sm_90a
// RUN: forge verify %t.larger.mlir --function masked --target sim:sm_90a
// RUN: forge verify %t.larger.mlir --function masked --target sim:gfx942
//
// Gradients where such rows have cotangents: the weights of a row of 64 keys are 1 / 64, for the values' gradients.
// RUN: sed 's/select %5, %arg4, %6/select %5, %arg4, %arg4/' %s > %t.reached.mlir
// RUN: sed 's/select %5, %arg4, %6/select %5, %arg4, %arg4/' %t.large.mlir > %t.reached-large.mlir
// RUN: sed 's/select %5, %arg4, %6/select %5, %arg4, %arg4/' %t.larger.mlir > %t.reached-larger.mlir
// RUN: forge compile %t.reached.mlir --function backward --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BACKWARD
// RUN: forge verify %t.reached.mlir --function backward --target sim:sm_90a
// RUN: forge verify %t.reached-large.mlir --function backward --target sim:sm_90a
// RUN: forge verify %t.reached-larger.mlir --function backward --target sim:sm_90a
// RUN: forge verify %t.reached-larger.mlir --function backward --target sim:gfx942
//
// A mask before the scale, which is no power of two: scores are rounded as their maximum was.
// RUN: sed -e '/%11 = stablehlo.multiply/d' -e 's/%16 = stablehlo.select %14, %11, %15 \(.*\)/%11 = stablehlo.select %14, %9, %15 \1\n%16 = stablehlo.multiply %11, %10 : tensor<2x2x64x64xf32>/' -e 's/1.250000e-01/1.100000e-01/' %t.reached-large.mlir > %t.before.mlir
// RUN: forge compile %t.before.mlir --function backward --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BACKWARD
// RUN: forge verify %t.before.mlir --function backward --target sim:sm_90a
// And divided by one.
// RUN: sed -e 's/%16 = stablehlo.multiply/%16 = stablehlo.divide/' -e 's/%cst_2 = stablehlo.constant dense<1.100000e-01>/%cst_2 = stablehlo.constant dense<9.3>/' %t.before.mlir > %t.divided.mlir
// RUN: forge verify %t.divided.mlir --function backward --target sim:sm_90a

// CHECK: strategy = flash
// CHECK-NOT: strategy =

// The forward kernel leaves base and sum of each row.
// BACKWARD: strategy = flash,
// BACKWARD-COUNT-2: strategy = flash_backward

// Of the first batch no key is seen, of the second at most 50.
func.func @masked(%q: tensor<2x2x64x64xbf16>, %k: tensor<2x2x96x64xbf16>, %v: tensor<2x2x96x64xbf16>, %seen: tensor<2xi32>) -> tensor<2x2x64x64xbf16> {
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x64x64xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x64x96xf32>
  %scale = stablehlo.constant dense<1.250000e-01> : tensor<2x2x64x96xf32>
  %s1 = stablehlo.multiply %s0, %scale : tensor<2x2x64x96xf32>
  %most = stablehlo.constant dense<[0, 50]> : tensor<2xi32>
  %forty = stablehlo.constant dense<40> : tensor<2xi32>
  %more = stablehlo.add %seen, %forty : tensor<2xi32>
  %n = stablehlo.minimum %more, %most : tensor<2xi32>
  %limit = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<2xi32>) -> tensor<2x2x64x96xi32>
  %key = stablehlo.iota dim = 3 : tensor<2x2x64x96xi32>
  %is_seen = stablehlo.compare LT, %key, %limit, SIGNED : (tensor<2x2x64x96xi32>, tensor<2x2x64x96xi32>) -> tensor<2x2x64x96xi1>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<2x2x64x96xf32>
  %s = stablehlo.select %is_seen, %s1, %lowest : tensor<2x2x64x96xi1>, tensor<2x2x64x96xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m0 = stablehlo.reduce(%s init: %inf) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x64x96xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %m = stablehlo.broadcast_in_dim %m0, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x96xf32>
  %d = stablehlo.subtract %s, %m : tensor<2x2x64x96xf32>
  %e = stablehlo.exponential %d : tensor<2x2x64x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t0 = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x96xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %t = stablehlo.broadcast_in_dim %t0, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x96xf32>
  %p0 = stablehlo.divide %e, %t : tensor<2x2x64x96xf32>
  %p = stablehlo.convert %p0 : (tensor<2x2x64x96xf32>) -> tensor<2x2x64x96xbf16>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x64x96xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x64x64xbf16>
  return %o : tensor<2x2x64x64xbf16>
}

// Biases between the lowest number and 0.9 of it: the largest one of a row alone has a weight.
func.func @biased(%q: tensor<1x2x64x64xbf16>, %k: tensor<1x2x96x64xbf16>, %v: tensor<1x2x96x64xbf16>, %x: tensor<96xf32>) -> tensor<1x2x64x64xbf16> {
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<1x2x64x64xbf16>, tensor<1x2x96x64xbf16>) -> tensor<1x2x64x96xf32>
  %part = stablehlo.constant dense<1.000000e-01> : tensor<96xf32>
  %rest = stablehlo.constant dense<9.000000e-01> : tensor<96xf32>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<96xf32>
  %x0 = stablehlo.abs %x : tensor<96xf32>
  %x1 = stablehlo.multiply %x0, %part : tensor<96xf32>
  %x2 = stablehlo.add %x1, %rest : tensor<96xf32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<96xf32>
  %x3 = stablehlo.minimum %x2, %one : tensor<96xf32>
  %x4 = stablehlo.multiply %x3, %lowest : tensor<96xf32>
  %bias = stablehlo.broadcast_in_dim %x4, dims = [3] : (tensor<96xf32>) -> tensor<1x2x64x96xf32>
  %s = stablehlo.add %s0, %bias : tensor<1x2x64x96xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m0 = stablehlo.reduce(%s init: %inf) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x64x96xf32>, tensor<f32>) -> tensor<1x2x64xf32>
  %m = stablehlo.broadcast_in_dim %m0, dims = [0, 1, 2] : (tensor<1x2x64xf32>) -> tensor<1x2x64x96xf32>
  %d = stablehlo.subtract %s, %m : tensor<1x2x64x96xf32>
  %e = stablehlo.exponential %d : tensor<1x2x64x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t0 = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x64x96xf32>, tensor<f32>) -> tensor<1x2x64xf32>
  %t = stablehlo.broadcast_in_dim %t0, dims = [0, 1, 2] : (tensor<1x2x64xf32>) -> tensor<1x2x64x96xf32>
  %p0 = stablehlo.divide %e, %t : tensor<1x2x64x96xf32>
  %p = stablehlo.convert %p0 : (tensor<1x2x64x96xf32>) -> tensor<1x2x64x96xbf16>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x2x64x96xbf16>, tensor<1x2x96x64xbf16>) -> tensor<1x2x64x64xbf16>
  return %o : tensor<1x2x64x64xbf16>
}

// The same for ten rows.
func.func @few(%q: tensor<2x2x10x64xbf16>, %k: tensor<2x2x96x64xbf16>, %v: tensor<2x2x96x64xbf16>, %seen: tensor<2xi32>) -> tensor<2x2x10x64xbf16> {
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x10x64xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x10x96xf32>
  %scale = stablehlo.constant dense<1.250000e-01> : tensor<2x2x10x96xf32>
  %s1 = stablehlo.multiply %s0, %scale : tensor<2x2x10x96xf32>
  %most = stablehlo.constant dense<[0, 50]> : tensor<2xi32>
  %forty = stablehlo.constant dense<40> : tensor<2xi32>
  %more = stablehlo.add %seen, %forty : tensor<2xi32>
  %n = stablehlo.minimum %more, %most : tensor<2xi32>
  %limit = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<2xi32>) -> tensor<2x2x10x96xi32>
  %key = stablehlo.iota dim = 3 : tensor<2x2x10x96xi32>
  %is_seen = stablehlo.compare LT, %key, %limit, SIGNED : (tensor<2x2x10x96xi32>, tensor<2x2x10x96xi32>) -> tensor<2x2x10x96xi1>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<2x2x10x96xf32>
  %s = stablehlo.select %is_seen, %s1, %lowest : tensor<2x2x10x96xi1>, tensor<2x2x10x96xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m0 = stablehlo.reduce(%s init: %inf) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x10x96xf32>, tensor<f32>) -> tensor<2x2x10xf32>
  %m = stablehlo.broadcast_in_dim %m0, dims = [0, 1, 2] : (tensor<2x2x10xf32>) -> tensor<2x2x10x96xf32>
  %d = stablehlo.subtract %s, %m : tensor<2x2x10x96xf32>
  %e = stablehlo.exponential %d : tensor<2x2x10x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t0 = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x10x96xf32>, tensor<f32>) -> tensor<2x2x10xf32>
  %t = stablehlo.broadcast_in_dim %t0, dims = [0, 1, 2] : (tensor<2x2x10xf32>) -> tensor<2x2x10x96xf32>
  %p0 = stablehlo.divide %e, %t : tensor<2x2x10x96xf32>
  %p = stablehlo.convert %p0 : (tensor<2x2x10x96xf32>) -> tensor<2x2x10x96xbf16>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x10x96xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x10x64xbf16>
  return %o : tensor<2x2x10x64xbf16>
}

// And in f32.
func.func @single(%q: tensor<2x2x64x64xf32>, %k: tensor<2x2x96x64xf32>, %v: tensor<2x2x96x64xf32>, %seen: tensor<2xi32>) -> tensor<2x2x64x64xf32> {
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x64x64xf32>, tensor<2x2x96x64xf32>) -> tensor<2x2x64x96xf32>
  %scale = stablehlo.constant dense<1.250000e-01> : tensor<2x2x64x96xf32>
  %s1 = stablehlo.multiply %s0, %scale : tensor<2x2x64x96xf32>
  %most = stablehlo.constant dense<[0, 50]> : tensor<2xi32>
  %forty = stablehlo.constant dense<40> : tensor<2xi32>
  %more = stablehlo.add %seen, %forty : tensor<2xi32>
  %n = stablehlo.minimum %more, %most : tensor<2xi32>
  %limit = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<2xi32>) -> tensor<2x2x64x96xi32>
  %key = stablehlo.iota dim = 3 : tensor<2x2x64x96xi32>
  %is_seen = stablehlo.compare LT, %key, %limit, SIGNED : (tensor<2x2x64x96xi32>, tensor<2x2x64x96xi32>) -> tensor<2x2x64x96xi1>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<2x2x64x96xf32>
  %s = stablehlo.select %is_seen, %s1, %lowest : tensor<2x2x64x96xi1>, tensor<2x2x64x96xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m0 = stablehlo.reduce(%s init: %inf) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x64x96xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %m = stablehlo.broadcast_in_dim %m0, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x96xf32>
  %d = stablehlo.subtract %s, %m : tensor<2x2x64x96xf32>
  %e = stablehlo.exponential %d : tensor<2x2x64x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t0 = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x96xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %t = stablehlo.broadcast_in_dim %t0, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x96xf32>
  %p0 = stablehlo.divide %e, %t : tensor<2x2x64x96xf32>
  %o = stablehlo.dot_general %p0, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x64x96xf32>, tensor<2x2x96x64xf32>) -> tensor<2x2x64x64xf32>
  return %o : tensor<2x2x64x64xf32>
}

// Gradients, where nothing follows from such rows: their weights are no NaN, which would reach all keys.
func.func @backward(%arg0: tensor<2x2x64x64xbf16>, %arg1: tensor<2x2x64x64xbf16>, %arg2: tensor<2x2x64x64xbf16>, %arg3: tensor<2xi32>, %arg4: tensor<2x2x64x64xbf16>) -> (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) {
  %c = stablehlo.constant dense<[0, 50]> : tensor<2xi32>
  %c_0 = stablehlo.constant dense<40> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.add %arg3, %0 : tensor<2xi32>
  %2 = stablehlo.minimum %1, %c : tensor<2xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %4 = stablehlo.compare GT, %2, %3, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x2x64x64xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x2x64x64xbf16>
  %7 = stablehlo.select %5, %arg4, %6 : tensor<2x2x64x64xi1>, tensor<2x2x64x64xbf16>
  %8 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %9 = stablehlo.convert %8 : (tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xf32>
  %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<2x2x64x64xf32>
  %12 = stablehlo.iota dim = 3 : tensor<2x2x64x64xi32>
  %13 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x2x64x64xi32>
  %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<2x2x64x64xi32>, tensor<2x2x64x64xi32>) -> tensor<2x2x64x64xi1>
  %cst_3 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %16 = stablehlo.select %14, %11, %15 : tensor<2x2x64x64xi1>, tensor<2x2x64x64xf32>
  %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %17 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x64x64xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x64xf32>
  %19 = stablehlo.maximum %18, %17 : tensor<2x2x64xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x1xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x2x64x1xf32>) -> tensor<2x2x64x64xf32>
  %22 = stablehlo.subtract %16, %21 : tensor<2x2x64x64xf32>
  %23 = stablehlo.exponential %22 : tensor<2x2x64x64xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %24 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x64xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x1xf32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x2x64x1xf32>) -> tensor<2x2x64x64xf32>
  %27 = stablehlo.divide %23, %26 : tensor<2x2x64x64xf32>
  %28 = stablehlo.multiply %25, %25 : tensor<2x2x64x1xf32>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x64x1xf32>
  %30 = stablehlo.divide %29, %28 : tensor<2x2x64x1xf32>
  %31 = stablehlo.convert %27 : (tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xbf16>
  %32 = stablehlo.dot_general %7, %31, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %33 = stablehlo.transpose %32, dims = [0, 1, 3, 2] : (tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %34 = stablehlo.dot_general %7, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %35 = stablehlo.convert %34 : (tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xf32>
  %36 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<2x2x64x1xf32>) -> tensor<2x2x64x64xf32>
  %37 = stablehlo.multiply %35, %36 : tensor<2x2x64x64xf32>
  %38 = stablehlo.multiply %37, %23 : tensor<2x2x64x64xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x64xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %40 = stablehlo.reshape %39 : (tensor<2x2x64xf32>) -> tensor<2x2x64x1xf32>
  %41 = stablehlo.negate %40 : tensor<2x2x64x1xf32>
  %42 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x2x64x1xf32>) -> tensor<2x2x64x64xf32>
  %43 = stablehlo.divide %35, %42 : tensor<2x2x64x64xf32>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %44 = stablehlo.reduce(%41 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x1xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x64xf32>
  %46 = stablehlo.add %43, %45 : tensor<2x2x64x64xf32>
  %47 = stablehlo.multiply %46, %23 : tensor<2x2x64x64xf32>
  %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %49 = stablehlo.select %14, %47, %48 : tensor<2x2x64x64xi1>, tensor<2x2x64x64xf32>
  %cst_11 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %51 = stablehlo.multiply %49, %50 : tensor<2x2x64x64xf32>
  %52 = stablehlo.convert %51 : (tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xbf16>
  %53 = stablehlo.dot_general %52, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %54 = stablehlo.dot_general %52, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  return %54, %53, %33 : tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>
}
