// A wave by twelve terms of its series, sum over k of 2^-k sin(k x), as a program in virtual registers.
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %wave = register.program(%b = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    load r0, %b
    const r1, 0.0 // the sum
    const r2, 1.0 // 2^-k
    const r3, 0.0 // k
    const r4, 1.0
    const r5, 0.5
    loop 12 {
      add r3, r3, r4
      mul r2, r2, r5
      mul r6, r3, r0
      sin r6, r6
      mul r6, r6, r2
      add r1, r1, r6
    }
    store r1, %b
    end %b
  }
  return %wave : tensor<?xf32>
}
