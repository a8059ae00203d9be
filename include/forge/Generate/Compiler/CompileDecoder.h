// A checkpoint's decoder compiled ahead, for a shared object.
#ifndef FORGE_GENERATE_COMPILER_COMPILEDECODER_H
#define FORGE_GENERATE_COMPILER_COMPILEDECODER_H

#include "forge/Execution/Lowering.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Support/ModuleSignature.h"

#include <functional>

namespace forge {

struct CompileDecoderOptions {
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  std::string reproducerDir = {};
  /// Schedules of a plan (forge/Codegen/Plan.h), or null.
  mlir::DictionaryAttr plan = {};
  /// What is imported.
  DecoderOptions model = {};
  /// Called with what is being done next.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// A function as an ELF object (CodeForm::Object).
struct CompiledFunction {
  std::string object;
  /// Without tolerances: what they give is no result of a run alone.
  ModuleSignature signature;
};

/// Compiles the prefills and `@decode` of a checkpoint, which comes last, as importDecoder imports
/// them. `report` gets phases and kernels of all.
Result<std::vector<CompiledFunction>> compileDecoder(const std::string &checkpoint,
                                                     mlir::MLIRContext &context,
                                                     const CompileDecoderOptions &options,
                                                     CompileReport &report);

} // namespace forge

#endif // FORGE_GENERATE_COMPILER_COMPILEDECODER_H
