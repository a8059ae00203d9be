// What the compiled function consists of, for statistics.
#include "DeviceImage.h"
#include "RunPhases.h"

#include "forge/Codegen/Explain.h"
#include "forge/Codegen/KernelWork.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Stamps.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/StringSet.h"

using namespace forge;

/// Bytes of the tensors an operation reads and writes; 0 if a size is not known.
static int64_t bytesOf(mlir::ValueRange tensors) {
  int64_t bytes = 0;
  for (mlir::Value value : tensors) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type)
      continue;
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return 0;
    int64_t width = (type.getElementTypeBitWidth() + 7) / 8;
    bytes = saturatingAdd(bytes, saturatingMul(type.getNumElements(), width));
  }
  return bytes;
}

/// One parallel loop nest with everything inside of it.
static KernelInfo rowsKernel(mlir::scf::ForallOp loop, size_t number) {
  KernelInfo kernel;
  kernel.name = "rows_" + std::to_string(number);
  kernel.strategy = "rows";
  int64_t iterations = 1;
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getMixedLowerBound(), loop.getMixedUpperBound(), loop.getMixedStep())) {
    auto l = mlir::getConstantIntValue(lower), u = mlir::getConstantIntValue(upper),
         s = mlir::getConstantIntValue(step);
    kernel.schedule +=
        (kernel.schedule.empty() ? "parallel, tile " : " x ") + (s ? std::to_string(*s) : "?");
    iterations =
        l && u && s && *s > 0
            ? saturatingMul(iterations, std::max<int64_t>(llvm::divideCeilSigned(*u - *l, *s), 0))
            : 0;
  }
  loop.walk([&](mlir::linalg::LinalgOp op) {
    kernel.flops = saturatingAdd(kernel.flops, saturatingMul(iterations, flopsOf(op).value_or(0)));
  });
  kernel.bytes = bytesOf(loop.getOutputs());
  kernel.places = sourcePlaces(loop);
  return kernel;
}

void forge::collectTensorKernels(mlir::ModuleOp module, std::vector<KernelInfo> &kernels) {
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto loop = mlir::dyn_cast<mlir::scf::ForallOp>(op)) {
      kernels.push_back(rowsKernel(loop, kernels.size()));
      return mlir::WalkResult::skip();
    }
    auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
    if (linalgOp && linalgOp.getNumLoops() > 0 &&
        !mlir::linalg::isaContractionOpInterface(linalgOp)) {
      KernelInfo kernel{"generic_" + std::to_string(kernels.size()), "generic", "sequential"};
      kernel.flops = flopsOf(linalgOp).value_or(0);
      kernel.bytes = bytesOf(op->getOperands());
      kernel.places = sourcePlaces(op);
      kernels.push_back(std::move(kernel));
    }
    return mlir::WalkResult::advance();
  });
}

void forge::collectKernelFunctions(mlir::ModuleOp module, std::vector<KernelInfo> &kernels) {
  llvm::StringMap<int64_t> calls;
  module.walk([&](mlir::func::CallOp call) { ++calls[call.getCallee()]; });
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!isKernel(function))
      continue;
    KernelInfo kernel;
    kernel.name = function.getName().str();
    if (ScheduleAttr schedule = getSchedule(function)) {
      kernel.strategy = schedule.strategy().str();
      kernel.schedule = schedule.describe();
    }
    function.walk([&](mlir::linalg::LinalgOp op) {
      kernel.flops = saturatingAdd(kernel.flops, flopsOf(op).value_or(0));
    });
    kernel.bytes = bytesOf(function.getArguments());
    kernel.places = sourcePlaces(function);
    kernel.launches = calls[function.getName()];
    kernels.push_back(std::move(kernel));
  }
}

