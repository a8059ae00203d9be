// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of control flow, composites and tuples; the name says which.

func.func @if_c1_arguments(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.if' op expected false_branch to take (), but it takes (tensor<f32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @if_c2_branches(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<i32>) -> tensor<f32> {
  // expected-error @+1 {{op expected false_branch to return (tensor<f32>), but it returns (tensor<i32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @if_c3_results(%p: tensor<i1>, %x: tensor<f32>) -> tensor<i32> {
  // expected-error @+1 {{op expected true_branch to return (tensor<i32>), but it returns (tensor<f32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @if_empty_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op region #1 ('false_branch') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @if_terminator(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+2 {{expects regions to end with 'stablehlo.return', found 'llvm.unreachable'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'stablehlo.return'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    llvm.unreachable
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @case_c1_none(%i: tensor<i32>) -> tensor<f32> {
  // expected-error @+1 {{op expected at least 1 branch, but got none}}
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @case_c2_arguments(%i: tensor<i32>) -> tensor<f32> {
  // expected-error @+1 {{op expected branch 0 to take (), but it takes (tensor<f32>)}}
  %0 = "stablehlo.case"(%i) ({
  ^bb0(%y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @case_c3_branches(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected branch 1 to return (tensor<f32>), but it returns (tensor<f32>, tensor<f32>)}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @while_c1_arguments(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected cond to take (tensor<f32>), but it takes ()}}
  %0 = "stablehlo.while"(%x) ({
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @while_c1_pred(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected cond to return (tensor<i1>), but it returns (tensor<f32>)}}
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    stablehlo.return %a : tensor<f32>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @while_c2_body(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  // expected-error @+1 {{op expected body to return (tensor<f32>), but it returns (tensor<i1>)}}
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %p : tensor<i1>
  }
  return %0 : tensor<f32>
}

// -----

func.func @while_c3_results(%x: tensor<f32>, %p: tensor<i1>) -> tensor<i32> {
  // expected-error @+1 {{op expected results of types (tensor<f32>), but got (tensor<i32>)}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @while_too_few_types(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  // expected-error @+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = stablehlo.while(%a = %x, %b = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @optimization_barrier_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected results of types (tensor<2xf32>), but got (tensor<3xf32>)}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @composite_c1_name(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected a name with a namespace, such as 'mylib.op', but got 'op'}}
  %0 = stablehlo.composite "op" %x {decomposition = @composite_c1_name} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @composite_c1_empty_word(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected a name with a namespace, such as 'mylib.op', but got 'mylib..op'}}
  %0 = stablehlo.composite "mylib..op" %x {decomposition = @composite_c1_empty_word} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @composite_c1_character(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected a name with a namespace, such as 'mylib.op', but got 'mylib.%'}}
  %0 = stablehlo.composite "mylib.%" %x {decomposition = @composite_c1_character} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @composite_c2_decomposition(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{op expected decomposition to name a function, but got 'nowhere'}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @nowhere} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func private @impl(%x: tensor<f32>) -> tensor<f32>
func.func @composite_c3_operands(%x: tensor<2xf32>) -> tensor<f32> {
  // expected-error @+1 {{op expected operands of types (tensor<f32>), as the decomposition takes, but got (tensor<2xf32>)}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func private @impl(%x: tensor<f32>) -> tensor<f32>
func.func @composite_c4_results(%x: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected results of types (tensor<f32>), as the decomposition returns, but got (tensor<2xf32>)}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @tuple_c1(%x: tensor<f32>) -> tuple<tensor<2xf32>> {
  // expected-error @+1 {{op expected a tuple of (tensor<f32>), but got 'tuple<tensor<2xf32>>'}}
  %0 = "stablehlo.tuple"(%x) : (tensor<f32>) -> tuple<tensor<2xf32>>
  return %0 : tuple<tensor<2xf32>>
}

// -----

func.func @tuple_type(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected a tuple type, but got 'tensor<f32>'}}
  %0 = stablehlo.tuple %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @get_tuple_element_c1(%t: tuple<tensor<f32>>) -> tensor<f32> {
  // expected-error @+1 {{op expected index in the range [0, 1), but got 1}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @get_tuple_element_c2(%t: tuple<tensor<f32>>) -> tensor<i32> {
  // expected-error @+1 {{op expected result of type 'tensor<f32>', but got 'tensor<i32>'}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>>) -> tensor<i32>
  return %0 : tensor<i32>
}
