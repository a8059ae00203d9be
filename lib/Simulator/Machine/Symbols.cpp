#include "forge/Simulator/Symbols.h"

// Only addresses are taken here; the table says what the functions take.
extern "C" {
#define FORGE_SIM_CALL(name, result, arguments) void name();
#include "forge/Simulator/Calls.def"
#undef FORGE_SIM_CALL
}

std::vector<std::pair<std::string, void *>> forge::sim::runtimeSymbols() {
  return {
#define FORGE_SIM_CALL(name, result, arguments) {#name, reinterpret_cast<void *>(&(name))},
#include "forge/Simulator/Calls.def"
#undef FORGE_SIM_CALL
  };
}
