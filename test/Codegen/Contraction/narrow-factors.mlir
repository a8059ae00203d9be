// Factors of few bits are computed where they are multiplied: integers, blocks of 32 with a scale as GGUF's Q8_0, words of
// eight integers with scales of groups; one row, a few, many. Left alone: one that two products read, rows of which no
// vector is a part, and what is not narrower.
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-fuse-narrow-factors{target=avx2}))' -o %t.mlir
// RUN: FileCheck %s <%t.mlir
// RUN: forge compile %t.mlir --from loops --target cpu --to bufferize -o - | forge-opt --forge-lower-contractions=target=avx2 | FileCheck %s --check-prefix=KERNELS
// RUN: forge verify %s --target cpu --each-stage
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-fuse-narrow-factors{target=avx512-bf16}))' | FileCheck %s --check-prefix=BF16
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-fuse-narrow-factors{target=avx512}))' | FileCheck %s --check-prefix=WIDE
// RUN: not forge-opt %s --pass-pipeline='builtin.module(func.func(forge-fuse-narrow-factors{target=vax}))' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'vax'

// CHECK-LABEL: func.func @main
// CHECK-DAG: ins(%{{.*}}, %{{.*}} : tensor<1x96xbf16>, tensor<40x96xi8>) outs({{.*}}) attrs ={{ *}}{forge.made_factor}
// CHECK-DAG: ins(%{{.*}}, %{{.*}} : tensor<21x96xbf16>, tensor<40x96xi8>) outs({{.*}}) attrs ={{ *}}{forge.made_factor}
// CHECK-DAG: ins(%{{.*}} : tensor<3x96xf32>) outs(%{{.*}} : tensor<3x40xf32>) attrs ={{ *}}{forge.made_factor}
// CHECK-DAG: ins(%{{.*}} : tensor<19x96xf32>) outs(%{{.*}} : tensor<19x40xf32>) attrs ={{ *}}{forge.made_factor}
// CHECK-DAG: ins(%{{.*}} : tensor<2x96xf32>) outs(%{{.*}} : tensor<2x40xf32>) attrs ={{ *}}{forge.made_factor}
// CHECK-DAG: ins(%{{.*}}, %{{.*}} : tensor<2x96xbf16>, tensor<40x96xbf16>)
// CHECK-DAG: ins(%{{.*}}, %{{.*}} : tensor<2x60xbf16>, tensor<40x60xbf16>)

// KERNELS-DAG: func.func private @contraction_i8_1x40x96{{.*}}strategy = dot, m = 1, n = 1
// KERNELS-DAG: func.func private @contraction_i8_21x40x96{{.*}}strategy = packed{{.*}}stage_b = true
// KERNELS-DAG: func.func private @contraction_i8_3x40x96{{.*}}strategy = dot, m = 3, n = 1
// KERNELS-DAG: func.func private @contraction_i8_19x40x96{{.*}}strategy = packed
// KERNELS-DAG: func.func private @contraction_i32_19x40x96{{.*}}strategy = packed
// KERNELS-DAG: func.func private @contraction_i32_2x40x96{{.*}}strategy = dot, m = 2, n = 1

// Words of eight elements have none for 16 lanes in common.
// WIDE-DAG: ins(%{{.*}}, %{{.*}} : tensor<19x96xf32>, tensor<40x96xf32>)
// WIDE-DAG: ins(%{{.*}} : tensor<2x96xf32>) outs(%{{.*}} : tensor<2x40xf32>) attrs ={{ *}}{forge.made_factor}

