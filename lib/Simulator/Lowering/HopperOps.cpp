// Operations of sm_90: mbarriers, tensor copies, products of warpgroups.
#include "Lowerings.h"
#include "Registers.h"

#include "../Machine/Matrix.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace forge;
using sim::MatrixType;

/// Replaces `op` by a call, and its result, if any, by the call's.
static Lowered replace(Operation *op, OpBuilder &builder, StringRef name,
                       SmallVector<Value> arguments) {
  CallBuilder calls(builder, op->getLoc());
  LLVM::CallOp call = calls.callSite(name, op->getName().getStringRef(), std::move(arguments));
  if (op->getNumResults())
    op->getResult(0).replaceAllUsesWith(
        calls.fromQuad(call.getResult(), op->getResult(0).getType()));
  op->erase();
  return true;
}

static Lowered refusePredicate(Operation *op) {
  return op->emitOpError("expected no predicate for the simulator");
}

static Lowered lowerWait(NVVM::MBarrierTryWaitOp op, OpBuilder &builder) {
  CallBuilder calls(builder, op.getLoc());
  bool byState = op.getStateOrPhase().getType().isInteger(64);
  calls.callSite(byState ? "forge_sim_mbarrier_wait" : "forge_sim_mbarrier_wait_parity",
                 "nvvm.mbarrier.try_wait", {op.getAddr(), op.getStateOrPhase()});
  op.replaceAllUsesWith(calls.fromQuad(calls.quad(1), op.getType()));
  op.erase();
  return true;
}

static Lowered lowerMBarrier(Operation *op, OpBuilder &builder) {
  CallBuilder calls(builder, op->getLoc());
  if (auto init = dyn_cast<NVVM::MBarrierInitOp>(op)) {
    if (init.getPredicate())
      return refusePredicate(op);
    return replace(op, builder, "forge_sim_mbarrier_init", {init.getAddr(), init.getCount()});
  }
  if (auto inval = dyn_cast<NVVM::MBarrierInvalOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_inval", {inval.getAddr()});
  if (auto arrive = dyn_cast<NVVM::MBarrierArriveOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_arrive",
                   {arrive.getAddr(), arrive.getCount() ? arrive.getCount() : calls.word(1)});
  if (auto arrive = dyn_cast<NVVM::MBarrierArriveNocompleteOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_arrive", {arrive.getAddr(), arrive.getCount()});
  if (auto arrive = dyn_cast<NVVM::MBarrierArriveExpectTxOp>(op)) {
    if (arrive.getPredicate())
      return refusePredicate(op);
    return replace(op, builder, "forge_sim_mbarrier_arrive_expect",
                   {arrive.getAddr(), arrive.getTxcount()});
  }
  if (auto expect = dyn_cast<NVVM::MBarrierExpectTxOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_expect",
                   {expect.getAddr(), expect.getTxcount()});
  if (auto complete = dyn_cast<NVVM::MBarrierCompleteTxOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_complete",
                   {complete.getAddr(), complete.getTxcount()});
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitParityOp>(op))
    return replace(op, builder, "forge_sim_mbarrier_wait_parity",
                   {wait.getAddr(), wait.getPhase()});
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitOp>(op))
    return lowerWait(wait, builder);
  if (auto test = dyn_cast<NVVM::MBarrierTestWaitOp>(op)) {
    bool byParity = test.getStateOrPhase().getType().isInteger(32);
    return replace(op, builder, "forge_sim_mbarrier_test",
                   {test.getAddr(), test.getStateOrPhase(), calls.word(byParity)});
  }
  if (auto arrive = dyn_cast<NVVM::CpAsyncMBarrierArriveOp>(op))
    return replace(op, builder, "forge_sim_cp_async_arrive",
                   {arrive.getAddr(), calls.word(arrive.getNoinc())});
  return false;
}

static Lowered lowerTensorLoad(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op,
                               OpBuilder &builder) {
  if (op.getPredicate())
    return refusePredicate(op);
  if (op.getMode() != NVVM::TMALoadMode::TILE || !op.getIm2colOffsets().empty())
    return op.emitOpError("expected a tile for the simulator");
  CallBuilder calls(builder, op.getLoc());
  Value coordinates = spill(op, builder, op.getCoordinates());
  return replace(op, builder, "forge_sim_tensor_load",
                 {op.getDstMem(), op.getTmaDescriptor(), coordinates,
                  calls.word(op.getCoordinates().size()), op.getMbar(),
                  op.getMulticastMask() ? op.getMulticastMask() : calls.word(0)});
}

static Lowered lowerTensorStore(NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp op, OpBuilder &builder) {
  if (op.getPredicate())
    return refusePredicate(op);
  if (op.getMode() != NVVM::TMAStoreMode::TILE)
    return op.emitOpError("expected a tile for the simulator");
  CallBuilder calls(builder, op.getLoc());
  Value coordinates = spill(op, builder, op.getCoordinates());
  return replace(
      op, builder, "forge_sim_tensor_store",
      {op.getTmaDescriptor(), op.getSrcMem(), coordinates, calls.word(op.getCoordinates().size())});
}

static std::optional<MatrixType> typeOf(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return MatrixType::F16;
  case NVVM::WGMMATypes::bf16:
    return MatrixType::BF16;
  case NVVM::WGMMATypes::tf32:
    return MatrixType::TF32;
  case NVVM::WGMMATypes::f32:
    return MatrixType::F32;
  case NVVM::WGMMATypes::e4m3:
    return MatrixType::E4M3;
  case NVVM::WGMMATypes::e5m2:
    return MatrixType::E5M2;
  case NVVM::WGMMATypes::s8:
    return MatrixType::S8;
  case NVVM::WGMMATypes::u8:
    return MatrixType::U8;
  case NVVM::WGMMATypes::s32:
    return MatrixType::S32;
  default:
    return std::nullopt;
  }
}

