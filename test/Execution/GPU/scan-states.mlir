// State space models as Mamba has them: the states of each channel, a running reduction, are summed up at each step. Where memory would
// take longer for the states than threads for all of a channel, they are never written.
// RUN: forge verify %s --function summed --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function summed --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function with_rest --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function with_rest --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function added_to --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function added_to --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function kept --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function kept --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function summed --target cpu --reproducer-dir %t
// RUN: forge compile %s --function summed --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function kept --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=TWO
// ONE: 1
// TWO: 2

// 16 steps, two groups.
func.func @summed(%steps: tensor<2x16x4096xf32>, %x: tensor<2x16x4096xf32>, %b: tensor<2x16x4xf32>, %c: tensor<2x16x4xf32>, %decay: tensor<4096x4xf32>) -> (tensor<2x16x4096xf32>) {
  %v0 = stablehlo.broadcast_in_dim %steps, dims = [0, 1, 2] : (tensor<2x16x4096xf32>) -> tensor<2x16x4096x4xf32>
  %v1 = stablehlo.broadcast_in_dim %decay, dims = [2, 3] : (tensor<4096x4xf32>) -> tensor<2x16x4096x4xf32>
  %v2 = stablehlo.multiply %v0, %v1 : tensor<2x16x4096x4xf32>
  %v3 = stablehlo.exponential %v2 : tensor<2x16x4096x4xf32>
  %v4 = stablehlo.multiply %steps, %x : tensor<2x16x4096xf32>
  %v5 = stablehlo.broadcast_in_dim %v4, dims = [0, 1, 2] : (tensor<2x16x4096xf32>) -> tensor<2x16x4096x4xf32>
  %v6 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<2x16x4xf32>) -> tensor<2x16x4096x4xf32>
  %v7 = stablehlo.multiply %v5, %v6 : tensor<2x16x4096x4xf32>
  %v8 = stablehlo.slice %v3 [0:2, 0:15:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v9 = stablehlo.slice %v7 [0:2, 0:15:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v10 = stablehlo.slice %v3 [0:2, 1:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v11 = stablehlo.slice %v7 [0:2, 1:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v12 = stablehlo.multiply %v8, %v10 : tensor<2x8x4096x4xf32>
  %v13 = stablehlo.multiply %v10, %v9 : tensor<2x8x4096x4xf32>
  %v14 = stablehlo.add %v13, %v11 : tensor<2x8x4096x4xf32>
  %v15 = stablehlo.slice %v12 [0:2, 0:7:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v16 = stablehlo.slice %v14 [0:2, 0:7:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v17 = stablehlo.slice %v12 [0:2, 1:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v18 = stablehlo.slice %v14 [0:2, 1:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v19 = stablehlo.multiply %v15, %v17 : tensor<2x4x4096x4xf32>
  %v20 = stablehlo.multiply %v17, %v16 : tensor<2x4x4096x4xf32>
  %v21 = stablehlo.add %v20, %v18 : tensor<2x4x4096x4xf32>
  %v22 = stablehlo.slice %v19 [0:2, 0:3:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v23 = stablehlo.slice %v21 [0:2, 0:3:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v24 = stablehlo.slice %v19 [0:2, 1:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v25 = stablehlo.slice %v21 [0:2, 1:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v26 = stablehlo.multiply %v22, %v24 : tensor<2x2x4096x4xf32>
  %v27 = stablehlo.multiply %v24, %v23 : tensor<2x2x4096x4xf32>
  %v28 = stablehlo.add %v27, %v25 : tensor<2x2x4096x4xf32>
  %v29 = stablehlo.slice %v26 [0:2, 0:1:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v30 = stablehlo.slice %v28 [0:2, 0:1:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v31 = stablehlo.slice %v26 [0:2, 1:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v32 = stablehlo.slice %v28 [0:2, 1:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v33 = stablehlo.multiply %v29, %v31 : tensor<2x1x4096x4xf32>
  %v34 = stablehlo.multiply %v31, %v30 : tensor<2x1x4096x4xf32>
  %v35 = stablehlo.add %v34, %v32 : tensor<2x1x4096x4xf32>
  %v36 = stablehlo.slice %v33 [0:2, 0:0, 0:4096, 0:4] : (tensor<2x1x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v37 = stablehlo.slice %v35 [0:2, 0:0, 0:4096, 0:4] : (tensor<2x1x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v38 = stablehlo.slice %v26 [0:2, 2:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v39 = stablehlo.slice %v28 [0:2, 2:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v40 = stablehlo.multiply %v36, %v38 : tensor<2x0x4096x4xf32>
  %v41 = stablehlo.multiply %v38, %v37 : tensor<2x0x4096x4xf32>
  %v42 = stablehlo.add %v41, %v39 : tensor<2x0x4096x4xf32>
  %v43 = stablehlo.slice %v26 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v44 = stablehlo.concatenate %v43, %v40, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x0x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v45 = stablehlo.constant dense<0.0> : tensor<f32>
  %v46 = stablehlo.pad %v44, %v45, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v47 = stablehlo.pad %v33, %v45, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v48 = stablehlo.add %v46, %v47 : tensor<2x2x4096x4xf32>
  %v49 = stablehlo.slice %v28 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v50 = stablehlo.concatenate %v49, %v42, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x0x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v51 = stablehlo.constant dense<0.0> : tensor<f32>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v53 = stablehlo.pad %v35, %v51, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v54 = stablehlo.add %v52, %v53 : tensor<2x2x4096x4xf32>
  %v55 = stablehlo.slice %v48 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v56 = stablehlo.slice %v54 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v57 = stablehlo.slice %v19 [0:2, 2:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v58 = stablehlo.slice %v21 [0:2, 2:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v59 = stablehlo.multiply %v55, %v57 : tensor<2x1x4096x4xf32>
  %v60 = stablehlo.multiply %v57, %v56 : tensor<2x1x4096x4xf32>
  %v61 = stablehlo.add %v60, %v58 : tensor<2x1x4096x4xf32>
  %v62 = stablehlo.slice %v19 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v63 = stablehlo.concatenate %v62, %v59, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x1x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v64 = stablehlo.constant dense<0.0> : tensor<f32>
  %v65 = stablehlo.pad %v63, %v64, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v66 = stablehlo.pad %v48, %v64, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v67 = stablehlo.add %v65, %v66 : tensor<2x4x4096x4xf32>
  %v68 = stablehlo.slice %v21 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v69 = stablehlo.concatenate %v68, %v61, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x1x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v70 = stablehlo.constant dense<0.0> : tensor<f32>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v72 = stablehlo.pad %v54, %v70, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v73 = stablehlo.add %v71, %v72 : tensor<2x4x4096x4xf32>
  %v74 = stablehlo.slice %v67 [0:2, 0:3, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v75 = stablehlo.slice %v73 [0:2, 0:3, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v76 = stablehlo.slice %v12 [0:2, 2:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v77 = stablehlo.slice %v14 [0:2, 2:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v78 = stablehlo.multiply %v74, %v76 : tensor<2x3x4096x4xf32>
  %v79 = stablehlo.multiply %v76, %v75 : tensor<2x3x4096x4xf32>
  %v80 = stablehlo.add %v79, %v77 : tensor<2x3x4096x4xf32>
  %v81 = stablehlo.slice %v12 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v82 = stablehlo.concatenate %v81, %v78, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x3x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v83 = stablehlo.constant dense<0.0> : tensor<f32>
  %v84 = stablehlo.pad %v82, %v83, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v85 = stablehlo.pad %v67, %v83, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v86 = stablehlo.add %v84, %v85 : tensor<2x8x4096x4xf32>
  %v87 = stablehlo.slice %v14 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v88 = stablehlo.concatenate %v87, %v80, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x3x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v89 = stablehlo.constant dense<0.0> : tensor<f32>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v91 = stablehlo.pad %v73, %v89, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v92 = stablehlo.add %v90, %v91 : tensor<2x8x4096x4xf32>
  %v93 = stablehlo.slice %v86 [0:2, 0:7, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v94 = stablehlo.slice %v92 [0:2, 0:7, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v95 = stablehlo.slice %v3 [0:2, 2:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v96 = stablehlo.slice %v7 [0:2, 2:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v97 = stablehlo.multiply %v93, %v95 : tensor<2x7x4096x4xf32>
  %v98 = stablehlo.multiply %v95, %v94 : tensor<2x7x4096x4xf32>
  %v99 = stablehlo.add %v98, %v96 : tensor<2x7x4096x4xf32>
  %v100 = stablehlo.slice %v3 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v101 = stablehlo.concatenate %v100, %v97, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x7x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v102 = stablehlo.constant dense<0.0> : tensor<f32>
  %v103 = stablehlo.pad %v101, %v102, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v104 = stablehlo.pad %v86, %v102, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v105 = stablehlo.add %v103, %v104 : tensor<2x16x4096x4xf32>
  %v106 = stablehlo.slice %v7 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v107 = stablehlo.concatenate %v106, %v99, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x7x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v108 = stablehlo.constant dense<0.0> : tensor<f32>
  %v109 = stablehlo.pad %v107, %v108, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v110 = stablehlo.pad %v92, %v108, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v111 = stablehlo.add %v109, %v110 : tensor<2x16x4096x4xf32>
  %v112 = stablehlo.dot_general %v111, %c, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x16x4096x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4096xf32>
  return %v112 : tensor<2x16x4096xf32>
}

// 19 steps: two groups and a rest, which stay as they are.
func.func @with_rest(%steps: tensor<1x19x96xf32>, %x: tensor<1x19x96xf32>, %b: tensor<1x19x4xf32>, %c: tensor<1x19x4xf32>, %decay: tensor<96x4xf32>) -> (tensor<1x19x96xf32>) {
  %v0 = stablehlo.broadcast_in_dim %steps, dims = [0, 1, 2] : (tensor<1x19x96xf32>) -> tensor<1x19x96x4xf32>
  %v1 = stablehlo.broadcast_in_dim %decay, dims = [2, 3] : (tensor<96x4xf32>) -> tensor<1x19x96x4xf32>
  %v2 = stablehlo.multiply %v0, %v1 : tensor<1x19x96x4xf32>
  %v3 = stablehlo.exponential %v2 : tensor<1x19x96x4xf32>
  %v4 = stablehlo.multiply %steps, %x : tensor<1x19x96xf32>
  %v5 = stablehlo.broadcast_in_dim %v4, dims = [0, 1, 2] : (tensor<1x19x96xf32>) -> tensor<1x19x96x4xf32>
  %v6 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<1x19x4xf32>) -> tensor<1x19x96x4xf32>
  %v7 = stablehlo.multiply %v5, %v6 : tensor<1x19x96x4xf32>
  %v8 = stablehlo.slice %v3 [0:1, 0:18:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v9 = stablehlo.slice %v7 [0:1, 0:18:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v10 = stablehlo.slice %v3 [0:1, 1:19:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v11 = stablehlo.slice %v7 [0:1, 1:19:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v12 = stablehlo.multiply %v8, %v10 : tensor<1x9x96x4xf32>
  %v13 = stablehlo.multiply %v10, %v9 : tensor<1x9x96x4xf32>
  %v14 = stablehlo.add %v13, %v11 : tensor<1x9x96x4xf32>
  %v15 = stablehlo.slice %v12 [0:1, 0:8:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v16 = stablehlo.slice %v14 [0:1, 0:8:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v17 = stablehlo.slice %v12 [0:1, 1:9:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v18 = stablehlo.slice %v14 [0:1, 1:9:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v19 = stablehlo.multiply %v15, %v17 : tensor<1x4x96x4xf32>
  %v20 = stablehlo.multiply %v17, %v16 : tensor<1x4x96x4xf32>
  %v21 = stablehlo.add %v20, %v18 : tensor<1x4x96x4xf32>
  %v22 = stablehlo.slice %v19 [0:1, 0:3:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v23 = stablehlo.slice %v21 [0:1, 0:3:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v24 = stablehlo.slice %v19 [0:1, 1:4:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v25 = stablehlo.slice %v21 [0:1, 1:4:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v26 = stablehlo.multiply %v22, %v24 : tensor<1x2x96x4xf32>
  %v27 = stablehlo.multiply %v24, %v23 : tensor<1x2x96x4xf32>
  %v28 = stablehlo.add %v27, %v25 : tensor<1x2x96x4xf32>
  %v29 = stablehlo.slice %v26 [0:1, 0:1:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v30 = stablehlo.slice %v28 [0:1, 0:1:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v31 = stablehlo.slice %v26 [0:1, 1:2:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v32 = stablehlo.slice %v28 [0:1, 1:2:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v33 = stablehlo.multiply %v29, %v31 : tensor<1x1x96x4xf32>
  %v34 = stablehlo.multiply %v31, %v30 : tensor<1x1x96x4xf32>
  %v35 = stablehlo.add %v34, %v32 : tensor<1x1x96x4xf32>
  %v36 = stablehlo.slice %v33 [0:1, 0:0, 0:96, 0:4] : (tensor<1x1x96x4xf32>) -> tensor<1x0x96x4xf32>
  %v37 = stablehlo.slice %v35 [0:1, 0:0, 0:96, 0:4] : (tensor<1x1x96x4xf32>) -> tensor<1x0x96x4xf32>
  %v38 = stablehlo.slice %v26 [0:1, 2:2:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x0x96x4xf32>
  %v39 = stablehlo.slice %v28 [0:1, 2:2:2, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x0x96x4xf32>
  %v40 = stablehlo.multiply %v36, %v38 : tensor<1x0x96x4xf32>
  %v41 = stablehlo.multiply %v38, %v37 : tensor<1x0x96x4xf32>
  %v42 = stablehlo.add %v41, %v39 : tensor<1x0x96x4xf32>
  %v43 = stablehlo.slice %v26 [0:1, 0:1, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v44 = stablehlo.concatenate %v43, %v40, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x0x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v45 = stablehlo.constant dense<0.0> : tensor<f32>
  %v46 = stablehlo.pad %v44, %v45, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x96x4xf32>, tensor<f32>) -> tensor<1x2x96x4xf32>
  %v47 = stablehlo.pad %v33, %v45, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x96x4xf32>, tensor<f32>) -> tensor<1x2x96x4xf32>
  %v48 = stablehlo.add %v46, %v47 : tensor<1x2x96x4xf32>
  %v49 = stablehlo.slice %v28 [0:1, 0:1, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v50 = stablehlo.concatenate %v49, %v42, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x0x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v51 = stablehlo.constant dense<0.0> : tensor<f32>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x96x4xf32>, tensor<f32>) -> tensor<1x2x96x4xf32>
  %v53 = stablehlo.pad %v35, %v51, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x96x4xf32>, tensor<f32>) -> tensor<1x2x96x4xf32>
  %v54 = stablehlo.add %v52, %v53 : tensor<1x2x96x4xf32>
  %v55 = stablehlo.slice %v48 [0:1, 0:1, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v56 = stablehlo.slice %v54 [0:1, 0:1, 0:96, 0:4] : (tensor<1x2x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v57 = stablehlo.slice %v19 [0:1, 2:4:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v58 = stablehlo.slice %v21 [0:1, 2:4:2, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v59 = stablehlo.multiply %v55, %v57 : tensor<1x1x96x4xf32>
  %v60 = stablehlo.multiply %v57, %v56 : tensor<1x1x96x4xf32>
  %v61 = stablehlo.add %v60, %v58 : tensor<1x1x96x4xf32>
  %v62 = stablehlo.slice %v19 [0:1, 0:1, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v63 = stablehlo.concatenate %v62, %v59, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x1x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v64 = stablehlo.constant dense<0.0> : tensor<f32>
  %v65 = stablehlo.pad %v63, %v64, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x96x4xf32>, tensor<f32>) -> tensor<1x4x96x4xf32>
  %v66 = stablehlo.pad %v48, %v64, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x96x4xf32>, tensor<f32>) -> tensor<1x4x96x4xf32>
  %v67 = stablehlo.add %v65, %v66 : tensor<1x4x96x4xf32>
  %v68 = stablehlo.slice %v21 [0:1, 0:1, 0:96, 0:4] : (tensor<1x4x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v69 = stablehlo.concatenate %v68, %v61, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x1x96x4xf32>) -> tensor<1x2x96x4xf32>
  %v70 = stablehlo.constant dense<0.0> : tensor<f32>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x96x4xf32>, tensor<f32>) -> tensor<1x4x96x4xf32>
  %v72 = stablehlo.pad %v54, %v70, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x96x4xf32>, tensor<f32>) -> tensor<1x4x96x4xf32>
  %v73 = stablehlo.add %v71, %v72 : tensor<1x4x96x4xf32>
  %v74 = stablehlo.slice %v12 [0:1, 2:9:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v75 = stablehlo.slice %v14 [0:1, 2:9:2, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x4x96x4xf32>
  %v76 = stablehlo.multiply %v67, %v74 : tensor<1x4x96x4xf32>
  %v77 = stablehlo.multiply %v74, %v73 : tensor<1x4x96x4xf32>
  %v78 = stablehlo.add %v77, %v75 : tensor<1x4x96x4xf32>
  %v79 = stablehlo.slice %v12 [0:1, 0:1, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v80 = stablehlo.concatenate %v79, %v76, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x4x96x4xf32>) -> tensor<1x5x96x4xf32>
  %v81 = stablehlo.constant dense<0.0> : tensor<f32>
  %v82 = stablehlo.pad %v80, %v81, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x5x96x4xf32>, tensor<f32>) -> tensor<1x9x96x4xf32>
  %v83 = stablehlo.pad %v67, %v81, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x96x4xf32>, tensor<f32>) -> tensor<1x9x96x4xf32>
  %v84 = stablehlo.add %v82, %v83 : tensor<1x9x96x4xf32>
  %v85 = stablehlo.slice %v14 [0:1, 0:1, 0:96, 0:4] : (tensor<1x9x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v86 = stablehlo.concatenate %v85, %v78, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x4x96x4xf32>) -> tensor<1x5x96x4xf32>
  %v87 = stablehlo.constant dense<0.0> : tensor<f32>
  %v88 = stablehlo.pad %v86, %v87, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x5x96x4xf32>, tensor<f32>) -> tensor<1x9x96x4xf32>
  %v89 = stablehlo.pad %v73, %v87, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x96x4xf32>, tensor<f32>) -> tensor<1x9x96x4xf32>
  %v90 = stablehlo.add %v88, %v89 : tensor<1x9x96x4xf32>
  %v91 = stablehlo.slice %v3 [0:1, 2:19:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v92 = stablehlo.slice %v7 [0:1, 2:19:2, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x9x96x4xf32>
  %v93 = stablehlo.multiply %v84, %v91 : tensor<1x9x96x4xf32>
  %v94 = stablehlo.multiply %v91, %v90 : tensor<1x9x96x4xf32>
  %v95 = stablehlo.add %v94, %v92 : tensor<1x9x96x4xf32>
  %v96 = stablehlo.slice %v3 [0:1, 0:1, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v97 = stablehlo.concatenate %v96, %v93, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x9x96x4xf32>) -> tensor<1x10x96x4xf32>
  %v98 = stablehlo.constant dense<0.0> : tensor<f32>
  %v99 = stablehlo.pad %v97, %v98, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x10x96x4xf32>, tensor<f32>) -> tensor<1x19x96x4xf32>
  %v100 = stablehlo.pad %v84, %v98, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x9x96x4xf32>, tensor<f32>) -> tensor<1x19x96x4xf32>
  %v101 = stablehlo.add %v99, %v100 : tensor<1x19x96x4xf32>
  %v102 = stablehlo.slice %v7 [0:1, 0:1, 0:96, 0:4] : (tensor<1x19x96x4xf32>) -> tensor<1x1x96x4xf32>
  %v103 = stablehlo.concatenate %v102, %v95, dim = 1 : (tensor<1x1x96x4xf32>, tensor<1x9x96x4xf32>) -> tensor<1x10x96x4xf32>
  %v104 = stablehlo.constant dense<0.0> : tensor<f32>
  %v105 = stablehlo.pad %v103, %v104, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x10x96x4xf32>, tensor<f32>) -> tensor<1x19x96x4xf32>
  %v106 = stablehlo.pad %v90, %v104, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x9x96x4xf32>, tensor<f32>) -> tensor<1x19x96x4xf32>
  %v107 = stablehlo.add %v105, %v106 : tensor<1x19x96x4xf32>
  %v108 = stablehlo.dot_general %v107, %c, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x19x96x4xf32>, tensor<1x19x4xf32>) -> tensor<1x19x96xf32>
  return %v108 : tensor<1x19x96xf32>
}

// Products and their sum as a reduction that does not begin with 0.
func.func @added_to(%steps: tensor<2x16x4096xf32>, %x: tensor<2x16x4096xf32>, %b: tensor<2x16x4xf32>, %c: tensor<2x16x4xf32>, %decay: tensor<4096x4xf32>) -> (tensor<2x16x4096xf32>) {
  %v0 = stablehlo.broadcast_in_dim %steps, dims = [0, 1, 2] : (tensor<2x16x4096xf32>) -> tensor<2x16x4096x4xf32>
  %v1 = stablehlo.broadcast_in_dim %decay, dims = [2, 3] : (tensor<4096x4xf32>) -> tensor<2x16x4096x4xf32>
  %v2 = stablehlo.multiply %v0, %v1 : tensor<2x16x4096x4xf32>
  %v3 = stablehlo.exponential %v2 : tensor<2x16x4096x4xf32>
  %v4 = stablehlo.multiply %steps, %x : tensor<2x16x4096xf32>
  %v5 = stablehlo.broadcast_in_dim %v4, dims = [0, 1, 2] : (tensor<2x16x4096xf32>) -> tensor<2x16x4096x4xf32>
  %v6 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<2x16x4xf32>) -> tensor<2x16x4096x4xf32>
  %v7 = stablehlo.multiply %v5, %v6 : tensor<2x16x4096x4xf32>
  %v8 = stablehlo.slice %v3 [0:2, 0:15:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v9 = stablehlo.slice %v7 [0:2, 0:15:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v10 = stablehlo.slice %v3 [0:2, 1:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v11 = stablehlo.slice %v7 [0:2, 1:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v12 = stablehlo.multiply %v8, %v10 : tensor<2x8x4096x4xf32>
  %v13 = stablehlo.multiply %v10, %v9 : tensor<2x8x4096x4xf32>
  %v14 = stablehlo.add %v13, %v11 : tensor<2x8x4096x4xf32>
  %v15 = stablehlo.slice %v12 [0:2, 0:7:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v16 = stablehlo.slice %v14 [0:2, 0:7:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v17 = stablehlo.slice %v12 [0:2, 1:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v18 = stablehlo.slice %v14 [0:2, 1:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v19 = stablehlo.multiply %v15, %v17 : tensor<2x4x4096x4xf32>
  %v20 = stablehlo.multiply %v17, %v16 : tensor<2x4x4096x4xf32>
  %v21 = stablehlo.add %v20, %v18 : tensor<2x4x4096x4xf32>
  %v22 = stablehlo.slice %v19 [0:2, 0:3:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v23 = stablehlo.slice %v21 [0:2, 0:3:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v24 = stablehlo.slice %v19 [0:2, 1:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v25 = stablehlo.slice %v21 [0:2, 1:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v26 = stablehlo.multiply %v22, %v24 : tensor<2x2x4096x4xf32>
  %v27 = stablehlo.multiply %v24, %v23 : tensor<2x2x4096x4xf32>
  %v28 = stablehlo.add %v27, %v25 : tensor<2x2x4096x4xf32>
  %v29 = stablehlo.slice %v26 [0:2, 0:1:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v30 = stablehlo.slice %v28 [0:2, 0:1:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v31 = stablehlo.slice %v26 [0:2, 1:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v32 = stablehlo.slice %v28 [0:2, 1:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v33 = stablehlo.multiply %v29, %v31 : tensor<2x1x4096x4xf32>
  %v34 = stablehlo.multiply %v31, %v30 : tensor<2x1x4096x4xf32>
  %v35 = stablehlo.add %v34, %v32 : tensor<2x1x4096x4xf32>
  %v36 = stablehlo.slice %v33 [0:2, 0:0, 0:4096, 0:4] : (tensor<2x1x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v37 = stablehlo.slice %v35 [0:2, 0:0, 0:4096, 0:4] : (tensor<2x1x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v38 = stablehlo.slice %v26 [0:2, 2:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v39 = stablehlo.slice %v28 [0:2, 2:2:2, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x0x4096x4xf32>
  %v40 = stablehlo.multiply %v36, %v38 : tensor<2x0x4096x4xf32>
  %v41 = stablehlo.multiply %v38, %v37 : tensor<2x0x4096x4xf32>
  %v42 = stablehlo.add %v41, %v39 : tensor<2x0x4096x4xf32>
  %v43 = stablehlo.slice %v26 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v44 = stablehlo.concatenate %v43, %v40, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x0x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v45 = stablehlo.constant dense<0.0> : tensor<f32>
  %v46 = stablehlo.pad %v44, %v45, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v47 = stablehlo.pad %v33, %v45, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v48 = stablehlo.add %v46, %v47 : tensor<2x2x4096x4xf32>
  %v49 = stablehlo.slice %v28 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v50 = stablehlo.concatenate %v49, %v42, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x0x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v51 = stablehlo.constant dense<0.0> : tensor<f32>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v53 = stablehlo.pad %v35, %v51, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x1x4096x4xf32>, tensor<f32>) -> tensor<2x2x4096x4xf32>
  %v54 = stablehlo.add %v52, %v53 : tensor<2x2x4096x4xf32>
  %v55 = stablehlo.slice %v48 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v56 = stablehlo.slice %v54 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x2x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v57 = stablehlo.slice %v19 [0:2, 2:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v58 = stablehlo.slice %v21 [0:2, 2:4:2, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v59 = stablehlo.multiply %v55, %v57 : tensor<2x1x4096x4xf32>
  %v60 = stablehlo.multiply %v57, %v56 : tensor<2x1x4096x4xf32>
  %v61 = stablehlo.add %v60, %v58 : tensor<2x1x4096x4xf32>
  %v62 = stablehlo.slice %v19 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v63 = stablehlo.concatenate %v62, %v59, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x1x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v64 = stablehlo.constant dense<0.0> : tensor<f32>
  %v65 = stablehlo.pad %v63, %v64, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v66 = stablehlo.pad %v48, %v64, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v67 = stablehlo.add %v65, %v66 : tensor<2x4x4096x4xf32>
  %v68 = stablehlo.slice %v21 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v69 = stablehlo.concatenate %v68, %v61, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x1x4096x4xf32>) -> tensor<2x2x4096x4xf32>
  %v70 = stablehlo.constant dense<0.0> : tensor<f32>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v72 = stablehlo.pad %v54, %v70, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x2x4096x4xf32>, tensor<f32>) -> tensor<2x4x4096x4xf32>
  %v73 = stablehlo.add %v71, %v72 : tensor<2x4x4096x4xf32>
  %v74 = stablehlo.slice %v67 [0:2, 0:3, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v75 = stablehlo.slice %v73 [0:2, 0:3, 0:4096, 0:4] : (tensor<2x4x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v76 = stablehlo.slice %v12 [0:2, 2:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v77 = stablehlo.slice %v14 [0:2, 2:8:2, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x3x4096x4xf32>
  %v78 = stablehlo.multiply %v74, %v76 : tensor<2x3x4096x4xf32>
  %v79 = stablehlo.multiply %v76, %v75 : tensor<2x3x4096x4xf32>
  %v80 = stablehlo.add %v79, %v77 : tensor<2x3x4096x4xf32>
  %v81 = stablehlo.slice %v12 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v82 = stablehlo.concatenate %v81, %v78, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x3x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v83 = stablehlo.constant dense<0.0> : tensor<f32>
  %v84 = stablehlo.pad %v82, %v83, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v85 = stablehlo.pad %v67, %v83, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v86 = stablehlo.add %v84, %v85 : tensor<2x8x4096x4xf32>
  %v87 = stablehlo.slice %v14 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v88 = stablehlo.concatenate %v87, %v80, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x3x4096x4xf32>) -> tensor<2x4x4096x4xf32>
  %v89 = stablehlo.constant dense<0.0> : tensor<f32>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v91 = stablehlo.pad %v73, %v89, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x4096x4xf32>, tensor<f32>) -> tensor<2x8x4096x4xf32>
  %v92 = stablehlo.add %v90, %v91 : tensor<2x8x4096x4xf32>
  %v93 = stablehlo.slice %v86 [0:2, 0:7, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v94 = stablehlo.slice %v92 [0:2, 0:7, 0:4096, 0:4] : (tensor<2x8x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v95 = stablehlo.slice %v3 [0:2, 2:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v96 = stablehlo.slice %v7 [0:2, 2:16:2, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x7x4096x4xf32>
  %v97 = stablehlo.multiply %v93, %v95 : tensor<2x7x4096x4xf32>
  %v98 = stablehlo.multiply %v95, %v94 : tensor<2x7x4096x4xf32>
  %v99 = stablehlo.add %v98, %v96 : tensor<2x7x4096x4xf32>
  %v100 = stablehlo.slice %v3 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v101 = stablehlo.concatenate %v100, %v97, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x7x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v102 = stablehlo.constant dense<0.0> : tensor<f32>
  %v103 = stablehlo.pad %v101, %v102, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v104 = stablehlo.pad %v86, %v102, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v105 = stablehlo.add %v103, %v104 : tensor<2x16x4096x4xf32>
  %v106 = stablehlo.slice %v7 [0:2, 0:1, 0:4096, 0:4] : (tensor<2x16x4096x4xf32>) -> tensor<2x1x4096x4xf32>
  %v107 = stablehlo.concatenate %v106, %v99, dim = 1 : (tensor<2x1x4096x4xf32>, tensor<2x7x4096x4xf32>) -> tensor<2x8x4096x4xf32>
  %v108 = stablehlo.constant dense<0.0> : tensor<f32>
  %v109 = stablehlo.pad %v107, %v108, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v110 = stablehlo.pad %v92, %v108, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x8x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096x4xf32>
  %v111 = stablehlo.add %v109, %v110 : tensor<2x16x4096x4xf32>
  %v112 = stablehlo.broadcast_in_dim %c, dims = [0, 1, 3] : (tensor<2x16x4xf32>) -> tensor<2x16x4096x4xf32>
  %v113 = stablehlo.multiply %v111, %v112 : tensor<2x16x4096x4xf32>
  %v114 = stablehlo.constant dense<1.0> : tensor<f32>
  %v115 = stablehlo.reduce(%v113 init: %v114) applies stablehlo.add across dimensions = [3] : (tensor<2x16x4096x4xf32>, tensor<f32>) -> tensor<2x16x4096xf32>
  return %v115 : tensor<2x16x4096xf32>
}

// Somebody else reads the states.
func.func @kept(%steps: tensor<1x16x300xf32>, %x: tensor<1x16x300xf32>, %b: tensor<1x16x4xf32>, %c: tensor<1x16x4xf32>, %decay: tensor<300x4xf32>) -> (tensor<1x16x300xf32>, tensor<1x16x300x4xf32>) {
  %v0 = stablehlo.broadcast_in_dim %steps, dims = [0, 1, 2] : (tensor<1x16x300xf32>) -> tensor<1x16x300x4xf32>
  %v1 = stablehlo.broadcast_in_dim %decay, dims = [2, 3] : (tensor<300x4xf32>) -> tensor<1x16x300x4xf32>
  %v2 = stablehlo.multiply %v0, %v1 : tensor<1x16x300x4xf32>
  %v3 = stablehlo.exponential %v2 : tensor<1x16x300x4xf32>
  %v4 = stablehlo.multiply %steps, %x : tensor<1x16x300xf32>
  %v5 = stablehlo.broadcast_in_dim %v4, dims = [0, 1, 2] : (tensor<1x16x300xf32>) -> tensor<1x16x300x4xf32>
  %v6 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<1x16x4xf32>) -> tensor<1x16x300x4xf32>
  %v7 = stablehlo.multiply %v5, %v6 : tensor<1x16x300x4xf32>
  %v8 = stablehlo.slice %v3 [0:1, 0:15:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v9 = stablehlo.slice %v7 [0:1, 0:15:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v10 = stablehlo.slice %v3 [0:1, 1:16:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v11 = stablehlo.slice %v7 [0:1, 1:16:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v12 = stablehlo.multiply %v8, %v10 : tensor<1x8x300x4xf32>
  %v13 = stablehlo.multiply %v10, %v9 : tensor<1x8x300x4xf32>
  %v14 = stablehlo.add %v13, %v11 : tensor<1x8x300x4xf32>
  %v15 = stablehlo.slice %v12 [0:1, 0:7:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v16 = stablehlo.slice %v14 [0:1, 0:7:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v17 = stablehlo.slice %v12 [0:1, 1:8:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v18 = stablehlo.slice %v14 [0:1, 1:8:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v19 = stablehlo.multiply %v15, %v17 : tensor<1x4x300x4xf32>
  %v20 = stablehlo.multiply %v17, %v16 : tensor<1x4x300x4xf32>
  %v21 = stablehlo.add %v20, %v18 : tensor<1x4x300x4xf32>
  %v22 = stablehlo.slice %v19 [0:1, 0:3:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v23 = stablehlo.slice %v21 [0:1, 0:3:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v24 = stablehlo.slice %v19 [0:1, 1:4:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v25 = stablehlo.slice %v21 [0:1, 1:4:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v26 = stablehlo.multiply %v22, %v24 : tensor<1x2x300x4xf32>
  %v27 = stablehlo.multiply %v24, %v23 : tensor<1x2x300x4xf32>
  %v28 = stablehlo.add %v27, %v25 : tensor<1x2x300x4xf32>
  %v29 = stablehlo.slice %v26 [0:1, 0:1:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v30 = stablehlo.slice %v28 [0:1, 0:1:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v31 = stablehlo.slice %v26 [0:1, 1:2:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v32 = stablehlo.slice %v28 [0:1, 1:2:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v33 = stablehlo.multiply %v29, %v31 : tensor<1x1x300x4xf32>
  %v34 = stablehlo.multiply %v31, %v30 : tensor<1x1x300x4xf32>
  %v35 = stablehlo.add %v34, %v32 : tensor<1x1x300x4xf32>
  %v36 = stablehlo.slice %v33 [0:1, 0:0, 0:300, 0:4] : (tensor<1x1x300x4xf32>) -> tensor<1x0x300x4xf32>
  %v37 = stablehlo.slice %v35 [0:1, 0:0, 0:300, 0:4] : (tensor<1x1x300x4xf32>) -> tensor<1x0x300x4xf32>
  %v38 = stablehlo.slice %v26 [0:1, 2:2:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x0x300x4xf32>
  %v39 = stablehlo.slice %v28 [0:1, 2:2:2, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x0x300x4xf32>
  %v40 = stablehlo.multiply %v36, %v38 : tensor<1x0x300x4xf32>
  %v41 = stablehlo.multiply %v38, %v37 : tensor<1x0x300x4xf32>
  %v42 = stablehlo.add %v41, %v39 : tensor<1x0x300x4xf32>
  %v43 = stablehlo.slice %v26 [0:1, 0:1, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v44 = stablehlo.concatenate %v43, %v40, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x0x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v45 = stablehlo.constant dense<0.0> : tensor<f32>
  %v46 = stablehlo.pad %v44, %v45, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x300x4xf32>, tensor<f32>) -> tensor<1x2x300x4xf32>
  %v47 = stablehlo.pad %v33, %v45, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x300x4xf32>, tensor<f32>) -> tensor<1x2x300x4xf32>
  %v48 = stablehlo.add %v46, %v47 : tensor<1x2x300x4xf32>
  %v49 = stablehlo.slice %v28 [0:1, 0:1, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v50 = stablehlo.concatenate %v49, %v42, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x0x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v51 = stablehlo.constant dense<0.0> : tensor<f32>
  %v52 = stablehlo.pad %v50, %v51, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x300x4xf32>, tensor<f32>) -> tensor<1x2x300x4xf32>
  %v53 = stablehlo.pad %v35, %v51, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x1x300x4xf32>, tensor<f32>) -> tensor<1x2x300x4xf32>
  %v54 = stablehlo.add %v52, %v53 : tensor<1x2x300x4xf32>
  %v55 = stablehlo.slice %v48 [0:1, 0:1, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v56 = stablehlo.slice %v54 [0:1, 0:1, 0:300, 0:4] : (tensor<1x2x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v57 = stablehlo.slice %v19 [0:1, 2:4:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v58 = stablehlo.slice %v21 [0:1, 2:4:2, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v59 = stablehlo.multiply %v55, %v57 : tensor<1x1x300x4xf32>
  %v60 = stablehlo.multiply %v57, %v56 : tensor<1x1x300x4xf32>
  %v61 = stablehlo.add %v60, %v58 : tensor<1x1x300x4xf32>
  %v62 = stablehlo.slice %v19 [0:1, 0:1, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v63 = stablehlo.concatenate %v62, %v59, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x1x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v64 = stablehlo.constant dense<0.0> : tensor<f32>
  %v65 = stablehlo.pad %v63, %v64, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x300x4xf32>, tensor<f32>) -> tensor<1x4x300x4xf32>
  %v66 = stablehlo.pad %v48, %v64, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x300x4xf32>, tensor<f32>) -> tensor<1x4x300x4xf32>
  %v67 = stablehlo.add %v65, %v66 : tensor<1x4x300x4xf32>
  %v68 = stablehlo.slice %v21 [0:1, 0:1, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v69 = stablehlo.concatenate %v68, %v61, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x1x300x4xf32>) -> tensor<1x2x300x4xf32>
  %v70 = stablehlo.constant dense<0.0> : tensor<f32>
  %v71 = stablehlo.pad %v69, %v70, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x300x4xf32>, tensor<f32>) -> tensor<1x4x300x4xf32>
  %v72 = stablehlo.pad %v54, %v70, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x2x300x4xf32>, tensor<f32>) -> tensor<1x4x300x4xf32>
  %v73 = stablehlo.add %v71, %v72 : tensor<1x4x300x4xf32>
  %v74 = stablehlo.slice %v67 [0:1, 0:3, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x3x300x4xf32>
  %v75 = stablehlo.slice %v73 [0:1, 0:3, 0:300, 0:4] : (tensor<1x4x300x4xf32>) -> tensor<1x3x300x4xf32>
  %v76 = stablehlo.slice %v12 [0:1, 2:8:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x3x300x4xf32>
  %v77 = stablehlo.slice %v14 [0:1, 2:8:2, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x3x300x4xf32>
  %v78 = stablehlo.multiply %v74, %v76 : tensor<1x3x300x4xf32>
  %v79 = stablehlo.multiply %v76, %v75 : tensor<1x3x300x4xf32>
  %v80 = stablehlo.add %v79, %v77 : tensor<1x3x300x4xf32>
  %v81 = stablehlo.slice %v12 [0:1, 0:1, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v82 = stablehlo.concatenate %v81, %v78, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x3x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v83 = stablehlo.constant dense<0.0> : tensor<f32>
  %v84 = stablehlo.pad %v82, %v83, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x300x4xf32>, tensor<f32>) -> tensor<1x8x300x4xf32>
  %v85 = stablehlo.pad %v67, %v83, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x300x4xf32>, tensor<f32>) -> tensor<1x8x300x4xf32>
  %v86 = stablehlo.add %v84, %v85 : tensor<1x8x300x4xf32>
  %v87 = stablehlo.slice %v14 [0:1, 0:1, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v88 = stablehlo.concatenate %v87, %v80, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x3x300x4xf32>) -> tensor<1x4x300x4xf32>
  %v89 = stablehlo.constant dense<0.0> : tensor<f32>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x300x4xf32>, tensor<f32>) -> tensor<1x8x300x4xf32>
  %v91 = stablehlo.pad %v73, %v89, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x4x300x4xf32>, tensor<f32>) -> tensor<1x8x300x4xf32>
  %v92 = stablehlo.add %v90, %v91 : tensor<1x8x300x4xf32>
  %v93 = stablehlo.slice %v86 [0:1, 0:7, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x7x300x4xf32>
  %v94 = stablehlo.slice %v92 [0:1, 0:7, 0:300, 0:4] : (tensor<1x8x300x4xf32>) -> tensor<1x7x300x4xf32>
  %v95 = stablehlo.slice %v3 [0:1, 2:16:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x7x300x4xf32>
  %v96 = stablehlo.slice %v7 [0:1, 2:16:2, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x7x300x4xf32>
  %v97 = stablehlo.multiply %v93, %v95 : tensor<1x7x300x4xf32>
  %v98 = stablehlo.multiply %v95, %v94 : tensor<1x7x300x4xf32>
  %v99 = stablehlo.add %v98, %v96 : tensor<1x7x300x4xf32>
  %v100 = stablehlo.slice %v3 [0:1, 0:1, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v101 = stablehlo.concatenate %v100, %v97, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x7x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v102 = stablehlo.constant dense<0.0> : tensor<f32>
  %v103 = stablehlo.pad %v101, %v102, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x8x300x4xf32>, tensor<f32>) -> tensor<1x16x300x4xf32>
  %v104 = stablehlo.pad %v86, %v102, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x8x300x4xf32>, tensor<f32>) -> tensor<1x16x300x4xf32>
  %v105 = stablehlo.add %v103, %v104 : tensor<1x16x300x4xf32>
  %v106 = stablehlo.slice %v7 [0:1, 0:1, 0:300, 0:4] : (tensor<1x16x300x4xf32>) -> tensor<1x1x300x4xf32>
  %v107 = stablehlo.concatenate %v106, %v99, dim = 1 : (tensor<1x1x300x4xf32>, tensor<1x7x300x4xf32>) -> tensor<1x8x300x4xf32>
  %v108 = stablehlo.constant dense<0.0> : tensor<f32>
  %v109 = stablehlo.pad %v107, %v108, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x8x300x4xf32>, tensor<f32>) -> tensor<1x16x300x4xf32>
  %v110 = stablehlo.pad %v92, %v108, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<1x8x300x4xf32>, tensor<f32>) -> tensor<1x16x300x4xf32>
  %v111 = stablehlo.add %v109, %v110 : tensor<1x16x300x4xf32>
  %v112 = stablehlo.dot_general %v111, %c, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x16x300x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x300xf32>
  return %v112, %v111 : tensor<1x16x300xf32>, tensor<1x16x300x4xf32>
}
