#include "Lowerings.h"

#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Simulator/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#define DEBUG_TYPE "forge-simulate-gpu"

namespace forge {
#define GEN_PASS_DEF_SIMULATEGPUPASS
#include "forge/Simulator/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;

static bool belongsToGpu(Operation *op) {
  return isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect, ROCDL::ROCDLDialect,
                         nvgpu::NVGPUDialect, amdgpu::AMDGPUDialect, tile::TileDialect>(
      op->getDialect());
}

/// The one gpu.module of `module`, or null after a diagnostic.
static gpu::GPUModuleOp findModule(ModuleOp module) {
  gpu::GPUModuleOp found;
  for (gpu::GPUModuleOp each : module.getOps<gpu::GPUModuleOp>()) {
    if (found) {
      each.emitOpError("expected one module of kernels");
      return nullptr;
    }
    found = each;
  }
  if (!found)
    module.emitError("expected a gpu.module with kernels");
  return found;
}

/// The view of a kernel's argument says where the argument ends: `memref.reinterpret_cast` of a
/// memref of rank 0.
static void addExtents(ModuleOp module) {
  module.walk([](memref::ReinterpretCastOp op) {
    auto cast = op.getSource().getDefiningOp<UnrealizedConversionCastOp>();
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    if (!cast || !type || type.getRank() != 0 || !type.getElementType().isIntOrIndexOrFloat())
      return;
    // A slice, folded into its view, says nothing of the whole: its layout has strides, if only 1.
    if (isa<StridedLayoutAttr>(op.getType().getLayout()))
      return;
    // The pointer in the descriptor, down to the load of the argument.
    Value value = cast.getOperand(0);
    while (auto insert = value.getDefiningOp<LLVM::InsertValueOp>()) {
      value = insert.getContainer();
      if (auto load = insert.getValue().getDefiningOp<LLVM::LoadOp>()) {
        auto number = load->getAttrOfType<IntegerAttr>(kArgument);
        if (!number || op.isDynamicOffset(0) || op.getStaticOffset(0) != 0)
          return;
        OpBuilder at(op);
        Location loc = op.getLoc();
        CallBuilder calls(at, loc);
        unsigned bits = type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
        Value bytes = calls.quad((bits + 7) / 8);
        for (OpFoldResult size : op.getMixedSizes()) {
          Value length =
              isa<Attribute>(size)
                  ? calls.quad(cast_or_null<IntegerAttr>(dyn_cast<Attribute>(size)).getInt())
                  : calls.resize(dyn_cast<Value>(size), 64);
          bytes = LLVM::MulOp::create(at, loc, bytes, length);
        }
        calls.callSite("forge_sim_extent", "memref.reinterpret_cast",
                       {calls.word(number.getInt()), bytes});
        return;
      }
    }
  });
}

namespace {
/// 1. Kernels become functions of the module, which loses everything else.
/// 2. Operations of GPU dialects become calls.
/// 3. What is left of those dialects has no model.
struct SimulateGpuPass : forge::impl::SimulateGpuPassBase<SimulateGpuPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    gpu::GPUModuleOp kernels = findModule(module);
    if (!kernels)
      return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (&op != kernels)
        op.erase();
    if (failed(formFunctions(kernels, module)))
      return signalPassFailure();
    kernels.erase();
    if (failed(lowerOperations(module)))
      return signalPassFailure();
    addExtents(module);
    declareCalls(module);
  }

  LogicalResult lowerOperations(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
    });
    bool failedAny = false;
    for (Operation *op : ops) {
      OpBuilder at(op);
      bool gone = false;
      for (auto lower : {lowerIdentity, lowerWarpOp, lowerBarrierOp, lowerAsyncOp, lowerMatrixOp,
                         lowerHopperOp, lowerConversionOp}) {
        Lowered lowered = lower(op, at);
        if (failed(lowered)) {
          failedAny = true;
          gone = true;
        } else {
          gone = *lowered;
        }
        if (gone)
          break;
      }
      if (!gone && (belongsToGpu(op) || isa<LLVM::InlineAsmOp>(op))) {
        op->emitError("the simulator has no model of '") << op->getName() << "'";
        failedAny = true;
      }
    }
    return failure(failedAny);
  }
};
} // namespace
