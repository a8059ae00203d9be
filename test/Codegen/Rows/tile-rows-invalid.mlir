// RUN: forge-opt --forge-tile-rows --split-input-file --verify-diagnostics %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @reduction_loop(%x: tensor<4x33xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected tile size 0 for a reduction loop, but got 8}}
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [2, 8]>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @count(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{expected 2 tile sizes, one per loop, but got 1}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [2]>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @form(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{expected a schedule as forge.schedule, as in #forge.schedule<strategy = rows>, but got "rows"}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>) attrs = {forge.schedule = "rows"} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @key(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{strategy 'rows' has no field 'stages', expected tile}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [2, 0], stages = 4>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @type(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>)
      // expected-error @below {{expected a list of integers for field 'tile' of a schedule, but got 2}}
      attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = 2>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @strategy(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{expected strategy rows, packed, stream or dot, but got 'magic'}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = magic, tile = [2, 0]>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @contraction(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{strategy 'packed' has no field 'tile', expected m, n, block_m, block_n, block_k, pack, stage_b, swap, parallel}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = packed, tile = [2, 0]>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

// -----

// forge-schedule-rows chooses it.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @incomplete(%x: tensor<4x33xf32>, %r: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // expected-error @below {{expected field 'tile' of strategy 'rows', one size per loop}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x33xf32>) outs(%r : tensor<4x33xf32>) attrs = {forge.schedule = #forge.schedule<strategy = rows>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}
