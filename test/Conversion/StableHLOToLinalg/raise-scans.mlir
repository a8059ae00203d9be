// jax.lax.associative_scan as JAX prints it: one loop along each line, which combines what the tree combines. Groups of up to
// 32 elements are in registers; of groups a thread keeps sums and running reductions by powers of two.
// RUN: forge-opt %s --canonicalize --cse --forge-raise-scans --canonicalize --cse | FileCheck %s

// Two groups of eight: 7 sums of two, four and eight, 7 running sums, and two of groups; no sum is computed twice.
// CHECK-LABEL: func.func @sums(
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c64
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK-COUNT-8: tensor.extract
// CHECK-COUNT-16: arith.addf
// CHECK-NOT: arith.addf
// CHECK: {forge.scan}
// CHECK: {forge.independent}
// CHECK-NOT: stablehlo.pad
func.func @sums(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v1 = stablehlo.slice %a0 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<8x64xf32>
  %v3 = stablehlo.slice %v2 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v4 = stablehlo.slice %v2 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<4x64xf32>
  %v6 = stablehlo.slice %v5 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v7 = stablehlo.slice %v5 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<2x64xf32>
  %v9 = stablehlo.slice %v8 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v10 = stablehlo.slice %v8 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<1x64xf32>
  %v12 = stablehlo.slice %v11 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v13 = stablehlo.slice %v8 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<0x64xf32>
  %v15 = stablehlo.slice %v8 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v16 = stablehlo.concatenate %v15, %v14, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v17 = stablehlo.constant dense<0.0> : tensor<f32>
  %v18 = stablehlo.pad %v16, %v17, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v19 = stablehlo.pad %v11, %v17, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<2x64xf32>
  %v21 = stablehlo.slice %v20 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v22 = stablehlo.slice %v5 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<1x64xf32>
  %v24 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v25 = stablehlo.concatenate %v24, %v23, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v26 = stablehlo.constant dense<0.0> : tensor<f32>
  %v27 = stablehlo.pad %v25, %v26, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v28 = stablehlo.pad %v20, %v26, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<4x64xf32>
  %v30 = stablehlo.slice %v29 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v31 = stablehlo.slice %v2 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<3x64xf32>
  %v33 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v34 = stablehlo.concatenate %v33, %v32, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v35 = stablehlo.constant dense<0.0> : tensor<f32>
  %v36 = stablehlo.pad %v34, %v35, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v37 = stablehlo.pad %v29, %v35, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v38 = stablehlo.add %v36, %v37 : tensor<8x64xf32>
  %v39 = stablehlo.slice %v38 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v40 = stablehlo.slice %a0 [2:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<7x64xf32>
  %v42 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v43 = stablehlo.concatenate %v42, %v41, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v46 = stablehlo.pad %v38, %v44, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<16x64xf32>
  return %v47 : tensor<16x64xf32>
}

// 40 elements are five groups of eight: sums that wait for their other half, and running reductions, are in the thread's memory.
// CHECK-LABEL: func.func @groups(
// CHECK: scf.for
// CHECK: %[[WHOLES:.*]] = tensor.empty() : tensor<3xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c5
// CHECK: %[[LEVEL:.*]] = math.cttz
// CHECK: scf.for
// CHECK: tensor.extract {{.*}} : tensor<3xf32>
// CHECK: {forge.scan}
// CHECK: {forge.independent}
// CHECK-NOT: stablehlo.pad
func.func @groups(%a0: tensor<40x64xf32>, %a1: tensor<40x64xf32>) -> (tensor<40x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:39:2, 0:64] : (tensor<40x64xf32>) -> tensor<20x64xf32>
  %v1 = stablehlo.slice %a1 [0:39:2, 0:64] : (tensor<40x64xf32>) -> tensor<20x64xf32>
  %v2 = stablehlo.slice %a0 [1:40:2, 0:64] : (tensor<40x64xf32>) -> tensor<20x64xf32>
  %v3 = stablehlo.slice %a1 [1:40:2, 0:64] : (tensor<40x64xf32>) -> tensor<20x64xf32>
  %v4 = stablehlo.multiply %v0, %v2 : tensor<20x64xf32>
  %v5 = stablehlo.multiply %v2, %v1 : tensor<20x64xf32>
  %v6 = stablehlo.add %v5, %v3 : tensor<20x64xf32>
  %v7 = stablehlo.slice %v4 [0:19:2, 0:64] : (tensor<20x64xf32>) -> tensor<10x64xf32>
  %v8 = stablehlo.slice %v6 [0:19:2, 0:64] : (tensor<20x64xf32>) -> tensor<10x64xf32>
  %v9 = stablehlo.slice %v4 [1:20:2, 0:64] : (tensor<20x64xf32>) -> tensor<10x64xf32>
  %v10 = stablehlo.slice %v6 [1:20:2, 0:64] : (tensor<20x64xf32>) -> tensor<10x64xf32>
  %v11 = stablehlo.multiply %v7, %v9 : tensor<10x64xf32>
  %v12 = stablehlo.multiply %v9, %v8 : tensor<10x64xf32>
  %v13 = stablehlo.add %v12, %v10 : tensor<10x64xf32>
  %v14 = stablehlo.slice %v11 [0:9:2, 0:64] : (tensor<10x64xf32>) -> tensor<5x64xf32>
  %v15 = stablehlo.slice %v13 [0:9:2, 0:64] : (tensor<10x64xf32>) -> tensor<5x64xf32>
  %v16 = stablehlo.slice %v11 [1:10:2, 0:64] : (tensor<10x64xf32>) -> tensor<5x64xf32>
  %v17 = stablehlo.slice %v13 [1:10:2, 0:64] : (tensor<10x64xf32>) -> tensor<5x64xf32>
  %v18 = stablehlo.multiply %v14, %v16 : tensor<5x64xf32>
  %v19 = stablehlo.multiply %v16, %v15 : tensor<5x64xf32>
  %v20 = stablehlo.add %v19, %v17 : tensor<5x64xf32>
  %v21 = stablehlo.slice %v18 [0:4:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v22 = stablehlo.slice %v20 [0:4:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v23 = stablehlo.slice %v18 [1:5:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v24 = stablehlo.slice %v20 [1:5:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v25 = stablehlo.multiply %v21, %v23 : tensor<2x64xf32>
  %v26 = stablehlo.multiply %v23, %v22 : tensor<2x64xf32>
  %v27 = stablehlo.add %v26, %v24 : tensor<2x64xf32>
  %v28 = stablehlo.slice %v25 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v29 = stablehlo.slice %v27 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v30 = stablehlo.slice %v25 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v31 = stablehlo.slice %v27 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v32 = stablehlo.multiply %v28, %v30 : tensor<1x64xf32>
  %v33 = stablehlo.multiply %v30, %v29 : tensor<1x64xf32>
  %v34 = stablehlo.add %v33, %v31 : tensor<1x64xf32>
  %v35 = stablehlo.slice %v32 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v36 = stablehlo.slice %v34 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v37 = stablehlo.slice %v25 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v38 = stablehlo.slice %v27 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v39 = stablehlo.multiply %v35, %v37 : tensor<0x64xf32>
  %v40 = stablehlo.multiply %v37, %v36 : tensor<0x64xf32>
  %v41 = stablehlo.add %v40, %v38 : tensor<0x64xf32>
  %v42 = stablehlo.slice %v25 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v43 = stablehlo.concatenate %v42, %v39, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v46 = stablehlo.pad %v32, %v44, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<2x64xf32>
  %v48 = stablehlo.slice %v27 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v49 = stablehlo.concatenate %v48, %v41, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v50 = stablehlo.constant dense<0.0> : tensor<f32>
  %v51 = stablehlo.pad %v49, %v50, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v52 = stablehlo.pad %v34, %v50, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v53 = stablehlo.add %v51, %v52 : tensor<2x64xf32>
  %v54 = stablehlo.slice %v18 [2:5:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v55 = stablehlo.slice %v20 [2:5:2, 0:64] : (tensor<5x64xf32>) -> tensor<2x64xf32>
  %v56 = stablehlo.multiply %v47, %v54 : tensor<2x64xf32>
  %v57 = stablehlo.multiply %v54, %v53 : tensor<2x64xf32>
  %v58 = stablehlo.add %v57, %v55 : tensor<2x64xf32>
  %v59 = stablehlo.slice %v18 [0:1, 0:64] : (tensor<5x64xf32>) -> tensor<1x64xf32>
  %v60 = stablehlo.concatenate %v59, %v56, dim = 0 : (tensor<1x64xf32>, tensor<2x64xf32>) -> tensor<3x64xf32>
  %v61 = stablehlo.constant dense<0.0> : tensor<f32>
  %v62 = stablehlo.pad %v60, %v61, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x64xf32>, tensor<f32>) -> tensor<5x64xf32>
  %v63 = stablehlo.pad %v47, %v61, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<5x64xf32>
  %v64 = stablehlo.add %v62, %v63 : tensor<5x64xf32>
  %v65 = stablehlo.slice %v20 [0:1, 0:64] : (tensor<5x64xf32>) -> tensor<1x64xf32>
  %v66 = stablehlo.concatenate %v65, %v58, dim = 0 : (tensor<1x64xf32>, tensor<2x64xf32>) -> tensor<3x64xf32>
  %v67 = stablehlo.constant dense<0.0> : tensor<f32>
  %v68 = stablehlo.pad %v66, %v67, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x64xf32>, tensor<f32>) -> tensor<5x64xf32>
  %v69 = stablehlo.pad %v53, %v67, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<5x64xf32>
  %v70 = stablehlo.add %v68, %v69 : tensor<5x64xf32>
  %v71 = stablehlo.slice %v64 [0:4, 0:64] : (tensor<5x64xf32>) -> tensor<4x64xf32>
  %v72 = stablehlo.slice %v70 [0:4, 0:64] : (tensor<5x64xf32>) -> tensor<4x64xf32>
  %v73 = stablehlo.slice %v11 [2:10:2, 0:64] : (tensor<10x64xf32>) -> tensor<4x64xf32>
  %v74 = stablehlo.slice %v13 [2:10:2, 0:64] : (tensor<10x64xf32>) -> tensor<4x64xf32>
  %v75 = stablehlo.multiply %v71, %v73 : tensor<4x64xf32>
  %v76 = stablehlo.multiply %v73, %v72 : tensor<4x64xf32>
  %v77 = stablehlo.add %v76, %v74 : tensor<4x64xf32>
  %v78 = stablehlo.slice %v11 [0:1, 0:64] : (tensor<10x64xf32>) -> tensor<1x64xf32>
  %v79 = stablehlo.concatenate %v78, %v75, dim = 0 : (tensor<1x64xf32>, tensor<4x64xf32>) -> tensor<5x64xf32>
  %v80 = stablehlo.constant dense<0.0> : tensor<f32>
  %v81 = stablehlo.pad %v79, %v80, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<5x64xf32>, tensor<f32>) -> tensor<10x64xf32>
  %v82 = stablehlo.pad %v64, %v80, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<5x64xf32>, tensor<f32>) -> tensor<10x64xf32>
  %v83 = stablehlo.add %v81, %v82 : tensor<10x64xf32>
  %v84 = stablehlo.slice %v13 [0:1, 0:64] : (tensor<10x64xf32>) -> tensor<1x64xf32>
  %v85 = stablehlo.concatenate %v84, %v77, dim = 0 : (tensor<1x64xf32>, tensor<4x64xf32>) -> tensor<5x64xf32>
  %v86 = stablehlo.constant dense<0.0> : tensor<f32>
  %v87 = stablehlo.pad %v85, %v86, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<5x64xf32>, tensor<f32>) -> tensor<10x64xf32>
  %v88 = stablehlo.pad %v70, %v86, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<5x64xf32>, tensor<f32>) -> tensor<10x64xf32>
  %v89 = stablehlo.add %v87, %v88 : tensor<10x64xf32>
  %v90 = stablehlo.slice %v83 [0:9, 0:64] : (tensor<10x64xf32>) -> tensor<9x64xf32>
  %v91 = stablehlo.slice %v89 [0:9, 0:64] : (tensor<10x64xf32>) -> tensor<9x64xf32>
  %v92 = stablehlo.slice %v4 [2:20:2, 0:64] : (tensor<20x64xf32>) -> tensor<9x64xf32>
  %v93 = stablehlo.slice %v6 [2:20:2, 0:64] : (tensor<20x64xf32>) -> tensor<9x64xf32>
  %v94 = stablehlo.multiply %v90, %v92 : tensor<9x64xf32>
  %v95 = stablehlo.multiply %v92, %v91 : tensor<9x64xf32>
  %v96 = stablehlo.add %v95, %v93 : tensor<9x64xf32>
  %v97 = stablehlo.slice %v4 [0:1, 0:64] : (tensor<20x64xf32>) -> tensor<1x64xf32>
  %v98 = stablehlo.concatenate %v97, %v94, dim = 0 : (tensor<1x64xf32>, tensor<9x64xf32>) -> tensor<10x64xf32>
  %v99 = stablehlo.constant dense<0.0> : tensor<f32>
  %v100 = stablehlo.pad %v98, %v99, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<10x64xf32>, tensor<f32>) -> tensor<20x64xf32>
  %v101 = stablehlo.pad %v83, %v99, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x64xf32>, tensor<f32>) -> tensor<20x64xf32>
  %v102 = stablehlo.add %v100, %v101 : tensor<20x64xf32>
  %v103 = stablehlo.slice %v6 [0:1, 0:64] : (tensor<20x64xf32>) -> tensor<1x64xf32>
  %v104 = stablehlo.concatenate %v103, %v96, dim = 0 : (tensor<1x64xf32>, tensor<9x64xf32>) -> tensor<10x64xf32>
  %v105 = stablehlo.constant dense<0.0> : tensor<f32>
  %v106 = stablehlo.pad %v104, %v105, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<10x64xf32>, tensor<f32>) -> tensor<20x64xf32>
  %v107 = stablehlo.pad %v89, %v105, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x64xf32>, tensor<f32>) -> tensor<20x64xf32>
  %v108 = stablehlo.add %v106, %v107 : tensor<20x64xf32>
  %v109 = stablehlo.slice %v102 [0:19, 0:64] : (tensor<20x64xf32>) -> tensor<19x64xf32>
  %v110 = stablehlo.slice %v108 [0:19, 0:64] : (tensor<20x64xf32>) -> tensor<19x64xf32>
  %v111 = stablehlo.slice %a0 [2:40:2, 0:64] : (tensor<40x64xf32>) -> tensor<19x64xf32>
  %v112 = stablehlo.slice %a1 [2:40:2, 0:64] : (tensor<40x64xf32>) -> tensor<19x64xf32>
  %v113 = stablehlo.multiply %v109, %v111 : tensor<19x64xf32>
  %v114 = stablehlo.multiply %v111, %v110 : tensor<19x64xf32>
  %v115 = stablehlo.add %v114, %v112 : tensor<19x64xf32>
  %v116 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<40x64xf32>) -> tensor<1x64xf32>
  %v117 = stablehlo.concatenate %v116, %v113, dim = 0 : (tensor<1x64xf32>, tensor<19x64xf32>) -> tensor<20x64xf32>
  %v118 = stablehlo.constant dense<0.0> : tensor<f32>
  %v119 = stablehlo.pad %v117, %v118, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %v120 = stablehlo.pad %v102, %v118, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %v121 = stablehlo.add %v119, %v120 : tensor<40x64xf32>
  %v122 = stablehlo.slice %a1 [0:1, 0:64] : (tensor<40x64xf32>) -> tensor<1x64xf32>
  %v123 = stablehlo.concatenate %v122, %v115, dim = 0 : (tensor<1x64xf32>, tensor<19x64xf32>) -> tensor<20x64xf32>
  %v124 = stablehlo.constant dense<0.0> : tensor<f32>
  %v125 = stablehlo.pad %v123, %v124, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %v126 = stablehlo.pad %v108, %v124, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %v127 = stablehlo.add %v125, %v126 : tensor<40x64xf32>
  return %v127 : tensor<40x64xf32>
}

