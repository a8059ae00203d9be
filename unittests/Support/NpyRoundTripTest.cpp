// Property: whatever is written is read back, bit for bit, after convertNpy.
#include "forge/Support/Npy.h"

#include "gtest/gtest.h"

#include <rapidcheck.h>

#include <cmath>
#include <filesystem>

#include <unistd.h>

using namespace forge;

namespace {

std::vector<DType> everyType() {
  std::vector<DType> types;
  for (int i = 0; i <= static_cast<int>(DType::U64); ++i)
    types.push_back(static_cast<DType>(i));
  return types;
}

/// Any bits the type has; for i2 and i4 those of a sign-extended byte. A NaN keeps its being NaN
/// only.
uint64_t anyBits(DType type) {
  uint64_t bits = *rc::gen::arbitrary<uint64_t>();
  unsigned width = bitWidth(type);
  if (isSignedInteger(type) && width < 8)
    return static_cast<uint8_t>(static_cast<int8_t>(bits << (8 - width)) >> (8 - width));
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

bool sameElement(const HostTensor &a, const HostTensor &b, int64_t i) {
  bool bothNan = isFloat(a.type()) && std::isnan(a.getDouble(i)) && std::isnan(b.getDouble(i));
  return bothNan || a.getBits(i) == b.getBits(i);
}

TEST(NpyRoundTrip, EveryTypeAndShape) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("forge-roundtrip-" + std::to_string(getpid()) + ".npy"))
                         .string();
  bool holds = rc::check("what is written is read back", [&] {
    DType type = *rc::gen::elementOf(everyType());
    auto rank = *rc::gen::inRange<size_t>(0, 5);
    auto dims = *rc::gen::container<std::vector<int64_t>>(rank, rc::gen::inRange<int64_t>(0, 5));
    Result<HostTensor> tensor = HostTensor::create(type, dims);
    RC_ASSERT(static_cast<bool>(tensor));
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      tensor->setBits(i, anyBits(type));
    RC_ASSERT(static_cast<bool>(writeNpy(path, *tensor)));
    Result<HostTensor> stored = readNpy(path);
    RC_ASSERT(static_cast<bool>(stored));
    RC_ASSERT(stored->type() == npyStorageType(type));
    Result<HostTensor> back = convertNpy(*stored, type);
    RC_ASSERT(static_cast<bool>(back));
    RC_ASSERT(back->dims() == dims);
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      RC_ASSERT(sameElement(*tensor, *back, i));
  });
  std::filesystem::remove(path);
  EXPECT_TRUE(holds);
}

} // namespace
