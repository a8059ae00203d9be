// Dimensions of size 0 beside dynamic ones, in operations that slice, tile and sort.
// RUN: forge verify %s --function rows --each-stage
// RUN: forge verify %s --function rows --tier correctness
// RUN: forge verify %s --function grouped --each-stage
// RUN: forge verify %s --function keys --each-stage
// RUN: forge verify %s --function gradients --each-stage
func.func @rows(%x: tensor<0x8xf32>, %y: tensor<?x0xf32>, %k: tensor<2x1x?x3xf32>, %c: tensor<2x1x0x3xf32>, %at: tensor<2xi32>)
    -> (tensor<0x3xf32>, tensor<0x3xi32>, tensor<0x2xf32>, tensor<0x2xi32>, tensor<?x0xf32>, tensor<?x0xf32>, tensor<2x1x0x3xf32>) {
  %0, %1 = transformer.top_k %x {k = 3 : i64} : (tensor<0x8xf32>) -> (tensor<0x3xf32>, tensor<0x3xi32>)
  %2, %3 = transformer.moe_route softmax %x {k = 2 : i64, groups = 4 : i64, top_groups = 2 : i64} : (tensor<0x8xf32>) -> (tensor<0x2xf32>, tensor<0x2xi32>)
  %4 = transformer.log_softmax %y {dimension = 1 : i64} : tensor<?x0xf32>
  %5 = transformer.log_softmax_grad %y, %4 {dimension = 1 : i64} : tensor<?x0xf32>
  %6 = transformer.kv_append %k into %c at %at : (tensor<2x1x?x3xf32>, tensor<2x1x0x3xf32>, tensor<2xi32>) -> tensor<2x1x0x3xf32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<0x3xf32>, tensor<0x3xi32>, tensor<0x2xf32>, tensor<0x2xi32>, tensor<?x0xf32>, tensor<?x0xf32>, tensor<2x1x0x3xf32>
}

// Groups of rows without columns, and of columns without rows: what is left of the second is its epilogue.
func.func @grouped(%x: tensor<?x5xf32>, %w: tensor<2x5x0xf32>, %at: tensor<3xi32>, %y: tensor<?x0xf32>, %v: tensor<2x0x7xf32>,
                   %n: tensor<2xi32>, %b: tensor<2x7xf32>, %z: tensor<0x5xf32>) -> (tensor<?x0xf32>, tensor<?x7xf32>, tensor<2x5x5xf32>, tensor<2x0x5xf32>) {
  %0 = transformer.grouped_matmul %x, %w groups %at {offsets} : (tensor<?x5xf32>, tensor<2x5x0xf32>, tensor<3xi32>) -> tensor<?x0xf32>
  %1 = transformer.grouped_matmul %y, %v groups %n bias %b {activation = #transformer.activation<sigmoid>}
      : (tensor<?x0xf32>, tensor<2x0x7xf32>, tensor<2xi32>, tensor<2x7xf32>) -> tensor<?x7xf32>
  %2 = transformer.grouped_outer %z, %z groups %n : (tensor<0x5xf32>, tensor<0x5xf32>, tensor<2xi32>) -> tensor<2x5x5xf32>
  %3 = transformer.grouped_outer %y, %x groups %at {offsets} : (tensor<?x0xf32>, tensor<?x5xf32>, tensor<3xi32>) -> tensor<2x0x5xf32>
  return %0, %1, %2, %3 : tensor<?x0xf32>, tensor<?x7xf32>, tensor<2x5x5xf32>, tensor<2x0x5xf32>
}

// No key: rows are zero, or nothing but a sink.
func.func @keys(%q: tensor<?x2x?x5xf32>, %k: tensor<?x2x0x5xf32>, %v: tensor<?x2x0x6xf32>, %s: tensor<2xf32>)
    -> (tensor<?x2x?x6xf32>, tensor<?x2x?xf32>, tensor<?x2x?x6xf32>) {
  %0, %1 = transformer.attention %q, %k, %v sinks %s : (tensor<?x2x?x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>, tensor<2xf32>) -> (tensor<?x2x?x6xf32>, tensor<?x2x?xf32>)
  %2 = transformer.attention %q, %k, %v {causal} : (tensor<?x2x?x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>) -> tensor<?x2x?x6xf32>
  return %0, %1, %2 : tensor<?x2x?x6xf32>, tensor<?x2x?xf32>, tensor<?x2x?x6xf32>
}

func.func @gradients(%do: tensor<?x2x3x6xf32>, %q: tensor<?x2x3x5xf32>, %k: tensor<?x2x0x5xf32>, %v: tensor<?x2x0x6xf32>)
    -> (tensor<?x2x3x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>) {
  %0, %1, %2 = transformer.attention_grad %do, %q, %k, %v
      : (tensor<?x2x3x6xf32>, tensor<?x2x3x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>) -> (tensor<?x2x3x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>)
  return %0, %1, %2 : tensor<?x2x3x5xf32>, tensor<?x2x0x5xf32>, tensor<?x2x0x6xf32>
}
