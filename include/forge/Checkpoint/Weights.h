// Weights of a module: arguments whose elements are tensors of safetensors, GGUF or .npy
// files. No MLIR.
#ifndef FORGE_CHECKPOINT_WEIGHTS_H
#define FORGE_CHECKPOINT_WEIGHTS_H

#include "forge/Checkpoint/MappedFile.h"
#include "forge/Checkpoint/Safetensors.h"
#include "forge/Support/ModuleSignature.h"
#include "forge/Support/TensorSource.h"

#include <filesystem>
#include <map>
#include <memory>

namespace forge {

/// Files with weights, each mapped and parsed once, when it is first asked for.
class WeightFiles {
public:
  struct Options {
    /// What files are relative to.
    std::filesystem::path folder = ".";
    /// Where given, files are looked for in this folder, as they are called relative to the other
    /// one, or by their last component.
    std::filesystem::path instead = {};
    /// Where given, no file is read: elements are made up (forge/Checkpoint/RandomWeights.h).
    std::optional<uint64_t> randomSeed = std::nullopt;
  };
  explicit WeightFiles(Options options) : options(std::move(options)) {}

  /// The elements of a weight; of an .npy file, its only tensor, converted as convertNpy does. A
  /// `*` in the tensor's name stands for 0, 1, ...: these tensors are stacked, as many as the first
  /// size says. A file `*.index.json` names for each tensor the file it is in. What is quantised is
  /// read as it is stored, and rounded (forge/Checkpoint/QuantizeRows.h). Fails if the file or the
  /// tensor does not exist, or if its type or shape differs from `spec`; the message names the
  /// tensor and both.
  Result<HostTensor> load(const WeightSource &source, const TensorSpec &spec);
  /// The same, for whoever copies the elements to somewhere else than host memory. Of this object,
  /// which must live longer.
  Result<TensorSource> open(const WeightSource &source, const TensorSpec &spec);

private:
  Result<TensorSource> openQuantized(const WeightSource &source, const TensorSpec &spec);
  Result<TensorSource> openStacked(const WeightSource &source, const TensorSpec &spec);
  Result<TensorSource> openFile(const WeightSource &source, const TensorSpec &spec);
  struct File {
    MappedFile mapping;
    StoredTensors tensors; ///< of a safetensors or GGUF file

    bool isNpy() const { return mapping.bytes().starts_with("\x93NUMPY"); }
  };
  std::string pathOf(const std::filesystem::path &name) const;
  Result<const File *> fileOf(const std::string &path);
  /// The tensor in a safetensors or GGUF file, if it is of this type and shape.
  Result<const StoredTensor *> find(const WeightSource &source, const TensorSpec &spec);
  /// Where `source`, in an index file, is.
  Result<WeightSource> indexed(const WeightSource &source);

  Options options;
  std::map<std::string, File> files;
  std::map<std::string, std::map<std::string, std::string>> indices; ///< by path
};

/// The type in which an argument of type `wanted` takes a tensor of type `stored`: bytes of packed
/// numbers are u8 in files and i8 in arguments; all others are taken as they are.
inline DType bytesAs(DType stored, DType wanted) {
  return stored == DType::U8 && wanted == DType::I8 ? wanted : stored;
}

/// `tensor` with `number` for its `*`; none where it has no `*`.
std::optional<std::string> stackedName(const std::string &tensor, int64_t number);

/// All arguments of a function, in order: its weights, and between them `inputs`. Per argument,
/// `sources` has the weight, or none. `inputs` are taken as many as there are other arguments.
Result<std::vector<HostTensor>> withWeights(const FunctionSignature &signature,
                                            const std::vector<std::optional<WeightSource>> &sources,
                                            std::vector<HostTensor> inputs, WeightFiles &files);

} // namespace forge

#endif // FORGE_CHECKPOINT_WEIGHTS_H
