#include "WgmmaKernel.h"

#include "../Hopper/Hopper.h"
#include "../Hopper/StageMarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

/// Tiles of this many rows are walked column by column, so that what neighbouring blocks read is in
/// the L2 cache: 132 blocks are then about 16 x 8 tiles.
static constexpr int64_t kGroupRows = 16;

/// Registers of a thread that copies, and of one that multiplies: 128 * 40 + 256 * 232 fit into
/// 64K.
static constexpr unsigned kProducerRegisters = 40, kConsumerRegisters = 232;

namespace {
class KernelEmitter {
public:
  KernelEmitter(ThreadBuilder &b, func::FuncOp kernel, const WgmmaProduct &product,
                const WgmmaTile &tile, const ProductSizes &sizes, ArrayRef<FactorMap> factors)
      : b(b), product(product), tile(tile), sizes(sizes), factors(factors), marks(b, kernel) {}

  void emit(ValueRange maps);

private:
  Value shared(Value offset) { return sharedAt(b, base, offset); }
  Value barrier(Value stage, bool full) {
    return shared(
        b.add(b.mul(stage, b.i32(8)), b.i32(tile.barrierOffset() + (full ? 0 : 8 * tile.stages))));
  }
  void setUp(Value thread);
  /// Emits a loop over this block's tiles, which carries the number of stages passed.
  void forTiles(function_ref<Value(Value tileNumber, Value passed)> body);
  TilePlace placeOf(Value tileNumber);
  /// Of a stage of a tile, the first term, and in `place` its index of each other axis of terms.
  Value termOf(Value step, TilePlace &place);
  Value parityOf(Value passed) { return b.rem(b.div(passed, b.i32(tile.stages)), b.i32(2)); }
  void produce(ValueRange maps);
  int64_t bytesOfStage();
  void copyStage(Value stage, Value term, const TilePlace &place, ValueRange maps);
  void consume(Value warpgroup, Value thread);
  Value multiplyStage(Value stage, Value warpgroup, Value sums);
  Value descriptor(Value offset, int64_t leadingBytes) {
    return matrixDescriptor(b, b.add(baseAddress, offset), leadingBytes);
  }
  void giveBack(Value stage, Value isFirstLane);

  ThreadBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const ProductSizes &sizes;
  ArrayRef<FactorMap> factors;
  StageMarks marks;
  /// Shared memory from the first multiple of 1024 bytes on.
  Value base, baseAddress;
  Value tileRows, tileColumns, numTiles;
  /// Of each axis that rows of tiles span.
  SmallVector<Value, 3> tilesOfAxes;
  /// Of a tile; and of them, those along the axis that stages divide.
  Value numStages, stagesOfAxis;
};
} // namespace

void KernelEmitter::setUp(Value thread) {
  Value address = alignedSharedAddress(b);
  base = sharedPointer(b, address);
  baseAddress = arith::TruncIOp::create(b, b.getI32Type(), address);
  tileRows = b.i32(1);
  for (SpannedAxis spanned : product.tiled.rows) {
    tilesOfAxes.push_back(b.ceilDiv(sizes.axes[spanned.axis], spanned.extent));
    tileRows = tilesOfAxes.size() == 1 ? tilesOfAxes.back() : b.mul(tileRows, tilesOfAxes.back());
  }
  tileColumns = b.ceilDiv(sizes.columns, tile.partColumns());
  numTiles = b.mul(sizes.batch, b.mul(tileRows, tileColumns));
  numStages = stagesOfAxis = b.ceilDiv(sizes.axes[product.tiled.term], tile.terms);
  for (unsigned axis : product.tiled.outerTerms)
    numStages = b.mul(numStages, sizes.axes[axis]);
  scf::IfOp::create(b, b.equals(thread, 0), [&](OpBuilder &inner, Location) {
    ThreadBuilder::Inside inside(b, inner);
    for (int64_t stage = 0; stage < tile.stages; ++stage) {
      // Full: the copying thread arrives, and all bytes have come. Empty: every multiplying warp.
      initBarrier(b, barrier(b.i32(stage), true), 1);
      initBarrier(b, barrier(b.i32(stage), false), 4 * kConsumers);
    }
    fenceBarriers(b);
    scf::YieldOp::create(b);
  });
  gpu::BarrierOp::create(b);
}

