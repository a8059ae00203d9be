#include "TileProgram.h"

#include "LowerTileProgram.h"

#include "forge/Codegen/MatrixUnit.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

bool forge::isTileProgram(func::FuncOp kernel) {
  return kernel->hasAttr(tile::kGridAttr) ||
         kernel
             .walk([](Operation *op) {
               return isa_and_nonnull<tile::TileDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                           : WalkResult::advance();
             })
             .wasInterrupted();
}

tile::RingOp forge::ringOf(Value slot) {
  if (auto get = slot.getDefiningOp<tile::GetOp>())
    return get.getRing().getDefiningOp<tile::RingOp>();
  if (auto result = dyn_cast<OpResult>(slot))
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      return ringOf(loop.getInitArgs()[result.getResultNumber()]);
  if (auto argument = dyn_cast<BlockArgument>(slot))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (OpOperand *init = loop.getTiedLoopInit(argument))
        return ringOf(init->get());
  return {};
}

int64_t TileProgram::take(int64_t bytes, int64_t alignment) {
  used = llvm::alignTo(used, alignment);
  return std::exchange(used, used + bytes);
}

LogicalResult TileProgram::findRoles(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  auto warps = kernel->getAttrOfType<IntegerAttr>(tile::kWarpsAttr);
  int64_t next = 0;
  for (auto role : body.getOps<tile::RoleOp>()) {
    roles.push_back({role, &role.getBody(), next, static_cast<int64_t>(role.getWarps())});
    next += role.getWarps();
    // Barriers of a part of a block.
    if (roles.size() > 1 && chip->dialect != DeviceDialect::NVVM)
      return role.emitOpError("expected one role on ") << chip->name;
  }
  if (roles.empty()) {
    if (!warps)
      return kernel.emitError("expected ")
             << tile::kWarpsAttr << " on a tile program without roles";
    next = warps.getInt();
    roles.push_back({{}, &kernel.getBody(), 0, next});
  } else if (warps) {
    return kernel.emitError("expected no ") << tile::kWarpsAttr << " on a tile program with roles";
  }
  threads = next * chip->warpSize;
  if (threads > chip->maxThreads)
    return kernel.emitError("expected at most ")
           << chip->maxThreads << " threads, but got " << threads << " in " << next << " warps";
  for (TileRole &role : roles) {
    bool copies = false, others = false;
    role.region->walk([&](Operation *op) {
      if (auto copy = dyn_cast<tile::CopyOp>(op))
        (copy.getEngine() == tile::CopyEngine::Tma ? copies : others) = true;
      else if (!isa<tile::PutOp, tile::ReshapeOp, tile::SliceOp, tile::StageOp, tile::WorkOp,
                    tile::YieldOp>(op))
        others |= isa_and_nonnull<tile::TileDialect>(op->getDialect());
    });
    role.onlyCopies = role.op && copies && !others;
  }
  return success();
}

/// One engine fills a ring: tensor copies of sm_90a, or cp.async from sm_80 on, whose threads read
/// the ring themselves.
LogicalResult TileProgram::findEngine(tile::RingOp op, TileRing &ring) {
  tile::RoleOp role;
  bool isFirst = true;
  for (Operation *user : op->getUsers()) {
    auto put = dyn_cast<tile::PutOp>(user);
    if (!put)
      continue;
    for (auto copy : put.getBody().getOps<tile::CopyOp>()) {
      if (!isFirst && copy.getEngine() != ring.engine)
        return copy.emitOpError("expected one engine to fill a ring, but got ")
               << tile::stringifyCopyEngine(copy.getEngine()) << " and "
               << tile::stringifyCopyEngine(ring.engine);
      ring.engine = copy.getEngine();
      role = put->getParentOfType<tile::RoleOp>();
      isFirst = false;
    }
  }
  if (ring.engine == tile::CopyEngine::Tma)
    return chip->warpgroupProducts
               ? success()
               : LogicalResult(
                     op.emitOpError("expected a chip with mbarriers and tensor copies, but got ")
                     << chip->name);
  if (matrixUnitOf(*chip) != MatrixUnit::Mma)
    return op.emitOpError("expected a chip with cp.async, but got ") << chip->name;
  for (Operation *user : op->getUsers())
    if (user->getParentOfType<tile::RoleOp>() != role)
      return user->emitOpError("expected the role that fills a ring by cp_async to read it");
  return success();
}

