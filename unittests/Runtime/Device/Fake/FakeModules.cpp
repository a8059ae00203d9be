#include "FakeState.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

#define KERNEL(name)                                                                               \
  extern "C" void name(const forge_cpu_block *, void *const *);                                    \
  extern "C" const uint32_t name##_arguments[];
KERNEL(forge_test_iota)
KERNEL(forge_test_axpy)
KERNEL(forge_test_arguments)
KERNEL(forge_test_grid)
KERNEL(forge_test_reverse)
KERNEL(forge_test_spin)
KERNEL(forge_test_store)
#undef KERNEL

namespace fake {
#define KERNEL(name) {#name, name, name##_arguments}
static Function functions[] = {KERNEL(forge_test_iota),      KERNEL(forge_test_axpy),
                               KERNEL(forge_test_arguments), KERNEL(forge_test_grid),
                               KERNEL(forge_test_reverse),   KERNEL(forge_test_spin),
                               KERNEL(forge_test_store)};
#undef KERNEL

int moduleLoad(void **module) {
  if (device().error)
    return device().error;
  auto made = std::make_unique<Module>();
  *module = made.get();
  device().modules[*module] = std::move(made);
  return Success;
}

int moduleUnload(void *module) {
  synchronize();
  return device().modules.erase(module) ? device().error : int(InvalidHandle);
}

int moduleGetFunction(void **function, void *module, std::string_view name) {
  if (device().error)
    return device().error;
  auto owner = device().modules.find(module);
  if (owner == device().modules.end())
    return InvalidHandle;
  for (const Function &known : functions)
    if (known.name == name) {
      *function = &owner->second->functions.emplace_back(known);
      return Success;
    }
  return NotFound;
}

int functionGetAttribute(int *value, int attribute, void *) {
  const int values[] = {1024, 0, 0, 0, 32};
  if (attribute < 0 || attribute >= static_cast<int>(std::size(values)))
    return InvalidValue;
  *value = values[attribute];
  return device().error;
}

int functionGetParameter(void *function, size_t index, size_t *bytes) {
  const uint32_t *arguments = static_cast<Function *>(function)->arguments;
  if (index >= arguments[0])
    return InvalidValue;
  *bytes = arguments[index + 1];
  return Success;
}

namespace {
/// A launch with its own copies of the arguments.
struct OwnedLaunch {
  Function function;
  forge_cpu_block block{};
  std::vector<std::vector<char>> values;

  int run() {
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    if (function.name == "forge_test_store" &&
        !isDeviceMemory(*static_cast<void **>(pointers[0]), 4))
      return IllegalAddress;
    std::vector<char> shared(block.dynamicSharedBytes + 1);
    block.dynamicShared = shared.data();
    for (block.blockIndex[2] = 0; block.blockIndex[2] < block.gridSize[2]; ++block.blockIndex[2])
      for (block.blockIndex[1] = 0; block.blockIndex[1] < block.gridSize[1]; ++block.blockIndex[1])
        for (block.blockIndex[0] = 0; block.blockIndex[0] < block.gridSize[0];
             ++block.blockIndex[0])
          function.kernel(&block, pointers.data());
    return Success;
  }
};
} // namespace

int launch(void *handle, const uint32_t grid[3], const uint32_t block[3], unsigned shared,
           void *stream, void **arguments) {
  auto owned = std::make_shared<OwnedLaunch>();
  owned->function = *static_cast<Function *>(handle);
  for (int dim = 0; dim < 3; ++dim) {
    if (grid[dim] == 0 || block[dim] == 0)
      return InvalidValue;
    owned->block.gridSize[dim] = grid[dim];
    owned->block.blockSize[dim] = block[dim];
  }
  if (shared > static_cast<unsigned>(kSharedBytesOptIn))
    return InvalidValue;
  owned->block.dynamicSharedBytes = shared;
  for (uint32_t i = 0; i < owned->function.arguments[0]; ++i) {
    auto *bytes = static_cast<const char *>(arguments[i]);
    owned->values.emplace_back(bytes, bytes + owned->function.arguments[i + 1]);
  }
  return enqueue(stream, [owned] { return owned->run(); });
}

} // namespace fake
