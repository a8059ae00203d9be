#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/HostCode.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_STAGECHECKSPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-stage-checks"

using namespace mlir;

static Value copyToHost(OpBuilder &builder, Location loc, Value device) {
  auto type = cast<MemRefType>(device.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, device, dim));
  auto host = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()), sizes);
  host->setAttr(forge::kHostAttr, builder.getUnitAttr());
  auto copy = memref::CopyOp::create(builder, loc, device, host);
  copy->setAttr(forge::kHostAttr, builder.getUnitAttr());
  return host;
}

namespace {
struct StageChecksPass : public forge::impl::StageChecksPassBase<StageChecksPass> {
  void runOnOperation() override {
    getOperation()->walk([](func::CallOp call) {
      if (call->hasAttr(forge::kDeviceCallAttr))
        return;
      OpBuilder builder(call);
      for (OpOperand &operand : call->getOpOperands()) {
        auto cast = operand.get().getDefiningOp<memref::CastOp>();
        if (!isa<UnrankedMemRefType>(operand.get().getType()) || !cast ||
            !isa<MemRefType>(cast.getSource().getType()))
          continue;
        Value host = copyToHost(builder, call.getLoc(), cast.getSource());
        operand.set(memref::CastOp::create(builder, call.getLoc(), operand.get().getType(), host));
      }
    });
  }
};
} // namespace
