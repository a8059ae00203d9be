#include "Lowerings.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace forge;

/// As forge_sim_shuffle numbers the modes.
enum Mode : unsigned { Xor, Up, Down, Index };

static Mode modeOf(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return Xor;
  case gpu::ShuffleMode::UP:
    return Up;
  case gpu::ShuffleMode::DOWN:
    return Down;
  case gpu::ShuffleMode::IDX:
    return Index;
  }
  return Index;
}

static Mode modeOf(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return Xor;
  case NVVM::ShflKind::up:
    return Up;
  case NVVM::ShflKind::down:
    return Down;
  case NVVM::ShflKind::idx:
    return Index;
  }
  return Index;
}

static bool fitsQuad(Type type) {
  if (isa<IndexType>(type))
    return true;
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getNumElements() * vector.getElementTypeBitWidth() <= 64;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64;
}

static Lowered needsQuad(Operation *op, Type type) {
  return op->emitOpError("expected a value of at most 64 bits for the simulator, but got ") << type;
}

static Value field(OpBuilder &builder, Location loc, Value pair, int64_t index) {
  return LLVM::ExtractValueOp::create(builder, loc, pair, index);
}

static Lowered lowerShuffle(gpu::ShuffleOp op, OpBuilder &builder) {
  if (!fitsQuad(op.getValue().getType()))
    return needsQuad(op, op.getValue().getType());
  CallBuilder calls(builder, op.getLoc());
  Value pair = calls
                   .callSite("forge_sim_shuffle", "gpu.shuffle",
                             {calls.toQuad(op.getValue()), calls.word(modeOf(op.getMode())),
                              op.getOffset(), op.getWidth()})
                   .getResult();
  op.getShuffleResult().replaceAllUsesWith(
      calls.fromQuad(field(builder, op.getLoc(), pair, 0), op.getValue().getType()));
  op.getValid().replaceAllUsesWith(calls.resize(field(builder, op.getLoc(), pair, 1), 1));
  op.erase();
  return true;
}

static Lowered lowerShfl(NVVM::ShflOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  CallBuilder calls(builder, loc);
  Value pair =
      calls
          .callSite("forge_sim_shfl_sync", "nvvm.shfl.sync",
                    {op.getThreadMask(), calls.toQuad(op.getVal()),
                     calls.word(modeOf(op.getKind())), op.getOffset(), op.getMaskAndClamp()})
          .getResult();
  Value result = calls.fromQuad(field(builder, loc, pair, 0), op.getVal().getType());
  if (op.getReturnValueAndIsValid()) {
    Value valid = calls.resize(field(builder, loc, pair, 1), 1);
    Value both = LLVM::PoisonOp::create(builder, loc, op.getType());
    both = LLVM::InsertValueOp::create(builder, loc, both, result, ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, loc, both, valid, ArrayRef<int64_t>{1});
  }
  op.replaceAllUsesWith(result);
  op.erase();
  return true;
}

static Lowered lowerVote(NVVM::VoteSyncOp op, OpBuilder &builder) {
  CallBuilder calls(builder, op.getLoc());
  Value predicate = calls.resize(op.getPred(), 32), result;
  if (op.getKind() == NVVM::VoteSyncKind::ballot) {
    result =
        calls.callSite("forge_sim_ballot", "nvvm.vote.sync", {op.getMask(), predicate}).getResult();
  } else {
    unsigned kind = op.getKind() == NVVM::VoteSyncKind::any   ? 0
                    : op.getKind() == NVVM::VoteSyncKind::all ? 1
                                                              : 2;
    result = calls
                 .callSite("forge_sim_vote", "nvvm.vote.sync",
                           {op.getMask(), calls.word(kind), predicate})
                 .getResult();
  }
  op.replaceAllUsesWith(calls.fromQuad(result, op.getType()));
  op.erase();
  return true;
}

static Lowered lowerMatch(NVVM::MatchSyncOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  CallBuilder calls(builder, loc);
  bool all = op.getKind() == NVVM::MatchSyncKind::all;
  Value mask = calls
                   .callSite("forge_sim_match", "nvvm.match.sync",
                             {op.getThreadMask(), calls.toQuad(op.getVal()), calls.word(all)})
                   .getResult();
  Value result = mask;
  if (all) {
    Value some = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, mask, calls.word(0));
    result = LLVM::PoisonOp::create(builder, loc, op.getType());
    result = LLVM::InsertValueOp::create(builder, loc, result, mask, ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, loc, result, some, ArrayRef<int64_t>{1});
  }
  op.replaceAllUsesWith(result);
  op.erase();
  return true;
}

/// Operations that work on the lanes that are active, whichever these are.
static Lowered lowerActiveLanes(Operation *op, OpBuilder &builder) {
  CallBuilder calls(builder, op->getLoc());
  StringRef name = op->getName().getStringRef();
  Value result;
  if (name == "rocdl.ballot" || name == "gpu.ballot") {
    result = calls
                 .callSite("forge_sim_ballot", name,
                           {calls.word(0), calls.resize(op->getOperand(0), 32)})
                 .getResult();
  } else if (name == "rocdl.readfirstlane") {
    if (!fitsQuad(op->getOperand(0).getType()))
      return needsQuad(op, op->getOperand(0).getType());
    result = calls.callSite("forge_sim_read_first_lane", name, {calls.toQuad(op->getOperand(0))})
                 .getResult();
  } else if (name == "rocdl.readlane") {
    if (!fitsQuad(op->getOperand(0).getType()))
      return needsQuad(op, op->getOperand(0).getType());
    result = calls
                 .callSite("forge_sim_read_lane", name,
                           {calls.toQuad(op->getOperand(0)), op->getOperand(1)})
                 .getResult();
  } else if (name == "rocdl.ds_bpermute") {
    // The index counts bytes of registers of four.
    Value lane = LLVM::LShrOp::create(builder, op->getLoc(), op->getOperand(0), calls.word(2));
    result = calls.callSite("forge_sim_read_lane", name, {calls.toQuad(op->getOperand(1)), lane})
                 .getResult();
  } else {
    return false;
  }
  op->getResult(0).replaceAllUsesWith(calls.fromQuad(result, op->getResult(0).getType()));
  op->erase();
  return true;
}

