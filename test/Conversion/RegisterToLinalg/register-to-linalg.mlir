// Programs as one linalg operation each.
// RUN: forge-opt %s --convert-register-to-linalg | FileCheck %s
// RUN: forge-opt %s --convert-register-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=SIMPLE

// Registers are values; loads extend and stores round.
// CHECK-LABEL: @straight
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<?xbf16>) outs(%{{.*}} : tensor<?xbf16>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[X:.*]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[R:.*]] = math.sqrt %[[S]] : f32
// CHECK-NEXT: %[[OUT:.*]] = arith.truncf %[[R]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[OUT]] : bf16
func.func @straight(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = register.program(%b = %x) : (tensor<?xbf16>) -> tensor<?xbf16> {
    load r0, %b
    mul r0, r0, r0
    sqrt r0, r0
    store r0, %b
    end %b
  }
  return %0 : tensor<?xbf16>
}

// A buffer that is only written is no input. What a load finds is what was stored, rounded.
// CHECK-LABEL: @buffers
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf16>) outs(
// CHECK: %[[X:.*]] = arith.extf
// CHECK: %[[N:.*]] = arith.negf %[[X]]
// CHECK: %[[STORED:.*]] = arith.truncf %[[N]] : f32 to f16
// CHECK: %[[AGAIN:.*]] = arith.extf %[[STORED]] : f16 to f32
// CHECK: %[[E:.*]] = math.exp %[[AGAIN]]
// CHECK: %[[LAST:.*]] = arith.truncf %[[E]]
// CHECK: linalg.yield %[[LAST]] : f16
func.func @buffers(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = register.program(%a = %x, %b = %y) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
    load r0, %a
    neg r0, r0
    store r0, %b
    load r1, %b
    exp r1, r1
    store r1, %b
    end %b
  }
  return %0 : tensor<4x8xf16>
}

// Loops carry what they change and was there before: here r1 and the buffer, not r0, nor r2, which each iteration
// writes before it reads it.
// SIMPLE-LABEL: @loops
// SIMPLE: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<8xf64>, tensor<8xf64>)
// SIMPLE-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %{{.*}}: f64, %{{.*}}: f64):
// SIMPLE: %[[L:.*]]:2 = scf.for %{{.*}} = %c0 to %arg2 step %c1 iter_args(%[[R1:.*]] = %cst, %[[B:.*]] = %[[Y]]) -> (f64, f64)
// SIMPLE-NEXT: %[[R2:.*]] = arith.mulf %[[X]], %[[R1]] : f64
// SIMPLE-NEXT: %[[INNER:.*]] = scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args(%[[R:.*]] = %[[R2]])
// SIMPLE-NEXT:   math.tanh %[[R]]
// SIMPLE: %[[NEXT:.*]] = arith.addf %[[R1]], %[[INNER]]
// SIMPLE-NEXT: scf.yield %[[NEXT]], %[[INNER]]
// SIMPLE: linalg.yield %[[L]]#0, %[[L]]#1
func.func @loops(%x: tensor<8xf64>, %y: tensor<8xf64>, %k: index) -> (tensor<8xf64>, tensor<8xf64>) {
  %0:2 = register.program(%a = %x, %b = %y, %n = %k) : (tensor<8xf64>, tensor<8xf64>, index) -> (tensor<8xf64>, tensor<8xf64>) {
    load r0, %a
    const r1, 0.25
    loop %n {
      mul r2, r0, r1
      loop 3 {
        tanh r2, r2
      }
      add r1, r1, r2
      store r2, %b
    }
    store r1, %a
    end %a, %b
  }
  return %0#0, %0#1 : tensor<8xf64>, tensor<8xf64>
}

// Sizes that may differ are compared in the run.
// CHECK-LABEL: @sizes
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: call @forge_assert_0(%[[SAME]]
func.func @sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = register.program(%a = %x, %b = %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> {
    load r0, %a
    load r1, %b
    div r0, r0, r1
    store r0, %a
    end %a
  }
  return %0 : tensor<?xf32>
}

// A loop that changes nothing.
// CHECK-LABEL: @idle
// CHECK: scf.for
// CHECK: linalg.yield
func.func @idle(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    loop 5 {
      neg r1, r0
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}
