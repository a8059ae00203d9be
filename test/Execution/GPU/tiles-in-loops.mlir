// Products whose factor is a slice at the counter of a loop are tiles': the place is a dimension of
// their memory (AxisAccess.h).
// RUN: forge explain %s --function loop --target cuda:sm_90a --tier optimized | FileCheck %s --check-prefix=TILES
// TILES: {{(matmul|contraction).*}}: tiles;
// RUN: forge verify %s --function loop --target sim:sm_90a --tier optimized
// RUN: forge verify %s --function loop --target sim:gfx942 --tier optimized
// RUN: forge explain %s --function gathered --target cuda:sm_90a --tier optimized | FileCheck %s --check-prefix=NOT
// NOT: {{(matmul|contraction).*}}: generic;
// NOT: tiles: it needs factors that are arguments, or slices of them at places that depend on no element
// RUN: forge verify %s --function gathered --target sim:sm_90a --tier optimized

func.func @loop(%x: tensor<3x4x128x128xf32>, %w: tensor<4x128x192xf32>) -> tensor<4x128x192xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<4x128x192xf32>
  %r:2 = stablehlo.while(%i = %zero, %acc = %init) : tensor<i32>, tensor<4x128x192xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, %zero, sizes = [1, 4, 128, 128] : (tensor<3x4x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x128x128xf32>
    %f = stablehlo.reshape %s : (tensor<1x4x128x128xf32>) -> tensor<4x128x128xf32>
    %p = stablehlo.dot_general %f, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x128x128xf32>, tensor<4x128x192xf32>) -> tensor<4x128x192xf32>
    %a = stablehlo.add %acc, %p : tensor<4x128x192xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a : tensor<i32>, tensor<4x128x192xf32>
  }
  return %r#1 : tensor<4x128x192xf32>
}

// The place is an element of a tensor.
func.func @gathered(%at: tensor<3xi32>, %x: tensor<3x4x128x128xf32>, %w: tensor<4x128x192xf32>) -> tensor<4x128x192xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<4x128x192xf32>
  %r:2 = stablehlo.while(%i = %zero, %acc = %init) : tensor<i32>, tensor<4x128x192xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.dynamic_slice %at, %i, sizes = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %which = stablehlo.reshape %k : (tensor<1xi32>) -> tensor<i32>
    %s = stablehlo.dynamic_slice %x, %which, %zero, %zero, %zero, sizes = [1, 4, 128, 128] : (tensor<3x4x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x128x128xf32>
    %f = stablehlo.reshape %s : (tensor<1x4x128x128xf32>) -> tensor<4x128x128xf32>
    %p = stablehlo.dot_general %f, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x128x128xf32>, tensor<4x128x192xf32>) -> tensor<4x128x192xf32>
    %a = stablehlo.add %acc, %p : tensor<4x128x192xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a : tensor<i32>, tensor<4x128x192xf32>
  }
  return %r#1 : tensor<4x128x192xf32>
}

// What is added to a product of a recurrence over heads is a slice at the counter, too.
// RUN: forge explain %s --function epilogue --target cuda:sm_90a --tier optimized | FileCheck %s --check-prefix=EPILOGUE
// EPILOGUE: contraction{{.*}}: tiles;
// RUN: forge verify %s --function epilogue --target sim:sm_90a --tier optimized
// RUN: forge verify %s --function epilogue --target sim:gfx942 --tier optimized
func.func @epilogue(%x: tensor<3x64x4x128xf32>, %w: tensor<4x128x128xf32>) -> tensor<64x4x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %init = stablehlo.constant dense<0.5> : tensor<64x4x128xf32>
  %r:2 = stablehlo.while(%i = %zero, %h = %init) : tensor<i32>, tensor<64x4x128xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, %zero, sizes = [1, 64, 4, 128] : (tensor<3x64x4x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x4x128xf32>
    %f = stablehlo.reshape %s : (tensor<1x64x4x128xf32>) -> tensor<64x4x128xf32>
    %p = stablehlo.dot_general %h, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<64x4x128xf32>, tensor<4x128x128xf32>) -> tensor<4x64x128xf32>
    %t = stablehlo.transpose %p, dims = [1, 0, 2] : (tensor<4x64x128xf32>) -> tensor<64x4x128xf32>
    %g = stablehlo.add %t, %f : tensor<64x4x128xf32>
    %a = stablehlo.tanh %g : tensor<64x4x128xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a : tensor<i32>, tensor<64x4x128xf32>
  }
  return %r#1 : tensor<64x4x128xf32>
}
