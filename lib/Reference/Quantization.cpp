#include "forge/Reference/Quantization.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

Result<void> Quantization::check(const Dims &dims) const {
  Dims expected;
  int64_t rank = static_cast<int64_t>(dims.size());
  if (axis && (*axis < 0 || *axis >= rank || block))
    return Error{"expected one axis of " + dimsString(dims) + ", or a block"};
  if (block && static_cast<int64_t>(block->size()) != rank)
    return Error{"expected a block of rank " + std::to_string(rank)};
  if (axis)
    expected = {dims[*axis]};
  for (int64_t d = 0; block && d < rank; ++d) {
    if ((*block)[d] <= 0)
      return Error{"expected positive sizes for a block, but got " + dimsString(*block)};
    expected.push_back((dims[d] + (*block)[d] - 1) / (*block)[d]);
  }
  for (const HostTensor *tensor : {scale, zeroPoint})
    if (tensor && tensor->dims() != expected)
      return Error{"expected a scale and zero point of shape " + dimsString(expected) +
                   ", but got " + typeString(*tensor)};
  return {};
}

int64_t Quantization::at(const Dims &index) const {
  if (axis)
    return index[*axis];
  if (!block)
    return 0;
  Dims place = index;
  for (size_t d = 0; d < place.size(); ++d)
    place[d] /= (*block)[d];
  return flatten(place, stridesOf(scale->dims()));
}

static double largestOf(DType type) { return type == DType::F8E4M3FN ? 448 : 57344; }

Result<HostTensor> reference::quantize(const HostTensor &x, const Quantization &quantization,
                                       DType quotientType, DType narrow,
                                       std::optional<DType> carrier) {
  if (Result<void> ok = quantization.check(x.dims()); !ok)
    return ok.error();
  DType stored = isFloat(narrow) ? carrier.value_or(narrow) : narrow;
  Result<HostTensor> result = HostTensor::create(stored, x.dims());
  if (!result)
    return result;
  Dims index(x.dims().size(), 0);
  for (int64_t i = 0; i < x.numElements(); ++i, advance(index, x.dims())) {
    int64_t group = quantization.at(index);
    double quotient =
        roundToType(quotientType, x.getDouble(i) / quantization.scale->getDouble(group));
    if (isFloat(narrow)) {
      double largest = largestOf(narrow);
      result->setDouble(i,
                        std::isnan(quotient) ? quotient : std::clamp(quotient, -largest, largest));
      continue;
    }
    double low = -std::ldexp(1.0, static_cast<int>(bitWidth(narrow)) - 1), high = -low - 1;
    double zero = 0;
    if (quantization.zeroPoint)
      zero = static_cast<double>(getInteger(*quantization.zeroPoint, group));
    double value = std::isnan(quotient) ? zero : std::nearbyint(quotient) + zero;
    setInteger(*result, i,
               static_cast<uint64_t>(static_cast<int64_t>(std::clamp(value, low, high))));
  }
  return result;
}

Result<QuantizedRows> reference::quantizeRows(const HostTensor &x, DType computed, DType narrow,
                                              std::optional<DType> carrier,
                                              std::optional<DType> scaleCarrier) {
  if (x.rank() == 0)
    return Error{"expected rows to quantise, but got " + typeString(x)};
  Dims rows(x.dims().begin(), x.dims().end() - 1);
  int64_t columns = x.dims().back();
  Result<HostTensor> scale = HostTensor::create(scaleCarrier.value_or(DType::F32), rows);
  if (!scale)
    return scale.error();
  for (int64_t row = 0; row < scale->numElements(); ++row) {
    double largest = 0;
    for (int64_t k = 0; k < columns; ++k) {
      double magnitude = std::abs(x.getDouble(row * columns + k));
      largest = std::isnan(magnitude) || std::isnan(largest) ? NAN : std::max(largest, magnitude);
    }
    double quotient = roundToType(computed, largest / largestOf(narrow));
    scale->setDouble(row, quotient < 0x1p-126 ? 0x1p-126 : quotient);
  }
  Result<HostTensor> numbers = HostTensor::create(carrier.value_or(narrow), x.dims());
  if (!numbers)
    return numbers.error();
  double most = largestOf(narrow);
  for (int64_t i = 0; i < x.numElements(); ++i) {
    double inverse = roundToType(computed, 1 / scale->getDouble(i / columns));
    double number = roundToType(computed, x.getDouble(i) * inverse);
    numbers->setDouble(i, std::isnan(number) ? number : std::clamp(number, -most, most));
  }
  return QuantizedRows{std::move(*numbers), std::move(*scale)};
}

Result<HostTensor> reference::dequantize(const HostTensor &x, const Quantization &quantization,
                                         DType product, DType resultType) {
  if (Result<void> ok = quantization.check(x.dims()); !ok)
    return ok.error();
  Result<HostTensor> result = HostTensor::create(resultType, x.dims());
  if (!result)
    return result;
  Dims index(x.dims().size(), 0);
  for (int64_t i = 0; i < x.numElements(); ++i, advance(index, x.dims())) {
    int64_t group = quantization.at(index);
    double value = isFloat(x.type()) ? x.getDouble(i) : static_cast<double>(getInteger(x, i));
    if (quantization.zeroPoint)
      value -= static_cast<double>(getInteger(*quantization.zeroPoint, group));
    result->setDouble(i, roundToType(product, value * quantization.scale->getDouble(group)));
  }
  return result;
}
