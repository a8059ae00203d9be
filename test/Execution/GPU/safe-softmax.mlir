// Attention as PyTorch writes it out (`_safe_softmax`): rows whose keys are all masked by -inf have weights of 0. One kernel, of bf16 and f32, of many rows and few.
// RUN: forge compile %s --function narrow --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=FLASH
// RUN: forge verify %s --function narrow --target sim:sm_90a
// RUN: forge verify %s --function narrow --target sim:gfx942
// RUN: forge compile %s --function wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=FLASH
// RUN: forge verify %s --function wide --target sim:sm_90a
// RUN: forge compile %s --function step --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=STEP
// RUN: forge verify %s --function step --target sim:sm_90a
// RUN: forge verify %s --function step --target sim:gfx942
// Of each function a row without keys.
// RUN: forge run %s --function rows --target sim:sm_90a | FileCheck %s --check-prefix=ROWS

// FLASH-COUNT-1: strategy = flash
// FLASH-NOT: forge.schedule = #forge.schedule<strategy
// STEP-COUNT-1: strategy = attention
// STEP-NOT: forge.schedule = #forge.schedule<strategy

func.func @narrow(%q: tensor<2x2x64x64xbf16>, %k: tensor<2x2x64x64xbf16>, %v: tensor<2x2x64x64xbf16>, %seen: tensor<2x64x64xi1>) -> tensor<2x2x64x64xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x2x64x64xf32>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [0, 2, 3] : (tensor<2x64x64xi1>) -> tensor<2x2x64x64xi1>
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xf32>
  %logits = stablehlo.select %mask, %scores, %lows : tensor<2x2x64x64xi1>, tensor<2x2x64x64xf32>
  %largest = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x64x64xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %base = stablehlo.broadcast_in_dim %largest, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x64xf32>
  %below = stablehlo.subtract %logits, %base : tensor<2x2x64x64xf32>
  %exp = stablehlo.exponential %below : tensor<2x2x64x64xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x64x64xf32>, tensor<f32>) -> tensor<2x2x64xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x64xf32>) -> tensor<2x2x64x64xf32>
  %softmax = stablehlo.divide %exp, %sums : tensor<2x2x64x64xf32>
  %masked = stablehlo.compare EQ, %logits, %lows, FLOAT : (tensor<2x2x64x64xf32>, tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xi1>
  %open = stablehlo.not %masked : tensor<2x2x64x64xi1>
  %any = stablehlo.reduce(%open init: %false) applies stablehlo.or across dimensions = [3] : (tensor<2x2x64x64xi1>, tensor<i1>) -> tensor<2x2x64xi1>
  %none = stablehlo.not %any : tensor<2x2x64xi1>
  %nones = stablehlo.broadcast_in_dim %none, dims = [0, 1, 2] : (tensor<2x2x64xi1>) -> tensor<2x2x64x64xi1>
  %weights = stablehlo.select %nones, %zeros, %softmax : tensor<2x2x64x64xi1>, tensor<2x2x64x64xf32>
  %narrow = stablehlo.convert %weights : (tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xbf16>
  %result = stablehlo.dot_general %narrow, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xf32>
  return %result : tensor<2x2x64x64xf32>
}

func.func @wide(%q: tensor<2x2x40x32xf32>, %k: tensor<2x2x40x32xf32>, %v: tensor<2x2x40x32xf32>, %seen: tensor<2x40x40xi1>) -> tensor<2x2x40x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x2x40x40xf32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x2x40x40xf32>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [0, 2, 3] : (tensor<2x40x40xi1>) -> tensor<2x2x40x40xi1>
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x40x32xf32>, tensor<2x2x40x32xf32>) -> tensor<2x2x40x40xf32>
  %logits = stablehlo.select %mask, %scores, %lows : tensor<2x2x40x40xi1>, tensor<2x2x40x40xf32>
  %largest = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x40x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %base = stablehlo.broadcast_in_dim %largest, dims = [0, 1, 2] : (tensor<2x2x40xf32>) -> tensor<2x2x40x40xf32>
  %below = stablehlo.subtract %logits, %base : tensor<2x2x40x40xf32>
  %exp = stablehlo.exponential %below : tensor<2x2x40x40xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x40x40xf32>, tensor<f32>) -> tensor<2x2x40xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x40xf32>) -> tensor<2x2x40x40xf32>
  %softmax = stablehlo.divide %exp, %sums : tensor<2x2x40x40xf32>
  %masked = stablehlo.compare EQ, %logits, %lows, FLOAT : (tensor<2x2x40x40xf32>, tensor<2x2x40x40xf32>) -> tensor<2x2x40x40xi1>
  %open = stablehlo.not %masked : tensor<2x2x40x40xi1>
  %any = stablehlo.reduce(%open init: %false) applies stablehlo.or across dimensions = [3] : (tensor<2x2x40x40xi1>, tensor<i1>) -> tensor<2x2x40xi1>
  %none = stablehlo.not %any : tensor<2x2x40xi1>
  %nones = stablehlo.broadcast_in_dim %none, dims = [0, 1, 2] : (tensor<2x2x40xi1>) -> tensor<2x2x40x40xi1>
  %weights = stablehlo.select %nones, %zeros, %softmax : tensor<2x2x40x40xi1>, tensor<2x2x40x40xf32>
  %result = stablehlo.dot_general %weights, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x40x40xf32>, tensor<2x2x40x32xf32>) -> tensor<2x2x40x32xf32>
  return %result : tensor<2x2x40x32xf32>
}

