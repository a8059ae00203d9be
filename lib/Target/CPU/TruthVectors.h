// Between the files of lib/Target/CPU: vectors of truth values in memory.
#ifndef FORGE_LIB_TARGET_CPU_TRUTHVECTORS_H
#define FORGE_LIB_TARGET_CPU_TRUTHVECTORS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// vector.load, store, maskedload and maskedstore of vectors of i1 move a byte for each element, as
/// memref.load and store do: 0 or 1.
void populateTruthVectorPatterns(const mlir::LLVMTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_TARGET_CPU_TRUTHVECTORS_H
