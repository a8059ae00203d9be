// The families of models that are imported, each by a small description.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H

#include "Config.h"
#include "Decoder.h"
#include "Encoder.h"
#include "ImageEncoder.h"

#include <variant>

namespace forge::huggingface {

using ModelConfig = std::variant<DecoderConfig, EncoderConfig, ImageEncoderConfig>;

/// A model_type of config.json, and what the other keys mean; errors are left in the Config.
struct Family {
  llvm::StringLiteral modelType;
  ModelConfig (*describe)(Config &config, mlir::MLIRContext *context);
};

/// All of them, by name.
llvm::ArrayRef<Family> allFamilies();

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H
