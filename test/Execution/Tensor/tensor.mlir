// What is between transformer ops: tensor, arith, math and linalg's data movement, in the reference and compiled.
// RUN: split-file %s %t
// RUN: forge verify %t/moves.mlir --target cpu | FileCheck %s --check-prefix=MOVES
// RUN: forge verify %t/dynamic.mlir --target cpu | FileCheck %s --check-prefix=DYNAMIC
// RUN: forge verify %t/numbers.mlir --target cpu | FileCheck %s --check-prefix=NUMBERS
// RUN: forge verify %t/generic.mlir --target cpu | FileCheck %s --check-prefix=GENERIC
// RUN: not forge verify %t/generate.mlir --target cpu 2>&1 | FileCheck %s --check-prefix=GENERATE

// MOVES: whole: result 0 agrees
//--- moves.mlir
func.func @main(%x: tensor<2x6xf32>, %y: tensor<2x3xf32>) -> tensor<4x3x2xf32> {
  %part = tensor.extract_slice %x[0, 1] [2, 2] [1, 3] : tensor<2x6xf32> to tensor<2x2xf32>
  %into = tensor.insert_slice %part into %y[0, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x3xf32>
  %three = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 3, 2] : tensor<2x6xf32> into tensor<2x3x2xf32>
  %two = tensor.collapse_shape %three [[0, 1], [2]] : tensor<2x3x2xf32> into tensor<6x2xf32>
  %back = tensor.expand_shape %two [[0, 1], [2]] output_shape [2, 3, 2] : tensor<6x2xf32> into tensor<2x3x2xf32>
  %empty = tensor.empty() : tensor<2x3x2xf32>
  %wide = linalg.broadcast ins(%into : tensor<2x3xf32>) outs(%empty : tensor<2x3x2xf32>) dimensions = [2]
  %sum = arith.addf %back, %wide : tensor<2x3x2xf32>
  %all = tensor.concat dim(0) %sum, %three : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<4x3x2xf32>
  return %all : tensor<4x3x2xf32>
}

// DYNAMIC: whole: result 0 agrees
//--- dynamic.mlir
func.func @main(%x: tensor<?x6xf32>) -> tensor<6x?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x6xf32>
  %empty = tensor.empty(%n) : tensor<6x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x6xf32>) outs(%empty : tensor<6x?xf32>) permutation = [1, 0]
  %half = arith.constant 0.5 : f32
  %halves = linalg.fill ins(%half : f32) outs(%empty : tensor<6x?xf32>) -> tensor<6x?xf32>
  %y = arith.mulf %t, %halves : tensor<6x?xf32>
  return %y : tensor<6x?xf32>
}

// NUMBERS: whole: result 0 agrees
// NUMBERS: whole: result 1 agrees
//--- numbers.mlir
func.func @main(%x: tensor<5xf32>, %y: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf16>) {
  %c = arith.constant dense<2.0> : tensor<5xf32>
  %0 = arith.divf %x, %c : tensor<5xf32>
  %1 = arith.subf %0, %y : tensor<5xf32>
  %2 = arith.negf %1 : tensor<5xf32>
  %3 = math.exp %2 : tensor<5xf32>
  %less = arith.cmpf olt, %x, %y : tensor<5xf32>
  %4 = arith.select %less, %3, %2 : tensor<5xi1>, tensor<5xf32>
  %5 = arith.truncf %4 : tensor<5xf32> to tensor<5xf16>
  return %4, %5 : tensor<5xf32>, tensor<5xf16>
}

// Bodies of linalg: indices, windows, several results, integers, and branches and loops around.
// GENERIC-COUNT-4: agrees
//--- generic.mlir
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<9xf32>, %k: tensor<3xf32>, %m: tensor<4x?xf32>, %c: tensor<i1>) -> (tensor<7xf32>, tensor<9xf32>, tensor<4xf32>, tensor<4xi32>) {
  %zero = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %k : tensor<9xf32>, tensor<3xf32>) outs(%zero : tensor<7xf32>) -> tensor<7xf32>
  %e = tensor.empty() : tensor<9xf32>
  %flag = tensor.extract %c[] : tensor<i1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = scf.if %flag -> tensor<9xf32> {
    scf.yield %x : tensor<9xf32>
  } else {
    %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> tensor<9xf32> {
      %t = math.tanh %h : tensor<9xf32>
      scf.yield %t : tensor<9xf32>
    }
    scf.yield %l : tensor<9xf32>
  }
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %n = arith.sitofp %j : i32 to f32
    %p = arith.mulf %a, %n : f32
    linalg.yield %p : f32
  } -> tensor<9xf32>
  %none = arith.constant dense<0.0> : tensor<4xf32>
  %no = arith.constant dense<0> : tensor<4xi32>
  %sum, %count = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<4x?xf32>) outs(%none, %no : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %s: f32, %n: i32):
    %one = arith.constant 1 : i32
    %t = arith.addf %s, %a : f32
    %o = arith.addi %n, %one : i32
    linalg.yield %t, %o : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %y, %w, %sum, %count : tensor<7xf32>, tensor<9xf32>, tensor<4xf32>, tensor<4xi32>
}

// GENERATE: error: unsupported op 'tensor.generate' in the reference
//--- generate.mlir
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = tensor.generate {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<5xf32>
    tensor.yield %a : f32
  } : tensor<5xf32>
  return %y : tensor<5xf32>
}
