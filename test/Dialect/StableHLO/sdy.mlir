// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge compile %s --to import -o - | FileCheck %s --check-prefix=DROPPED

// Placement is read and written back as it stands; import drops what places on one device.

// CHECK: sdy.mesh @mesh = <["data"=1, "model"=1]> {stablehlo.mesh = {axes = []}}
// CHECK: sdy.mesh @lone = <[], device_ids=[0]>
// CHECK: func.func @main(%{{.*}}: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>})
// CHECK: %[[S:.*]] = sdy.sharding_constraint %{{.*}} <@mesh, [{"data", ?}p0, {"model":(1)2}], replicated={"x"}> : tensor<4x8xf32>
// CHECK: stablehlo.tanh %[[S]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}

// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, []>] manual_axes={"data", "model"} (%[[A:.*]]: tensor<4x8xf32>) {
// CHECK: sdy.return %[[A]], %{{.*}} : tensor<4x8xf32>, tensor<f32>
// CHECK-NEXT: } : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>)
// CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
// CHECK: sdy.reshard %{{.*}} <mesh<["a"=1]>, [{"a"}, {}], unreduced=max{"a"}> : tensor<4x8xf32>
// CHECK: sdy.sharding_group %{{.*}} group_id=-3 : tensor<4x8xf32>
// CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD : tensor<4x8xf32>
// CHECK: sdy.named_computation<"f">(%{{.*}}) in_shardings=[<@mesh, [{}, {}]>] (%{{.*}}: tensor<4x8xf32>) {

// DROPPED-NOT: sdy
// DROPPED: func.func @main(%[[X:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// DROPPED-NEXT: stablehlo.tanh %[[X]] : tensor<4x8xf32>
// DROPPED-NOT: sdy
sdy.mesh @mesh = <["data"=1, "model"=1]> {stablehlo.mesh = {axes = []}}
sdy.mesh @lone = <[], device_ids=[0]>
func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"data", ?}p0, {"model":(1)2}], replicated={"x"}> : tensor<4x8xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  %2:2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, []>] manual_axes={"data", "model"} (%a: tensor<4x8xf32>) {
    %c = stablehlo.constant dense<1.0> : tensor<f32>
    sdy.return %a, %c : tensor<4x8xf32>, tensor<f32>
  } : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>)
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  %3 = sdy.reshard %2#0 <mesh<["a"=1]>, [{"a"}, {}], unreduced=max{"a"}> : tensor<4x8xf32>
  sdy.sharding_group %3 group_id=-3 : tensor<4x8xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<4x8xf32>
  %5 = sdy.named_computation<"f">(%4) in_shardings=[<@mesh, [{}, {}]>] (%a: tensor<4x8xf32>) {
    sdy.return %a : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
