// bytes: 525352960
func.func @main(%x: tensor<2048x128256xbf16>) -> tensor<2048xi32> {
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %column = stablehlo.iota dim = 1 : tensor<2048x128256xi32>
  %0:2 = stablehlo.reduce(%x init: %low), (%column init: %zero) across dimensions = [1] : (tensor<2048x128256xbf16>, tensor<2048x128256xi32>, tensor<bf16>, tensor<i32>) -> (tensor<2048xbf16>, tensor<2048xi32>)
    reducer(%a: tensor<bf16>, %b: tensor<bf16>) (%i: tensor<i32>, %j: tensor<i32>) {
      %more = stablehlo.compare GT, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %same = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %first = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %same, %first : tensor<i1>
      %take = stablehlo.or %more, %tie : tensor<i1>
      %value = stablehlo.select %take, %a, %b : tensor<i1>, tensor<bf16>
      %index = stablehlo.select %take, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %index : tensor<bf16>, tensor<i32>
    }
  return %0#1 : tensor<2048xi32>
}
