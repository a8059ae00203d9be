// What a kernel alone is timed and compared on.
#ifndef FORGE_LIB_TUNE_KERNELINPUTS_H
#define FORGE_LIB_TUNE_KERNELINPUTS_H

#include "forge/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// As makeInputs (forge/Verify/Inputs.h), but numbers of tokens that a mask compares with the
/// places of a dimension are nearly that dimension's size, 1 to 8 less: attention of short
/// sequences in large caches reads next to nothing, and takes no time that says anything.
mlir::FailureOr<std::vector<HostTensor>> makeKernelInputs(mlir::func::FuncOp kernel, uint64_t seed);

} // namespace forge

#endif // FORGE_LIB_TUNE_KERNELINPUTS_H
