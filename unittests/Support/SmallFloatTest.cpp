// The narrow float formats: every code, ties and neighbours of ties, the ends of the range.
#include "forge/Support/SmallFloat.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace forge;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr DType kSmall[] = {DType::F16,           DType::BF16,       DType::F8E4M3FN,
                            DType::F8E5M2,        DType::F8E3M4,     DType::F8E4M3,
                            DType::F8E4M3B11FNUZ, DType::F8E4M3FNUZ, DType::F8E5M2FNUZ,
                            DType::F8E8M0FNU,     DType::F4E2M1FN};

uint64_t codesOf(DType type) { return uint64_t(1) << bitWidth(type); }

TEST(SmallFloat, EveryNumberIsItself) {
  for (DType type : kSmall)
    for (uint64_t code = 0; code < codesOf(type); ++code) {
      double value = decodeFloat(type, code);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(decodeFloat(type, encodeFloat(type, value))));
      else
        EXPECT_EQ(encodeFloat(type, value), code) << dtypeName(type);
    }
}

// Between two neighbours: the nearer one, in the middle the even one (the larger of powers of two).
TEST(SmallFloat, RoundsToNearest) {
  for (DType type : kSmall)
    for (uint64_t code = 0; code + 1 < codesOf(type); ++code) {
      double low = decodeFloat(type, code), high = decodeFloat(type, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high) || std::signbit(low) != std::signbit(high))
        continue;
      double middle = (low + high) / 2;
      if (type == DType::F8E8M0FNU && code == 0) // PowersOfTwoHaveNeitherZeroNorSign
        continue;
      bool takesNext = type == DType::F8E8M0FNU || code % 2;
      EXPECT_EQ(encodeFloat(type, middle), code + takesNext) << dtypeName(type) << " " << middle;
      EXPECT_EQ(encodeFloat(type, std::nextafter(middle, low)), code) << dtypeName(type);
      EXPECT_EQ(encodeFloat(type, std::nextafter(middle, high)), code + 1) << dtypeName(type);
    }
}

struct Ends {
  DType type;
  double largest, least; // above 0
  uint64_t ofInfinity, ofMinusInfinity, ofNan, ofMinus0;
};

// By ml_dtypes 0.6.
TEST(SmallFloat, EndsOfTheRange) {
  for (const Ends &ends : {Ends{DType::F8E3M4, 15.5, 0x1p-6, 0x70, 0xf0, 0x78, 0x80},
                           Ends{DType::F8E4M3, 240, 0x1p-9, 0x78, 0xf8, 0x7c, 0x80},
                           Ends{DType::F8E4M3FN, 448, 0x1p-9, 0x7f, 0xff, 0x7f, 0x80},
                           Ends{DType::F8E5M2, 57344, 0x1p-16, 0x7c, 0xfc, 0x7e, 0x80},
                           Ends{DType::F8E4M3B11FNUZ, 30, 0x1p-13, 0x80, 0x80, 0x80, 0},
                           Ends{DType::F8E4M3FNUZ, 240, 0x1p-10, 0x80, 0x80, 0x80, 0},
                           Ends{DType::F8E5M2FNUZ, 57344, 0x1p-17, 0x80, 0x80, 0x80, 0},
                           Ends{DType::F8E8M0FNU, 0x1p127, 0x1p-127, 0xff, 0xff, 0xff, 0xff},
                           Ends{DType::F4E2M1FN, 6, 0.5, 0x7, 0xf, 0x8, 0x8}}) {
    SCOPED_TRACE(dtypeName(ends.type));
    EXPECT_EQ(encodeFloat(ends.type, kInf), ends.ofInfinity);
    EXPECT_EQ(encodeFloat(ends.type, -kInf), ends.ofMinusInfinity);
    EXPECT_EQ(encodeFloat(ends.type, 1e300), ends.ofInfinity);
    EXPECT_EQ(encodeFloat(ends.type, kNan), ends.ofNan);
    EXPECT_EQ(encodeFloat(ends.type, -0.0), ends.ofMinus0);
    double largest = 0, least = kInf;
    for (uint64_t code = 0; code < codesOf(ends.type); ++code)
      if (double value = decodeFloat(ends.type, code); std::isfinite(value) && value > 0) {
        largest = std::fmax(largest, value);
        least = std::fmin(least, value);
      }
    EXPECT_EQ(largest, ends.largest);
    EXPECT_EQ(least, ends.least);
  }
}

TEST(SmallFloat, PowersOfTwoHaveNeitherZeroNorSign) {
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0.0), 0xffu);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, -1.0), 0xffu);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 1e-45), 0u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0x1p-127), 0u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0x1.000002p-127), 1u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0x1.7fffffp127), 0xfeu);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0x1.8p127), 0xffu);
}

} // namespace
