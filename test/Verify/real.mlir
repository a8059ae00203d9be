// The reference agrees with what XLA computed for a gradient (of which one result is nothing but rounding) and for a
// function of dynamic shapes.
// REQUIRES: real
// RUN: forge-interpret %real/stablehlo/dyn_softmax/module.mlir --input %real/stablehlo/dyn_softmax/in0.npy --expect %real/stablehlo/dyn_softmax/out0.npy | FileCheck %s
// RUN: forge-interpret %real/stablehlo/jnp_topk/module.mlir --input %real/stablehlo/jnp_topk/in0.npy --expect %real/stablehlo/jnp_topk/out0.npy --expect %real/stablehlo/jnp_topk/out1.npy | FileCheck %s --check-prefixes=CHECK,TOPK
// CHECK: result 0: {{.*}} agrees
// TOPK: result 1: {{.*}} agrees: equal
