// Walking tensors and their elements: what all reference ops share. No MLIR.
#ifndef FORGE_REFERENCE_ELEMENTS_H
#define FORGE_REFERENCE_ELEMENTS_H

#include "forge/Support/HostTensor.h"

#include <cstdint>
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
void copyElement(HostTensor &result, int64_t to, const HostTensor &source, int64_t from);

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
