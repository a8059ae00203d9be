// Calls of LAPACK as JAX writes them for its CPU backend, beside what LAPACK gives (scipy.linalg.lapack).
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// CHECK: 29 checks hold
func.func @main() {
  // LU: of a batch, the second matrix singular; with more columns than rows; complex.
  %c1 = stablehlo.constant dense<[[[2.03999996, -2.55999994, 0.419999987], [-0.569999993, -0.449999988, -0.219999999], [-2.01999998, -0.230000004, -0.870000005]], [[3.31999993, 0.0, -0.349999994], [-0.280000001, 0.0, -1.05999994], [-0.389999986, 0.0, -0.239999995]]]> : tensor<2x3x3xf32>
  %c2 = stablehlo.constant dense<[[[2.03999996, -2.55999994, 0.419999987], [-0.990196049, -2.76490188, -0.454117686], [-0.279411763, 0.421459496, 0.088745147]], [[3.31999993, 0.0, -0.349999994], [-0.0843373537, 0.0, -1.08951807], [-0.117469877, 0.0, -0.281114459]]]> : tensor<2x3x3xf32>
  %c3 = stablehlo.constant dense<[[1, 3, 3], [1, 2, 3]]> : tensor<2x3xi32>
  %c4 = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %r5:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%c1) {mhlo.backend_config = {}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_almost_eq %r5#0, %c2 : tensor<2x3x3xf32>
  check.expect_eq %r5#1, %c3 : tensor<2x3xi32>
  check.expect_eq %r5#2, %c4 : tensor<2xi32>
  %c6 = stablehlo.constant dense<[[0.96, -0.2, 0.02, 1.55, 0.55], [-0.51, -0.18, 0.54, 1.94, -0.27], [-0.24, 1.0, -0.89, -0.29, 0.88]]> : tensor<3x5xf64>
  %c7 = stablehlo.constant dense<[[0.96, -0.2, 0.02, 1.55, 0.55], [-0.25, 0.95, -0.885, 0.0975, 1.0175], [-0.53125, -0.301315789, 0.283960526, 2.79281579, 0.328776316]]> : tensor<3x5xf64>
  %c8 = stablehlo.constant dense<[1, 3, 3]> : tensor<3xi32>
  %c9 = stablehlo.constant dense<0> : tensor<i32>
  %r10:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%c6) {mhlo.backend_config = {}} : (tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq %r10#0, %c7 : tensor<3x5xf64>
  check.expect_eq %r10#1, %c8 : tensor<3xi32>
  check.expect_eq %r10#2, %c9 : tensor<i32>
  %c11 = stablehlo.constant dense<[[(0.579999983, 0.699999988), (0.0900000036, -0.439999998)], [(0.670000017, -1.08000004), (-2.82999992, 0.0299999993)], [(1.01999998, -0.0500000007), (-0.959999979, 1.40999997)], [(-1.66999996, 0.75), (0.280000001, 0.189999998)]]> : tensor<4x2xcomplex<f32>>
  %c12 = stablehlo.constant dense<[[(-1.66999996, 0.75), (0.280000001, 0.189999998)], [(-0.575550556, 0.388225853), (-2.59508276, 0.0306513626)], [(-0.519454539, -0.203347847), (0.335850358, -0.599341035)], [(-0.132362589, -0.478605926), (-0.0151972072, 0.108041115)]]> : tensor<4x2xcomplex<f32>>
  %c13 = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
  %c14 = stablehlo.constant dense<0> : tensor<i32>
  %r15:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%c11) {mhlo.backend_config = {}} : (tensor<4x2xcomplex<f32>>) -> (tensor<4x2xcomplex<f32>>, tensor<2xi32>, tensor<i32>)
  check.expect_almost_eq %r15#0, %c12 : tensor<4x2xcomplex<f32>>
  check.expect_eq %r15#1, %c13 : tensor<2xi32>
  check.expect_eq %r15#2, %c14 : tensor<i32>
  // Cholesky: lower and upper, the other triangle as it was; a matrix that is not positive definite fails at its second pivot (JAX makes all of it NaN).
  %c16 = stablehlo.constant dense<[[3.14109993, 0.717299998, 1.4016], [0.717299998, 1.71689999, 0.203899994], [1.4016, 0.203899994, 7.86140013]]> : tensor<3x3xf32>
  %c17 = stablehlo.constant dense<[[1.77231491, 0.717299998, 1.4016], [0.404724926, 1.24623346, 0.203899994], [0.790830135, -0.0932158083, 2.68836355]]> : tensor<3x3xf32>
  %c18 = stablehlo.constant dense<0> : tensor<i32>
  %r19:2 = stablehlo.custom_call @lapack_spotrf_ffi(%c16) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  check.expect_almost_eq %r19#0, %c17 : tensor<3x3xf32>
  check.expect_eq %r19#1, %c18 : tensor<i32>
  %c20 = stablehlo.constant dense<[[(10.667, 0.0), (-0.77, 4.442), (-4.6224, -1.8166)], [(-0.77, -4.442), (5.5119, 6.58140209e-17), (-0.9843, 2.2195)], [(-4.6224, 1.8166), (-0.9843, -2.2195), (9.0942, 5.37347944e-17)]]> : tensor<3x3xcomplex<f64>>
  %c21 = stablehlo.constant dense<[[(3.26603735, 0.0), (-0.235759704, 1.36005793), (-1.41529306, -0.556209193)], [(-0.77, -4.442), (1.89909447, 0.0), (-0.295663202, 0.0860872067)], [(-4.6224, 1.8166), (-0.9843, -2.2195), (2.5859136, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %c22 = stablehlo.constant dense<0> : tensor<i32>
  %r23:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%c20) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq %r23#0, %c21 : tensor<3x3xcomplex<f64>>
  check.expect_eq %r23#1, %c22 : tensor<i32>
  // Triangular systems, from both sides.
  %c24 = stablehlo.constant dense<[[3.41000009, -0.0199999996, -0.370000005], [-1.72000003, 3.68000007, 0.75], [0.75, 1.13999999, 2.3499999]]> : tensor<3x3xf32>
  %c25 = stablehlo.constant dense<[[-0.639999986, -0.800000012], [-0.800000012, 1.37], [-1.46000004, -0.600000024]]> : tensor<3x2xf32>
  %c26 = stablehlo.constant dense<[[-0.187683269, -0.234604105], [-0.305112839, 0.262630671], [-0.413365513, -0.307849318]]> : tensor<3x2xf32>
  %r27 = stablehlo.custom_call @lapack_strsm_ffi(%c24, %c25) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq %r27, %c26 : tensor<3x2xf32>
  %c28 = stablehlo.constant dense<[[3.41000009, -0.0199999996, -0.370000005], [-1.72000003, 3.68000007, 0.75], [0.75, 1.13999999, 2.3499999]]> : tensor<3x3xf32>
  %c29 = stablehlo.constant dense<[[-0.639999986, -0.800000012], [-0.800000012, 1.37], [-1.46000004, -0.600000024]]> : tensor<3x2xf32>
  %c30 = stablehlo.constant dense<[[-0.639999986, -0.800000012], [-0.81279999, 1.35399997], [-1.08720005, -1.91149998]]> : tensor<3x2xf32>
  %r31 = stablehlo.custom_call @lapack_strsm_ffi(%c28, %c29) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq %r31, %c30 : tensor<3x2xf32>
  %c32 = stablehlo.constant dense<[[3.41000009, -0.0199999996, -0.370000005], [-1.72000003, 3.68000007, 0.75], [0.75, 1.13999999, 2.3499999]]> : tensor<3x3xf32>
  %c33 = stablehlo.constant dense<[[-0.319999993, 0.219999999, 0.579999983], [-1.25, -1.73000002, -0.0]]> : tensor<2x3xf32>
  %c34 = stablehlo.constant dense<[[-0.0938416347, 0.0592725985, 0.213116661], [-0.366568893, -0.472100914, 0.092955403]]> : tensor<2x3xf32>
  %r35 = stablehlo.custom_call @lapack_strsm_ffi(%c32, %c33) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq %r35, %c34 : tensor<2x3xf32>
  %c36 = stablehlo.constant dense<[[(3.21, -0.11), (0.76, 0.54), (0.22, 0.22)], [(-0.32, 2.55), (2.29, 1.5), (-0.24, 1.5)], [(0.82, -2.04), (-0.79, -0.34), (2.13, -0.61)]]> : tensor<3x3xcomplex<f64>>
  %c37 = stablehlo.constant dense<[[(0.53, -0.8), (-2.28, 0.04)], [(1.17, 0.64), (1.07, 2.05)], [(-1.3, -0.2), (-0.98, 0.77)]]> : tensor<3x2xcomplex<f64>>
  %c38 = stablehlo.constant dense<[[(0.0391563621, 0.180824372), (-1.12045485, 0.0730386248)], [(0.0431214974, 0.420949948), (-0.210058447, 0.963798213)], [(-0.588918313, 0.0747606437), (-0.329537584, 0.455876961)]]> : tensor<3x2xcomplex<f64>>
  %r39 = stablehlo.custom_call @lapack_ztrsm_ffi(%c36, %c37) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_almost_eq %r39, %c38 : tensor<3x2xcomplex<f64>>
  // QR: the reflections, and their product.
  %c40 = stablehlo.constant dense<[[0.159999996, 1.75999999, 0.74000001], [1.37, -1.08000004, -0.189999998], [-0.810000002, 1.5, 0.660000026], [-0.310000002, -0.449999988, 0.479999989]]> : tensor<4x3xf32>
  %c41 = stablehlo.constant dense<[[-1.62932503, 1.39536309, 0.506528735], [0.765651822, 2.18390965, 0.72109592], [-0.452684671, -0.469946653, -0.687858462], [-0.173249692, 0.109177649, 0.679258466]]> : tensor<4x3xf32>
  %c42 = stablehlo.constant dense<[1.0982002, 1.62236321, 1.36855817]> : tensor<3xf32>
  %r43:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%c40) {mhlo.backend_config = {}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  check.expect_almost_eq %r43#0, %c41 : tensor<4x3xf32>
  check.expect_almost_eq %r43#1, %c42 : tensor<3xf32>
  %c44 = stablehlo.constant dense<[[-1.62932503, 1.39536309, 0.506528735], [0.765651822, 2.18390965, 0.72109592], [-0.452684671, -0.469946653, -0.687858462], [-0.173249692, 0.109177649, 0.679258466]]> : tensor<4x3xf32>
  %c45 = stablehlo.constant dense<[1.0982002, 1.62236321, 1.36855817]> : tensor<3xf32>
  %c46 = stablehlo.constant dense<[[-0.098200202, 0.868637085, -0.237506062], [-0.840838969, 0.0427103564, -0.298187613], [0.497138411, 0.369205475, -0.206368908], [0.190262839, -0.3276169, -0.90115869]]> : tensor<4x3xf32>
  %r47 = stablehlo.custom_call @lapack_sorgqr_ffi(%c44, %c45) {mhlo.backend_config = {}} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  check.expect_almost_eq %r47, %c46 : tensor<4x3xf32>
  %c48 = stablehlo.constant dense<[[(-0.7, 0.12), (-0.93, 0.14), (0.48, -1.53)], [(2.46, -0.46), (-0.25, 0.11), (-0.56, -0.78)], [(-1.17, -0.48), (-1.34, -0.82), (0.52, -0.33)], [(0.85, 0.85), (0.01, -0.41), (0.33, -0.15)]]> : tensor<4x3xcomplex<f64>>
  %c49 = stablehlo.constant dense<[[(3.13239525, 0.0), (0.518325393, 0.0409909956), (-0.585941382, -0.298589394)], [(-0.645022168, 0.0998324324), (1.82344688, 0.0), (-0.357483529, 1.50563648)], [(0.301075147, 0.13467531), (0.270833248, 0.247185223), (1.08479555, 0.0)], [(-0.214638169, -0.22851416), (0.0814871081, 0.248739198), (-0.00853221163, -0.00236059361)]]> : tensor<4x3xcomplex<f64>>
  %c50 = stablehlo.constant dense<[(1.22347116, -0.0383093417), (1.64400981, -0.174643338), (1.78582087, -0.61822784)]> : tensor<3xcomplex<f64>>
  %r51:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%c48) {mhlo.backend_config = {}} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>)
  check.expect_almost_eq %r51#0, %c49 : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq %r51#1, %c50 : tensor<3xcomplex<f64>>
  %c52 = stablehlo.constant dense<[[(3.13239525, 0.0), (0.518325393, 0.0409909956), (-0.585941382, -0.298589394)], [(-0.645022168, 0.0998324324), (1.82344688, 0.0), (-0.357483529, 1.50563648)], [(0.301075147, 0.13467531), (0.270833248, 0.247185223), (1.08479555, 0.0)], [(-0.214638169, -0.22851416), (0.0814871081, 0.248739198), (-0.00853221163, -0.00236059361)]]> : tensor<4x3xcomplex<f64>>
  %c53 = stablehlo.constant dense<[(1.22347116, -0.0383093417), (1.64400981, -0.174643338), (1.78582087, -0.61822784)]> : tensor<3xcomplex<f64>>
  %c54 = stablehlo.constant dense<[[(-0.22347116, 0.0383093417), (-0.445638913, 0.0709116356), (0.262794967, -0.80933144)], [(0.785341505, -0.146852477), (-0.363642112, 0.0844145443), (-0.0542828274, -0.049652361)], [(-0.373516082, -0.153237367), (-0.632142617, -0.397742535), (-0.44058046, 0.256522554)], [(0.271357837, 0.271357837), (-0.0655508154, -0.308084042), (-0.0731204109, 0.0724423017)]]> : tensor<4x3xcomplex<f64>>
  %r55 = stablehlo.custom_call @lapack_zungqr_ffi(%c52, %c53) {mhlo.backend_config = {}} : (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
  check.expect_almost_eq %r55, %c54 : tensor<4x3xcomplex<f64>>
  return
}
