// What descriptions of families share, and those that are in other files than the list of all.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_FAMILYKEYS_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_FAMILYKEYS_H

#include "Config.h"
#include "Decoder.h"
#include "Encoder.h"
#include "ImageEncoder.h"

namespace forge::huggingface {

/// What `main` sizes are called.
struct SizeKeys {
  const char *hidden = "hidden_size", *layers = "num_hidden_layers", *heads = "num_attention_heads",
             *intermediate = "intermediate_size";
};

/// Sizes, of which query heads are a multiple of key heads.
DecoderConfig sizes(Config &config, const SizeKeys &keys = {});

/// The keys that decoders with rope, RMS norms and gated feed-forward parts share.
DecoderConfig llama(Config &config, mlir::MLIRContext *context);

/// Gives the layers that slide the window `size`: those that layer_types says, or `otherwise`.
void setWindows(Config &config, DecoderConfig &model, int64_t size,
                llvm::function_ref<bool(int64_t)> otherwise);

DecoderConfig mistral(Config &config, mlir::MLIRContext *context);
DecoderConfig qwen3(Config &config, mlir::MLIRContext *context);

// Decoders with experts.
DecoderConfig deepseekV3(Config &config, mlir::MLIRContext *context);
DecoderConfig gptOss(Config &config, mlir::MLIRContext *context);
DecoderConfig mixtral(Config &config, mlir::MLIRContext *context);
DecoderConfig qwen3Moe(Config &config, mlir::MLIRContext *context);

// Encoders.
EncoderConfig bert(Config &config, mlir::MLIRContext *context);
ImageEncoderConfig vit(Config &config, mlir::MLIRContext *context);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_FAMILYKEYS_H
