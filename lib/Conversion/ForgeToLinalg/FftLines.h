// Fourier transforms of lines as loops.
#ifndef FORGE_LIB_CONVERSION_FORGETOLINALG_FFTLINES_H
#define FORGE_LIB_CONVERSION_FORGETOLINALG_FFTLINES_H

#include "forge/Dialect/Forge/IR/Forge.h"

namespace forge {

/// Bytes of a block's memory for one line.
int64_t fftLineBytes(FftLinesOp op);

/// The loops that compute `op`, before it; what they give in the place of its results. A block has
/// up to `blockBytes` of memory, of which a line takes fftLineBytes.
llvm::SmallVector<mlir::Value> createFftLines(mlir::OpBuilder &builder, FftLinesOp op,
                                              int64_t blockBytes);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_FORGETOLINALG_FFTLINES_H
