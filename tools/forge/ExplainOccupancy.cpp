#include "ExplainOccupancy.h"

#include "forge/Execution/Lowering.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

/// Threads and dynamic shared memory of each kernel, by its launches; with sizes that are known
/// only at run time a kernel is left out.
static std::vector<KernelOccupancy> launchedKernels(mlir::ModuleOp module) {
  std::vector<KernelOccupancy> kernels;
  module.walk([&](mlir::gpu::LaunchFuncOp launch) {
    std::string name = launch.getKernelName().str();
    llvm::APInt x, y, z, dynamic(32, 0);
    mlir::gpu::KernelDim3 size = launch.getBlockSizeOperandValues();
    bool isKnown = matchPattern(size.x, mlir::m_ConstantInt(&x)) &&
                   matchPattern(size.y, mlir::m_ConstantInt(&y)) &&
                   matchPattern(size.z, mlir::m_ConstantInt(&z));
    if (mlir::Value bytes = launch.getDynamicSharedMemorySize())
      isKnown &= matchPattern(bytes, mlir::m_ConstantInt(&dynamic));
    bool isNew =
        llvm::none_of(kernels, [&](const KernelOccupancy &kernel) { return kernel.name == name; });
    if (!isKnown || !isNew)
      return;
    KernelOccupancy &kernel = kernels.emplace_back();
    kernel.name = name;
    kernel.block.threads = x.getSExtValue() * y.getSExtValue() * z.getSExtValue();
    kernel.block.sharedBytes = dynamic.getSExtValue();
  });
  return kernels;
}

Result<std::vector<KernelOccupancy>>
tool::findOccupancies(mlir::ModuleOp module, const Target &target, CompileOptions options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  options.from = Phase::Kernels;
  if (Result<void> lowered = lowerTo(*copy, options, Phase::GPU); !lowered)
    return lowered.error();
  std::vector<KernelOccupancy> kernels = launchedKernels(*copy);
  options.from = Phase::GPU;
  if (Result<void> lowered = lowerTo(*copy, options, lastPhaseOf(target)); !lowered)
    return lowered.error();
  CompileReport report;
  for (const KernelOccupancy &kernel : kernels) {
    report.kernels.emplace_back();
    report.kernels.back().name = kernel.name;
  }
  bool isNVVM = target.chip->dialect == DeviceDialect::NVVM;
  Result<std::string> code = emitCode(*copy, isNVVM ? CodeForm::Cubin : CodeForm::HSACO,
                                      options.tier, target.text(), &report);
  if (!code)
    return code.error();
  for (auto [kernel, info] : llvm::zip_equal(kernels, report.kernels)) {
    kernel.block.registers = info.registers;
    kernel.block.sharedBytes += std::max<int64_t>(info.sharedBytes, 0);
    kernel.spillBytes = std::max<int64_t>(info.spillBytes, 0);
    kernel.occupancy = occupancyOf(kernel.block, *target.chip);
  }
  return kernels;
}

std::string tool::describe(const KernelOccupancy &kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kernel.block.registers << " registers, " << kernel.block.sharedBytes
     << " bytes of shared memory, " << kernel.block.threads << " threads";
  if (kernel.spillBytes > 0)
    os << ", " << kernel.spillBytes << " bytes spilled";
  const Occupancy &found = kernel.occupancy;
  os << ": " << found.blocks << (found.blocks == 1 ? " block" : " blocks")
     << " at once on a multiprocessor, " << found.warps << " of " << found.mostWarps
     << " warps, limited by " << found.limit;
  return text;
}

Json tool::occupancyJson(const KernelOccupancy &kernel) {
  return {{"registers", kernel.block.registers},      {"shared_bytes", kernel.block.sharedBytes},
          {"threads", kernel.block.threads},          {"spill_bytes", kernel.spillBytes},
          {"blocks", kernel.occupancy.blocks},        {"warps", kernel.occupancy.warps},
          {"most_warps", kernel.occupancy.mostWarps}, {"limited_by", kernel.occupancy.limit.str()}};
}
