// RUN: forge-opt %s --pass-pipeline="builtin.module(gpu.module(forge-pack-roundings))" | FileCheck %s

gpu.module @kernels {
  // Two at a time; the second is taken out of the sums earlier. What is computed of the first has to wait.
  // CHECK-LABEL: llvm.func @products
  // CHECK-SAME: %[[A:.*]]: f32, %[[SUMS:.*]]: !llvm.struct<(f32, f32, f32)>, %{{.*}}: !llvm.ptr)
  // CHECK: nvvm.wgmma.fence.aligned
  // CHECK: %[[X:.*]] = llvm.extractvalue %[[SUMS]][0]
  // CHECK: %[[Y:.*]] = llvm.extractvalue %[[SUMS]][1]
  // CHECK: %[[PAIR:.*]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%[[Y]], %[[X]]) : (f32, f32) -> vector<2xbf16>
  // CHECK: %[[LOW:.*]] = llvm.extractelement %[[PAIR]][%{{.*}} : i32]
  // CHECK: %[[HIGH:.*]] = llvm.extractelement %[[PAIR]]
  // CHECK: %[[WIDE:.*]] = llvm.fpext %[[LOW]]
  // CHECK: llvm.fptrunc %[[WIDE]] : f32 to bf16
  // CHECK: llvm.store %[[HIGH]]
  // CHECK: %[[Z:.*]] = llvm.extractvalue %[[SUMS]][2]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"(%{{.*}}, %[[Z]]) : (f32, f32) -> vector<2xf16>
  // CHECK-NOT: ff2
  llvm.func @products(%a: f32, %sums: !llvm.struct<(f32, f32, f32)>, %out: !llvm.ptr) {
    nvvm.wgmma.fence.aligned
    %x = llvm.extractvalue %sums[0] : !llvm.struct<(f32, f32, f32)>
    %low = llvm.fptrunc %x : f32 to bf16
    %wide = llvm.fpext %low : bf16 to f32
    %again = llvm.fptrunc %wide : f32 to bf16
    llvm.store %again, %out : bf16, !llvm.ptr
    %y = llvm.extractvalue %sums[1] : !llvm.struct<(f32, f32, f32)>
    %high = llvm.fptrunc %y : f32 to bf16
    llvm.store %high, %out : bf16, !llvm.ptr
    %z = llvm.extractvalue %sums[2] : !llvm.struct<(f32, f32, f32)>
    %half = llvm.fptrunc %z : f32 to f16
    %other = llvm.fptrunc %a : f32 to f16
    llvm.store %half, %out : f16, !llvm.ptr
    llvm.store %other, %out : f16, !llvm.ptr
    llvm.return
  }

  // Kernels without such products stay as they are.
  // CHECK-LABEL: llvm.func @others
  // CHECK-NOT: call_intrinsic
  llvm.func @others(%a: f32, %b: f32, %out: !llvm.ptr) {
    %x = llvm.fptrunc %a : f32 to bf16
    %y = llvm.fptrunc %b : f32 to bf16
    llvm.store %x, %out : bf16, !llvm.ptr
    llvm.store %y, %out : bf16, !llvm.ptr
    llvm.return
  }
}
