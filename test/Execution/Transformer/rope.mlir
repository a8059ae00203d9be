// Rotary positions against the reference: both layouts, part of a head, every scaling rule, every float type.
// RUN: sed 's/T_/f32/g; s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --function static --each-stage
// RUN: sed 's/T_/f64/g; s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --function static
// RUN: sed 's/T_/f16/g; s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --function static
// RUN: sed 's/T_/bf16/g; s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --function static
// RUN: forge verify %t.bf16.mlir --function static --tier correctness
// RUN: forge verify %t.f32.mlir --function stretched --each-stage && forge verify %t.bf16.mlir --function stretched
// RUN: forge verify %t.f32.mlir --function sequences --each-stage && forge verify %t.bf16.mlir --function sequences
// RUN: forge verify %t.f32.mlir --function dynamic --each-stage && forge verify %t.bf16.mlir --function dynamic
func.func @static(%x: tensor<2x3x5x14xT_>, %p: tensor<2x5xi32>, %q: tensor<5xi64>, %f: tensor<7xA_>)
    -> (tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>,
        tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>) {
  %0 = transformer.rope %x positions %p : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  %1 = transformer.rope %x positions %q {interleaved} : (tensor<2x3x5x14xT_>, tensor<5xi64>) -> tensor<2x3x5x14xT_>
  %2 = transformer.rope %x positions %p {rotary_dims = 6 : i64, base = 5.0e+05 : f64}
      : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  %3 = transformer.rope %x positions %q frequencies %f {interleaved}
      : (tensor<2x3x5x14xT_>, tensor<5xi64>, tensor<7xA_>) -> tensor<2x3x5x14xT_>
  %4 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<linear, factor = 4.0>, accumulate = f64}
      : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  %5 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<yarn, factor = 4.0, original_length = 1024>}
      : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  %6 = transformer.rope %x positions %p {interleaved, rotary_dims = 12 : i64, base = 5.0e+05 : f64,
      scaling = #transformer.rope_scaling<llama3, factor = 8.0, original_length = 8192>}
      : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>,
      tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>
}

func.func @dynamic(%x: tensor<?x?x?x10xT_>, %y: tensor<?x?x?x?xT_>, %p: tensor<?x?xi32>, %q: tensor<?xi64>)
    -> (tensor<?x?x?x10xT_>, tensor<?x?x?x?xT_>) {
  %0 = transformer.rope %x positions %p {interleaved} : (tensor<?x?x?x10xT_>, tensor<?x?xi32>) -> tensor<?x?x?x10xT_>
  %1 = transformer.rope %y positions %q {rotary_dims = 4 : i64} : (tensor<?x?x?x?xT_>, tensor<?xi64>) -> tensor<?x?x?x?xT_>
  return %0, %1 : tensor<?x?x?x10xT_>, tensor<?x?x?x?xT_>
}

// Frequencies that are computed at run time, in f64: with f32 angles and narrower they are the same to the last bit.
func.func @stretched(%x: tensor<2x3x5x14xT_>, %p: tensor<2x5xi32>, %q: tensor<5xi64>) -> (tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>) {
  %0 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<dynamic, factor = 2.0, original_length = 2048>}
      : (tensor<2x3x5x14xT_>, tensor<2x5xi32>) -> tensor<2x3x5x14xT_>
  // No position is beyond the original context: nothing is stretched.
  %1 = transformer.rope %x positions %q {scaling = #transformer.rope_scaling<dynamic, factor = 8.0, original_length = 8192>}
      : (tensor<2x3x5x14xT_>, tensor<5xi64>) -> tensor<2x3x5x14xT_>
  return %0, %1 : tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>
}

// Frequencies of each sequence.
func.func @sequences(%x: tensor<2x3x5x14xT_>, %p: tensor<2x5xi32>, %q: tensor<5xi64>, %f: tensor<2x7xA_>, %g: tensor<2x4xA_>) -> (tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>) {
  %0 = transformer.rope %x positions %p frequencies %f : (tensor<2x3x5x14xT_>, tensor<2x5xi32>, tensor<2x7xA_>) -> tensor<2x3x5x14xT_>
  %1 = transformer.rope %x positions %q frequencies %f {interleaved} : (tensor<2x3x5x14xT_>, tensor<5xi64>, tensor<2x7xA_>) -> tensor<2x3x5x14xT_>
  %2 = transformer.rope %x positions %q frequencies %g {rotary_dims = 8 : i64} : (tensor<2x3x5x14xT_>, tensor<5xi64>, tensor<2x4xA_>) -> tensor<2x3x5x14xT_>
  return %0, %1, %2 : tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>, tensor<2x3x5x14xT_>
}
