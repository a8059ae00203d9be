// The integer side of unary ops.
#ifndef FORGE_LIB_REFERENCE_INTEGEROPS_H
#define FORGE_LIB_REFERENCE_INTEGEROPS_H

#include "forge/Reference/Elementwise.h"

#include <optional>

namespace forge::reference {

/// op(x), to be wrapped to the width; nothing when `op` is not one on `type`.
std::optional<int64_t> unaryInteger(UnaryOp op, DType type, int64_t x);

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_INTEGEROPS_H
