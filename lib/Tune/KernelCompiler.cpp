#include "KernelCompiler.h"

#include "KernelModule.h"

using namespace forge;

CompileOptions KernelCompiler::options() const {
  CompileOptions options;
  options.function = "main";
  options.target = machine.target.text();
  options.tier = tier;
  options.from = Phase::Kernels;
  return options;
}

void KernelCompiler::compileAhead(llvm::ArrayRef<ScheduleAttr> schedules) {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<CompileJob> jobs;
  for (ScheduleAttr schedule : schedules) {
    modules.push_back(moduleOfKernel(kernel, schedule, *machine.target.chip));
    jobs.push_back({*modules.back(), options()});
  }
  for (auto [schedule, code] :
       llvm::zip_equal(schedules, forge::compileAhead(jobs, machine.target)))
    if (code)
      ahead.try_emplace(schedule, std::move(*code));
}

Result<Executable> KernelCompiler::compile(ScheduleAttr schedule) {
  if (auto found = ahead.find(schedule); found != ahead.end()) {
    ObjectCode code = std::move(found->second);
    ahead.erase(found);
    return Executable::load(std::move(code), machine);
  }
  mlir::ScopedDiagnosticHandler silent(kernel.getContext(),
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  return Executable::compile(*moduleOfKernel(kernel, schedule, *machine.target.chip), options(),
                             &machine);
}
