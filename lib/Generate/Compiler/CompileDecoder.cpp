#include "forge/Generate/Compiler/CompileDecoder.h"

#include "CompilingText.h"
#include "TakeWeights.h"

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Generate/Compiler/PrefillLengths.h"

using namespace forge;

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
  std::vector<CompileJob> jobs;
  for (const std::string &name : names) {
    Result<ModuleSignature> signature =
        takeWeights((*module)->lookupSymbol<mlir::func::FuncOp>(name));
    if (!signature)
      return signature.error();
    functions.push_back({"", std::move(*signature)});
    CompileJob &job = jobs.emplace_back(CompileJob{**module, {}});
    job.options.function = name;
    job.options.tier = tierOfFunction(name, options.tier);
    job.options.reproducerDir = options.reproducerDir;
  }
  options.progress(compilingText(jobs));
  Result<std::vector<ObjectCode>> codes = compileSideBySide(jobs, *target);
  if (!codes)
    return codes.error();
  for (auto [function, code] : llvm::zip_equal(functions, *codes)) {
    function.object = code.object->getBuffer().str();
    function.signature.function = std::move(code.signature);
    function.signature.target = target->text();
    llvm::append_range(report.phases, code.report.phases);
    llvm::append_range(report.kernels, code.report.kernels);
    report.temporaryBytes = std::max(report.temporaryBytes, code.report.temporaryBytes);
  }
  return functions;
}
