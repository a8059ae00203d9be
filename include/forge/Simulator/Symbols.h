// The functions that compiled code of a simulated kernel calls, with their addresses.
#ifndef FORGE_SIMULATOR_SYMBOLS_H
#define FORGE_SIMULATOR_SYMBOLS_H

#include <string>
#include <utility>
#include <vector>

namespace forge::sim {

std::vector<std::pair<std::string, void *>> runtimeSymbols();

} // namespace forge::sim

#endif // FORGE_SIMULATOR_SYMBOLS_H
