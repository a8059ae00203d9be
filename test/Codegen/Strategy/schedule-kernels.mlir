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
// What stands in the file stays.
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

// expected-error @below {{expected forge.schedule to hold strings 'strategy' and 'tier'}}
func.func private @malformed(%x: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel, forge.schedule = {strategy = "generic"}} {
  return %x : tensor<8xf32>
}
