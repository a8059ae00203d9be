// Errors as the callers of the plugin get them.
#ifndef FORGE_LIB_PJRT_ERROR_H
#define FORGE_LIB_PJRT_ERROR_H

#include "Abi.h"

#include "forge/C/Error.h"

#include <optional>
#include <string>

namespace forge::pjrt {

struct Failure {
  ErrorCode code;
  std::string message;
};

struct Error {
  Failure failure;
};

inline Error *fail(ErrorCode code, std::string message) {
  return new Error{{code, std::move(message)}};
}
inline Error *fail(const std::optional<Failure> &failure) {
  return failure ? new Error{*failure} : nullptr;
}
inline Error *unimplemented(const char *what) {
  return fail(Unimplemented, std::string(what) + " is not implemented by Forge");
}

/// What an error of Forge's C functions says; destroys it.
Failure takeFailure(forge_error *error);

/// What the exception says that is being handled.
Failure takeException();

void Error_Destroy(Error_Destroy_Args *args);
void Error_Message(Error_Message_Args *args);
Error *Error_GetCode(Error_GetCode_Args *args);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_ERROR_H
