// RUN: split-file %s %t
// RUN: forge-opt %t/errors.mlir --split-input-file --verify-diagnostics --transformer-differentiate
// RUN: not forge-opt %t/one.mlir --transformer-differentiate=function=absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not forge-opt %t/one.mlir --transformer-differentiate=arguments=2 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not forge-opt %t/one.mlir --transformer-differentiate=arguments=1 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not forge-opt %t/one.mlir --transformer-differentiate=name=one 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: forge-opt %t/around.mlir --transformer-differentiate=arguments=1 | FileCheck %s --check-prefix=AROUND
// ABSENT: expected a function named '@absent', but there is none
// RANGE: expected arguments below 2, but got 2
// INTEGER: expected a tensor of f64, f32, f16 or bf16 for argument 1, but got 'tensor<4xi32>'
// NAME: expected a new name for the backward function, but '@one' exists

//--- errors.mlir
// No gradient, but a chosen argument goes through it.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'math.copysign' is not differentiable}}
  %y = math.copysign %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported recursive call of '@main'}}
  %y = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a function '@outside' with a body}}
  %y = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a function with an argument of floats}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

func.func @main(%x: tensor<4x4xi8>, %w: tensor<4x4xf8E4M3FN>, %r: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = transformer.matmul %w, %w residual %r : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = arith.truncf %x : tensor<4x4xf32> to tensor<4x4xf8E4M3FN>
  // expected-error @+1 {{'transformer.matmul' is not differentiable for factors of 'f8E4M3FN'}}
  %y = transformer.matmul %w, %w : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// What is stored in a narrow type has no slope.
func.func @main(%x: tensor<4x8xf32>, %s: tensor<f32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'transformer.quantize' is not differentiable}}
  %q = transformer.quantize %x scale %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  %y = transformer.dequantize %q scale %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A score region is differentiated by the score it takes: every operation on the way needs a derivative.
func.func @main(%q: tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32> {
  %y = transformer.attention %q, %q, %q score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @+1 {{'math.copysign' in a score region is not differentiable}}
    %z = math.copysign %x, %x : f32
    transformer.yield %z : f32
  } : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
  return %y : tensor<1x1x2x4xf32>
}

// -----

// By what else it reads, it is differentiated element by element.
func.func @main(%q: tensor<1x1x2x4xf32>, %slopes: tensor<1xf32>) -> tensor<1x1x2x4xf32> {
  %y = transformer.attention %q, %q, %q score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @+1 {{'arith.negf' in a score region is not differentiable by what it reads from outside: expected 'tensor.extract' of a tensor of floats}}
    %fall = arith.negf %slopes : tensor<1xf32>
    %slope = tensor.extract %fall[%h] : tensor<1xf32>
    %z = arith.addf %x, %slope : f32
    transformer.yield %z : f32
  } : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
  return %y : tensor<1x1x2x4xf32>
}

// -----

// A function of numbers without a tensor around them has no place for a cotangent.
func.func @main(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = tensor.extract %x[%c0] : tensor<4xf32>
  // expected-error @+1 {{expected a tensor of f64, f32, f16 or bf16 for result 0, which depends on a chosen argument, but got 'f32'}}
  return %y : f32
}

// -----

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf8E5M2>) {
  %y = arith.truncf %x : tensor<4xf32> to tensor<4xf8E5M2>
  // expected-error @+1 {{for result 1, which depends on a chosen argument, but got 'tensor<4xf8E5M2>'}}
  return %x, %y : tensor<4xf32>, tensor<4xf8E5M2>
}

// -----

// Sums of rounded numbers are rounded numbers, also in i32.
func.func @main(%x: tensor<4x4xf32>, %s: tensor<f32>) -> tensor<4x4xf32> {
  %q = transformer.quantize %x scale %s : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi8>
  %m = transformer.matmul %q, %q : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<4x4xi32>
  // expected-error @+1 {{'arith.sitofp' is not differentiable: it has no DifferentiableOpInterface}}
  %y = arith.sitofp %m : tensor<4x4xi32> to tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  // expected-error @+1 {{'arith.bitcast' is not differentiable: it has no DifferentiableOpInterface}}
  %y = arith.bitcast %i : tensor<4xi32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What goes to memory may come back.
func.func @main(%x: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'bufferization.materialize_in_destination' is not differentiable: a chosen argument goes to memory}}
  bufferization.materialize_in_destination %x in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %y = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Loops run as often as constants say.
