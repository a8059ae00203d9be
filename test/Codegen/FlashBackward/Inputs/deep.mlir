// Gradients of attention at depths of 128 and 256.
!S = tensor<2x2x256x128xbf16>
func.func @full(%do: !S, %q: !S, %k: !S, %v: !S) -> (!S, !S, !S) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v : (!S, !S, !S, !S) -> (!S, !S, !S)
  return %0#0, %0#1, %0#2 : !S, !S, !S
}

func.func @causal(%do: !S, %q: !S, %k: !S, %v: !S) -> (!S, !S, !S) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal} : (!S, !S, !S, !S) -> (!S, !S, !S)
  return %0#0, %0#1, %0#2 : !S, !S, !S
}

!W = tensor<1x1x160x256xbf16>
func.func @wide(%do: !W, %q: !W, %k: !W, %v: !W) -> (!W, !W, !W) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal} : (!W, !W, !W, !W) -> (!W, !W, !W)
  return %0#0, %0#1, %0#2 : !W, !W, !W
}
