// A module opened by a subcommand: the options that name it, the context it lives in, its
// diagnostics.
#ifndef FORGE_TOOLS_FORGE_SESSION_H
#define FORGE_TOOLS_FORGE_SESSION_H

#include "Command.h"

#include "forge/Execution/CodeCache.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Verify/ErrorModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace forge::tool {

/// The options of every subcommand that takes one module.
struct ModuleOptions {
  std::string path;
  std::string function;
  std::string target = "cpu";
  std::string tier = "hybrid";
  std::string from = "import";
  /// Where each failure that is not the user's gets a folder; empty: none is written.
  std::string reproducerDir;
  /// Of forge compile --to import: complex numbers stay what they are.
  bool keepComplex = false;
  /// Where the files of weights are; empty: relative to the module.
  std::string weightsFolder;
  /// Weights are made up, by this seed.
  bool randomWeights = false;
  uint64_t weightsSeed = 0;
  /// Compile everything.
  bool noCache = false;
  /// The file of a plan; empty: all schedules are chosen.
  std::string plan;
  /// Of a folder in Hugging Face form: "" or "i8".
  std::string quantize;
  /// Of a folder in Hugging Face form whose sizes have to be static: sequences, and tokens of each.
  int64_t batch = 1, length = 64;
  /// All such folders have these sizes, or else only those whose sizes cannot be open.
  bool hasStaticSizes = false;
  /// Instead of @main, @prefill and @decode over caches of so many tokens.
  std::optional<int64_t> cache;

  void addTo(CLI::App &app);
  /// --target and --tier alone.
  void addTargetTo(CLI::App &app);
  /// --reproducer-dir, for commands that write reproducers.
  void addReproducerDir(CLI::App &app);
  /// --weights and --random-weights, for commands that run a function.
  void addWeights(CLI::App &app);
  /// --random-weights and its seed.
  CLI::Option *addRandomWeights(CLI::App &app);
  /// --batch, --length and --cache, for commands that take a checkpoint at sizes of their own; what
  /// the sizes are where they are not given is text for --help. Any of them sets `hasStaticSizes`.
  void addSizes(CLI::App &app, const std::string &otherBatch, const std::string &otherLength);
  /// With --cache the function is @decode unless another one is named; an exit status where there
  /// is none.
  std::optional<int> chooseDecode();
  /// The seed of made-up weights, or none where they are read from files.
  std::optional<uint64_t> randomSeed() const {
    return randomWeights ? std::optional(weightsSeed) : std::nullopt;
  }
  /// --plan, for commands that compile.
  void addPlan(CLI::App &app);
  /// --quantize, for commands that take folders in Hugging Face form.
  void addQuantize(CLI::App &app);
  MatrixFormat matrices() const {
    return quantize.empty()   ? MatrixFormat::Stored
           : quantize == "i8" ? MatrixFormat::I8
           : quantize == "i4" ? MatrixFormat::I4
                              : MatrixFormat::F8;
  }
  /// --no-cache, for commands that keep what they compile.
  void addNoCache(CLI::App &app);
  /// The cache of compiled code; null with --no-cache, or without a folder for it.
  std::unique_ptr<CodeCache> openCache() const;
  /// The folder that files named in the module are relative to.
  std::string folder() const;
  /// --from, of those that go on with a module at any phase.
  void addFromTo(CLI::App &app);
  Phase parsedFrom() const { return *parsePhase(from); }
  Tier parsedTier() const { return *parseTier(tier); }
};

/// Says why nothing was kept in a cache, if that is so.
void warnOfCache(const CodeCache *cache);

/// Exit status when `target` is none of those Forge names, or none this forge was built with.
std::optional<int> rejectTarget(const std::string &target);

/// What frameworks call the platform of `target`: "cpu", "cuda" or "rocm".
llvm::StringRef platformOf(const std::string &target);

/// Exit status when `target` has no phase `from`.
std::optional<int> rejectPhase(const Target &target, const std::string &from);

/// Exit status when the file named on the command line cannot be opened; "-" is standard input.
std::optional<int> rejectMissingFile(const std::string &path);

/// Owns a context with all dialects, and one module in it. Diagnostics are lines on stderr.
class Session {
public:
  explicit Session(bool allowUnregistered = false);

  /// Loads the module the options name; an exit status when that is not possible.
  std::optional<int> open(const ModuleOptions &options);

  /// Reads the plan that the options name, to which `plan` is set; an exit status where it cannot
  /// be read, or cannot be used. Without one `plan` stays null.
  std::optional<int> readPlan(const ModuleOptions &options, mlir::DictionaryAttr &plan);

  /// The function the options name and, where wanted, what it takes and gives; an exit status when
  /// there is no such function, or it has a type Forge does not have. Of a module in the LLVM
  /// dialect `function` stays null.
  std::optional<int> findFunction(const ModuleOptions &options, mlir::func::FuncOp &function,
                                  FunctionSignature *signature = nullptr);

  mlir::ModuleOp module() { return *owned; }
  mlir::MLIRContext *context() { return &mlirContext; }
  const LineDiagnostics &diagnostics() const { return lines; }
  /// Before compiling: errors are then reported by reportCompileError.
  void holdErrors() { lines.holdErrors(); }
  /// Reports why the module does not compile: the diagnostic at its place, when it is about the
  /// module; `message` when the compiler itself failed (it names the reproducer). Returns kFailed.
  int reportCompileError(const std::string &message);
  /// What the results of `function` on `inputs` may be off by. What the reference does not read,
  /// has to be exact.
  std::vector<Tolerance> tolerancesOf(mlir::func::FuncOp function,
                                      const FunctionSignature &signature,
                                      const std::vector<HostTensor> &inputs,
                                      const ErrorModelOptions &options = {});
  /// Reports a failure, unless a diagnostic already said what it was. Returns kFailed.
  int reportFailure(const std::string &message) const;

private:
  std::optional<int> load(const ModuleOptions &options);

  mlir::MLIRContext mlirContext;
  LineDiagnostics lines;
  mlir::OwningOpRef<mlir::ModuleOp> owned;
};

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_SESSION_H
