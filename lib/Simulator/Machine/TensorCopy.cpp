// The tensor memory accelerator: boxes of up to five dimensions between global and shared memory,
// with swizzle. Loads end when a thread waits for their mbarrier and no other can run; stores
// when their thread waits for them.
#include "Async.h"

#include "forge/Simulator/TensorMap.h"

#include <cstring>

using namespace forge::sim;

static TensorMap readMap(uintptr_t address, uint32_t site) {
  TensorMap map;
  Allocation *allocation = machine->memory.find(address);
  bool isArgument = false;
  const Launch &launch = *machine->launch;
  for (size_t i = 0; i < launch.kernel->arguments.size(); ++i)
    isArgument |= reinterpret_cast<uintptr_t>(launch.args[i]) == address &&
                  launch.kernel->arguments[i].bytes >= 128;
  if (!isArgument && (!allocation || address + 128 > allocation->base + allocation->bytes))
    fail(FindingKind::OutOfBounds,
         "a tensor map at an address " + machine->memory.describe(address), site);
  std::memcpy(&map, reinterpret_cast<void *>(address), sizeof(map));
  if (map.magic != TensorMap::kMagic)
    fail(FindingKind::InvalidOperation, "what stands there is no tensor map", site);
  return map;
}

/// One piece per 16 bytes of the box, which is what a swizzle moves: global addresses, and whether
/// they are inside.
static std::vector<BulkCopy::Piece> piecesOf(const TensorMap &map, uintptr_t shared, uintptr_t base,
                                             const int32_t *coordinates, bool toShared) {
  std::vector<BulkCopy::Piece> pieces;
  uint32_t rowBytes = map.box[0] * map.elementBytes;
  uint64_t rows = 1;
  for (unsigned d = 1; d < map.rank; ++d)
    rows *= map.box[d];
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t rest = row;
    int64_t offset = 0;
    bool inside = true;
    for (unsigned d = 1; d < map.rank; ++d) {
      int64_t at = coordinates[d] + int64_t(rest % map.box[d]);
      rest /= map.box[d];
      inside &= at >= 0 && at < int64_t(map.sizes[d]);
      offset += at * int64_t(map.strides[d - 1]);
    }
    for (uint32_t byte = 0; byte < rowBytes; byte += 16) {
      uint32_t bytes = std::min<uint32_t>(16, rowBytes - byte);
      int64_t first = coordinates[0] + int64_t(byte / map.elementBytes);
      int64_t valid = inside && first >= 0 ? std::clamp<int64_t>(int64_t(map.sizes[0]) - first, 0,
                                                                 bytes / map.elementBytes)
                                           : 0;
      uintptr_t global = map.base + offset + first * map.elementBytes;
      uintptr_t local = base + swizzle(shared - base + row * rowBytes + byte, map.swizzleBytes);
      uint32_t validBytes = valid * map.elementBytes;
      if (toShared)
        pieces.push_back({local, global, bytes, validBytes});
      else if (validBytes)
        pieces.push_back({global, local, validBytes, validBytes});
    }
  }
  return pieces;
}

static Block &blockOf(uintptr_t address, uint32_t site) {
  for (Block *block : machine->launch->cluster)
    if (address - block->shared.base < kSharedWindow)
      return *block;
  fail(FindingKind::OutOfBounds, "a tensor copy outside of shared memory", site);
}

static void checkMap(const TensorMap &map, uintptr_t shared, const int32_t *coordinates,
                     uint32_t rank, uint32_t site) {
  if (map.rank != rank)
    fail(FindingKind::InvalidOperation,
         "a tensor map of " + std::to_string(map.rank) + " dimensions with " +
             std::to_string(rank) + " coordinates",
         site);
  if (shared % 128)
    fail(FindingKind::Misaligned,
         "expected shared memory at a multiple of 128 bytes for a tensor copy", site);
  // The PTX ISA does not say it; an H200 ends other copies with an illegal instruction.
  if (int64_t(coordinates[0]) * map.elementBytes % 16)
    fail(FindingKind::Misaligned,
         "expected a first coordinate at a multiple of 16 bytes for a tensor copy, but got " +
             std::to_string(coordinates[0]) + " of " + std::to_string(map.elementBytes) + " bytes",
         site);
  if (map.swizzleBytes && map.box[0] * map.elementBytes > map.swizzleBytes)
    fail(FindingKind::InvalidOperation,
         "the rows of a box are longer than the pattern of its swizzle", site);
}

