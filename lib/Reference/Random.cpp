#include "forge/Reference/Random.h"

#include "forge/Reference/Rounding.h"
#include "forge/Reference/SpecialFunctions.h"
#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

using namespace forge;
using namespace forge::reference;

static uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
static uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
static uint64_t join(uint32_t low, uint32_t high) {
  return low | static_cast<uint64_t>(high) << 32;
}

std::array<uint32_t, 2> reference::threefry2x32(std::array<uint32_t, 2> key,
                                                std::array<uint32_t, 2> counter) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAu};
  uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}

std::array<uint32_t, 4> reference::philox4x32(std::array<uint32_t, 2> key,
                                              std::array<uint32_t, 4> counter) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t{0xD2511F53} * counter[0], second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1],
               low(first)};
    key[0] += 0x9E3779B9u; // the golden ratio
    key[1] += 0xBB67AE85u; // the square root of 3, less one
  }
  return counter;
}

namespace {
struct Words {
  std::vector<uint64_t> elements;
  uint64_t blocks;
};
} // namespace

static Words threefry64(uint64_t key, uint64_t counter, int64_t count) {
  Words words{std::vector<uint64_t>(static_cast<size_t>(count)), static_cast<uint64_t>(count)};
  for (int64_t i = 0; i < count; ++i) {
    uint64_t at = counter + static_cast<uint64_t>(i);
    std::array<uint32_t, 2> block = threefry2x32({low(key), high(key)}, {low(at), high(at)});
    words.elements[i] = join(block[0], block[1]);
  }
  return words;
}

/// The dimension that is halved: the first even one, else the first of the largest.
static size_t splitDimension(const Dims &dims) {
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] % 2 == 0)
      return d;
  return static_cast<size_t>(std::max_element(dims.begin(), dims.end()) - dims.begin());
}

static Words threefry32(uint64_t key, uint64_t counter, const Dims &dims) {
  Words words{std::vector<uint64_t>(static_cast<size_t>(product(dims))), 1};
  if (dims.empty()) {
    words.elements[0] = threefry2x32({low(key), high(key)}, {low(counter), high(counter)})[0];
    return words;
  }
  size_t split = splitDimension(dims);
  Dims half = dims, strides = stridesOf(dims), index(dims.size(), 0);
  half[split] = (dims[split] + 1) / 2;
  words.blocks = static_cast<uint64_t>(product(half));
  for (uint64_t j = 0; j < words.blocks; ++j, advance(index, half)) {
    uint64_t at = counter + j;
    std::array<uint32_t, 2> block = threefry2x32({low(key), high(key)}, {low(at), high(at)});
    Dims place = index;
    for (int64_t part = 0; part < 2; ++part) {
      place[split] = 2 * index[split] + part;
      if (place[split] < dims[split])
        words.elements[flatten(place, strides)] = block[part];
    }
  }
  return words;
}

static Words philox(uint64_t key, uint64_t counterLow, uint64_t counterHigh, int64_t count,
                    bool wide) {
  int64_t perBlock = wide ? 2 : 4;
  Words words{std::vector<uint64_t>(static_cast<size_t>(count)),
              static_cast<uint64_t>((count + perBlock - 1) / perBlock)};
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bottom = counterLow + static_cast<uint64_t>(i / perBlock);
    uint64_t top = counterHigh + (bottom < counterLow);
    std::array<uint32_t, 4> block =
        philox4x32({low(key), high(key)}, {low(bottom), high(bottom), low(top), high(top)});
    int64_t part = i % perBlock;
    words.elements[i] = wide ? join(block[2 * part], block[2 * part + 1]) : block[part];
  }
  return words;
}

static Result<void> check(RandomAlgorithm algorithm, const HostTensor &state, DType type) {
  int64_t words = state.numElements();
  bool fits = state.type() == DType::U64 && state.rank() == 1 &&
              (words == 2 || (words == 3 && algorithm != RandomAlgorithm::Threefry));
  if (!fits)
    return Error{"expected a state of 2 or (philox) 3 ui64 words, but got " + typeString(state)};
  if (type == DType::I1)
    return Error{"no random bits for element type " + std::string(dtypeName(type))};
  return {};
}

