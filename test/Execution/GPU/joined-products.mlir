// Products of one factor are tiles' in one launch, where the library would take each alone
// (JoinedLaunches.h).
// RUN: forge explain %s --function one_factor --target cuda:sm_90a > %t.text
// RUN: FileCheck %s --input-file=%t.text --check-prefix=JOINED
// JOINED: launches: tiles;
// JOINED: instead of the library, to be one launch with others
// RUN: forge explain %s --function one_factor --target cuda:sm_90a --json | FileCheck %s --check-prefix=JSON
// JSON: "joined": true
// RUN: forge compile %s --function one_factor --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// ONE: {{^1$}}
// RUN: forge verify %s --function one_factor --target sim:sm_90a

// One that waits for another, one alone, and what a plan says are not changed.
// RUN: forge explain %s --function chain --target cuda:sm_90a | FileCheck %s --check-prefix=LIBRARY
// RUN: forge explain %s --function alone --target cuda:sm_90a | FileCheck %s --check-prefix=LIBRARY
// LIBRARY-NOT: to be one launch with others
// LIBRARY: launch{{(es)?}}: library
// LIBRARY-NOT: to be one launch with others
// RUN: forge explain %s --function alone --target cuda:sm_90a --save-plan %t.plan
// RUN: forge explain %s --function one_factor --target cuda:sm_90a --plan %t.plan | FileCheck %s --check-prefix=LIBRARY
// RUN: forge explain %s --function one_factor --target cuda:sm_90a --tier production | FileCheck %s --check-prefix=LIBRARY

func.func @one_factor(%x: tensor<384x384xf32>, %w0: tensor<384x144xf32>, %w1: tensor<384x144xf32>, %w2: tensor<384x144xf32>, %w3: tensor<384x144xf32>) -> (tensor<384x144xf32>, tensor<384x144xf32>, tensor<384x144xf32>, tensor<384x144xf32>) {
  %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x144xf32>) -> tensor<384x144xf32>
  %1 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x144xf32>) -> tensor<384x144xf32>
  %2 = stablehlo.dot_general %x, %w2, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x144xf32>) -> tensor<384x144xf32>
  %3 = stablehlo.dot_general %x, %w3, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x144xf32>) -> tensor<384x144xf32>
  return %0, %1, %2, %3 : tensor<384x144xf32>, tensor<384x144xf32>, tensor<384x144xf32>, tensor<384x144xf32>
}
func.func @chain(%x: tensor<384x384xf32>, %w: tensor<384x384xf32>) -> tensor<384x384xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x384xf32>) -> tensor<384x384xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x384xf32>) -> tensor<384x384xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x384xf32>) -> tensor<384x384xf32>
  return %2 : tensor<384x384xf32>
}
func.func @alone(%x: tensor<384x384xf32>, %w0: tensor<384x144xf32>) -> tensor<384x144xf32> {
  %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x144xf32>) -> tensor<384x144xf32>
  return %0 : tensor<384x144xf32>
}
