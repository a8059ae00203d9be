// What stands between transformer ops: tensor, arith, math and linalg's data movement, in the reference and compiled.
// RUN: split-file %s %t
// RUN: forge verify %t/moves.mlir --target cpu | FileCheck %s --check-prefix=MOVES
// RUN: forge verify %t/dynamic.mlir --target cpu | FileCheck %s --check-prefix=DYNAMIC
// RUN: forge verify %t/numbers.mlir --target cpu | FileCheck %s --check-prefix=NUMBERS
// RUN: not forge verify %t/generic.mlir --target cpu 2>&1 | FileCheck %s --check-prefix=GENERIC

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

// GENERIC: error: unsupported op 'linalg.generic' in the reference
//--- generic.mlir
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%x : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}