LogicalResult TileProgram::placeRings(func::FuncOp kernel) {
  auto alignmentOf = [&](tile::SharedType type) -> int64_t {
    isAligned |= type.getSwizzle() != 0;
    return type.getSwizzle() ? 1024 : 128;
  };
  for (auto ring : kernel.getOps<tile::RingOp>()) {
    TileRing place;
    if (failed(findEngine(ring, place)))
      return failure();
    place.slots = ring.getType().getSlots();
    for (Type type : ring.getType().getBuffers()) {
      auto buffer = cast<tile::SharedType>(type);
      int64_t alignment = alignmentOf(buffer);
      place.strides.push_back(llvm::alignTo(buffer.getBytes(), alignment));
      place.offsets.push_back(take(place.slots * place.strides.back(), alignment));
      place.slotBytes += buffer.getBytes();
    }
    isAligned = true;
    for (const TileRole &role : roles) {
      bool reads = false;
      role.region->walk([&](tile::GetOp get) { reads |= get.getRing() == ring; });
      place.readerWarps += reads ? role.warps : 0;
    }
    rings.insert({ring, place});
  }
  for (auto &[op, place] : rings)
    if (place.engine == tile::CopyEngine::Tma)
      place.barriers = take(place.slots * 16, 8);
  for (auto alloc : kernel.getOps<tile::AllocOp>())
    buffers[alloc] = take(alloc.getType().getBytes(), alignmentOf(alloc.getType()));
  Operation *misplaced = nullptr;
  kernel.walk([&](Operation *op) {
    if (isa<tile::AllocOp, tile::RingOp>(op) && op->getParentOp() != kernel)
      misplaced = op;
  });
  if (misplaced)
    return misplaced->emitOpError("expected to be directly in the function");
  return success();
}

LogicalResult TileProgram::placeWork() {
  for (const TileRole &role : roles) {
    tile::WorkOp op;
    role.region->walk([&](tile::WorkOp inner) { op = inner; });
    if (!op)
      continue;
    if (work) {
      work->readerWarps += role.warps;
      continue;
    }
    if (!chip->warpgroupProducts)
      return op.emitOpError("expected a chip with mbarriers, but got ") << chip->name;
    work.emplace();
    work->taker = role.op;
    work->barriers = take(TileWork::kSlots * 16, 8);
    work->numbers = take(TileWork::kSlots * 4, 4);
    isAligned = true;
  }
  return success();
}

void TileProgram::placeSplit(func::FuncOp kernel) {
  for (auto op : kernel.getOps<tile::SplitOp>()) {
    split = TileSplit{op};
    for (Type type : op.getResultTypes()) {
      auto tile = cast<RankedTensorType>(type);
      split->registers += cast<tile::LayoutAttr>(tile.getEncoding()).getRegisters(tile.getShape());
    }
    auto count = static_cast<int64_t>(op.getCount());
    if (count == 1 || count > chip->maxCluster)
      continue;
    split->blocks = count;
    split->offset = take(split->registers * threads * 4, 16);
  }
}

/// Every tile of a role is spread over its warps, and a warp has as many lanes as the chip's.
LogicalResult TileProgram::checkLayouts() {
  for (const TileRole &role : roles) {
    auto check = [&](Operation *op, Type type) -> LogicalResult {
      auto tile = dyn_cast<RankedTensorType>(type);
      if (!tile)
        return success();
      auto layout = dyn_cast_or_null<tile::LayoutAttr>(tile.getEncoding());
      if (!layout)
        return op->emitOpError("expected a tile with a layout, but got ") << tile;
      if (layout.getLanes() != chip->warpSize)
        return op->emitOpError("expected a layout of ")
               << chip->warpSize << " lanes for " << chip->name << ", but got "
               << layout.getLanes();
      if (layout.getWarps() != role.warps)
        return op->emitOpError("expected a layout of ")
               << role.warps << " warps, but got " << layout.getWarps();
      return success();
    };
    WalkResult result = role.region->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (failed(check(op, type)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

FailureOr<TileProgram> TileProgram::create(func::FuncOp kernel, const GPUChip &chip) {
  TileProgram program;
  program.chip = &chip;
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("expected a tile program of one block"), failure();
  if (!kernel->hasAttr(tile::kGridAttr))
    return kernel.emitError("expected ") << tile::kGridAttr << " on a tile program", failure();
  if (failed(program.findRoles(kernel)) || failed(program.placeRings(kernel)) ||
      failed(program.placeWork()) || failed(program.checkLayouts()))
    return failure();
  program.placeSplit(kernel);
  return program;
}
