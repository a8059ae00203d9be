// A sum of products of elements of two tensors: what products, convolutions and products of groups
// share. No MLIR.
#ifndef FORGE_LIB_REFERENCE_PRODUCTSUM_H
#define FORGE_LIB_REFERENCE_PRODUCTSUM_H

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <functional>

namespace forge::reference {

/// The dimensions of both lists, those of `first` in front.
inline Dims joined(Dims first, const Dims &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Adds as floats in double, or as integers of `type`. Each element is read once, not for every
/// product that it is in.
class ProductSum {
public:
  ProductSum(const HostTensor &lhs, const HostTensor &rhs, DType type)
      : type(type), isFloating(isFloat(type)) {
    if (isFloating) {
      x = toDoubles(lhs);
      y = toDoubles(rhs);
    } else {
      left = toIntegers(lhs);
      right = toIntegers(rhs);
    }
  }

  /// Adds the product of the elements l of the left tensor and r of the right one.
  void add(int64_t l, int64_t r) {
    if (isFloating)
      sum += x[l] * y[r];
    else if (type == DType::I1)
      integerSum |= left[l] & right[r];
    else // wraps when it is stored: until then more bits do not matter
      integerSum += left[l] * right[r];
  }

  /// Adds the products of the elements l + leftOffsets[i] of the left tensor and r +
  /// rightOffsets[i] of the right one, in order.
  void addAll(int64_t l, const std::vector<int64_t> &leftOffsets, int64_t r,
              const std::vector<int64_t> &rightOffsets) {
    if (!isFloating) {
      for (size_t i = 0; i < leftOffsets.size(); ++i)
        add(l + leftOffsets[i], r + rightOffsets[i]);
      return;
    }
    products.resize(leftOffsets.size());
    for (size_t i = 0; i < products.size(); ++i)
      products[i] = x[l + leftOffsets[i]] * y[r + rightOffsets[i]];
    sum.add(products.data(), static_cast<int64_t>(products.size()));
  }

  /// Adds the products of the elements l + i of the left tensor and r + i of the right one for
  /// `count` i, in order.
  void addRun(int64_t l, int64_t r, int64_t count) {
    if (!isFloating) {
      for (int64_t i = 0; i < count; ++i)
        add(l + i, r + i);
      return;
    }
    products.resize(static_cast<size_t>(count));
    std::transform(x.data() + l, x.data() + l + count, y.data() + r, products.data(),
                   std::multiplies<double>());
    sum.add(products.data(), count);
  }

  /// Stores the sum, and begins another.
  void store(HostTensor &result, int64_t position) {
    if (isFloating)
      result.setDouble(position, sum.value());
    else
      setInteger(result, position, integerSum);
    sum = Sum::ofProducts();
    integerSum = 0;
  }

private:
  static std::vector<uint64_t> toIntegers(const HostTensor &tensor) {
    std::vector<uint64_t> values(static_cast<size_t>(tensor.numElements()));
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      values[i] = static_cast<uint64_t>(getInteger(tensor, i));
    return values;
  }

  DType type;
  bool isFloating;
  std::vector<double> x, y, products;
  std::vector<uint64_t> left, right;
  Sum sum = Sum::ofProducts();
  uint64_t integerSum = 0;
};

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_PRODUCTSUM_H
