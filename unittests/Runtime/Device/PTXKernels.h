// The conformance kernels as PTX.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H

namespace forge::test {
extern const char *const ptxKernels;
} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_PTXKERNELS_H