// The level of eight elements is returned as well, as a gradient would keep it.
// CHECK-LABEL: func.func @level_is_read(
// CHECK-NOT: scf.for
// CHECK: return
func.func @level_is_read(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<8x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v1 = stablehlo.slice %a0 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<8x64xf32>
  %v3 = stablehlo.slice %v2 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v4 = stablehlo.slice %v2 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<4x64xf32>
  %v6 = stablehlo.slice %v5 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v7 = stablehlo.slice %v5 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<2x64xf32>
  %v9 = stablehlo.slice %v8 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v10 = stablehlo.slice %v8 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<1x64xf32>
  %v12 = stablehlo.slice %v11 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v13 = stablehlo.slice %v8 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<0x64xf32>
  %v15 = stablehlo.slice %v8 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v16 = stablehlo.concatenate %v15, %v14, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v17 = stablehlo.constant dense<0.0> : tensor<f32>
  %v18 = stablehlo.pad %v16, %v17, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v19 = stablehlo.pad %v11, %v17, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<2x64xf32>
  %v21 = stablehlo.slice %v20 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v22 = stablehlo.slice %v5 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<1x64xf32>
  %v24 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v25 = stablehlo.concatenate %v24, %v23, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v26 = stablehlo.constant dense<0.0> : tensor<f32>
  %v27 = stablehlo.pad %v25, %v26, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v28 = stablehlo.pad %v20, %v26, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<4x64xf32>
  %v30 = stablehlo.slice %v29 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v31 = stablehlo.slice %v2 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<3x64xf32>
  %v33 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v34 = stablehlo.concatenate %v33, %v32, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v35 = stablehlo.constant dense<0.0> : tensor<f32>
  %v36 = stablehlo.pad %v34, %v35, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v37 = stablehlo.pad %v29, %v35, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v38 = stablehlo.add %v36, %v37 : tensor<8x64xf32>
  %v39 = stablehlo.slice %v38 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v40 = stablehlo.slice %a0 [2:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<7x64xf32>
  %v42 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v43 = stablehlo.concatenate %v42, %v41, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v46 = stablehlo.pad %v38, %v44, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<16x64xf32>
  return %v47, %v2 : tensor<16x64xf32>, tensor<8x64xf32>
}

// The first tree's 16 sums of neighbours are what a second one reads, which stays: its level of eight is returned.
// CHECK-LABEL: func.func @tree_is_read(
// CHECK-NOT: scf.for
// CHECK: return
func.func @tree_is_read(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<16x64xf32>, tensor<8x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:31:2, 0:64] : (tensor<32x64xf32>) -> tensor<16x64xf32>
  %v1 = stablehlo.slice %a0 [1:32:2, 0:64] : (tensor<32x64xf32>) -> tensor<16x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<16x64xf32>
  %v3 = stablehlo.slice %v2 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v4 = stablehlo.slice %v2 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<8x64xf32>
  %v6 = stablehlo.slice %v5 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v7 = stablehlo.slice %v5 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<4x64xf32>
  %v9 = stablehlo.slice %v8 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v10 = stablehlo.slice %v8 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<2x64xf32>
  %v12 = stablehlo.slice %v11 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v13 = stablehlo.slice %v11 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<1x64xf32>
  %v15 = stablehlo.slice %v14 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v16 = stablehlo.slice %v11 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v17 = stablehlo.add %v15, %v16 : tensor<0x64xf32>
  %v18 = stablehlo.slice %v11 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v19 = stablehlo.concatenate %v18, %v17, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v20 = stablehlo.constant dense<0.0> : tensor<f32>
  %v21 = stablehlo.pad %v19, %v20, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v22 = stablehlo.pad %v14, %v20, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<2x64xf32>
  %v24 = stablehlo.slice %v23 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v25 = stablehlo.slice %v8 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v26 = stablehlo.add %v24, %v25 : tensor<1x64xf32>
  %v27 = stablehlo.slice %v8 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v28 = stablehlo.concatenate %v27, %v26, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v29 = stablehlo.constant dense<0.0> : tensor<f32>
  %v30 = stablehlo.pad %v28, %v29, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v31 = stablehlo.pad %v23, %v29, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<4x64xf32>
  %v33 = stablehlo.slice %v32 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v34 = stablehlo.slice %v5 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v35 = stablehlo.add %v33, %v34 : tensor<3x64xf32>
  %v36 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v37 = stablehlo.concatenate %v36, %v35, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v38 = stablehlo.constant dense<0.0> : tensor<f32>
  %v39 = stablehlo.pad %v37, %v38, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v40 = stablehlo.pad %v32, %v38, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<8x64xf32>
  %v42 = stablehlo.slice %v41 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v43 = stablehlo.slice %v2 [2:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v44 = stablehlo.add %v42, %v43 : tensor<7x64xf32>
  %v45 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v46 = stablehlo.concatenate %v45, %v44, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v47 = stablehlo.constant dense<0.0> : tensor<f32>
  %v48 = stablehlo.pad %v46, %v47, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v49 = stablehlo.pad %v41, %v47, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v50 = stablehlo.add %v48, %v49 : tensor<16x64xf32>
  %v51 = stablehlo.slice %v50 [0:15, 0:64] : (tensor<16x64xf32>) -> tensor<15x64xf32>
  %v52 = stablehlo.slice %a0 [2:32:2, 0:64] : (tensor<32x64xf32>) -> tensor<15x64xf32>
  %v53 = stablehlo.add %v51, %v52 : tensor<15x64xf32>
  %v54 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<32x64xf32>) -> tensor<1x64xf32>
  %v55 = stablehlo.concatenate %v54, %v53, dim = 0 : (tensor<1x64xf32>, tensor<15x64xf32>) -> tensor<16x64xf32>
  %v56 = stablehlo.constant dense<0.0> : tensor<f32>
  %v57 = stablehlo.pad %v55, %v56, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %v58 = stablehlo.pad %v50, %v56, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %v59 = stablehlo.add %v57, %v58 : tensor<32x64xf32>
  %v60 = stablehlo.slice %v2 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v61 = stablehlo.slice %v2 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v62 = stablehlo.subtract %v60, %v61 : tensor<8x64xf32>
  %v63 = stablehlo.slice %v62 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v64 = stablehlo.slice %v62 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v65 = stablehlo.subtract %v63, %v64 : tensor<4x64xf32>
  %v66 = stablehlo.slice %v65 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v67 = stablehlo.slice %v65 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v68 = stablehlo.subtract %v66, %v67 : tensor<2x64xf32>
  %v69 = stablehlo.slice %v68 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v70 = stablehlo.slice %v68 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v71 = stablehlo.subtract %v69, %v70 : tensor<1x64xf32>
  %v72 = stablehlo.slice %v71 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v73 = stablehlo.slice %v68 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v74 = stablehlo.subtract %v72, %v73 : tensor<0x64xf32>
  %v75 = stablehlo.slice %v68 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v76 = stablehlo.concatenate %v75, %v74, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v77 = stablehlo.constant dense<0.0> : tensor<f32>
  %v78 = stablehlo.pad %v76, %v77, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v79 = stablehlo.pad %v71, %v77, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v80 = stablehlo.add %v78, %v79 : tensor<2x64xf32>
  %v81 = stablehlo.slice %v80 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v82 = stablehlo.slice %v65 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v83 = stablehlo.subtract %v81, %v82 : tensor<1x64xf32>
  %v84 = stablehlo.slice %v65 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v85 = stablehlo.concatenate %v84, %v83, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v86 = stablehlo.constant dense<0.0> : tensor<f32>
  %v87 = stablehlo.pad %v85, %v86, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v88 = stablehlo.pad %v80, %v86, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v89 = stablehlo.add %v87, %v88 : tensor<4x64xf32>
  %v90 = stablehlo.slice %v89 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v91 = stablehlo.slice %v62 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v92 = stablehlo.subtract %v90, %v91 : tensor<3x64xf32>
  %v93 = stablehlo.slice %v62 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v94 = stablehlo.concatenate %v93, %v92, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v95 = stablehlo.constant dense<0.0> : tensor<f32>
  %v96 = stablehlo.pad %v94, %v95, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v97 = stablehlo.pad %v89, %v95, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v98 = stablehlo.add %v96, %v97 : tensor<8x64xf32>
  %v99 = stablehlo.slice %v98 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v100 = stablehlo.slice %v2 [2:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v101 = stablehlo.subtract %v99, %v100 : tensor<7x64xf32>
  %v102 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v103 = stablehlo.concatenate %v102, %v101, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v104 = stablehlo.constant dense<0.0> : tensor<f32>
  %v105 = stablehlo.pad %v103, %v104, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v106 = stablehlo.pad %v98, %v104, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v107 = stablehlo.add %v105, %v106 : tensor<16x64xf32>
  return %v59, %v107, %v62 : tensor<32x64xf32>, tensor<16x64xf32>, tensor<8x64xf32>
}

// The level of four elements combines otherwise.
// CHECK-LABEL: func.func @combines_otherwise(
// CHECK-NOT: scf.for
// CHECK: return
func.func @combines_otherwise(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v1 = stablehlo.slice %a0 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<8x64xf32>
  %v3 = stablehlo.slice %v2 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v4 = stablehlo.slice %v2 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v5 = stablehlo.subtract %v3, %v4 : tensor<4x64xf32>
  %v6 = stablehlo.slice %v5 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v7 = stablehlo.slice %v5 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<2x64xf32>
  %v9 = stablehlo.slice %v8 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v10 = stablehlo.slice %v8 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<1x64xf32>
  %v12 = stablehlo.slice %v11 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v13 = stablehlo.slice %v8 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<0x64xf32>
  %v15 = stablehlo.slice %v8 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v16 = stablehlo.concatenate %v15, %v14, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v17 = stablehlo.constant dense<0.0> : tensor<f32>
  %v18 = stablehlo.pad %v16, %v17, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v19 = stablehlo.pad %v11, %v17, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<2x64xf32>
  %v21 = stablehlo.slice %v20 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v22 = stablehlo.slice %v5 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<1x64xf32>
  %v24 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v25 = stablehlo.concatenate %v24, %v23, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v26 = stablehlo.constant dense<0.0> : tensor<f32>
  %v27 = stablehlo.pad %v25, %v26, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v28 = stablehlo.pad %v20, %v26, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<4x64xf32>
  %v30 = stablehlo.slice %v29 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v31 = stablehlo.slice %v2 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<3x64xf32>
  %v33 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v34 = stablehlo.concatenate %v33, %v32, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v35 = stablehlo.constant dense<0.0> : tensor<f32>
  %v36 = stablehlo.pad %v34, %v35, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v37 = stablehlo.pad %v29, %v35, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v38 = stablehlo.add %v36, %v37 : tensor<8x64xf32>
  %v39 = stablehlo.slice %v38 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v40 = stablehlo.slice %a0 [2:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<7x64xf32>
  %v42 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v43 = stablehlo.concatenate %v42, %v41, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v46 = stablehlo.pad %v38, %v44, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<16x64xf32>
  return %v47 : tensor<16x64xf32>
}

// The second of the elements in between is combined with the result two places before it.
// CHECK-LABEL: func.func @reads_elsewhere(
// CHECK-NOT: scf.for
// CHECK: return
func.func @reads_elsewhere(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v1 = stablehlo.slice %a0 [1:16:2, 0:64] : (tensor<16x64xf32>) -> tensor<8x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<8x64xf32>
  %v3 = stablehlo.slice %v2 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v4 = stablehlo.slice %v2 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<4x64xf32>
  %v6 = stablehlo.slice %v5 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v7 = stablehlo.slice %v5 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<2x64xf32>
  %v9 = stablehlo.slice %v8 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v10 = stablehlo.slice %v8 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<1x64xf32>
  %v12 = stablehlo.slice %v11 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v13 = stablehlo.slice %v8 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<0x64xf32>
  %v15 = stablehlo.slice %v8 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v16 = stablehlo.concatenate %v15, %v14, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v17 = stablehlo.constant dense<0.0> : tensor<f32>
  %v18 = stablehlo.pad %v16, %v17, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v19 = stablehlo.pad %v11, %v17, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<2x64xf32>
  %v21 = stablehlo.slice %v20 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v22 = stablehlo.slice %v5 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<1x64xf32>
  %v24 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v25 = stablehlo.concatenate %v24, %v23, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v26 = stablehlo.constant dense<0.0> : tensor<f32>
  %v27 = stablehlo.pad %v25, %v26, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v28 = stablehlo.pad %v20, %v26, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<4x64xf32>
  %v30 = stablehlo.slice %v29 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v31 = stablehlo.slice %v2 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<3x64xf32>
  %v33 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v34 = stablehlo.concatenate %v33, %v32, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v35 = stablehlo.constant dense<0.0> : tensor<f32>
  %v36 = stablehlo.pad %v34, %v35, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v37 = stablehlo.pad %v29, %v35, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v38 = stablehlo.add %v36, %v37 : tensor<8x64xf32>
  %v39 = stablehlo.slice %v38 [0:7, 0:64] : (tensor<8x64xf32>) -> tensor<7x64xf32>
  %v40 = stablehlo.slice %a0 [1:15:2, 0:64] : (tensor<16x64xf32>) -> tensor<7x64xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<7x64xf32>
  %v42 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %v43 = stablehlo.concatenate %v42, %v41, dim = 0 : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %v44 = stablehlo.constant dense<0.0> : tensor<f32>
  %v45 = stablehlo.pad %v43, %v44, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v46 = stablehlo.pad %v38, %v44, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<16x64xf32>
  return %v47 : tensor<16x64xf32>
}

// Eight elements are few operations.
// CHECK-LABEL: func.func @short(
// CHECK-NOT: scf.for
// CHECK: return
func.func @short(%a0: tensor<8x64xf32>) -> (tensor<8x64xf32>) {
  %v0 = stablehlo.slice %a0 [0:7:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v1 = stablehlo.slice %a0 [1:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<4x64xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<4x64xf32>
  %v3 = stablehlo.slice %v2 [0:3:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v4 = stablehlo.slice %v2 [1:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<2x64xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<2x64xf32>
  %v6 = stablehlo.slice %v5 [0:1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v7 = stablehlo.slice %v5 [1:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<1x64xf32>
  %v9 = stablehlo.slice %v8 [0:0, 0:64] : (tensor<1x64xf32>) -> tensor<0x64xf32>
  %v10 = stablehlo.slice %v5 [2:2:2, 0:64] : (tensor<2x64xf32>) -> tensor<0x64xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<0x64xf32>
  %v12 = stablehlo.slice %v5 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v13 = stablehlo.concatenate %v12, %v11, dim = 0 : (tensor<1x64xf32>, tensor<0x64xf32>) -> tensor<1x64xf32>
  %v14 = stablehlo.constant dense<0.0> : tensor<f32>
  %v15 = stablehlo.pad %v13, %v14, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v16 = stablehlo.pad %v8, %v14, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  %v17 = stablehlo.add %v15, %v16 : tensor<2x64xf32>
  %v18 = stablehlo.slice %v17 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
  %v19 = stablehlo.slice %v2 [2:4:2, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<1x64xf32>
  %v21 = stablehlo.slice %v2 [0:1, 0:64] : (tensor<4x64xf32>) -> tensor<1x64xf32>
  %v22 = stablehlo.concatenate %v21, %v20, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %v23 = stablehlo.constant dense<0.0> : tensor<f32>
  %v24 = stablehlo.pad %v22, %v23, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v25 = stablehlo.pad %v17, %v23, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v26 = stablehlo.add %v24, %v25 : tensor<4x64xf32>
  %v27 = stablehlo.slice %v26 [0:3, 0:64] : (tensor<4x64xf32>) -> tensor<3x64xf32>
  %v28 = stablehlo.slice %a0 [2:8:2, 0:64] : (tensor<8x64xf32>) -> tensor<3x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<3x64xf32>
  %v30 = stablehlo.slice %a0 [0:1, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %v31 = stablehlo.concatenate %v30, %v29, dim = 0 : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<4x64xf32>
  %v32 = stablehlo.constant dense<0.0> : tensor<f32>
  %v33 = stablehlo.pad %v31, %v32, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v34 = stablehlo.pad %v26, %v32, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %v35 = stablehlo.add %v33, %v34 : tensor<8x64xf32>
  return %v35 : tensor<8x64xf32>
}

// Four lines of 65536 elements would be four threads: the levels down to 1024 elements stay as they are.
// CHECK-LABEL: func.func @few_lines(
// CHECK: scf.for {{.*}} -> (tensor<4x1024xf32>)
// CHECK: {forge.scan}
// CHECK-NOT: {forge.scan}
// CHECK: stablehlo.pad {{.*}} -> tensor<4x65536xf32>
// CHECK: return
func.func @few_lines(%a0: tensor<4x65536xf32>) -> (tensor<4x65536xf32>) {
  %v0 = stablehlo.slice %a0 [0:4, 0:65535:2] : (tensor<4x65536xf32>) -> tensor<4x32768xf32>
  %v1 = stablehlo.slice %a0 [0:4, 1:65536:2] : (tensor<4x65536xf32>) -> tensor<4x32768xf32>
  %v2 = stablehlo.add %v0, %v1 : tensor<4x32768xf32>
  %v3 = stablehlo.slice %v2 [0:4, 0:32767:2] : (tensor<4x32768xf32>) -> tensor<4x16384xf32>
  %v4 = stablehlo.slice %v2 [0:4, 1:32768:2] : (tensor<4x32768xf32>) -> tensor<4x16384xf32>
  %v5 = stablehlo.add %v3, %v4 : tensor<4x16384xf32>
  %v6 = stablehlo.slice %v5 [0:4, 0:16383:2] : (tensor<4x16384xf32>) -> tensor<4x8192xf32>
  %v7 = stablehlo.slice %v5 [0:4, 1:16384:2] : (tensor<4x16384xf32>) -> tensor<4x8192xf32>
  %v8 = stablehlo.add %v6, %v7 : tensor<4x8192xf32>
  %v9 = stablehlo.slice %v8 [0:4, 0:8191:2] : (tensor<4x8192xf32>) -> tensor<4x4096xf32>
  %v10 = stablehlo.slice %v8 [0:4, 1:8192:2] : (tensor<4x8192xf32>) -> tensor<4x4096xf32>
  %v11 = stablehlo.add %v9, %v10 : tensor<4x4096xf32>
  %v12 = stablehlo.slice %v11 [0:4, 0:4095:2] : (tensor<4x4096xf32>) -> tensor<4x2048xf32>
  %v13 = stablehlo.slice %v11 [0:4, 1:4096:2] : (tensor<4x4096xf32>) -> tensor<4x2048xf32>
  %v14 = stablehlo.add %v12, %v13 : tensor<4x2048xf32>
  %v15 = stablehlo.slice %v14 [0:4, 0:2047:2] : (tensor<4x2048xf32>) -> tensor<4x1024xf32>
  %v16 = stablehlo.slice %v14 [0:4, 1:2048:2] : (tensor<4x2048xf32>) -> tensor<4x1024xf32>
  %v17 = stablehlo.add %v15, %v16 : tensor<4x1024xf32>
  %v18 = stablehlo.slice %v17 [0:4, 0:1023:2] : (tensor<4x1024xf32>) -> tensor<4x512xf32>
  %v19 = stablehlo.slice %v17 [0:4, 1:1024:2] : (tensor<4x1024xf32>) -> tensor<4x512xf32>
  %v20 = stablehlo.add %v18, %v19 : tensor<4x512xf32>
  %v21 = stablehlo.slice %v20 [0:4, 0:511:2] : (tensor<4x512xf32>) -> tensor<4x256xf32>
  %v22 = stablehlo.slice %v20 [0:4, 1:512:2] : (tensor<4x512xf32>) -> tensor<4x256xf32>
  %v23 = stablehlo.add %v21, %v22 : tensor<4x256xf32>
  %v24 = stablehlo.slice %v23 [0:4, 0:255:2] : (tensor<4x256xf32>) -> tensor<4x128xf32>
  %v25 = stablehlo.slice %v23 [0:4, 1:256:2] : (tensor<4x256xf32>) -> tensor<4x128xf32>
  %v26 = stablehlo.add %v24, %v25 : tensor<4x128xf32>
  %v27 = stablehlo.slice %v26 [0:4, 0:127:2] : (tensor<4x128xf32>) -> tensor<4x64xf32>
  %v28 = stablehlo.slice %v26 [0:4, 1:128:2] : (tensor<4x128xf32>) -> tensor<4x64xf32>
  %v29 = stablehlo.add %v27, %v28 : tensor<4x64xf32>
  %v30 = stablehlo.slice %v29 [0:4, 0:63:2] : (tensor<4x64xf32>) -> tensor<4x32xf32>
  %v31 = stablehlo.slice %v29 [0:4, 1:64:2] : (tensor<4x64xf32>) -> tensor<4x32xf32>
  %v32 = stablehlo.add %v30, %v31 : tensor<4x32xf32>
  %v33 = stablehlo.slice %v32 [0:4, 0:31:2] : (tensor<4x32xf32>) -> tensor<4x16xf32>
  %v34 = stablehlo.slice %v32 [0:4, 1:32:2] : (tensor<4x32xf32>) -> tensor<4x16xf32>
  %v35 = stablehlo.add %v33, %v34 : tensor<4x16xf32>
  %v36 = stablehlo.slice %v35 [0:4, 0:15:2] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %v37 = stablehlo.slice %v35 [0:4, 1:16:2] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %v38 = stablehlo.add %v36, %v37 : tensor<4x8xf32>
  %v39 = stablehlo.slice %v38 [0:4, 0:7:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %v40 = stablehlo.slice %v38 [0:4, 1:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %v41 = stablehlo.add %v39, %v40 : tensor<4x4xf32>
  %v42 = stablehlo.slice %v41 [0:4, 0:3:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %v43 = stablehlo.slice %v41 [0:4, 1:4:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %v44 = stablehlo.add %v42, %v43 : tensor<4x2xf32>
  %v45 = stablehlo.slice %v44 [0:4, 0:1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %v46 = stablehlo.slice %v44 [0:4, 1:2:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %v47 = stablehlo.add %v45, %v46 : tensor<4x1xf32>
  %v48 = stablehlo.slice %v47 [0:4, 0:0] : (tensor<4x1xf32>) -> tensor<4x0xf32>
  %v49 = stablehlo.slice %v44 [0:4, 2:2:2] : (tensor<4x2xf32>) -> tensor<4x0xf32>
  %v50 = stablehlo.add %v48, %v49 : tensor<4x0xf32>
  %v51 = stablehlo.slice %v44 [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %v52 = stablehlo.concatenate %v51, %v50, dim = 1 : (tensor<4x1xf32>, tensor<4x0xf32>) -> tensor<4x1xf32>
  %v53 = stablehlo.constant dense<0.0> : tensor<f32>
  %v54 = stablehlo.pad %v52, %v53, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v55 = stablehlo.pad %v47, %v53, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v56 = stablehlo.add %v54, %v55 : tensor<4x2xf32>
  %v57 = stablehlo.slice %v56 [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %v58 = stablehlo.slice %v41 [0:4, 2:4:2] : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %v59 = stablehlo.add %v57, %v58 : tensor<4x1xf32>
  %v60 = stablehlo.slice %v41 [0:4, 0:1] : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %v61 = stablehlo.concatenate %v60, %v59, dim = 1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %v62 = stablehlo.constant dense<0.0> : tensor<f32>
  %v63 = stablehlo.pad %v61, %v62, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %v64 = stablehlo.pad %v56, %v62, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %v65 = stablehlo.add %v63, %v64 : tensor<4x4xf32>
  %v66 = stablehlo.slice %v65 [0:4, 0:3] : (tensor<4x4xf32>) -> tensor<4x3xf32>
  %v67 = stablehlo.slice %v38 [0:4, 2:8:2] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %v68 = stablehlo.add %v66, %v67 : tensor<4x3xf32>
  %v69 = stablehlo.slice %v38 [0:4, 0:1] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %v70 = stablehlo.concatenate %v69, %v68, dim = 1 : (tensor<4x1xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  %v71 = stablehlo.constant dense<0.0> : tensor<f32>
  %v72 = stablehlo.pad %v70, %v71, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %v73 = stablehlo.pad %v65, %v71, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %v74 = stablehlo.add %v72, %v73 : tensor<4x8xf32>
  %v75 = stablehlo.slice %v74 [0:4, 0:7] : (tensor<4x8xf32>) -> tensor<4x7xf32>
  %v76 = stablehlo.slice %v35 [0:4, 2:16:2] : (tensor<4x16xf32>) -> tensor<4x7xf32>
  %v77 = stablehlo.add %v75, %v76 : tensor<4x7xf32>
  %v78 = stablehlo.slice %v35 [0:4, 0:1] : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %v79 = stablehlo.concatenate %v78, %v77, dim = 1 : (tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  %v80 = stablehlo.constant dense<0.0> : tensor<f32>
  %v81 = stablehlo.pad %v79, %v80, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x16xf32>
  %v82 = stablehlo.pad %v74, %v80, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x16xf32>
  %v83 = stablehlo.add %v81, %v82 : tensor<4x16xf32>
  %v84 = stablehlo.slice %v83 [0:4, 0:15] : (tensor<4x16xf32>) -> tensor<4x15xf32>
  %v85 = stablehlo.slice %v32 [0:4, 2:32:2] : (tensor<4x32xf32>) -> tensor<4x15xf32>
  %v86 = stablehlo.add %v84, %v85 : tensor<4x15xf32>
  %v87 = stablehlo.slice %v32 [0:4, 0:1] : (tensor<4x32xf32>) -> tensor<4x1xf32>
  %v88 = stablehlo.concatenate %v87, %v86, dim = 1 : (tensor<4x1xf32>, tensor<4x15xf32>) -> tensor<4x16xf32>
  %v89 = stablehlo.constant dense<0.0> : tensor<f32>
  %v90 = stablehlo.pad %v88, %v89, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x32xf32>
  %v91 = stablehlo.pad %v83, %v89, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x32xf32>
  %v92 = stablehlo.add %v90, %v91 : tensor<4x32xf32>
  %v93 = stablehlo.slice %v92 [0:4, 0:31] : (tensor<4x32xf32>) -> tensor<4x31xf32>
  %v94 = stablehlo.slice %v29 [0:4, 2:64:2] : (tensor<4x64xf32>) -> tensor<4x31xf32>
  %v95 = stablehlo.add %v93, %v94 : tensor<4x31xf32>
  %v96 = stablehlo.slice %v29 [0:4, 0:1] : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %v97 = stablehlo.concatenate %v96, %v95, dim = 1 : (tensor<4x1xf32>, tensor<4x31xf32>) -> tensor<4x32xf32>
  %v98 = stablehlo.constant dense<0.0> : tensor<f32>
  %v99 = stablehlo.pad %v97, %v98, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v100 = stablehlo.pad %v92, %v98, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4x64xf32>
  %v101 = stablehlo.add %v99, %v100 : tensor<4x64xf32>
  %v102 = stablehlo.slice %v101 [0:4, 0:63] : (tensor<4x64xf32>) -> tensor<4x63xf32>
  %v103 = stablehlo.slice %v26 [0:4, 2:128:2] : (tensor<4x128xf32>) -> tensor<4x63xf32>
  %v104 = stablehlo.add %v102, %v103 : tensor<4x63xf32>
  %v105 = stablehlo.slice %v26 [0:4, 0:1] : (tensor<4x128xf32>) -> tensor<4x1xf32>
  %v106 = stablehlo.concatenate %v105, %v104, dim = 1 : (tensor<4x1xf32>, tensor<4x63xf32>) -> tensor<4x64xf32>
  %v107 = stablehlo.constant dense<0.0> : tensor<f32>
  %v108 = stablehlo.pad %v106, %v107, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4x128xf32>
  %v109 = stablehlo.pad %v101, %v107, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4x128xf32>
  %v110 = stablehlo.add %v108, %v109 : tensor<4x128xf32>
  %v111 = stablehlo.slice %v110 [0:4, 0:127] : (tensor<4x128xf32>) -> tensor<4x127xf32>
  %v112 = stablehlo.slice %v23 [0:4, 2:256:2] : (tensor<4x256xf32>) -> tensor<4x127xf32>
  %v113 = stablehlo.add %v111, %v112 : tensor<4x127xf32>
  %v114 = stablehlo.slice %v23 [0:4, 0:1] : (tensor<4x256xf32>) -> tensor<4x1xf32>
  %v115 = stablehlo.concatenate %v114, %v113, dim = 1 : (tensor<4x1xf32>, tensor<4x127xf32>) -> tensor<4x128xf32>
  %v116 = stablehlo.constant dense<0.0> : tensor<f32>
  %v117 = stablehlo.pad %v115, %v116, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x128xf32>, tensor<f32>) -> tensor<4x256xf32>
  %v118 = stablehlo.pad %v110, %v116, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x128xf32>, tensor<f32>) -> tensor<4x256xf32>
  %v119 = stablehlo.add %v117, %v118 : tensor<4x256xf32>
  %v120 = stablehlo.slice %v119 [0:4, 0:255] : (tensor<4x256xf32>) -> tensor<4x255xf32>
  %v121 = stablehlo.slice %v20 [0:4, 2:512:2] : (tensor<4x512xf32>) -> tensor<4x255xf32>
  %v122 = stablehlo.add %v120, %v121 : tensor<4x255xf32>
  %v123 = stablehlo.slice %v20 [0:4, 0:1] : (tensor<4x512xf32>) -> tensor<4x1xf32>
  %v124 = stablehlo.concatenate %v123, %v122, dim = 1 : (tensor<4x1xf32>, tensor<4x255xf32>) -> tensor<4x256xf32>
  %v125 = stablehlo.constant dense<0.0> : tensor<f32>
  %v126 = stablehlo.pad %v124, %v125, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x256xf32>, tensor<f32>) -> tensor<4x512xf32>
  %v127 = stablehlo.pad %v119, %v125, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x256xf32>, tensor<f32>) -> tensor<4x512xf32>
  %v128 = stablehlo.add %v126, %v127 : tensor<4x512xf32>
  %v129 = stablehlo.slice %v128 [0:4, 0:511] : (tensor<4x512xf32>) -> tensor<4x511xf32>
  %v130 = stablehlo.slice %v17 [0:4, 2:1024:2] : (tensor<4x1024xf32>) -> tensor<4x511xf32>
  %v131 = stablehlo.add %v129, %v130 : tensor<4x511xf32>
  %v132 = stablehlo.slice %v17 [0:4, 0:1] : (tensor<4x1024xf32>) -> tensor<4x1xf32>
  %v133 = stablehlo.concatenate %v132, %v131, dim = 1 : (tensor<4x1xf32>, tensor<4x511xf32>) -> tensor<4x512xf32>
  %v134 = stablehlo.constant dense<0.0> : tensor<f32>
  %v135 = stablehlo.pad %v133, %v134, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4x1024xf32>
  %v136 = stablehlo.pad %v128, %v134, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4x1024xf32>
  %v137 = stablehlo.add %v135, %v136 : tensor<4x1024xf32>
  %v138 = stablehlo.slice %v137 [0:4, 0:1023] : (tensor<4x1024xf32>) -> tensor<4x1023xf32>
  %v139 = stablehlo.slice %v14 [0:4, 2:2048:2] : (tensor<4x2048xf32>) -> tensor<4x1023xf32>
  %v140 = stablehlo.add %v138, %v139 : tensor<4x1023xf32>
  %v141 = stablehlo.slice %v14 [0:4, 0:1] : (tensor<4x2048xf32>) -> tensor<4x1xf32>
  %v142 = stablehlo.concatenate %v141, %v140, dim = 1 : (tensor<4x1xf32>, tensor<4x1023xf32>) -> tensor<4x1024xf32>
  %v143 = stablehlo.constant dense<0.0> : tensor<f32>
  %v144 = stablehlo.pad %v142, %v143, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x1024xf32>, tensor<f32>) -> tensor<4x2048xf32>
  %v145 = stablehlo.pad %v137, %v143, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x1024xf32>, tensor<f32>) -> tensor<4x2048xf32>
  %v146 = stablehlo.add %v144, %v145 : tensor<4x2048xf32>
  %v147 = stablehlo.slice %v146 [0:4, 0:2047] : (tensor<4x2048xf32>) -> tensor<4x2047xf32>
  %v148 = stablehlo.slice %v11 [0:4, 2:4096:2] : (tensor<4x4096xf32>) -> tensor<4x2047xf32>
  %v149 = stablehlo.add %v147, %v148 : tensor<4x2047xf32>
  %v150 = stablehlo.slice %v11 [0:4, 0:1] : (tensor<4x4096xf32>) -> tensor<4x1xf32>
  %v151 = stablehlo.concatenate %v150, %v149, dim = 1 : (tensor<4x1xf32>, tensor<4x2047xf32>) -> tensor<4x2048xf32>
  %v152 = stablehlo.constant dense<0.0> : tensor<f32>
  %v153 = stablehlo.pad %v151, %v152, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4x4096xf32>
  %v154 = stablehlo.pad %v146, %v152, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4x4096xf32>
  %v155 = stablehlo.add %v153, %v154 : tensor<4x4096xf32>
  %v156 = stablehlo.slice %v155 [0:4, 0:4095] : (tensor<4x4096xf32>) -> tensor<4x4095xf32>
  %v157 = stablehlo.slice %v8 [0:4, 2:8192:2] : (tensor<4x8192xf32>) -> tensor<4x4095xf32>
  %v158 = stablehlo.add %v156, %v157 : tensor<4x4095xf32>
  %v159 = stablehlo.slice %v8 [0:4, 0:1] : (tensor<4x8192xf32>) -> tensor<4x1xf32>
  %v160 = stablehlo.concatenate %v159, %v158, dim = 1 : (tensor<4x1xf32>, tensor<4x4095xf32>) -> tensor<4x4096xf32>
  %v161 = stablehlo.constant dense<0.0> : tensor<f32>
  %v162 = stablehlo.pad %v160, %v161, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x4096xf32>, tensor<f32>) -> tensor<4x8192xf32>
  %v163 = stablehlo.pad %v155, %v161, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x4096xf32>, tensor<f32>) -> tensor<4x8192xf32>
  %v164 = stablehlo.add %v162, %v163 : tensor<4x8192xf32>
  %v165 = stablehlo.slice %v164 [0:4, 0:8191] : (tensor<4x8192xf32>) -> tensor<4x8191xf32>
  %v166 = stablehlo.slice %v5 [0:4, 2:16384:2] : (tensor<4x16384xf32>) -> tensor<4x8191xf32>
  %v167 = stablehlo.add %v165, %v166 : tensor<4x8191xf32>
  %v168 = stablehlo.slice %v5 [0:4, 0:1] : (tensor<4x16384xf32>) -> tensor<4x1xf32>
  %v169 = stablehlo.concatenate %v168, %v167, dim = 1 : (tensor<4x1xf32>, tensor<4x8191xf32>) -> tensor<4x8192xf32>
  %v170 = stablehlo.constant dense<0.0> : tensor<f32>
  %v171 = stablehlo.pad %v169, %v170, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x8192xf32>, tensor<f32>) -> tensor<4x16384xf32>
  %v172 = stablehlo.pad %v164, %v170, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x8192xf32>, tensor<f32>) -> tensor<4x16384xf32>
  %v173 = stablehlo.add %v171, %v172 : tensor<4x16384xf32>
  %v174 = stablehlo.slice %v173 [0:4, 0:16383] : (tensor<4x16384xf32>) -> tensor<4x16383xf32>
  %v175 = stablehlo.slice %v2 [0:4, 2:32768:2] : (tensor<4x32768xf32>) -> tensor<4x16383xf32>
  %v176 = stablehlo.add %v174, %v175 : tensor<4x16383xf32>
  %v177 = stablehlo.slice %v2 [0:4, 0:1] : (tensor<4x32768xf32>) -> tensor<4x1xf32>
  %v178 = stablehlo.concatenate %v177, %v176, dim = 1 : (tensor<4x1xf32>, tensor<4x16383xf32>) -> tensor<4x16384xf32>
  %v179 = stablehlo.constant dense<0.0> : tensor<f32>
  %v180 = stablehlo.pad %v178, %v179, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x16384xf32>, tensor<f32>) -> tensor<4x32768xf32>
  %v181 = stablehlo.pad %v173, %v179, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x16384xf32>, tensor<f32>) -> tensor<4x32768xf32>
  %v182 = stablehlo.add %v180, %v181 : tensor<4x32768xf32>
  %v183 = stablehlo.slice %v182 [0:4, 0:32767] : (tensor<4x32768xf32>) -> tensor<4x32767xf32>
  %v184 = stablehlo.slice %a0 [0:4, 2:65536:2] : (tensor<4x65536xf32>) -> tensor<4x32767xf32>
  %v185 = stablehlo.add %v183, %v184 : tensor<4x32767xf32>
  %v186 = stablehlo.slice %a0 [0:4, 0:1] : (tensor<4x65536xf32>) -> tensor<4x1xf32>
  %v187 = stablehlo.concatenate %v186, %v185, dim = 1 : (tensor<4x1xf32>, tensor<4x32767xf32>) -> tensor<4x32768xf32>
  %v188 = stablehlo.constant dense<0.0> : tensor<f32>
  %v189 = stablehlo.pad %v187, %v188, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x32768xf32>, tensor<f32>) -> tensor<4x65536xf32>
  %v190 = stablehlo.pad %v182, %v188, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x32768xf32>, tensor<f32>) -> tensor<4x65536xf32>
  %v191 = stablehlo.add %v189, %v190 : tensor<4x65536xf32>
  return %v191 : tensor<4x65536xf32>
}
