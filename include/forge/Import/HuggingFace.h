// A folder in Hugging Face form, config.json and safetensors, as a module of transformer
// operations.
#ifndef FORGE_IMPORT_HUGGINGFACE_H
#define FORGE_IMPORT_HUGGINGFACE_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace forge {

struct HuggingFaceOptions {
  /// Sizes of the function's input; any size unless given.
  std::optional<int64_t> batch = std::nullopt, length = std::nullopt;
  /// What the files of weights are called relative to; the checkpoint's folder unless given.
  std::optional<std::string> relativeTo = std::nullopt;
};

/// `@main(input_ids: tensor<BxSxi32>, weights...) -> logits tensor<BxSxV>`: the model's prefill.
/// Every weight has forge.weight, and its name in the checkpoint as location. Fails on a
/// configuration that is not understood and on tensors that are missing or not as it asks for: the
/// message names the key or tensor, what was expected and what came.
Result<mlir::OwningOpRef<mlir::ModuleOp>> importHuggingFace(const std::string &folder,
                                                            mlir::MLIRContext &context,
                                                            const HuggingFaceOptions &options = {});

} // namespace forge

#endif // FORGE_IMPORT_HUGGINGFACE_H
