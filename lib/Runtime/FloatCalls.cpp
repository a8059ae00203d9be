#include "forge/Runtime/FloatCalls.h"

#include "forge/Support/SmallFloat.h"

#include <bit>

using namespace forge;

template <typename T> static T narrow(DType type, double value) {
  return std::bit_cast<T>(static_cast<uint16_t>(encodeFloat(type, value)));
}

__attribute__((weak)) _Float16 __truncdfhf2(double value) {
  return narrow<_Float16>(DType::F16, value);
}
__attribute__((weak)) _Float16 __truncsfhf2(float value) {
  return narrow<_Float16>(DType::F16, value);
}
__attribute__((weak)) float __extendhfsf2(_Float16 value) {
  return static_cast<float>(decodeFloat(DType::F16, std::bit_cast<uint16_t>(value)));
}
__attribute__((weak)) __bf16 __truncdfbf2(double value) {
  return narrow<__bf16>(DType::BF16, value);
}
__attribute__((weak)) __bf16 __truncsfbf2(float value) {
  return narrow<__bf16>(DType::BF16, value);
}
