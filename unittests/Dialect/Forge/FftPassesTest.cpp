#include "forge/Dialect/Forge/IR/FftPasses.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

using namespace forge;

static std::vector<int64_t> passes(int64_t length) {
  llvm::SmallVector<int64_t> found = fftPasses(length);
  return {found.begin(), found.end()};
}

using Radices = std::vector<int64_t>;

TEST(FftPasses, AreFewAndBalanced) {
  EXPECT_EQ(passes(2), Radices{2});
  EXPECT_EQ(passes(16), Radices{16});
  EXPECT_EQ(passes(26), (Radices{13, 2}));
  EXPECT_EQ(passes(256), (Radices{16, 16}));
  EXPECT_EQ(passes(512), (Radices{8, 8, 8}));
  EXPECT_EQ(passes(768), (Radices{12, 8, 8}));
  EXPECT_EQ(passes(4096), (Radices{16, 16, 16}));
}

TEST(FftPasses, RefuseLargePrimesAndWhatIsNoLength) {
  for (int64_t length :
       {17L, 34L, 2L * 3 * 19, 1L, 0L, -16L, std::numeric_limits<int64_t>::min(), (1L << 31) - 1})
    EXPECT_TRUE(passes(length).empty()) << length;
}

TEST(FftPasses, MultiplyToTheLength) {
  for (int64_t length = 2; length < 5000; ++length) {
    Radices found = passes(length);
    if (found.empty())
      continue;
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t(1), std::multiplies<>()), length);
    EXPECT_TRUE(
        llvm::all_of(found, [](int64_t radix) { return radix > 1 && radix <= kMostRadix; }));
    EXPECT_TRUE(llvm::is_sorted(found, std::greater<>()));
  }
}

TEST(FftPasses, BytesAreOfWhatAPassReadsAndWrites) {
  EXPECT_EQ(fftLineBytes(16, 4, false), 0);                  // in registers alone
  EXPECT_EQ(fftLineBytes(256, 4, false), 1 * 2 * 4 * 264);   // written once
  EXPECT_EQ(fftLineBytes(4096, 4, false), 2 * 2 * 4 * 4224); // read and written
  EXPECT_EQ(fftLineBytes(8192, 4, true), 2 * 2 * 4 * 4224);  // in pairs
  EXPECT_EQ(fftLineBytes(15, 8, true), 0);                   // no pairs
}
