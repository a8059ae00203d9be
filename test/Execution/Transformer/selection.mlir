// argmax, top_k, sample, cross_entropy and moe_route against the reference, in every float type.
// RUN: sed 's/T_/f32/g; s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --function static --each-stage
// RUN: sed 's/T_/f64/g; s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --function static
// RUN: sed 's/T_/f16/g; s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --function static
// RUN: sed 's/T_/bf16/g; s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --function static
// RUN: forge verify %t.bf16.mlir --function static --tier correctness
// RUN: forge verify %t.f32.mlir --function dynamic --each-stage && forge verify %t.bf16.mlir --function dynamic
// RUN: forge verify %t.f32.mlir --function routes --each-stage && forge verify %t.f64.mlir --function routes
// RUN: forge verify %t.f16.mlir --function routes && forge verify %t.bf16.mlir --function routes
func.func @static(%x: tensor<7x37xT_>, %y: tensor<2x3x13xT_>, %seeds: tensor<7xi64>, %steps: tensor<7xi64>, %t: tensor<7xf32>,
                  %k: tensor<7xi32>, %p: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<2x3xi64>)
    -> (tensor<7xi32>, tensor<2x3xi64>, tensor<7x5xT_>, tensor<7x5xi32>, tensor<2x3x13xT_>, tensor<2x3x13xi64>,
        tensor<7xi32>, tensor<7xi64>, tensor<7xi32>, tensor<7xi32>, tensor<A_>, tensor<7xA_>, tensor<A_>, tensor<2x3xf64>) {
  %0 = transformer.argmax %x : tensor<7x37xT_> -> tensor<7xi32>
  %1 = transformer.argmax %y : tensor<2x3x13xT_> -> tensor<2x3xi64>
  %2, %3 = transformer.top_k %x {k = 5 : i64} : (tensor<7x37xT_>) -> (tensor<7x5xT_>, tensor<7x5xi32>)
  %4, %5 = transformer.top_k %y {k = 13 : i64} : (tensor<2x3x13xT_>) -> (tensor<2x3x13xT_>, tensor<2x3x13xi64>)
  %6 = transformer.sample %x seeds %seeds steps %steps : (tensor<7x37xT_>, tensor<7xi64>, tensor<7xi64>) -> tensor<7xi32>
  %7 = transformer.sample %x seeds %seeds steps %steps temperature %t top_k %k top_p %p
      : (tensor<7x37xT_>, tensor<7xi64>, tensor<7xi64>, tensor<7xf32>, tensor<7xi32>, tensor<7xf32>) -> tensor<7xi64>
  %8 = transformer.sample %x seeds %seeds steps %steps top_p %p
      : (tensor<7x37xT_>, tensor<7xi64>, tensor<7xi64>, tensor<7xf32>) -> tensor<7xi32>
  %9 = transformer.sample %x seeds %seeds steps %steps top_k %k
      : (tensor<7x37xT_>, tensor<7xi64>, tensor<7xi64>, tensor<7xi32>) -> tensor<7xi32>
  %10 = transformer.cross_entropy mean %x, %c {ignore_index = 3 : i64, label_smoothing = 1.0e-01 : f32}
      : (tensor<7x37xT_>, tensor<7xi32>) -> tensor<A_>
  %11 = transformer.cross_entropy none %x, %c : (tensor<7x37xT_>, tensor<7xi32>) -> tensor<7xA_>
  %12 = transformer.cross_entropy sum %y, %d : (tensor<2x3x13xT_>, tensor<2x3xi64>) -> tensor<A_>
  %13 = transformer.cross_entropy none %y, %d {accumulate = f64} : (tensor<2x3x13xT_>, tensor<2x3xi64>) -> tensor<2x3xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13
      : tensor<7xi32>, tensor<2x3xi64>, tensor<7x5xT_>, tensor<7x5xi32>, tensor<2x3x13xT_>, tensor<2x3x13xi64>,
        tensor<7xi32>, tensor<7xi64>, tensor<7xi32>, tensor<7xi32>, tensor<A_>, tensor<7xA_>, tensor<A_>, tensor<2x3xf64>
}

func.func @dynamic(%x: tensor<?x?xT_>, %seeds: tensor<?xi64>, %steps: tensor<?xi64>, %p: tensor<?xf32>, %c: tensor<?xi64>)
    -> (tensor<?xi32>, tensor<?x3xT_>, tensor<?x3xi32>, tensor<?xi32>, tensor<A_>) {
  %0 = transformer.argmax %x : tensor<?x?xT_> -> tensor<?xi32>
  %1, %2 = transformer.top_k %x {k = 3 : i64} : (tensor<?x?xT_>) -> (tensor<?x3xT_>, tensor<?x3xi32>)
  %3 = transformer.sample %x seeds %seeds steps %steps top_p %p
      : (tensor<?x?xT_>, tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) -> tensor<?xi32>
  // Some classes lie outside: their losses are NaN, and ignored ones 0.
  %4 = transformer.cross_entropy mean %x, %c {ignore_index = -100 : i64} : (tensor<?x?xT_>, tensor<?xi64>) -> tensor<A_>
  return %0, %1, %2, %3, %4 : tensor<?xi32>, tensor<?x3xT_>, tensor<?x3xi32>, tensor<?xi32>, tensor<A_>
}

func.func @routes(%x: tensor<7x24xT_>, %bias: tensor<24xA_>, %y: tensor<?x6xT_>)
    -> (tensor<7x4xT_>, tensor<7x4xi32>, tensor<7x3xT_>, tensor<7x3xi64>, tensor<7x6xT_>, tensor<7x6xi32>, tensor<?x1xT_>,
        tensor<?x1xi32>) {
  // Mixtral, DeepSeek-V2, DeepSeek-V3, Llama 4.
  %0, %1 = transformer.moe_route softmax %x {k = 4 : i64, normalize} : (tensor<7x24xT_>) -> (tensor<7x4xT_>, tensor<7x4xi32>)
  %2, %3 = transformer.moe_route softmax %x {k = 3 : i64, groups = 8 : i64, top_groups = 3 : i64, scale = 1.6e+01 : f32}
      : (tensor<7x24xT_>) -> (tensor<7x3xT_>, tensor<7x3xi64>)
  %4, %5 = transformer.moe_route sigmoid %x bias %bias {k = 6 : i64, normalize, groups = 6 : i64, top_groups = 2 : i64,
      group_score = #transformer.group_score<top2>, scale = 2.5 : f32}
      : (tensor<7x24xT_>, tensor<24xA_>) -> (tensor<7x6xT_>, tensor<7x6xi32>)
  %6, %7 = transformer.moe_route sigmoid %y {k = 1 : i64} : (tensor<?x6xT_>) -> (tensor<?x1xT_>, tensor<?x1xi32>)
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<7x4xT_>, tensor<7x4xi32>, tensor<7x3xT_>, tensor<7x3xi64>, tensor<7x6xT_>,
      tensor<7x6xi32>, tensor<?x1xT_>, tensor<?x1xi32>
}
