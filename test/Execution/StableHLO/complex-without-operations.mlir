// A module that loads nothing of StableHLO: what takes complex numbers apart does.
// RUN: forge verify %s | FileCheck %s
// RUN: forge coverage %s
// RUN: forge compile %s --to import -o - | FileCheck %s --check-prefix=IMPORT
// CHECK: whole: result 0 agrees: equal
// IMPORT: return %arg0 : tensor<3xcomplex<f32>>
func.func @main(%z: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  return %z : tensor<3xcomplex<f32>>
}
