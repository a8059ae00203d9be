// What is known of a comparator before it runs.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SORTORDER_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SORTORDER_H

#include "mlir/IR/Region.h"

namespace forge {

/// Whether the comparator of a sort, on scalars lhs0, rhs0, lhs1, rhs1 ..., is a strict weak order
/// for any values: one key, or several, each asked where those before it are equal, each
/// computed from one side alone and compared as an integer or in the total order of floats. False
/// where that cannot be told, and for LT on floats: NaN is neither before nor behind anything.
bool isStrictWeakOrder(mlir::Region &comparator);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SORTORDER_H
