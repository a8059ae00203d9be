// RUN: forge-opt --convert-transformer-to-linalg --canonicalize %s | FileCheck %s
// Gradients of what is written where positions say, and of products of groups of rows.

// Each element is read at its place; nothing beside the cotangent, and zero where the row was dropped.
// CHECK-LABEL: func.func @contiguous
// CHECK-SAME: %[[C:.*]]: tensor<2x4x512x64xbf16>, %{{.*}}: tensor<2x4x3x64xbf16>, %[[AT:.*]]: tensor<2xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0.000000e+00 : bf16
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[AT]] : tensor<2xi32>)
// CHECK: %[[FIRST:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[STEP:.*]] = linalg.index 2
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[STEP]]
// CHECK-DAG: %[[BEGUN:.*]] = arith.cmpi sge, %[[ROW]], %[[ZERO]]
// CHECK-DAG: %[[FITS:.*]] = arith.cmpi slt, %[[ROW]], %[[END]]
// CHECK: %[[HELD:.*]] = arith.andi %[[BEGUN]], %[[FITS]]
// CHECK: %[[INSIDE:.*]] = arith.select %[[HELD]], %[[ROW]], %[[ZERO]]
// CHECK: %[[FOUND:.*]] = tensor.extract %[[C]][%{{.*}}, %{{.*}}, %[[INSIDE]], %{{.*}}]
// CHECK: %[[G:.*]] = arith.select %[[HELD]], %[[FOUND]], %[[NONE]]
// CHECK: linalg.yield %[[G]]
func.func @contiguous(%c: tensor<2x4x512x64xbf16>, %rows: tensor<2x4x3x64xbf16>, %at: tensor<2xi32>) -> tensor<2x4x3x64xbf16> {
  %0 = transformer.kv_append_grad %c, %rows at %at : (tensor<2x4x512x64xbf16>, tensor<2x4x3x64xbf16>, tensor<2xi32>) -> tensor<2x4x3x64xbf16>
  return %0 : tensor<2x4x3x64xbf16>
}

