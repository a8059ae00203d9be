#include "forge/Generate/LoadedDecoder.h"

#include <algorithm>

using namespace forge;

Result<std::unique_ptr<LoadedDecoder>> LoadedDecoder::open(const std::string &path,
                                                           int64_t device) {
  std::unique_ptr<LoadedDecoder> decoder(new LoadedDecoder);
  std::vector<const char *> names = functionsOfDecoder(path);
  std::ranges::stable_partition(names, [](std::string_view name) { return name == "decode"; });
  std::vector<LoadedModule> &functions = decoder->functions;
  for (const char *name : names) {
    Result<LoadedModule> loaded = LoadedModule::load(path, name);
    if (!loaded)
      return loaded.error();
    functions.push_back(std::move(*loaded));
    Result<void> opened = functions.size() == 1 ? functions.front().openDevice(device)
                                                : functions.back().openBeside(functions.front());
    if (!opened)
      return opened.error();
  }
  return decoder;
}

LoadedDecoder::~LoadedDecoder() {
  // What is under way uses tensors.
  while (!pending.empty())
    (void)finish();
  tensors.clear();
  while (!functions.empty()) {
    functions.back().close();
    functions.pop_back();
  }
}

Result<size_t> LoadedDecoder::keep(const TensorSource &source) {
  Result<LoadedModule::Kept> made = functions[Decode].keep(source);
  if (!made)
    return made.error();
  tensors.push_back(std::move(*made));
  return tensors.size() - 1;
}

Result<void> LoadedDecoder::write(size_t tensor, HostTensor elements) {
  return functions[Decode].write(tensors[tensor], elements);
}

Result<void> LoadedDecoder::begin(Function function, std::span<const size_t> arguments,
                                  std::span<const std::optional<size_t>> kept) {
  std::vector<forge_module_tensor *> given;
  for (size_t argument : arguments)
    given.push_back(tensors[argument].get());
  std::vector<int64_t> numbers;
  for (const std::optional<size_t> &number : kept)
    numbers.push_back(!number                     ? -1
                      : *number == kDroppedResult ? -2
                                                  : static_cast<int64_t>(*number));
  LoadedModule &module = functions[function];
  Result<void> begun =
      module.canBegin() ? module.beginKept(given, numbers) : module.runKept(given, numbers);
  if (!begun)
    return begun;
  pending.emplace_back(function, std::nullopt);
  if (module.canBegin())
    return {};
  Result<std::vector<HostTensor>> results = module.results();
  if (!results)
    return results.error();
  pending.back().second = std::move(*results);
  return {};
}

Result<std::vector<HostTensor>> LoadedDecoder::finish() {
  auto [function, results] = std::move(pending.front());
  pending.pop_front();
  if (results)
    return std::move(*results);
  Result<void> done = functions[function].finish();
  return done ? functions[function].results() : done.error();
}
