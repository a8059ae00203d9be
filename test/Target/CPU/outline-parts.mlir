// RUN: forge-opt %s --forge-outline-parts="max-length=2 max-depth=2" --split-input-file | FileCheck %s
// RUN: forge-opt %s --forge-outline-parts="max-length=2 max-depth=2" --forge-inline-parts --split-input-file | FileCheck %s --check-prefix=BACK
// RUN: forge-opt %s --forge-outline-parts --split-input-file | FileCheck %s --check-prefix=FEW
// RUN: not forge-opt %s --forge-outline-parts="max-length=1" --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: expected max-length of 2 and more and max-depth of 1 and more
// FEW-NOT: forge.part

// Five updates: two, two and one, of which two calls, of which one.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2xf32>, %[[D:[a-z0-9]+]]: tensor<10xf32>
// CHECK-NOT:     insert_slice
// CHECK:         call @{{.*}} : (tensor<2xf32>, tensor<10xf32>) -> tensor<10xf32>
// CHECK:         call
// CHECK-NOT:     call
// CHECK:         return
// CHECK-COUNT-5: tensor.insert_slice
// BACK-LABEL: func.func @chain(
// BACK-COUNT-5: tensor.insert_slice
// BACK:         return
// BACK-NOT:    func.func private
func.func @chain(%x: tensor<2xf32>, %d: tensor<10xf32>) -> tensor<10xf32> {
  %0 = tensor.insert_slice %x into %d[0] [2] [1] : tensor<2xf32> into tensor<10xf32>
  %1 = tensor.insert_slice %x into %0[2] [2] [1] : tensor<2xf32> into tensor<10xf32>
  %2 = tensor.insert_slice %x into %1[4] [2] [1] : tensor<2xf32> into tensor<10xf32>
  %3 = tensor.insert_slice %x into %2[6] [2] [1] : tensor<2xf32> into tensor<10xf32>
  %4 = tensor.insert_slice %x into %3[8] [2] [1] : tensor<2xf32> into tensor<10xf32>
  return %4 : tensor<10xf32>
}

// -----

// A view goes where it is read; what something else reads ends the chain.
// CHECK-LABEL: func.func @read_between(
// CHECK:         tensor.insert_slice
// CHECK:         tensor.insert_slice
// CHECK:         math.exp
// CHECK:         tensor.insert_slice
// CHECK-NOT:     forge.part
func.func @read_between(%x: tensor<2xf32>, %d: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = tensor.insert_slice %x into %d[0] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %1 = tensor.insert_slice %x into %0[2] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %2 = math.exp %1 : tensor<6xf32>
  %3 = tensor.insert_slice %x into %1[4] [2] [1] : tensor<2xf32> into tensor<6xf32>
  return %2, %3 : tensor<6xf32>, tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @views(
// CHECK-NOT:     extract_slice
// CHECK:         return
// CHECK:       func.func private @views__part
// CHECK-SAME:    (%[[Y:[a-z0-9]+]]: tensor<12xf32>, %[[D:[a-z0-9]+]]: tensor<6xf32>) -> tensor<6xf32> attributes {forge.part}
// CHECK:         tensor.extract_slice %[[Y]]
// BACK-LABEL: func.func @views(
// BACK-COUNT-3: tensor.insert_slice
func.func @views(%y: tensor<12xf32>, %d: tensor<6xf32>) -> tensor<6xf32> {
  %a = tensor.extract_slice %y[0] [2] [2] : tensor<12xf32> to tensor<2xf32>
  %b = tensor.extract_slice %y[4] [2] [2] : tensor<12xf32> to tensor<2xf32>
  %c = tensor.extract_slice %y[8] [2] [2] : tensor<12xf32> to tensor<2xf32>
  %0 = tensor.insert_slice %a into %d[0] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %1 = tensor.insert_slice %b into %0[2] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %2 = tensor.insert_slice %c into %1[4] [2] [1] : tensor<2xf32> into tensor<6xf32>
  return %2 : tensor<6xf32>
}

// -----

// Of three loops, the inner two; a nest of two stays where it is.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[N:[a-z0-9]+]]: index
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK-NEXT:      %[[R:.*]] = func.call @nest__part(%[[N]], %[[A]])
// CHECK-NEXT:      scf.yield %[[R]]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:         return
// CHECK:       func.func private @nest__part(
// CHECK:         scf.for
// CHECK:           scf.for
// BACK-LABEL: func.func @nest(
// BACK-COUNT-5: scf.for
// BACK-NOT:    func.func private
func.func @nest(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %2 = scf.for %k = %c0 to %n step %c1 iter_args(%c = %b) -> tensor<4xf32> {
        %3 = math.exp %c : tensor<4xf32>
        scf.yield %3 : tensor<4xf32>
      }
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  %4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> tensor<4xf32> {
    %5 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %6 = math.exp %b : tensor<4xf32>
      scf.yield %6 : tensor<4xf32>
    }
    scf.yield %5 : tensor<4xf32>
  }
  return %4 : tensor<4xf32>
}
