#include "forge/Reference/Linear.h"

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Rounding.h"
#include "forge/Reference/Shape.h"

#include <algorithm>

using namespace forge;
using namespace forge::reference;

Result<HostTensor> reference::linear(const HostTensor &input, const HostTensor &weights,
                                     const Quantization &quantization, const Epilogue &epilogue,
                                     DType result, const HostTensor *inputScale) {
  MatmulOptions options{.transposeRhs = true, .epilogue = epilogue};
  if (!quantization.scale)
    return matmul(input, weights, options, result);
  Result<HostTensor> numbers = dequantize(weights, quantization, DType::F64, DType::F64);
  if (!numbers)
    return numbers;
  if (!inputScale)
    return matmul(input, *numbers, options, result);
  Dims rows = inputScale->dims(), block(input.dims().size(), 1);
  rows.push_back(1);
  block.back() = std::max<int64_t>(input.dims().back(), 1);
  Result<HostTensor> scale = reshape(*inputScale, rows);
  if (!scale)
    return scale;
  Result<HostTensor> left =
      dequantize(input, {.scale = &*scale, .block = block}, DType::F64, DType::F64);
  return left ? matmul(*left, *numbers, options, result) : left;
}

/// The rows [begin, end) of group `e`, where the one before it ended at `previous`.
static std::pair<int64_t, int64_t> rowsOf(const HostTensor &groups, bool offsets, int64_t e,
                                          int64_t previous, int64_t rows) {
  if (!offsets) {
    int64_t size = std::clamp<int64_t>(getInteger(groups, e), 0, rows - previous);
    return {previous, previous + size};
  }
  int64_t begin = std::clamp<int64_t>(getInteger(groups, e), 0, rows);
  return {begin, std::clamp<int64_t>(getInteger(groups, e + 1), begin, rows)};
}

Result<HostTensor> reference::groupedMatmul(const HostTensor &lhs, const HostTensor &rhs,
                                            const HostTensor &groups, const GroupedOptions &options,
                                            DType resultType) {
  if (lhs.rank() != 2 || rhs.rank() != 3 ||
      groups.dims() != Dims{rhs.dims()[0] + (options.offsets ? 1 : 0)})
    return Error{"cannot multiply groups " + typeString(groups) + " of " + typeString(lhs) +
                 " with " + typeString(rhs)};
  int64_t rows = lhs.dims()[0], depth = lhs.dims()[1], experts = rhs.dims()[0];
  int64_t columns = rhs.dims()[options.transposeRhs ? 1 : 2];
  Result<HostTensor> result = HostTensor::create(resultType, {rows, columns});
  int64_t end = 0;
  for (int64_t e = 0; result && e < experts; ++e) {
    auto [begin, limit] = rowsOf(groups, options.offsets, e, end, rows);
    end = limit;
    Result<HostTensor> part = slice(lhs, {begin, 0}, {end, depth}, {1, 1});
    Result<HostTensor> expert =
        slice(rhs, {e, 0, 0}, {e + 1, rhs.dims()[1], rhs.dims()[2]}, {1, 1, 1});
    Result<HostTensor> matrix =
        expert ? reshape(*expert, {rhs.dims()[1], rhs.dims()[2]}) : std::move(expert);
    if (!part || !matrix)
      return part ? matrix.error() : part.error();
    MatmulOptions product{.transposeRhs = options.transposeRhs,
                          .epilogue = {.activation = options.activation}};
    HostTensor bias;
    if (options.bias) {
      Result<HostTensor> row = slice(*options.bias, {e, 0}, {e + 1, columns}, {1, 1});
      if (!row)
        return row;
      bias = *reshape(*row, {columns});
      product.epilogue.bias = &bias;
    }
    Result<HostTensor> values = matmul(*part, *matrix, product, resultType);
    if (!values)
      return values;
    for (int64_t i = 0; i < values->numElements(); ++i)
      copyElement(*result, begin * columns + i, *values, i);
  }
  return result;
}

/// activation(input . weight + bias) + residual, of the input's type.
static Result<HostTensor> apply(const HostTensor &input, Layer layer, const MlpOptions &options,
                                std::optional<Activation> activation,
                                const HostTensor *residual = nullptr) {
  return matmul(
      input, *layer.weight,
      {.transposeRhs = options.transposeWeights, .epilogue = {layer.bias, residual, activation}},
      input.type());
}

/// What goes on to the next product, as a tensor of the element type that the operation has.
static void store(HostTensor &tensor) {
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, stored(tensor.getDouble(i)));
}

Result<HostTensor> reference::mlp(const HostTensor &input, Layer up, Layer down,
                                  const MlpOptions &options) {
  Result<HostTensor> hidden = apply(input, up, options, options.activation);
  if (!hidden)
    return hidden;
  store(*hidden);
  return apply(*hidden, down, options, std::nullopt, options.residual);
}

Result<HostTensor> reference::gatedMlp(const HostTensor &input, Layer gate, Layer up, Layer down,
                                       const MlpOptions &options) {
  Result<HostTensor> gates = apply(input, gate, options, options.activation);
  Result<HostTensor> branch = apply(input, up, options, std::nullopt);
  if (!gates || !branch)
    return gates ? branch.error() : gates.error();
  store(*gates);
  store(*branch);
  Result<HostTensor> hidden = binary(BinaryOp::Multiply, *gates, *branch);
  if (!hidden)
    return hidden;
  store(*hidden);
  return apply(*hidden, down, options, std::nullopt, options.residual);
}
