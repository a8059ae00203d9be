// A decoder that `forge compile` has made a shared object of. No MLIR.
#ifndef FORGE_GENERATE_LOADEDDECODER_H
#define FORGE_GENERATE_LOADEDDECODER_H

#include "forge/Generate/DecoderCode.h"
#include "forge/Loader/LoadedModule.h"

#include <deque>

namespace forge {

class LoadedDecoder : public DecoderCode {
public:
  /// Loads the file and opens the device of this number, -1 for the default.
  static Result<std::unique_ptr<LoadedDecoder>> open(const std::string &path, int64_t device);
  ~LoadedDecoder() override;

  size_t numFunctions() const override { return functions.size(); }
  const ModuleSignature &signature(Function function) const override {
    return functions[function].signature();
  }
  Result<size_t> keep(const TensorSource &source) override;
  Result<void> write(size_t tensor, HostTensor elements) override;
  Result<void> begin(Function function, std::span<const size_t> arguments,
                     std::span<const std::optional<size_t>> kept) override;
  Result<std::vector<HostTensor>> finish() override;
  bool runsBehind() const override {
    return functions[Decode].canBegin() && signature(Decode).target != "cpu";
  }
  double memoryRate(uint64_t bytes) override { return functions[Decode].memoryRate(bytes); }

private:
  LoadedDecoder() = default;

  /// All on the device of the first.
  std::vector<LoadedModule> functions;
  std::vector<LoadedModule::Kept> tensors;
  /// The functions of runs under way, the first one first; and what those gave that ended at once.
  std::deque<std::pair<Function, std::optional<std::vector<HostTensor>>>> pending;
};

} // namespace forge

#endif // FORGE_GENERATE_LOADEDDECODER_H
