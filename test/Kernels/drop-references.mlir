// Linalg forms of tile programs go, unless something else uses them.
// RUN: forge-opt %s --forge-drop-references | FileCheck %s

// CHECK-NOT: forge.reference
// CHECK: func.func private @a(%{{.*}}: memref<8xf32>) attributes {forge.kernel}
func.func private @a(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @only_here} {
  return
}
// Two kernels, one reference.
func.func private @b(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @only_here} {
  return
}
func.func private @c(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @called} {
  return
}
func.func private @d(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @entry} {
  return
}
// CHECK-NOT: func.func private @only_here
func.func private @only_here(%x: memref<8xf32>) {
  return
}
// CHECK: func.func private @called
func.func private @called(%x: memref<8xf32>) {
  return
}
// CHECK: func.func @entry
func.func @entry(%x: memref<8xf32>) {
  call @a(%x) : (memref<8xf32>) -> ()
  call @called(%x) : (memref<8xf32>) -> ()
  return
}
