// Property: whatever is written is read back, bit for bit, after convertNpy.
#include "forge/Support/Npy.h"

#include "gtest/gtest.h"

#include <rapidcheck.h>

#include <cmath>
#include <filesystem>

#include <unistd.h>

using namespace forge;

namespace {

constexpr DType kTypes[] = {DType::F64,    DType::F32, DType::F16, DType::BF16, DType::F8E4M3FN,
                            DType::F8E5M2, DType::I1,  DType::I4,  DType::U4,   DType::I8,
                            DType::U8,     DType::I16, DType::U16, DType::I32,  DType::U32,
                            DType::I64,    DType::U64};

/// Any bits the type has; for i4 those of a sign-extended byte. A NaN keeps its being NaN only.
uint64_t anyBits(DType type) {
  uint64_t bits = *rc::gen::arbitrary<uint64_t>();
  if (type == DType::I4)
    return (bits & 0xf) >= 8 ? (bits & 0xf) | 0xf0 : bits & 0xf;
  unsigned width = bitWidth(type);
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
    DType type = *rc::gen::elementOf(std::vector<DType>(std::begin(kTypes), std::end(kTypes)));
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
