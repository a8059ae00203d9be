// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge compile %s --to import -o - | FileCheck %s --check-prefix=DROPPED

// Placement is read and written back as it stands; import drops what places on one device.

// CHECK: sdy.mesh @mesh = <["data"=1, "model"=1]> {stablehlo.mesh = {axes = []}}
// CHECK: sdy.mesh @lone = <[], device_ids=[0]>
// CHECK: func.func @main(%{{.*}}: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>})
// CHECK: %[[S:.*]] = sdy.sharding_constraint %{{.*}} <@mesh, [{"data", ?}p0, {"model":(1)2}], replicated={"x"}> : tensor<4x8xf32>
// CHECK: stablehlo.tanh %[[S]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}

// DROPPED-NOT: sdy
// DROPPED: func.func @main(%[[X:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// DROPPED-NEXT: stablehlo.tanh %[[X]] : tensor<4x8xf32>
// DROPPED-NOT: sdy
sdy.mesh @mesh = <["data"=1, "model"=1]> {stablehlo.mesh = {axes = []}}
sdy.mesh @lone = <[], device_ids=[0]>
func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"data", ?}p0, {"model":(1)2}], replicated={"x"}> : tensor<4x8xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