/// The number that stands for a permutation in the instruction.
static uint32_t controlOf(amdgpu::DPPOp op) {
  using Perm = amdgpu::DPPPerm;
  auto amount = [&](uint32_t base) {
    auto argument = dyn_cast_or_null<IntegerAttr>(op.getPermArgumentAttr());
    return base + (argument ? uint32_t(argument.getInt()) : 0);
  };
  switch (op.getKind()) {
  case Perm::quad_perm: {
    uint32_t control = 0;
    for (auto [i, lane] : llvm::enumerate(cast<ArrayAttr>(op.getPermArgumentAttr())))
      control |= uint32_t(cast<IntegerAttr>(lane).getInt() & 3) << 2 * i;
    return control;
  }
  case Perm::row_shl:
    return amount(0x100);
  case Perm::row_shr:
    return amount(0x110);
  case Perm::row_ror:
    return amount(0x120);
  case Perm::wave_shl:
    return 0x130;
  case Perm::wave_rol:
    return 0x134;
  case Perm::wave_shr:
    return 0x138;
  case Perm::wave_ror:
    return 0x13c;
  case Perm::row_mirror:
    return 0x140;
  case Perm::row_half_mirror:
    return 0x141;
  case Perm::row_bcast_15:
    return 0x142;
  case Perm::row_bcast_31:
    return 0x143;
  }
  llvm_unreachable("all permutations are listed");
}

static Lowered lowerDpp(Operation *op, OpBuilder &builder, uint32_t control, uint32_t rows,
                        uint32_t banks, bool zero) {
  Value old = op->getOperand(0), source = op->getOperand(1);
  if (!fitsQuad(source.getType()))
    return needsQuad(op, source.getType());
  CallBuilder calls(builder, op->getLoc());
  uint32_t masks = (rows & 15) | (banks & 15) << 4 | uint32_t(zero) << 8;
  Value result = calls
                     .callSite("forge_sim_dpp", op->getName().getStringRef(),
                               {calls.toQuad(old), calls.toQuad(source), calls.word(control),
                                calls.word(masks)})
                     .getResult();
  op->getResult(0).replaceAllUsesWith(calls.fromQuad(result, source.getType()));
  op->erase();
  return true;
}

static Lowered lowerBroadcast(gpu::SubgroupBroadcastOp op, OpBuilder &builder) {
  if (!fitsQuad(op.getSrc().getType()))
    return needsQuad(op, op.getSrc().getType());
  CallBuilder calls(builder, op.getLoc());
  Value source = calls.toQuad(op.getSrc());
  Value result =
      op.getLane()
          ? calls.callSite("forge_sim_read_lane", "gpu.subgroup_broadcast", {source, op.getLane()})
                .getResult()
          : calls.callSite("forge_sim_read_first_lane", "gpu.subgroup_broadcast", {source})
                .getResult();
  op.getResult().replaceAllUsesWith(calls.fromQuad(result, op.getType()));
  op.erase();
  return true;
}

Lowered forge::lowerWarpOp(Operation *op, OpBuilder &builder) {
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return lowerShuffle(shuffle, builder);
  if (auto broadcast = dyn_cast<gpu::SubgroupBroadcastOp>(op))
    return lowerBroadcast(broadcast, builder);
  if (auto shfl = dyn_cast<NVVM::ShflOp>(op))
    return lowerShfl(shfl, builder);
  if (auto dpp = dyn_cast<amdgpu::DPPOp>(op))
    return lowerDpp(op, builder, controlOf(dpp), dpp.getRowMask(), dpp.getBankMask(),
                    dpp.getBoundCtrl());
  if (auto dpp = dyn_cast<ROCDL::DPPUpdateOp>(op))
    return lowerDpp(op, builder, dpp.getDppCtrl(), dpp.getRowMask(), dpp.getBankMask(),
                    dpp.getBoundCtrl());
  if (auto vote = dyn_cast<NVVM::VoteSyncOp>(op))
    return lowerVote(vote, builder);
  if (auto match = dyn_cast<NVVM::MatchSyncOp>(op))
    return lowerMatch(match, builder);
  CallBuilder calls(builder, op->getLoc());
  if (auto elect = dyn_cast<NVVM::ElectSyncOp>(op)) {
    Value mask = elect.getMembermask() ? elect.getMembermask() : calls.word(-1);
    Value result = calls.callSite("forge_sim_elect", "nvvm.elect.sync", {mask}).getResult();
    elect.replaceAllUsesWith(calls.resize(result, 1));
    elect.erase();
    return true;
  }
  if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op)) {
    calls.callSite("forge_sim_warp_sync", "nvvm.bar.warp.sync", {sync.getMask()});
    sync.erase();
    return true;
  }
  if (op->getName().getStringRef() == "rocdl.wave.barrier") {
    calls.callSite("forge_sim_warp_sync", "rocdl.wave.barrier", {calls.word(0)});
    op->erase();
    return true;
  }
  return lowerActiveLanes(op, builder);
}
