// A look at an ELF file before a loader sees it. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_ELF_H
#define FORGE_LIB_RUNTIME_DEVICE_ELF_H

#include <string>
#include <string_view>

namespace forge::rt {

/// e_machine of CUDA's and AMD's code (LLVM's and NVIDIA's tools), and of this host.
inline constexpr unsigned kElfCUDA = 190, kElfAMDGPU = 224;
#if defined(__aarch64__)
inline constexpr unsigned kElfHost = 183;
#else
inline constexpr unsigned kElfHost = 62;
#endif

/// What is wrong with an ELF file for `machine`, so far as its header tells: magic, class, machine,
/// sections within the bytes. Empty if nothing is.
std::string checkElf(std::string_view bytes, unsigned machine, const char *machineName);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_ELF_H
