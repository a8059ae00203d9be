// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s --emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func @real
func.func @real(%x: tensor<4x10xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>) {
  // CHECK: forge.fft_lines %{{.*}} {dim = 1 : i64, length = 16 : i64} : (tensor<4x10xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
  %re, %im = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x10xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
  return %re, %im : tensor<4x9xf32>, tensor<4x9xf32>
}

// CHECK-LABEL: func @to_real
func.func @to_real(%re: tensor<9x4xf64>, %im: tensor<9x4xf64>) -> tensor<12x4xf64> {
  // CHECK: forge.fft_lines %{{.*}}, %{{.*}} {backward, dim = 0 : i64, hermitian, length = 16 : i64, scale = 6.250000e-02 : f64} : (tensor<9x4xf64>, tensor<9x4xf64>) -> tensor<12x4xf64>
  %x = forge.fft_lines %re, %im {backward, dim = 0 : i64, hermitian, length = 16 : i64, scale = 0.0625 : f64} : (tensor<9x4xf64>, tensor<9x4xf64>) -> tensor<12x4xf64>
  return %x : tensor<12x4xf64>
}
