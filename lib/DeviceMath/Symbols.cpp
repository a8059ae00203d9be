#include "forge/DeviceMath/Symbols.h"

#define FORGE_UNARY(name) extern "C" double forge_math_##name##_f64(double);
#define FORGE_BINARY(name) extern "C" double forge_math_##name##_f64(double, double);
#define FORGE_UNARY_F32(name) extern "C" float forge_math_##name##_f32(float);
#define FORGE_BINARY_F32(name) extern "C" float forge_math_##name##_f32(float, float);
#include "Functions.def"

std::vector<std::pair<std::string, void *>> forge::devicemath::symbols() {
  return {
#define FORGE_UNARY(name)                                                                          \
  {"forge_math_" #name "_f64", reinterpret_cast<void *>(forge_math_##name##_f64)},
#define FORGE_BINARY(name) FORGE_UNARY(name)
#define FORGE_UNARY_F32(name)                                                                      \
  {"forge_math_" #name "_f32", reinterpret_cast<void *>(forge_math_##name##_f32)},
#define FORGE_BINARY_F32(name) FORGE_UNARY_F32(name)
#include "Functions.def"
  };
}
