#include "forge/Generate/LoadedDecoder.h"

using namespace forge;

Result<std::unique_ptr<LoadedDecoder>> LoadedDecoder::open(const std::string &path,
                                                           int64_t device) {
  std::unique_ptr<LoadedDecoder> decoder(new LoadedDecoder);
  for (auto [place, which] :
       {std::pair(Prefill, ModuleFunction::Prefill), std::pair(Decode, ModuleFunction::Decode)}) {
    Result<LoadedModule> loaded = LoadedModule::load(path, which);
    if (!loaded)
      return loaded.error();
    decoder->functions[place] = std::move(*loaded);
  }
  if (Result<void> opened = decoder->functions[Prefill].openDevice(device); !opened)
    return opened.error();
  if (Result<void> opened = decoder->functions[Decode].openBeside(decoder->functions[Prefill]);
      !opened)
    return opened.error();
  return decoder;
}

LoadedDecoder::~LoadedDecoder() {
  tensors.clear();
  functions[Decode].close();
  functions[Prefill].close();
}

Result<size_t> LoadedDecoder::keep(const TensorSource &source) {
  Result<LoadedModule::Kept> made = functions[Prefill].keep(source);
  if (!made)
    return made.error();
  tensors.push_back(std::move(*made));
  return tensors.size() - 1;
}

Result<void> LoadedDecoder::write(size_t tensor, HostTensor elements) {
  return functions[Prefill].write(tensors[tensor], elements);
}

Result<std::vector<HostTensor>> LoadedDecoder::run(Function function,
                                                   std::span<const size_t> arguments,
                                                   std::span<const std::optional<size_t>> kept) {
  std::vector<forge_module_tensor *> given;
  for (size_t argument : arguments)
    given.push_back(tensors[argument].get());
  std::vector<int64_t> numbers;
  for (const std::optional<size_t> &number : kept)
    numbers.push_back(!number                     ? -1
                      : *number == kDroppedResult ? -2
                                                  : static_cast<int64_t>(*number));
  if (Result<void> done = functions[function].runKept(given, numbers); !done)
    return done.error();
  return functions[function].results();
}
