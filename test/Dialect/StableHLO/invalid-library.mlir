// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of random numbers, solvers and custom calls; the name says which.

func.func @rng_bit_generator_c1_types(%s: tensor<2xui64>) {
  // expected-error @+1 {{expected output_state of type 'tensor<2xui64>' as initial_state, but got 'tensor<3xui64>'}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c1_element(%s: tensor<2xi32>) {
  // expected-error @+1 {{expected initial_state of rank 1 and element type ui64, but got 'tensor<2xi32>'}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xi32>) -> (tensor<2xi32>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_threefry(%s: tensor<3xui64>) {
  // expected-error @+1 {{expected 2 elements in initial_state for THREE_FRY, but got 3}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox(%s: tensor<4xui64>) {
  // expected-error @+1 {{expected 2 or 3 elements in initial_state for PHILOX, but got 4}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_static(%s: tensor<2xui64>) {
  // expected-error @+1 {{expected an output of static shape, but got 'tensor<?xui32>'}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @rng_c1_types(%a: tensor<f32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{expected element type 'f64' for a, but got 'f32'}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf64>
  return
}

// -----

func.func @rng_c2_normal(%a: tensor<i32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{expected float elements for NORMAL, but got 'i32'}}
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// -----

func.func @rng_c3_rank(%a: tensor<f32>, %s: tensor<3xi64>) {
  // expected-error @+1 {{expected shape [2] for shape, but got [3]}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_alone(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected both operand_layouts and result_layouts, or neither}}
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_layouts_count(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 1 entries in operand_layouts, but got 0}}
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_layout_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 entries in a layout, but got 1}}
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_layout_huge(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 entries in a layout, but got 4294967296}}
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<0> : tensor<4294967296xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_layout_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected distinct dimensions of a layout, but got 1 twice}}
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<1> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_config_text(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a dictionary as backend_config for API_VERSION_TYPED_FFI, but got "text"}}
  %0 = stablehlo.custom_call @t(%x) {api_version = 4 : i32, backend_config = "text"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_config_dictionary(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a string as backend_config for API_VERSION_ORIGINAL, but got {k = 1 : i64}}}
  %0 = stablehlo.custom_call @t(%x) {backend_config = {k = 1 : i64}} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_alias_operand(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected operand_index in the range [0, 1), but got 1}}
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_alias_types(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected aliases of one type, but got 'tensor<2x3xf32>' and 'tensor<2xf32>'}}
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_alias_path(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an alias between an operand and a result, but got}}
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @triangular_solve_c1_types(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  // expected-error @+1 {{expected element type 'f32' for b, but got 'f64'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @triangular_solve_c2_ranks(%a: tensor<3x3xf32>, %b: tensor<1x3x2xf32>) {
  // expected-error @+1 {{expected one rank of 2 or more for a and b, but got 2 and 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3_batch(%a: tensor<4x3x3xf32>, %b: tensor<5x3x2xf32>) {
  // expected-error @+1 {{expected one batch for a and b, but got [4] and [5]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3_square(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{expected the dimension before it to be 3 as the last dimension of a, but got 4}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3_right(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{expected the last dimension of b to be 3 as the last dimension of a, but got 2}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_c4_result(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{expected result type 'tensor<3x2xf32>' as b, but got 'tensor<2x3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @triangular_solve_transpose(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{expected NO_TRANSPOSE, TRANSPOSE or ADJOINT for transpose_a}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @cholesky_c1_type(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{expected result type 'tensor<3x3xf32>' as a, but got 'tensor<3x3xf64>'}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}

// -----

func.func @cholesky_c2_rank(%a: tensor<3xf32>) {
  // expected-error @+1 {{expected rank 2 or more for a, but got 1}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cholesky_c3_square(%a: tensor<3x2xf32>) {
  // expected-error @+1 {{expected the dimension before it to be 2 as the last dimension of a, but got 3}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @fft_complex(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected result of shape [9], but got [16]}}
  %0 = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<16xf32>) -> tensor<16xcomplex<f32>>
  return
}

// -----

func.func @fft_real(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected complex numbers to complex numbers of one precision, f32 or f64, but got 'f32' to 'f32'}}
  %0 = stablehlo.fft %x, type = FFT, length = [16] : (tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @fft_dimensions(%x: tensor<16xcomplex<f32>>) {
  // expected-error @+1 {{expected 1 to 3 lengths, of the last dimensions of operand, but got 2 for rank 1}}
  %0 = stablehlo.fft %x, type = FFT, length = [4, 4] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  return
}

// -----

func.func @dynamic_reduce_window_operands(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 7 operands and 1 results for '@stablehlo.dynamic_reduce_window', but got 2 and 1}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %n) : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_reduce_window_padding(%x: tensor<?xf32>, %z: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected integers of shape [1, 2] as operand 6 of '@stablehlo.dynamic_reduce_window', but got 'tensor<1xi32>'}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %n) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_rng_bit_generator_algorithm(%s: tensor<2xui64>, %n: tensor<1xi32>) -> tensor<?xui32> {
  // expected-error @+1 {{expected the attribute 'rng_algorithm'}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return %0#1 : tensor<?xui32>
}

// -----

func.func @dynamic_top_k_rank(%x: tensor<?x?xf32>, %k: tensor<i32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected values and i32 indices of the operand's rank, but got 'tensor<?xf32>' and 'tensor<?xi32>'}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#0 : tensor<?xf32>
}
