#include "Fold.h"

#include <optional>
#include <utility>

using namespace forge;
using namespace forge::reference;

Window Window::of(Dims sizes) {
  Dims ones(sizes.size(), 1), zeros(sizes.size(), 0);
  return {std::move(sizes), ones, ones, ones, zeros, zeros};
}

Result<Dims> reference::windowedDims(const Dims &inputDims, const Window &window) {
  size_t rank = inputDims.size();
  for (const Dims *entries : {&window.sizes, &window.strides, &window.baseDilations,
                              &window.windowDilations, &window.low, &window.high})
    if (entries->size() != rank)
      return Error{"expected " + std::to_string(rank) + " window entries, but got " +
                   std::to_string(entries->size())};
  Dims interior = window.baseDilations;
  for (int64_t &gap : interior)
    --gap;
  Result<Dims> padded = paddedDims(inputDims, window.low, window.high, interior);
  for (size_t d = 0; padded && d < rank; ++d) {
    int64_t &size = (*padded)[d], extent;
    bool invalid = window.sizes[d] < 1 || window.strides[d] < 1 || window.baseDilations[d] < 1 ||
                   window.windowDilations[d] < 1 ||
                   __builtin_mul_overflow(window.sizes[d] - 1, window.windowDilations[d], &extent);
    if (invalid)
      return Error{"invalid window in dimension " + std::to_string(d)};
    size = size <= extent ? 0 : (size - extent - 1) / window.strides[d] + 1;
  }
  return padded;
}

/// Where element `offset` of the window at `place` is along dimension `d` of the input; nothing in
/// padding and gaps.
static std::optional<int64_t> inputIndex(const Dims &inputDims, const Window &window, size_t d,
                                         int64_t place, int64_t offset) {
  int64_t index = place * window.strides[d] + offset * window.windowDilations[d] - window.low[d];
  if (int64_t dilation = window.baseDilations[d]; dilation > 1) {
    if (index % dilation != 0)
      return std::nullopt;
    index /= dilation;
  }
  return index < 0 || index >= inputDims[d] ? std::nullopt : std::optional(index);
}

/// The row-major position in the input of row `offset` of the window at `place`, of all dimensions
/// but the last.
static std::optional<int64_t> inputRow(const Dims &inputDims, const Window &window,
                                       const Dims &place, const Dims &offset) {
  int64_t row = 0;
  for (size_t d = 0; d + 1 < inputDims.size(); ++d) {
    std::optional<int64_t> index = inputIndex(inputDims, window, d, place[d], offset[d]);
    if (!index)
      return std::nullopt;
    row = row * inputDims[d] + *index;
  }
  return row;
}

/// Calls visit(result position, input position or nothing) for every window and, within, every
/// element, in row-major order.
template <typename Visit>
static Result<void> forEachWindowElement(const Dims &inputDims, const Dims &resultDims,
                                         const Window &window, Visit visit) {
  if (inputDims.empty())
    return visit(0, std::optional<int64_t>(0));
  Dims place(resultDims.size(), 0), rows = window.sizes;
  rows.back() = 1;
  size_t last = inputDims.size() - 1;
  for (int64_t r = 0, count = product(resultDims); r < count; ++r, advance(place, resultDims)) {
    Dims row(inputDims.size(), 0);
    do {
      std::optional<int64_t> from = inputRow(inputDims, window, place, row);
      for (int64_t i = 0; i < window.sizes[last]; ++i) {
        std::optional<int64_t> index =
            from ? inputIndex(inputDims, window, last, place[last], i) : std::nullopt;
        if (index)
          *index += *from * inputDims[last];
        if (Result<void> ok = visit(r, index); !ok)
          return ok;
      }
    } while (advance(row, rows));
  }
  return {};
}

