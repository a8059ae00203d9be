// The families of models that are imported, each by a small description.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H

#include "Config.h"
#include "Decoder.h"

namespace forge::huggingface {

/// A model_type of config.json, and what the other keys mean; errors are left in the Config.
struct Family {
  llvm::StringLiteral modelType;
  DecoderConfig (*describe)(Config &config, mlir::MLIRContext *context);
};

/// All of them, by name.
llvm::ArrayRef<Family> allFamilies();

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_FAMILIES_H
