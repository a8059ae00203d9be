// RUN: forge-opt --convert-transformer-to-linalg --split-input-file %s | FileCheck %s
// RUN: forge-opt --convert-transformer-to-linalg=host-loops=false --split-input-file %s | FileCheck %s --check-prefix=DEVICE

// Factors of f8 and i8 are extended inside the body; integer sums are integers.
// CHECK-LABEL: func.func @narrow_factors
// CHECK: linalg.generic
// CHECK: arith.extf %{{.*}} : f8E4M3FN to f32
// CHECK: arith.extf %{{.*}} : f8E5M2 to f32
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[P:.*]] = arith.muli
// CHECK: arith.addi %{{.*}}, %[[P]] : i32
func.func @narrow_factors(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x2xf8E5M2>, %i: tensor<4x8xi8>, %j: tensor<8x2xi8>)
    -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0 = transformer.matmul %a, %b : (tensor<4x8xf8E4M3FN>, tensor<8x2xf8E5M2>) -> tensor<4x2xf32>
  %1 = transformer.matmul %i, %j : (tensor<4x8xi8>, tensor<8x2xi8>) -> tensor<4x2xi32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// -----

// The accumulation that is asked for.
// CHECK-LABEL: func.func @accumulate
// CHECK: arith.extf %{{.*}} : bf16 to f64
// CHECK: arith.addf %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to bf16
func.func @accumulate(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  %0 = transformer.matmul %a, %b {accumulate = f64} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// -----

// A loop over the groups: the rows that are left bound the group's size; its rows go into the result.
// CHECK-LABEL: func.func @grouped
// CHECK: linalg.fill
// CHECK: scf.for %[[E:.*]] = {{.*}} iter_args(%[[R:.*]] = %{{.*}}, %[[BEGIN:.*]] = %{{.*}})
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK: tensor.extract %{{.*}}[%[[E]]]
// CHECK: %[[LOW:.*]] = arith.maxsi
// CHECK: %[[SIZE:.*]] = arith.minsi %[[LOW]], %[[LEFT]]
// CHECK: tensor.extract_slice %{{.*}}[%[[BEGIN]], 0] [%[[SIZE]], 16] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[%[[E]], 0, 0] [1, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<16x8xf32>
// CHECK: linalg.generic
// CHECK: tensor.insert_slice %{{.*}} into %[[R]][%[[BEGIN]], 0] [%[[SIZE]], 8] [1, 1]
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[SIZE]]
// CHECK: scf.yield %{{.*}}, %[[END]]
//
// On a device: each row looks its group up; the last that holds it wins.
// DEVICE-LABEL: func.func @grouped
// DEVICE-NOT: scf.for
// DEVICE: %[[BEFORE:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// DEVICE: %[[OWNERS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]{{.*}} ins(%{{.*}}, %[[BEFORE]] :
// DEVICE: arith.maxsi
// DEVICE: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %[[OWNERS]] :
// DEVICE: tensor.extract %{{.*}} : tensor<4x16x8xf32>
// DEVICE: arith.mulf
func.func @grouped(%x: tensor<12x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<4xi32>) -> tensor<12x8xf32> {
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<12x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<12x8xf32>
  return %0 : tensor<12x8xf32>
}

// -----

// Weights become f32 numbers, by the scale of their channel; nothing is rounded before the end.
// CHECK-LABEL: func.func @linear
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<24x64xi8>, tensor<24xbf16>, tensor<24xi8>)
// CHECK: %[[W:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK: %[[Z:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK: %[[D:.*]] = arith.subf %[[W]], %[[Z]]
// CHECK: arith.mulf %[[D]], %{{.*}} : f32
// CHECK: linalg.generic
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT: arith.truncf
func.func @linear(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xbf16>, %z: tensor<24xi8>) -> tensor<4x24xbf16> {
  %0 = transformer.linear %x, %w scale %s zero_point %z
      : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xbf16>, tensor<24xi8>) -> tensor<4x24xbf16>
  return %0 : tensor<4x24xbf16>
}

// -----