/// Begins the copy of a box to `to`, which reports its bytes to `barrier`.
static void load(const TensorMap &tensor, uintptr_t to, const int32_t *coordinates,
                 uintptr_t barrier, uint32_t site) {
  Block &owner = blockOf(to, site), &reporter = blockOf(barrier, site);
  auto it = reporter.mbarriers.find(barrier - reporter.shared.base);
  if (it == reporter.mbarriers.end())
    fail(FindingKind::InvalidOperation, "nothing has initialised the mbarrier of a tensor copy",
         site);
  BulkCopy copy;
  copy.pieces = piecesOf(tensor, to, owner.shared.base, coordinates, /*toShared=*/true);
  copy.site = site;
  copy.issuer = machine->current;
  for (const BulkCopy::Piece &piece : copy.pieces) {
    copy.bytes += piece.bytes;
    if (piece.source)
      checkAccess(Access::Load, piece.from, piece.source, site);
    requireFence(piece.to, piece.bytes, /*writes=*/true, "a tensor copy writes", site);
    checkAccess(Access::Store, piece.to, piece.bytes, site);
    setPending(piece.to, piece.bytes, site, true);
  }
  it->second.copies.push_back(std::move(copy));
}

extern "C" {
/// Global to shared memory; reports its bytes to `barrier`. `coordinates` points to `rank` numbers.
/// `multicast`: 0, or the blocks of the cluster that get the box and the report, each at the same
/// offset in its shared memory (PTX ISA, 9.7.9.27.1.2).
void forge_sim_tensor_load(uintptr_t to, uintptr_t map, const int32_t *coordinates, uint32_t rank,
                           uintptr_t barrier, uint32_t multicast, uint32_t site) {
  TensorMap tensor = readMap(map, site);
  checkMap(tensor, to, coordinates, rank, site);
  if (!multicast)
    return load(tensor, to, coordinates, barrier, site);
  const std::vector<Block *> &cluster = machine->launch->cluster;
  if (multicast >> cluster.size())
    fail(FindingKind::InvalidOperation,
         "a tensor copy to blocks " + std::to_string(multicast) + " (as bits) of a cluster of " +
             std::to_string(cluster.size()),
         site);
  uintptr_t offset = to - blockOf(to, site).shared.base,
            barrierOffset = barrier - blockOf(barrier, site).shared.base;
  for (Block *block : cluster)
    if (multicast >> block->rankInCluster & 1)
      load(tensor, block->shared.base + offset, coordinates, block->shared.base + barrierOffset,
           site);
}

/// Shared to global memory, in the thread's open group.
void forge_sim_tensor_store(uintptr_t map, uintptr_t from, const int32_t *coordinates,
                            uint32_t rank, uint32_t site) {
  TensorMap tensor = readMap(map, site);
  checkMap(tensor, from, coordinates, rank, site);
  BulkCopy copy;
  copy.pieces =
      piecesOf(tensor, from, blockOf(from, site).shared.base, coordinates, /*toShared=*/false);
  copy.site = site;
  for (const BulkCopy::Piece &piece : copy.pieces) {
    requireFence(piece.from, piece.source, /*writes=*/false, "a tensor copy reads", site);
    checkAccess(Access::Load, piece.from, piece.source, site);
    checkAccess(Access::Store, piece.to, piece.bytes, site);
    setPending(piece.to, piece.bytes, site, true);
  }
  asyncOf(*machine->current).stores.back().push_back(std::move(copy));
}

void forge_sim_bulk_commit() { asyncOf(*machine->current).stores.emplace_back(); }

/// Waits until at most the youngest `groups` committed groups have not ended. With .read only their
/// source is free; here they end too.
void forge_sim_bulk_wait(uint32_t groups) {
  Thread &self = *machine->current;
  AsyncState &async = asyncOf(self);
  // What the copies have read is recorded as read by this thread, and needs no fence.
  self.block->fenced.threads.raise(self.global, self.clock);
  while (async.stores.size() - 1 > groups) {
    for (const BulkCopy &copy : async.stores.front())
      for (const BulkCopy::Piece &piece : copy.pieces) {
        checkAccess(Access::Load, piece.from, piece.source, copy.site);
        setPending(piece.to, piece.bytes, copy.site, false);
        PendingCopy plain{piece.to, piece.from, piece.bytes, piece.source, copy.site};
        checkAccess(Access::Store, piece.to, piece.bytes, copy.site);
        endCopy(plain);
      }
    async.stores.pop_front();
  }
}
}
