// Walking tensors and their elements: what all reference ops share. No MLIR.
#ifndef FORGE_REFERENCE_ELEMENTS_H
#define FORGE_REFERENCE_ELEMENTS_H

#include "forge/Support/HostTensor.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace forge::reference {

using Dims = std::vector<int64_t>;

/// Element `index` of an integer or i1 tensor, sign-extended (signed types) or zero-extended (the
/// others).
int64_t getInteger(const HostTensor &tensor, int64_t index);
/// Stores the low bits of `value`: arithmetic modulo 2^bitWidth. i1 stores the lowest bit.
void setInteger(HostTensor &tensor, int64_t index, uint64_t value);
/// What setInteger followed by getInteger gives.
int64_t wrapInteger(DType type, uint64_t value);

/// `value` rounded to the float type `type`, as a double again.
double roundToType(DType type, double value);

/// All elements of a float tensor, widened.
std::vector<double> toDoubles(const HostTensor &tensor);
/// A tensor of the float type `type` from values, rounded.
Result<HostTensor> fromDoubles(DType type, Dims dims, const std::vector<double> &values);

/// result[to] = source[from]; both of one element type.
inline void copyElement(HostTensor &result, int64_t to, const HostTensor &source, int64_t from) {
  auto copy = [&]<typename Width>(Width) {
    std::memcpy(result.dataAs<char>() + to * sizeof(Width),
                source.dataAs<char>() + from * sizeof(Width), sizeof(Width));
  };
  switch (byteWidth(result.type())) { // a width that the compiler knows makes it one move
  case 1:
    return copy(uint8_t());
  case 2:
    return copy(uint16_t());
  case 4:
    return copy(uint32_t());
  default:
    return copy(uint64_t());
  }
}
/// A run of elements of a tensor: `first`, `first` + `step`, ...
struct ElementRun {
  int64_t first, step;
};
/// The next `count` elements of run `to` of `result` become those of run `from` of `source`; both
/// of one element type.
void copyElements(HostTensor &result, ElementRun to, const HostTensor &source, ElementRun from,
                  int64_t count);

/// The element of a tensor for each index of a box: `first` + the sum of index[d] * steps[d].
struct ElementBox {
  int64_t first = 0;
  Dims steps;
};
/// For each index of a box of `sizes`, the element of `to` in `result` becomes that of `from` in
/// `source`, in row-major order; both of one element type.
void copyBox(HostTensor &result, const ElementBox &to, const HostTensor &source,
             const ElementBox &from, const Dims &sizes);

/// A rank-0 tensor with element `index` of `tensor`.
HostTensor scalarAt(const HostTensor &tensor, int64_t index);

/// Row-major strides of a shape, in elements.
Dims stridesOf(const Dims &dims);
/// The row-major position of a multi-index.
int64_t flatten(const Dims &index, const Dims &strides);
/// Steps `index` to its successor in row-major order. False, with `index` back at zero, after the
/// last one.
bool advance(Dims &index, const Dims &dims);
/// Product of the sizes; 1 for a scalar. The caller knows that it fits: the dims are those of a
/// tensor.
int64_t product(const Dims &dims);
bool contains(const Dims &list, int64_t value);
/// 0 … rank-1 without those in `without`.
Dims otherDims(int64_t rank, const Dims &without);
/// The members of `list` at `positions`.
Dims pick(const Dims &list, const Dims &positions);
/// "[2, 3]"
std::string dimsString(const Dims &dims);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ELEMENTS_H
