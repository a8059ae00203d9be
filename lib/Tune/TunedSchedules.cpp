#include "forge/Tune/TunedSchedules.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace forge;

namespace {
/// Held from lock() on; another process that asks for it waits.
class FileLock {
public:
  ~FileLock() {
    if (descriptor >= 0)
      close(descriptor);
  }
  Result<void> lock(const std::string &path) {
    descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0)
      if (errno != EINTR)
        return Error{path + ": cannot lock: " + std::strerror(errno)};
    if (descriptor < 0)
      return Error{path + ": cannot open: " + std::strerror(errno)};
    return {};
  }

private:
  int descriptor = -1;
};
} // namespace

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
