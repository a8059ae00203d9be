// Values from identities and from tables (Abramowitz and Stegun).
#include "forge/Runtime/CABI.h"

#include <cmath>
#include <gtest/gtest.h>

static void expectClose(double actual, double expected, double relative = 1e-14) {
  EXPECT_LE(std::fabs(actual - expected), relative * std::fabs(expected))
      << actual << " " << expected;
}

TEST(SpecialMath, ErfInvIsTheInverseOfErf) {
  for (double y : {1e-10, 1e-3, 0.1, 0.4, 0.476, 0.5, 1.0, 2.0, 3.0}) {
    expectClose(forge_rt_erf_inv_f64(std::erf(y)), y, y > 2 ? 1e-9 : 1e-14);
    expectClose(forge_rt_erf_inv_f64(-std::erf(y)), -y, y > 2 ? 1e-9 : 1e-14);
  }
  EXPECT_EQ(forge_rt_erf_inv_f64(1), INFINITY);
  EXPECT_EQ(forge_rt_erf_inv_f64(-1), -INFINITY);
  EXPECT_TRUE(std::isnan(forge_rt_erf_inv_f64(1.5)));
  EXPECT_EQ(forge_rt_erf_inv_f64(0), 0);
}

TEST(SpecialMath, Digamma) {
  const double euler = 0.57721566490153286;
  expectClose(forge_rt_digamma_f64(1), -euler);
  expectClose(forge_rt_digamma_f64(0.5), -euler - 2 * std::log(2.0));
  expectClose(forge_rt_digamma_f64(-0.5), forge_rt_digamma_f64(0.5) + 2, 1e-12);
  expectClose(forge_rt_digamma_f64(100),
              std::log(100.0) - 1 / 200.0 - 1 / 120000.0 + 1 / (120 * 1e8), 1e-13);
  EXPECT_TRUE(std::isnan(forge_rt_digamma_f64(0)));
  EXPECT_TRUE(std::isnan(forge_rt_digamma_f64(-3)));
}

TEST(SpecialMath, ZetaAndPolygamma) {
  const double pi = 3.14159265358979323846;
  expectClose(forge_rt_zeta_f64(2, 1), pi * pi / 6);
  expectClose(forge_rt_zeta_f64(4, 1), pi * pi * pi * pi / 90);
  expectClose(forge_rt_zeta_f64(3, 1), 1.2020569031595942854);
  expectClose(forge_rt_zeta_f64(2.5, 3), forge_rt_zeta_f64(2.5, 2) - std::pow(2, -2.5), 1e-13);
  EXPECT_EQ(forge_rt_zeta_f64(1, 1), INFINITY);
  EXPECT_TRUE(std::isnan(forge_rt_zeta_f64(0.5, 1)));
  expectClose(forge_rt_polygamma_f64(1, 1), pi * pi / 6);
  expectClose(forge_rt_polygamma_f64(2, 1), -2 * 1.2020569031595942854);
  EXPECT_TRUE(std::isnan(forge_rt_polygamma_f64(1.5, 1)));
}

TEST(SpecialMath, BesselI1e) {
  expectClose(forge_rt_bessel_i1e_f64(1) * std::exp(1.0), 0.56515910399248503);
  expectClose(forge_rt_bessel_i1e_f64(-1), -forge_rt_bessel_i1e_f64(1));
  expectClose(forge_rt_bessel_i1e_f64(20), forge_rt_bessel_i1e_f64(std::nextafter(20.0, 21.0)),
              1e-13);
  EXPECT_EQ(forge_rt_bessel_i1e_f64(0), 0);
  EXPECT_EQ(forge_rt_bessel_i1e_f64(INFINITY), 0);
}