func.func @step(%q: tensor<2x2x2x32xf32>, %k: tensor<2x2x64x32xf32>, %v: tensor<2x2x64x32xf32>, %seen: tensor<2x2x64xi1>) -> tensor<2x2x2x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x2x2x64xf32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x2x2x64xf32>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [0, 2, 3] : (tensor<2x2x64xi1>) -> tensor<2x2x2x64xi1>
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x2x32xf32>, tensor<2x2x64x32xf32>) -> tensor<2x2x2x64xf32>
  %logits = stablehlo.select %mask, %scores, %lows : tensor<2x2x2x64xi1>, tensor<2x2x2x64xf32>
  %largest = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x2x64xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %base = stablehlo.broadcast_in_dim %largest, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x64xf32>
  %below = stablehlo.subtract %logits, %base : tensor<2x2x2x64xf32>
  %exp = stablehlo.exponential %below : tensor<2x2x2x64xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x2x64xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x64xf32>
  %softmax = stablehlo.divide %exp, %sums : tensor<2x2x2x64xf32>
  %masked = stablehlo.compare EQ, %logits, %lows, FLOAT : (tensor<2x2x2x64xf32>, tensor<2x2x2x64xf32>) -> tensor<2x2x2x64xi1>
  %open = stablehlo.not %masked : tensor<2x2x2x64xi1>
  %any = stablehlo.reduce(%open init: %false) applies stablehlo.or across dimensions = [3] : (tensor<2x2x2x64xi1>, tensor<i1>) -> tensor<2x2x2xi1>
  %none = stablehlo.not %any : tensor<2x2x2xi1>
  %nones = stablehlo.broadcast_in_dim %none, dims = [0, 1, 2] : (tensor<2x2x2xi1>) -> tensor<2x2x2x64xi1>
  %weights = stablehlo.select %nones, %zeros, %softmax : tensor<2x2x2x64xi1>, tensor<2x2x2x64xf32>
  %result = stablehlo.dot_general %weights, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x2x64xf32>, tensor<2x2x64x32xf32>) -> tensor<2x2x2x32xf32>
  return %result : tensor<2x2x2x32xf32>
}

// Ones of two keys, of which the second row sees none.
// ROWS: 1
// ROWS: 0
func.func @rows() -> (tensor<f32>, tensor<f32>) {
  %q = stablehlo.constant dense<1.0> : tensor<1x1x64x32xf32>
  %k = stablehlo.constant dense<1.0> : tensor<1x1x64x32xf32>
  %place = stablehlo.iota dim = 1 : tensor<1x64x64xi32>
  %one = stablehlo.constant dense<1> : tensor<1x64x64xi32>
  %seen = stablehlo.compare NE, %place, %one : (tensor<1x64x64xi32>, tensor<1x64x64xi32>) -> tensor<1x64x64xi1>
  %all = func.call @rows_of(%q, %k, %k, %seen) : (tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32>, tensor<1x64x64xi1>) -> tensor<1x1x64x32xf32>
  %a = stablehlo.slice %all [0:1, 0:1, 0:1, 0:1] : (tensor<1x1x64x32xf32>) -> tensor<1x1x1x1xf32>
  %b = stablehlo.slice %all [0:1, 0:1, 1:2, 0:1] : (tensor<1x1x64x32xf32>) -> tensor<1x1x1x1xf32>
  %x = stablehlo.reshape %a : (tensor<1x1x1x1xf32>) -> tensor<f32>
  %y = stablehlo.reshape %b : (tensor<1x1x1x1xf32>) -> tensor<f32>
  return %x, %y : tensor<f32>, tensor<f32>
}

func.func private @rows_of(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>, %seen: tensor<1x64x64xi1>) -> tensor<1x1x64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [0, 2, 3] : (tensor<1x64x64xi1>) -> tensor<1x1x64x64xi1>
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32>) -> tensor<1x1x64x64xf32>
  %logits = stablehlo.select %mask, %scores, %lows : tensor<1x1x64x64xi1>, tensor<1x1x64x64xf32>
  %largest = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x64x64xf32>, tensor<f32>) -> tensor<1x1x64xf32>
  %base = stablehlo.broadcast_in_dim %largest, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x1x64x64xf32>
  %below = stablehlo.subtract %logits, %base : tensor<1x1x64x64xf32>
  %exp = stablehlo.exponential %below : tensor<1x1x64x64xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x1x64x64xf32>, tensor<f32>) -> tensor<1x1x64xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x1x64x64xf32>
  %softmax = stablehlo.divide %exp, %sums : tensor<1x1x64x64xf32>
  %masked = stablehlo.compare EQ, %logits, %lows, FLOAT : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x1x64x64xi1>
  %open = stablehlo.not %masked : tensor<1x1x64x64xi1>
  %any = stablehlo.reduce(%open init: %false) applies stablehlo.or across dimensions = [3] : (tensor<1x1x64x64xi1>, tensor<i1>) -> tensor<1x1x64xi1>
  %none = stablehlo.not %any : tensor<1x1x64xi1>
  %nones = stablehlo.broadcast_in_dim %none, dims = [0, 1, 2] : (tensor<1x1x64xi1>) -> tensor<1x1x64x64xi1>
  %weights = stablehlo.select %nones, %zeros, %softmax : tensor<1x1x64x64xi1>, tensor<1x1x64x64xf32>
  %result = stablehlo.dot_general %weights, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32>
  return %result : tensor<1x1x64x32xf32>
}
