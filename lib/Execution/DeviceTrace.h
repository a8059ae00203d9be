// Between the files of lib/Execution: what a device did, for a trace.
#ifndef FORGE_LIB_EXECUTION_DEVICETRACE_H
#define FORGE_LIB_EXECUTION_DEVICETRACE_H

#include "forge/Execution/Executable.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Support/Trace.h"

namespace forge {

/// Adds work of the stream that `function` has on `device`, a row, and stages of its kernels, a row
/// for each role of each block that took time stamps.
void addToTrace(Trace &trace, const rt::Device &device, const std::string &function,
                const std::vector<rt::DeviceTime> &times, const std::vector<KernelInfo> &kernels);

} // namespace forge

#endif // FORGE_LIB_EXECUTION_DEVICETRACE_H
