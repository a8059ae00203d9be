// One window in a padded image that is larger than it (stride 2): gathering the window must read and write seven rows
// and columns, not the eight of the image, which would run over the end of the matrix of windows.
// RUN: forge verify %s --target cpu --each-stage | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cpu to=fuse" | FileCheck %s --check-prefix=FUSE

// CHECK: fuse: result 0 agrees
// CHECK: lower: result 0 agrees
// CHECK: whole: result 0 agrees

// The loop over windows is there, though it runs once: its range keeps the read inside the window.
// FUSE: affine_map<{{.*}} * 2 + {{.*}}>
// FUSE: ins(%{{.*}} : tensor<1x3x8x8xf32>) outs(%{{.*}} : tensor<1x1x1x3x7x7xf32>)
func.func @main(%image: tensor<1x3x2x2xf32>, %kernel: tensor<64x3x7x7xf32>) -> tensor<1x64x1x1xf32> {
  %0 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2x2xf32>, tensor<64x3x7x7xf32>) -> tensor<1x64x1x1xf32>
  return %0 : tensor<1x64x1x1xf32>
}