void forge::collectFusedKernels(mlir::ModuleOp module, std::vector<KernelInfo> &kernels) {
  llvm::StringMap<int64_t> launches;
  module.walk([&](mlir::gpu::LaunchFuncOp launch) { ++launches[launch.getKernelName()]; });
  llvm::StringSet<> parts;
  std::vector<KernelInfo> fused;
  module.walk([&](mlir::gpu::GPUFuncOp function) {
    auto names = function->getAttrOfType<mlir::ArrayAttr>(kPartsAttr);
    if (!names)
      return;
    KernelInfo kernel;
    kernel.name = function.getName().str();
    kernel.launches = launches.lookup(function.getName());
    for (llvm::StringRef name : names.getAsValueRange<mlir::StringAttr>()) {
      parts.insert(name);
      auto part = llvm::find_if(kernels, [&](KernelInfo &other) { return other.name == name; });
      if (part == kernels.end())
        continue;
      kernel.strategy = part->strategy;
      kernel.schedule += (kernel.schedule.empty() ? "" : " | ") + part->schedule;
      kernel.flops = saturatingAdd(kernel.flops, part->flops);
      kernel.bytes = saturatingAdd(kernel.bytes, part->bytes);
      llvm::append_range(kernel.places, part->places);
    }
    fused.push_back(std::move(kernel));
  });
  for (KernelInfo &kernel : kernels)
    if (parts.contains(kernel.name))
      kernel.launches = launches.lookup(kernel.name);
  llvm::erase_if(kernels, [&](const KernelInfo &kernel) {
    return parts.contains(kernel.name) && kernel.launches == 0;
  });
  llvm::append_range(kernels, fused);
}

void forge::collectStages(mlir::ModuleOp module, std::vector<KernelInfo> &kernels) {
  module.walk([&](mlir::gpu::GPUFuncOp function) {
    auto stages = function->getAttrOfType<mlir::ArrayAttr>(kStagesAttr),
         rows = function->getAttrOfType<mlir::ArrayAttr>(kStageRowsAttr);
    if (!stages || !rows)
      return;
    auto strings = [](mlir::ArrayAttr list) {
      return llvm::to_vector_of<std::string>(list.getAsValueRange<mlir::StringAttr>());
    };
    for (KernelInfo &kernel : kernels)
      if (kernel.name == function.getName()) {
        llvm::append_range(kernel.stages, strings(stages));
        llvm::append_range(kernel.stageRows, strings(rows));
      }
  });
}

void forge::addResources(const std::vector<KernelResources> &resources,
                         std::vector<KernelInfo> &kernels) {
  for (const KernelResources &found : resources)
    for (KernelInfo &kernel : kernels)
      if (kernel.name == found.name) {
        kernel.registers = found.registers;
        kernel.scalarRegisters = found.scalarRegisters;
        kernel.sharedBytes = found.sharedBytes;
        kernel.stackBytes = found.stackBytes;
        kernel.spillBytes = found.spillBytes;
      }
}

/// Operations of a product: a multiplication and an addition in each point of its loops; 0 where
/// their number is not known.
static int64_t productFlops(mlir::linalg::LinalgOp op) {
  int64_t flops = 2;
  for (int64_t size : op.getStaticLoopRanges())
    flops = mlir::ShapedType::isDynamic(size) ? 0 : saturatingMul(flops, size);
  return flops;
}

void forge::collectProducts(mlir::ModuleOp module, std::vector<KernelInfo> &products) {
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (mlir::isa<mlir::scf::ForallOp>(op))
      return mlir::WalkResult::skip();
    auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
    if (linalgOp && mlir::linalg::isaContractionOpInterface(linalgOp)) {
      KernelInfo kernel{"product_" + std::to_string(products.size()), "generic", "sequential"};
      kernel.flops = productFlops(linalgOp);
      kernel.bytes = bytesOf(op->getOperands());
      kernel.places = sourcePlaces(op);
      products.push_back(std::move(kernel));
    }
    return mlir::WalkResult::advance();
  });
}

void forge::collectFunctionKernels(mlir::ModuleOp module, std::vector<KernelInfo> products,
                                   std::vector<KernelInfo> &kernels) {
  llvm::StringMap<int64_t> calls;
  module.walk([&](mlir::func::CallOp call) { ++calls[call.getCallee()]; });
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    ScheduleAttr schedule = getSchedule(function);
    if (!schedule)
      continue;
    KernelInfo kernel{function.getName().str(), "contraction", schedule.describe()};
    if (auto flops = function->getAttrOfType<mlir::IntegerAttr>(kFlopsAttr))
      kernel.flops = flops.getInt();
    if (auto bytes = function->getAttrOfType<mlir::IntegerAttr>(kBytesAttr))
      kernel.bytes = bytes.getInt();
    kernel.places = sourcePlaces(function);
    kernel.launches = calls.lookup(function.getName());
    // Each call computes one product, of as many operations.
    for (int64_t call = 0; call < kernel.launches; ++call) {
      auto product = llvm::find_if(
          products, [&](const KernelInfo &other) { return other.flops == kernel.flops; });
      if (product != products.end())
        products.erase(product);
    }
    kernels.push_back(std::move(kernel));
  }
  llvm::append_range(kernels, products);
}
