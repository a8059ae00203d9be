// Neighbours in memory by one thread, their loads under way together.
#ifndef FORGE_LIB_CODEGEN_GENERIC_STEPSTOGETHER_H
#define FORGE_LIB_CODEGEN_GENERIC_STEPSTOGETHER_H

#include "Slices.h"

namespace forge {

/// Of many slices on buffers, the last dimension of which is the steps of one independent loop that
/// writes neighbours in memory: makes a step of it do several, 16 bytes of what is written,
/// operation by operation, so that all read before what depends on it and neighbours are one
/// access. A slice has little more to do than wait for its loads. In the loop there may be
/// accesses, arithmetic, and branches that all steps of a slice take alike; else nothing is
/// changed.
void joinSteps(Slices &slices);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_STEPSTOGETHER_H
