// One checkpoint, with its configuration read and its tensors known by name.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_IMPORTER_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_IMPORTER_H

#include "Families.h"
#include "GgufMetadata.h"
#include "GgufModel.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Import/WeightAttribute.h"

#include <filesystem>

namespace forge::huggingface {

/// Imports one checkpoint:
///  1. config.json, by the description of its model_type, becomes a configuration of the builders.
///  2. The element type is that of the stored embedding, or without files that of config.json.
///  3. The builders declare the weights, named as in checkpoints, and build the model.
///  4. Each argument is matched with the stored tensor of its name, and marked with it.
class Importer {
public:
  /// Files of weights are called relative to `base`.
  Importer(std::string folder, CheckpointIndex index, std::string base, mlir::MLIRContext &context,
           ModelConfig config, QuantizationConfig quantization, mlir::Type madeUp)
      : folder(std::move(folder)), index(std::move(index)), base(std::move(base)),
        configFile((std::filesystem::path(this->folder) / "config.json").string()),
        context(context), config(std::move(config)), quantization(quantization), madeUp(madeUp) {}
  /// Of the file `path`, called relative to `base`.
  Importer(const std::string &path, CheckpointIndex index, std::string base,
           mlir::MLIRContext &context, DecoderConfig config, GgufModel gguf)
      : folder(std::filesystem::path(path).parent_path().string()), index(std::move(index)),
        base(std::move(base)), configFile(path), context(context), config(std::move(config)),
        gguf(std::move(gguf)) {}

  Result<mlir::OwningOpRef<mlir::ModuleOp>> importMain(const HuggingFaceOptions &options) const;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> importDecoder(const DecoderOptions &options) const;
  std::optional<DecoderFacts> describeDecoder() const;

private:
  const std::pair<const std::string, IndexedTensor> *find(llvm::StringRef name) const;
  Result<mlir::Type> elementType() const;
  /// The types of a decoder's weights.
  WeightTypes typesOf(mlir::Type element) const;
  Result<WeightSource> sourceOf(llvm::StringRef name, mlir::RankedTensorType type) const;
  WeightSource madeUpSource(llvm::StringRef name) const;
  Result<void> bindWeights(mlir::func::FuncOp function, unsigned first, mlir::Type element) const;
  Result<ModelConfig> configIn(MatrixFormat format) const;
  /// An error of the configuration. Keys are called as the file has them.
  Error configError(const std::string &message) const {
    return Error{configFile + ": " + (gguf ? withOrigins(message, gguf->origins) : message)};
  }
  /// A tensor in a message, as the files call it.
  std::string placeOf(llvm::StringRef name) const {
    return (gguf ? configFile + ": tensor '" + gguf->storedName(name)
                 : folder + ": tensor '" + name.str()) +
           "': ";
  }
  Error missing(llvm::StringRef name, const std::string &expected) const {
    return Error{placeOf(name) + "expected " + expected +
                 ", but the checkpoint has no such tensor"};
  }

  std::string folder;
  CheckpointIndex index;
  std::string base;
  std::string configFile; ///< which says what the model is
  mlir::MLIRContext &context;
  ModelConfig config;
  QuantizationConfig quantization = {};
  mlir::Type madeUp = {}; ///< the element type, where there are no stored tensors; otherwise null
  std::optional<GgufModel> gguf = std::nullopt;
};

/// Reads the configuration and the names of all tensors of a folder or a GGUF file.
Result<Importer> openCheckpoint(const std::string &path, mlir::MLIRContext &context,
                                const std::optional<std::string> &relativeTo, bool withoutWeights);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_IMPORTER_H