void KernelEmitter::forTiles(function_ref<Value(Value, Value)> body) {
  Value first = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value step = b.toI32(gpu::GridDimOp::create(b, gpu::Dimension::x));
  scf::ForOp::create(b, first, numTiles, step, ValueRange{b.i32(0)},
                     [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
                       ThreadBuilder::Inside inside(b, inner);
                       marks.forget();
                       Value next = body(number, carried.front());
                       scf::YieldOp::create(b, ValueRange{next});
                     });
}

TilePlace KernelEmitter::placeOf(Value tileNumber) {
  Value perMatrix = b.mul(tileRows, tileColumns);
  Value matrix = b.div(tileNumber, perMatrix), number = b.rem(tileNumber, perMatrix);
  Value group = b.mul(b.i32(kGroupRows), tileColumns);
  Value first = b.mul(b.div(number, group), b.i32(kGroupRows));
  Value height = arith::MinUIOp::create(b, b.sub(tileRows, first), b.i32(kGroupRows));
  Value within = b.rem(number, group);
  Value rowTile = b.add(first, b.rem(within, height));
  TilePlace place{b.mul(b.div(within, height), b.i32(tile.partColumns())),
                  SmallVector<Value>(sizes.axes.size())};
  ArrayRef<SpannedAxis> rows = product.tiled.rows;
  for (auto [spanned, index] : llvm::zip_equal(rows, b.split(rowTile, tilesOfAxes)))
    place.indices[spanned.axis] = b.mul(index, b.i32(spanned.extent));
  ArrayRef<unsigned> outer = product.tiled.outer;
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes.axes[axis]; });
  for (auto [axis, index] : llvm::zip_equal(outer, b.split(matrix, extents)))
    place.indices[axis] = index;
  return place;
}

Value KernelEmitter::termOf(Value step, TilePlace &place) {
  ArrayRef<unsigned> outer = product.tiled.outerTerms;
  if (outer.empty())
    return b.mul(step, b.i32(tile.terms));
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes.axes[axis]; });
  for (auto [axis, index] : llvm::zip_equal(outer, b.split(b.div(step, stagesOfAxis), extents)))
    place.indices[axis] = index;
  return b.mul(b.rem(step, stagesOfAxis), b.i32(tile.terms));
}

/// That all copies of one stage move.
int64_t KernelEmitter::bytesOfStage() {
  int64_t bytes = 0;
  for (auto [number, factor] : llvm::enumerate(factors)) {
    int64_t extent = number == 0 ? tile.rows : tile.partColumns();
    bytes += factor.bytes() * (factor.alongTerms ? 1 : extent / kChunk);
  }
  return bytes;
}

