// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of chlo.scan; the name says which.

func.func @scan_c1(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<4xi32> {
  // expected-error @+1 {{'chlo.scan' op expected dimension in [0, 1) of 'tensor<4xi32>', but got 1}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=1 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %r#0 : tensor<4xi32>
}

// -----

func.func @scan_c2_sizes(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<5xi32> {
  // expected-error @+1 {{'chlo.scan' op expected size 4 along dimension 0, but got 'tensor<5xi32>'}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  return %r#0 : tensor<5xi32>
}

// -----

func.func @scan_c2_given(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<4xi32> {
  // expected-error @+1 {{'chlo.scan' op expected size 3 along dimension 0, but got 'tensor<4xi32>'}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 attributes {scan_dim_size = 3 : i64} {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %r#0 : tensor<4xi32>
}

// -----

func.func @scan_c2_known(%x: tensor<?xi32>, %z: tensor<i32>) -> tensor<?xi32> {
  // expected-error @+1 {{'chlo.scan' op expected a known size along dimension 0 of 'tensor<?xi32>'}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<i32>)
  return %r#0 : tensor<?xi32>
}

// -----

func.func @scan_c2_none(%z: tensor<i32>) -> tensor<i32> {
  // expected-error @+1 {{'chlo.scan' op expected scan_dim_size, since there are no inputs and outputs}}
  %r = chlo.scan() inits (%z) dimension=0 {
  ^bb0(%q: tensor<i32>):
    stablehlo.return %q : tensor<i32>
  } : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

func.func @scan_c3(%x: tensor<3x4xi32>, %z: tensor<i32>) -> tensor<3x4xi32> {
  // expected-error @+1 {{'chlo.scan' op expected body to take ('tensor<3xi32>', 'tensor<i32>'), but got ('tensor<4xi32>', 'tensor<i32>')}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=1 {
  ^bb0(%p: tensor<4xi32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<4xi32>, tensor<i32>
  } : (tensor<3x4xi32>, tensor<i32>) -> (tensor<3x4xi32>, tensor<i32>)
  return %r#0 : tensor<3x4xi32>
}

// -----

func.func @scan_c4(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<4xi32> {
  // expected-error @+1 {{'chlo.scan' op expected body to return ('tensor<i32>', 'tensor<i32>'), but got ('tensor<i32>')}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p : tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %r#0 : tensor<4xi32>
}

// -----

func.func @scan_c5(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<4xi32> {
  // expected-error @+1 {{'chlo.scan' op expected carries to have the types of inits}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i64>)
  return %r#0 : tensor<4xi32>
}

// -----

func.func @scan_operand_types(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<4xi32> {
  // expected-error @+1 {{expected 2 operand types, but got 1}}
  %r:2 = chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p, %q : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>) -> (tensor<4xi32>, tensor<i32>)
  return %r#0 : tensor<4xi32>
}

// -----

func.func @scan_result_types(%x: tensor<4xi32>, %z: tensor<i32>) {
  // expected-error @+1 {{expected 1 result types at least, one for each of inits, but got 0}}
  chlo.scan(%x) inits (%z) dimension=0 {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %q : tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> ()
  return
}
