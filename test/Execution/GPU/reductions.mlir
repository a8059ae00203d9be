// Reductions over several dimensions, on simulated chips with warps of 32 and 64, against the reference: partial sums, whichever
// dimensions they go along. 30,000 equal numbers added one after the other in f32 would be off by more than is allowed.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge run %t/equal.mlir --save %t/in > %t/log
// RUN: forge run %t/sums.mlir --function whole --target cpu --input %t/in/out0.npy --save %t/whole > %t/log
// RUN: forge run %t/sums.mlir --function whole --target sim:sm_90a --input %t/in/out0.npy --expect %t/whole/out0.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function whole --target sim:gfx942 --input %t/in/out0.npy --expect %t/whole/out0.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function whole --target sim:gfx1100 --input %t/in/out0.npy --expect %t/whole/out0.npy | FileCheck %t/sums.mlir
// RUN: forge verify %t/sums.mlir --function loss --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function loss --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function picked --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function picked --target sim:gfx1100
// RUN: forge verify %t/sums.mlir --function inner --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function inner --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function inner --target sim:gfx1100 --distribution huge
// RUN: forge verify %t/sums.mlir --function dynamic --target sim:sm_90a --dynamic-size 37
// RUN: forge verify %t/sums.mlir --function dynamic --target sim:gfx942 --dynamic-size 1
// RUN: forge-opt %t/sums.mlir --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %t/sums.mlir --check-prefix=SCHEDULE

//--- equal.mlir
func.func @main() -> tensor<300x100xf32> {
  %0 = stablehlo.constant dense<0.1> : tensor<300x100xf32>
  return %0 : tensor<300x100xf32>
}

//--- sums.mlir
// CHECK: agrees
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<30000xf32>{{.*}}strategy = "rows"
func.func @whole(%x: tensor<300x100xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x100xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<3000xf32>, %{{.*}}: tensor<100xf32>, %{{.*}}: tensor<3000xf32>{{.*}}strategy = "rows"
func.func @loss(%x: tensor<30x100xf32>, %y: tensor<30x100xf32>, %bias: tensor<100xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<3000.0> : tensor<f32>
  %bb = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<100xf32>) -> tensor<30x100xf32>
  %a = stablehlo.add %x, %bb : tensor<30x100xf32>
  %d = stablehlo.subtract %a, %y : tensor<30x100xf32>
  %s = stablehlo.multiply %d, %d : tensor<30x100xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<30x100xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.divide %r, %n : tensor<f32>
  return %m : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<28xi32>, %{{.*}}: tensor<1400xf32>{{.*}}strategy = "rows"
func.func @picked(%x: tensor<4x7x50xf32>, %l: tensor<4x7xi32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 2 : tensor<4x7x50xi32>
  %lb = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<4x7xi32>) -> tensor<4x7x50xi32>
  %c = stablehlo.compare LE, %i, %lb : (tensor<4x7x50xi32>, tensor<4x7x50xi32>) -> tensor<4x7x50xi1>
  %zz = stablehlo.constant dense<0.0> : tensor<4x7x50xf32>
  %s = stablehlo.select %c, %x, %zz : tensor<4x7x50xi1>, tensor<4x7x50xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x7x50xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<5x1320xbf16>{{.*}}strategy = "rows"
func.func @inner(%x: tensor<5x30x44xbf16>) -> tensor<5xbf16> {
  %z = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<5x30x44xbf16>, tensor<bf16>) -> tensor<5xbf16>
  return %r : tensor<5xbf16>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<?x?xf32>{{.*}}strategy = "rows"
func.func @dynamic(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.multiply %x, %x : tensor<?x?x?xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