/// A factor whose terms are side by side is one box; one whose rows or columns are is a box for
/// each 64 of them, one behind the other. The columns of a second part are behind those of the
/// first, as if they were of one matrix.
void KernelEmitter::copyStage(Value stage, Value term, const TilePlace &place, ValueRange maps) {
  Value full = barrier(stage, true);
  expectBytes(b, full, bytesOfStage());
  /// `along`: the axis of rows or columns that the copies are along.
  auto copyAt = [&](const FactorMap &factor, Value map, Value offset, std::optional<unsigned> along,
                    int64_t chunk) {
    SmallVector<Value> coordinates;
    for (ArrayRef<MapStep> steps : factor.dims) {
      Value sum;
      for (MapStep step : steps) {
        Value index = step.axis == product.tiled.term     ? term
                      : step.axis == product.tiled.column ? place.column
                                                          : place.indices[step.axis];
        if (step.axis == along && chunk != 0)
          index = b.add(index, b.i32(chunk));
        if (step.factor != 1)
          index = b.mul(index, b.i32(step.factor));
        sum = sum ? b.add(sum, index) : index;
      }
      coordinates.push_back(sum ? sum : b.i32(0));
    }
    copyBox(b, shared(offset), map, full, coordinates);
  };
  auto copy = [&](unsigned number, Value offset, std::optional<unsigned> along, int64_t extent) {
    const FactorMap &factor = factors[number];
    if (factor.alongTerms)
      return copyAt(factor, maps[number], offset, along, 0);
    for (int64_t chunk = 0; chunk < extent; chunk += kChunk)
      copyAt(factor, maps[number], b.add(offset, b.i32(chunk * tile.terms * 2)), along, chunk);
  };
  copy(0, b.mul(stage, b.i32(tile.lhsBytes())), product.tiled.row, tile.rows);
  Value rhs = b.mul(stage, b.i32(tile.rhsBytes()));
  for (unsigned part = 0; part < product.parts.size(); ++part)
    copy(part + 1, b.add(rhs, b.i32(tile.rhsOffset() + part * tile.partBytes())),
         product.tiled.column, tile.partColumns());
}

void KernelEmitter::produce(ValueRange maps) {
  SmallVector<Value> pointers =
      llvm::map_to_vector(maps, [&](Value map) { return tensorMapPointer(b, map); });
  forTiles([&](Value number, Value passed) {
    TilePlace place = placeOf(number);
    auto loop = scf::ForOp::create(b, b.i32(0), numStages, b.i32(1), ValueRange{passed},
                                   [&](OpBuilder &inner, Location, Value step, ValueRange carried) {
                                     ThreadBuilder::Inside inside(b, inner);
                                     Value count = carried.front(),
                                           stage = b.rem(count, b.i32(tile.stages));
                                     // A new barrier is in its phase 0; waiting for the one before
                                     // passes at once.
                                     Value parity =
                                         arith::XOrIOp::create(b, parityOf(count), b.i32(1));
                                     marks.forget();
                                     marks.begin("slot wait");
                                     waitBarrier(b, barrier(stage, false), parity);
                                     marks.begin("copy");
                                     TilePlace stagePlace = place;
                                     Value term = termOf(step, stagePlace);
                                     copyStage(stage, term, stagePlace, pointers);
                                     scf::YieldOp::create(b, ValueRange{b.add(count, b.i32(1))});
                                   });
    return loop.getResult(0);
  });
}

Value KernelEmitter::multiplyStage(Value stage, Value warpgroup, Value sums) {
  bool lhsAcross = !product.leftAlongTerms(), rhsAcross = !product.rightAlongTerms();
  Value lhs = b.add(b.mul(stage, b.i32(tile.lhsBytes())),
                    b.mul(warpgroup, b.i32(kInstructionRows * tile.terms * 2)));
  Value rhs = b.add(b.mul(stage, b.i32(tile.rhsBytes())), b.i32(tile.rhsOffset()));
  int64_t chunkBytes = kChunk * tile.terms * 2;
  Value lhsBits = descriptor(lhs, lhsAcross ? chunkBytes : 16);
  Value rhsBits = descriptor(rhs, rhsAcross ? chunkBytes : 16);
  NVVM::WgmmaFenceAlignedOp::create(b);
  for (int64_t term = 0; term < tile.terms; term += kInstructionTerms) {
    // 16 terms on: 32 bytes along them, or 16 rows of the pattern.
    auto stepped = [&](Value bits, bool across) {
      return advanceDescriptor(b, bits, term * (across ? kSwizzleBytes : 2));
    };
    sums = emitWgmma(b, sums, stepped(lhsBits, lhsAcross), stepped(rhsBits, rhsAcross),
                     tile.columns, getElementTypeOrSelf(product.left()), lhsAcross, rhsAcross);
  }
  NVVM::WgmmaGroupSyncAlignedOp::create(b);
  return sums;
}

