// What becomes of results of calls on tensors that stay where they are read.
#ifndef FORGE_SUPPORT_KEPTRESULTS_H
#define FORGE_SUPPORT_KEPTRESULTS_H

#include <cstddef>
#include <cstdint>

namespace forge {

/// In the place of the number of an argument that a result becomes: nobody wants the result, and it
/// is not copied.
inline constexpr size_t kDroppedResult = SIZE_MAX;
/// Added to such a number: the result is given, too.
inline constexpr size_t kAlsoGiven = size_t(1) << 62;

} // namespace forge

#endif // FORGE_SUPPORT_KEPTRESULTS_H
