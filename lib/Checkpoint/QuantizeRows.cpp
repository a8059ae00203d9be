#include "forge/Checkpoint/QuantizeRows.h"

#include "forge/Support/NibbleFormat.h"
#include "forge/Support/Pieces.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <span>

using namespace forge;

namespace {
/// Rows of a matrix as f32, which holds all of its types.
class RowReader {
public:
  explicit RowReader(const HostTensor &matrix)
      : matrix(matrix), columns(matrix.dims()[1]), row(static_cast<size_t>(columns)) {}

  const std::vector<float> &read(int64_t number) {
    int64_t first = number * columns;
    for (int64_t k = 0; k < columns; ++k)
      row[static_cast<size_t>(k)] = element(first + k);
    return row;
  }

private:
  float element(int64_t place) const {
    if (matrix.type() == DType::F32)
      return matrix.dataAs<float>()[place];
    if (matrix.type() == DType::BF16)
      return std::bit_cast<float>(static_cast<uint32_t>(matrix.dataAs<uint16_t>()[place]) << 16);
    return static_cast<float>(matrix.getDouble(place));
  }

  const HostTensor &matrix;
  int64_t columns;
  std::vector<float> row;
};
} // namespace

/// NaN where a number is not finite.
static float largestOf(std::span<const float> numbers) {
  float largest = 0;
  for (float number : numbers) {
    if (!std::isfinite(number))
      return NAN;
    largest = std::max(largest, std::abs(number));
  }
  return largest;
}

/// Calls `compute` with a reader and the number of each row, on several threads.
template <typename Compute> static void forEachRow(const HostTensor &matrix, Compute compute) {
  constexpr int64_t leastOfPiece = 1 << 20;
  int64_t rows = matrix.dims()[0], columns = std::max<int64_t>(matrix.dims()[1], 1);
  forEachPiece(static_cast<size_t>(rows),
               static_cast<size_t>(std::max<int64_t>(leastOfPiece / columns, 1)), copyWorkers(),
               [&](size_t, size_t begin, size_t count) {
                 RowReader reader(matrix);
                 for (size_t row = begin; row < begin + count; ++row)
                   compute(reader, static_cast<int64_t>(row));
               });
}

static Error notFinite(int64_t row) {
  return Error{"expected finite numbers to quantise, but row " + std::to_string(row) +
               " has others"};
}

Result<HostTensor> forge::scalesOfRows(const HostTensor &matrix, float largest) {
  assert(matrix.dims().size() == 2);
  Result<HostTensor> scales = HostTensor::create(DType::F32, {matrix.dims()[0]});
  if (!scales)
    return scales;
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    scales->dataAs<float>()[row] = largestOf(reader.read(row)) / largest;
  });
  for (int64_t row = 0; row < matrix.dims()[0]; ++row)
    if (std::isnan(scales->dataAs<float>()[row]))
      return notFinite(row);
  return scales;
}

Result<HostTensor> forge::quantizedRows(const HostTensor &matrix) {
  Result<HostTensor> scales = scalesOfRows(matrix);
  if (!scales)
    return scales;
  Result<HostTensor> values = HostTensor::create(DType::I8, matrix.dims());
  if (!values)
    return values;
  int64_t columns = matrix.dims()[1];
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    const std::vector<float> &numbers = reader.read(row);
    float scale = scales->dataAs<float>()[row];
    int8_t *out = values->dataAs<int8_t>() + row * columns;
    for (int64_t k = 0; k < columns; ++k) {
      float quotient = scale > 0 ? numbers[static_cast<size_t>(k)] / scale : 0.0f;
      out[k] = static_cast<int8_t>(std::clamp(std::nearbyint(quotient), -127.0f, 127.0f));
    }
  });
  return values;
}

/// The bits of f8E4M3FN (OCP 8-bit Floating Point Specification 1.0) of a number from -448 to 448:
/// sign, 4 bits of exponent with a bias of 7, 3 of mantissa; to nearest, ties to even. As
/// encodeFloat (forge/Support/SmallFloat.h) gives them, which is for all formats and takes three
/// times as long; a model has billions.
static uint8_t float8Bits(float number) {
  constexpr int mantissaBits = 3, leastExponent = -6, bias = 7;
  constexpr float stepsOfOne = 1 << (mantissaBits - leastExponent);
  uint32_t bits = std::bit_cast<uint32_t>(number);
  auto sign = static_cast<uint8_t>((bits >> 24) & 0x80);
  int exponent = static_cast<int>((bits >> 23) & 0xff) - 127;
  if (exponent < leastExponent) { // steps of 2^-9; 8 of them are the least normal number
    auto steps = static_cast<uint8_t>(std::nearbyint(std::abs(number) * stepsOfOne));
    return static_cast<uint8_t>(sign | steps);
  }
  // A carry out of the mantissa is one into the exponent.
  uint32_t rest = bits & 0x7fffffff;
  uint32_t odd = (rest >> (23 - mantissaBits)) & 1;
  rest = (rest + ((1u << (22 - mantissaBits)) - 1) + odd) >> (23 - mantissaBits);
  return static_cast<uint8_t>(sign | (rest - ((127u - bias) << mantissaBits)));
}

