#include "CodeKey.h"
#include "HostEffort.h"

#include "forge/Codegen/TargetInfo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Runtime/Fourier.h"
#include "forge/Target/CPU/CodeGen.h"
#include "forge/Target/NVVM/PTX.h"
#include "forge/Target/ROCDL/Link.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

#include <link.h>

using namespace forge;

namespace {
/// Hashes what is written to it.
class HashStream : public llvm::raw_ostream {
public:
  HashStream() { SetUnbuffered(); }
  ~HashStream() override { flush(); }
  std::string digits() {
    flush();
    return llvm::toHex(hasher.final(), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *data, size_t size) override {
    hasher.update(llvm::StringRef(data, size));
    written += size;
  }
  uint64_t current_pos() const override { return written; }

  llvm::BLAKE3 hasher;
  uint64_t written = 0;
};

/// The build id of the loaded file that has an address.
struct BuildIdSearch {
  uintptr_t address;
  std::string id = {};
};
} // namespace

/// The build id among the notes of a segment, or empty.
static std::string findBuildId(const char *notes, size_t size) {
  auto padded = [](size_t bytes) { return (bytes + 3) & ~size_t(3); };
  while (size >= sizeof(ElfW(Nhdr))) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes);
    size_t whole = sizeof(*note) + padded(note->n_namesz) + padded(note->n_descsz);
    if (whole > size)
      return "";
    const char *name = notes + sizeof(*note);
    if (note->n_type == NT_GNU_BUILD_ID &&
        llvm::StringRef(name, note->n_namesz) == llvm::StringRef("GNU", 4))
      return llvm::toHex(llvm::StringRef(name + padded(note->n_namesz), note->n_descsz));
    notes += whole;
    size -= whole;
  }
  return "";
}

static int visitLoadedFile(dl_phdr_info *file, size_t, void *data) {
  auto &search = *static_cast<BuildIdSearch *>(data);
  bool isIts = false;
  std::string id;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = file->dlpi_phdr[i];
    uintptr_t begin = file->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD)
      isIts |= search.address >= begin && search.address - begin < segment.p_memsz;
    if (segment.p_type == PT_NOTE && id.empty())
      id = findBuildId(reinterpret_cast<const char *>(begin), segment.p_memsz);
  }
  if (isIts)
    search.id = id;
  return isIts;
}

/// Build ids of the files that Forge, MLIR and LLVM are in; nothing where one has none.
static std::optional<std::string> compilerId() {
  using Verify = mlir::LogicalResult (*)(mlir::Operation *, bool);
  std::string ids;
  for (auto address : {reinterpret_cast<uintptr_t>(&codeKey),
                       reinterpret_cast<uintptr_t>(static_cast<Verify>(&mlir::verify)),
                       reinterpret_cast<uintptr_t>(&llvm::verifyModule)}) {
    BuildIdSearch search{address};
    dl_iterate_phdr(visitLoadedFile, &search);
    if (search.id.empty())
      return std::nullopt;
    ids += search.id + "\n";
  }
  return ids;
}

/// A program by its path, size and time of change.
static std::string describeProgram(const Result<std::string> &path) {
  llvm::sys::fs::file_status status;
  if (!path || llvm::sys::fs::status(*path, status))
    return "none";
  return *path + " " + std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

static void printTarget(llvm::raw_ostream &os, const Target &target) {
  os << target.text() << "\n" << hostProcessor() << "\n" << hostFeatures() << "\n";
  TargetInfo host = TargetInfo::host();
  for (int64_t fact : {host.vectorBits, host.vectorRegisters, int64_t(host.bf16Dot), host.l1Bytes,
                       host.l2Bytes, host.l3Bytes})
    os << fact << "\n";
  if (target.isGPU() && target.driver != "sim")
    os << describeProgram(target.chip->dialect == DeviceDialect::NVVM ? findPtxas()
                                                                      : findDeviceLinker())
       << "\n";
}

std::optional<std::string> forge::codeKey(mlir::ModuleOp module, const Target &target,
                                          const CompileOptions &options) {
  static const std::optional<std::string> compiler = compilerId();
  if (!compiler)
    return std::nullopt;
  HashStream os;
  os << "forge code 1\n" << *compiler;
  printTarget(os, target);
  os << static_cast<int>(options.tier) << " " << phaseName(options.from) << " "
     << (options.naiveAfter ? phaseName(*options.naiveAfter) : "none")
     << (options.stamps ? " stamps" : "")
     << (hostEffort(options.tier, target) == Effort::Quick ? " quick" : "") << "\n";
  if (hasFftComposites(module))
    os << (rt::fourierLibrary() ? "with" : "without") << " a library for Fourier transforms\n";
  mlir::OwningOpRef<mlir::ModuleOp> used(module.clone());
  mlir::PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addPass(mlir::createSymbolDCEPass());
  if (mlir::failed(pm.run(*used)))
    return std::nullopt;
  used->print(os, mlir::OpPrintingFlags().enableDebugInfo().printGenericOpForm().assumeVerified());
  return os.digits();
}
