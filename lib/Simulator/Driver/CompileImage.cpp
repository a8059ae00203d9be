#include "SimDevice.h"

#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Simulator/Driver.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <map>

using namespace forge;
using namespace forge::sim;

void sim::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<ForgeDialect, mlir::affine::AffineDialect, mlir::amdgpu::AMDGPUDialect,
                  mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::DLTIDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect, mlir::index::IndexDialect,
                  mlir::linalg::LinalgDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect, mlir::NVVM::NVVMDialect,
                  mlir::ROCDL::ROCDLDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect,
                  mlir::vector::VectorDialect, tile::TileDialect>();
}

static Result<std::shared_ptr<Module>> compile(llvm::StringRef image, unsigned warpSize) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(image, &context);
  }
  if (!module)
    return Error{message.empty() ? "expected a module in MLIR's text or bytecode" : message};
  Result<std::unique_ptr<Module>> compiled = Module::compile(*module, warpSize);
  if (!compiled)
    return compiled.error();
  return std::shared_ptr<Module>(std::move(*compiled));
}

Result<std::shared_ptr<Module>> sim::compileImage(std::string_view image, unsigned warpSize) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, unsigned>, std::weak_ptr<Module>> known;
  llvm::StringRef text(image.data(), image.size());
  std::string hash = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
  std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<Module> &entry = known[{hash, warpSize}];
  if (std::shared_ptr<Module> module = entry.lock())
    return module;
  Result<std::shared_ptr<Module>> compiled = compile(text, warpSize);
  if (compiled)
    entry = *compiled;
  return compiled;
}
