// The functions of the runtime by name, for a JIT that links against the process it runs in. No
// MLIR.
#ifndef FORGE_RUNTIME_SYMBOLS_H
#define FORGE_RUNTIME_SYMBOLS_H

#include <string>
#include <utility>
#include <vector>

namespace forge::rt {

/// Every function of CABI.h and DeviceABI.h, and the conversion functions the code generator calls
/// for narrow floats
/// (__truncdfhf2 and its like), with their addresses.
std::vector<std::pair<std::string, void *>> runtimeSymbols();

} // namespace forge::rt

#endif // FORGE_RUNTIME_SYMBOLS_H
