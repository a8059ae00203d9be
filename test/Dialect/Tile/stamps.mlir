// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt -mlir-print-op-generic %s | forge-opt | FileCheck %s

// CHECK: tile.stamp "multiply" of "math" rows 2 from 1 at %{{.*}} when %{{.*}}
func.func @stamps(%row: i32, %is_first: i1) {
  tile.stamp "multiply" of "math" rows 2 from 1 at %row when %is_first
  return
}
