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

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONMEMORY_H
