// Schedules of strategy wgmma that say what it cannot do.
// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=sm_90a" --verify-diagnostics

// expected-error @below {{strategy 'wgmma' has no field 'loads', expected m, n, k, stages, library}}
func.func private @loads(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, loads = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected tiles of 128 rows and stages of 64 terms, but got 64 and 64}}
func.func private @rows(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 64, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected tiles of 64, 128, 192 or 256 columns, but got 96}}
func.func private @columns(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 96, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected 2 stages or more in 232448 bytes of shared memory, but got 5 in 246864}}
func.func private @stages(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256, k = 64, stages = 5>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{strategy 'wgmma' has no field 'threads', expected m, n, k, stages, library}}
func.func private @threads(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4, threads = 256>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected factors whose rows are multiples of 16 bytes apart for strategy 'wgmma'}}
func.func private @odd(%x: tensor<128x60xbf16>, %w: tensor<60x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x60xbf16>, tensor<60x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected a product of two matrices, or two with one left factor, perhaps with an elementwise operation behind, and nothing else for strategy 'wgmma'}}
func.func private @copy(%x: tensor<128x128xf32>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %0 = linalg.copy ins(%x : tensor<128x128xf32>) outs(%o : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// Each part has whole patterns of 64 columns.
// expected-error @below {{expected tiles of a multiple of 128 columns for a pair of products, but got 192}}
func.func private @pair(%x: tensor<128x64xbf16>, %g: tensor<64x128xbf16>, %u: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 192, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %start0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %start1 = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %g : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul ins(%x, %u : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%o : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %4 = arith.mulf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<128x128xf32>
  return %3 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected results of 8, 16, 32 or 64 bits for strategy 'wgmma'}}
func.func private @bits(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xi1>) -> tensor<128x128xi1>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<128x128xf32>) outs(%o : tensor<128x128xi1>) {
  ^bb0(%a: f32, %c: i1):
    %2 = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %2 : i1
  } -> tensor<128x128xi1>
  return %1 : tensor<128x128xi1>
}

// -----

// Sums that what follows reads elsewhere are another thread's.
// expected-error @below {{expected a product of two matrices, or two with one left factor, perhaps with an elementwise operation behind, and nothing else for strategy 'wgmma'}}
func.func private @across(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<128x128xf32>) outs(%o : tensor<128x128xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// -----

// A pair has one left factor.
// expected-error @below {{expected a product of two matrices, or two with one left factor, perhaps with an elementwise operation behind, and nothing else for strategy 'wgmma'}}
func.func private @two_lefts(%x: tensor<128x64xbf16>, %y: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %o: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %start0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %start1 = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.matmul ins(%y, %w : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%start1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%o : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<128x128xf32>
  return %2 : tensor<128x128xf32>
}

// -----

// expected-error @below {{expected tiles of 128 rows and stages of 128 terms, but got 128 and 64}}
func.func private @stages_of_bytes(%x: tensor<128x256xf8E4M3FN>, %w: tensor<192x256xf8E4M3FN>, %o: tensor<128x192xf32>) -> tensor<128x192xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x192xf32>) -> tensor<128x192xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x256xf8E4M3FN>, tensor<192x256xf8E4M3FN>) outs(%start : tensor<128x192xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %s: f32):
    %1 = arith.extf %a : f8E4M3FN to f32
    %2 = arith.extf %b : f8E4M3FN to f32
    %3 = arith.mulf %1, %2 {forge.unit_sums} : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<128x192xf32>
  return %0 : tensor<128x192xf32>
}

// -----

// expected-error @below {{expected tiles of 64, 128 or 256 columns for sums of stages, but got 192}}
func.func private @groups_of_columns(%x: tensor<128x256xf8E4M3FN>, %w: tensor<192x256xf8E4M3FN>, %o: tensor<128x192xf32>) -> tensor<128x192xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 192, k = 128, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x192xf32>) -> tensor<128x192xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x256xf8E4M3FN>, tensor<192x256xf8E4M3FN>) outs(%start : tensor<128x192xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %s: f32):
    %1 = arith.extf %a : f8E4M3FN to f32
    %2 = arith.extf %b : f8E4M3FN to f32
    %3 = arith.mulf %1, %2 {forge.unit_sums} : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<128x192xf32>
  return %0 : tensor<128x192xf32>
}

// -----

// expected-error @below {{expected a product of two matrices, or two with one left factor, perhaps with an elementwise operation behind, and nothing else for strategy 'wgmma'}}
func.func private @without_unit_sums(%x: tensor<128x256xf8E4M3FN>, %w: tensor<192x256xf8E4M3FN>, %o: tensor<128x192xf32>) -> tensor<128x192xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 128, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<128x192xf32>) -> tensor<128x192xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x256xf8E4M3FN>, tensor<192x256xf8E4M3FN>) outs(%start : tensor<128x192xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %s: f32):
    %1 = arith.extf %a : f8E4M3FN to f32
    %2 = arith.extf %b : f8E4M3FN to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<128x192xf32>
  return %0 : tensor<128x192xf32>
}
