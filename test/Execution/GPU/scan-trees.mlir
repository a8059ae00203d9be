// jax.lax.associative_scan as JAX prints it, for several combinations: a device goes along each line in the order of the tree, so
// that results are what the tree gives, also where the combination is not associative.
// RUN: forge verify %s --function linear --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function linear --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function both --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function both --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function segments --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function segments --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function exponentials --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function exponentials --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function complex --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function complex --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function differences --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function differences --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function rest --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function rest --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function narrow --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function narrow --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function integers --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function integers --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function linear --target cpu --reproducer-dir %t
// RUN: forge verify %s --function linear --target sim:sm_90a --each-stage --reproducer-dir %t
// RUN: forge verify %s --function differences --target sim:sm_90a --reproducer-dir %t | FileCheck %s
// CHECK: agrees: equal
// RUN: forge compile %s --function segments --target cuda:sm_90a --to gpu -o - | grep -c "gpu.launch_func" | FileCheck %s --check-prefix=ONE
// ONE: 1
// RUN: forge compile %s --function linear --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=THREADS
// A thread for each of 99 lines.
// THREADS: gpu.func @{{.*}} known_block_size = array<i32: 32, 1, 1>
// THREADS: gpu.thread_id

// A linear recurrence along a middle dimension.
func.func @linear(%a0: tensor<3x40x33xf32>, %a1: tensor<3x40x33xf32>) -> (tensor<3x40x33xf32>) {
  %v0 = stablehlo.slice %a0 [0:3, 0:39:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x20x33xf32>
  %v1 = stablehlo.slice %a1 [0:3, 0:39:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x20x33xf32>
  %v2 = stablehlo.slice %a0 [0:3, 1:40:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x20x33xf32>
  %v3 = stablehlo.slice %a1 [0:3, 1:40:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x20x33xf32>
  %v4 = stablehlo.multiply %v0, %v2 : tensor<3x20x33xf32>
  %v5 = stablehlo.multiply %v2, %v1 : tensor<3x20x33xf32>
  %v6 = stablehlo.add %v5, %v3 : tensor<3x20x33xf32>
  %v7 = stablehlo.slice %v4 [0:3, 0:19:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x10x33xf32>
  %v8 = stablehlo.slice %v6 [0:3, 0:19:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x10x33xf32>
  %v9 = stablehlo.slice %v4 [0:3, 1:20:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x10x33xf32>
  %v10 = stablehlo.slice %v6 [0:3, 1:20:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x10x33xf32>
  %v11 = stablehlo.multiply %v7, %v9 : tensor<3x10x33xf32>
  %v12 = stablehlo.multiply %v9, %v8 : tensor<3x10x33xf32>
  %v13 = stablehlo.add %v12, %v10 : tensor<3x10x33xf32>
  %v14 = stablehlo.slice %v11 [0:3, 0:9:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x5x33xf32>
  %v15 = stablehlo.slice %v13 [0:3, 0:9:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x5x33xf32>
  %v16 = stablehlo.slice %v11 [0:3, 1:10:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x5x33xf32>
  %v17 = stablehlo.slice %v13 [0:3, 1:10:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x5x33xf32>
  %v18 = stablehlo.multiply %v14, %v16 : tensor<3x5x33xf32>
  %v19 = stablehlo.multiply %v16, %v15 : tensor<3x5x33xf32>
  %v20 = stablehlo.add %v19, %v17 : tensor<3x5x33xf32>
  %v21 = stablehlo.slice %v18 [0:3, 0:4:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v22 = stablehlo.slice %v20 [0:3, 0:4:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v23 = stablehlo.slice %v18 [0:3, 1:5:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v24 = stablehlo.slice %v20 [0:3, 1:5:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v25 = stablehlo.multiply %v21, %v23 : tensor<3x2x33xf32>
  %v26 = stablehlo.multiply %v23, %v22 : tensor<3x2x33xf32>
  %v27 = stablehlo.add %v26, %v24 : tensor<3x2x33xf32>
  %v28 = stablehlo.slice %v25 [0:3, 0:1:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v29 = stablehlo.slice %v27 [0:3, 0:1:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v30 = stablehlo.slice %v25 [0:3, 1:2:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v31 = stablehlo.slice %v27 [0:3, 1:2:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v32 = stablehlo.multiply %v28, %v30 : tensor<3x1x33xf32>
  %v33 = stablehlo.multiply %v30, %v29 : tensor<3x1x33xf32>
  %v34 = stablehlo.add %v33, %v31 : tensor<3x1x33xf32>
  %v35 = stablehlo.slice %v32 [0:3, 0:0, 0:33] : (tensor<3x1x33xf32>) -> tensor<3x0x33xf32>
  %v36 = stablehlo.slice %v34 [0:3, 0:0, 0:33] : (tensor<3x1x33xf32>) -> tensor<3x0x33xf32>
  %v37 = stablehlo.slice %v25 [0:3, 2:2:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x0x33xf32>
  %v38 = stablehlo.slice %v27 [0:3, 2:2:2, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x0x33xf32>
  %v39 = stablehlo.multiply %v35, %v37 : tensor<3x0x33xf32>
  %v40 = stablehlo.multiply %v37, %v36 : tensor<3x0x33xf32>
  %v41 = stablehlo.add %v40, %v38 : tensor<3x0x33xf32>
  %v42 = stablehlo.slice %v25 [0:3, 0:1, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v43 = stablehlo.concatenate %v42, %v39, dim = 1 : (tensor<3x1x33xf32>, tensor<3x0x33xf32>) -> tensor<3x1x33xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x33xf32>, tensor<f32>) -> tensor<3x2x33xf32>
  %v46 = stablehlo.pad %v32, %v44, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x1x33xf32>, tensor<f32>) -> tensor<3x2x33xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<3x2x33xf32>
  %v48 = stablehlo.slice %v27 [0:3, 0:1, 0:33] : (tensor<3x2x33xf32>) -> tensor<3x1x33xf32>
  %v49 = stablehlo.concatenate %v48, %v41, dim = 1 : (tensor<3x1x33xf32>, tensor<3x0x33xf32>) -> tensor<3x1x33xf32>
  %v50 = stablehlo.constant dense<0.0> : tensor<f32>
  %v51 = stablehlo.pad %v49, %v50, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x33xf32>, tensor<f32>) -> tensor<3x2x33xf32>
  %v52 = stablehlo.pad %v34, %v50, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x1x33xf32>, tensor<f32>) -> tensor<3x2x33xf32>
  %v53 = stablehlo.add %v51, %v52 : tensor<3x2x33xf32>
  %v54 = stablehlo.slice %v18 [0:3, 2:5:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v55 = stablehlo.slice %v20 [0:3, 2:5:2, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x2x33xf32>
  %v56 = stablehlo.multiply %v47, %v54 : tensor<3x2x33xf32>
  %v57 = stablehlo.multiply %v54, %v53 : tensor<3x2x33xf32>
  %v58 = stablehlo.add %v57, %v55 : tensor<3x2x33xf32>
  %v59 = stablehlo.slice %v18 [0:3, 0:1, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x1x33xf32>
  %v60 = stablehlo.concatenate %v59, %v56, dim = 1 : (tensor<3x1x33xf32>, tensor<3x2x33xf32>) -> tensor<3x3x33xf32>
  %v61 = stablehlo.constant dense<0.0> : tensor<f32>
  %v62 = stablehlo.pad %v60, %v61, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x33xf32>, tensor<f32>) -> tensor<3x5x33xf32>
  %v63 = stablehlo.pad %v47, %v61, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x2x33xf32>, tensor<f32>) -> tensor<3x5x33xf32>
  %v64 = stablehlo.add %v62, %v63 : tensor<3x5x33xf32>
  %v65 = stablehlo.slice %v20 [0:3, 0:1, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x1x33xf32>
  %v66 = stablehlo.concatenate %v65, %v58, dim = 1 : (tensor<3x1x33xf32>, tensor<3x2x33xf32>) -> tensor<3x3x33xf32>
  %v67 = stablehlo.constant dense<0.0> : tensor<f32>
  %v68 = stablehlo.pad %v66, %v67, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x33xf32>, tensor<f32>) -> tensor<3x5x33xf32>
  %v69 = stablehlo.pad %v53, %v67, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x2x33xf32>, tensor<f32>) -> tensor<3x5x33xf32>
  %v70 = stablehlo.add %v68, %v69 : tensor<3x5x33xf32>
  %v71 = stablehlo.slice %v64 [0:3, 0:4, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x4x33xf32>
  %v72 = stablehlo.slice %v70 [0:3, 0:4, 0:33] : (tensor<3x5x33xf32>) -> tensor<3x4x33xf32>
  %v73 = stablehlo.slice %v11 [0:3, 2:10:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x4x33xf32>
  %v74 = stablehlo.slice %v13 [0:3, 2:10:2, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x4x33xf32>
  %v75 = stablehlo.multiply %v71, %v73 : tensor<3x4x33xf32>
  %v76 = stablehlo.multiply %v73, %v72 : tensor<3x4x33xf32>
  %v77 = stablehlo.add %v76, %v74 : tensor<3x4x33xf32>
  %v78 = stablehlo.slice %v11 [0:3, 0:1, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x1x33xf32>
  %v79 = stablehlo.concatenate %v78, %v75, dim = 1 : (tensor<3x1x33xf32>, tensor<3x4x33xf32>) -> tensor<3x5x33xf32>
  %v80 = stablehlo.constant dense<0.0> : tensor<f32>
  %v81 = stablehlo.pad %v79, %v80, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x5x33xf32>, tensor<f32>) -> tensor<3x10x33xf32>
  %v82 = stablehlo.pad %v64, %v80, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x5x33xf32>, tensor<f32>) -> tensor<3x10x33xf32>
  %v83 = stablehlo.add %v81, %v82 : tensor<3x10x33xf32>
  %v84 = stablehlo.slice %v13 [0:3, 0:1, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x1x33xf32>
  %v85 = stablehlo.concatenate %v84, %v77, dim = 1 : (tensor<3x1x33xf32>, tensor<3x4x33xf32>) -> tensor<3x5x33xf32>
  %v86 = stablehlo.constant dense<0.0> : tensor<f32>
  %v87 = stablehlo.pad %v85, %v86, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x5x33xf32>, tensor<f32>) -> tensor<3x10x33xf32>
  %v88 = stablehlo.pad %v70, %v86, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x5x33xf32>, tensor<f32>) -> tensor<3x10x33xf32>
  %v89 = stablehlo.add %v87, %v88 : tensor<3x10x33xf32>
  %v90 = stablehlo.slice %v83 [0:3, 0:9, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x9x33xf32>
  %v91 = stablehlo.slice %v89 [0:3, 0:9, 0:33] : (tensor<3x10x33xf32>) -> tensor<3x9x33xf32>
  %v92 = stablehlo.slice %v4 [0:3, 2:20:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x9x33xf32>
  %v93 = stablehlo.slice %v6 [0:3, 2:20:2, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x9x33xf32>
  %v94 = stablehlo.multiply %v90, %v92 : tensor<3x9x33xf32>
  %v95 = stablehlo.multiply %v92, %v91 : tensor<3x9x33xf32>
  %v96 = stablehlo.add %v95, %v93 : tensor<3x9x33xf32>
  %v97 = stablehlo.slice %v4 [0:3, 0:1, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x1x33xf32>
  %v98 = stablehlo.concatenate %v97, %v94, dim = 1 : (tensor<3x1x33xf32>, tensor<3x9x33xf32>) -> tensor<3x10x33xf32>
  %v99 = stablehlo.constant dense<0.0> : tensor<f32>
  %v100 = stablehlo.pad %v98, %v99, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x10x33xf32>, tensor<f32>) -> tensor<3x20x33xf32>
  %v101 = stablehlo.pad %v83, %v99, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x10x33xf32>, tensor<f32>) -> tensor<3x20x33xf32>
  %v102 = stablehlo.add %v100, %v101 : tensor<3x20x33xf32>
  %v103 = stablehlo.slice %v6 [0:3, 0:1, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x1x33xf32>
  %v104 = stablehlo.concatenate %v103, %v96, dim = 1 : (tensor<3x1x33xf32>, tensor<3x9x33xf32>) -> tensor<3x10x33xf32>
  %v105 = stablehlo.constant dense<0.0> : tensor<f32>
  %v106 = stablehlo.pad %v104, %v105, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x10x33xf32>, tensor<f32>) -> tensor<3x20x33xf32>
  %v107 = stablehlo.pad %v89, %v105, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x10x33xf32>, tensor<f32>) -> tensor<3x20x33xf32>
  %v108 = stablehlo.add %v106, %v107 : tensor<3x20x33xf32>
  %v109 = stablehlo.slice %v102 [0:3, 0:19, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x19x33xf32>
  %v110 = stablehlo.slice %v108 [0:3, 0:19, 0:33] : (tensor<3x20x33xf32>) -> tensor<3x19x33xf32>
  %v111 = stablehlo.slice %a0 [0:3, 2:40:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x19x33xf32>
  %v112 = stablehlo.slice %a1 [0:3, 2:40:2, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x19x33xf32>
  %v113 = stablehlo.multiply %v109, %v111 : tensor<3x19x33xf32>
  %v114 = stablehlo.multiply %v111, %v110 : tensor<3x19x33xf32>
  %v115 = stablehlo.add %v114, %v112 : tensor<3x19x33xf32>
  %v116 = stablehlo.slice %a0 [0:3, 0:1, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x1x33xf32>
  %v117 = stablehlo.concatenate %v116, %v113, dim = 1 : (tensor<3x1x33xf32>, tensor<3x19x33xf32>) -> tensor<3x20x33xf32>
  %v118 = stablehlo.constant dense<0.0> : tensor<f32>
  %v119 = stablehlo.pad %v117, %v118, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x20x33xf32>, tensor<f32>) -> tensor<3x40x33xf32>
  %v120 = stablehlo.pad %v102, %v118, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x20x33xf32>, tensor<f32>) -> tensor<3x40x33xf32>
  %v121 = stablehlo.add %v119, %v120 : tensor<3x40x33xf32>
  %v122 = stablehlo.slice %a1 [0:3, 0:1, 0:33] : (tensor<3x40x33xf32>) -> tensor<3x1x33xf32>
  %v123 = stablehlo.concatenate %v122, %v115, dim = 1 : (tensor<3x1x33xf32>, tensor<3x19x33xf32>) -> tensor<3x20x33xf32>
  %v124 = stablehlo.constant dense<0.0> : tensor<f32>
  %v125 = stablehlo.pad %v123, %v124, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x20x33xf32>, tensor<f32>) -> tensor<3x40x33xf32>
  %v126 = stablehlo.pad %v108, %v124, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x20x33xf32>, tensor<f32>) -> tensor<3x40x33xf32>
  %v127 = stablehlo.add %v125, %v126 : tensor<3x40x33xf32>
  return %v127 : tensor<3x40x33xf32>
}

// The products of the factors as well.
func.func @both(%a0: tensor<64x40xf32>, %a1: tensor<64x40xf32>) -> (tensor<64x40xf32>, tensor<64x40xf32>) {
  %v0 = stablehlo.slice %a0 [0:63:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v1 = stablehlo.slice %a1 [0:63:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v2 = stablehlo.slice %a0 [1:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v3 = stablehlo.slice %a1 [1:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v4 = stablehlo.multiply %v0, %v2 : tensor<32x40xf32>
  %v5 = stablehlo.multiply %v2, %v1 : tensor<32x40xf32>
  %v6 = stablehlo.add %v5, %v3 : tensor<32x40xf32>
  %v7 = stablehlo.slice %v4 [0:31:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v8 = stablehlo.slice %v6 [0:31:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v9 = stablehlo.slice %v4 [1:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v10 = stablehlo.slice %v6 [1:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v11 = stablehlo.multiply %v7, %v9 : tensor<16x40xf32>
  %v12 = stablehlo.multiply %v9, %v8 : tensor<16x40xf32>
  %v13 = stablehlo.add %v12, %v10 : tensor<16x40xf32>
  %v14 = stablehlo.slice %v11 [0:15:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v15 = stablehlo.slice %v13 [0:15:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v16 = stablehlo.slice %v11 [1:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v17 = stablehlo.slice %v13 [1:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v18 = stablehlo.multiply %v14, %v16 : tensor<8x40xf32>
  %v19 = stablehlo.multiply %v16, %v15 : tensor<8x40xf32>
  %v20 = stablehlo.add %v19, %v17 : tensor<8x40xf32>
  %v21 = stablehlo.slice %v18 [0:7:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v22 = stablehlo.slice %v20 [0:7:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v23 = stablehlo.slice %v18 [1:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v24 = stablehlo.slice %v20 [1:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v25 = stablehlo.multiply %v21, %v23 : tensor<4x40xf32>
  %v26 = stablehlo.multiply %v23, %v22 : tensor<4x40xf32>
  %v27 = stablehlo.add %v26, %v24 : tensor<4x40xf32>
  %v28 = stablehlo.slice %v25 [0:3:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v29 = stablehlo.slice %v27 [0:3:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v30 = stablehlo.slice %v25 [1:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v31 = stablehlo.slice %v27 [1:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v32 = stablehlo.multiply %v28, %v30 : tensor<2x40xf32>
  %v33 = stablehlo.multiply %v30, %v29 : tensor<2x40xf32>
  %v34 = stablehlo.add %v33, %v31 : tensor<2x40xf32>
  %v35 = stablehlo.slice %v32 [0:1:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v36 = stablehlo.slice %v34 [0:1:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v37 = stablehlo.slice %v32 [1:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v38 = stablehlo.slice %v34 [1:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v39 = stablehlo.multiply %v35, %v37 : tensor<1x40xf32>
  %v40 = stablehlo.multiply %v37, %v36 : tensor<1x40xf32>
  %v41 = stablehlo.add %v40, %v38 : tensor<1x40xf32>
  %v42 = stablehlo.slice %v39 [0:0, 0:40] : (tensor<1x40xf32>) -> tensor<0x40xf32>
  %v43 = stablehlo.slice %v41 [0:0, 0:40] : (tensor<1x40xf32>) -> tensor<0x40xf32>
  %v44 = stablehlo.slice %v32 [2:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<0x40xf32>
  %v45 = stablehlo.slice %v34 [2:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<0x40xf32>
  %v46 = stablehlo.multiply %v42, %v44 : tensor<0x40xf32>
  %v47 = stablehlo.multiply %v44, %v43 : tensor<0x40xf32>
  %v48 = stablehlo.add %v47, %v45 : tensor<0x40xf32>
  %v49 = stablehlo.slice %v32 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v50 = stablehlo.concatenate %v49, %v46, dim = 0 : (tensor<1x40xf32>, tensor<0x40xf32>) -> tensor<1x40xf32>
  %v51 = stablehlo.constant dense<0.0> : tensor<f32>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v53 = stablehlo.pad %v39, %v51, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v54 = stablehlo.add %v52, %v53 : tensor<2x40xf32>
  %v55 = stablehlo.slice %v34 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v56 = stablehlo.concatenate %v55, %v48, dim = 0 : (tensor<1x40xf32>, tensor<0x40xf32>) -> tensor<1x40xf32>
  %v57 = stablehlo.constant dense<0.0> : tensor<f32>
  %v58 = stablehlo.pad %v56, %v57, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v59 = stablehlo.pad %v41, %v57, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v60 = stablehlo.add %v58, %v59 : tensor<2x40xf32>
  %v61 = stablehlo.slice %v54 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v62 = stablehlo.slice %v60 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v63 = stablehlo.slice %v25 [2:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v64 = stablehlo.slice %v27 [2:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v65 = stablehlo.multiply %v61, %v63 : tensor<1x40xf32>
  %v66 = stablehlo.multiply %v63, %v62 : tensor<1x40xf32>
  %v67 = stablehlo.add %v66, %v64 : tensor<1x40xf32>
  %v68 = stablehlo.slice %v25 [0:1, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v69 = stablehlo.concatenate %v68, %v65, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v70 = stablehlo.constant dense<0.0> : tensor<f32>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v72 = stablehlo.pad %v54, %v70, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v73 = stablehlo.add %v71, %v72 : tensor<4x40xf32>
  %v74 = stablehlo.slice %v27 [0:1, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v75 = stablehlo.concatenate %v74, %v67, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v76 = stablehlo.constant dense<0.0> : tensor<f32>
  %v77 = stablehlo.pad %v75, %v76, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v78 = stablehlo.pad %v60, %v76, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v79 = stablehlo.add %v77, %v78 : tensor<4x40xf32>
  %v80 = stablehlo.slice %v73 [0:3, 0:40] : (tensor<4x40xf32>) -> tensor<3x40xf32>
  %v81 = stablehlo.slice %v79 [0:3, 0:40] : (tensor<4x40xf32>) -> tensor<3x40xf32>
  %v82 = stablehlo.slice %v18 [2:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<3x40xf32>
  %v83 = stablehlo.slice %v20 [2:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<3x40xf32>
  %v84 = stablehlo.multiply %v80, %v82 : tensor<3x40xf32>
  %v85 = stablehlo.multiply %v82, %v81 : tensor<3x40xf32>
  %v86 = stablehlo.add %v85, %v83 : tensor<3x40xf32>
  %v87 = stablehlo.slice %v18 [0:1, 0:40] : (tensor<8x40xf32>) -> tensor<1x40xf32>
  %v88 = stablehlo.concatenate %v87, %v84, dim = 0 : (tensor<1x40xf32>, tensor<3x40xf32>) -> tensor<4x40xf32>
  %v89 = stablehlo.constant dense<0.0> : tensor<f32>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v91 = stablehlo.pad %v73, %v89, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v92 = stablehlo.add %v90, %v91 : tensor<8x40xf32>
  %v93 = stablehlo.slice %v20 [0:1, 0:40] : (tensor<8x40xf32>) -> tensor<1x40xf32>
  %v94 = stablehlo.concatenate %v93, %v86, dim = 0 : (tensor<1x40xf32>, tensor<3x40xf32>) -> tensor<4x40xf32>
  %v95 = stablehlo.constant dense<0.0> : tensor<f32>
  %v96 = stablehlo.pad %v94, %v95, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v97 = stablehlo.pad %v79, %v95, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v98 = stablehlo.add %v96, %v97 : tensor<8x40xf32>
  %v99 = stablehlo.slice %v92 [0:7, 0:40] : (tensor<8x40xf32>) -> tensor<7x40xf32>
  %v100 = stablehlo.slice %v98 [0:7, 0:40] : (tensor<8x40xf32>) -> tensor<7x40xf32>
  %v101 = stablehlo.slice %v11 [2:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<7x40xf32>
  %v102 = stablehlo.slice %v13 [2:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<7x40xf32>
  %v103 = stablehlo.multiply %v99, %v101 : tensor<7x40xf32>
  %v104 = stablehlo.multiply %v101, %v100 : tensor<7x40xf32>
  %v105 = stablehlo.add %v104, %v102 : tensor<7x40xf32>
  %v106 = stablehlo.slice %v11 [0:1, 0:40] : (tensor<16x40xf32>) -> tensor<1x40xf32>
  %v107 = stablehlo.concatenate %v106, %v103, dim = 0 : (tensor<1x40xf32>, tensor<7x40xf32>) -> tensor<8x40xf32>
  %v108 = stablehlo.constant dense<0.0> : tensor<f32>
  %v109 = stablehlo.pad %v107, %v108, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v110 = stablehlo.pad %v92, %v108, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v111 = stablehlo.add %v109, %v110 : tensor<16x40xf32>
  %v112 = stablehlo.slice %v13 [0:1, 0:40] : (tensor<16x40xf32>) -> tensor<1x40xf32>
  %v113 = stablehlo.concatenate %v112, %v105, dim = 0 : (tensor<1x40xf32>, tensor<7x40xf32>) -> tensor<8x40xf32>
  %v114 = stablehlo.constant dense<0.0> : tensor<f32>
  %v115 = stablehlo.pad %v113, %v114, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v116 = stablehlo.pad %v98, %v114, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v117 = stablehlo.add %v115, %v116 : tensor<16x40xf32>
  %v118 = stablehlo.slice %v111 [0:15, 0:40] : (tensor<16x40xf32>) -> tensor<15x40xf32>
  %v119 = stablehlo.slice %v117 [0:15, 0:40] : (tensor<16x40xf32>) -> tensor<15x40xf32>
  %v120 = stablehlo.slice %v4 [2:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<15x40xf32>
  %v121 = stablehlo.slice %v6 [2:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<15x40xf32>
  %v122 = stablehlo.multiply %v118, %v120 : tensor<15x40xf32>
  %v123 = stablehlo.multiply %v120, %v119 : tensor<15x40xf32>
  %v124 = stablehlo.add %v123, %v121 : tensor<15x40xf32>
  %v125 = stablehlo.slice %v4 [0:1, 0:40] : (tensor<32x40xf32>) -> tensor<1x40xf32>
  %v126 = stablehlo.concatenate %v125, %v122, dim = 0 : (tensor<1x40xf32>, tensor<15x40xf32>) -> tensor<16x40xf32>
  %v127 = stablehlo.constant dense<0.0> : tensor<f32>
  %v128 = stablehlo.pad %v126, %v127, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v129 = stablehlo.pad %v111, %v127, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v130 = stablehlo.add %v128, %v129 : tensor<32x40xf32>
  %v131 = stablehlo.slice %v6 [0:1, 0:40] : (tensor<32x40xf32>) -> tensor<1x40xf32>
  %v132 = stablehlo.concatenate %v131, %v124, dim = 0 : (tensor<1x40xf32>, tensor<15x40xf32>) -> tensor<16x40xf32>
  %v133 = stablehlo.constant dense<0.0> : tensor<f32>
  %v134 = stablehlo.pad %v132, %v133, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v135 = stablehlo.pad %v117, %v133, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v136 = stablehlo.add %v134, %v135 : tensor<32x40xf32>
  %v137 = stablehlo.slice %v130 [0:31, 0:40] : (tensor<32x40xf32>) -> tensor<31x40xf32>
  %v138 = stablehlo.slice %v136 [0:31, 0:40] : (tensor<32x40xf32>) -> tensor<31x40xf32>
  %v139 = stablehlo.slice %a0 [2:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<31x40xf32>
  %v140 = stablehlo.slice %a1 [2:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<31x40xf32>
  %v141 = stablehlo.multiply %v137, %v139 : tensor<31x40xf32>
  %v142 = stablehlo.multiply %v139, %v138 : tensor<31x40xf32>
  %v143 = stablehlo.add %v142, %v140 : tensor<31x40xf32>
  %v144 = stablehlo.slice %a0 [0:1, 0:40] : (tensor<64x40xf32>) -> tensor<1x40xf32>
  %v145 = stablehlo.concatenate %v144, %v141, dim = 0 : (tensor<1x40xf32>, tensor<31x40xf32>) -> tensor<32x40xf32>
  %v146 = stablehlo.constant dense<0.0> : tensor<f32>
  %v147 = stablehlo.pad %v145, %v146, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v148 = stablehlo.pad %v130, %v146, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v149 = stablehlo.add %v147, %v148 : tensor<64x40xf32>
  %v150 = stablehlo.slice %a1 [0:1, 0:40] : (tensor<64x40xf32>) -> tensor<1x40xf32>
  %v151 = stablehlo.concatenate %v150, %v143, dim = 0 : (tensor<1x40xf32>, tensor<31x40xf32>) -> tensor<32x40xf32>
  %v152 = stablehlo.constant dense<0.0> : tensor<f32>
  %v153 = stablehlo.pad %v151, %v152, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v154 = stablehlo.pad %v136, %v152, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v155 = stablehlo.add %v153, %v154 : tensor<64x40xf32>
  return %v149, %v155 : tensor<64x40xf32>, tensor<64x40xf32>
}

// Sums that begin anew.
func.func @segments(%a0: tensor<64x40xi1>, %a1: tensor<64x40xf32>) -> (tensor<64x40xf32>) {
  %v0 = stablehlo.slice %a0 [0:63:2, 0:40] : (tensor<64x40xi1>) -> tensor<32x40xi1>
  %v1 = stablehlo.slice %a1 [0:63:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v2 = stablehlo.slice %a0 [1:64:2, 0:40] : (tensor<64x40xi1>) -> tensor<32x40xi1>
  %v3 = stablehlo.slice %a1 [1:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<32x40xf32>
  %v4 = stablehlo.or %v0, %v2 : tensor<32x40xi1>
  %v5 = stablehlo.add %v1, %v3 : tensor<32x40xf32>
  %v6 = stablehlo.select %v2, %v3, %v5 : tensor<32x40xi1>, tensor<32x40xf32>
  %v7 = stablehlo.slice %v4 [0:31:2, 0:40] : (tensor<32x40xi1>) -> tensor<16x40xi1>
  %v8 = stablehlo.slice %v6 [0:31:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v9 = stablehlo.slice %v4 [1:32:2, 0:40] : (tensor<32x40xi1>) -> tensor<16x40xi1>
  %v10 = stablehlo.slice %v6 [1:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<16x40xf32>
  %v11 = stablehlo.or %v7, %v9 : tensor<16x40xi1>
  %v12 = stablehlo.add %v8, %v10 : tensor<16x40xf32>
  %v13 = stablehlo.select %v9, %v10, %v12 : tensor<16x40xi1>, tensor<16x40xf32>
  %v14 = stablehlo.slice %v11 [0:15:2, 0:40] : (tensor<16x40xi1>) -> tensor<8x40xi1>
  %v15 = stablehlo.slice %v13 [0:15:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v16 = stablehlo.slice %v11 [1:16:2, 0:40] : (tensor<16x40xi1>) -> tensor<8x40xi1>
  %v17 = stablehlo.slice %v13 [1:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<8x40xf32>
  %v18 = stablehlo.or %v14, %v16 : tensor<8x40xi1>
  %v19 = stablehlo.add %v15, %v17 : tensor<8x40xf32>
  %v20 = stablehlo.select %v16, %v17, %v19 : tensor<8x40xi1>, tensor<8x40xf32>
  %v21 = stablehlo.slice %v18 [0:7:2, 0:40] : (tensor<8x40xi1>) -> tensor<4x40xi1>
  %v22 = stablehlo.slice %v20 [0:7:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v23 = stablehlo.slice %v18 [1:8:2, 0:40] : (tensor<8x40xi1>) -> tensor<4x40xi1>
  %v24 = stablehlo.slice %v20 [1:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<4x40xf32>
  %v25 = stablehlo.or %v21, %v23 : tensor<4x40xi1>
  %v26 = stablehlo.add %v22, %v24 : tensor<4x40xf32>
  %v27 = stablehlo.select %v23, %v24, %v26 : tensor<4x40xi1>, tensor<4x40xf32>
  %v28 = stablehlo.slice %v25 [0:3:2, 0:40] : (tensor<4x40xi1>) -> tensor<2x40xi1>
  %v29 = stablehlo.slice %v27 [0:3:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v30 = stablehlo.slice %v25 [1:4:2, 0:40] : (tensor<4x40xi1>) -> tensor<2x40xi1>
  %v31 = stablehlo.slice %v27 [1:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<2x40xf32>
  %v32 = stablehlo.or %v28, %v30 : tensor<2x40xi1>
  %v33 = stablehlo.add %v29, %v31 : tensor<2x40xf32>
  %v34 = stablehlo.select %v30, %v31, %v33 : tensor<2x40xi1>, tensor<2x40xf32>
  %v35 = stablehlo.slice %v32 [0:1:2, 0:40] : (tensor<2x40xi1>) -> tensor<1x40xi1>
  %v36 = stablehlo.slice %v34 [0:1:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v37 = stablehlo.slice %v32 [1:2:2, 0:40] : (tensor<2x40xi1>) -> tensor<1x40xi1>
  %v38 = stablehlo.slice %v34 [1:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v39 = stablehlo.or %v35, %v37 : tensor<1x40xi1>
  %v40 = stablehlo.add %v36, %v38 : tensor<1x40xf32>
  %v41 = stablehlo.select %v37, %v38, %v40 : tensor<1x40xi1>, tensor<1x40xf32>
  %v42 = stablehlo.slice %v39 [0:0, 0:40] : (tensor<1x40xi1>) -> tensor<0x40xi1>
  %v43 = stablehlo.slice %v41 [0:0, 0:40] : (tensor<1x40xf32>) -> tensor<0x40xf32>
  %v44 = stablehlo.slice %v32 [2:2:2, 0:40] : (tensor<2x40xi1>) -> tensor<0x40xi1>
  %v45 = stablehlo.slice %v34 [2:2:2, 0:40] : (tensor<2x40xf32>) -> tensor<0x40xf32>
  %v46 = stablehlo.or %v42, %v44 : tensor<0x40xi1>
  %v47 = stablehlo.add %v43, %v45 : tensor<0x40xf32>
  %v48 = stablehlo.select %v44, %v45, %v47 : tensor<0x40xi1>, tensor<0x40xf32>
  %v49 = stablehlo.slice %v32 [0:1, 0:40] : (tensor<2x40xi1>) -> tensor<1x40xi1>
  %v50 = stablehlo.concatenate %v49, %v46, dim = 0 : (tensor<1x40xi1>, tensor<0x40xi1>) -> tensor<1x40xi1>
  %v51 = stablehlo.constant dense<false> : tensor<i1>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xi1>, tensor<i1>) -> tensor<2x40xi1>
  %v53 = stablehlo.pad %v39, %v51, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x40xi1>, tensor<i1>) -> tensor<2x40xi1>
  %v54 = stablehlo.or %v52, %v53 : tensor<2x40xi1>
  %v55 = stablehlo.slice %v34 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v56 = stablehlo.concatenate %v55, %v48, dim = 0 : (tensor<1x40xf32>, tensor<0x40xf32>) -> tensor<1x40xf32>
  %v57 = stablehlo.constant dense<0.0> : tensor<f32>
  %v58 = stablehlo.pad %v56, %v57, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v59 = stablehlo.pad %v41, %v57, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %v60 = stablehlo.add %v58, %v59 : tensor<2x40xf32>
  %v61 = stablehlo.slice %v54 [0:1, 0:40] : (tensor<2x40xi1>) -> tensor<1x40xi1>
  %v62 = stablehlo.slice %v60 [0:1, 0:40] : (tensor<2x40xf32>) -> tensor<1x40xf32>
  %v63 = stablehlo.slice %v25 [2:4:2, 0:40] : (tensor<4x40xi1>) -> tensor<1x40xi1>
  %v64 = stablehlo.slice %v27 [2:4:2, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v65 = stablehlo.or %v61, %v63 : tensor<1x40xi1>
  %v66 = stablehlo.add %v62, %v64 : tensor<1x40xf32>
  %v67 = stablehlo.select %v63, %v64, %v66 : tensor<1x40xi1>, tensor<1x40xf32>
  %v68 = stablehlo.slice %v25 [0:1, 0:40] : (tensor<4x40xi1>) -> tensor<1x40xi1>
  %v69 = stablehlo.concatenate %v68, %v65, dim = 0 : (tensor<1x40xi1>, tensor<1x40xi1>) -> tensor<2x40xi1>
  %v70 = stablehlo.constant dense<false> : tensor<i1>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x40xi1>, tensor<i1>) -> tensor<4x40xi1>
  %v72 = stablehlo.pad %v54, %v70, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xi1>, tensor<i1>) -> tensor<4x40xi1>
  %v73 = stablehlo.or %v71, %v72 : tensor<4x40xi1>
  %v74 = stablehlo.slice %v27 [0:1, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %v75 = stablehlo.concatenate %v74, %v67, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v76 = stablehlo.constant dense<0.0> : tensor<f32>
  %v77 = stablehlo.pad %v75, %v76, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v78 = stablehlo.pad %v60, %v76, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<4x40xf32>
  %v79 = stablehlo.add %v77, %v78 : tensor<4x40xf32>
  %v80 = stablehlo.slice %v73 [0:3, 0:40] : (tensor<4x40xi1>) -> tensor<3x40xi1>
  %v81 = stablehlo.slice %v79 [0:3, 0:40] : (tensor<4x40xf32>) -> tensor<3x40xf32>
  %v82 = stablehlo.slice %v18 [2:8:2, 0:40] : (tensor<8x40xi1>) -> tensor<3x40xi1>
  %v83 = stablehlo.slice %v20 [2:8:2, 0:40] : (tensor<8x40xf32>) -> tensor<3x40xf32>
  %v84 = stablehlo.or %v80, %v82 : tensor<3x40xi1>
  %v85 = stablehlo.add %v81, %v83 : tensor<3x40xf32>
  %v86 = stablehlo.select %v82, %v83, %v85 : tensor<3x40xi1>, tensor<3x40xf32>
  %v87 = stablehlo.slice %v18 [0:1, 0:40] : (tensor<8x40xi1>) -> tensor<1x40xi1>
  %v88 = stablehlo.concatenate %v87, %v84, dim = 0 : (tensor<1x40xi1>, tensor<3x40xi1>) -> tensor<4x40xi1>
  %v89 = stablehlo.constant dense<false> : tensor<i1>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x40xi1>, tensor<i1>) -> tensor<8x40xi1>
  %v91 = stablehlo.pad %v73, %v89, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x40xi1>, tensor<i1>) -> tensor<8x40xi1>
  %v92 = stablehlo.or %v90, %v91 : tensor<8x40xi1>
  %v93 = stablehlo.slice %v20 [0:1, 0:40] : (tensor<8x40xf32>) -> tensor<1x40xf32>
  %v94 = stablehlo.concatenate %v93, %v86, dim = 0 : (tensor<1x40xf32>, tensor<3x40xf32>) -> tensor<4x40xf32>
  %v95 = stablehlo.constant dense<0.0> : tensor<f32>
  %v96 = stablehlo.pad %v94, %v95, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v97 = stablehlo.pad %v79, %v95, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x40xf32>, tensor<f32>) -> tensor<8x40xf32>
  %v98 = stablehlo.add %v96, %v97 : tensor<8x40xf32>
  %v99 = stablehlo.slice %v92 [0:7, 0:40] : (tensor<8x40xi1>) -> tensor<7x40xi1>
  %v100 = stablehlo.slice %v98 [0:7, 0:40] : (tensor<8x40xf32>) -> tensor<7x40xf32>
  %v101 = stablehlo.slice %v11 [2:16:2, 0:40] : (tensor<16x40xi1>) -> tensor<7x40xi1>
  %v102 = stablehlo.slice %v13 [2:16:2, 0:40] : (tensor<16x40xf32>) -> tensor<7x40xf32>
  %v103 = stablehlo.or %v99, %v101 : tensor<7x40xi1>
  %v104 = stablehlo.add %v100, %v102 : tensor<7x40xf32>
  %v105 = stablehlo.select %v101, %v102, %v104 : tensor<7x40xi1>, tensor<7x40xf32>
  %v106 = stablehlo.slice %v11 [0:1, 0:40] : (tensor<16x40xi1>) -> tensor<1x40xi1>
  %v107 = stablehlo.concatenate %v106, %v103, dim = 0 : (tensor<1x40xi1>, tensor<7x40xi1>) -> tensor<8x40xi1>
  %v108 = stablehlo.constant dense<false> : tensor<i1>
  %v109 = stablehlo.pad %v107, %v108, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x40xi1>, tensor<i1>) -> tensor<16x40xi1>
  %v110 = stablehlo.pad %v92, %v108, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x40xi1>, tensor<i1>) -> tensor<16x40xi1>
  %v111 = stablehlo.or %v109, %v110 : tensor<16x40xi1>
  %v112 = stablehlo.slice %v13 [0:1, 0:40] : (tensor<16x40xf32>) -> tensor<1x40xf32>
  %v113 = stablehlo.concatenate %v112, %v105, dim = 0 : (tensor<1x40xf32>, tensor<7x40xf32>) -> tensor<8x40xf32>
  %v114 = stablehlo.constant dense<0.0> : tensor<f32>
  %v115 = stablehlo.pad %v113, %v114, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v116 = stablehlo.pad %v98, %v114, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x40xf32>, tensor<f32>) -> tensor<16x40xf32>
  %v117 = stablehlo.add %v115, %v116 : tensor<16x40xf32>
  %v118 = stablehlo.slice %v111 [0:15, 0:40] : (tensor<16x40xi1>) -> tensor<15x40xi1>
  %v119 = stablehlo.slice %v117 [0:15, 0:40] : (tensor<16x40xf32>) -> tensor<15x40xf32>
  %v120 = stablehlo.slice %v4 [2:32:2, 0:40] : (tensor<32x40xi1>) -> tensor<15x40xi1>
  %v121 = stablehlo.slice %v6 [2:32:2, 0:40] : (tensor<32x40xf32>) -> tensor<15x40xf32>
  %v122 = stablehlo.or %v118, %v120 : tensor<15x40xi1>
  %v123 = stablehlo.add %v119, %v121 : tensor<15x40xf32>
  %v124 = stablehlo.select %v120, %v121, %v123 : tensor<15x40xi1>, tensor<15x40xf32>
  %v125 = stablehlo.slice %v4 [0:1, 0:40] : (tensor<32x40xi1>) -> tensor<1x40xi1>
  %v126 = stablehlo.concatenate %v125, %v122, dim = 0 : (tensor<1x40xi1>, tensor<15x40xi1>) -> tensor<16x40xi1>
  %v127 = stablehlo.constant dense<false> : tensor<i1>
  %v128 = stablehlo.pad %v126, %v127, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x40xi1>, tensor<i1>) -> tensor<32x40xi1>
  %v129 = stablehlo.pad %v111, %v127, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<16x40xi1>, tensor<i1>) -> tensor<32x40xi1>
  %v130 = stablehlo.or %v128, %v129 : tensor<32x40xi1>
  %v131 = stablehlo.slice %v6 [0:1, 0:40] : (tensor<32x40xf32>) -> tensor<1x40xf32>
  %v132 = stablehlo.concatenate %v131, %v124, dim = 0 : (tensor<1x40xf32>, tensor<15x40xf32>) -> tensor<16x40xf32>
  %v133 = stablehlo.constant dense<0.0> : tensor<f32>
  %v134 = stablehlo.pad %v132, %v133, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v135 = stablehlo.pad %v117, %v133, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<16x40xf32>, tensor<f32>) -> tensor<32x40xf32>
  %v136 = stablehlo.add %v134, %v135 : tensor<32x40xf32>
  %v137 = stablehlo.slice %v130 [0:31, 0:40] : (tensor<32x40xi1>) -> tensor<31x40xi1>
  %v138 = stablehlo.slice %v136 [0:31, 0:40] : (tensor<32x40xf32>) -> tensor<31x40xf32>
  %v139 = stablehlo.slice %a0 [2:64:2, 0:40] : (tensor<64x40xi1>) -> tensor<31x40xi1>
  %v140 = stablehlo.slice %a1 [2:64:2, 0:40] : (tensor<64x40xf32>) -> tensor<31x40xf32>
  %v141 = stablehlo.or %v137, %v139 : tensor<31x40xi1>
  %v142 = stablehlo.add %v138, %v140 : tensor<31x40xf32>
  %v143 = stablehlo.select %v139, %v140, %v142 : tensor<31x40xi1>, tensor<31x40xf32>
  %v144 = stablehlo.slice %a0 [0:1, 0:40] : (tensor<64x40xi1>) -> tensor<1x40xi1>
  %v145 = stablehlo.concatenate %v144, %v141, dim = 0 : (tensor<1x40xi1>, tensor<31x40xi1>) -> tensor<32x40xi1>
  %v146 = stablehlo.constant dense<false> : tensor<i1>
  %v147 = stablehlo.pad %v145, %v146, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<32x40xi1>, tensor<i1>) -> tensor<64x40xi1>
  %v148 = stablehlo.pad %v130, %v146, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<32x40xi1>, tensor<i1>) -> tensor<64x40xi1>
  %v149 = stablehlo.or %v147, %v148 : tensor<64x40xi1>
  %v150 = stablehlo.slice %a1 [0:1, 0:40] : (tensor<64x40xf32>) -> tensor<1x40xf32>
  %v151 = stablehlo.concatenate %v150, %v143, dim = 0 : (tensor<1x40xf32>, tensor<31x40xf32>) -> tensor<32x40xf32>
  %v152 = stablehlo.constant dense<0.0> : tensor<f32>
  %v153 = stablehlo.pad %v151, %v152, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v154 = stablehlo.pad %v136, %v152, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<32x40xf32>, tensor<f32>) -> tensor<64x40xf32>
  %v155 = stablehlo.add %v153, %v154 : tensor<64x40xf32>
  return %v155 : tensor<64x40xf32>
}

// The maximum so far, and the sum of exponentials below it, each of which needs the other part.
func.func @exponentials(%a0: tensor<48x40xf32>, %a1: tensor<48x40xf32>) -> (tensor<48x40xf32>, tensor<48x40xf32>) {
  %v0 = stablehlo.slice %a0 [0:47:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v1 = stablehlo.slice %a1 [0:47:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v2 = stablehlo.slice %a0 [1:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v3 = stablehlo.slice %a1 [1:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v4 = stablehlo.maximum %v0, %v2 : tensor<24x40xf32>
  %v5 = stablehlo.subtract %v0, %v4 : tensor<24x40xf32>
  %v6 = stablehlo.exponential %v5 : tensor<24x40xf32>
  %v7 = stablehlo.multiply %v6, %v1 : tensor<24x40xf32>
  %v8 = stablehlo.subtract %v2, %v4 : tensor<24x40xf32>
  %v9 = stablehlo.exponential %v8 : tensor<24x40xf32>
  %v10 = stablehlo.multiply %v9, %v3 : tensor<24x40xf32>
  %v11 = stablehlo.add %v7, %v10 : tensor<24x40xf32>
  %v12 = stablehlo.slice %v4 [0:23:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v13 = stablehlo.slice %v11 [0:23:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v14 = stablehlo.slice %v4 [1:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v15 = stablehlo.slice %v11 [1:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v16 = stablehlo.maximum %v12, %v14 : tensor<12x40xf32>
  %v17 = stablehlo.subtract %v12, %v16 : tensor<12x40xf32>
  %v18 = stablehlo.exponential %v17 : tensor<12x40xf32>
  %v19 = stablehlo.multiply %v18, %v13 : tensor<12x40xf32>
  %v20 = stablehlo.subtract %v14, %v16 : tensor<12x40xf32>
  %v21 = stablehlo.exponential %v20 : tensor<12x40xf32>
  %v22 = stablehlo.multiply %v21, %v15 : tensor<12x40xf32>
  %v23 = stablehlo.add %v19, %v22 : tensor<12x40xf32>
  %v24 = stablehlo.slice %v16 [0:11:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v25 = stablehlo.slice %v23 [0:11:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v26 = stablehlo.slice %v16 [1:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v27 = stablehlo.slice %v23 [1:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v28 = stablehlo.maximum %v24, %v26 : tensor<6x40xf32>
  %v29 = stablehlo.subtract %v24, %v28 : tensor<6x40xf32>
  %v30 = stablehlo.exponential %v29 : tensor<6x40xf32>
  %v31 = stablehlo.multiply %v30, %v25 : tensor<6x40xf32>
  %v32 = stablehlo.subtract %v26, %v28 : tensor<6x40xf32>
  %v33 = stablehlo.exponential %v32 : tensor<6x40xf32>
  %v34 = stablehlo.multiply %v33, %v27 : tensor<6x40xf32>
  %v35 = stablehlo.add %v31, %v34 : tensor<6x40xf32>
  %v36 = stablehlo.slice %v28 [0:5:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v37 = stablehlo.slice %v35 [0:5:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v38 = stablehlo.slice %v28 [1:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v39 = stablehlo.slice %v35 [1:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v40 = stablehlo.maximum %v36, %v38 : tensor<3x40xf32>
  %v41 = stablehlo.subtract %v36, %v40 : tensor<3x40xf32>
  %v42 = stablehlo.exponential %v41 : tensor<3x40xf32>
  %v43 = stablehlo.multiply %v42, %v37 : tensor<3x40xf32>
  %v44 = stablehlo.subtract %v38, %v40 : tensor<3x40xf32>
  %v45 = stablehlo.exponential %v44 : tensor<3x40xf32>
  %v46 = stablehlo.multiply %v45, %v39 : tensor<3x40xf32>
  %v47 = stablehlo.add %v43, %v46 : tensor<3x40xf32>
  %v48 = stablehlo.slice %v40 [0:2:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v49 = stablehlo.slice %v47 [0:2:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v50 = stablehlo.slice %v40 [1:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v51 = stablehlo.slice %v47 [1:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v52 = stablehlo.maximum %v48, %v50 : tensor<1x40xf32>
  %v53 = stablehlo.subtract %v48, %v52 : tensor<1x40xf32>
  %v54 = stablehlo.exponential %v53 : tensor<1x40xf32>
  %v55 = stablehlo.multiply %v54, %v49 : tensor<1x40xf32>
  %v56 = stablehlo.subtract %v50, %v52 : tensor<1x40xf32>
  %v57 = stablehlo.exponential %v56 : tensor<1x40xf32>
  %v58 = stablehlo.multiply %v57, %v51 : tensor<1x40xf32>
  %v59 = stablehlo.add %v55, %v58 : tensor<1x40xf32>
  %v60 = stablehlo.slice %v40 [2:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v61 = stablehlo.slice %v47 [2:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v62 = stablehlo.maximum %v52, %v60 : tensor<1x40xf32>
  %v63 = stablehlo.subtract %v52, %v62 : tensor<1x40xf32>
  %v64 = stablehlo.exponential %v63 : tensor<1x40xf32>
  %v65 = stablehlo.multiply %v64, %v59 : tensor<1x40xf32>
  %v66 = stablehlo.subtract %v60, %v62 : tensor<1x40xf32>
  %v67 = stablehlo.exponential %v66 : tensor<1x40xf32>
  %v68 = stablehlo.multiply %v67, %v61 : tensor<1x40xf32>
  %v69 = stablehlo.add %v65, %v68 : tensor<1x40xf32>
  %v70 = stablehlo.slice %v40 [0:1, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v71 = stablehlo.concatenate %v70, %v62, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v72 = stablehlo.constant dense<0.0> : tensor<f32>
  %v73 = stablehlo.pad %v71, %v72, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v74 = stablehlo.pad %v52, %v72, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v75 = stablehlo.add %v73, %v74 : tensor<3x40xf32>
  %v76 = stablehlo.slice %v47 [0:1, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v77 = stablehlo.concatenate %v76, %v69, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v78 = stablehlo.constant dense<0.0> : tensor<f32>
  %v79 = stablehlo.pad %v77, %v78, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v80 = stablehlo.pad %v59, %v78, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v81 = stablehlo.add %v79, %v80 : tensor<3x40xf32>
  %v82 = stablehlo.slice %v75 [0:2, 0:40] : (tensor<3x40xf32>) -> tensor<2x40xf32>
  %v83 = stablehlo.slice %v81 [0:2, 0:40] : (tensor<3x40xf32>) -> tensor<2x40xf32>
  %v84 = stablehlo.slice %v28 [2:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<2x40xf32>
  %v85 = stablehlo.slice %v35 [2:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<2x40xf32>
  %v86 = stablehlo.maximum %v82, %v84 : tensor<2x40xf32>
  %v87 = stablehlo.subtract %v82, %v86 : tensor<2x40xf32>
  %v88 = stablehlo.exponential %v87 : tensor<2x40xf32>
  %v89 = stablehlo.multiply %v88, %v83 : tensor<2x40xf32>
  %v90 = stablehlo.subtract %v84, %v86 : tensor<2x40xf32>
  %v91 = stablehlo.exponential %v90 : tensor<2x40xf32>
  %v92 = stablehlo.multiply %v91, %v85 : tensor<2x40xf32>
  %v93 = stablehlo.add %v89, %v92 : tensor<2x40xf32>
  %v94 = stablehlo.slice %v28 [0:1, 0:40] : (tensor<6x40xf32>) -> tensor<1x40xf32>
  %v95 = stablehlo.concatenate %v94, %v86, dim = 0 : (tensor<1x40xf32>, tensor<2x40xf32>) -> tensor<3x40xf32>
  %v96 = stablehlo.constant dense<0.0> : tensor<f32>
  %v97 = stablehlo.pad %v95, %v96, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v98 = stablehlo.pad %v75, %v96, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v99 = stablehlo.add %v97, %v98 : tensor<6x40xf32>
  %v100 = stablehlo.slice %v35 [0:1, 0:40] : (tensor<6x40xf32>) -> tensor<1x40xf32>
  %v101 = stablehlo.concatenate %v100, %v93, dim = 0 : (tensor<1x40xf32>, tensor<2x40xf32>) -> tensor<3x40xf32>
  %v102 = stablehlo.constant dense<0.0> : tensor<f32>
  %v103 = stablehlo.pad %v101, %v102, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v104 = stablehlo.pad %v81, %v102, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v105 = stablehlo.add %v103, %v104 : tensor<6x40xf32>
  %v106 = stablehlo.slice %v99 [0:5, 0:40] : (tensor<6x40xf32>) -> tensor<5x40xf32>
  %v107 = stablehlo.slice %v105 [0:5, 0:40] : (tensor<6x40xf32>) -> tensor<5x40xf32>
  %v108 = stablehlo.slice %v16 [2:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<5x40xf32>
  %v109 = stablehlo.slice %v23 [2:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<5x40xf32>
  %v110 = stablehlo.maximum %v106, %v108 : tensor<5x40xf32>
  %v111 = stablehlo.subtract %v106, %v110 : tensor<5x40xf32>
  %v112 = stablehlo.exponential %v111 : tensor<5x40xf32>
  %v113 = stablehlo.multiply %v112, %v107 : tensor<5x40xf32>
  %v114 = stablehlo.subtract %v108, %v110 : tensor<5x40xf32>
  %v115 = stablehlo.exponential %v114 : tensor<5x40xf32>
  %v116 = stablehlo.multiply %v115, %v109 : tensor<5x40xf32>
  %v117 = stablehlo.add %v113, %v116 : tensor<5x40xf32>
  %v118 = stablehlo.slice %v16 [0:1, 0:40] : (tensor<12x40xf32>) -> tensor<1x40xf32>
  %v119 = stablehlo.concatenate %v118, %v110, dim = 0 : (tensor<1x40xf32>, tensor<5x40xf32>) -> tensor<6x40xf32>
  %v120 = stablehlo.constant dense<0.0> : tensor<f32>
  %v121 = stablehlo.pad %v119, %v120, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v122 = stablehlo.pad %v99, %v120, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v123 = stablehlo.add %v121, %v122 : tensor<12x40xf32>
  %v124 = stablehlo.slice %v23 [0:1, 0:40] : (tensor<12x40xf32>) -> tensor<1x40xf32>
  %v125 = stablehlo.concatenate %v124, %v117, dim = 0 : (tensor<1x40xf32>, tensor<5x40xf32>) -> tensor<6x40xf32>
  %v126 = stablehlo.constant dense<0.0> : tensor<f32>
  %v127 = stablehlo.pad %v125, %v126, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v128 = stablehlo.pad %v105, %v126, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v129 = stablehlo.add %v127, %v128 : tensor<12x40xf32>
  %v130 = stablehlo.slice %v123 [0:11, 0:40] : (tensor<12x40xf32>) -> tensor<11x40xf32>
  %v131 = stablehlo.slice %v129 [0:11, 0:40] : (tensor<12x40xf32>) -> tensor<11x40xf32>
  %v132 = stablehlo.slice %v4 [2:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<11x40xf32>
  %v133 = stablehlo.slice %v11 [2:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<11x40xf32>
  %v134 = stablehlo.maximum %v130, %v132 : tensor<11x40xf32>
  %v135 = stablehlo.subtract %v130, %v134 : tensor<11x40xf32>
  %v136 = stablehlo.exponential %v135 : tensor<11x40xf32>
  %v137 = stablehlo.multiply %v136, %v131 : tensor<11x40xf32>
  %v138 = stablehlo.subtract %v132, %v134 : tensor<11x40xf32>
  %v139 = stablehlo.exponential %v138 : tensor<11x40xf32>
  %v140 = stablehlo.multiply %v139, %v133 : tensor<11x40xf32>
  %v141 = stablehlo.add %v137, %v140 : tensor<11x40xf32>
  %v142 = stablehlo.slice %v4 [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
  %v143 = stablehlo.concatenate %v142, %v134, dim = 0 : (tensor<1x40xf32>, tensor<11x40xf32>) -> tensor<12x40xf32>
  %v144 = stablehlo.constant dense<0.0> : tensor<f32>
  %v145 = stablehlo.pad %v143, %v144, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v146 = stablehlo.pad %v123, %v144, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v147 = stablehlo.add %v145, %v146 : tensor<24x40xf32>
  %v148 = stablehlo.slice %v11 [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
  %v149 = stablehlo.concatenate %v148, %v141, dim = 0 : (tensor<1x40xf32>, tensor<11x40xf32>) -> tensor<12x40xf32>
  %v150 = stablehlo.constant dense<0.0> : tensor<f32>
  %v151 = stablehlo.pad %v149, %v150, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v152 = stablehlo.pad %v129, %v150, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v153 = stablehlo.add %v151, %v152 : tensor<24x40xf32>
  %v154 = stablehlo.slice %v147 [0:23, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
  %v155 = stablehlo.slice %v153 [0:23, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
  %v156 = stablehlo.slice %a0 [2:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<23x40xf32>
  %v157 = stablehlo.slice %a1 [2:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<23x40xf32>
  %v158 = stablehlo.maximum %v154, %v156 : tensor<23x40xf32>
  %v159 = stablehlo.subtract %v154, %v158 : tensor<23x40xf32>
  %v160 = stablehlo.exponential %v159 : tensor<23x40xf32>
  %v161 = stablehlo.multiply %v160, %v155 : tensor<23x40xf32>
  %v162 = stablehlo.subtract %v156, %v158 : tensor<23x40xf32>
  %v163 = stablehlo.exponential %v162 : tensor<23x40xf32>
  %v164 = stablehlo.multiply %v163, %v157 : tensor<23x40xf32>
  %v165 = stablehlo.add %v161, %v164 : tensor<23x40xf32>
  %v166 = stablehlo.slice %a0 [0:1, 0:40] : (tensor<48x40xf32>) -> tensor<1x40xf32>
  %v167 = stablehlo.concatenate %v166, %v158, dim = 0 : (tensor<1x40xf32>, tensor<23x40xf32>) -> tensor<24x40xf32>
  %v168 = stablehlo.constant dense<0.0> : tensor<f32>
  %v169 = stablehlo.pad %v167, %v168, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v170 = stablehlo.pad %v147, %v168, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v171 = stablehlo.add %v169, %v170 : tensor<48x40xf32>
  %v172 = stablehlo.slice %a1 [0:1, 0:40] : (tensor<48x40xf32>) -> tensor<1x40xf32>
  %v173 = stablehlo.concatenate %v172, %v165, dim = 0 : (tensor<1x40xf32>, tensor<23x40xf32>) -> tensor<24x40xf32>
  %v174 = stablehlo.constant dense<0.0> : tensor<f32>
  %v175 = stablehlo.pad %v173, %v174, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v176 = stablehlo.pad %v153, %v174, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v177 = stablehlo.add %v175, %v176 : tensor<48x40xf32>
  return %v171, %v177 : tensor<48x40xf32>, tensor<48x40xf32>
}

// Complex numbers in two parts.
func.func @complex(%a0: tensor<3x48x20xf32>, %a1: tensor<3x48x20xf32>, %a2: tensor<3x48x20xf32>, %a3: tensor<3x48x20xf32>) -> (tensor<3x48x20xf32>, tensor<3x48x20xf32>) {
  %v0 = stablehlo.slice %a0 [0:3, 0:47:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v1 = stablehlo.slice %a1 [0:3, 0:47:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v2 = stablehlo.slice %a2 [0:3, 0:47:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v3 = stablehlo.slice %a3 [0:3, 0:47:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v4 = stablehlo.slice %a0 [0:3, 1:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v5 = stablehlo.slice %a1 [0:3, 1:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v6 = stablehlo.slice %a2 [0:3, 1:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v7 = stablehlo.slice %a3 [0:3, 1:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x24x20xf32>
  %v8 = stablehlo.multiply %v0, %v4 : tensor<3x24x20xf32>
  %v9 = stablehlo.multiply %v1, %v5 : tensor<3x24x20xf32>
  %v10 = stablehlo.subtract %v8, %v9 : tensor<3x24x20xf32>
  %v11 = stablehlo.multiply %v0, %v5 : tensor<3x24x20xf32>
  %v12 = stablehlo.multiply %v1, %v4 : tensor<3x24x20xf32>
  %v13 = stablehlo.add %v11, %v12 : tensor<3x24x20xf32>
  %v14 = stablehlo.multiply %v4, %v2 : tensor<3x24x20xf32>
  %v15 = stablehlo.multiply %v5, %v3 : tensor<3x24x20xf32>
  %v16 = stablehlo.subtract %v14, %v15 : tensor<3x24x20xf32>
  %v17 = stablehlo.multiply %v4, %v3 : tensor<3x24x20xf32>
  %v18 = stablehlo.multiply %v5, %v2 : tensor<3x24x20xf32>
  %v19 = stablehlo.add %v17, %v18 : tensor<3x24x20xf32>
  %v20 = stablehlo.add %v16, %v6 : tensor<3x24x20xf32>
  %v21 = stablehlo.add %v19, %v7 : tensor<3x24x20xf32>
  %v22 = stablehlo.slice %v10 [0:3, 0:23:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v23 = stablehlo.slice %v13 [0:3, 0:23:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v24 = stablehlo.slice %v20 [0:3, 0:23:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v25 = stablehlo.slice %v21 [0:3, 0:23:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v26 = stablehlo.slice %v10 [0:3, 1:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v27 = stablehlo.slice %v13 [0:3, 1:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v28 = stablehlo.slice %v20 [0:3, 1:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v29 = stablehlo.slice %v21 [0:3, 1:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x12x20xf32>
  %v30 = stablehlo.multiply %v22, %v26 : tensor<3x12x20xf32>
  %v31 = stablehlo.multiply %v23, %v27 : tensor<3x12x20xf32>
  %v32 = stablehlo.subtract %v30, %v31 : tensor<3x12x20xf32>
  %v33 = stablehlo.multiply %v22, %v27 : tensor<3x12x20xf32>
  %v34 = stablehlo.multiply %v23, %v26 : tensor<3x12x20xf32>
  %v35 = stablehlo.add %v33, %v34 : tensor<3x12x20xf32>
  %v36 = stablehlo.multiply %v26, %v24 : tensor<3x12x20xf32>
  %v37 = stablehlo.multiply %v27, %v25 : tensor<3x12x20xf32>
  %v38 = stablehlo.subtract %v36, %v37 : tensor<3x12x20xf32>
  %v39 = stablehlo.multiply %v26, %v25 : tensor<3x12x20xf32>
  %v40 = stablehlo.multiply %v27, %v24 : tensor<3x12x20xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<3x12x20xf32>
  %v42 = stablehlo.add %v38, %v28 : tensor<3x12x20xf32>
  %v43 = stablehlo.add %v41, %v29 : tensor<3x12x20xf32>
  %v44 = stablehlo.slice %v32 [0:3, 0:11:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v45 = stablehlo.slice %v35 [0:3, 0:11:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v46 = stablehlo.slice %v42 [0:3, 0:11:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v47 = stablehlo.slice %v43 [0:3, 0:11:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v48 = stablehlo.slice %v32 [0:3, 1:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v49 = stablehlo.slice %v35 [0:3, 1:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v50 = stablehlo.slice %v42 [0:3, 1:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v51 = stablehlo.slice %v43 [0:3, 1:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x6x20xf32>
  %v52 = stablehlo.multiply %v44, %v48 : tensor<3x6x20xf32>
  %v53 = stablehlo.multiply %v45, %v49 : tensor<3x6x20xf32>
  %v54 = stablehlo.subtract %v52, %v53 : tensor<3x6x20xf32>
  %v55 = stablehlo.multiply %v44, %v49 : tensor<3x6x20xf32>
  %v56 = stablehlo.multiply %v45, %v48 : tensor<3x6x20xf32>
  %v57 = stablehlo.add %v55, %v56 : tensor<3x6x20xf32>
  %v58 = stablehlo.multiply %v48, %v46 : tensor<3x6x20xf32>
  %v59 = stablehlo.multiply %v49, %v47 : tensor<3x6x20xf32>
  %v60 = stablehlo.subtract %v58, %v59 : tensor<3x6x20xf32>
  %v61 = stablehlo.multiply %v48, %v47 : tensor<3x6x20xf32>
  %v62 = stablehlo.multiply %v49, %v46 : tensor<3x6x20xf32>
  %v63 = stablehlo.add %v61, %v62 : tensor<3x6x20xf32>
  %v64 = stablehlo.add %v60, %v50 : tensor<3x6x20xf32>
  %v65 = stablehlo.add %v63, %v51 : tensor<3x6x20xf32>
  %v66 = stablehlo.slice %v54 [0:3, 0:5:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v67 = stablehlo.slice %v57 [0:3, 0:5:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v68 = stablehlo.slice %v64 [0:3, 0:5:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v69 = stablehlo.slice %v65 [0:3, 0:5:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v70 = stablehlo.slice %v54 [0:3, 1:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v71 = stablehlo.slice %v57 [0:3, 1:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v72 = stablehlo.slice %v64 [0:3, 1:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v73 = stablehlo.slice %v65 [0:3, 1:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x3x20xf32>
  %v74 = stablehlo.multiply %v66, %v70 : tensor<3x3x20xf32>
  %v75 = stablehlo.multiply %v67, %v71 : tensor<3x3x20xf32>
  %v76 = stablehlo.subtract %v74, %v75 : tensor<3x3x20xf32>
  %v77 = stablehlo.multiply %v66, %v71 : tensor<3x3x20xf32>
  %v78 = stablehlo.multiply %v67, %v70 : tensor<3x3x20xf32>
  %v79 = stablehlo.add %v77, %v78 : tensor<3x3x20xf32>
  %v80 = stablehlo.multiply %v70, %v68 : tensor<3x3x20xf32>
  %v81 = stablehlo.multiply %v71, %v69 : tensor<3x3x20xf32>
  %v82 = stablehlo.subtract %v80, %v81 : tensor<3x3x20xf32>
  %v83 = stablehlo.multiply %v70, %v69 : tensor<3x3x20xf32>
  %v84 = stablehlo.multiply %v71, %v68 : tensor<3x3x20xf32>
  %v85 = stablehlo.add %v83, %v84 : tensor<3x3x20xf32>
  %v86 = stablehlo.add %v82, %v72 : tensor<3x3x20xf32>
  %v87 = stablehlo.add %v85, %v73 : tensor<3x3x20xf32>
  %v88 = stablehlo.slice %v76 [0:3, 0:2:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v89 = stablehlo.slice %v79 [0:3, 0:2:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v90 = stablehlo.slice %v86 [0:3, 0:2:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v91 = stablehlo.slice %v87 [0:3, 0:2:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v92 = stablehlo.slice %v76 [0:3, 1:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v93 = stablehlo.slice %v79 [0:3, 1:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v94 = stablehlo.slice %v86 [0:3, 1:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v95 = stablehlo.slice %v87 [0:3, 1:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v96 = stablehlo.multiply %v88, %v92 : tensor<3x1x20xf32>
  %v97 = stablehlo.multiply %v89, %v93 : tensor<3x1x20xf32>
  %v98 = stablehlo.subtract %v96, %v97 : tensor<3x1x20xf32>
  %v99 = stablehlo.multiply %v88, %v93 : tensor<3x1x20xf32>
  %v100 = stablehlo.multiply %v89, %v92 : tensor<3x1x20xf32>
  %v101 = stablehlo.add %v99, %v100 : tensor<3x1x20xf32>
  %v102 = stablehlo.multiply %v92, %v90 : tensor<3x1x20xf32>
  %v103 = stablehlo.multiply %v93, %v91 : tensor<3x1x20xf32>
  %v104 = stablehlo.subtract %v102, %v103 : tensor<3x1x20xf32>
  %v105 = stablehlo.multiply %v92, %v91 : tensor<3x1x20xf32>
  %v106 = stablehlo.multiply %v93, %v90 : tensor<3x1x20xf32>
  %v107 = stablehlo.add %v105, %v106 : tensor<3x1x20xf32>
  %v108 = stablehlo.add %v104, %v94 : tensor<3x1x20xf32>
  %v109 = stablehlo.add %v107, %v95 : tensor<3x1x20xf32>
  %v110 = stablehlo.slice %v76 [0:3, 2:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v111 = stablehlo.slice %v79 [0:3, 2:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v112 = stablehlo.slice %v86 [0:3, 2:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v113 = stablehlo.slice %v87 [0:3, 2:3:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v114 = stablehlo.multiply %v98, %v110 : tensor<3x1x20xf32>
  %v115 = stablehlo.multiply %v101, %v111 : tensor<3x1x20xf32>
  %v116 = stablehlo.subtract %v114, %v115 : tensor<3x1x20xf32>
  %v117 = stablehlo.multiply %v98, %v111 : tensor<3x1x20xf32>
  %v118 = stablehlo.multiply %v101, %v110 : tensor<3x1x20xf32>
  %v119 = stablehlo.add %v117, %v118 : tensor<3x1x20xf32>
  %v120 = stablehlo.multiply %v110, %v108 : tensor<3x1x20xf32>
  %v121 = stablehlo.multiply %v111, %v109 : tensor<3x1x20xf32>
  %v122 = stablehlo.subtract %v120, %v121 : tensor<3x1x20xf32>
  %v123 = stablehlo.multiply %v110, %v109 : tensor<3x1x20xf32>
  %v124 = stablehlo.multiply %v111, %v108 : tensor<3x1x20xf32>
  %v125 = stablehlo.add %v123, %v124 : tensor<3x1x20xf32>
  %v126 = stablehlo.add %v122, %v112 : tensor<3x1x20xf32>
  %v127 = stablehlo.add %v125, %v113 : tensor<3x1x20xf32>
  %v128 = stablehlo.slice %v76 [0:3, 0:1, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v129 = stablehlo.concatenate %v128, %v116, dim = 1 : (tensor<3x1x20xf32>, tensor<3x1x20xf32>) -> tensor<3x2x20xf32>
  %v130 = stablehlo.constant dense<0.0> : tensor<f32>
  %v131 = stablehlo.pad %v129, %v130, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x2x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v132 = stablehlo.pad %v98, %v130, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v133 = stablehlo.add %v131, %v132 : tensor<3x3x20xf32>
  %v134 = stablehlo.slice %v79 [0:3, 0:1, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v135 = stablehlo.concatenate %v134, %v119, dim = 1 : (tensor<3x1x20xf32>, tensor<3x1x20xf32>) -> tensor<3x2x20xf32>
  %v136 = stablehlo.constant dense<0.0> : tensor<f32>
  %v137 = stablehlo.pad %v135, %v136, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x2x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v138 = stablehlo.pad %v101, %v136, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v139 = stablehlo.add %v137, %v138 : tensor<3x3x20xf32>
  %v140 = stablehlo.slice %v86 [0:3, 0:1, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v141 = stablehlo.concatenate %v140, %v126, dim = 1 : (tensor<3x1x20xf32>, tensor<3x1x20xf32>) -> tensor<3x2x20xf32>
  %v142 = stablehlo.constant dense<0.0> : tensor<f32>
  %v143 = stablehlo.pad %v141, %v142, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x2x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v144 = stablehlo.pad %v108, %v142, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v145 = stablehlo.add %v143, %v144 : tensor<3x3x20xf32>
  %v146 = stablehlo.slice %v87 [0:3, 0:1, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x1x20xf32>
  %v147 = stablehlo.concatenate %v146, %v127, dim = 1 : (tensor<3x1x20xf32>, tensor<3x1x20xf32>) -> tensor<3x2x20xf32>
  %v148 = stablehlo.constant dense<0.0> : tensor<f32>
  %v149 = stablehlo.pad %v147, %v148, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x2x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v150 = stablehlo.pad %v109, %v148, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x1x20xf32>, tensor<f32>) -> tensor<3x3x20xf32>
  %v151 = stablehlo.add %v149, %v150 : tensor<3x3x20xf32>
  %v152 = stablehlo.slice %v133 [0:3, 0:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x2x20xf32>
  %v153 = stablehlo.slice %v139 [0:3, 0:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x2x20xf32>
  %v154 = stablehlo.slice %v145 [0:3, 0:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x2x20xf32>
  %v155 = stablehlo.slice %v151 [0:3, 0:2, 0:20] : (tensor<3x3x20xf32>) -> tensor<3x2x20xf32>
  %v156 = stablehlo.slice %v54 [0:3, 2:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x2x20xf32>
  %v157 = stablehlo.slice %v57 [0:3, 2:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x2x20xf32>
  %v158 = stablehlo.slice %v64 [0:3, 2:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x2x20xf32>
  %v159 = stablehlo.slice %v65 [0:3, 2:6:2, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x2x20xf32>
  %v160 = stablehlo.multiply %v152, %v156 : tensor<3x2x20xf32>
  %v161 = stablehlo.multiply %v153, %v157 : tensor<3x2x20xf32>
  %v162 = stablehlo.subtract %v160, %v161 : tensor<3x2x20xf32>
  %v163 = stablehlo.multiply %v152, %v157 : tensor<3x2x20xf32>
  %v164 = stablehlo.multiply %v153, %v156 : tensor<3x2x20xf32>
  %v165 = stablehlo.add %v163, %v164 : tensor<3x2x20xf32>
  %v166 = stablehlo.multiply %v156, %v154 : tensor<3x2x20xf32>
  %v167 = stablehlo.multiply %v157, %v155 : tensor<3x2x20xf32>
  %v168 = stablehlo.subtract %v166, %v167 : tensor<3x2x20xf32>
  %v169 = stablehlo.multiply %v156, %v155 : tensor<3x2x20xf32>
  %v170 = stablehlo.multiply %v157, %v154 : tensor<3x2x20xf32>
  %v171 = stablehlo.add %v169, %v170 : tensor<3x2x20xf32>
  %v172 = stablehlo.add %v168, %v158 : tensor<3x2x20xf32>
  %v173 = stablehlo.add %v171, %v159 : tensor<3x2x20xf32>
  %v174 = stablehlo.slice %v54 [0:3, 0:1, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x1x20xf32>
  %v175 = stablehlo.concatenate %v174, %v162, dim = 1 : (tensor<3x1x20xf32>, tensor<3x2x20xf32>) -> tensor<3x3x20xf32>
  %v176 = stablehlo.constant dense<0.0> : tensor<f32>
  %v177 = stablehlo.pad %v175, %v176, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v178 = stablehlo.pad %v133, %v176, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v179 = stablehlo.add %v177, %v178 : tensor<3x6x20xf32>
  %v180 = stablehlo.slice %v57 [0:3, 0:1, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x1x20xf32>
  %v181 = stablehlo.concatenate %v180, %v165, dim = 1 : (tensor<3x1x20xf32>, tensor<3x2x20xf32>) -> tensor<3x3x20xf32>
  %v182 = stablehlo.constant dense<0.0> : tensor<f32>
  %v183 = stablehlo.pad %v181, %v182, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v184 = stablehlo.pad %v139, %v182, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v185 = stablehlo.add %v183, %v184 : tensor<3x6x20xf32>
  %v186 = stablehlo.slice %v64 [0:3, 0:1, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x1x20xf32>
  %v187 = stablehlo.concatenate %v186, %v172, dim = 1 : (tensor<3x1x20xf32>, tensor<3x2x20xf32>) -> tensor<3x3x20xf32>
  %v188 = stablehlo.constant dense<0.0> : tensor<f32>
  %v189 = stablehlo.pad %v187, %v188, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v190 = stablehlo.pad %v145, %v188, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v191 = stablehlo.add %v189, %v190 : tensor<3x6x20xf32>
  %v192 = stablehlo.slice %v65 [0:3, 0:1, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x1x20xf32>
  %v193 = stablehlo.concatenate %v192, %v173, dim = 1 : (tensor<3x1x20xf32>, tensor<3x2x20xf32>) -> tensor<3x3x20xf32>
  %v194 = stablehlo.constant dense<0.0> : tensor<f32>
  %v195 = stablehlo.pad %v193, %v194, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v196 = stablehlo.pad %v151, %v194, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x3x20xf32>, tensor<f32>) -> tensor<3x6x20xf32>
  %v197 = stablehlo.add %v195, %v196 : tensor<3x6x20xf32>
  %v198 = stablehlo.slice %v179 [0:3, 0:5, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x5x20xf32>
  %v199 = stablehlo.slice %v185 [0:3, 0:5, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x5x20xf32>
  %v200 = stablehlo.slice %v191 [0:3, 0:5, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x5x20xf32>
  %v201 = stablehlo.slice %v197 [0:3, 0:5, 0:20] : (tensor<3x6x20xf32>) -> tensor<3x5x20xf32>
  %v202 = stablehlo.slice %v32 [0:3, 2:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x5x20xf32>
  %v203 = stablehlo.slice %v35 [0:3, 2:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x5x20xf32>
  %v204 = stablehlo.slice %v42 [0:3, 2:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x5x20xf32>
  %v205 = stablehlo.slice %v43 [0:3, 2:12:2, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x5x20xf32>
  %v206 = stablehlo.multiply %v198, %v202 : tensor<3x5x20xf32>
  %v207 = stablehlo.multiply %v199, %v203 : tensor<3x5x20xf32>
  %v208 = stablehlo.subtract %v206, %v207 : tensor<3x5x20xf32>
  %v209 = stablehlo.multiply %v198, %v203 : tensor<3x5x20xf32>
  %v210 = stablehlo.multiply %v199, %v202 : tensor<3x5x20xf32>
  %v211 = stablehlo.add %v209, %v210 : tensor<3x5x20xf32>
  %v212 = stablehlo.multiply %v202, %v200 : tensor<3x5x20xf32>
  %v213 = stablehlo.multiply %v203, %v201 : tensor<3x5x20xf32>
  %v214 = stablehlo.subtract %v212, %v213 : tensor<3x5x20xf32>
  %v215 = stablehlo.multiply %v202, %v201 : tensor<3x5x20xf32>
  %v216 = stablehlo.multiply %v203, %v200 : tensor<3x5x20xf32>
  %v217 = stablehlo.add %v215, %v216 : tensor<3x5x20xf32>
  %v218 = stablehlo.add %v214, %v204 : tensor<3x5x20xf32>
  %v219 = stablehlo.add %v217, %v205 : tensor<3x5x20xf32>
  %v220 = stablehlo.slice %v32 [0:3, 0:1, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x1x20xf32>
  %v221 = stablehlo.concatenate %v220, %v208, dim = 1 : (tensor<3x1x20xf32>, tensor<3x5x20xf32>) -> tensor<3x6x20xf32>
  %v222 = stablehlo.constant dense<0.0> : tensor<f32>
  %v223 = stablehlo.pad %v221, %v222, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v224 = stablehlo.pad %v179, %v222, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v225 = stablehlo.add %v223, %v224 : tensor<3x12x20xf32>
  %v226 = stablehlo.slice %v35 [0:3, 0:1, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x1x20xf32>
  %v227 = stablehlo.concatenate %v226, %v211, dim = 1 : (tensor<3x1x20xf32>, tensor<3x5x20xf32>) -> tensor<3x6x20xf32>
  %v228 = stablehlo.constant dense<0.0> : tensor<f32>
  %v229 = stablehlo.pad %v227, %v228, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v230 = stablehlo.pad %v185, %v228, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v231 = stablehlo.add %v229, %v230 : tensor<3x12x20xf32>
  %v232 = stablehlo.slice %v42 [0:3, 0:1, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x1x20xf32>
  %v233 = stablehlo.concatenate %v232, %v218, dim = 1 : (tensor<3x1x20xf32>, tensor<3x5x20xf32>) -> tensor<3x6x20xf32>
  %v234 = stablehlo.constant dense<0.0> : tensor<f32>
  %v235 = stablehlo.pad %v233, %v234, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v236 = stablehlo.pad %v191, %v234, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v237 = stablehlo.add %v235, %v236 : tensor<3x12x20xf32>
  %v238 = stablehlo.slice %v43 [0:3, 0:1, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x1x20xf32>
  %v239 = stablehlo.concatenate %v238, %v219, dim = 1 : (tensor<3x1x20xf32>, tensor<3x5x20xf32>) -> tensor<3x6x20xf32>
  %v240 = stablehlo.constant dense<0.0> : tensor<f32>
  %v241 = stablehlo.pad %v239, %v240, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v242 = stablehlo.pad %v197, %v240, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x6x20xf32>, tensor<f32>) -> tensor<3x12x20xf32>
  %v243 = stablehlo.add %v241, %v242 : tensor<3x12x20xf32>
  %v244 = stablehlo.slice %v225 [0:3, 0:11, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x11x20xf32>
  %v245 = stablehlo.slice %v231 [0:3, 0:11, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x11x20xf32>
  %v246 = stablehlo.slice %v237 [0:3, 0:11, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x11x20xf32>
  %v247 = stablehlo.slice %v243 [0:3, 0:11, 0:20] : (tensor<3x12x20xf32>) -> tensor<3x11x20xf32>
  %v248 = stablehlo.slice %v10 [0:3, 2:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x11x20xf32>
  %v249 = stablehlo.slice %v13 [0:3, 2:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x11x20xf32>
  %v250 = stablehlo.slice %v20 [0:3, 2:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x11x20xf32>
  %v251 = stablehlo.slice %v21 [0:3, 2:24:2, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x11x20xf32>
  %v252 = stablehlo.multiply %v244, %v248 : tensor<3x11x20xf32>
  %v253 = stablehlo.multiply %v245, %v249 : tensor<3x11x20xf32>
  %v254 = stablehlo.subtract %v252, %v253 : tensor<3x11x20xf32>
  %v255 = stablehlo.multiply %v244, %v249 : tensor<3x11x20xf32>
  %v256 = stablehlo.multiply %v245, %v248 : tensor<3x11x20xf32>
  %v257 = stablehlo.add %v255, %v256 : tensor<3x11x20xf32>
  %v258 = stablehlo.multiply %v248, %v246 : tensor<3x11x20xf32>
  %v259 = stablehlo.multiply %v249, %v247 : tensor<3x11x20xf32>
  %v260 = stablehlo.subtract %v258, %v259 : tensor<3x11x20xf32>
  %v261 = stablehlo.multiply %v248, %v247 : tensor<3x11x20xf32>
  %v262 = stablehlo.multiply %v249, %v246 : tensor<3x11x20xf32>
  %v263 = stablehlo.add %v261, %v262 : tensor<3x11x20xf32>
  %v264 = stablehlo.add %v260, %v250 : tensor<3x11x20xf32>
  %v265 = stablehlo.add %v263, %v251 : tensor<3x11x20xf32>
  %v266 = stablehlo.slice %v10 [0:3, 0:1, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x1x20xf32>
  %v267 = stablehlo.concatenate %v266, %v254, dim = 1 : (tensor<3x1x20xf32>, tensor<3x11x20xf32>) -> tensor<3x12x20xf32>
  %v268 = stablehlo.constant dense<0.0> : tensor<f32>
  %v269 = stablehlo.pad %v267, %v268, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v270 = stablehlo.pad %v225, %v268, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v271 = stablehlo.add %v269, %v270 : tensor<3x24x20xf32>
  %v272 = stablehlo.slice %v13 [0:3, 0:1, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x1x20xf32>
  %v273 = stablehlo.concatenate %v272, %v257, dim = 1 : (tensor<3x1x20xf32>, tensor<3x11x20xf32>) -> tensor<3x12x20xf32>
  %v274 = stablehlo.constant dense<0.0> : tensor<f32>
  %v275 = stablehlo.pad %v273, %v274, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v276 = stablehlo.pad %v231, %v274, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v277 = stablehlo.add %v275, %v276 : tensor<3x24x20xf32>
  %v278 = stablehlo.slice %v20 [0:3, 0:1, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x1x20xf32>
  %v279 = stablehlo.concatenate %v278, %v264, dim = 1 : (tensor<3x1x20xf32>, tensor<3x11x20xf32>) -> tensor<3x12x20xf32>
  %v280 = stablehlo.constant dense<0.0> : tensor<f32>
  %v281 = stablehlo.pad %v279, %v280, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v282 = stablehlo.pad %v237, %v280, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v283 = stablehlo.add %v281, %v282 : tensor<3x24x20xf32>
  %v284 = stablehlo.slice %v21 [0:3, 0:1, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x1x20xf32>
  %v285 = stablehlo.concatenate %v284, %v265, dim = 1 : (tensor<3x1x20xf32>, tensor<3x11x20xf32>) -> tensor<3x12x20xf32>
  %v286 = stablehlo.constant dense<0.0> : tensor<f32>
  %v287 = stablehlo.pad %v285, %v286, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v288 = stablehlo.pad %v243, %v286, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x12x20xf32>, tensor<f32>) -> tensor<3x24x20xf32>
  %v289 = stablehlo.add %v287, %v288 : tensor<3x24x20xf32>
  %v290 = stablehlo.slice %v271 [0:3, 0:23, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x23x20xf32>
  %v291 = stablehlo.slice %v277 [0:3, 0:23, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x23x20xf32>
  %v292 = stablehlo.slice %v283 [0:3, 0:23, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x23x20xf32>
  %v293 = stablehlo.slice %v289 [0:3, 0:23, 0:20] : (tensor<3x24x20xf32>) -> tensor<3x23x20xf32>
  %v294 = stablehlo.slice %a0 [0:3, 2:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x23x20xf32>
  %v295 = stablehlo.slice %a1 [0:3, 2:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x23x20xf32>
  %v296 = stablehlo.slice %a2 [0:3, 2:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x23x20xf32>
  %v297 = stablehlo.slice %a3 [0:3, 2:48:2, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x23x20xf32>
  %v298 = stablehlo.multiply %v290, %v294 : tensor<3x23x20xf32>
  %v299 = stablehlo.multiply %v291, %v295 : tensor<3x23x20xf32>
  %v300 = stablehlo.subtract %v298, %v299 : tensor<3x23x20xf32>
  %v301 = stablehlo.multiply %v290, %v295 : tensor<3x23x20xf32>
  %v302 = stablehlo.multiply %v291, %v294 : tensor<3x23x20xf32>
  %v303 = stablehlo.add %v301, %v302 : tensor<3x23x20xf32>
  %v304 = stablehlo.multiply %v294, %v292 : tensor<3x23x20xf32>
  %v305 = stablehlo.multiply %v295, %v293 : tensor<3x23x20xf32>
  %v306 = stablehlo.subtract %v304, %v305 : tensor<3x23x20xf32>
  %v307 = stablehlo.multiply %v294, %v293 : tensor<3x23x20xf32>
  %v308 = stablehlo.multiply %v295, %v292 : tensor<3x23x20xf32>
  %v309 = stablehlo.add %v307, %v308 : tensor<3x23x20xf32>
  %v310 = stablehlo.add %v306, %v296 : tensor<3x23x20xf32>
  %v311 = stablehlo.add %v309, %v297 : tensor<3x23x20xf32>
  %v312 = stablehlo.slice %a0 [0:3, 0:1, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x1x20xf32>
  %v313 = stablehlo.concatenate %v312, %v300, dim = 1 : (tensor<3x1x20xf32>, tensor<3x23x20xf32>) -> tensor<3x24x20xf32>
  %v314 = stablehlo.constant dense<0.0> : tensor<f32>
  %v315 = stablehlo.pad %v313, %v314, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v316 = stablehlo.pad %v271, %v314, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v317 = stablehlo.add %v315, %v316 : tensor<3x48x20xf32>
  %v318 = stablehlo.slice %a1 [0:3, 0:1, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x1x20xf32>
  %v319 = stablehlo.concatenate %v318, %v303, dim = 1 : (tensor<3x1x20xf32>, tensor<3x23x20xf32>) -> tensor<3x24x20xf32>
  %v320 = stablehlo.constant dense<0.0> : tensor<f32>
  %v321 = stablehlo.pad %v319, %v320, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v322 = stablehlo.pad %v277, %v320, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v323 = stablehlo.add %v321, %v322 : tensor<3x48x20xf32>
  %v324 = stablehlo.slice %a2 [0:3, 0:1, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x1x20xf32>
  %v325 = stablehlo.concatenate %v324, %v310, dim = 1 : (tensor<3x1x20xf32>, tensor<3x23x20xf32>) -> tensor<3x24x20xf32>
  %v326 = stablehlo.constant dense<0.0> : tensor<f32>
  %v327 = stablehlo.pad %v325, %v326, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v328 = stablehlo.pad %v283, %v326, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v329 = stablehlo.add %v327, %v328 : tensor<3x48x20xf32>
  %v330 = stablehlo.slice %a3 [0:3, 0:1, 0:20] : (tensor<3x48x20xf32>) -> tensor<3x1x20xf32>
  %v331 = stablehlo.concatenate %v330, %v311, dim = 1 : (tensor<3x1x20xf32>, tensor<3x23x20xf32>) -> tensor<3x24x20xf32>
  %v332 = stablehlo.constant dense<0.0> : tensor<f32>
  %v333 = stablehlo.pad %v331, %v332, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v334 = stablehlo.pad %v289, %v332, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<3x24x20xf32>, tensor<f32>) -> tensor<3x48x20xf32>
  %v335 = stablehlo.add %v333, %v334 : tensor<3x48x20xf32>
  return %v329, %v335 : tensor<3x48x20xf32>, tensor<3x48x20xf32>
}

// No associative combination: the order is that of the tree.
func.func @differences(%a0: tensor<96x40xf32>) -> (tensor<96x40xf32>) {
  %v0 = stablehlo.slice %a0 [0:95:2, 0:40] : (tensor<96x40xf32>) -> tensor<48x40xf32>
  %v1 = stablehlo.slice %a0 [1:96:2, 0:40] : (tensor<96x40xf32>) -> tensor<48x40xf32>
  %v2 = stablehlo.subtract %v0, %v1 : tensor<48x40xf32>
  %v3 = stablehlo.slice %v2 [0:47:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v4 = stablehlo.slice %v2 [1:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<24x40xf32>
  %v5 = stablehlo.subtract %v3, %v4 : tensor<24x40xf32>
  %v6 = stablehlo.slice %v5 [0:23:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v7 = stablehlo.slice %v5 [1:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<12x40xf32>
  %v8 = stablehlo.subtract %v6, %v7 : tensor<12x40xf32>
  %v9 = stablehlo.slice %v8 [0:11:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v10 = stablehlo.slice %v8 [1:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<6x40xf32>
  %v11 = stablehlo.subtract %v9, %v10 : tensor<6x40xf32>
  %v12 = stablehlo.slice %v11 [0:5:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v13 = stablehlo.slice %v11 [1:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<3x40xf32>
  %v14 = stablehlo.subtract %v12, %v13 : tensor<3x40xf32>
  %v15 = stablehlo.slice %v14 [0:2:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v16 = stablehlo.slice %v14 [1:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v17 = stablehlo.subtract %v15, %v16 : tensor<1x40xf32>
  %v18 = stablehlo.slice %v14 [2:3:2, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v19 = stablehlo.subtract %v17, %v18 : tensor<1x40xf32>
  %v20 = stablehlo.slice %v14 [0:1, 0:40] : (tensor<3x40xf32>) -> tensor<1x40xf32>
  %v21 = stablehlo.concatenate %v20, %v19, dim = 0 : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<2x40xf32>
  %v22 = stablehlo.constant dense<0.0> : tensor<f32>
  %v23 = stablehlo.pad %v21, %v22, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v24 = stablehlo.pad %v17, %v22, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %v25 = stablehlo.add %v23, %v24 : tensor<3x40xf32>
  %v26 = stablehlo.slice %v25 [0:2, 0:40] : (tensor<3x40xf32>) -> tensor<2x40xf32>
  %v27 = stablehlo.slice %v11 [2:6:2, 0:40] : (tensor<6x40xf32>) -> tensor<2x40xf32>
  %v28 = stablehlo.subtract %v26, %v27 : tensor<2x40xf32>
  %v29 = stablehlo.slice %v11 [0:1, 0:40] : (tensor<6x40xf32>) -> tensor<1x40xf32>
  %v30 = stablehlo.concatenate %v29, %v28, dim = 0 : (tensor<1x40xf32>, tensor<2x40xf32>) -> tensor<3x40xf32>
  %v31 = stablehlo.constant dense<0.0> : tensor<f32>
  %v32 = stablehlo.pad %v30, %v31, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v33 = stablehlo.pad %v25, %v31, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<3x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  %v34 = stablehlo.add %v32, %v33 : tensor<6x40xf32>
  %v35 = stablehlo.slice %v34 [0:5, 0:40] : (tensor<6x40xf32>) -> tensor<5x40xf32>
  %v36 = stablehlo.slice %v8 [2:12:2, 0:40] : (tensor<12x40xf32>) -> tensor<5x40xf32>
  %v37 = stablehlo.subtract %v35, %v36 : tensor<5x40xf32>
  %v38 = stablehlo.slice %v8 [0:1, 0:40] : (tensor<12x40xf32>) -> tensor<1x40xf32>
  %v39 = stablehlo.concatenate %v38, %v37, dim = 0 : (tensor<1x40xf32>, tensor<5x40xf32>) -> tensor<6x40xf32>
  %v40 = stablehlo.constant dense<0.0> : tensor<f32>
  %v41 = stablehlo.pad %v39, %v40, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v42 = stablehlo.pad %v34, %v40, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<6x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %v43 = stablehlo.add %v41, %v42 : tensor<12x40xf32>
  %v44 = stablehlo.slice %v43 [0:11, 0:40] : (tensor<12x40xf32>) -> tensor<11x40xf32>
  %v45 = stablehlo.slice %v5 [2:24:2, 0:40] : (tensor<24x40xf32>) -> tensor<11x40xf32>
  %v46 = stablehlo.subtract %v44, %v45 : tensor<11x40xf32>
  %v47 = stablehlo.slice %v5 [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
  %v48 = stablehlo.concatenate %v47, %v46, dim = 0 : (tensor<1x40xf32>, tensor<11x40xf32>) -> tensor<12x40xf32>
  %v49 = stablehlo.constant dense<0.0> : tensor<f32>
  %v50 = stablehlo.pad %v48, %v49, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v51 = stablehlo.pad %v43, %v49, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  %v52 = stablehlo.add %v50, %v51 : tensor<24x40xf32>
  %v53 = stablehlo.slice %v52 [0:23, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
  %v54 = stablehlo.slice %v2 [2:48:2, 0:40] : (tensor<48x40xf32>) -> tensor<23x40xf32>
  %v55 = stablehlo.subtract %v53, %v54 : tensor<23x40xf32>
  %v56 = stablehlo.slice %v2 [0:1, 0:40] : (tensor<48x40xf32>) -> tensor<1x40xf32>
  %v57 = stablehlo.concatenate %v56, %v55, dim = 0 : (tensor<1x40xf32>, tensor<23x40xf32>) -> tensor<24x40xf32>
  %v58 = stablehlo.constant dense<0.0> : tensor<f32>
  %v59 = stablehlo.pad %v57, %v58, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v60 = stablehlo.pad %v52, %v58, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<24x40xf32>, tensor<f32>) -> tensor<48x40xf32>
  %v61 = stablehlo.add %v59, %v60 : tensor<48x40xf32>
  %v62 = stablehlo.slice %v61 [0:47, 0:40] : (tensor<48x40xf32>) -> tensor<47x40xf32>
  %v63 = stablehlo.slice %a0 [2:96:2, 0:40] : (tensor<96x40xf32>) -> tensor<47x40xf32>
  %v64 = stablehlo.subtract %v62, %v63 : tensor<47x40xf32>
  %v65 = stablehlo.slice %a0 [0:1, 0:40] : (tensor<96x40xf32>) -> tensor<1x40xf32>
  %v66 = stablehlo.concatenate %v65, %v64, dim = 0 : (tensor<1x40xf32>, tensor<47x40xf32>) -> tensor<48x40xf32>
  %v67 = stablehlo.constant dense<0.0> : tensor<f32>
  %v68 = stablehlo.pad %v66, %v67, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<48x40xf32>, tensor<f32>) -> tensor<96x40xf32>
  %v69 = stablehlo.pad %v61, %v67, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<48x40xf32>, tensor<f32>) -> tensor<96x40xf32>
  %v70 = stablehlo.add %v68, %v69 : tensor<96x40xf32>
  return %v70 : tensor<96x40xf32>
}

// 37 elements: two groups of 16 and a rest.
func.func @rest(%a0: tensor<2x37x40xf32>, %a1: tensor<2x37x40xf32>) -> (tensor<2x37x40xf32>) {
  %v0 = stablehlo.slice %a0 [0:2, 0:36:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v1 = stablehlo.slice %a1 [0:2, 0:36:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v2 = stablehlo.slice %a0 [0:2, 1:37:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v3 = stablehlo.slice %a1 [0:2, 1:37:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v4 = stablehlo.multiply %v0, %v2 : tensor<2x18x40xf32>
  %v5 = stablehlo.multiply %v2, %v1 : tensor<2x18x40xf32>
  %v6 = stablehlo.add %v5, %v3 : tensor<2x18x40xf32>
  %v7 = stablehlo.slice %v4 [0:2, 0:17:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x9x40xf32>
  %v8 = stablehlo.slice %v6 [0:2, 0:17:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x9x40xf32>
  %v9 = stablehlo.slice %v4 [0:2, 1:18:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x9x40xf32>
  %v10 = stablehlo.slice %v6 [0:2, 1:18:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x9x40xf32>
  %v11 = stablehlo.multiply %v7, %v9 : tensor<2x9x40xf32>
  %v12 = stablehlo.multiply %v9, %v8 : tensor<2x9x40xf32>
  %v13 = stablehlo.add %v12, %v10 : tensor<2x9x40xf32>
  %v14 = stablehlo.slice %v11 [0:2, 0:8:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v15 = stablehlo.slice %v13 [0:2, 0:8:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v16 = stablehlo.slice %v11 [0:2, 1:9:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v17 = stablehlo.slice %v13 [0:2, 1:9:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v18 = stablehlo.multiply %v14, %v16 : tensor<2x4x40xf32>
  %v19 = stablehlo.multiply %v16, %v15 : tensor<2x4x40xf32>
  %v20 = stablehlo.add %v19, %v17 : tensor<2x4x40xf32>
  %v21 = stablehlo.slice %v18 [0:2, 0:3:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x2x40xf32>
  %v22 = stablehlo.slice %v20 [0:2, 0:3:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x2x40xf32>
  %v23 = stablehlo.slice %v18 [0:2, 1:4:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x2x40xf32>
  %v24 = stablehlo.slice %v20 [0:2, 1:4:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x2x40xf32>
  %v25 = stablehlo.multiply %v21, %v23 : tensor<2x2x40xf32>
  %v26 = stablehlo.multiply %v23, %v22 : tensor<2x2x40xf32>
  %v27 = stablehlo.add %v26, %v24 : tensor<2x2x40xf32>
  %v28 = stablehlo.slice %v25 [0:2, 0:1:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v29 = stablehlo.slice %v27 [0:2, 0:1:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v30 = stablehlo.slice %v25 [0:2, 1:2:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v31 = stablehlo.slice %v27 [0:2, 1:2:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v32 = stablehlo.multiply %v28, %v30 : tensor<2x1x40xf32>
  %v33 = stablehlo.multiply %v30, %v29 : tensor<2x1x40xf32>
  %v34 = stablehlo.add %v33, %v31 : tensor<2x1x40xf32>
  %v35 = stablehlo.slice %v32 [0:2, 0:0, 0:40] : (tensor<2x1x40xf32>) -> tensor<2x0x40xf32>
  %v36 = stablehlo.slice %v34 [0:2, 0:0, 0:40] : (tensor<2x1x40xf32>) -> tensor<2x0x40xf32>
  %v37 = stablehlo.slice %v25 [0:2, 2:2:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x0x40xf32>
  %v38 = stablehlo.slice %v27 [0:2, 2:2:2, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x0x40xf32>
  %v39 = stablehlo.multiply %v35, %v37 : tensor<2x0x40xf32>
  %v40 = stablehlo.multiply %v37, %v36 : tensor<2x0x40xf32>
  %v41 = stablehlo.add %v40, %v38 : tensor<2x0x40xf32>
  %v42 = stablehlo.slice %v25 [0:2, 0:1, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v43 = stablehlo.concatenate %v42, %v39, dim = 1 : (tensor<2x1x40xf32>, tensor<2x0x40xf32>) -> tensor<2x1x40xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %v46 = stablehlo.pad %v32, %v44, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x1x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<2x2x40xf32>
  %v48 = stablehlo.slice %v27 [0:2, 0:1, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v49 = stablehlo.concatenate %v48, %v41, dim = 1 : (tensor<2x1x40xf32>, tensor<2x0x40xf32>) -> tensor<2x1x40xf32>
  %v50 = stablehlo.constant dense<0.0> : tensor<f32>
  %v51 = stablehlo.pad %v49, %v50, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %v52 = stablehlo.pad %v34, %v50, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x1x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %v53 = stablehlo.add %v51, %v52 : tensor<2x2x40xf32>
  %v54 = stablehlo.slice %v47 [0:2, 0:1, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v55 = stablehlo.slice %v53 [0:2, 0:1, 0:40] : (tensor<2x2x40xf32>) -> tensor<2x1x40xf32>
  %v56 = stablehlo.slice %v18 [0:2, 2:4:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x1x40xf32>
  %v57 = stablehlo.slice %v20 [0:2, 2:4:2, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x1x40xf32>
  %v58 = stablehlo.multiply %v54, %v56 : tensor<2x1x40xf32>
  %v59 = stablehlo.multiply %v56, %v55 : tensor<2x1x40xf32>
  %v60 = stablehlo.add %v59, %v57 : tensor<2x1x40xf32>
  %v61 = stablehlo.slice %v18 [0:2, 0:1, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x1x40xf32>
  %v62 = stablehlo.concatenate %v61, %v58, dim = 1 : (tensor<2x1x40xf32>, tensor<2x1x40xf32>) -> tensor<2x2x40xf32>
  %v63 = stablehlo.constant dense<0.0> : tensor<f32>
  %v64 = stablehlo.pad %v62, %v63, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x2x40xf32>, tensor<f32>) -> tensor<2x4x40xf32>
  %v65 = stablehlo.pad %v47, %v63, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x2x40xf32>, tensor<f32>) -> tensor<2x4x40xf32>
  %v66 = stablehlo.add %v64, %v65 : tensor<2x4x40xf32>
  %v67 = stablehlo.slice %v20 [0:2, 0:1, 0:40] : (tensor<2x4x40xf32>) -> tensor<2x1x40xf32>
  %v68 = stablehlo.concatenate %v67, %v60, dim = 1 : (tensor<2x1x40xf32>, tensor<2x1x40xf32>) -> tensor<2x2x40xf32>
  %v69 = stablehlo.constant dense<0.0> : tensor<f32>
  %v70 = stablehlo.pad %v68, %v69, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x2x40xf32>, tensor<f32>) -> tensor<2x4x40xf32>
  %v71 = stablehlo.pad %v53, %v69, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x2x40xf32>, tensor<f32>) -> tensor<2x4x40xf32>
  %v72 = stablehlo.add %v70, %v71 : tensor<2x4x40xf32>
  %v73 = stablehlo.slice %v11 [0:2, 2:9:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v74 = stablehlo.slice %v13 [0:2, 2:9:2, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x4x40xf32>
  %v75 = stablehlo.multiply %v66, %v73 : tensor<2x4x40xf32>
  %v76 = stablehlo.multiply %v73, %v72 : tensor<2x4x40xf32>
  %v77 = stablehlo.add %v76, %v74 : tensor<2x4x40xf32>
  %v78 = stablehlo.slice %v11 [0:2, 0:1, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x1x40xf32>
  %v79 = stablehlo.concatenate %v78, %v75, dim = 1 : (tensor<2x1x40xf32>, tensor<2x4x40xf32>) -> tensor<2x5x40xf32>
  %v80 = stablehlo.constant dense<0.0> : tensor<f32>
  %v81 = stablehlo.pad %v79, %v80, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x5x40xf32>, tensor<f32>) -> tensor<2x9x40xf32>
  %v82 = stablehlo.pad %v66, %v80, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x4x40xf32>, tensor<f32>) -> tensor<2x9x40xf32>
  %v83 = stablehlo.add %v81, %v82 : tensor<2x9x40xf32>
  %v84 = stablehlo.slice %v13 [0:2, 0:1, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x1x40xf32>
  %v85 = stablehlo.concatenate %v84, %v77, dim = 1 : (tensor<2x1x40xf32>, tensor<2x4x40xf32>) -> tensor<2x5x40xf32>
  %v86 = stablehlo.constant dense<0.0> : tensor<f32>
  %v87 = stablehlo.pad %v85, %v86, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x5x40xf32>, tensor<f32>) -> tensor<2x9x40xf32>
  %v88 = stablehlo.pad %v72, %v86, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x4x40xf32>, tensor<f32>) -> tensor<2x9x40xf32>
  %v89 = stablehlo.add %v87, %v88 : tensor<2x9x40xf32>
  %v90 = stablehlo.slice %v83 [0:2, 0:8, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x8x40xf32>
  %v91 = stablehlo.slice %v89 [0:2, 0:8, 0:40] : (tensor<2x9x40xf32>) -> tensor<2x8x40xf32>
  %v92 = stablehlo.slice %v4 [0:2, 2:18:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x8x40xf32>
  %v93 = stablehlo.slice %v6 [0:2, 2:18:2, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x8x40xf32>
  %v94 = stablehlo.multiply %v90, %v92 : tensor<2x8x40xf32>
  %v95 = stablehlo.multiply %v92, %v91 : tensor<2x8x40xf32>
  %v96 = stablehlo.add %v95, %v93 : tensor<2x8x40xf32>
  %v97 = stablehlo.slice %v4 [0:2, 0:1, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x1x40xf32>
  %v98 = stablehlo.concatenate %v97, %v94, dim = 1 : (tensor<2x1x40xf32>, tensor<2x8x40xf32>) -> tensor<2x9x40xf32>
  %v99 = stablehlo.constant dense<0.0> : tensor<f32>
  %v100 = stablehlo.pad %v98, %v99, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x9x40xf32>, tensor<f32>) -> tensor<2x18x40xf32>
  %v101 = stablehlo.pad %v83, %v99, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x9x40xf32>, tensor<f32>) -> tensor<2x18x40xf32>
  %v102 = stablehlo.add %v100, %v101 : tensor<2x18x40xf32>
  %v103 = stablehlo.slice %v6 [0:2, 0:1, 0:40] : (tensor<2x18x40xf32>) -> tensor<2x1x40xf32>
  %v104 = stablehlo.concatenate %v103, %v96, dim = 1 : (tensor<2x1x40xf32>, tensor<2x8x40xf32>) -> tensor<2x9x40xf32>
  %v105 = stablehlo.constant dense<0.0> : tensor<f32>
  %v106 = stablehlo.pad %v104, %v105, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x9x40xf32>, tensor<f32>) -> tensor<2x18x40xf32>
  %v107 = stablehlo.pad %v89, %v105, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x9x40xf32>, tensor<f32>) -> tensor<2x18x40xf32>
  %v108 = stablehlo.add %v106, %v107 : tensor<2x18x40xf32>
  %v109 = stablehlo.slice %a0 [0:2, 2:37:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v110 = stablehlo.slice %a1 [0:2, 2:37:2, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x18x40xf32>
  %v111 = stablehlo.multiply %v102, %v109 : tensor<2x18x40xf32>
  %v112 = stablehlo.multiply %v109, %v108 : tensor<2x18x40xf32>
  %v113 = stablehlo.add %v112, %v110 : tensor<2x18x40xf32>
  %v114 = stablehlo.slice %a0 [0:2, 0:1, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x1x40xf32>
  %v115 = stablehlo.concatenate %v114, %v111, dim = 1 : (tensor<2x1x40xf32>, tensor<2x18x40xf32>) -> tensor<2x19x40xf32>
  %v116 = stablehlo.constant dense<0.0> : tensor<f32>
  %v117 = stablehlo.pad %v115, %v116, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x19x40xf32>, tensor<f32>) -> tensor<2x37x40xf32>
  %v118 = stablehlo.pad %v102, %v116, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x18x40xf32>, tensor<f32>) -> tensor<2x37x40xf32>
  %v119 = stablehlo.add %v117, %v118 : tensor<2x37x40xf32>
  %v120 = stablehlo.slice %a1 [0:2, 0:1, 0:40] : (tensor<2x37x40xf32>) -> tensor<2x1x40xf32>
  %v121 = stablehlo.concatenate %v120, %v113, dim = 1 : (tensor<2x1x40xf32>, tensor<2x18x40xf32>) -> tensor<2x19x40xf32>
  %v122 = stablehlo.constant dense<0.0> : tensor<f32>
  %v123 = stablehlo.pad %v121, %v122, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x19x40xf32>, tensor<f32>) -> tensor<2x37x40xf32>
  %v124 = stablehlo.pad %v108, %v122, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x18x40xf32>, tensor<f32>) -> tensor<2x37x40xf32>
  %v125 = stablehlo.add %v123, %v124 : tensor<2x37x40xf32>
  return %v125 : tensor<2x37x40xf32>
}

// Each sum is rounded to bf16, as the tree has it.
func.func @narrow(%a0: tensor<40x40xbf16>) -> (tensor<40x40xbf16>) {
  %v0 = stablehlo.slice %a0 [0:39:2, 0:40] : (tensor<40x40xbf16>) -> tensor<20x40xbf16>
  %v1 = stablehlo.slice %a0 [1:40:2, 0:40] : (tensor<40x40xbf16>) -> tensor<20x40xbf16>
  %v2 = stablehlo.add %v0, %v1 : tensor<20x40xbf16>
  %v3 = stablehlo.slice %v2 [0:19:2, 0:40] : (tensor<20x40xbf16>) -> tensor<10x40xbf16>
  %v4 = stablehlo.slice %v2 [1:20:2, 0:40] : (tensor<20x40xbf16>) -> tensor<10x40xbf16>
  %v5 = stablehlo.add %v3, %v4 : tensor<10x40xbf16>
  %v6 = stablehlo.slice %v5 [0:9:2, 0:40] : (tensor<10x40xbf16>) -> tensor<5x40xbf16>
  %v7 = stablehlo.slice %v5 [1:10:2, 0:40] : (tensor<10x40xbf16>) -> tensor<5x40xbf16>
  %v8 = stablehlo.add %v6, %v7 : tensor<5x40xbf16>
  %v9 = stablehlo.slice %v8 [0:4:2, 0:40] : (tensor<5x40xbf16>) -> tensor<2x40xbf16>
  %v10 = stablehlo.slice %v8 [1:5:2, 0:40] : (tensor<5x40xbf16>) -> tensor<2x40xbf16>
  %v11 = stablehlo.add %v9, %v10 : tensor<2x40xbf16>
  %v12 = stablehlo.slice %v11 [0:1:2, 0:40] : (tensor<2x40xbf16>) -> tensor<1x40xbf16>
  %v13 = stablehlo.slice %v11 [1:2:2, 0:40] : (tensor<2x40xbf16>) -> tensor<1x40xbf16>
  %v14 = stablehlo.add %v12, %v13 : tensor<1x40xbf16>
  %v15 = stablehlo.slice %v14 [0:0, 0:40] : (tensor<1x40xbf16>) -> tensor<0x40xbf16>
  %v16 = stablehlo.slice %v11 [2:2:2, 0:40] : (tensor<2x40xbf16>) -> tensor<0x40xbf16>
  %v17 = stablehlo.add %v15, %v16 : tensor<0x40xbf16>
  %v18 = stablehlo.slice %v11 [0:1, 0:40] : (tensor<2x40xbf16>) -> tensor<1x40xbf16>
  %v19 = stablehlo.concatenate %v18, %v17, dim = 0 : (tensor<1x40xbf16>, tensor<0x40xbf16>) -> tensor<1x40xbf16>
  %v20 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v21 = stablehlo.pad %v19, %v20, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x40xbf16>, tensor<bf16>) -> tensor<2x40xbf16>
  %v22 = stablehlo.pad %v14, %v20, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x40xbf16>, tensor<bf16>) -> tensor<2x40xbf16>
  %v23 = stablehlo.add %v21, %v22 : tensor<2x40xbf16>
  %v24 = stablehlo.slice %v8 [2:5:2, 0:40] : (tensor<5x40xbf16>) -> tensor<2x40xbf16>
  %v25 = stablehlo.add %v23, %v24 : tensor<2x40xbf16>
  %v26 = stablehlo.slice %v8 [0:1, 0:40] : (tensor<5x40xbf16>) -> tensor<1x40xbf16>
  %v27 = stablehlo.concatenate %v26, %v25, dim = 0 : (tensor<1x40xbf16>, tensor<2x40xbf16>) -> tensor<3x40xbf16>
  %v28 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v29 = stablehlo.pad %v27, %v28, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x40xbf16>, tensor<bf16>) -> tensor<5x40xbf16>
  %v30 = stablehlo.pad %v23, %v28, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x40xbf16>, tensor<bf16>) -> tensor<5x40xbf16>
  %v31 = stablehlo.add %v29, %v30 : tensor<5x40xbf16>
  %v32 = stablehlo.slice %v31 [0:4, 0:40] : (tensor<5x40xbf16>) -> tensor<4x40xbf16>
  %v33 = stablehlo.slice %v5 [2:10:2, 0:40] : (tensor<10x40xbf16>) -> tensor<4x40xbf16>
  %v34 = stablehlo.add %v32, %v33 : tensor<4x40xbf16>
  %v35 = stablehlo.slice %v5 [0:1, 0:40] : (tensor<10x40xbf16>) -> tensor<1x40xbf16>
  %v36 = stablehlo.concatenate %v35, %v34, dim = 0 : (tensor<1x40xbf16>, tensor<4x40xbf16>) -> tensor<5x40xbf16>
  %v37 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v38 = stablehlo.pad %v36, %v37, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<5x40xbf16>, tensor<bf16>) -> tensor<10x40xbf16>
  %v39 = stablehlo.pad %v31, %v37, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<5x40xbf16>, tensor<bf16>) -> tensor<10x40xbf16>
  %v40 = stablehlo.add %v38, %v39 : tensor<10x40xbf16>
  %v41 = stablehlo.slice %v40 [0:9, 0:40] : (tensor<10x40xbf16>) -> tensor<9x40xbf16>
  %v42 = stablehlo.slice %v2 [2:20:2, 0:40] : (tensor<20x40xbf16>) -> tensor<9x40xbf16>
  %v43 = stablehlo.add %v41, %v42 : tensor<9x40xbf16>
  %v44 = stablehlo.slice %v2 [0:1, 0:40] : (tensor<20x40xbf16>) -> tensor<1x40xbf16>
  %v45 = stablehlo.concatenate %v44, %v43, dim = 0 : (tensor<1x40xbf16>, tensor<9x40xbf16>) -> tensor<10x40xbf16>
  %v46 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v47 = stablehlo.pad %v45, %v46, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<10x40xbf16>, tensor<bf16>) -> tensor<20x40xbf16>
  %v48 = stablehlo.pad %v40, %v46, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x40xbf16>, tensor<bf16>) -> tensor<20x40xbf16>
  %v49 = stablehlo.add %v47, %v48 : tensor<20x40xbf16>
  %v50 = stablehlo.slice %v49 [0:19, 0:40] : (tensor<20x40xbf16>) -> tensor<19x40xbf16>
  %v51 = stablehlo.slice %a0 [2:40:2, 0:40] : (tensor<40x40xbf16>) -> tensor<19x40xbf16>
  %v52 = stablehlo.add %v50, %v51 : tensor<19x40xbf16>
  %v53 = stablehlo.slice %a0 [0:1, 0:40] : (tensor<40x40xbf16>) -> tensor<1x40xbf16>
  %v54 = stablehlo.concatenate %v53, %v52, dim = 0 : (tensor<1x40xbf16>, tensor<19x40xbf16>) -> tensor<20x40xbf16>
  %v55 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v56 = stablehlo.pad %v54, %v55, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<20x40xbf16>, tensor<bf16>) -> tensor<40x40xbf16>
  %v57 = stablehlo.pad %v49, %v55, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<20x40xbf16>, tensor<bf16>) -> tensor<40x40xbf16>
  %v58 = stablehlo.add %v56, %v57 : tensor<40x40xbf16>
  return %v58 : tensor<40x40xbf16>
}

func.func @integers(%a0: tensor<40x40xi32>) -> (tensor<40x40xi32>) {
  %v0 = stablehlo.slice %a0 [0:40, 0:39:2] : (tensor<40x40xi32>) -> tensor<40x20xi32>
  %v1 = stablehlo.slice %a0 [0:40, 1:40:2] : (tensor<40x40xi32>) -> tensor<40x20xi32>
  %v2 = stablehlo.add %v0, %v1 : tensor<40x20xi32>
  %v3 = stablehlo.slice %v2 [0:40, 0:19:2] : (tensor<40x20xi32>) -> tensor<40x10xi32>
  %v4 = stablehlo.slice %v2 [0:40, 1:20:2] : (tensor<40x20xi32>) -> tensor<40x10xi32>
  %v5 = stablehlo.add %v3, %v4 : tensor<40x10xi32>
  %v6 = stablehlo.slice %v5 [0:40, 0:9:2] : (tensor<40x10xi32>) -> tensor<40x5xi32>
  %v7 = stablehlo.slice %v5 [0:40, 1:10:2] : (tensor<40x10xi32>) -> tensor<40x5xi32>
  %v8 = stablehlo.add %v6, %v7 : tensor<40x5xi32>
  %v9 = stablehlo.slice %v8 [0:40, 0:4:2] : (tensor<40x5xi32>) -> tensor<40x2xi32>
  %v10 = stablehlo.slice %v8 [0:40, 1:5:2] : (tensor<40x5xi32>) -> tensor<40x2xi32>
  %v11 = stablehlo.add %v9, %v10 : tensor<40x2xi32>
  %v12 = stablehlo.slice %v11 [0:40, 0:1:2] : (tensor<40x2xi32>) -> tensor<40x1xi32>
  %v13 = stablehlo.slice %v11 [0:40, 1:2:2] : (tensor<40x2xi32>) -> tensor<40x1xi32>
  %v14 = stablehlo.add %v12, %v13 : tensor<40x1xi32>
  %v15 = stablehlo.slice %v14 [0:40, 0:0] : (tensor<40x1xi32>) -> tensor<40x0xi32>
  %v16 = stablehlo.slice %v11 [0:40, 2:2:2] : (tensor<40x2xi32>) -> tensor<40x0xi32>
  %v17 = stablehlo.add %v15, %v16 : tensor<40x0xi32>
  %v18 = stablehlo.slice %v11 [0:40, 0:1] : (tensor<40x2xi32>) -> tensor<40x1xi32>
  %v19 = stablehlo.concatenate %v18, %v17, dim = 1 : (tensor<40x1xi32>, tensor<40x0xi32>) -> tensor<40x1xi32>
  %v20 = stablehlo.constant dense<0> : tensor<i32>
  %v21 = stablehlo.pad %v19, %v20, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<40x1xi32>, tensor<i32>) -> tensor<40x2xi32>
  %v22 = stablehlo.pad %v14, %v20, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<40x1xi32>, tensor<i32>) -> tensor<40x2xi32>
  %v23 = stablehlo.add %v21, %v22 : tensor<40x2xi32>
  %v24 = stablehlo.slice %v8 [0:40, 2:5:2] : (tensor<40x5xi32>) -> tensor<40x2xi32>
  %v25 = stablehlo.add %v23, %v24 : tensor<40x2xi32>
  %v26 = stablehlo.slice %v8 [0:40, 0:1] : (tensor<40x5xi32>) -> tensor<40x1xi32>
  %v27 = stablehlo.concatenate %v26, %v25, dim = 1 : (tensor<40x1xi32>, tensor<40x2xi32>) -> tensor<40x3xi32>
  %v28 = stablehlo.constant dense<0> : tensor<i32>
  %v29 = stablehlo.pad %v27, %v28, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<40x3xi32>, tensor<i32>) -> tensor<40x5xi32>
  %v30 = stablehlo.pad %v23, %v28, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<40x2xi32>, tensor<i32>) -> tensor<40x5xi32>
  %v31 = stablehlo.add %v29, %v30 : tensor<40x5xi32>
  %v32 = stablehlo.slice %v31 [0:40, 0:4] : (tensor<40x5xi32>) -> tensor<40x4xi32>
  %v33 = stablehlo.slice %v5 [0:40, 2:10:2] : (tensor<40x10xi32>) -> tensor<40x4xi32>
  %v34 = stablehlo.add %v32, %v33 : tensor<40x4xi32>
  %v35 = stablehlo.slice %v5 [0:40, 0:1] : (tensor<40x10xi32>) -> tensor<40x1xi32>
  %v36 = stablehlo.concatenate %v35, %v34, dim = 1 : (tensor<40x1xi32>, tensor<40x4xi32>) -> tensor<40x5xi32>
  %v37 = stablehlo.constant dense<0> : tensor<i32>
  %v38 = stablehlo.pad %v36, %v37, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<40x5xi32>, tensor<i32>) -> tensor<40x10xi32>
  %v39 = stablehlo.pad %v31, %v37, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<40x5xi32>, tensor<i32>) -> tensor<40x10xi32>
  %v40 = stablehlo.add %v38, %v39 : tensor<40x10xi32>
  %v41 = stablehlo.slice %v40 [0:40, 0:9] : (tensor<40x10xi32>) -> tensor<40x9xi32>
  %v42 = stablehlo.slice %v2 [0:40, 2:20:2] : (tensor<40x20xi32>) -> tensor<40x9xi32>
  %v43 = stablehlo.add %v41, %v42 : tensor<40x9xi32>
  %v44 = stablehlo.slice %v2 [0:40, 0:1] : (tensor<40x20xi32>) -> tensor<40x1xi32>
  %v45 = stablehlo.concatenate %v44, %v43, dim = 1 : (tensor<40x1xi32>, tensor<40x9xi32>) -> tensor<40x10xi32>
  %v46 = stablehlo.constant dense<0> : tensor<i32>
  %v47 = stablehlo.pad %v45, %v46, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<40x10xi32>, tensor<i32>) -> tensor<40x20xi32>
  %v48 = stablehlo.pad %v40, %v46, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<40x10xi32>, tensor<i32>) -> tensor<40x20xi32>
  %v49 = stablehlo.add %v47, %v48 : tensor<40x20xi32>
  %v50 = stablehlo.slice %v49 [0:40, 0:19] : (tensor<40x20xi32>) -> tensor<40x19xi32>
  %v51 = stablehlo.slice %a0 [0:40, 2:40:2] : (tensor<40x40xi32>) -> tensor<40x19xi32>
  %v52 = stablehlo.add %v50, %v51 : tensor<40x19xi32>
  %v53 = stablehlo.slice %a0 [0:40, 0:1] : (tensor<40x40xi32>) -> tensor<40x1xi32>
  %v54 = stablehlo.concatenate %v53, %v52, dim = 1 : (tensor<40x1xi32>, tensor<40x19xi32>) -> tensor<40x20xi32>
  %v55 = stablehlo.constant dense<0> : tensor<i32>
  %v56 = stablehlo.pad %v54, %v55, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<40x20xi32>, tensor<i32>) -> tensor<40x40xi32>
  %v57 = stablehlo.pad %v49, %v55, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<40x20xi32>, tensor<i32>) -> tensor<40x40xi32>
  %v58 = stablehlo.add %v56, %v57 : tensor<40x40xi32>
  return %v58 : tensor<40x40xi32>
}
