// WGMMA: products by four warps of operands in shared memory (PTX ISA 9.7.15).
// The product is computed when all 128 threads have come. Its reads of shared memory belong to the
// warpgroup's agent, and are over for a thread only when it has waited for the group: what is
// overwritten before is a race.
#include "Async.h"
#include "Matrix.h"

#include "forge/Simulator/TensorMap.h"

#include <cstring>

using namespace forge::sim;

namespace {
/// An operand in shared memory (PTX ISA 9.7.15.5.1.2, "Matrix descriptor format").
struct Descriptor {
  uint64_t start, leading, stride;
  uint32_t swizzleBytes;
  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4) {
    static constexpr uint32_t kBytes[] = {0, 128, 64, 32};
    swizzleBytes = kBytes[bits >> 62];
  }

  /// Offset of the element in row `row` (along m or n) and column `column` (along k), of `bytes`
  /// bytes. Without swizzle, eight rows of 16 bytes are together; with it, eight rows as long as
  /// the pattern. `transposed`: rows and columns change places, rows being contiguous.
  uint64_t offsetOf(uint32_t row, uint32_t column, uint32_t bytes, bool transposed) const {
    uint64_t major = transposed ? column : row, minor = uint64_t(transposed ? row : column) * bytes;
    if (!swizzleBytes) {
      uint64_t alongMajor = transposed ? leading : stride,
               alongMinor = transposed ? stride : leading;
      return start + major / 8 * alongMajor + minor / 16 * alongMinor + major % 8 * 16 + minor % 16;
    }
    uint64_t offset = start + major / 8 * stride + major % 8 * swizzleBytes;
    if (transposed)
      offset += minor / swizzleBytes * leading + minor % swizzleBytes;
    else
      offset += minor;
    return swizzle(offset, swizzleBytes);
  }
};
} // namespace

Block::Block() = default;
Block::~Block() = default;

/// What a swizzle moves is 16 bytes: `checked` is where the last of them began that was checked for
/// a fence.
static double readShared(Block &block, uint64_t offset, MatrixType type, uint32_t agent,
                         uint32_t clock, uint32_t site, uintptr_t &checked) {
  constexpr uintptr_t kUnit = 16;
  uintptr_t address = block.shared.base + offset;
  if (uintptr_t unit = address / kUnit * kUnit; unit != checked) {
    requireFence(unit, kUnit, /*writes=*/false, "a product reads", site);
    checked = unit;
  }
  agentAccess(Access::Load, address, bytesOf(type), agent, clock, site);
  return readElement(reinterpret_cast<void *>(address), type, 0);
}

static void product(Block &block, const WarpGroupMeeting &meeting, const MatrixShape &shape,
                    uint32_t flags, uint32_t agent, uint32_t clock) {
  Descriptor descriptorA(meeting.a), descriptorB(meeting.b);
  bool accumulate = flags & 1, transposedA = flags & 8, transposedB = flags & 16;
  double sign = ((flags >> 1 ^ flags >> 2) & 1) ? -1 : 1;
  static thread_local std::vector<double> a, b, d;
  a.resize(shape.m * shape.k);
  b.resize(shape.n * shape.k);
  d.assign(shape.m * shape.n, 0);
  bool leftInRegisters = flags & 32;
  uintptr_t checked = 0;
  // A thread's elements of A are placed as those of D are, with k for columns (PTX ISA, "Register
  // fragments for wgmma").
  for (uint32_t lane = 0; leftInRegisters && lane < 128; ++lane)
    for (unsigned i = 0; i < shape.m * shape.k / 128; ++i) {
      MatrixPlace place = placeD(shape, lane, i);
      a[place.row * shape.k + place.column] = sign * readElement(meeting.left[lane], shape.a, i);
    }
  for (uint32_t i = 0; !leftInRegisters && i < shape.m; ++i)
    for (uint32_t k = 0; k < shape.k; ++k)
      a[i * shape.k + k] =
          sign * readShared(block, descriptorA.offsetOf(i, k, bytesOf(shape.a), transposedA),
                            shape.a, agent, clock, meeting.site, checked);
  for (uint32_t j = 0; j < shape.n; ++j)
    for (uint32_t k = 0; k < shape.k; ++k)
      b[k * shape.n + j] =
          readShared(block, descriptorB.offsetOf(j, k, bytesOf(shape.b), transposedB), shape.b,
                     agent, clock, meeting.site, checked);
  unsigned inLane = countD(shape);
  if (accumulate)
    for (uint32_t lane = 0; lane < 128; ++lane)
      for (unsigned i = 0; i < inLane; ++i) {
        MatrixPlace place = placeD(shape, lane, i);
        d[place.row * shape.n + place.column] = readElement(meeting.registers[lane], shape.d, i);
      }
  multiplyAdd(shape, a.data(), b.data(), d.data());
  for (uint32_t lane = 0; lane < 128; ++lane)
    for (unsigned i = 0; i < inLane; ++i) {
      MatrixPlace place = placeD(shape, lane, i);
      writeElement(meeting.registers[lane], shape.d, i, d[place.row * shape.n + place.column]);
    }
}

