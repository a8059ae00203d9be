// How the chunks of a merge are found: by one search where the comparator is known to be a strict weak order, by halving
// (a loop around the search) where it is not. Two passes each. Long lines are sorted in tiles, short ones by counting, if the
// comparator is one.
// RUN: forge-opt %s --convert-stablehlo-to-linalg=chunked-sorts | FileCheck %s

// CHECK-LABEL: @integers
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
func.func @integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %before = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>) -> tensor<?xi32>
  return %s : tensor<?xi32>
}

// Keys computed alike on both sides, two of them, as JAX writes them.
// CHECK-LABEL: @two_keys
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
func.func @two_keys(%x: tensor<?xf32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %s:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %ka = stablehlo.add %a, %zero : tensor<f32>
      %kb = stablehlo.add %b, %zero : tensor<f32>
      %before = stablehlo.compare LT, %ka, %kb, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %ka, %kb, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %second = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %second : tensor<i1>
      %r = stablehlo.or %before, %tie : tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %s#0, %s#1 : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: @selected_key
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
func.func @selected_key(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %s:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %before = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %second = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %r = stablehlo.select %same, %second, %before : tensor<i1>, tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %s#0, %s#1 : tensor<?xi32>, tensor<?xi32>
}

// CHECK-LABEL: @floats
// CHECK-COUNT-4: scf.while
// CHECK-NOT: scf.while
func.func @floats(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %before = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// CHECK-LABEL: @not_strict
// CHECK-COUNT-4: scf.while
// CHECK-NOT: scf.while
func.func @not_strict(%x: tensor<?xi32>) -> tensor<?xi32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %before = stablehlo.compare LE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>) -> tensor<?xi32>
  return %s : tensor<?xi32>
}

// Each side has a key of its own.
// CHECK-LABEL: @different_keys
// CHECK-COUNT-4: scf.while
// CHECK-NOT: scf.while
func.func @different_keys(%x: tensor<?xi32>) -> tensor<?xi32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %n = stablehlo.negate %b : tensor<i32>
      %before = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>) -> tensor<?xi32>
  return %s : tensor<?xi32>
}

// The tie is asked of another key.
// CHECK-LABEL: @other_tie
// CHECK-COUNT-4: scf.while
// CHECK-NOT: scf.while
func.func @other_tie(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %s:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %before = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %before : tensor<i1>
      %r = stablehlo.or %before, %tie : tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %s#0, %s#1 : tensor<?xi32>, tensor<?xi32>
}

// CHECK-LABEL: @short
// CHECK-NOT: scf.while
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: } {forge.independent}
// CHECK-NOT: scf.while
func.func @short(%x: tensor<48xi32>) -> tensor<48xi32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %before = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<48xi32>) -> tensor<48xi32>
  return %s : tensor<48xi32>
}

// NaN is neither before nor behind anything: counting would put elements to one place.
// CHECK-LABEL: @short_without_order
// CHECK: scf.while
func.func @short_without_order(%x: tensor<48xf32>) -> tensor<48xf32> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %before = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<48xf32>) -> tensor<48xf32>
  return %s : tensor<48xf32>
}
