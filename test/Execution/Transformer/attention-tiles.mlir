// Attention on the CPU by tiles of query rows, whose scores are never in memory whole: several matrices of 128
// to 300 rows, so that tiles are whole, cut or of several heads.
// RUN: forge verify %s --target cpu --function causal | FileCheck %s
// RUN: forge verify %s --target cpu --function grouped | FileCheck %s
// RUN: forge verify %s --target cpu --function half | FileCheck %s
// CHECK: agrees

func.func @causal(%q: tensor<2x3x300x16xf32>, %k: tensor<2x3x300x16xf32>, %v: tensor<2x3x300x24xf32>)
    -> tensor<2x3x300x24xf32> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<2x3x300x16xf32>, tensor<2x3x300x16xf32>, tensor<2x3x300x24xf32>) -> tensor<2x3x300x24xf32>
  return %0 : tensor<2x3x300x24xf32>
}

// Four heads of queries for each of keys; 1021 keys, so that tiles have fewer rows than there are.
func.func @grouped(%q: tensor<1x8x130x16xf32>, %k: tensor<1x2x1021x16xf32>, %v: tensor<1x2x1021x16xf32>)
    -> tensor<1x8x130x16xf32> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x8x130x16xf32>, tensor<1x2x1021x16xf32>, tensor<1x2x1021x16xf32>) -> tensor<1x8x130x16xf32>
  return %0 : tensor<1x8x130x16xf32>
}

func.func @half(%q: tensor<2x4x257x16xbf16>, %k: tensor<2x4x257x16xbf16>, %v: tensor<2x4x257x16xbf16>)
    -> tensor<2x4x257x16xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<2x4x257x16xbf16>, tensor<2x4x257x16xbf16>, tensor<2x4x257x16xbf16>) -> tensor<2x4x257x16xbf16>
  return %0 : tensor<2x4x257x16xbf16>
}
