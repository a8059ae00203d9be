// Which dimension of the row space each loop of a kernel runs over.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWAXES_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWAXES_H

#include "RowLinks.h"
#include "RowProgram.h"

namespace forge {

/// Sets the axes of all `links`, and the extents of `program`. The loops `rowLoops` of the last
/// link are the rows. Fails, with the reason in `why`, where loops do not fit one row space.
mlir::LogicalResult assignAxes(RowLinks &links, llvm::ArrayRef<unsigned> rowLoops,
                               RowProgram &program, std::string &why);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWAXES_H
