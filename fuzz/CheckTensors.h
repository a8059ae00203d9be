// What holds for the tensors that a reader finds in any bytes.
#ifndef FORGE_FUZZ_CHECKTENSORS_H
#define FORGE_FUZZ_CHECKTENSORS_H

#include "forge/Checkpoint/StoredTensors.h"

namespace forge {

/// Aborts unless all tensors are inside `bytes`, as large as they say and apart, or there is an
/// error of one line.
void checkTensors(const Result<StoredTensors> &tensors, std::string_view bytes);

} // namespace forge

#endif // FORGE_FUZZ_CHECKTENSORS_H
