// Matrix instructions of a warp: the last lane to come gathers the operands of all, multiplies, and
// scatters the result.
#include "Matrix.h"
#include "State.h"

#include <cstring>
#include <map>
#include <tuple>

using namespace forge::sim;

namespace {
enum : uint32_t { kMatrix = 32, kLoadMatrix = 33, kStoreMatrix = 34 };

struct MatrixPayload {
  const void *a, *b, *c;
  void *d;
  const MatrixShape *shape;
};

/// Places of all elements of all lanes, as offsets into [block][row][column], computed once.
struct MatrixTable {
  MatrixShape shape;
  unsigned inA, inB, inD;
  std::vector<uint32_t> a, b, d;

  explicit MatrixTable(const MatrixShape &shape)
      : shape(shape), inA(countA(shape)), inB(countB(shape)), inD(countD(shape)) {
    auto fill = [&](std::vector<uint32_t> &offsets, unsigned count, auto place, uint32_t rows,
                    uint32_t columns) {
      for (uint32_t lane = 0; lane < shape.lanes(); ++lane)
        for (uint32_t i = 0; i < count; ++i) {
          MatrixPlace where = place(shape, lane, i);
          offsets.push_back((where.block * rows + where.row) * columns + where.column);
        }
    };
    fill(a, inA, placeA, shape.m, shape.k);
    fill(b, inB, placeB, shape.k, shape.n);
    fill(d, inD, placeD, shape.m, shape.n);
  }
};
} // namespace

static const MatrixTable &tableOf(const MatrixShape &shape) {
  static thread_local std::map<
      std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>,
      MatrixTable>
      tables;
  std::tuple key(uint32_t(shape.family), shape.m, shape.n, shape.k, shape.blocks, uint32_t(shape.a),
                 uint32_t(shape.b), uint32_t(shape.d));
  auto it = tables.find(key);
  if (it == tables.end())
    it = tables.emplace(key, MatrixTable(shape)).first;
  return it->second;
}

/// Wmma takes A and B from both halves of the warp; these must agree.
static void requireEqualHalves(const Collective &collective, Warp &warp, const MatrixShape &shape,
                               const void *MatrixPayload::*operand, unsigned bytes) {
  if (shape.family != MatrixFamily::Wmma)
    return;
  for (uint32_t lane = 0; lane < 16; ++lane) {
    const void *low = static_cast<MatrixPayload *>(collective.payloads[lane])->*operand;
    const void *high = static_cast<MatrixPayload *>(collective.payloads[lane + 16])->*operand;
    if (std::memcmp(low, high, bytes) != 0)
      failAt(warp.block->threads[warp.first + lane], FindingKind::InvalidOperation,
             "lanes " + std::to_string(lane) + " and " + std::to_string(lane + 16) +
                 " must hold the same row of an operand",
             collective.site);
  }
}

static void multiply(const MatrixShape &shape, const double *a, const double *b, double *d) {
  for (uint32_t block = 0; block < shape.blocks; ++block) {
    multiplyAdd(shape, a, b, d);
    a += shape.m * shape.k;
    b += shape.k * shape.n;
    d += shape.m * shape.n;
  }
}

static void completeMatrix(Collective &collective, Warp &warp) {
  const MatrixShape &shape =
      *static_cast<MatrixPayload *>(collective.payloads[__builtin_ctzll(collective.arrived)])
           ->shape;
  const MatrixTable &table = tableOf(shape);
  uint32_t lanes = shape.lanes();
  if (__builtin_popcountll(collective.arrived) != int(lanes))
    failAt(warp.block->threads[warp.first + __builtin_ctzll(collective.arrived)],
           FindingKind::InvalidOperation,
           "a matrix operation takes all " + std::to_string(lanes) + " lanes of a warp, but only " +
               std::to_string(__builtin_popcountll(collective.arrived)) + " take part",
           collective.site);
  requireEqualHalves(collective, warp, shape, &MatrixPayload::a, table.inA * bytesOf(shape.a));
  requireEqualHalves(collective, warp, shape, &MatrixPayload::b, table.inB * bytesOf(shape.b));
  static thread_local std::vector<double> a, b, d;
  a.assign(shape.blocks * shape.m * shape.k, 0);
  b.assign(shape.blocks * shape.k * shape.n, 0);
  d.assign(shape.blocks * shape.m * shape.n, 0);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const MatrixPayload &payload = *static_cast<MatrixPayload *>(collective.payloads[lane]);
    for (unsigned i = 0; i < table.inA; ++i)
      a[table.a[lane * table.inA + i]] = readElement(payload.a, shape.a, i);
    for (unsigned i = 0; i < table.inB; ++i)
      b[table.b[lane * table.inB + i]] = readElement(payload.b, shape.b, i);
    for (unsigned i = 0; i < table.inD; ++i)
      d[table.d[lane * table.inD + i]] = readElement(payload.c, shape.c, i);
  }
  multiply(shape, a.data(), b.data(), d.data());
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const MatrixPayload &payload = *static_cast<MatrixPayload *>(collective.payloads[lane]);
    for (unsigned i = 0; i < table.inD; ++i)
      writeElement(payload.d, shape.d, i, d[table.d[lane * table.inD + i]]);
  }
}