extern "C" {
/// wgmma.mma_async. `registers` holds D, in and out. `shape` and `types` as of forge_sim_matrix.
/// `flags`: 1 D is added to, 2 A is negated, 4 B is, 8 A is transposed, 16 B is, 32 A is in
/// registers: `a` is their address in the thread.
void forge_sim_wgmma(uint64_t a, uint64_t b, void *registers, uint64_t shape, uint32_t types,
                     uint32_t flags, uint32_t site) {
  Thread &self = *machine->current;
  Block &block = *self.block;
  uint32_t group = self.linear / 128, lane = self.linear % 128;
  if (block.threads.size() < 128 * (group + 1))
    fail(FindingKind::InvalidOperation,
         "a warpgroup has 128 threads, but the last one of the block has " +
             std::to_string(block.threads.size() % 128),
         site);
  std::unique_ptr<WarpGroupMeeting> &meeting = block.warpGroups[group];
  if (!meeting) {
    meeting = std::make_unique<WarpGroupMeeting>();
    meeting->site = site;
    meeting->a = a;
    meeting->b = b;
  }
  bool leftInRegisters = flags & 32;
  if (meeting->site != site || (!leftInRegisters && meeting->a != a) || meeting->b != b)
    fail(FindingKind::InvalidOperation, "threads of a warpgroup come with different products", site,
         {partyOf(block.threads[group * 128], meeting->site)});
  meeting->registers[lane] = registers;
  if (leftInRegisters)
    meeting->left[lane] = reinterpret_cast<void *>(a);
  if (++meeting->arrived < 128)
    return suspend(Wait::Collective, site);
  MatrixShape what;
  what.m = shape & 0xffff;
  what.n = shape >> 16 & 0xffff;
  what.k = shape >> 32 & 0xffff;
  what.family = MatrixFamily::Wgmma;
  what.a = MatrixType(types >> 4 & 15);
  what.b = MatrixType(types >> 8 & 15);
  what.c = MatrixType(types >> 12 & 15);
  what.d = MatrixType(types >> 16 & 15);
  uint32_t &agent = block.groupAgents[group];
  if (!agent)
    agent = machine->launch->takeAgent(partyOf(block.threads[group * 128], site));
  uint32_t clock = machine->tick();
  product(block, *meeting, what, flags, agent, clock);
  meeting.reset();
  for (uint32_t i = 0; i < 128; ++i) {
    Thread &thread = block.threads[group * 128 + i];
    asyncOf(thread).products.back().push_back(clock);
    if (&thread != &self)
      makeReady(thread);
  }
}

void forge_sim_wgmma_commit() { asyncOf(*machine->current).products.emplace_back(); }

void forge_sim_wgmma_wait(uint32_t groups) {
  Thread &self = *machine->current;
  AsyncState &async = asyncOf(self);
  while (async.products.size() - 1 > groups) {
    for (uint32_t clock : async.products.front()) {
      self.known.threads.raise(self.block->groupAgents[self.linear / 128], clock);
      self.knows = true;
    }
    async.products.pop_front();
  }
}
}
