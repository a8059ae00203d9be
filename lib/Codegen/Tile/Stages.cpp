// Stages of roles, which kernels with time stamps show.
#include "ThreadEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

bool forge::isOfTiles(Operation *op) {
  auto isTile = [](Type type) {
    return isa<RankedTensorType>(type) || isa<tile::TileDialect>(type.getDialect());
  };
  return op
      ->walk([&](Operation *inner) {
        return isa_and_nonnull<tile::TileDialect>(inner->getDialect()) ||
                       llvm::any_of(inner->getOperandTypes(), isTile) ||
                       llvm::any_of(inner->getResultTypes(), isTile)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Rows of a role are its groups of four warps, which the matrix units of sm_90a are shared by.
void ThreadEmitter::beginStages() {
  stage.clear();
  if (!marks.isOn())
    return;
  auto rowsOf = [](const TileRole &of) { return std::max<int64_t>(of.warps / 4, 1); };
  int64_t first = 0;
  for (const TileRole *before = program.roles.data(); before != role; ++before)
    first += rowsOf(*before);
  Value isRecorder =
      arith::AndIOp::create(b, b.equals(lane, 0), b.equals(b.rem(warp, b.i32(4)), 0));
  StringRef name = role->op ? tile::RoleOp(role->op).getSymName() : "threads";
  marks.beginRole(name, first, rowsOf(*role), b.div(warp, b.i32(4)), isRecorder);
}

/// What is not here has no stage of its own: it takes no time, or what is in it has one.
void ThreadEmitter::markStage(Operation *op) {
  if (!marks.isOn() || !isOfTiles(op))
    return;
  auto otherwise = [&](StringRef name) { marks.begin(stage.empty() ? name : StringRef(stage)); };
  bool isMemory = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::GetOp>([&](auto) { marks.begin("load wait"); })
      .Case<tile::PutOp>([&](auto) { marks.begin("slot wait"); })
      .Case<tile::TurnOp>([&](auto) { marks.begin("turn wait"); })
      .Case<tile::DotOp>([&](auto) { marks.begin("multiply"); })
      .Case<tile::LoadOp, tile::GatherOp>(
          [&](auto) { otherwise(isMemory ? "load" : "from shared"); })
      .Case<tile::StoreOp, tile::ScatterOp>(
          [&](auto) { otherwise(isMemory ? "store" : "to shared"); })
      .Case([&](tile::StageOp next) { stage = next.getStage().str(); })
      .Case<arith::ConstantOp, tensor::SplatOp, tile::AllocOp, tile::DropOp, tile::IotaOp,
            tile::PassOp, tile::ReshapeOp, tile::RingOp, tile::RoleOp, tile::SliceOp, tile::SplitOp,
            tile::WhenOp, tile::WorkOp, tile::LimitGridOp, scf::ForOp, scf::IfOp>([](auto) {})
      .Default([&](Operation *) { otherwise("compute"); });
}
