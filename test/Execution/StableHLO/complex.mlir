// Functions of complex numbers. What is expected was computed by XLA 0.10.2 on the CPU; elements may be off by 1e-4.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// CHECK: 39 checks hold
func.func @main() {
  %z = stablehlo.constant dense<[(0x3F800000, 0x40000000), (0xBFC00000, 0x3F000000), (0xBF800000, 0xC0000000), (0x3E800000, 0xBE000000), (0xBF800000, 0x00000000), (0xBF800000, 0xBF000000), (0x00000000, 0x3F800000), (0x3B449BA6, 0xBB03126F), (0x41A00000, 0x3F800000), (0xBF000000, 0xBA83126F), (0x42200000, 0x41F00000), (0x00000000, 0x00000000)]> : tensor<12xcomplex<f32>>
  %w = stablehlo.constant dense<[(0x3F000000, 0xBF800000), (0x40000000, 0x00000000), (0xBE800000, 0x40400000), (0x3A83126F, 0x3F800000), (0x3F000000, 0x3F000000), (0x3F000000, 0x3F000000), (0xC0000000, 0x3F800000), (0x3F800000, 0x3F800000), (0x3DCCCCCD, 0xBE4CCCCD), (0x40400000, 0xBF800000), (0x40A00000, 0xC0000000), (0x40000000, 0x3F800000)]> : tensor<12xcomplex<f32>>
  %z_exponential = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %exponential = stablehlo.exponential %z_exponential : tensor<8xcomplex<f32>>
  %want_exponential = stablehlo.constant dense<[(0xBF90CB4E, 0x401E30C5), (0x3E4883C4, 0x3DDB1558), (0xBE1CC41E, 0xBEAB4522), (0x3FA312AA, 0xBE23ED76), (0x3EBC5AB2, 0x00000000), (0x3EA54BE3, 0xBE349A8D), (0x3F0A5140, 0x3F576AA4), (0x3F806263, 0xBB03773A)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %exponential, %want_exponential : tensor<8xcomplex<f32>>
  %z_exponential_minus_one = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %exponential_minus_one = stablehlo.exponential_minus_one %z_exponential_minus_one : tensor<8xcomplex<f32>>
  %want_exponential_minus_one = stablehlo.constant dense<[(0xC00865A7, 0x401E30C5), (0xBF4DDF0F, 0x3DDB1558), (0xBF939884, 0xBEAB4522), (0x3E8C4AA6, 0xBE23ED76), (0xBF21D2A7, 0x00000000), (0xBF2D5A0E, 0xBE349A8D), (0xBEEB5D80, 0x3F576AA4), (0x3B44C590, 0xBB03773A)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %exponential_minus_one, %want_exponential_minus_one : tensor<8xcomplex<f32>>
  %z_log = stablehlo.slice %z [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %log = stablehlo.log %z_log : tensor<10xcomplex<f32>>
  %want_log = stablehlo.constant dense<[(0x3F4E0210, 0x3F8DB70D), (0x3EEA9207, 0x4034784B), (0x3F4E0210, 0xC0023454), (0xBFA32A1C, 0xBEED6338), (0x00000000, 0x40490FDB), (0x3DE47FBE, 0xC02B6374), (0x00000000, 0x3FC90FDB), (0xC0B4024D, 0xBF168757), (0x403FCE88, 0x3D4CA12D), (0xBF3171F6, 0xC048EF16)]> : tensor<10xcomplex<f32>>
  check.expect_almost_eq %log, %want_log : tensor<10xcomplex<f32>>
  %z_log_plus_one = stablehlo.slice %z [0:4] : (tensor<12xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %log_plus_one = stablehlo.log_plus_one %z_log_plus_one : tensor<4xcomplex<f32>>
  %want_log_plus_one = stablehlo.constant dense<[(0x3F851592, 0x3F490FDB), (0xBEB17218, 0x4016CBE4), (0x3F317218, 0xBFC90FDB), (0x3E6997F4, 0xBDCC1F14)]> : tensor<4xcomplex<f32>>
  check.expect_almost_eq %log_plus_one, %want_log_plus_one : tensor<4xcomplex<f32>>
  %z_sqrt = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %sqrt = stablehlo.sqrt %z_sqrt : tensor<12xcomplex<f32>>
  %want_sqrt = stablehlo.constant dense<[(0x3FA2D18A, 0x3F494138), (0x3E4E40A7, 0x3F9EDF89), (0x3F494138, 0xBFA2D18A), (0x3F03B913, 0xBDF8C3BA), (0x00000000, 0x3F800000), (0x3E78C3BA, 0xBF83B913), (0x3F3504F3, 0x3F3504F3), (0x3D6B656F, 0xBC8E8B63), (0x408F272E, 0x3DE4E6E1), (0x3A395D1D, 0xBF3504F9), (0x40D6A99B, 0x400F1BBD), (0x00000000, 0x00000000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %sqrt, %want_sqrt : tensor<12xcomplex<f32>>
  %z_rsqrt = stablehlo.slice %z [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %rsqrt = stablehlo.rsqrt %z_rsqrt : tensor<10xcomplex<f32>>
  %want_rsqrt = stablehlo.constant dense<[(0x3F11A11A, 0xBEB401FA), (0x3E027211, 0xBF48F5E0), (0x3EB401FA, 0x3F11A11A), (0x3FEBA218, 0x3EDE8074), (0xB33BBD2E, 0xBF800000), (0x3E5E8072, 0x3F6BA218), (0x3F3504F3, 0xBF3504F3), (0x417F0729, 0x409A6EB9), (0x3E64C252, 0xBBB6E49D), (0x3AB95D38, 0x3FB504E1)]> : tensor<10xcomplex<f32>>
  check.expect_almost_eq %rsqrt, %want_rsqrt : tensor<10xcomplex<f32>>
  %z_sine = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %sine = stablehlo.sine %z_sine : tensor<8xcomplex<f32>>
  %want_sine = stablehlo.constant dense<[(0x404A9C1E, 0x3FFAD434), (0xBF8FF97D, 0x3D16FB5F), (0xC04A9C1E, 0xBFFAD434), (0x3E7F52CE, 0xBDF8B020), (0xBF576AA4, 0x00000000), (0xBF72E8C8, 0xBE902730), (0x00000000, 0x3F966CFE), (0x3B449BAD, 0xBB03124E)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %sine, %want_sine : tensor<8xcomplex<f32>>
  %z_cosine = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %cosine = stablehlo.cosine %z_cosine : tensor<8xcomplex<f32>>
  %want_cosine = stablehlo.constant dense<[(0x40021822, 0xC043524B), (0x3DA35BE2, 0x3F0510F4), (0x40021822, 0xC043524B), (0x3F79FB5F, 0x3CFE007B), (0x3F0A5140, 0x00000000), (0x3F1BF864, 0xBEE0814F), (0x3FC583AA, 0x00000000), (0x3F7FFFD7, 0x36C95390)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %cosine, %want_cosine : tensor<8xcomplex<f32>>
  %z_tan = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %tan = stablehlo.tan %z_tan : tensor<8xcomplex<f32>>
  %want_tan = stablehlo.constant dense<[(0x3D0A7F51, 0x3F81E4C2), (0xBE82A2EC, 0x4007FCB6), (0xBD0A7F51, 0xBF81E4C2), (0x3E809573, 0xBE0780D1), (0xBFC75923, 0x00000000), (0xBF4E8F85, 0xBF857B7B), (0x00000000, 0x3F42F7D6), (0x3B449B99, 0xBB0312AF)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %tan, %want_tan : tensor<8xcomplex<f32>>
  %z_tanh = stablehlo.slice %z [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %tanh = stablehlo.tanh %z_tanh : tensor<10xcomplex<f32>>
  %want_tanh = stablehlo.constant dense<[(0x3F95579D, 0xBE794D1B), (0xBF71C26D, 0x3DA274DC), (0xBF95579D, 0x3E794D1B), (0x3E7E83F8, 0xBDF1AD17), (0xBF42F7D6, 0x00000000), (0xBF57CCA2, 0xBE48456C), (0x00000000, 0x3FC75923), (0x3B449BB3, 0xBB03122E), (0x3F800000, 0x230E852A), (0xBEEC9AAB, 0xBA4E29A0)]> : tensor<10xcomplex<f32>>
  check.expect_almost_eq %tanh, %want_tanh : tensor<10xcomplex<f32>>
  %z_logistic = stablehlo.slice %z [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %logistic = stablehlo.logistic %z_logistic : tensor<10xcomplex<f32>>
  %want_logistic = stablehlo.constant dense<[(0x3F82BDBE, 0x3ECE8F86), (0x3E2E7A8E, 0x3D97FDDB), (0xBCAF6F45, 0xBECE8F84), (0x3F0FFA82, 0xBCFC5ACC), (0x3E89B2B1, 0x00000000), (0x3E83B71B, 0xBDCACF0D), (0x3F000000, 0x3E8BDA7B), (0x3F003127, 0xBA03125F), (0x3F800000, 0x30EE5FCF), (0x3EC14D03, 0xB9766B59)]> : tensor<10xcomplex<f32>>
  check.expect_almost_eq %logistic, %want_logistic : tensor<10xcomplex<f32>>
  %z_sign = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %sign = stablehlo.sign %z_sign : tensor<12xcomplex<f32>>
  %want_sign = stablehlo.constant dense<[(0x3EE4F92E, 0x3F64F92E), (0xBF72DCE8, 0x3EA1E89B), (0xBEE4F92E, 0xBF64F92E), (0x3F64F92E, 0xBEE4F92E), (0xBF800000, 0x00000000), (0xBF64F92E, 0xBEE4F92E), (0x00000000, 0x3F800000), (0x3F55013F, 0xBF0E00D5), (0x3F7FAE3C, 0x3D4C8B63), (0xBF7FFFDE, 0xBB03125E), (0x3F4CCCCD, 0x3F19999A), (0x00000000, 0x00000000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %sign, %want_sign : tensor<12xcomplex<f32>>
  %z_negate = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %negate = stablehlo.negate %z_negate : tensor<12xcomplex<f32>>
  %want_negate = stablehlo.constant dense<[(0xBF800000, 0xC0000000), (0x3FC00000, 0xBF000000), (0x3F800000, 0x40000000), (0xBE800000, 0x3E000000), (0x3F800000, 0x80000000), (0x3F800000, 0x3F000000), (0x80000000, 0xBF800000), (0xBB449BA6, 0x3B03126F), (0xC1A00000, 0xBF800000), (0x3F000000, 0x3A83126F), (0xC2200000, 0xC1F00000), (0x80000000, 0x80000000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %negate, %want_negate : tensor<12xcomplex<f32>>
  %l_add = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %r_add = stablehlo.slice %w [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %add = stablehlo.add %l_add, %r_add : tensor<12xcomplex<f32>>
  %want_add = stablehlo.constant dense<[(0x3FC00000, 0x3F800000), (0x3F000000, 0x3F000000), (0xBFA00000, 0x3F800000), (0x3E808312, 0x3F600000), (0xBF000000, 0x3F000000), (0xBF000000, 0x00000000), (0xC0000000, 0x40000000), (0x3F80624E, 0x3F7F7CEE), (0x41A0CCCD, 0x3F4CCCCD), (0x40200000, 0xBF8020C5), (0x42340000, 0x41E00000), (0x40000000, 0x3F800000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %add, %want_add : tensor<12xcomplex<f32>>
  %l_subtract = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %r_subtract = stablehlo.slice %w [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %subtract = stablehlo.subtract %l_subtract, %r_subtract : tensor<12xcomplex<f32>>
  %want_subtract = stablehlo.constant dense<[(0x3F000000, 0x40400000), (0xC0600000, 0x3F000000), (0xBF400000, 0xC0A00000), (0x3E7EF9DB, 0xBF900000), (0xBFC00000, 0xBF000000), (0xBFC00000, 0xBF800000), (0x40000000, 0x00000000), (0xBF7F3B64, 0xBF804189), (0x419F3333, 0x3F99999A), (0xC0600000, 0x3F7FBE77), (0x420C0000, 0x42000000), (0xC0000000, 0xBF800000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %subtract, %want_subtract : tensor<12xcomplex<f32>>
  %l_multiply = stablehlo.slice %z [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %r_multiply = stablehlo.slice %w [0:10] : (tensor<12xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  %multiply = stablehlo.multiply %l_multiply, %r_multiply : tensor<10xcomplex<f32>>
  %want_multiply = stablehlo.constant dense<[(0x40200000, 0x00000000), (0xC0400000, 0x3F800000), (0x40C80000, 0xC0200000), (0x3E004189, 0x3E7FDF3B), (0xBF000000, 0xBF000000), (0xBE800000, 0xBF400000), (0xBF800000, 0xC0000000), (0x3BA3D70A, 0x3A83126E), (0x400CCCCD, 0xC079999A), (0xBFC020C5, 0x3EFE76C9)]> : tensor<10xcomplex<f32>>
  check.expect_almost_eq %multiply, %want_multiply : tensor<10xcomplex<f32>>
  %l_divide = stablehlo.slice %z [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %r_divide = stablehlo.slice %w [0:12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
  %divide = stablehlo.divide %l_divide, %r_divide : tensor<12xcomplex<f32>>
  %want_divide = stablehlo.constant dense<[(0xBF99999A, 0x3FCCCCCD), (0xBF400000, 0x3E800000), (0xBF226D76, 0x3EC5BCE9), (0xBDFF7CDE, 0xBE80105A), (0xBF800000, 0x3F800000), (0xBFC00000, 0x3F000000), (0x3E4CCCCD, 0xBECCCCCD), (0x3A03126E, 0xBB23D70A), (0x42100000, 0x42A40000), (0xBE197F63, 0xBD4E0760), (0x409A7B96, 0x40FDCB08), (0x00000000, 0x00000000)]> : tensor<12xcomplex<f32>>
  check.expect_almost_eq %divide, %want_divide : tensor<12xcomplex<f32>>
  %l_power = stablehlo.slice %z [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %r_power = stablehlo.slice %w [0:8] : (tensor<12xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %power = stablehlo.power %l_power, %r_power : tensor<8xcomplex<f32>>
  %want_power = stablehlo.constant dense<[(0x408C3DFA, 0xBF8FEC43), (0x40000000, 0xBFC00000), (0xC3B28CD0, 0x429ED3F4), (0x3EECD68E, 0xBFC26D6A), (0xB21C1BC0, 0x3E54DE62), (0x3F927807, 0xC0779242), (0xBE54DE62, 0x329C1BC0), (0x3BD430C7, 0x39EDB575)]> : tensor<8xcomplex<f32>>
  check.expect_almost_eq %power, %want_power : tensor<8xcomplex<f32>>
  %abs = stablehlo.abs %z : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
  %want_abs = stablehlo.constant dense<[0x400F1BBD, 0x3FCA62C2, 0x400F1BBD, 0x3E8F1BBD, 0x3F800000, 0x3F8F1BBD, 0x3F800000, 0x3B6C4B1D, 0x41A0332B, 0x3F000011, 0x42480000, 0x00000000]> : tensor<12xf32>
  check.expect_almost_eq %abs, %want_abs : tensor<12xf32>
  %real = stablehlo.real %z : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
  %want_real = stablehlo.constant dense<[0x3F800000, 0xBFC00000, 0xBF800000, 0x3E800000, 0xBF800000, 0xBF800000, 0x00000000, 0x3B449BA6, 0x41A00000, 0xBF000000, 0x42200000, 0x00000000]> : tensor<12xf32>
  check.expect_almost_eq %real, %want_real : tensor<12xf32>
  %imag = stablehlo.imag %z : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
  %want_imag = stablehlo.constant dense<[0x40000000, 0x3F000000, 0xC0000000, 0xBE000000, 0x00000000, 0xBF000000, 0x3F800000, 0xBB03126F, 0x3F800000, 0xBA83126F, 0x41F00000, 0x00000000]> : tensor<12xf32>
  check.expect_almost_eq %imag, %want_imag : tensor<12xf32>
  return
}
