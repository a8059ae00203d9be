#include "forge/Tune/TunedSchedules.h"

#include "FileLock.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace forge;

/// In the order of hashes. Names are comments, which are not kept in a plan that is read: `name` is
/// empty.
std::vector<PlanLine> TunedSchedules::read(mlir::MLIRContext *context) const {
  std::vector<PlanLine> lines;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return lines;
  mlir::ScopedDiagnosticHandler silent(context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::FailureOr<mlir::DictionaryAttr> plan =
      parsePlan((*file)->getBuffer(), path, compiler, context);
  mlir::DictionaryAttr kernels = succeeded(plan) ? planFor(*plan, chip) : mlir::DictionaryAttr();
  if (kernels)
    for (mlir::NamedAttribute entry : kernels)
      lines.push_back({entry.getName().str(), "", findPlanned(kernels, entry.getName())->schedule});
  return lines;
}

ScheduleAttr TunedSchedules::find(llvm::StringRef hash, mlir::MLIRContext *context) const {
  for (const PlanLine &line : read(context))
    if (line.hash == hash)
      return line.schedule;
  return {};
}

Result<void> TunedSchedules::store(const PlanLine &line) const {
  FileLock lock;
  if (Result<void> locked = lock.lock(path + ".lock"); !locked)
    return locked;
  std::vector<PlanLine> lines = {line};
  llvm::append_range(lines, read(line.schedule.getContext()));
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(os, compiler, chip, lines);
  return writeFileAtomically(path, text);
}
