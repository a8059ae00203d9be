#include "Lowerings.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace forge;

namespace {
/// As forge_sim_index numbers them.
enum Kind : unsigned {
  ThreadId,
  BlockId,
  BlockDim,
  GridDim,
  LaneId,
  WarpId,
  NumWarps,
  WarpSize,
  ClusterId,
  ClusterDim,
  ClusterBlockId,
  ClusterDimBlocks,
  ClusterRank,
  ClusterSize
};
} // namespace

/// The kind and dimension of an operation of the gpu dialect.
static std::optional<std::pair<Kind, unsigned>> classifyGpu(Operation *op) {
  auto with = [](Kind kind, gpu::Dimension dimension) {
    return std::pair(kind, static_cast<unsigned>(dimension));
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return with(ThreadId, id.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return with(BlockId, id.getDimension());
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return with(BlockDim, dim.getDimension());
  if (auto dim = dyn_cast<gpu::GridDimOp>(op))
    return with(GridDim, dim.getDimension());
  if (auto id = dyn_cast<gpu::ClusterIdOp>(op))
    return with(ClusterId, id.getDimension());
  if (auto dim = dyn_cast<gpu::ClusterDimOp>(op))
    return with(ClusterDim, dim.getDimension());
  if (auto id = dyn_cast<gpu::ClusterBlockIdOp>(op))
    return with(ClusterBlockId, id.getDimension());
  if (auto dim = dyn_cast<gpu::ClusterDimBlocksOp>(op))
    return with(ClusterDimBlocks, dim.getDimension());
  if (isa<gpu::LaneIdOp>(op))
    return std::pair(LaneId, 0u);
  if (isa<gpu::SubgroupIdOp>(op))
    return std::pair(WarpId, 0u);
  if (isa<gpu::NumSubgroupsOp>(op))
    return std::pair(NumWarps, 0u);
  if (isa<gpu::SubgroupSizeOp>(op))
    return std::pair(WarpSize, 0u);
  return std::nullopt;
}

/// The same for the special registers of nvvm and rocdl, by name.
static std::optional<std::pair<Kind, unsigned>> classifyRegister(StringRef name) {
  unsigned dimension = name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
  static const llvm::StringMap<Kind> plain = {{"nvvm.read.ptx.sreg.laneid", LaneId},
                                              {"nvvm.read.ptx.sreg.warpid", WarpId},
                                              {"nvvm.read.ptx.sreg.nwarpid", NumWarps},
                                              {"nvvm.read.ptx.sreg.warpsize", WarpSize},
                                              {"nvvm.read.ptx.sreg.cluster.ctarank", ClusterRank},
                                              {"nvvm.read.ptx.sreg.cluster.nctarank", ClusterSize},
                                              {"rocdl.wavefrontsize", WarpSize}};
  static const llvm::StringMap<Kind> dimensional = {
      {"nvvm.read.ptx.sreg.tid", ThreadId},
      {"nvvm.read.ptx.sreg.ctaid", BlockId},
      {"nvvm.read.ptx.sreg.ntid", BlockDim},
      {"nvvm.read.ptx.sreg.nctaid", GridDim},
      {"nvvm.read.ptx.sreg.clusterid", ClusterId},
      {"nvvm.read.ptx.sreg.nclusterid", ClusterDim},
      {"nvvm.read.ptx.sreg.cluster.ctaid", ClusterBlockId},
      {"nvvm.read.ptx.sreg.cluster.nctaid", ClusterDimBlocks},
      {"rocdl.workitem.id", ThreadId},
      {"rocdl.workgroup.id", BlockId},
      {"rocdl.workgroup.dim", BlockDim},
      {"rocdl.grid.dim", GridDim}};
  if (auto it = plain.find(name); it != plain.end())
    return std::pair(it->second, 0u);
  if (auto it = dimensional.find(name.drop_back(2)); it != dimensional.end())
    return std::pair(it->second, dimension);
  return std::nullopt;
}

Lowered forge::lowerIdentity(Operation *op, OpBuilder &builder) {
  if (auto time = dyn_cast<tile::TimeOp>(op)) {
    time.replaceAllUsesWith(
        CallBuilder(builder, op->getLoc()).call("forge_sim_time", {}).getResult());
    op->erase();
    return true;
  }
  auto kind = classifyGpu(op);
  if (!kind)
    kind = classifyRegister(op->getName().getStringRef());
  if (!kind)
    return false;
  CallBuilder calls(builder, op->getLoc());
  Value value = calls.call("forge_sim_index", {calls.word(kind->first), calls.word(kind->second)})
                    .getResult();
  op->getResult(0).replaceAllUsesWith(calls.fromQuad(value, op->getResult(0).getType()));
  op->erase();
  return true;
}
