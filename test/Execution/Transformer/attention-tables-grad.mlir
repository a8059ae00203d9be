// Gradients of tables that a score region reads, against the reference: slopes per head (ALiBi), a bias by distance, by
// bucket of distances (T5), and by place, of every float type, static and dynamic.
// RUN: sed 's/T_/f32/g;s/A_/f32/g' %s | forge-opt --transformer-differentiate=function=static --transformer-differentiate=function=dynamic -o %t.f32.mlir
// RUN: forge verify %t.f32.mlir --function static_grad --each-stage
// RUN: forge verify %t.f32.mlir --function static_grad --tier correctness
// RUN: forge verify %t.f32.mlir --function dynamic_grad
// RUN: sed 's/T_/f64/g;s/A_/f64/g' %s | forge-opt --transformer-differentiate=function=static --transformer-differentiate=function=dynamic -o %t.f64.mlir
// RUN: forge verify %t.f64.mlir --function static_grad
// RUN: forge verify %t.f64.mlir --function dynamic_grad
// RUN: sed 's/T_/f16/g;s/A_/f32/g' %s | forge-opt --transformer-differentiate=function=static --transformer-differentiate=function=dynamic -o %t.f16.mlir
// RUN: forge verify %t.f16.mlir --function static_grad
// RUN: sed 's/T_/bf16/g;s/A_/f32/g' %s | forge-opt --transformer-differentiate=function=static --transformer-differentiate=function=dynamic -o %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --function static_grad
// RUN: forge verify %t.bf16.mlir --function dynamic_grad
func.func @static(%q: tensor<2x4x5x8xT_>, %k: tensor<2x2x7x8xT_>, %v: tensor<2x2x7x3xT_>, %slopes: tensor<4xA_>,
                  %distances: tensor<4x11xbf16>, %buckets: tensor<8x4xA_>, %places: tensor<6x9xA_>, %temperature: tensor<A_>)
    -> (tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>) {
  // Press et al., 2022: a slope per head, times the distance.
  %0 = transformer.attention %q, %k, %v {causal} score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %c2 = arith.constant 2 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xA_>
    %p = arith.addi %s, %c2 : index
    %d = arith.subi %t, %p : index
    %i = arith.index_cast %d : index to i32
    %f = arith.sitofp %i : i32 to A_
    %bias = arith.mulf %slope, %f : A_
    %y = arith.addf %x, %bias : A_
    transformer.yield %y : A_
  } : (tensor<2x4x5x8xT_>, tensor<2x2x7x8xT_>, tensor<2x2x7x3xT_>) -> tensor<2x4x5x3xT_>
  // A bias per head and distance.
  %1 = transformer.attention %q, %k, %v score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %c4 = arith.constant 4 : index
    %d = arith.subi %t, %s : index
    %i = arith.addi %d, %c4 : index
    %narrow = tensor.extract %distances[%h, %i] : tensor<4x11xbf16>
    %bias = arith.extf %narrow : bf16 to A_
    %y = arith.addf %x, %bias : A_
    transformer.yield %y : A_
  } : (tensor<2x4x5x8xT_>, tensor<2x2x7x8xT_>, tensor<2x2x7x3xT_>) -> tensor<2x4x5x3xT_>
  // Raffel et al., 2020: a bias per bucket and head; near distances have buckets of their own, far ones share by their logarithm.
  %2 = transformer.attention %q, %k, %v {scale = 1.0 : f32} score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %half = arith.constant 0.5 : f32
    %factor = arith.constant 1.5 : f32
    %p = arith.addi %s, %c2 : index
    %d = arith.subi %t, %p : index
    %after = arith.cmpi sgt, %d, %c0 : index
    %first = arith.select %after, %c4, %c0 : index
    %a = math.absi %d : index
    %near = arith.cmpi slt, %a, %c2 : index
    %away = arith.maxsi %a, %c2 : index
    %i = arith.index_cast %away : index to i32
    %f = arith.sitofp %i : i32 to f32
    %ratio = arith.mulf %f, %half : f32
    %log = math.log %ratio : f32
    %scaled = arith.mulf %log, %factor : f32
    %far = arith.fptosi %scaled : f32 to i32
    %n = arith.index_cast %far : i32 to index
    %farther = arith.addi %n, %c2 : index
    %held = arith.minsi %farther, %c3 : index
    %inner = arith.select %near, %a, %held : index
    %bucket = arith.addi %first, %inner : index
    %bias = tensor.extract %buckets[%bucket, %h] : tensor<8x4xA_>
    %y = arith.addf %x, %bias : A_
    transformer.yield %y : A_
  } : (tensor<2x4x5x8xT_>, tensor<2x2x7x8xT_>, tensor<2x2x7x3xT_>) -> tensor<2x4x5x3xT_>
  // One table larger than the scores, read in two places, through a function; and one number.
  %m = arith.constant dense<[[true, true, true, false, true, true, false]]> : tensor<1x7xi1>
  %mask = tensor.expand_shape %m [[0, 1, 2], [3]] output_shape [1, 1, 1, 7] : tensor<1x7xi1> into tensor<1x1x1x7xi1>
  %3 = transformer.attention %q, %k, %v mask %mask {soft_cap = 5.0 : f32} score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %here = tensor.extract %places[%s, %t] : tensor<6x9xA_>
    %other = tensor.extract %places[%b, %b] : tensor<6x9xA_>
    %number = tensor.extract %temperature[] : tensor<A_>
    %hot = arith.mulf %x, %number : A_
    %bound = math.tanh %hot : A_
    %part = arith.mulf %bound, %here : A_
    %y = arith.addf %part, %other : A_
    transformer.yield %y : A_
  } : (tensor<2x4x5x8xT_>, tensor<2x2x7x8xT_>, tensor<2x2x7x3xT_>, tensor<1x1x1x7xi1>) -> tensor<2x4x5x3xT_>
  return %0, %1, %2, %3 : tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>, tensor<2x4x5x3xT_>
}

func.func @dynamic(%q: tensor<?x4x?x?xT_>, %k: tensor<?x2x?x?xT_>, %n: tensor<?xi32>, %slopes: tensor<?xA_>, %distances: tensor<4x15xA_>)
    -> tensor<?x4x?x?xT_> {
  %0 = transformer.attention %q, %k, %k lengths %n score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c14 = arith.constant 14 : index
    %size = tensor.dim %slopes, %c0 : tensor<?xA_>
    %own = arith.remui %h, %size : index
    %slope = tensor.extract %slopes[%own] : tensor<?xA_>
    %d = arith.subi %t, %s : index
    %i = arith.addi %d, %c7 : index
    %low = arith.maxsi %i, %c0 : index
    %held = arith.minsi %low, %c14 : index
    %bias = tensor.extract %distances[%h, %held] : tensor<4x15xA_>
    %steep = arith.mulf %slope, %bias : A_
    %y = arith.addf %x, %steep : A_
    transformer.yield %y : A_
  } : (tensor<?x4x?x?xT_>, tensor<?x2x?x?xT_>, tensor<?x2x?x?xT_>, tensor<?xi32>) -> tensor<?x4x?x?xT_>
  return %0 : tensor<?x4x?x?xT_>
}
