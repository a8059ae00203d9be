// The float side of unary ops.
#ifndef FORGE_LIB_REFERENCE_UNARYFLOAT_H
#define FORGE_LIB_REFERENCE_UNARYFLOAT_H

#include "forge/Reference/Elementwise.h"

#include <optional>

namespace forge::reference {

/// op(x); nothing when `op` is not one on floats that gives a float.
std::optional<double> unaryFloat(UnaryOp op, double x);

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_UNARYFLOAT_H
