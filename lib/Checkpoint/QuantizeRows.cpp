#include "forge/Checkpoint/QuantizeRows.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <thread>

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

static float scaleOf(const std::vector<float> &row) {
  float largest = 0;
  for (float number : row)
    largest = std::max(largest, std::abs(number));
  return largest / 127;
}

/// Calls `compute` with a reader and the number of each row, on several threads.
template <typename Compute> static void forEachRow(const HostTensor &matrix, Compute compute) {
  int64_t rows = matrix.dims()[0];
  constexpr int64_t leastOfThread = 1 << 20;
  int64_t threads = std::clamp<int64_t>(matrix.numElements() / leastOfThread, 1,
                                        std::max(1u, std::thread::hardware_concurrency()));
  int64_t each = (rows + threads - 1) / threads;
  auto computePart = [&](int64_t begin, int64_t end) {
    RowReader reader(matrix);
    for (int64_t row = begin; row < end; ++row)
      compute(reader, row);
  };
  std::vector<std::thread> helpers;
  for (int64_t begin = each; begin < rows; begin += each)
    helpers.emplace_back(computePart, begin, std::min(begin + each, rows));
  computePart(0, std::min(each, rows));
  for (std::thread &helper : helpers)
    helper.join();
}

Result<HostTensor> forge::scalesOfRows(const HostTensor &matrix) {
  assert(matrix.dims().size() == 2);
  Result<HostTensor> scales = HostTensor::create(DType::F32, {matrix.dims()[0]});
  if (!scales)
    return scales;
  forEachRow(matrix, [&](RowReader &reader, int64_t row) {
    const std::vector<float> &numbers = reader.read(row);
    bool isFinite = std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); });
    scales->dataAs<float>()[row] = isFinite ? scaleOf(numbers) : NAN;
  });
  for (int64_t row = 0; row < matrix.dims()[0]; ++row)
    if (std::isnan(scales->dataAs<float>()[row]))
      return Error{"expected finite numbers to quantise, but row " + std::to_string(row) +
                   " has others"};
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
