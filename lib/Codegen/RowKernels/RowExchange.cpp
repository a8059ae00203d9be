#include "RowExchange.h"

#include "ClusterMemory.h"
#include "Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace forge {

Value RowExchange::index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

void RowExchange::begin(Value lane, Value piece) {
  this->lane = lane;
  this->piece = piece;
  // Waited for before the first exchange: no block stores into a block that has not begun.
  if (plan.isCluster())
    clusterArrive(b);
}

SmallVector<Value> RowExchange::join(const RowJoin &join, SmallVector<Value> partial) {
  butterfly(join, partial, std::min(plan.threads, warpSize));
  if (plan.isCluster())
    throughCluster(join, partial);
  else if (plan.threads > warpSize)
    throughBlock(join, partial);
  return partial;
}

void RowExchange::butterfly(const RowJoin &join, SmallVector<Value> &partial, int64_t lanes) {
  for (int64_t mask = 1; mask < lanes; mask *= 2) {
    SmallVector<Value> others;
    for (Value value : partial)
      others.push_back(shuffleXor(b, value, mask, warpSize));
    if (join.isSymmetric) {
      partial = join.combine(partial, others);
      continue;
    }
    // The lane with the lower number comes first on both sides, so that both get the same bits.
    Value upper = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        arith::AndIOp::create(b, lane, index(mask)), index(0));
    SmallVector<Value> first, second;
    for (auto [own, other] : llvm::zip_equal(partial, others)) {
      first.push_back(arith::SelectOp::create(b, upper, other, own));
      second.push_back(arith::SelectOp::create(b, upper, own, other));
    }
    partial = join.combine(first, second);
  }
}

SmallVector<Value> RowExchange::allocate(ValueRange partial, int64_t count) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  return llvm::map_to_vector(partial, [&](Value value) -> Value {
    return memref::AllocOp::create(
        b, MemRefType::get({count}, value.getType(), MemRefLayoutAttrInterface(), space));
  });
}

/// 1. The first lane of each warp stores its partial result.
/// 2. All warps read all of them, and join them alike.
void RowExchange::throughBlock(const RowJoin &join, SmallVector<Value> &partial) {
  int64_t warps = plan.threads / warpSize;
  Value warp = arith::DivUIOp::create(b, lane, index(warpSize));
  Value inWarp = arith::RemUIOp::create(b, lane, index(warpSize));
  Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, inWarp, index(0));
  SmallVector<Value> buffers = allocate(partial, warps);
  auto guard = scf::IfOp::create(b, first, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPoint(guard.thenYield());
    for (auto [value, buffer] : llvm::zip_equal(partial, buffers))
      memref::StoreOp::create(b, value, buffer, warp);
  }
  gpu::BarrierOp::create(b);
  Value source = arith::RemUIOp::create(b, inWarp, index(warps));
  for (auto [value, buffer] : llvm::zip_equal(partial, buffers))
    value = memref::LoadOp::create(b, buffer, source);
  butterfly(join, partial, warps);
}

/// 1. Lane i of each warp stores the warp's partial result in block i.
/// 2. All warps read those of all warps of all blocks, some lanes several, and join them alike.
///    Buffers are used once, so that one barrier is enough, and no block is accessed after it by
///    another.
void RowExchange::throughCluster(const RowJoin &join, SmallVector<Value> &partial) {
  int64_t warps = plan.threads / warpSize, total = warps * plan.pieces;
  Value warp = arith::DivUIOp::create(b, lane, index(warpSize));
  Value inWarp = arith::RemUIOp::create(b, lane, index(warpSize));
  Value place = arith::AddIOp::create(b, arith::MulIOp::create(b, piece, index(warps)), warp);
  Value sends = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, inWarp, index(plan.pieces));
  SmallVector<Value> buffers = allocate(partial, total);
  if (!std::exchange(clusterBegan, true))
    clusterWait(b);
  auto guard = scf::IfOp::create(b, sends, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPoint(guard.thenYield());
    for (auto [value, buffer] : llvm::zip_equal(partial, buffers))
      storeInCluster(b, value, buffer, /*rank=*/inWarp, place);
  }
  clusterArrive(b);
  clusterWait(b);
  int64_t lanes = std::min(total, warpSize);
  Value source = arith::RemUIOp::create(b, inWarp, index(lanes));
  for (int64_t from = 0; from < total; from += lanes) {
    SmallVector<Value> others;
    Value at = arith::AddIOp::create(b, source, index(from));
    for (Value buffer : buffers)
      others.push_back(memref::LoadOp::create(b, buffer, at));
    partial = from == 0 ? others : join.combine(partial, others);
  }
  butterfly(join, partial, lanes);
}

} // namespace forge
