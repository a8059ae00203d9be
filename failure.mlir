// forge verify ./failure.mlir --target sim:sm_90a --tier hybrid --input ./in0.npy
module {
  func.func @main(%arg0: tensor<13x16xi8>) -> tensor<13x16xf8E5M2> {
    %0 = stablehlo.convert %arg0 : (tensor<13x16xi8>) -> tensor<13x16xf8E5M2>
    return %0 : tensor<13x16xf8E5M2>
  }
}