Result<HostTensor> forge::float8Rows(const HostTensor &matrix) {
  Result<HostTensor> scales = scalesOfRows(matrix, kLargestFloat8);
  if (!scales)
    return scales;
  Result<HostTensor> values = HostTensor::create(DType::F8E4M3FN, matrix.dims());
  if (!values)
    return values;
  int64_t columns = matrix.dims()[1];
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    const std::vector<float> &numbers = reader.read(row);
    float scale = scales->dataAs<float>()[row];
    uint8_t *out = values->dataAs<uint8_t>() + row * columns;
    for (int64_t k = 0; k < columns; ++k) {
      float quotient = scale > 0 ? numbers[static_cast<size_t>(k)] / scale : 0.0f;
      out[k] = float8Bits(std::clamp(quotient, -kLargestFloat8, kLargestFloat8));
    }
  });
  return values;
}

/// The elements of a row from `first` that share a scale.
static std::span<const float> groupAt(const std::vector<float> &row, int64_t first) {
  auto begin = static_cast<size_t>(first);
  return std::span(row).subspan(begin, std::min<size_t>(kNibbleGroup, row.size() - begin));
}

Result<HostTensor> forge::scalesOfGroups(const HostTensor &matrix) {
  assert(matrix.dims().size() == 2);
  int64_t rows = matrix.dims()[0], columns = matrix.dims()[1], groups = groupsOfNibbles(columns);
  Result<HostTensor> scales = HostTensor::create(DType::BF16, {rows, groups});
  if (!scales)
    return scales;
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    const std::vector<float> &numbers = reader.read(row);
    for (int64_t group = 0; group < groups; ++group)
      scales->setDouble(row * groups + group,
                        largestOf(groupAt(numbers, group * kNibbleGroup)) / 7);
  });
  for (int64_t i = 0; i < rows * groups; ++i)
    if (!std::isfinite(scales->getDouble(i)))
      return notFinite(i / groups);
  return scales;
}

/// The word of the elements of `numbers`, eight at most.
static uint32_t wordOf(std::span<const float> numbers, float scale) {
  uint32_t word = 0;
  for (size_t i = 0; i < kNibblesOfWord; ++i) {
    float quotient = i < numbers.size() && scale > 0 ? numbers[i] / scale : 0.0f;
    auto code = static_cast<int64_t>(std::clamp(std::nearbyint(quotient), -7.0f, 7.0f));
    word |= static_cast<uint32_t>(code + kNibbleZero) << (4 * i);
  }
  return word;
}

Result<HostTensor> forge::quantizedNibbles(const HostTensor &matrix) {
  Result<HostTensor> scales = scalesOfGroups(matrix);
  if (!scales)
    return scales;
  int64_t rows = matrix.dims()[0], columns = matrix.dims()[1], words = wordsOfNibbles(columns),
          groups = groupsOfNibbles(columns);
  Result<HostTensor> packed = HostTensor::create(DType::I32, {rows, words});
  if (!packed)
    return packed;
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    const std::vector<float> &numbers = reader.read(row);
    auto *out = reinterpret_cast<uint32_t *>(packed->dataAs<int32_t>()) + row * words;
    for (int64_t word = 0; word < words; ++word) {
      auto first = static_cast<size_t>(word * kNibblesOfWord);
      auto scale = static_cast<float>(
          scales->getDouble(row * groups + word * kNibblesOfWord / kNibbleGroup));
      out[word] = wordOf(std::span(numbers).subspan(
                             first, std::min<size_t>(kNibblesOfWord, numbers.size() - first)),
                         scale);
    }
  });
  return packed;
}

Result<HostTensor> forge::quantizedPart(const HostTensor &matrix, QuantizedMatrix::Part part) {
  switch (part) {
  case QuantizedMatrix::Part::Values:
    return quantizedRows(matrix);
  case QuantizedMatrix::Part::Scales:
    return scalesOfRows(matrix);
  case QuantizedMatrix::Part::Nibbles:
    return quantizedNibbles(matrix);
  case QuantizedMatrix::Part::NibbleScales:
    return scalesOfGroups(matrix);
  case QuantizedMatrix::Part::FloatValues:
    return float8Rows(matrix);
  case QuantizedMatrix::Part::FloatScales:
    return scalesOfRows(matrix, kLargestFloat8);
  }
  return Error{"expected a part of a matrix"};
}
