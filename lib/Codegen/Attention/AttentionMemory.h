// The memory around attention: sizes, what is read along depth and columns, what is written.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONMEMORY_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONMEMORY_H

#include "AttentionProgram.h"

namespace forge {

/// Sets the extents, reads and writes of `program`, whose stages and axes are known: keys are
/// operand `keyOperand` of the scores, weights operand `weightOperand` of the weighted sum. Fails,
/// with the reason in `why`, where rows, depth or columns are not static, a factor does not lie
/// along its depth or columns, or a result is not one of rows, or of rows and columns.
mlir::LogicalResult findAttentionMemory(AttentionProgram &program, const RowLinks &links,
                                        unsigned keyOperand, unsigned weightOperand,
                                        std::string &why);

/// The tensor or argument that `memory`, of a read, is a part of, if accesses of 16 bytes to it are
/// aligned: it is all of it, or begins at a known multiple of 16 bytes and has rows of such; null
/// otherwise.
mlir::Value alignedRoot(mlir::Value memory);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONMEMORY_H
