// Between the files of lib/Runtime: tensors as compiled code sees them, and calls of it.
#ifndef FORGE_LIB_RUNTIME_DESCRIPTORS_H
#define FORGE_LIB_RUNTIME_DESCRIPTORS_H

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/MemRef.h"
#include "forge/Support/HostTensor.h"
#include "forge/Support/TensorSpec.h"

namespace forge::rt {

/// Elements of 2 and 4 bits are zero-extended in compiled code's memory, in a HostTensor by their
/// sign.
void foldSmall(HostTensor &tensor, bool toCode);
/// Whether foldSmall changes tensors of this type.
bool isFolded(DType type);

/// The descriptor of a densely packed tensor whose elements lie at `data`.
std::vector<int64_t> describe(const std::vector<int64_t> &dims, const void *data);

/// As many words as the descriptors of all results take.
size_t resultWords(const FunctionSignature &signature);

/// Copies a result into a tensor of its own.
Result<HostTensor> takeResult(DeviceContext *device, const TensorSpec &spec, MemRef source);

/// Calls the entry and waits for the device; milliseconds.
Result<double> runTimed(Context &context, Context::Entry entry, void **args);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DESCRIPTORS_H
