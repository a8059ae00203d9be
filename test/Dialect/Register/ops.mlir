// Every operation, as text and as bytecode; the generic form too.
// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt - | FileCheck %s
// RUN: forge-opt %s --emit-bytecode | forge-opt - | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt - | FileCheck %s

// CHECK-LABEL: @every
// CHECK: %{{.*}}:2 = register.program(%b = %arg0, %b_0 = %arg1, %n = %arg2) : (tensor<4x?xf16>, tensor<4x?xf16>, index) -> (tensor<4x?xf16>, tensor<4x?xf16>) {
// CHECK-NEXT: load r0, %b
// CHECK-NEXT: const r65535, -1.500000e+00
// CHECK-NEXT: const r1, 0x7FF0000000000000
// CHECK-NEXT: add r2, r0, r65535
// CHECK-NEXT: sub r2, r2, r1
// CHECK-NEXT: mul r2, r2, r1
// CHECK-NEXT: div r2, r2, r1
// CHECK-NEXT: min r2, r2, r1
// CHECK-NEXT: max r2, r2, r1
// CHECK-NEXT: loop %n {
// CHECK-NEXT:   neg r3, r2
// CHECK-NEXT:   loop 0 {
// CHECK-NEXT:     abs r2, r3
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: sqrt r3, r2
// CHECK-NEXT: exp r3, r3
// CHECK-NEXT: log r3, r3
// CHECK-NEXT: sin r3, r3
// CHECK-NEXT: cos r3, r3
// CHECK-NEXT: tanh r3, r3
// CHECK-NEXT: store r3, %b
// CHECK-NEXT: store r0, %b_0
// CHECK-NEXT: end %b_0, %b
func.func @every(%x: tensor<4x?xf16>, %y: tensor<4x?xf16>, %k: index) -> (tensor<4x?xf16>, tensor<4x?xf16>) {
  %0:2 = register.program(%x = %x, %y = %y, %k = %k) : (tensor<4x?xf16>, tensor<4x?xf16>, index) -> (tensor<4x?xf16>, tensor<4x?xf16>) {
    load r0, %x
    const r65535, -1.5
    const r1, 0x7FF0000000000000
    add r2, r0, r65535
    sub r2, r2, r1
    mul r2, r2, r1
    div r2, r2, r1
    min r2, r2, r1
    register.max r2, r2, r1
    loop %k {
      neg r3, r2
      loop 0 {
        abs r2, r3
      }
    }
    sqrt r3, r2
    exp r3, r3
    log r3, r3
    sin r3, r3
    cos r3, r3
    tanh r3, r3
    store r3, %x
    store r0, %y
    end %y, %x
  }
  return %0#0, %0#1 : tensor<4x?xf16>, tensor<4x?xf16>
}

// Attributes are kept.
// CHECK-LABEL: @attributes
// CHECK: register.program(%b = %arg0) attributes {from = "atlas"} : (tensor<8xf64>) -> tensor<8xf64> {
// CHECK: load r0, %b {line = 7 : i64}
// CHECK: loop 2 attributes {line = 8 : i64} {
func.func @attributes(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = register.program(%b = %x) attributes {from = "atlas"} : (tensor<8xf64>) -> tensor<8xf64> {
    load r0, %b {line = 7 : i64}
    loop 2 attributes {line = 8 : i64} {
      add r0, r0, r0
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf64>
}

// Constants keep their bits.
// CHECK-LABEL: @constants
// CHECK: const r0, -0.000000e+00
// CHECK-NEXT: const r1, -2.500000e-03
// CHECK-NEXT: const r2, 0xFFF0000000000000
// CHECK-NEXT: const r3, 0x7FF8000000000001
// CHECK-NEXT: const r4, 1.000000e+00 {from = "somewhere"}
// CHECK-NEXT: const r5, 1.000000e+00
func.func @constants(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = register.program(%x = %x) : (tensor<4xf64>) -> tensor<4xf64> {
    const r0, -0.0
    const r1, -2.5e-3
    const r2, 0xFFF0000000000000
    const r3, 0x7FF8000000000001
    const r4, 1. {from = "somewhere"}
    "register.const"() <{dst = 5 : i64, value = 1.0 : f64}> : () -> ()
    store r1, %x
    end %x
  }
  return %0 : tensor<4xf64>
}
