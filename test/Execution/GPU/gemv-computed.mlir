// Products of a few rows with matrices that threads compute from words of 4 bits and from blocks of bytes, by strategy gemv, on
// simulated chips: no matrix of numbers in memory.
// RUN: forge explain %s --function nibbles --target sim:sm_90a | FileCheck %s --check-prefix=NIBBLES
// NIBBLES: {{^}}contraction, 1 launch: gemv; n
// The words, 2 * 256 of 4 bytes, scales, x; the result.
// NIBBLES: reads 10304 bytes, writes 16 bytes
// NIBBLES: {{^}}1 kernel;
// RUN: forge verify %s --function nibbles --target sim:sm_90a | FileCheck %s
// RUN: forge verify %s --function nibbles --target sim:gfx942 | FileCheck %s
// RUN: forge verify %s --function nibbles --target sim:sm_90a --tier correctness | FileCheck %s
// CHECK: agree

// Two products of one row and what is computed of their sums: one launch.
// RUN: forge explain %s --function gated --target sim:sm_90a | FileCheck %s --check-prefix=GATED
// GATED: {{^}}contraction, 1 launch: gemv; n
// GATED: {{^}}1 kernel;
// RUN: forge verify %s --function gated --target sim:sm_90a | FileCheck %s
// RUN: forge verify %s --function gated --target sim:gfx942 | FileCheck %s

// Blocks of 18 bytes for 32 elements: a number of f16 and halves of bytes; two bytes at most are aligned. Words from the upper half, and
// numbers with a sign.
// RUN: forge explain %s --function blocks --target sim:sm_90a | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: {{^}}contraction, 1 launch: gemv; n
// BLOCKS: {{^}}1 kernel;
// RUN: forge verify %s --function blocks --target sim:sm_90a | FileCheck %s
// RUN: forge verify %s --function blocks --target sim:gfx942 | FileCheck %s
// RUN: forge verify %s --function bytes --target sim:sm_90a | FileCheck %s
// RUN: forge verify %s --function bytes --target sim:gfx942 | FileCheck %s

// Elements that are computed in f64; and a matrix in the other order, which is of other strategies.
// RUN: forge explain %s --function doubles --target sim:sm_90a | FileCheck %s --check-prefix=DOUBLES
// DOUBLES: {{^}}1 kernel;
// RUN: forge verify %s --function doubles --target sim:sm_90a | FileCheck %s
// RUN: forge explain %s --function reversed --target sim:sm_90a | FileCheck %s --check-prefix=REVERSED --implicit-check-not='launch: gemv'
// REVERSED: {{[0-9]+}} kernel
// RUN: forge verify %s --function reversed --target sim:sm_90a | FileCheck %s

#row = affine_map<(m, n, k) -> (m, k)>
#column = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#element = affine_map<(n, k) -> (n, k)>

