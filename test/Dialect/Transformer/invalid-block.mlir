// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @mlp_c1_input(%x: tensor<16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected rank 2 or more for input, but got 1}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<16xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @mlp_c1_weights(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<1x40x16xf32>) {
  // expected-error @below {{expected rank 2 for down, but got 3}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<1x40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c2_features(%x: tensor<3x16xf32>, %up: tensor<17x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 0 of up to be 16, but got 17}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<17x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c2_hidden(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<41x16xf32>) {
  // expected-error @below {{expected dimension 0 of down to be 40, but got 41}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<41x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c2_transposed(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 1 of up to be 16, but got 40}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>, transpose_weights} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c3_up_bias(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %bup: tensor<16xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 0 of bias of up to be 40, but got 16}}
  %0 = transformer.mlp %x up %up bias %bup down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c3_down_bias(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>, %bdown: tensor<40xf32>) {
  // expected-error @below {{expected dimension 0 of bias of down to be 16, but got 40}}
  %0 = transformer.mlp %x up %up down %down bias %bdown {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<40x16xf32>, tensor<40xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c4_result(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 16, but got 40}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x40xf32>
  return
}

// -----

func.func @mlp_c4_residual(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>, %r: tensor<1x16xf32>) {
  // expected-error @below {{expected dimension 0 of residual to be 3, but got 1}}
  %0 = transformer.mlp %x up %up down %down residual %r {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<40x16xf32>, tensor<1x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c5_types(%x: tensor<3x16xf32>, %up: tensor<16x40xbf16>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'bf16'}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xbf16>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @mlp_c6_accumulate(%x: tensor<3x16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f32', but got 'f16'}}
  %0 = transformer.mlp %x up %up down %down {activation = #transformer.activation<relu>, accumulate = f16} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c1_input(%x: tensor<16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected rank 2 or more for input, but got 1}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @gated_mlp_c1_weights(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<1x40x16xf32>) {
  // expected-error @below {{expected rank 2 for down, but got 3}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<1x40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c2_features(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<17x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 0 of up to be 16, but got 17}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<17x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c2_hidden(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<41x16xf32>) {
  // expected-error @below {{expected dimension 0 of down to be 40, but got 41}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<41x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c2_transposed(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 1 of gate to be 16, but got 40}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>, transpose_weights} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c3_up_bias(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %bup: tensor<16xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 0 of bias of up to be 40, but got 16}}
  %0 = transformer.gated_mlp %x gate %gate up %up bias %bup down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<16xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c3_down_bias(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>, %bdown: tensor<40xf32>) {
  // expected-error @below {{expected dimension 0 of bias of down to be 16, but got 40}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down bias %bdown {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>, tensor<40xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c4_result(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 16, but got 40}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x40xf32>
  return
}

// -----

func.func @gated_mlp_c4_residual(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>, %r: tensor<1x16xf32>) {
  // expected-error @below {{expected dimension 0 of residual to be 3, but got 1}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down residual %r {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>, tensor<1x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c5_types(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xbf16>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'bf16'}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xbf16>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c6_accumulate(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f32', but got 'f16'}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>, accumulate = f16} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c2_branch(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %up: tensor<16x41xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 1 of up to be 40, but got 41}}
  %0 = transformer.gated_mlp %x gate %gate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x41xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}

// -----

func.func @gated_mlp_c3_gate_bias(%x: tensor<3x16xf32>, %gate: tensor<16x40xf32>, %bgate: tensor<16xf32>, %up: tensor<16x40xf32>, %down: tensor<40x16xf32>) {
  // expected-error @below {{expected dimension 0 of bias of gate to be 40, but got 16}}
  %0 = transformer.gated_mlp %x gate %gate bias %bgate up %up down %down {activation = #transformer.activation<relu>} : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return
}
