// Prefill and decode steps of a model over caches of keys and values.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_DECODEFUNCTIONS_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_DECODEFUNCTIONS_H

#include "Decoder.h"

#include "forge/Import/HuggingFace.h"

namespace forge::huggingface {

/// A module of one function of those of importDecoder, and the number of its arguments before the
/// weights.
struct DecodeFunction {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  unsigned numInputs;
};

/// A function that takes `tokens` tokens of each sequence at a time; with `counted`, fewer of those
/// that counts say. Where there are pages, `options` says how many, and the capacity is a multiple
/// of their size.
Result<DecodeFunction> buildDecodeFunction(mlir::MLIRContext &context, llvm::StringRef name,
                                           const DecoderConfig &config, const WeightTypes &types,
                                           const DecoderOptions &options, int64_t tokens,
                                           bool counted);

/// A function that draws the next token of each of `batch` sequences by their logits, of type
/// `element`.
Result<DecodeFunction> buildSampleFunction(mlir::MLIRContext &context, llvm::StringRef name,
                                           int64_t vocabulary, mlir::Type element, int64_t batch);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_DECODEFUNCTIONS_H
