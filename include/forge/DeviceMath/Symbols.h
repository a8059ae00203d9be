// The functions of lib/DeviceMath, compiled for this processor: what the simulator links kernels
// with, and tests call. On GPUs the same sources are linked as bitcode. No MLIR, no LLVM.
#ifndef FORGE_DEVICEMATH_SYMBOLS_H
#define FORGE_DEVICEMATH_SYMBOLS_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forge::devicemath {

/// "forge_math_exp_f64" and all others, with their addresses.
std::vector<std::pair<std::string, void *>> symbols();

/// The library as LLVM bitcode for NVPTX and for AMDGPU.
std::string_view bitcodeForNVPTX();
std::string_view bitcodeForAMDGPU();

} // namespace forge::devicemath

#endif // FORGE_DEVICEMATH_SYMBOLS_H