// A scale of each channel, without zero points, multiplies its sums: the factors are of the input's type.
// CHECK-LABEL: func.func @scaled_sums
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x64xbf16>, tensor<24x64xbf16>)
// CHECK: linalg.generic
// CHECK: %[[S:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: %[[B:.*]] = arith.addf %[[S]], %{{.*}} : f32
// CHECK: arith.truncf %[[B]] : f32 to bf16
func.func @scaled_sums(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %b: tensor<24xbf16>) -> tensor<4x24xbf16> {
  %0 = transformer.linear %x, %w scale %s bias %b
      : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<24xbf16>) -> tensor<4x24xbf16>
  return %0 : tensor<4x24xbf16>
}

// -----

// Blocks of weights find their scale by the loop indices.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[N:.*]] = linalg.index 0
// CHECK: %[[A:.*]] = arith.divui %[[N]], %{{.*}}
// CHECK: %[[K:.*]] = linalg.index 1
// CHECK: %[[B:.*]] = arith.divui %[[K]], %{{.*}}
// CHECK: tensor.extract %{{.*}}[%[[A]], %[[B]]]
func.func @blocks(%x: tensor<?x64xf32>, %w: tensor<24x64xi4>, %s: tensor<24x2xf32>) -> tensor<?x24xf32> {
  %0 = transformer.linear %x, %w scale %s {block = array<i64: 1, 32>}
      : (tensor<?x64xf32>, tensor<24x64xi4>, tensor<24x2xf32>) -> tensor<?x24xf32>
  return %0 : tensor<?x24xf32>
}

// -----

// Two products; the hidden activations are rounded to the element type between them.
// CHECK-LABEL: func.func @mlp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK-NOT: transformer.
func.func @mlp(%x: tensor<3x16xf16>, %u: tensor<40x16xf16>, %d: tensor<16x40xf16>) -> tensor<3x16xf16> {
  %0 = transformer.mlp %x up %u down %d {activation = #transformer.activation<relu>, transpose_weights}
      : (tensor<3x16xf16>, tensor<40x16xf16>, tensor<16x40xf16>) -> tensor<3x16xf16>
  return %0 : tensor<3x16xf16>
}

// -----

// The quotient, to even, NaN as 0, the zero point, the range, the narrow type.
// CHECK-LABEL: func.func @quantize
// CHECK: %[[Q:.*]] = arith.divf
// CHECK: %[[KNOWN:.*]] = arith.cmpf ord, %[[Q]], %[[Q]]
// CHECK: %[[E:.*]] = math.roundeven %[[Q]]
// CHECK: %[[V:.*]] = arith.select %[[KNOWN]], %[[E]], %{{.*}}
// CHECK: arith.addf %[[V]], %{{.*}}
// CHECK-DAG: arith.constant -8.000000e+00 : f32
// CHECK: arith.maximumf
// CHECK-DAG: arith.constant 7.000000e+00 : f32
// CHECK: arith.minimumf
// CHECK: arith.fptosi %{{.*}} : f32 to i4
func.func @quantize(%x: tensor<?x8xbf16>, %s: tensor<8xbf16>, %z: tensor<8xi4>) -> tensor<?x8xi4> {
  %0 = transformer.quantize %x scale %s zero_point %z {axis = 1 : i64} : (tensor<?x8xbf16>, tensor<8xbf16>, tensor<8xi4>) -> tensor<?x8xi4>
  return %0 : tensor<?x8xi4>
}

// -----

// f8 saturates before it is rounded.
// CHECK-LABEL: func.func @quantize_f8
// CHECK-DAG: arith.constant -4.480000e+02 : f32
// CHECK: arith.maximumf
// CHECK-DAG: arith.constant 4.480000e+02 : f32
// CHECK: %[[C:.*]] = arith.minimumf
// CHECK: arith.truncf %[[C]] : f32 to f8E4M3FN
func.func @quantize_f8(%x: tensor<4x8xf32>, %s: tensor<f32>) -> tensor<4x8xf8E4M3FN> {
  %0 = transformer.quantize %x scale %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf8E4M3FN>
  return %0 : tensor<4x8xf8E4M3FN>
}
