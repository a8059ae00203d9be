// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected as many arguments of the body as operands, 1, but got 0}}
  sdy.manual_computation(%x) in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @results(%x: tensor<4xf32>) {
  sdy.manual_computation(%x) in_shardings=[] out_shardings=[] manual_axes={} (%a: tensor<4xf32>) {
    // expected-error @+1 {{expected as many values as there are results, 0, but got 1}}
    sdy.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @types(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the types of its operands and results in the body}}
  sdy.named_computation<"f">(%x) (%a: tensor<2xf32>) {
    sdy.return
  } : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @direction(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected allowed_direction NONE, FORWARD or BACKWARD, but got number 3}}
  %0 = sdy.propagation_barrier %x allowed_direction=BOTH : tensor<4xf32>
  return
}

// -----

func.func @keyword(%x: tensor<4xf32>) {
  // expected-error @+1 {{unknown direction 'UP'}}
  %0 = sdy.propagation_barrier %x allowed_direction=UP : tensor<4xf32>
  return
}
