#include "forge/Generate/Compiler/CompileDecoder.h"

#include "TakeWeights.h"

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Generate/Compiler/PrefillLengths.h"

using namespace forge;

/// Compiles one function of `module`, which is left as it is.
static Result<CompiledFunction> compileFunction(mlir::ModuleOp module, const std::string &name,
                                                const Target &target,
                                                const CompileDecoderOptions &options,
                                                CompileReport &report) {
  CompiledFunction made;
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  Result<ModuleSignature> signature = takeWeights(copy->lookupSymbol<mlir::func::FuncOp>(name));
  if (!signature)
    return signature.error();
  made.signature = std::move(*signature);
  Result<FunctionSignature> function = signatureOf(*copy, name);
  if (!function)
    return function.error();
  made.signature.function = std::move(*function);
  made.signature.target = target.text();
  CompileOptions compileOptions;
  compileOptions.function = name;
  compileOptions.target = target.text();
  compileOptions.tier = tierOfFunction(name, options.tier);
  compileOptions.reproducerDir = options.reproducerDir;
  if (Result<void> lowered = lowerTo(*copy, compileOptions, lastPhaseOf(target), &report); !lowered)
    return lowered.error();
  Result<std::string> object =
      emitCode(*copy, CodeForm::Object, compileOptions.tier, target.text(), &report);
  if (!object)
    return object.error();
  made.object = std::move(*object);
  return made;
}

Result<std::vector<CompiledFunction>> forge::compileDecoder(const std::string &checkpoint,
                                                            mlir::MLIRContext &context,
                                                            const CompileDecoderOptions &options,
                                                            CompileReport &report) {
  Result<Target> target = Target::parse(options.target);
  if (!target)
    return target.error();
  options.progress("importing " + checkpoint);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      importDecoder(checkpoint, context, options.model);
  if (!module)
    return module.error();
  if (options.plan)
    (**module)->setDiscardableAttr(kPlanAttr, options.plan);
  std::vector<std::string> names = decoderFunctionsIn(**module);
  std::ranges::rotate(names, names.begin() + 1);
  std::vector<CompiledFunction> functions;
  for (const std::string &name : names) {
    options.progress("compiling @" + name);
    Result<CompiledFunction> made = compileFunction(**module, name, *target, options, report);
    if (!made)
      return made.error();
    functions.push_back(std::move(*made));
  }
  return functions;
}
