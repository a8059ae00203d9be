/* Errors of Forge's C functions, as values. */
#ifndef FORGE_C_ERROR_H
#define FORGE_C_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/** Whose failure an error is. */
enum forge_error_kind {
  /** What was passed is wrong: a module, a type, a size, a name. */
  FORGE_ERROR_INPUT = 0,
  /** The module asks for what Forge does not have. */
  FORGE_ERROR_UNSUPPORTED = 1,
  /** Not enough memory, of the host or the device. */
  FORGE_ERROR_MEMORY = 2,
  /** The device, or the code that ran on it, failed; or Forge itself. */
  FORGE_ERROR_FAILED = 3
};

/** What went wrong, in one line: "argument 1, dimension 0: expected size 4, but got 5". */
struct forge_error;
/** Lives as long as the error. */
const char *forge_error_message(const struct forge_error *error);
enum forge_error_kind forge_error_get_kind(const struct forge_error *error);
/** Null is allowed, here and in the other destructors. */
void forge_error_destroy(struct forge_error *error);

#ifdef __cplusplus
}
#endif

#endif /* FORGE_C_ERROR_H */
