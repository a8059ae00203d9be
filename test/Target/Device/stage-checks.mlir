// RUN: forge-opt --forge-stage-checks %s | FileCheck %s
// What functions of the runtime on unranked memrefs read is copied to host memory, right before they run.

func.func private @forge_rt_expect_eq_f32(memref<*xf32>, memref<*xf32>)
func.func private @forge_rt_device_product_f32_f32(memref<*xf32>)
func.func private @callee(memref<4xf32>)

// CHECK-LABEL: func.func @check
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<?x3xf32>
func.func @check(%x: memref<4xf32>, %y: memref<?x3xf32>) {
  // CHECK: %[[HOST_X:.*]] = memref.alloc() {forge.host} : memref<4xf32>
  // CHECK: memref.copy %[[X]], %[[HOST_X]] {forge.host}
  // CHECK: %[[ANY_X:.*]] = memref.cast %[[HOST_X]] : memref<4xf32> to memref<*xf32>
  // CHECK: %[[SIZE:.*]] = memref.dim %[[Y]], %{{.*}} : memref<?x3xf32>
  // CHECK: %[[HOST_Y:.*]] = memref.alloc(%[[SIZE]]) {forge.host} : memref<?x3xf32>
  // CHECK: memref.copy %[[Y]], %[[HOST_Y]] {forge.host}
  // CHECK: %[[ANY_Y:.*]] = memref.cast %[[HOST_Y]] : memref<?x3xf32> to memref<*xf32>
  // CHECK: call @forge_rt_expect_eq_f32(%[[ANY_X]], %[[ANY_Y]])
  %a = memref.cast %x : memref<4xf32> to memref<*xf32>
  %b = memref.cast %y : memref<?x3xf32> to memref<*xf32>
  call @forge_rt_expect_eq_f32(%a, %b) : (memref<*xf32>, memref<*xf32>) -> ()
  return
}

// What runs on the device, and calls of functions of the module, take their buffers as they are.
// CHECK-LABEL: func.func @on_device
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @on_device(%x: memref<4xf32>) {
  %a = memref.cast %x : memref<4xf32> to memref<*xf32>
  call @forge_rt_device_product_f32_f32(%a) {forge.device_call} : (memref<*xf32>) -> ()
  call @callee(%x) : (memref<4xf32>) -> ()
  return
}
