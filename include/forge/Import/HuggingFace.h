// A checkpoint as a module of transformer operations: a folder in Hugging Face form, config.json
// and safetensors, or a GGUF file.
#ifndef FORGE_IMPORT_HUGGINGFACE_H
#define FORGE_IMPORT_HUGGINGFACE_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace forge {

/// Whether `path` is a checkpoint: a folder with config.json, or a GGUF file.
bool isCheckpoint(const std::string &path);
/// What files of its weights are called relative to: the folder, or that of the file.
std::string checkpointFolder(const std::string &path);

/// How the matrices of a decoder's products are kept.
enum class MatrixFormat {
  Stored, ///< as the checkpoint has them
  I8,     ///< i8 with a scale of f32 for each output feature, rounded as they are read
  I4,     ///< 4 bits with a scale for 128 of a row (forge/Support/NibbleFormat.h), likewise
  F8      ///< f8E4M3FN with a scale for each output feature; inputs by transformer.quantize_rows
};

struct HuggingFaceOptions {
  /// Sizes of the function's input; any size unless given.
  std::optional<int64_t> batch = std::nullopt, length = std::nullopt;
  /// The same for models whose sizes have to be static, as those with experts, where not given.
  int64_t staticBatch = 1, staticLength = 64;
  /// What the files of weights are called relative to; the checkpoint's folder unless given.
  std::optional<std::string> relativeTo = std::nullopt;
  /// The folder has no files of weights: their names and types are what config.json asks for.
  bool withoutWeights = false;
  /// Of a decoder; unless Stored all but experts' matrices and the routers in front of them.
  MatrixFormat matrices = MatrixFormat::Stored;
};

/// `@main(input_ids: tensor<BxSxi32>, weights...) -> logits tensor<BxSxV>`: the model's prefill. Of
/// an encoder, `@main(input_ids, attention_mask, token_type_ids, weights...)`, or of images
/// `@main(pixel_values, weights...)`, and what its head gives.
/// Every weight has forge.weight, and its name in the checkpoint as location. Fails on a
/// configuration that is not understood and on tensors that are missing or not as it asks for: the
/// message names the key or tensor, what was expected and what came. In the place of a folder there
/// may be a GGUF file; its blocks of integers stay as they are, arguments of i8.
Result<mlir::OwningOpRef<mlir::ModuleOp>> importHuggingFace(const std::string &folder,
                                                            mlir::MLIRContext &context,
                                                            const HuggingFaceOptions &options = {});

/// What is known of a decoder by its configuration.
struct DecoderFacts {
  /// How many tokens have positions; none where any number has.
  std::optional<int64_t> positions;
};

/// None of an encoder; fails as importDecoder does.
Result<std::optional<DecoderFacts>>
describeDecoder(const std::string &folder, mlir::MLIRContext &context, bool withoutWeights = false);

struct DecoderOptions {
  int64_t batch = 1;
  /// Tokens of a sequence that each prefill takes at a time, one or more numbers; at most as many
  /// as the caches hold.
  std::vector<int64_t> prefills = {64};
  /// Where sequences share pages, the same for prefills of one sequence alone.
  std::vector<int64_t> alone = {};
  /// Tokens of a sequence that the caches hold, at least.
  int64_t capacity = 1024;
  /// Keys and values are in pages of this many tokens, which all sequences share; contiguous
  /// without it.
  std::optional<int64_t> pageSize = std::nullopt;
  /// How many pages there are; as many as all sequences can have unless given.
  std::optional<int64_t> pages = std::nullopt;
  /// There are functions that draw tokens at random.
  bool sampled = false;
  std::optional<std::string> relativeTo = std::nullopt;
  /// The caches hold a multiple of this many tokens, unless the model has positions for fewer: for
  /// about as many tokens the functions are then the same.
  int64_t capacityMultiple = 1;
  /// The folder has no files of weights: their names and types are what config.json asks for.
  bool withoutWeights = false;
  /// As in HuggingFaceOptions.
  MatrixFormat matrices = MatrixFormat::Stored;
};

/// Functions of the same model, over caches [B, heads, T, D] of the keys and values of each
/// layer, which are updated in place; sizes are static, and how many tokens there are is a value:
///
///   @prefill(input_ids [B, S], counts [B], lengths [B], caches..., weights...)
///   @prefill_S(...)  the same, for each S that is smaller than the largest
///   @decode(input_ids [B, 1], lengths [B], caches..., weights...)
///     -> (next_ids [B, 1], logits [B, V] of the last token, lengths [B], caches...)
///
/// The tokens come behind the `lengths` tokens of the caches; of those of a prefill the first
/// `counts` of each sequence count. With pages of R tokens the caches are [P, heads, R, D], and
/// behind `lengths` comes a table [B, T / R] of i32: the pages of each sequence in the order of its
/// tokens, -1 where it has none; what is written there is dropped. `@prefill_alone_S` takes one
/// sequence, with B = 1 for all but the pages.
///
/// The next tokens are the most likely ones. Where others may be drawn, these functions take, in
/// front of `lengths`, a donated argument logits [B, V], where their logits are left, and there is
///
///   @sample(input_ids [B, 1], logits [B, V], lengths [B], seeds [B] of i64,
///           temperature [B] of f32, top_k [B] of i32, top_p [B] of f32) -> next_ids [B, 1]
///
/// to run behind them, as transformer.sample, its result in the place of `input_ids`, which it does
/// not read; and `@sample_alone` behind `@prefill_alone_S`. Fails as importHuggingFace does, and on
/// a capacity or pages that the model has no positions for.
Result<mlir::OwningOpRef<mlir::ModuleOp>>
importDecoder(const std::string &folder, mlir::MLIRContext &context, const DecoderOptions &options);

/// The names of the functions of such a module: "decode", then the prefills, those of one kind by
/// falling S, then those that draw tokens.
std::vector<std::string> decoderFunctionsIn(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_IMPORT_HUGGINGFACE_H
