// Sums whose partial sums are rounded: many terms at once are as many terms one by one.
#include "forge/Reference/Rounding.h"

#include "forge/Support/MatrixArithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace forge;
using namespace forge::reference;

namespace {
/// Rounds to f32, to nearest; what is off by chance is one standard deviation up.
class ToNearest : public Rounding {
public:
  ToNearest(int64_t chain, const MatrixArithmetic *matrix) : terms(chain), matrix(matrix) {}
  double unit() const override { return 0x1p-24; }
  double random() override { return 1; }
  double accumulated(double value) override { return static_cast<float>(value); }
  double stored(double value) override { return value; }
  double storedAtAnyScale(double value) override { return value; }
  Overflow overflow() override { return Overflow::None; }
  int64_t chain() const override { return terms; }
  const MatrixArithmetic *matrixUnit() const override { return matrix; }

private:
  int64_t terms;
  const MatrixArithmetic *matrix;
};
} // namespace

/// Products of 16-bit numbers of both signs and many magnitudes, with zeros among them.
static std::vector<double> someTerms(size_t count) {
  std::mt19937_64 random(5);
  std::vector<double> terms(count);
  for (double &term : terms)
    term = random() % 7 == 0 ? 0.0
                             : std::ldexp(static_cast<double>(random() % 65536) - 32768.0,
                                          static_cast<int>(random() % 12) - 20);
  return terms;
}

static double oneByOne(const std::vector<double> &terms) {
  Sum sum = Sum::ofProducts();
  for (double term : terms)
    sum += term;
  return sum.value();
}

/// In runs of 1, 2, 3 ... terms.
static double inRuns(const std::vector<double> &terms) {
  Sum sum = Sum::ofProducts();
  int64_t count = static_cast<int64_t>(terms.size()), run = 1;
  for (int64_t first = 0; first < count; first += run++)
    sum.add(terms.data() + first, std::min(run, count - first));
  return sum.value();
}

TEST(Sum, OfManyTermsAtOnceIsThatOfEach) {
  const MatrixArithmetic *hopper = matrixArithmeticOf("sm_90a", DType::BF16, true);
  const MatrixArithmetic *stages = productArithmeticOf("sm_90a", DType::F8E4M3FN);
  ASSERT_TRUE(hopper && stages && stages->stageTerms > 0);
  std::vector<double> terms = someTerms(1000);
  EXPECT_EQ(oneByOne(terms), inRuns(terms));
  std::vector<double> seen;
  for (auto [chain, matrix] : {std::pair(int64_t(0), (const MatrixArithmetic *)nullptr),
                               {1, nullptr},
                               {64, nullptr},
                               {4096, nullptr},
                               {64, hopper},
                               {64, stages}}) {
    ToNearest rounding(chain, matrix);
    RoundingScope scope(&rounding);
    EXPECT_EQ(oneByOne(terms), inRuns(terms)) << chain;
    seen.push_back(oneByOne(terms));
  }
  // They are not all the same sum.
  EXPECT_NE(seen[0], seen[2]);
  EXPECT_NE(seen[2], seen[3]);
  EXPECT_NE(seen[2], seen[4]);
  EXPECT_NE(seen[4], seen[5]);
}

TEST(Sum, InChainsIsRoundedAfterEachTerm) {
  std::vector<double> terms = someTerms(150);
  float joined = 0, chain = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    chain = static_cast<float>(chain + terms[i]);
    if (i % 64 != 63)
      continue;
    joined += chain;
    chain = 0;
  }
  ToNearest rounding(64, nullptr);
  RoundingScope scope(&rounding);
  EXPECT_EQ(inRuns(terms), joined + chain);
}

TEST(Sum, OfNothingIsZero) {
  for (int64_t chain : {0, 64}) {
    ToNearest rounding(chain, nullptr);
    RoundingScope scope(&rounding);
    EXPECT_EQ(inRuns({}), 0);
  }
  EXPECT_EQ(inRuns({}), 0);
  // What begins as -0 stays it.
  EXPECT_TRUE(std::signbit(Sum(-0.0).value()));
}
