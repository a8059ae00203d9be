#include "forge/Target/ROCDL/HSACO.h"

#include "Metadata.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace forge;

/// Code object version 5, which every HIP runtime since ROCm 5.3 loads.
static Result<std::unique_ptr<llvm::Module>>
translate(mlir::gpu::GPUModuleOp module, llvm::LLVMContext &context, llvm::TargetMachine &machine) {
  Result<std::unique_ptr<llvm::Module>> translated = translateDevice(module, context, machine);
  if (translated)
    (*translated)->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 500);
  return translated;
}

static Result<std::string> emit(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                                llvm::CodeGenFileType type) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createDeviceMachine(chip);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translate(module, context, **machine);
  if (!translated)
    return translated.error();
  return emitDevice(**translated, **machine, type);
}

Result<std::string> forge::emitAMDAssembly(mlir::gpu::GPUModuleOp module, const GPUChip &chip) {
  return emit(module, chip, llvm::CodeGenFileType::AssemblyFile);
}

static Result<std::string> findLinker() {
  if (const char *path = std::getenv("FORGE_LLD"))
    return std::string(path);
  for (const char *name : {"ld.lld-22", "ld.lld"})
    if (auto path = llvm::sys::findProgramByName(
            name, {"/usr/lib/llvm-22/bin", "/usr/bin", "/opt/rocm/llvm/bin"}))
      return *path;
  return Error{"no ld.lld (in FORGE_LLD, PATH or /usr/lib/llvm-22/bin; apt install lld-22): code "
               "objects need it"};
}

static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// A code object is a shared object without unresolved symbols.
static Result<std::string> link(const std::string &object) {
  Result<std::string> linker = findLinker();
  if (!linker)
    return linker;
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("forge-lld", folder))
    return Error{"no folder for temporary files: " + error.message()};
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](const char *name) { return (folder + "/" + name).str(); };
  std::string source = inFolder("kernels.o"), target = inFolder("kernels.hsaco"),
              log = inFolder("log");
  if (Result<void> written = writeFileAtomically(source, object); !written)
    return written.error();
  llvm::StringRef args[] = {*linker, "-shared", "--no-undefined", source, "-o", target};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*linker, args, std::nullopt, redirects, 0, 0, &message);
  if (status != 0)
    return Error{*linker + " failed: " + message +
                 llvm::StringRef(readFile(log)).split('\n').first.str()};
  return readFile(target);
}

Result<std::string> forge::emitHSACO(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                                     std::vector<KernelResources> &resources) {
  Result<std::string> object = emit(module, chip, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object;
  Result<std::string> linked = link(*object);
  if (linked)
    readMetadata(*linked, resources);
  return linked;
}
