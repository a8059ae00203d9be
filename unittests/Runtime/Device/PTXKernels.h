// The conformance kernels as PTX.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H

#include <string>

namespace forge::test {
/// `waiting`: for compute capability 9.0, each thread waits for the kernel before it.
std::string ptxKernels(bool waiting);
} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H