func.func @nibbles(%x: tensor<2x2048xbf16>, %p: tensor<2x256xi32>, %s: tensor<2x16xbf16>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<2x2048xbf16>
  %w = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<2x2048xbf16>) {
  ^bb0(%u: bf16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %p[%n, %at] : tensor<2x256xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %c128 : index
    %stored = tensor.extract %s[%n, %group] : tensor<2x16xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<2x2048xbf16>
  %ro = tensor.empty() : tensor<2x2xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x2048xbf16>, tensor<2x2048xbf16>) outs(%rz : tensor<2x2xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %product = arith.mulf %a1, %b1 : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @gated(%x: tensor<1x576xf16>, %p: tensor<8x72xi32>, %s: tensor<8x5xbf16>, %q: tensor<8x72xi32>, %t: tensor<8x5xbf16>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<8x576xf16>
  %w = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<8x576xf16>) {
  ^bb0(%u: f16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %p[%n, %at] : tensor<8x72xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %c128 : index
    %stored = tensor.extract %s[%n, %group] : tensor<8x5xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x576xf16>
  %ve = tensor.empty() : tensor<8x576xf16>
  %v = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%ve : tensor<8x576xf16>) {
  ^bb0(%u: f16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %q[%n, %at] : tensor<8x72xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %c128 : index
    %stored = tensor.extract %t[%n, %group] : tensor<8x5xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x576xf16>
  %ro = tensor.empty() : tensor<1x8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<1x8xf32>) -> tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x576xf16>, tensor<8x576xf16>) outs(%rz : tensor<1x8xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %product = arith.mulf %a1, %b1 : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x8xf32>
  %lo = tensor.empty() : tensor<1x8xf32>
  %lz = linalg.fill ins(%zero : f32) outs(%lo : tensor<1x8xf32>) -> tensor<1x8xf32>
  %l = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %v : tensor<1x576xf16>, tensor<8x576xf16>) outs(%lz : tensor<1x8xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %product = arith.mulf %a1, %b1 : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x8xf32>
  %o = tensor.empty() : tensor<1x8xf32>
  %y = linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%r, %l : tensor<1x8xf32>, tensor<1x8xf32>) outs(%o : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %e = arith.addf %d, %a : f32
    linalg.yield %e : f32
  } -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}

func.func @blocks(%x: tensor<2x1024xf32>, %p: tensor<4x576xi8>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<4x1024xf32>
  %w = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<4x1024xf32>) {
  ^bb0(%u: f32):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c32 = arith.constant 32 : index
    %c18 = arith.constant 18 : index
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %i15 = arith.constant 15 : i32
    %i8 = arith.constant 8 : i32
    %block = arith.divui %k, %c32 : index
    %begin = arith.muli %block, %c18 : index
    %inside = arith.remui %k, %c32 : index
    %half = arith.divui %inside, %c16 : index
    %place = arith.remui %inside, %c16 : index
    %byte = arith.addi %place, %c2 : index
    %at = arith.addi %begin, %byte : index
    %stored = tensor.extract %p[%n, %at] : tensor<4x576xi8>
    %wide = arith.extui %stored : i8 to i32
    %bits = arith.muli %half, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %wide, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %low = tensor.extract %p[%n, %begin] : tensor<4x576xi8>
    %scale = arith.sitofp %low : i8 to f32
    %value = arith.mulf %number, %scale : f32
    linalg.yield %value : f32
  } -> tensor<4x1024xf32>
  %ro = tensor.empty() : tensor<2x4xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x1024xf32>, tensor<4x1024xf32>) outs(%rz : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @bytes(%x: tensor<8x640xbf16>, %p: tensor<2x640xi8>, %s: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<2x640xbf16>
  %w = linalg.generic {indexing_maps = [#element, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n)>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s, %z : tensor<2x640xi8>, tensor<2xf32>, tensor<2xf32>) outs(%we : tensor<2x640xbf16>) {
  ^bb0(%i: i8, %f: f32, %o: f32, %u: bf16):
    %wide = arith.extsi %i : i8 to i32
    %number = arith.sitofp %wide : i32 to f32
    %scaled = arith.mulf %number, %f : f32
    %value = arith.subf %scaled, %o : f32
    %rounded = arith.truncf %value : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<2x640xbf16>
  %ro = tensor.empty() : tensor<8x2xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<8x2xf32>) -> tensor<8x2xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x640xbf16>, tensor<2x640xbf16>) outs(%rz : tensor<8x2xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %product = arith.mulf %a1, %b1 : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

func.func @doubles(%x: tensor<1x512xf32>, %p: tensor<4x512xi8>, %s: tensor<4xf64>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<4x512xf32>
  %w = linalg.generic {indexing_maps = [#element, affine_map<(n, k) -> (n)>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<4x512xi8>, tensor<4xf64>) outs(%we : tensor<4x512xf32>) {
  ^bb0(%i: i8, %f: f64, %u: f32):
    %number = arith.sitofp %i : i8 to f64
    %scaled = arith.mulf %number, %f : f64
    %rounded = arith.truncf %scaled : f64 to f32
    linalg.yield %rounded : f32
  } -> tensor<4x512xf32>
  %ro = tensor.empty() : tensor<1x4xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<1x4xf32>) -> tensor<1x4xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x512xf32>, tensor<4x512xf32>) outs(%rz : tensor<1x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

func.func @reversed(%x: tensor<1x512xf32>, %p: tensor<4x64xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<4x512xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, (-k + 511) floordiv 8)>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4x64xf32>) outs(%we : tensor<4x512xf32>) {
  ^bb0(%i: f32, %u: f32):
    %twice = arith.addf %i, %i : f32
    linalg.yield %twice : f32
  } -> tensor<4x512xf32>
  %ro = tensor.empty() : tensor<1x4xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%ro : tensor<1x4xf32>) -> tensor<1x4xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x512xf32>, tensor<4x512xf32>) outs(%rz : tensor<1x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