// The processor multiplies bf16: many rows go through it, few are bound by memory.
// BF16-DAG: ins(%{{.*}}, %{{.*}} : tensor<1x96xbf16>, tensor<40x96xi8>) outs({{.*}}) attrs ={{ *}}{forge.made_factor}
// BF16-DAG: ins(%{{.*}}, %{{.*}} : tensor<21x96xbf16>, tensor<40x96xbf16>)
#k = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>
func.func @main(%a1: tensor<1x96xbf16>, %a21: tensor<21x96xbf16>, %a2: tensor<2x96xbf16>, %f3: tensor<3x96xf32>, %f19: tensor<19x96xf32>, %f2: tensor<2x96xf32>,
                %a60: tensor<2x60xbf16>, %i0: tensor<40x96xi8>, %i1: tensor<40x96xi8>, %i2: tensor<40x96xi8>, %odd: tensor<40x60xi8>, %blocks0: tensor<40x102xi8>, %blocks1: tensor<40x102xi8>, %words: tensor<40x12xi32>, %words1: tensor<40x12xi32>, %scales: tensor<40x3xbf16>)
    -> (tensor<1x40xf32>, tensor<21x40xf32>, tensor<3x40xf32>, tensor<19x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<19x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c34 = arith.constant 34 : index
  %four = arith.constant 4 : i32
  %eight = arith.constant 8 : i32
  %fifteen = arith.constant 15 : i32
  %ew = tensor.empty() : tensor<40x96xbf16>
  %ef = tensor.empty() : tensor<40x96xf32>
  %eo = tensor.empty() : tensor<40x60xbf16>
  %e1 = tensor.empty() : tensor<1x40xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x40xf32>) -> tensor<1x40xf32>
  %e2 = tensor.empty() : tensor<2x40xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x40xf32>) -> tensor<2x40xf32>
  %e3 = tensor.empty() : tensor<3x40xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x40xf32>) -> tensor<3x40xf32>
  %e19 = tensor.empty() : tensor<19x40xf32>
  %z19 = linalg.fill ins(%zero : f32) outs(%e19 : tensor<19x40xf32>) -> tensor<19x40xf32>
  %e21 = tensor.empty() : tensor<21x40xf32>
  %z21 = linalg.fill ins(%zero : f32) outs(%e21 : tensor<21x40xf32>) -> tensor<21x40xf32>
  %w0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i0 : tensor<40x96xi8>) outs(%ew : tensor<40x96xbf16>) {
  ^bb0(%x: i8, %out: bf16):
    %n = arith.sitofp %x : i8 to bf16
    linalg.yield %n : bf16
  } -> tensor<40x96xbf16>
  %w1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i1 : tensor<40x96xi8>) outs(%ew : tensor<40x96xbf16>) {
  ^bb0(%x: i8, %out: bf16):
    %n = arith.sitofp %x : i8 to bf16
    linalg.yield %n : bf16
  } -> tensor<40x96xbf16>
  %w2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i2 : tensor<40x96xi8>) outs(%ew : tensor<40x96xbf16>) {
  ^bb0(%x: i8, %out: bf16):
    %n = arith.sitofp %x : i8 to bf16
    linalg.yield %n : bf16
  } -> tensor<40x96xbf16>
  %o0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%odd : tensor<40x60xi8>) outs(%eo : tensor<40x60xbf16>) {
  ^bb0(%x: i8, %out: bf16):
    %n = arith.sitofp %x : i8 to bf16
    linalg.yield %n : bf16
  } -> tensor<40x60xbf16>
  %q0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ef : tensor<40x96xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %b = arith.divui %k, %c32 : index
    %at = arith.muli %b, %c34 : index
    %in = arith.remui %k, %c32 : index
    %low = tensor.extract %blocks0[%n, %at] : tensor<40x102xi8>
    %lowest = arith.extui %low : i8 to i32
    %plus = arith.addi %at, %c1 : index
    %high = tensor.extract %blocks0[%n, %plus] : tensor<40x102xi8>
    %higher = arith.extui %high : i8 to i32
    %mask = arith.andi %higher, %fifteen : i32
    %up = arith.shli %mask, %eight : i32
    %bits = arith.ori %lowest, %up : i32
    %half = arith.trunci %bits : i32 to i16
    %scale16 = arith.bitcast %half : i16 to f16
    %scale = arith.extf %scale16 : f16 to f32
    %place = arith.addi %in, %c2 : index
    %element = arith.addi %at, %place : index
    %byte = tensor.extract %blocks0[%n, %element] : tensor<40x102xi8>
    %integer = arith.extsi %byte : i8 to i32
    %number = arith.sitofp %integer : i32 to f32
    %value = arith.mulf %scale, %number : f32
    linalg.yield %value : f32
  } -> tensor<40x96xf32>
  %q1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ef : tensor<40x96xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %b = arith.divui %k, %c32 : index
    %at = arith.muli %b, %c34 : index
    %in = arith.remui %k, %c32 : index
    %low = tensor.extract %blocks1[%n, %at] : tensor<40x102xi8>
    %lowest = arith.extui %low : i8 to i32
    %plus = arith.addi %at, %c1 : index
    %high = tensor.extract %blocks1[%n, %plus] : tensor<40x102xi8>
    %higher = arith.extui %high : i8 to i32
    %mask = arith.andi %higher, %fifteen : i32
    %up = arith.shli %mask, %eight : i32
    %bits = arith.ori %lowest, %up : i32
    %half = arith.trunci %bits : i32 to i16
    %scale16 = arith.bitcast %half : i16 to f16
    %scale = arith.extf %scale16 : f16 to f32
    %place = arith.addi %in, %c2 : index
    %element = arith.addi %at, %place : index
    %byte = tensor.extract %blocks1[%n, %element] : tensor<40x102xi8>
    %integer = arith.extsi %byte : i8 to i32
    %number = arith.sitofp %integer : i32 to f32
    %value = arith.mulf %scale, %number : f32
    linalg.yield %value : f32
  } -> tensor<40x96xf32>
  %n0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ef : tensor<40x96xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %w = arith.divui %k, %c8 : index
    %word = tensor.extract %words[%n, %w] : tensor<40x12xi32>
    %r = arith.remui %k, %c8 : index
    %ri = arith.index_cast %r : index to i32
    %by = arith.muli %ri, %four : i32
    %down = arith.shrui %word, %by : i32
    %nibble = arith.andi %down, %fifteen : i32
    %signed = arith.subi %nibble, %eight : i32
    %number = arith.sitofp %signed : i32 to f32
    %g = arith.divui %k, %c32 : index
    %s16 = tensor.extract %scales[%n, %g] : tensor<40x3xbf16>
    %scale = arith.extf %s16 : bf16 to f32
    %value = arith.mulf %number, %scale : f32
    linalg.yield %value : f32
  } -> tensor<40x96xf32>
  %n1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ef : tensor<40x96xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %w = arith.divui %k, %c8 : index
    %word = tensor.extract %words1[%n, %w] : tensor<40x12xi32>
    %r = arith.remui %k, %c8 : index
    %ri = arith.index_cast %r : index to i32
    %by = arith.muli %ri, %four : i32
    %down = arith.shrui %word, %by : i32
    %nibble = arith.andi %down, %fifteen : i32
    %signed = arith.subi %nibble, %eight : i32
    %number = arith.sitofp %signed : i32 to f32
    %g = arith.divui %k, %c32 : index
    %s16 = tensor.extract %scales[%n, %g] : tensor<40x3xbf16>
    %scale = arith.extf %s16 : bf16 to f32
    %value = arith.mulf %number, %scale : f32
    linalg.yield %value : f32
  } -> tensor<40x96xf32>
  %r0 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %w0 : tensor<1x96xbf16>, tensor<40x96xbf16>) outs(%z1 : tensor<1x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x40xf32>
  %r1 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a21, %w1 : tensor<21x96xbf16>, tensor<40x96xbf16>) outs(%z21 : tensor<21x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<21x40xf32>
  %r2 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f3, %q0 : tensor<3x96xf32>, tensor<40x96xf32>) outs(%z3 : tensor<3x40xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x40xf32>
  %r3 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f19, %q1 : tensor<19x96xf32>, tensor<40x96xf32>) outs(%z19 : tensor<19x40xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<19x40xf32>
  %r8 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f19, %n1 : tensor<19x96xf32>, tensor<40x96xf32>) outs(%z19 : tensor<19x40xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<19x40xf32>
  %r4 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f2, %n0 : tensor<2x96xf32>, tensor<40x96xf32>) outs(%z2 : tensor<2x40xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x40xf32>
  %r5 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a2, %w2 : tensor<2x96xbf16>, tensor<40x96xbf16>) outs(%z2 : tensor<2x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x40xf32>
  %r6 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a2, %w2 : tensor<2x96xbf16>, tensor<40x96xbf16>) outs(%r5 : tensor<2x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x40xf32>
  %r7 = linalg.generic {indexing_maps = [#k, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a60, %o0 : tensor<2x60xbf16>, tensor<40x60xbf16>) outs(%z2 : tensor<2x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %out: f32):
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %p = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x40xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<1x40xf32>, tensor<21x40xf32>, tensor<3x40xf32>, tensor<19x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<2x40xf32>, tensor<19x40xf32>
}
