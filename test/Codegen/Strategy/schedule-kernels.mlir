// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=gfx942" --verify-diagnostics | FileCheck %s

// CHECK: func.func private @large({{.*}}forge.schedule = {strategy = "generic", threads = 256 : i64, tier = "correctness", tile = array<i64: 1>}
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
// What is in the file stays.
// CHECK: func.func private @written({{.*}}threads = 128
func.func private @written(%x: tensor<1000xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 128 : i64, tier = "correctness", tile = array<i64: 1>}} {
  %0 = linalg.add ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// expected-error @below {{expected 1 to 1024 threads, but got 2048}}
func.func private @threads(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 2048 : i64, tier = "correctness", tile = array<i64: 1>}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected one of the strategies 'library' 'attention' 'gemv' 'wgmma' 'rows' 'generic', but got 'magic'}}
func.func private @strategy(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "magic", threads = 32 : i64, tier = "correctness", tile = array<i64: 1>}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected tier correctness, optimized or production, but got 'best'}}
func.func private @tier(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 32 : i64, tier = "best", tile = array<i64: 1>}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected a string as 'tier' of forge.schedule, but got none}}
func.func private @malformed(%x: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel, forge.schedule = {strategy = "generic"}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{unknown key 'thread' in forge.schedule, expected strategy, tier, tile, threads}}
func.func private @key(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 1 : i64, thread = 64 : i64, tier = "correctness", tile = array<i64: 1>}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected an i64 as 'threads' of forge.schedule, but got 64 : ui32}}
func.func private @width(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 64 : ui32, tier = "correctness", tile = array<i64: 1>}} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected a dictionary as forge.schedule, but got "generic"}}
func.func private @text(%x: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel, forge.schedule = "generic"} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected 1 in the tile of strategy generic, perhaps with a number of threads that share an element, but got [4]}}
func.func private @elements(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "generic", threads = 64 : i64, tier = "correctness", tile = array<i64: 4>}} {
  return %x : tensor<8xf32>
}

// -----

// The other schedule of a product for the library is checked too.
// expected-error @below {{expected a strategy with device code in forge.fallback_schedule, but got 'library'}}
func.func private @fallback(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {forge.kernel, forge.fallback_schedule = {strategy = "library", threads = 1 : i64, tier = "production", tile = array<i64: 0>},
                forge.schedule = {strategy = "library", threads = 1 : i64, tier = "production", tile = array<i64: 0>}} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