void KernelEmitter::giveBack(Value stage, Value isFirstLane) {
  scf::IfOp::create(b, isFirstLane, [&](OpBuilder &inner, Location) {
    ThreadBuilder::Inside inside(b, inner);
    arriveAtBarrier(b, barrier(stage, false));
    scf::YieldOp::create(b);
  });
}

void KernelEmitter::consume(Value warpgroup, Value thread) {
  SmallVector<Type> fields(tile.sums(), b.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  Value zeros = LLVM::ZeroOp::create(b, type);
  Value isFirstLane = b.equals(b.rem(thread, b.i32(32)), 0);
  auto stageBefore = [&](Value count) {
    return b.rem(b.add(count, b.i32(tile.stages - 1)), b.i32(tile.stages));
  };
  forTiles([&](Value number, Value passed) {
    TilePlace place = placeOf(number);
    auto loop = scf::ForOp::create(
        b, b.i32(0), numStages, b.i32(1), ValueRange{passed, zeros},
        [&](OpBuilder &inner, Location, Value step, ValueRange carried) {
          ThreadBuilder::Inside inside(b, inner);
          Value count = carried[0], stage = b.rem(count, b.i32(tile.stages));
          marks.forget();
          marks.begin("load wait");
          waitBarrier(b, barrier(stage, true), parityOf(count));
          marks.begin("multiply");
          Value sums = multiplyStage(stage, warpgroup, carried[1]);
          // One group of products stays in flight; the stage of the one before is free.
          NVVM::WgmmaWaitGroupSyncOp::create(b, 1);
          Value isLater = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, step, b.i32(0));
          giveBack(stageBefore(count), arith::AndIOp::create(b, isFirstLane, isLater));
          scf::YieldOp::create(b, ValueRange{b.add(count, b.i32(1)), sums});
        });
    emitWgmmaStore(b, product, tile, sizes, place, warpgroup, thread, loop.getResult(1), [&] {
      NVVM::WgmmaWaitGroupSyncOp::create(b, 0);
      marks.begin("epilogue");
      giveBack(stageBefore(loop.getResult(0)), isFirstLane);
    });
    return loop.getResult(0);
  });
}

void KernelEmitter::emit(ValueRange maps) {
  Value thread = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  setUp(thread);
  Value warpgroup = b.div(thread, b.i32(kWarpgroup));
  auto within = [&](OpBuilder &inner, function_ref<void()> body) {
    ThreadBuilder::Inside inside(b, inner);
    body();
    scf::YieldOp::create(b);
  };
  scf::IfOp::create(
      b, b.equals(warpgroup, 0),
      [&](OpBuilder &inner, Location) {
        within(inner, [&] {
          NVVM::SetMaxRegisterOp::create(b, kProducerRegisters,
                                         NVVM::SetMaxRegisterAction::decrease);
          scf::IfOp::create(b, b.equals(thread, 0), [&](OpBuilder &innermost, Location) {
            within(innermost, [&] {
              if (marks.isOn())
                marks.beginRole("copy", 0, 1, b.i32(0),
                                arith::ConstantOp::create(b, b.getBoolAttr(true)));
              produce(maps);
              marks.end();
            });
          });
        });
      },
      [&](OpBuilder &inner, Location) {
        within(inner, [&] {
          NVVM::SetMaxRegisterOp::create(b, kConsumerRegisters,
                                         NVVM::SetMaxRegisterAction::increase);
          Value number = b.sub(warpgroup, b.i32(1)), own = b.rem(thread, b.i32(kWarpgroup));
          if (marks.isOn())
            marks.beginRole("math", 1, kConsumers, number, b.equals(own, 0));
          consume(number, own);
          marks.end();
        });
      });
}

void forge::emitWgmmaKernel(ThreadBuilder &b, func::FuncOp kernel, const WgmmaProduct &product,
                            const WgmmaTile &tile, const ProductSizes &sizes,
                            ArrayRef<FactorMap> factors, ValueRange maps) {
  KernelEmitter(b, kernel, product, tile, sizes, factors).emit(maps);
}