static Lowered lowerWgmma(NVVM::WgmmaMmaAsyncOp op, OpBuilder &builder) {
  auto a = typeOf(op.getTypeA()), b = typeOf(op.getTypeB()), d = typeOf(op.getTypeD());
  if (!a || !b || !d ||
      (op.getSatfinite() && *op.getSatfinite() == NVVM::MMAIntOverflow::satfinite))
    return op.emitOpError(
        "expected f16, bf16, tf32, 8-bit floats or integers and no saturation for the simulator");
  sim::MatrixShape shape;
  shape.family = sim::MatrixFamily::Wgmma;
  shape.m = op.getShape().getM();
  shape.n = op.getShape().getN();
  shape.k = op.getShape().getK();
  shape.a = *a;
  shape.b = *b;
  shape.c = shape.d = *d;
  CallBuilder calls(builder, op.getLoc());
  auto type = cast<LLVM::LLVMStructType>(op.getType());
  Value registers = registersOf(op, sim::countD(shape) * sim::bytesOf(shape.d));
  storeFields(op, builder, registers, op.getInouts());
  uint64_t dims = shape.m | uint64_t(shape.n) << 16 | uint64_t(shape.k) << 32 | uint64_t(1) << 48;
  uint32_t types = uint32_t(shape.family) | uint32_t(shape.a) << 4 | uint32_t(shape.b) << 8 |
                   uint32_t(shape.c) << 12 | uint32_t(shape.d) << 16;
  uint32_t flags = (op.getScaleD() == NVVM::WGMMAScaleOut::one ? 1 : 0) |
                   (op.getScaleA() == NVVM::WGMMAScaleIn::neg ? 2 : 0) |
                   (op.getScaleB() == NVVM::WGMMAScaleIn::neg ? 4 : 0) |
                   (op.getLayoutA() == NVVM::MMALayout::col ? 8 : 0) |
                   (op.getLayoutB() == NVVM::MMALayout::row ? 16 : 0);
  calls.callSite("forge_sim_wgmma", "nvvm.wgmma.mma_async",
                 {op.getDescriptorA(), op.getDescriptorB(), registers, calls.quad(dims),
                  calls.word(types), calls.word(flags)});
  op.replaceAllUsesWith(loadFields(op, builder, registers, type));
  op.erase();
  return true;
}

/// The left factor's words go through memory of the thread, too.
static Lowered lowerWgmma(tile::WgmmaOp op, OpBuilder &builder) {
  CallBuilder calls(builder, op.getLoc());
  auto type = cast<LLVM::LLVMStructType>(op.getType());
  sim::MatrixType factor = op.getElement().isBF16() ? MatrixType::BF16 : MatrixType::F16;
  Value registers = registersOf(op, type.getBody().size() * 4);
  storeFields(op, builder, registers, op.getSums());
  Value left = LLVM::PtrToIntOp::create(builder, op.getLoc(), builder.getI64Type(),
                                        spill(op, builder, op.getLeft()));
  uint64_t dims = 64 | uint64_t(op.getColumns()) << 16 | uint64_t(16) << 32 | uint64_t(1) << 48;
  uint32_t types = uint32_t(sim::MatrixFamily::Wgmma) | uint32_t(factor) << 4 |
                   uint32_t(factor) << 8 | uint32_t(MatrixType::F32) << 12 |
                   uint32_t(MatrixType::F32) << 16;
  uint32_t flags = 1 | (op.getTransposed() ? 16 : 0) | 32;
  calls.callSite(
      "forge_sim_wgmma", "tile.wgmma",
      {left, op.getRight(), registers, calls.quad(dims), calls.word(types), calls.word(flags)});
  op.replaceAllUsesWith(loadFields(op, builder, registers, type));
  op.erase();
  return true;
}

Lowered forge::lowerHopperOp(Operation *op, OpBuilder &builder) {
  if (auto product = dyn_cast<tile::WgmmaOp>(op))
    return lowerWgmma(product, builder);
  if (auto load = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return lowerTensorLoad(load, builder);
  if (auto store = dyn_cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op))
    return lowerTensorStore(store, builder);
  if (auto product = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
    return lowerWgmma(product, builder);
  CallBuilder calls(builder, op->getLoc());
  if (auto wait = dyn_cast<NVVM::CpAsyncBulkWaitGroupOp>(op))
    calls.call("forge_sim_bulk_wait", {calls.word(wait.getGroup())});
  else if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op))
    calls.call("forge_sim_wgmma_wait", {calls.word(wait.getGroup())});
  else if (isa<NVVM::CpAsyncBulkCommitGroupOp>(op))
    calls.call("forge_sim_bulk_commit", {});
  else if (isa<NVVM::WgmmaGroupSyncAlignedOp>(op))
    calls.call("forge_sim_wgmma_commit", {});
  else if (auto map = dyn_cast<NVVM::MapaOp>(op)) {
    Value flat =
        calls.callSite("forge_sim_map_shared", "nvvm.mapa", {map.getA(), map.getB()}).getResult();
    if (flat.getType() != map.getType())
      flat = LLVM::AddrSpaceCastOp::create(builder, op->getLoc(), map.getType(), flat);
    map.replaceAllUsesWith(flat);
  } else {
    return lowerMBarrier(op, builder);
  }
  op->erase();
  return true;
}
