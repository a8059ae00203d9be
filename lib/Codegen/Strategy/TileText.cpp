#include "forge/Codegen/TileText.h"

#include "forge/Codegen/Strategy.h"
#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace forge;

std::string forge::tileProgramText(func::FuncOp kernel, const GPUChip &chip) {
  ScheduleAttr schedule = getSchedule(kernel);
  const Strategy *strategy = schedule ? findStrategy(schedule.strategy()) : nullptr;
  if (!strategy || !strategy->writeTiles)
    return "";
  // As forge-lower-kernels, in which the strategy writes it otherwise.
  kernel.getContext()
      ->loadDialect<affine::AffineDialect, amdgpu::AMDGPUDialect, arith::ArithDialect,
                    gpu::GPUDialect, math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                    scf::SCFDialect, tensor::TensorDialect, tile::TileDialect,
                    vector::VectorDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  auto copy = cast<func::FuncOp>(b.clone(*kernel));
  ScopedDiagnosticHandler silent(kernel.getContext(), [](Diagnostic &) { return success(); });
  if (failed(strategy->writeTiles(copy, schedule, chip)))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  copy.print(os, OpPrintingFlags().useLocalScope());
  return text + "\n";
}