// With a table: entry t / 16 of it is the page, t mod 16 the row; both the place and the page may lie nowhere.
// CHECK-LABEL: func.func @paged
// CHECK-SAME: %[[C:.*]]: tensor<128x4x16x64xbf16>, %{{.*}}, %{{.*}}, %[[TABLE:.*]]: tensor<2x32xi32>
// CHECK-DAG: %[[PLACES:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[PAGES:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 16 : index
// CHECK: arith.cmpi slt, %{{.*}}, %[[PLACES]]
// CHECK: %[[T:.*]] = arith.select
// CHECK: %[[ENTRY:.*]] = arith.divui %[[T]], %[[SIZE]]
// CHECK: %[[NUMBER:.*]] = tensor.extract %[[TABLE]][%{{.*}}, %[[ENTRY]]]
// CHECK: %[[CAST:.*]] = arith.index_cast %[[NUMBER]] : i32 to index
// CHECK: arith.cmpi slt, %[[CAST]], %[[PAGES]]
// CHECK: %[[PAGE:.*]] = arith.select
// CHECK: %[[ROW:.*]] = arith.remui %[[T]], %[[SIZE]]
// CHECK: tensor.extract %[[C]][%[[PAGE]], %{{.*}}, %[[ROW]], %{{.*}}]
func.func @paged(%c: tensor<128x4x16x64xbf16>, %rows: tensor<2x4x1x64xbf16>, %at: tensor<2xi32>, %table: tensor<2x32xi32>) -> tensor<2x4x1x64xbf16> {
  %0 = transformer.kv_append_grad %c, %rows at %at table %table
      : (tensor<128x4x16x64xbf16>, tensor<2x4x1x64xbf16>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<2x4x1x64xbf16>
  return %0 : tensor<2x4x1x64xbf16>
}

// A cache without rows was given none: the gradient is zero, and nothing is read.
// CHECK-LABEL: func.func @no_rows
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @no_rows(%c: tensor<2x4x0x64xf32>, %rows: tensor<2x4x3x64xf32>, %at: tensor<2xi32>) -> tensor<2x4x3x64xf32> {
  %0 = transformer.kv_append_grad %c, %rows at %at : (tensor<2x4x0x64xf32>, tensor<2x4x3x64xf32>, tensor<2xi32>) -> tensor<2x4x3x64xf32>
  return %0 : tensor<2x4x3x64xf32>
}

// Pages whose number is open are asked for before a row is divided by their size.
// CHECK-LABEL: func.func @open_pages
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : index
// CHECK: call @[[ASSERT:.*]](%[[SOME]], %{{.*}})
// CHECK: arith.divui
func.func @open_pages(%c: tensor<8x4x?x64xf32>, %rows: tensor<2x4x1x64xf32>, %at: tensor<2xi32>, %table: tensor<2x32xi32>) -> tensor<2x4x1x64xf32> {
  %0 = transformer.kv_append_grad %c, %rows at %at table %table
      : (tensor<8x4x?x64xf32>, tensor<2x4x1x64xf32>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<2x4x1x64xf32>
  return %0 : tensor<2x4x1x64xf32>
}

// Group after group: its rows of both operands, as many as are left at most; the left ones transposed in the product.
// CHECK-LABEL: func.func @by_size
// CHECK-SAME: %[[X:.*]]: tensor<12x16xf32>, %[[Y:.*]]: tensor<12x8xf32>, %[[SIZES:.*]]: tensor<4xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 12 : index
// CHECK: scf.for %[[GROUP:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %{{.*}}, %[[BEGIN:.*]] = %[[ZERO]])
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[BEGIN]]
// CHECK: tensor.extract %[[SIZES]][%[[GROUP]]]
// CHECK: arith.maxsi %{{.*}}, %[[ZERO]]
// CHECK: %[[SIZE:.*]] = arith.minsi %{{.*}}, %[[LEFT]]
// CHECK: tensor.extract_slice %[[X]][%[[BEGIN]], 0] [%[[SIZE]], 16]
// CHECK: tensor.extract_slice %[[Y]][%[[BEGIN]], 0] [%[[SIZE]], 8]
// CHECK: linalg.{{generic|matmul}}
// CHECK: %[[NEW:.*]] = tensor.insert_slice %{{.*}} into %[[OUT]][%[[GROUP]], 0, 0] [1, 16, 8]
// CHECK: %[[NEXT:.*]] = arith.addi %[[BEGIN]], %[[SIZE]]
// CHECK: scf.yield %[[NEW]], %[[NEXT]]
func.func @by_size(%x: tensor<12x16xf32>, %y: tensor<12x8xf32>, %n: tensor<4xi32>) -> tensor<4x16x8xf32> {
  %0 = transformer.grouped_outer %x, %y groups %n : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<4xi32>) -> tensor<4x16x8xf32>
  return %0 : tensor<4x16x8xf32>
}

// By positions, from the last group to the first: rows that have counted are zero for those before.
// CHECK-LABEL: func.func @by_position
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[TRIP:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = arith.subi %[[FOUR]], %[[TRIP]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]]
// CHECK: %[[LESS_X:.*]] = tensor.insert_slice %{{.*}} into %[[X]]
// CHECK: tensor.extract_slice %[[Y]]
// CHECK: %[[LESS_Y:.*]] = tensor.insert_slice %{{.*}} into %[[Y]]
// CHECK: %[[NEW:.*]] = tensor.insert_slice %{{.*}} into %[[OUT]]
// CHECK: scf.yield %[[NEW]], %[[LESS_X]], %[[LESS_Y]]
func.func @by_position(%x: tensor<12x16xf32>, %y: tensor<12x8xf32>, %n: tensor<5xi64>) -> tensor<4x16x8xf32> {
  %0 = transformer.grouped_outer %x, %y groups %n {offsets} : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<5xi64>) -> tensor<4x16x8xf32>
  return %0 : tensor<4x16x8xf32>
}

// CHECK: func.func private @[[ASSERT]](i1, index) attributes {{.*}}"kv_append_grad: expected pages, and rows in them, but got {0}"
