#include "KernelCompiler.h"

#include "KernelModule.h"

#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace forge;

/// With places of the source: errors name them.
std::string KernelCompiler::textOf(ScheduleAttr schedule) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  moduleOfKernel(kernel, schedule, *machine.target.chip)
      ->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

/// A context is for one thread. The Error repeats what its diagnostics say.
Result<Executable> KernelCompiler::compileText(const std::string &text,
                                               const TargetDevice &machine) {
  mlir::MLIRContext context(kernel->getContext()->getDialectRegistry(),
                            mlir::MLIRContext::Threading::DISABLED);
  std::string firstError;
  mlir::ScopedDiagnosticHandler silent(&context, [&](mlir::Diagnostic &diagnostic) {
    if (firstError.empty())
      firstError = diagnostic.str();
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
  if (!module)
    return Error{"the kernel cannot be read again: " + firstError};
  CompileOptions options;
  options.function = "main";
  options.target = machine.target.text();
  options.tier = tier;
  options.from = Phase::Kernels;
  std::optional<CodeCache> cache;
  if (folder)
    options.cache = &cache.emplace(folder->path());
  return Executable::compile(*module, options, &machine);
}

void KernelCompiler::compileAhead(llvm::ArrayRef<ScheduleAttr> schedules) {
  if (!folder)
    if (Result<ScratchFolder> made = ScratchFolder::create("forge-tune"))
      folder.emplace(std::move(*made));
  if (!folder || schedules.size() < 2)
    return;
  std::vector<std::string> texts;
  for (ScheduleAttr schedule : schedules)
    texts.push_back(textOf(schedule));
  // Nothing is loaded, so that no thread uses the device.
  TargetDevice withoutDevice{machine.target, nullptr};
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < texts.size(); i = next++)
      (void)bool(compileText(texts[i], withoutDevice));
  };
  std::vector<std::thread> threads;
  size_t most = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, texts.size());
  for (size_t i = 1; i < most; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

Result<Executable> KernelCompiler::compile(ScheduleAttr schedule) {
  return compileText(textOf(schedule), machine);
}
