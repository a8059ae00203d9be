#include "Error.h"

#include <new>
#include <stdexcept>

using namespace forge;
using namespace forge::pjrt;

static ErrorCode codeOf(forge_error_kind kind) {
  switch (kind) {
  case FORGE_ERROR_INPUT:
    return InvalidArgument;
  case FORGE_ERROR_UNSUPPORTED:
    return Unimplemented;
  case FORGE_ERROR_MEMORY:
    return ResourceExhausted;
  case FORGE_ERROR_FAILED:
    break;
  }
  return Internal;
}

Failure pjrt::takeFailure(forge_error *error) {
  Failure failure{codeOf(forge_error_get_kind(error)), forge_error_message(error)};
  forge_error_destroy(error);
  return failure;
}

Failure pjrt::takeException() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return {ResourceExhausted, "out of memory"};
  } catch (const std::length_error &) { // of a vector that no memory holds
    return {ResourceExhausted, "out of memory"};
  } catch (const std::exception &exception) {
    return {Internal, exception.what()};
  }
}

void pjrt::Error_Destroy(Error_Destroy_Args *args) { delete args->error; }

void pjrt::Error_Message(Error_Message_Args *args) {
  args->message = args->error->failure.message.c_str();
  args->message_size = args->error->failure.message.size();
}

Error *pjrt::Error_GetCode(Error_GetCode_Args *args) {
  args->code = args->error->failure.code;
  return nullptr;
}
