#include "forge/Target/NVVM/PTX.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace forge;

Result<std::string> forge::emitPTX(mlir::gpu::GPUModuleOp module, const GPUChip &chip) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createDeviceMachine(chip);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translateDevice(module, context, **machine);
  if (!translated)
    return translated.error();
  return emitDevice(**translated, **machine, llvm::CodeGenFileType::AssemblyFile);
}

Result<std::string> forge::findPtxas() {
  if (const char *path = std::getenv("FORGE_PTXAS"))
    return std::string(path);
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  const char *home = std::getenv("CUDA_HOME");
  for (std::string folder :
       {std::string(home ? home : "/usr/local/cuda"), std::string("/usr/local/cuda"),
        std::string("/usr/lib/nvidia-cuda-toolkit")})
    if (llvm::sys::fs::can_execute(folder + "/bin/ptxas"))
      return folder + "/bin/ptxas";
  return Error{"no ptxas (in FORGE_PTXAS, PATH, CUDA_HOME or /usr/local/cuda): cubin needs it, PTX "
               "does not"};
}

/// The number before `unit` in `line`, as in "0 bytes spill stores".
static int64_t numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = line.take_front(at).rtrim();
  size_t start = before.find_last_not_of("0123456789");
  int64_t number = 0;
  before.drop_front(start == llvm::StringRef::npos ? 0 : start + 1).getAsInteger(10, number);
  return number;
}

/// Reads "ptxas info" lines: the function's name, then its stack and spills, then registers and
/// shared memory.
static void readResources(llvm::StringRef log, std::vector<KernelResources> &resources) {
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.contains("Compiling entry function"))
      resources.push_back({line.split('\'').second.split('\'').first.str()});
    if (resources.empty())
      continue;
    KernelResources &kernel = resources.back();
    if (line.contains("bytes stack frame")) {
      kernel.stackBytes = numberBefore(line, "bytes stack frame");
      kernel.spillBytes =
          numberBefore(line, "bytes spill stores") + numberBefore(line, "bytes spill loads");
    }
    if (line.contains("Used ") && line.contains(" registers")) {
      kernel.registers = numberBefore(line, "registers");
      kernel.sharedBytes = numberBefore(line, "bytes smem");
    }
  }
}

static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Result<std::string> forge::assemblePTX(const std::string &ptx, const GPUChip &chip,
                                       std::vector<KernelResources> &resources) {
  Result<std::string> ptxas = findPtxas();
  if (!ptxas)
    return ptxas;
  Result<ScratchFolder> folder = ScratchFolder::create("forge-ptxas");
  if (!folder)
    return folder.error();
  std::string source = folder->file("kernels.ptx"), target = folder->file("kernels.cubin"),
              log = folder->file("log");
  if (Result<void> written = writeFileAtomically(source, ptx); !written)
    return written.error();
  std::string arch = "-arch=" + chip.name.str();
  llvm::StringRef args[] = {*ptxas, "-v", "-O3", arch, source, "-o", target};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*ptxas, args, std::nullopt, redirects, 0, 0, &message);
  std::string output = readFile(log);
  if (status != 0)
    return Error{*ptxas + " failed: " + message + llvm::StringRef(output).split('\n').first.str()};
  readResources(output, resources);
  return readFile(target);
}
