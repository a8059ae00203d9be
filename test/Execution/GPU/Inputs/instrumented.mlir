// Inputs, and what is computed of them by roles that take time stamps.
func.func private @waves(%n: tensor<93600xf32>) -> tensor<93600xbf16> {
  %0 = stablehlo.sine %n : tensor<93600xf32>
  %1 = stablehlo.convert %0 : (tensor<93600xf32>) -> tensor<93600xbf16>
  return %1 : tensor<93600xbf16>
}
func.func @inputs() -> (tensor<130x648xbf16>, tensor<648x72xbf16>, tensor<1x2x200x64xbf16>) {
  %n = stablehlo.iota dim = 0 : tensor<93600xf32>
  %all = func.call @waves(%n) : (tensor<93600xf32>) -> tensor<93600xbf16>
  %x0 = stablehlo.slice %all [0:84240] : (tensor<93600xbf16>) -> tensor<84240xbf16>
  %x = stablehlo.reshape %x0 : (tensor<84240xbf16>) -> tensor<130x648xbf16>
  %w0 = stablehlo.slice %all [0:46656] : (tensor<93600xbf16>) -> tensor<46656xbf16>
  %w = stablehlo.reshape %w0 : (tensor<46656xbf16>) -> tensor<648x72xbf16>
  %q0 = stablehlo.slice %all [0:25600] : (tensor<93600xbf16>) -> tensor<25600xbf16>
  %q = stablehlo.reshape %q0 : (tensor<25600xbf16>) -> tensor<1x2x200x64xbf16>
  return %x, %w, %q : tensor<130x648xbf16>, tensor<648x72xbf16>, tensor<1x2x200x64xbf16>
}
func.func @product(%x: tensor<130x648xbf16>, %w: tensor<648x72xbf16>) -> tensor<130x72xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<130x648xbf16>, tensor<648x72xbf16>) -> tensor<130x72xbf16>
  return %0 : tensor<130x72xbf16>
}
func.func @attention(%q: tensor<1x2x200x64xbf16>) -> tensor<1x2x200x64xbf16> {
  %0 = transformer.attention %q, %q, %q {causal} : (tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x200x64xbf16>
  return %0 : tensor<1x2x200x64xbf16>
}