func.func @main(%x: tensor<4xf32>, %n: tensor<index>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = tensor.extract %n[] : tensor<index>
  // expected-error @+1 {{'scf.for' is not differentiable: expected constant bounds, and at most 100000 operations in all of its rounds}}
  %y = scf.for %i = %c0 to %rounds step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %z = arith.addf %h, %h : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %low = arith.constant -9223372036854775808 : i64
  %high = arith.constant 9223372036854775807 : i64
  %c1 = arith.constant 1 : i64
  // expected-error @+1 {{'scf.for' is not differentiable}}
  %y = scf.for %i = %low to %high step %c1 iter_args(%h = %x) -> tensor<4xf32> : i64 {
    %z = arith.addf %h, %h : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'scf.while' is not differentiable: it has no DifferentiableOpInterface}}
  %y = scf.while (%h = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %false = arith.constant false
    scf.condition(%false) %h : tensor<4xf32>
  } do {
  ^bb0(%h: tensor<4xf32>):
    scf.yield %h : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Each side of a branch is looked at, also what goes to memory there.
func.func @main(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %flag = tensor.extract %c[] : tensor<i1>
  %y = scf.if %flag -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    // expected-error @+1 {{'math.copysign' is not differentiable: it has no DifferentiableOpInterface}}
    %z = math.copysign %x, %x : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %c: tensor<i1>, %m: memref<4xf32>) -> tensor<4xf32> {
  %flag = tensor.extract %c[] : tensor<i1>
  scf.if %flag {
    // expected-error @+1 {{'bufferization.materialize_in_destination' is not differentiable: a chosen argument goes to memory}}
    bufferization.materialize_in_destination %x in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return %x : tensor<4xf32>
}

// -----

// Gradients are of the first order, until they are linalg.
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'transformer.activation_grad' is not differentiable}}
  %y = transformer.activation_grad gelu %dy, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a function to differentiate: there is no '@main', and 2 public functions}}
module {
  func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

func.func @main(%x: tensor<4xf32>, %n: tensor<f32>) -> tensor<6xf32> {
  %number = tensor.extract %n[] : tensor<f32>
  // expected-error @+1 {{'tensor.pad' is not differentiable by the number it pads with}}
  %y = tensor.pad %x low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %number : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// Windows are indexed by two loops at once.
func.func @main(%x: tensor<9xf32>, %k: tensor<3xf32>) -> tensor<7xf32> {
  %zero = arith.constant dense<0.0> : tensor<7xf32>
  // expected-error @+1 {{'linalg.generic' is not differentiable: expected operands indexed by loops alone}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<9xf32>, tensor<3xf32>) outs(%zero : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{'linalg' reduction is not differentiable: expected a sum, a maximum or a minimum of what its inputs give}}
  %y = linalg.reduce { arith.mulf } ins(%x : tensor<4xf32>) outs(%one : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{'linalg' reduction is not differentiable: expected a sum}}
  %y = linalg.reduce ins(%x : tensor<4xf32>) outs(%one : tensor<f32>) dimensions = [0] (%a: f32, %s: f32) {
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %s : f32
    linalg.yield %1 : f32
  }
  return %y : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32>, %m: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'linalg' reduction is not differentiable by what a maximum or minimum begins as}}
  %y = linalg.reduce { arith.maximumf } ins(%x : tensor<4xf32>) outs(%m : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'tensor.extract' in a linalg operation is not differentiable by what it reads from outside}}
    %a = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    // expected-error @+1 {{'math.copysign' in a linalg operation is not differentiable}}
    %b = math.copysign %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- one.mlir
func.func @one(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// What no chosen argument goes through need not be differentiable; nor what no result of floats depends on.
// AROUND: func.func @main_grad
// AROUND: return %{{.*}} : tensor<4xf32>
//--- around.mlir
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = math.copysign %x, %x : tensor<4xf32>
  %1 = arith.mulf %0, %y : tensor<4xf32>
  %2 = math.copysign %y, %y : tensor<4xf32>
  %3 = arith.fptosi %2 : tensor<4xf32> to tensor<4xi32>
  // A number that became an index selects.
  %table = arith.constant dense<1.0> : tensor<4x1xf32>
  %4 = transformer.embedding %table, %3 : (tensor<4x1xf32>, tensor<4xi32>) -> tensor<4x1xf32>
  %5 = tensor.collapse_shape %4 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %6 = arith.mulf %1, %5 : tensor<4xf32>
  return %6, %3 : tensor<4xf32>, tensor<4xi32>
}
