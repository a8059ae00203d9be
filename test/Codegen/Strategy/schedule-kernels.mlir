// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=gfx942" --verify-diagnostics | FileCheck %s

// CHECK: func.func private @large({{.*}}forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1,
func.func private @large(%x: tensor<1000xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32> attributes {forge.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
// Whole wavefronts, and no more than there are elements for.
// CHECK: func.func private @small({{.*}}threads = 64
func.func private @small(%x: tensor<10xf32>, %o: tensor<10xf32>) -> tensor<10xf32> attributes {forge.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<10xf32>, tensor<10xf32>) outs(%o : tensor<10xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
// What is in the file stays, and the rest is chosen; the strategy too.
// CHECK: func.func private @part({{.*}}#forge.schedule<strategy = generic, threads = 64, reduce_threads = 1, library = never>
func.func private @part(%x: tensor<1000xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64>} {
  %0 = linalg.add ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
// CHECK: func.func private @any({{.*}}#forge.schedule<strategy = rows, vector = 2, loads = 1, rows = 1, blocks = 2, threads = 256, library = prefer>
func.func private @any(%x: tensor<4x1000xf32>, %o: tensor<4x1000xf32>) -> tensor<4x1000xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<library = prefer, vector = 2>} {
  %0 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x1000xf32>) outs(%o : tensor<4x1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x1000xf32>
  return %0 : tensor<4x1000xf32>
}
// What is in the file stays.
// CHECK: func.func private @written({{.*}}threads = 128
func.func private @written(%x: tensor<1000xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 128, reduce_threads = 1>} {
  %0 = linalg.add ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// expected-error @below {{expected 1 to 1024 threads, but got 2048}}
func.func private @threads(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 2048, reduce_threads = 1>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected one of the strategies 'library' 'attention' 'flash' 'flash_backward' 'gemv' 'wgmma' 'tiles' 'rows' 'generic', but got 'magic'}}
func.func private @strategy(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = magic, threads = 32>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @word(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{expected one of prefer, cost, never for field 'library' of a schedule, but got best}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, library = best>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @unknown(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{unknown field 'thread' of a schedule, expected one of strategy, m, n, k, block_m,}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, thread = 64>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{field 'threads' of a schedule is given twice}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<threads = 64, threads = 32>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @kind(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{expected an integer for field 'threads' of a schedule, but got [64]}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = [64]>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @range(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{expected 1 to 1048576 for field 'threads' of a schedule, but got 0}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 0>} {
  return %x : tensor<8xf32>
}

// -----

func.func private @value(%x: tensor<8xf32>) -> tensor<8xf32>
    // expected-error @below {{expected an integer, a word or a list of integers as a field's value}}
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = "generic">} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected a schedule as forge.schedule, as in #forge.schedule<strategy = rows>, but got "generic"}}
func.func private @text(%x: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel, forge.schedule = "generic"} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{strategy 'generic' has no field 'stages', expected threads, reduce_threads, library}}
func.func private @field(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, stages = 4>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{strategy 'wgmma' cannot take this kernel: it is not a product of two matrices}}
func.func private @other(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = wgmma>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{no strategy takes this kernel with this schedule; library: it has no field 'stages'; attention: it has no field 'stages'; flash: it has no field 'stages'; flash_backward: it has no field 'stages'; gemv: it has no field 'stages'; wgmma: it is not a product}}
func.func private @nothing(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<stages = 4>} {
  return %x : tensor<8xf32>
}

// -----

// The other schedule of a product for the library is checked too.
// expected-error @below {{expected a strategy with device code in forge.fallback_schedule, but got 'library'}}
func.func private @fallback(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {forge.kernel, forge.fallback_schedule = #forge.schedule<strategy = library, min_macs = 0>,
                forge.schedule = #forge.schedule<strategy = library, min_macs = 0>} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
