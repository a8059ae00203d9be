// The backward functions of attention over pages, with a score region, of the cache, and of groups by position, as
// transformer-differentiate builds them, against the reference; static, and with dynamic sizes.
// RUN: sed 's/T_/f32/g' %s | forge-opt --transformer-differentiate=function=static | forge-opt --transformer-differentiate=function=dynamic -o %t.f32.mlir
// RUN: forge verify %t.f32.mlir --function static_grad --each-stage && forge verify %t.f32.mlir --function dynamic_grad
// RUN: forge verify %t.f32.mlir --function static_grad --tier correctness
// RUN: forge-opt %t.f32.mlir --transformer-differentiate=function=open -o %t.open.mlir && forge verify %t.open.mlir --function open_grad --each-stage
// RUN: forge-opt %t.f32.mlir --transformer-differentiate=function=blocks -o %t.blocks.mlir && forge verify %t.blocks.mlir --function blocks_grad --each-stage
// RUN: sed 's/T_/bf16/g' %s | forge-opt --transformer-differentiate=function=static | forge-opt --transformer-differentiate=function=dynamic -o %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --function static_grad && forge verify %t.bf16.mlir --function dynamic_grad
// RUN: sed 's/T_/f16/g' %s | forge-opt --transformer-differentiate=function=static -o %t.f16.mlir && forge verify %t.f16.mlir --function static_grad
func.func @static(%q: tensor<2x4x3x5xT_>, %k: tensor<2x2x3x5xT_>, %v: tensor<2x2x3x5xT_>, %keys: tensor<7x2x4x5xT_>,
                  %values: tensor<7x2x4x5xT_>, %x: tensor<11x5xT_>, %w: tensor<3x5x7xT_>, %b: tensor<3x7xT_>)
    -> (tensor<2x4x3x5xT_>, tensor<11x7xT_>) {
  // A page that both sequences have, one that lies nowhere, and one row that is dropped.
  %table = arith.constant dense<[[1, 2, 6], [1, 5, 9]]> : tensor<2x3xi32>
  %mine = arith.constant dense<[[1, 2, 6], [3, 5, -1]]> : tensor<2x3xi32>
  %at = arith.constant dense<[5, 6]> : tensor<2xi32>
  %n = arith.constant dense<[8, 9]> : tensor<2xi64>
  %0 = transformer.kv_append %k into %keys at %at table %mine
      : (tensor<2x2x3x5xT_>, tensor<7x2x4x5xT_>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<7x2x4x5xT_>
  %1 = transformer.kv_append %v into %values at %at table %mine
      : (tensor<2x2x3x5xT_>, tensor<7x2x4x5xT_>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<7x2x4x5xT_>
  %2 = transformer.paged_attention %q, %0, %1 table %table lengths %n {causal, soft_cap = 3.0 : f32} score {
  ^bb0(%s: f32, %i: index, %h: index, %j: index, %t: index):
    %half = arith.constant 0.5 : f32
    %tanh = math.tanh %s : f32
    %part = arith.mulf %tanh, %half : f32
    %y = arith.addf %s, %part : f32
    transformer.yield %y : f32
  } : (tensor<2x4x3x5xT_>, tensor<7x2x4x5xT_>, tensor<7x2x4x5xT_>, tensor<2x3xi32>, tensor<2xi64>) -> tensor<2x4x3x5xT_>
  // Rows 0 and 1 are in no group, 6 and 7 in two.
  %groups = arith.constant dense<[2, 8, 6, 99]> : tensor<4xi32>
  %3 = transformer.grouped_matmul %x, %w groups %groups bias %b {offsets, activation = #transformer.activation<silu>}
      : (tensor<11x5xT_>, tensor<3x5x7xT_>, tensor<4xi32>, tensor<3x7xT_>) -> tensor<11x7xT_>
  return %2, %3 : tensor<2x4x3x5xT_>, tensor<11x7xT_>
}

func.func @dynamic(%q: tensor<?x4x?x5xT_>, %k: tensor<?x2x?x5xT_>, %cache: tensor<?x2x?x5xT_>, %pages: tensor<?x2x?x5xT_>,
                   %table: tensor<?x?xi32>, %n: tensor<?xi32>, %at: tensor<?xi32>, %x: tensor<?x?xT_>, %w: tensor<5x?x?xT_>,
                   %groups: tensor<6xi64>) -> (tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x?xT_>) {
  %0 = transformer.kv_append %k into %cache at %at
      : (tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?xi32>) -> tensor<?x2x?x5xT_>
  %1 = transformer.paged_attention %q, %pages, %pages table %table lengths %n
      : (tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x4x?x5xT_>
  %2 = transformer.grouped_matmul %x, %w groups %groups {offsets}
      : (tensor<?x?xT_>, tensor<5x?x?xT_>, tensor<6xi64>) -> tensor<?x?xT_>
  return %1, %0, %2 : tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x?xT_>
}

// Every size of a pool may be open (five key heads are made).
func.func @open(%q: tensor<2x5x3x?xT_>, %k: tensor<?x?x?x?xT_>, %v: tensor<?x?x?x?xT_>, %table: tensor<2x2xi32>,
                %n: tensor<2xi32>) -> tensor<2x5x3x?xT_> {
  %0 = transformer.paged_attention %q, %k, %v table %table lengths %n
      : (tensor<2x5x3x?xT_>, tensor<?x?x?x?xT_>, tensor<?x?x?x?xT_>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x5x3x?xT_>
  return %0 : tensor<2x5x3x?xT_>
}

// The last blocks of weights may be shorter.
func.func @blocks(%x: tensor<3x10xT_>, %w: tensor<7x10xi8>, %s: tensor<4x4xf32>, %z: tensor<4x4xi8>, %d: tensor<?x?xi8>,
                  %t: tensor<?x?xf32>) -> (tensor<3x7xT_>, tensor<?x?xf32>) {
  %0 = transformer.linear %x, %w scale %s zero_point %z {block = array<i64: 2, 3>, activation = #transformer.activation<silu>}
      : (tensor<3x10xT_>, tensor<7x10xi8>, tensor<4x4xf32>, tensor<4x4xi8>) -> tensor<3x7xT_>
  %1 = transformer.dequantize %d scale %t {block = array<i64: 1, 1>} : (tensor<?x?xi8>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<3x7xT_>, tensor<?x?xf32>
}