Result<RandomBits> reference::rngBitGenerator(RandomAlgorithm algorithm, const HostTensor &state,
                                              DType type, const Dims &dims) {
  if (Result<void> ok = check(algorithm, state, type); !ok)
    return ok.error();
  Result<HostTensor> output = HostTensor::create(type, dims);
  if (!output)
    return output.error();
  int64_t count = output->numElements();
  bool wide = bitWidth(type) == 64, three = state.numElements() == 3;
  bool usePhilox = algorithm != RandomAlgorithm::Threefry;
  uint64_t key = state.getBits(0), counter = state.getBits(1), top = three ? state.getBits(2) : key;
  Words words = usePhilox ? philox(key, counter, top, count, wide)
                : wide    ? threefry64(key, counter, count)
                          : threefry32(key, counter, dims);
  for (int64_t i = 0; i < count; ++i) {
    if (isFloat(type))
      output->setBits(i, words.elements[i]); // as many low bits as the element has
    else
      setInteger(*output, i, words.elements[i]);
  }
  HostTensor next = state;
  next.setBits(1, counter + words.blocks);
  if (three)
    next.setBits(2, top + (counter + words.blocks < counter));
  return RandomBits{std::move(next), std::move(*output)};
}

//===----------------------------------------------------------------------===//
// rng
//===----------------------------------------------------------------------===//

/// The largest value of `type` below `value`.
static double valueBelow(DType type, double value) {
  uint64_t bits = encodeFloat(type, std::fabs(value));
  if (value > 0)
    return decodeFloat(type, bits - 1);
  return -decodeFloat(type, value == 0 ? 1 : bits + 1);
}

/// Of the halves, since b - a may be more than the largest number.
static double uniformFloat(DType type, double a, double b, uint64_t bits) {
  if (!(a < b))
    return a;
  double u = static_cast<double>(bits >> 11) * 0x1p-53;
  double half = (b * 0.5 - a * 0.5) * u + a * 0.5;
  return std::clamp(roundToType(type, half + half), a, valueBelow(type, b));
}

static double normalFloat(double mean, double deviation, uint64_t bits) {
  int64_t odd = 2 * static_cast<int64_t>(bits >> 11) + 1 - (int64_t{1} << 53);
  double z = std::numbers::sqrt2 * erfInv(static_cast<double>(odd) * 0x1p-53);
  return mean + approximatedInDouble(deviation * z);
}

static uint64_t uniformInteger(DType type, int64_t a, int64_t b, uint64_t bits) {
  bool isSigned = isSignedInteger(type);
  auto low = static_cast<uint64_t>(a), high = static_cast<uint64_t>(b);
  bool isRange = isSigned ? a < b : low < high;
  return isRange ? low + bits % (high - low) : low;
}

Result<HostTensor> reference::rng(RandomDistribution distribution, const HostTensor &a,
                                  const HostTensor &b, DType type, const Dims &dims,
                                  uint64_t number) {
  bool isNormal = distribution == RandomDistribution::Normal;
  if (a.type() != type || b.type() != type || a.rank() != 0 || b.rank() != 0)
    return Error{"expected two numbers of type " + std::string(dtypeName(type)) + ", but got " +
                 typeString(a) + " and " + typeString(b)};
  if (isNormal && !isFloat(type))
    return Error{"no normal distribution of element type " + std::string(dtypeName(type))};
  Result<HostTensor> result = HostTensor::create(type, dims);
  if (!result)
    return result;
  int64_t count = result->numElements();
  std::vector<uint64_t> bits = philox(0x9E3779B97F4A7C15, 0, number, count, true).elements;
  for (int64_t i = 0; i < count; ++i) {
    if (!isFloat(type))
      setInteger(*result, i, uniformInteger(type, getInteger(a, 0), getInteger(b, 0), bits[i]));
    else if (isNormal)
      result->setDouble(i, normalFloat(a.getDouble(0), b.getDouble(0), bits[i]));
    else
      result->setDouble(i, uniformFloat(type, a.getDouble(0), b.getDouble(0), bits[i]));
  }
  return result;
}
