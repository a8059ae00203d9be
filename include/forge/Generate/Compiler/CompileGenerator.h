// A checkpoint's model compiled in this process, ready to be run token by token.
#ifndef FORGE_GENERATE_COMPILER_COMPILEGENERATOR_H
#define FORGE_GENERATE_COMPILER_COMPILEGENERATOR_H

#include "forge/Execution/Executable.h"
#include "forge/Generate/Compiler/PrefillLengths.h"
#include "forge/Generate/Generator.h"
#include "forge/Import/HuggingFace.h"

namespace forge {

struct CompileGeneratorOptions {
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  std::string reproducerDir = {};
  /// Where compiled code is looked for first and kept; may be null.
  CodeCache *cache = nullptr;
  /// Schedules of a plan (forge/Codegen/Plan.h), in the context that the model is imported to;
  /// null: all are chosen.
  mlir::DictionaryAttr plan = {};
  /// Sequences that are continued at the same time.
  int64_t batch = 1;
  /// Tokens of each that are kept, prompt and new ones; at least.
  int64_t capacity = 1024;
  /// More are kept to a multiple of this, so that code in the cache serves calls of other lengths.
  int64_t capacityMultiple = 1;
  /// Keys and values are in pages of this many tokens, of which there are `pages`, or as many as
  /// all sequences can have; contiguous without it.
  std::optional<int64_t> pageSize = std::nullopt, pages = std::nullopt;
  /// Tokens of the prompts, by which the lengths of prefills are chosen; none where they are not
  /// known.
  std::vector<int64_t> prompts = {};
  /// Those lengths, where they are not to be chosen.
  PrefillLengths lengths = {};
  /// Draws tokens; otherwise the most likely ones are taken.
  std::optional<Sampling> sampling = std::nullopt;
  /// Whether the generator gives logits.
  bool logits = false;
  /// Makes weights up, by this seed: of the folder only config.json is read.
  std::optional<uint64_t> randomWeights = std::nullopt;
  /// How the matrices of products are kept.
  MatrixFormat matrices = MatrixFormat::Stored;
  /// Kernels take time stamps (CompileOptions).
  bool stamps = false;
  /// Called with what is being done next.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// Imports the model of a folder in Hugging Face form, compiles its prefills and its decode step,
/// and loads its weights.
Result<Generator> compileGenerator(const std::string &folder, mlir::MLIRContext &context,
                                   const CompileGeneratorOptions &options);

} // namespace forge

#endif // FORGE_GENERATE_COMPILER_COMPILEGENERATOR_H
