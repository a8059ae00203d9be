// Between the files of lib/C: errors and tensors as C has them.
#ifndef FORGE_LIB_C_VALUES_H
#define FORGE_LIB_C_VALUES_H

#include "forge/C/Error.h"
#include "forge/C/Tensor.h"
#include "forge/Support/TensorSpec.h"

#include <exception>
#include <new>

struct forge_error {
  std::string message;
  forge_error_kind kind = FORGE_ERROR_FAILED;
  /// Nobody's to delete.
  bool isStatic = false;
};

namespace forge::capi {

/// What is left to say when there is no memory for a message.
forge_error *outOfMemory();
/// An error of this kind, or of that of memory if its message says so.
forge_error *makeError(std::string message, forge_error_kind kind);

/// Calls what may fail or throw, and gives its error to C. The function may change the kind that
/// its errors are of.
template <typename Function> forge_error *guarded(const forge_error_kind &kind, Function function) {
  try {
    Result<void> done = function();
    return done ? nullptr : makeError(done.error().message, kind);
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::exception &exception) {
    auto *error = new (std::nothrow) forge_error;
    if (!error)
      return outOfMemory();
    error->message = exception.what(); // short: no memory is taken for most
    return error;
  }
}

/// As C sees a tensor; the sizes stay where they are.
forge_tensor describe(DType type, const std::vector<int64_t> &dims, const void *data);
/// The type is null if there is no such tensor.
forge_tensor describe(const std::vector<TensorSpec> &specs, int64_t index);

/// A tensor of complex numbers as one of their parts, with a last dimension of 2; others as they
/// are. It refers to the sizes here, or to those of the other.
struct Parts {
  explicit Parts(const forge_tensor &given);
  Parts(const Parts &) = delete;

  std::vector<int64_t> sizes;
  forge_tensor tensor;
};

/// What `tensor` says of its type and sizes, checked; `what` is for messages.
Result<TensorSpec> readSpec(const forge_tensor &tensor, const std::string &what);
/// Fails unless `tensor` fits `spec`, before anything of it is read that may not be there.
Result<void> check(const TensorSpec &spec, const forge_tensor &tensor, const std::string &what);
/// Copies the elements; complex numbers become their parts.
Result<HostTensor> toHost(const forge_tensor &tensor, const std::string &what);

} // namespace forge::capi

#endif // FORGE_LIB_C_VALUES_H
