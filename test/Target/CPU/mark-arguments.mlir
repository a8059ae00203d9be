// RUN: forge-opt %s --forge-mark-arguments | FileCheck %s

// CHECK: func.func @step(%{{.*}}: tensor<8x4xf32> {bufferization.writable = true, tf.aliasing_output = 0 : i32}, %{{.*}}: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: tensor<4xf32> {bufferization.writable = true, jax.buffer_donor = true}, %{{.*}}: i32)
func.func @step(%cache: tensor<8x4xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<4xf32>,
                %donor: tensor<4xf32> {jax.buffer_donor = true}, %scalar: i32) {
  return
}

// CHECK: func.func private @inner(%{{.*}}: tensor<4xf32>)
func.func private @inner(%x: tensor<4xf32>) {
  return
}
