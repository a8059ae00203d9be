// Neighbours in memory that are one thread's, their loads under way together.
#ifndef FORGE_LIB_CODEGEN_GENERIC_NEIGHBOURS_H
#define FORGE_LIB_CODEGEN_GENERIC_NEIGHBOURS_H

#include "Slices.h"

namespace forge {

/// The slices without the innermost dimension where a thread should do all of its elements: few
/// neighbours in memory, each at places that are computed for all of them alike (rows of a table,
/// two numbers each), if enough slices are left.
Slices joinNeighbours(Slices slices);

/// On buffers, gives the threads of `slices` their neighbours: all of a dimension that
/// joinNeighbours leaves out, or, of the steps of one independent loop that writes neighbours,
/// those of an access of 16 bytes, if enough slices are left. Steps that are one thread's are done
/// operation by operation, so that all read before what depends on it and neighbours are one
/// access. Gives back the slices that are left.
Slices assignNeighbours(Slices slices);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_NEIGHBOURS_H
