#include "TestModule.h"

#include "forge/Verify/Compare.h"

#include <limits>

using namespace forge;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Compare, ReportsTheFirstDifference) {
  Comparison result =
      compare(floats({2, 2}, {1, 2, 3.5, 5}), floats({2, 2}, {1, 2, 3, 4}), Tolerance::exact());
  EXPECT_FALSE(result.agree);
  EXPECT_EQ(result.differing, 2);
  EXPECT_EQ(result.maxAbs, 1);
  EXPECT_EQ(result.maxRel, 0.25);
  ASSERT_TRUE(result.first);
  EXPECT_EQ(result.first->index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(describe(result), "2 of 4 elements differ, first at [1, 0]: expected 3, but got 3.5; "
                              "off by at most 1");
}

TEST(Compare, NaNAndInfinityOnlyMatchThemselves) {
  auto agrees = [](double actual, double expected) {
    Tolerance loose = Tolerance::almost(1e30);
    return compare(floats({1}, {actual}), floats({1}, {expected}), loose).agree;
  };
  EXPECT_TRUE(agrees(kNaN, -kNaN));
  EXPECT_TRUE(agrees(kInf, kInf));
  EXPECT_FALSE(agrees(kInf, -kInf));
  EXPECT_FALSE(agrees(1, kInf));
  EXPECT_FALSE(agrees(kNaN, 1));
  EXPECT_TRUE(agrees(0.0, -0.0));
  EXPECT_FALSE(compare(floats({1}, {kInf}), floats({1}, {1}), Tolerance::ulps(1000)).agree);
  EXPECT_TRUE(compare(floats({1}, {kInf}), floats({1}, {1}), Tolerance::ulps(~0ull)).agree);
}

TEST(Compare, UlpsAreThoseOfTheNarrowerType) {
  HostTensor actual = floats({1}, {1 + 1.0 / 128}, DType::BF16), expected = floats({1}, {1});
  EXPECT_EQ(compare(actual, expected, Tolerance::exact()).maxUlp, 1u);
  EXPECT_TRUE(compare(actual, expected, Tolerance::ulps(1)).agree);
  EXPECT_EQ(ulpDistance(DType::F32, 0x80000001, 0x00000001), 2u); // across zero
  EXPECT_EQ(ulpDistance(DType::F32, 0x80000000, 0), 0u);
  EXPECT_EQ(ulpDistance(DType::F8E4M3FNUZ, 0x81, 0x01), 2u);
  // Its upper bit is no sign: 1 and 2, 4 and 2^-126.
  EXPECT_EQ(ulpDistance(DType::F8E8M0FNU, 0x7f, 0x80), 1u);
  EXPECT_EQ(ulpDistance(DType::F8E8M0FNU, 0x81, 0x01), 128u);
}

TEST(Compare, IntegersAreExact) {
  Comparison result = compare(ints({2}, {INT64_MIN, 3}, DType::I64),
                              ints({2}, {INT64_MAX, 3}, DType::I64), Tolerance::almost(1e9));
  EXPECT_FALSE(result.agree);
  EXPECT_EQ(result.differing, 1);
  EXPECT_EQ(result.maxUlp, ~0ull);
  EXPECT_EQ(result.first->actual, "-9223372036854775808");
}

TEST(Compare, ShapesAndKindsMustMatch) {
  EXPECT_EQ(compare(floats({2}, {1, 2}), floats({1, 2}, {1, 2}), {}).mismatch,
            "expected tensor<1x2xf32>, but got tensor<2xf32>");
  EXPECT_FALSE(compare(ints({1}, {1}), floats({1}, {1}), {}).agree);
  EXPECT_FALSE(compare(ints({1}, {1}, DType::U8), ints({1}, {1}, DType::I8), {}).agree);
  EXPECT_TRUE(compare(floats({0}, {}), floats({0}, {}), Tolerance::exact()).agree);
}

TEST(Compare, ToleranceIsPrinted) {
  Tolerance tolerance;
  tolerance.ofScale = 2e-6;
  tolerance.basis = "f32, 3 roundings";
  EXPECT_EQ(describe(tolerance), "tolerance 2e-06 of the largest value (f32, 3 roundings)");
  EXPECT_EQ(describe(Tolerance::exact()), "exact");
  // Of the scale, not of the element: small elements may be off by as much as large ones.
  EXPECT_TRUE(compare(floats({2}, {100, 1e-4}), floats({2}, {100, 0}), tolerance).agree);
  EXPECT_FALSE(compare(floats({2}, {1, 1e-4}), floats({2}, {1, 0}), tolerance).agree);
}

TEST(Compare, BoundsOfElements) {
  auto bounds = std::make_shared<ElementBounds>();
  bounds->allowed = {1e-3, 1e-6, 1e-4};
  bounds->classes = {ElementBounds::Finite, ElementBounds::Finite | ElementBounds::PlusInfinity,
                     ElementBounds::NaN};
  Tolerance tolerance;
  tolerance.elements = bounds;
  tolerance.basis = "measured";
  EXPECT_EQ(describe(tolerance), "tolerance 1e-06 to 0.001, mostly 0.0001 (measured)");
  HostTensor expected = floats({3}, {1, 1, 1});
  Comparison close = compare(floats({3}, {1.0005, 1, 1}), expected, tolerance);
  EXPECT_TRUE(close.agree);
  EXPECT_NEAR(close.maxOfAllowed, 0.5, 0.001);
  EXPECT_EQ(describe(close), "off by at most 0.0005, 0.5 of what is allowed");
  EXPECT_EQ(describeDetails(close, tolerance),
            "max_abs 0.0005, max_rel 0.0005, max_ulp 4194; "
            "tolerance 1e-06 to 0.001, mostly 0.0001 (measured)");
  EXPECT_EQ(describe(compare(floats({3}, {1.25, 1, 1}), expected, tolerance)),
            "1 of 3 elements differ, first at [0]: expected 1, but got 1.25; off by at most 0.25, "
            "250 times what is allowed");
  EXPECT_EQ(describe(compare(expected, expected, tolerance)), "equal");
  EXPECT_EQ(describe(compare(floats({3}, {1, kInf, 1}), expected, tolerance)),
            "NaN or infinity only where that is allowed");
  EXPECT_FALSE(compare(floats({3}, {1, 1.0005, 1}), expected, tolerance).agree);
  EXPECT_TRUE(compare(floats({3}, {1, kInf, 1}), expected, tolerance).agree);
  EXPECT_FALSE(compare(floats({3}, {1, -kInf, 1}), expected, tolerance).agree);
  EXPECT_FALSE(compare(floats({3}, {1, 1, kNaN}), expected, tolerance).agree) << "1 was not seen";
  EXPECT_FALSE(compare(floats({2}, {1.0005, 1}), floats({2}, {1, 1}), tolerance).agree)
      << "bounds of another shape";
}

TEST(Compare, UlpsAreAShareOfWhatIsAllowed) {
  Comparison one = compare(floats({1}, {1 + 0x1p-23}), floats({1}, {1}), Tolerance::ulps(4));
  EXPECT_EQ(one.maxOfAllowed, 0.25);
  EXPECT_EQ(describe(one), "off by at most 1.19e-07, 0.25 of what is allowed");
  // The wider of the two counts.
  Tolerance both = Tolerance::ulps(4);
  both.absolute = 0x1p-22;
  EXPECT_EQ(compare(floats({1}, {1 + 0x1p-23}), floats({1}, {1}), both).maxOfAllowed, 0.25);
  both.absolute = 0x1p-20;
  EXPECT_EQ(compare(floats({1}, {1 + 0x1p-23}), floats({1}, {1}), both).maxOfAllowed, 0.125);
}

TEST(Compare, IntegersThatWereSeenAgree) {
  auto bounds = std::make_shared<ElementBounds>();
  bounds->alternatives = {ints({2}, {4, 7}), ints({2}, {5, 7})};
  Tolerance tolerance;
  tolerance.elements = bounds;
  EXPECT_TRUE(compare(ints({2}, {5, 7}), ints({2}, {4, 7}), tolerance).agree);
  EXPECT_FALSE(compare(ints({2}, {4, 5}), ints({2}, {4, 7}), tolerance).agree);
  EXPECT_FALSE(compare(ints({2}, {5, 7}), ints({2}, {6, 7}), tolerance).agree) << "6 was not seen";
}

TEST(Compare, PreviewShowsTheFirstElements) {
  EXPECT_EQ(previewString(floats({3}, {0.5, kNaN, -kInf})), "tensor<3xf32> [0.5, nan, -inf]");
  EXPECT_EQ(previewString(ints({3}, {1, -2, 3}), 2), "tensor<3xi32> [1, -2, ...]");
  EXPECT_EQ(previewString(floats({0}, {})), "tensor<0xf32> []");
}