Result<std::vector<HostTensor>> reference::reduceWindow(const std::vector<HostTensor> &inputs,
                                                        const std::vector<HostTensor> &inits,
                                                        const Window &window, const Body &body) {
  if (inputs.empty() || inputs.size() != inits.size())
    return Error{"expected as many initial values as inputs"};
  Result<Dims> dims = windowedDims(inputs[0].dims(), window);
  if (!dims)
    return dims.error();
  Result<std::vector<HostTensor>> results = accumulators(inits, *dims);
  if (!results)
    return results.error();
  auto visit = [&](int64_t at, std::optional<int64_t> from) -> Result<void> {
    return from ? fold(*results, at, inputs, *from, body) : fold(*results, at, inits, 0, body);
  };
  if (Result<void> ok = forEachWindowElement(inputs[0].dims(), *dims, window, visit); !ok)
    return ok.error();
  return results;
}

Result<HostTensor> reference::reduceWindow(const HostTensor &input, const HostTensor &init,
                                           const Window &window, BinaryOp op, DType resultType) {
  Result<Dims> dims = windowedDims(input.dims(), window);
  if (!dims)
    return dims.error();
  if (!isDefined(op, input.type()) || op == BinaryOp::NextAfter ||
      isFloat(input.type()) != isFloat(resultType))
    return Error{"cannot reduce " + typeString(input) + " to " +
                 std::string(dtypeName(resultType))};
  Result<HostTensor> result = HostTensor::create(resultType, *dims);
  if (!result)
    return result;
  bool isFloating = isFloat(resultType);
  std::vector<double> sums(isFloating ? result->numElements() : 0,
                           isFloating ? init.getDouble(0) : 0);
  for (int64_t i = 0; !isFloating && i < result->numElements(); ++i)
    setInteger(*result, i, getInteger(init, 0));
  auto visit = [&](int64_t at, std::optional<int64_t> from) -> Result<void> {
    if (isFloating)
      sums[at] = binaryFloat(op, sums[at], from ? input.getDouble(*from) : init.getDouble(0));
    else
      setInteger(*result, at,
                 binaryInteger(op, resultType, getInteger(*result, at),
                               from ? getInteger(input, *from) : getInteger(init, 0)));
    return {};
  };
  if (Result<void> ok = forEachWindowElement(input.dims(), *dims, window, visit); !ok)
    return ok.error();
  return isFloating ? fromDoubles(resultType, *dims, sums) : std::move(result);
}

Result<HostTensor> reference::selectAndScatter(const HostTensor &operand, const HostTensor &source,
                                               const HostTensor &init, const Window &window,
                                               const Body &select, const Body &scatter) {
  Result<Dims> dims = windowedDims(operand.dims(), window);
  if (!dims)
    return dims.error();
  if (*dims != source.dims())
    return Error{"expected a source of shape " + dimsString(*dims) + ", but got " +
                 typeString(source)};
  Result<HostTensor> result = broadcastInDim(init, {}, operand.dims());
  if (!result)
    return result;
  // 1. The element each window selects.
  std::vector<int64_t> selected(static_cast<size_t>(source.numElements()), -1);
  auto choose = [&](int64_t at, std::optional<int64_t> from) -> Result<void> {
    if (from && selected[at] < 0)
      selected[at] = *from;
    else if (from) {
      auto keep = select({scalarAt(operand, selected[at]), scalarAt(operand, *from)});
      if (!keep)
        return keep.error();
      if (!(*keep)[0].getBits(0))
        selected[at] = *from;
    }
    return {};
  };
  if (Result<void> ok = forEachWindowElement(operand.dims(), *dims, window, choose); !ok)
    return ok.error();
  // 2. The source's elements go there; windows that lie wholly in the padding have nowhere to go.
  for (int64_t s = 0; s < source.numElements(); ++s) {
    if (selected[s] < 0)
      continue;
    auto value = scatter({scalarAt(*result, selected[s]), scalarAt(source, s)});
    if (!value)
      return value.error();
    copyElement(*result, selected[s], (*value)[0], 0);
  }
  return result;
}
