#include "forge/Reference/Sort.h"

#include <algorithm>
#include <numeric>

using namespace forge;
using namespace forge::reference;

/// A merge sort written out, because std::stable_sort may do anything when the comparator is no
/// strict weak order. `before(a, b)` gives whether a comes before b, or an error, which ends the
/// sort.
template <typename Before>
static Result<void> mergeSort(std::vector<int64_t> &items, size_t begin, size_t end,
                              Before before) {
  if (end - begin < 2)
    return {};
  size_t middle = begin + (end - begin) / 2;
  if (Result<void> ok = mergeSort(items, begin, middle, before); !ok)
    return ok;
  if (Result<void> ok = mergeSort(items, middle, end, before); !ok)
    return ok;
  std::vector<int64_t> merged;
  size_t left = begin, right = middle;
  while (left < middle && right < end) {
    Result<bool> rightFirst = before(items[right], items[left]);
    if (!rightFirst)
      return rightFirst.error();
    merged.push_back(items[*rightFirst ? right++ : left++]);
  }
  merged.insert(merged.end(), items.begin() + left, items.begin() + middle);
  merged.insert(merged.end(), items.begin() + right, items.begin() + end);
  std::copy(merged.begin(), merged.end(), items.begin() + begin);
  return {};
}

/// Sorts by `before(a, b)`: whether element a of the inputs comes before element b, or an error.
template <typename Before>
static Result<std::vector<HostTensor>> sortBy(const std::vector<HostTensor> &inputs,
                                              int64_t dimension, Before before) {
  if (inputs.empty())
    return Error{"sort has no inputs"};
  int64_t rank = inputs[0].rank();
  dimension += dimension < 0 ? rank : 0;
  if (dimension < 0 || dimension >= rank)
    return Error{"sort has no such dimension in " + typeString(inputs[0])};
  const Dims &dims = inputs[0].dims();
  for (const HostTensor &input : inputs)
    if (input.dims() != dims)
      return Error{"expected inputs of one shape, but got " + typeString(inputs[0]) + " and " +
                   typeString(input)};
  std::vector<HostTensor> results = inputs;
  if (inputs[0].numElements() == 0)
    return results;
  Dims strides = stridesOf(dims), rows = dims, index(dims.size(), 0);
  rows[dimension] = 1;
  do {
    std::vector<int64_t> order;
    for (int64_t i = 0; i < dims[dimension]; ++i)
      order.push_back(flatten(index, strides) + i * strides[dimension]);
    if (Result<void> ok = mergeSort(order, 0, order.size(), before); !ok)
      return ok.error();
    for (size_t n = 0; n < inputs.size(); ++n)
      for (size_t i = 0; i < order.size(); ++i)
        copyElement(results[n], flatten(index, strides) + i * strides[dimension], inputs[n],
                    order[i]);
  } while (advance(index, rows));
  return results;
}

Result<std::vector<HostTensor>> reference::sort(const std::vector<HostTensor> &inputs,
                                                int64_t dimension, const Body &comparator) {
  return sortBy(inputs, dimension, [&](int64_t a, int64_t b) -> Result<bool> {
    std::vector<HostTensor> arguments;
    for (const HostTensor &input : inputs) {
      arguments.push_back(scalarAt(input, a));
      arguments.push_back(scalarAt(input, b));
    }
    Result<std::vector<HostTensor>> answer = comparator(arguments);
    if (!answer)
      return answer.error();
    return (*answer)[0].getBits(0) != 0;
  });
}

Result<std::vector<HostTensor>> reference::sort(const std::vector<HostTensor> &inputs,
                                                int64_t dimension, const SortKey &key) {
  if (key.input >= inputs.size())
    return Error{"sort has no input " + std::to_string(key.input)};
  const HostTensor &keys = inputs[key.input];
  return sortBy(inputs, dimension, [&](int64_t a, int64_t b) -> Result<bool> {
    return compareElements(key.direction, key.totalOrder, keys, a, keys, b);
  });
}

Result<TopK> reference::topK(const HostTensor &operand, int64_t k, bool largest) {
  if (operand.rank() < 1 || k < 0 || k > operand.dims().back())
    return Error{"cannot take the top " + std::to_string(k) + " of " + typeString(operand)};
  Dims dims = operand.dims(), indexDims = dims;
  dims.back() = k;
  Result<HostTensor> values = HostTensor::create(operand.type(), dims);
  Result<HostTensor> positions = iota(DType::I32, indexDims, operand.rank() - 1);
  if (!values)
    return values.error();
  if (!positions)
    return positions.error();
  SortKey key{0, largest ? Direction::GT : Direction::LT, /*totalOrder=*/true};
  Result<std::vector<HostTensor>> sorted = sort({operand, *positions}, operand.rank() - 1, key);
  if (!sorted)
    return sorted.error();
  Dims zeros(dims.size(), 0), ones(dims.size(), 1);
  Result<HostTensor> top = slice((*sorted)[0], zeros, dims, ones);
  Result<HostTensor> indices = slice((*sorted)[1], zeros, dims, ones);
  if (!top)
    return top.error();
  if (!indices)
    return indices.error();
  return TopK{std::move(*top), std::move(*indices)};
}
