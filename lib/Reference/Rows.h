// Rows of tensors, in double precision. No MLIR.
#ifndef FORGE_LIB_REFERENCE_ROWS_H
#define FORGE_LIB_REFERENCE_ROWS_H

#include "forge/Support/HostTensor.h"

#include <vector>

namespace forge::reference {

/// Row `row` of a tensor of rows of length `length`.
inline std::vector<double> rowOf(const HostTensor &tensor, int64_t row, int64_t length) {
  std::vector<double> values(static_cast<size_t>(length));
  for (int64_t j = 0; j < length; ++j)
    values[j] = tensor.getDouble(row * length + j);
  return values;
}

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_ROWS_H
