#include "forge/Checkpoint/RandomWeights.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace forge;

static constexpr int64_t numValues = 4096;
static constexpr double deviation = 0.02;

/// The finaliser of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
static uint64_t mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

static uint64_t keyOf(const std::string &name, uint64_t seed) {
  uint64_t key = mix(seed + 0x9e3779b97f4a7c15);
  for (unsigned char byte : name)
    key = mix(key ^ byte);
  return key;
}

Result<RandomWeight> RandomWeight::create(const std::string &name, const TensorSpec &spec,
                                          uint64_t seed) {
  if (!isFloat(spec.type))
    return Error{"expected a weight of floating-point numbers to make up, but got " +
                 typeString(spec)};
  if (std::ranges::find(spec.dims, TensorSpec::dynamic) != spec.dims.end())
    return Error{"expected a weight of static sizes to make up, but got " + typeString(spec)};
  bool isConstant = spec.dims.size() < 2;
  int64_t count = isConstant ? 1 : numValues;
  Result<HostTensor> values = HostTensor::create(spec.type, {count});
  if (!values)
    return values.error();
  // Of a uniform distribution on [-a, a] the standard deviation is a / sqrt(3).
  double half = deviation * std::sqrt(3.0);
  for (int64_t i = 0; i < count; ++i)
    values->setDouble(i, isConstant ? (name.ends_with("bias") ? 0 : 1)
                                    : half * ((2.0 * static_cast<double>(i) + 1) / numValues - 1));
  return RandomWeight(spec, std::move(*values), keyOf(name, seed));
}

/// Elements from `begin` on, four of 64 random bits.
template <typename Bits>
static void fillWith(const Bits *values, bool isConstant, uint64_t key, int64_t begin, Bits *out,
                     int64_t count) {
  if (isConstant) {
    std::fill_n(out, count, values[0]);
    return;
  }
  auto bitsOf = [&](int64_t i) {
    return mix(key + static_cast<uint64_t>((begin + i) / 4) * 0x9e3779b97f4a7c15);
  };
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    uint64_t bits = bitsOf(i);
    for (int part = 0; part < 4; ++part)
      out[i + part] = values[(bits >> (16 * part)) % numValues];
  }
  if (i < count)
    for (uint64_t bits = bitsOf(i); i < count; ++i, bits >>= 16)
      out[i] = values[bits % numValues];
}

void RandomWeight::fill(int64_t begin, std::span<char> bytes) const {
  assert(begin % 4 == 0);
  auto fillAs = [&]<typename Bits>(Bits) {
    fillWith(values.dataAs<Bits>(), values.numElements() == 1, key, begin,
             reinterpret_cast<Bits *>(bytes.data()),
             static_cast<int64_t>(bytes.size() / sizeof(Bits)));
  };
  switch (byteWidth(spec.type)) {
  case 1:
    return fillAs(uint8_t());
  case 2:
    return fillAs(uint16_t());
  case 4:
    return fillAs(uint32_t());
  default:
    return fillAs(uint64_t());
  }
}

TensorSource RandomWeight::source(RandomWeight weight) {
  auto shared = std::make_shared<const RandomWeight>(std::move(weight));
  return {shared->spec, [shared](size_t offset, std::span<char> bytes) {
            shared->fill(static_cast<int64_t>(offset / byteWidth(shared->spec.type)), bytes);
          }};
}
