#include "forge/Execution/ObjectCode.h"

#include "CodeKey.h"
#include "DeviceImage.h"
#include "HostEffort.h"
#include "JIT.h"
#include "PhaseWatch.h"
#include "RunPhases.h"

#include "forge/Execution/CodeCache.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Pieces.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <thread>

using namespace forge;

using Object = std::unique_ptr<llvm::MemoryBuffer>;

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

/// A copy of `module` in which `entry` alone is public.
static mlir::OwningOpRef<mlir::ModuleOp> isolate(mlir::ModuleOp module, llvm::StringRef entry) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  for (auto function : copy->getOps<mlir::func::FuncOp>())
    if (function.getName() == entry)
      function.setPublic();
    else
      function.setPrivate();
  return copy;
}

/// Compiles device code and puts it into the host module.
static Result<void> embedDevice(mlir::ModuleOp module, const Target &target,
                                CompileReport &report) {
  PhaseWatch watch(report.phases);
  std::vector<KernelResources> resources;
  Result<std::string> code = compileDevice(module, target, resources);
  if (!code)
    return code.error();
  addResources(resources, report.kernels);
  embedDeviceCode(module, *code);
  watch.lap("device");
  return {};
}

/// Takes `module` itself to an object file.
static Result<Object> compileModule(mlir::ModuleOp module, const CompileOptions &options,
                                    const Target &target, CompileReport &report) {
  if (Result<void> result = runPhases(module, options, lastPhaseOf(target), report); !result)
    return result.error();
  if (target.isGPU())
    if (Result<void> embedded = embedDevice(module, target, report); !embedded)
      return withDetails(embedded.error(), {.stage = "codegen"});
  return compileObject(module, hostEffort(options.tier, target), report.phases);
}

/// What the cache has, if there is one, or else `compileModule` of it, which is then kept.
static Result<Object> findOrCompile(mlir::ModuleOp module, const CompileOptions &options,
                                    const Target &target, CompileReport &report) {
  std::optional<std::string> key = options.cache ? codeKey(module, target, options) : std::nullopt;
  if (!key)
    return compileModule(module, options, target, report);
  if (std::optional<CodeCache::Code> found = options.cache->find(*key)) {
    report.kernels = std::move(found->kernels);
    report.temporaryBytes = found->temporaryBytes;
    return std::move(found->object);
  }
  Result<Object> object = compileModule(module, options, target, report);
  if (object)
    options.cache->store(*key, **object, report.kernels, report.temporaryBytes);
  return object;
}

Result<ObjectCode> forge::compileToObject(mlir::ModuleOp module, const CompileOptions &options,
                                          const Target &target) {
  CompileOptions withChip = options;
  withChip.target = target.text();
  Result<FunctionSignature> signature =
      options.signature ? *options.signature : signatureOf(module, options.function);
  if (!signature)
    return signature.error();
  ObjectCode code;
  code.signature = std::move(*signature);
  TraceScope scope("compile", "compile @" + code.signature.name);
  mlir::OwningOpRef<mlir::ModuleOp> copy = isolate(module, code.signature.name);
  Result<Object> object = findOrCompile(*copy, withChip, target, code.report);
  if (!object)
    return object.error();
  code.object = std::move(*object);
  return code;
}

//===----------------------------------------------------------------------===//
// Several side by side
//===----------------------------------------------------------------------===//

/// Bytecode of `module`, aligned for resources; null where it cannot be written.
static Object bytecodeOf(mlir::ModuleOp module) {
  const llvm::Align alignment(64);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(module, os)))
    return nullptr;
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size(), "", alignment);
  llvm::copy(bytes, buffer->getBufferStart());
  return buffer;
}

/// The module of `bytecode`, compiled in a context of its own: one context has one handler of
/// diagnostics, and its passes load dialects.
static std::optional<ObjectCode> compileCopy(const mlir::DialectRegistry &registry,
                                             llvm::MemoryBufferRef bytecode,
                                             const CompileOptions &options, const Target &target) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silent(&context,
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::Block block;
  if (mlir::failed(mlir::readBytecodeFile(bytecode, &block, mlir::ParserConfig(&context, false))))
    return std::nullopt;
  auto modules = block.getOps<mlir::ModuleOp>();
  if (!llvm::hasSingleElement(modules))
    return std::nullopt;
  // No reproducer is written: the failure is repeated.
  CompileOptions quiet = options;
  quiet.reproducerDir.clear();
  Result<ObjectCode> code = compileToObject(*modules.begin(), quiet, target);
  if (!code)
    return std::nullopt;
  return std::move(*code);
}

std::vector<std::optional<ObjectCode>> forge::compileAhead(std::span<const CompileJob> jobs,
                                                           const Target &target) {
  std::vector<std::optional<ObjectCode>> codes(jobs.size());
  size_t workers = std::max(1u, std::thread::hardware_concurrency());
  if (jobs.size() < 2 || workers < 2)
    return codes;
  // Jobs of one module share its bytecode.
  llvm::DenseMap<mlir::Operation *, Object> bytecode;
  for (const CompileJob &job : jobs)
    if (auto [entry, isNew] = bytecode.try_emplace(job.module); isNew)
      entry->second = bytecodeOf(job.module);
  forEachSideBySide(jobs.size(), workers, [&](size_t, size_t i) {
    mlir::ModuleOp module = jobs[i].module;
    if (const Object &bytes = bytecode.find(module)->second)
      codes[i] =
          compileCopy(module.getContext()->getDialectRegistry(), *bytes, jobs[i].options, target);
  });
  return codes;
}

Result<std::vector<ObjectCode>> forge::compileSideBySide(std::span<const CompileJob> jobs,
                                                         const Target &target) {
  std::vector<ObjectCode> codes;
  for (auto [job, ahead] : llvm::zip_equal(jobs, compileAhead(jobs, target))) {
    Result<ObjectCode> code = ahead ? Result<ObjectCode>(std::move(*ahead))
                                    : compileToObject(job.module, job.options, target);
    if (!code)
      return code.error();
    codes.push_back(std::move(*code));
  }
  return codes;
}