namespace {
/// ldmatrix: the row this lane says the address of, and its part of the result.
struct RowPayload {
  alignas(16) uint16_t row[8];
  uint32_t registers[4];
  uint32_t count;
  bool transposed;
};
} // namespace

static RowPayload &rowOf(Collective &collective, uint32_t lane) {
  return *static_cast<RowPayload *>(collective.payloads[lane]);
}

static void requireWarp(Collective &collective, Warp &warp) {
  if (__builtin_popcountll(collective.arrived) != 32)
    failAt(warp.block->threads[warp.first + __builtin_ctzll(collective.arrived)],
           FindingKind::InvalidOperation, "a matrix operation takes all 32 lanes of a warp",
           collective.site);
}

/// PTX ISA 9.7.14.5.15: lanes 8i to 8i+7 say where the rows of matrix i are; lane t gets elements
/// 2(t%4) and the next of row t/4, or with .trans of column t/4.
static void completeLoadMatrix(Collective &collective, Warp &warp) {
  requireWarp(collective, warp);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    RowPayload &result = rowOf(collective, lane);
    for (uint32_t matrix = 0; matrix < result.count; ++matrix) {
      uint32_t pair = 0;
      for (uint32_t e = 0; e < 2; ++e) {
        uint32_t major = lane / 4, minor = lane % 4 * 2 + e;
        uint16_t element = result.transposed ? rowOf(collective, 8 * matrix + minor).row[major]
                                             : rowOf(collective, 8 * matrix + major).row[minor];
        pair |= uint32_t(element) << (16 * e);
      }
      result.registers[matrix] = pair;
    }
  }
}

/// The reverse: the row that this lane says the address of is put together from the others'
/// registers.
static void completeStoreMatrix(Collective &collective, Warp &warp) {
  requireWarp(collective, warp);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    RowPayload &target = rowOf(collective, lane);
    uint32_t matrix = lane / 8, row = lane % 8;
    if (matrix >= target.count)
      continue;
    for (uint32_t column = 0; column < 8; ++column) {
      uint32_t major = target.transposed ? column : row, minor = target.transposed ? row : column;
      target.row[column] =
          rowOf(collective, major * 4 + minor / 2).registers[matrix] >> (16 * (minor % 2));
    }
  }
}

extern "C" {
/// A matrix instruction: operands in arrays of registers. `shape`: m | n << 16 | k << 32 | blocks
/// << 48; `types`: family | a << 4 | b << 8 | c << 12 | d << 16.
void forge_sim_matrix(const void *a, const void *b, const void *c, void *d, uint64_t shape,
                      uint32_t types, uint32_t site) {
  MatrixShape what;
  what.m = shape & 0xffff;
  what.n = shape >> 16 & 0xffff;
  what.k = shape >> 32 & 0xffff;
  what.blocks = shape >> 48;
  what.family = MatrixFamily(types & 15);
  what.a = MatrixType(types >> 4 & 15);
  what.b = MatrixType(types >> 8 & 15);
  what.c = MatrixType(types >> 12 & 15);
  what.d = MatrixType(types >> 16 & 15);
  if (what.lanes() != machine->chip.warpSize)
    fail(FindingKind::InvalidOperation,
         "a matrix operation of " + std::to_string(what.lanes()) +
             " lanes on a chip whose warps have " + std::to_string(machine->chip.warpSize),
         site);
  MatrixPayload payload{a, b, c, d, &what};
  meet(kMatrix, 0, false, &payload, completeMatrix, site);
}

/// ldmatrix of `count` matrices; the registers go to `result`.
void forge_sim_load_matrix(uintptr_t address, uint32_t count, uint32_t transposed, uint32_t *result,
                           uint32_t site) {
  RowPayload payload{{}, {}, count, transposed != 0};
  if (machine->current->lane < 8 * count) {
    if (address % 16)
      fail(FindingKind::Misaligned, "expected rows at a multiple of 16 bytes", site);
    checkAccess(Access::Load, address, 16, site);
    std::memcpy(payload.row, reinterpret_cast<void *>(address), 16);
  }
  meet(kLoadMatrix, 0, false, &payload, completeLoadMatrix, site);
  std::memcpy(result, payload.registers, 4 * count);
}

/// stmatrix.
void forge_sim_store_matrix(uintptr_t address, uint32_t count, uint32_t transposed,
                            const uint32_t *registers, uint32_t site) {
  RowPayload payload{{}, {}, count, transposed != 0};
  std::memcpy(payload.registers, registers, 4 * count);
  meet(kStoreMatrix, 0, false, &payload, completeStoreMatrix, site);
  if (machine->current->lane >= 8 * count)
    return;
  if (address % 16)
    fail(FindingKind::Misaligned, "expected rows at a multiple of 16 bytes", site);
  checkAccess(Access::Store, address, 16, site);
  std::memcpy(reinterpret_cast<void *>(address), payload.row, 16);
}
}
