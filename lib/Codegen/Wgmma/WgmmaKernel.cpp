#include "WgmmaKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Arithmetic

Value WgmmaBuilder::i32(int64_t value) { return arith::ConstantIntOp::create(*this, value, 32); }
Value WgmmaBuilder::i64(int64_t value) { return arith::ConstantIntOp::create(*this, value, 64); }
Value WgmmaBuilder::add(Value a, Value b) { return arith::AddIOp::create(*this, a, b); }
Value WgmmaBuilder::sub(Value a, Value b) { return arith::SubIOp::create(*this, a, b); }
Value WgmmaBuilder::mul(Value a, Value b) { return arith::MulIOp::create(*this, a, b); }
Value WgmmaBuilder::div(Value a, Value b) { return arith::DivUIOp::create(*this, a, b); }
Value WgmmaBuilder::rem(Value a, Value b) { return arith::RemUIOp::create(*this, a, b); }
Value WgmmaBuilder::ceilDiv(Value a, int64_t b) { return div(add(a, i32(b - 1)), i32(b)); }
Value WgmmaBuilder::equals(Value a, int64_t b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, i32(b));
}
Value WgmmaBuilder::toIndex(Value value) {
  return arith::IndexCastOp::create(*this, getIndexType(), value);
}
Value WgmmaBuilder::toI32(Value index) {
  return arith::IndexCastOp::create(*this, getI32Type(), index);
}
SmallVector<Value> WgmmaBuilder::split(Value number, ArrayRef<Value> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (size_t at = sizes.size(); at-- > 0;) {
    indices[at] = at > 0 ? rem(number, sizes[at]) : number;
    if (at > 0)
      number = div(number, sizes[at]);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// The kernel

/// Tiles of this many rows are walked column by column, so that what neighbouring blocks read is in
/// the L2 cache: 132 blocks are then about 16 x 8 tiles.
static constexpr int64_t kGroupRows = 16;

/// Registers of a thread that copies, and of one that multiplies: 128 * 40 + 256 * 232 fit into
/// 64K.
static constexpr unsigned kProducerRegisters = 40, kConsumerRegisters = 232;

namespace {
class KernelEmitter {
public:
  KernelEmitter(WgmmaBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                const ProductSizes &sizes, ArrayRef<FactorMap> factors)
      : b(b), product(product), tile(tile), sizes(sizes), factors(factors) {}

  void emit(ValueRange maps);

private:
  Value shared(Value offset);
  Value barrier(Value stage, bool full) {
    return shared(
        b.add(b.mul(stage, b.i32(8)), b.i32(tile.barrierOffset() + (full ? 0 : 8 * tile.stages))));
  }
  Value pointerTo(Value map);
  void setUp(Value thread);
  /// Emits a loop over this block's tiles, which carries the number of stages passed.
  void forTiles(function_ref<Value(Value tileNumber, Value passed)> body);
  TilePlace placeOf(Value tileNumber);
  /// Of a stage of a tile, the first term, and in `place` its index of each other axis of terms.
  Value termOf(Value step, TilePlace &place);
  void wait(Value barrierPointer, Value parity) {
    NVVM::MBarrierTryWaitParityOp::create(b, barrierPointer, parity, b.i32(10000000));
  }
  Value parityOf(Value passed) { return b.rem(b.div(passed, b.i32(tile.stages)), b.i32(2)); }
  void produce(ValueRange maps);
  void copyStage(Value stage, Value term, const TilePlace &place, ValueRange maps);
  void copyBox(Value offset, Value map, Value full, ArrayRef<Value> coordinates);
  void consume(Value warpgroup, Value thread);
  Value multiplyStage(Value stage, Value warpgroup, Value sums);
  Value descriptor(Value offset, int64_t leadingBytes);
  void giveBack(Value stage, Value isFirstLane);

  WgmmaBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const ProductSizes &sizes;
  ArrayRef<FactorMap> factors;
  /// Shared memory from the first multiple of 1024 bytes on.
  Value base, baseAddress;
  Value tileRows, tileColumns, numTiles;
  /// Of a tile; and of them, those along the axis that stages divide.
  Value numStages, stagesOfAxis;
};
} // namespace

Value KernelEmitter::shared(Value offset) {
  auto type = LLVM::LLVMPointerType::get(b.getContext(),
                                         static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return LLVM::GEPOp::create(b, type, b.getI8Type(), base, ValueRange{offset});
}

Value KernelEmitter::pointerTo(Value map) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, map);
  address = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), address);
}

void KernelEmitter::setUp(Value thread) {
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get(ShapedType::kDynamic, b.getI8Type(), AffineMap(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(b, bytes);
  Value address = arith::IndexCastOp::create(
      b, b.getI64Type(), memref::ExtractAlignedPointerAsIndexOp::create(b, memory));
  address = arith::AndIOp::create(b, b.add(address, b.i64(1023)), b.i64(~int64_t(1023)));
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(),
                                            static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  base = LLVM::IntToPtrOp::create(b, pointer, address);
  baseAddress = arith::TruncIOp::create(b, b.getI32Type(), address);
  tileRows = b.ceilDiv(sizes.rows, tile.rows);
  tileColumns = b.ceilDiv(sizes.columns, tile.partColumns());
  numTiles = b.mul(sizes.batch, b.mul(tileRows, tileColumns));
  numStages = stagesOfAxis = b.ceilDiv(sizes.axes[product.tiled.term], tile.terms);
  for (unsigned axis : product.tiled.outerTerms)
    numStages = b.mul(numStages, sizes.axes[axis]);
  scf::IfOp::create(b, b.equals(thread, 0), [&](OpBuilder &inner, Location) {
    WgmmaBuilder::Inside inside(b, inner);
    for (int64_t stage = 0; stage < tile.stages; ++stage) {
      // Full: the copying thread arrives, and all bytes have come. Empty: every multiplying warp.
      NVVM::MBarrierInitOp::create(b, barrier(b.i32(stage), true), b.i32(1), Value());
      NVVM::MBarrierInitOp::create(b, barrier(b.i32(stage), false), b.i32(4 * kConsumers), Value());
    }
    NVVM::FenceMbarrierInitOp::create(b);
    scf::YieldOp::create(b);
  });
  gpu::BarrierOp::create(b);
}

void KernelEmitter::forTiles(function_ref<Value(Value, Value)> body) {
  Value first = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value step = b.toI32(gpu::GridDimOp::create(b, gpu::Dimension::x));
  scf::ForOp::create(b, first, numTiles, step, ValueRange{b.i32(0)},
                     [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
                       WgmmaBuilder::Inside inside(b, inner);
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
  TilePlace place{b.mul(b.add(first, b.rem(within, height)), b.i32(tile.rows)),
                  b.mul(b.div(within, height), b.i32(tile.partColumns())),
                  SmallVector<Value>(sizes.axes.size())};
  ArrayRef<unsigned> outer = product.tiled.outer;
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes.axes[axis]; });
  for (auto [axis, index] : llvm::zip_equal(outer, b.split(matrix, extents)))
    place.outer[axis] = index;
  return place;
}

Value KernelEmitter::termOf(Value step, TilePlace &place) {
  ArrayRef<unsigned> outer = product.tiled.outerTerms;
  if (outer.empty())
    return b.mul(step, b.i32(tile.terms));
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes.axes[axis]; });
  for (auto [axis, index] : llvm::zip_equal(outer, b.split(b.div(step, stagesOfAxis), extents)))
    place.outer[axis] = index;
  return b.mul(b.rem(step, stagesOfAxis), b.i32(tile.terms));
}

void KernelEmitter::copyBox(Value offset, Value map, Value full, ArrayRef<Value> coordinates) {
  auto cluster = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value target = LLVM::AddrSpaceCastOp::create(b, cluster, shared(offset));
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, target, map, coordinates, full, ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
      /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}

/// A factor whose terms are side by side is one box; one whose rows or columns are is a box for
/// each 64 of them, one behind the other. The columns of a second part are behind those of the
/// first, as if they were of one matrix.
void KernelEmitter::copyStage(Value stage, Value term, const TilePlace &place, ValueRange maps) {
  Value full = barrier(stage, true);
  NVVM::MBarrierArriveExpectTxOp::create(b, Type(), full, b.i32(tile.stageBytes()),
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
  auto copyAt = [&](const FactorMap &factor, Value map, Value offset, Value at) {
    SmallVector<Value> coordinates;
    for (std::optional<unsigned> axis : factor.axes)
      coordinates.push_back(!axis                         ? b.i32(0)
                            : *axis == product.tiled.term ? term
                            : place.outer[*axis]          ? place.outer[*axis]
                                                          : at);
    copyBox(offset, map, full, coordinates);
  };
  auto copy = [&](unsigned number, Value offset, Value at, int64_t extent) {
    const FactorMap &factor = factors[number];
    if (factor.alongTerms)
      return copyAt(factor, maps[number], offset, at);
    for (int64_t chunk = 0; chunk < extent; chunk += kChunk)
      copyAt(factor, maps[number], b.add(offset, b.i32(chunk * tile.terms * 2)),
             b.add(at, b.i32(chunk)));
  };
  copy(0, b.mul(stage, b.i32(tile.lhsBytes())), place.row, tile.rows);
  Value rhs = b.mul(stage, b.i32(tile.rhsBytes()));
  for (unsigned part = 0; part < product.parts.size(); ++part)
    copy(part + 1, b.add(rhs, b.i32(tile.rhsOffset() + part * tile.partBytes())), place.column,
         tile.partColumns());
}

void KernelEmitter::produce(ValueRange maps) {
  SmallVector<Value> pointers =
      llvm::map_to_vector(maps, [&](Value map) { return pointerTo(map); });
  forTiles([&](Value number, Value passed) {
    TilePlace place = placeOf(number);
    auto loop = scf::ForOp::create(b, b.i32(0), numStages, b.i32(1), ValueRange{passed},
                                   [&](OpBuilder &inner, Location, Value step, ValueRange carried) {
                                     WgmmaBuilder::Inside inside(b, inner);
                                     Value count = carried.front(),
                                           stage = b.rem(count, b.i32(tile.stages));
                                     // A new barrier is in its phase 0; waiting for the one before
                                     // passes at once.
                                     Value parity =
                                         arith::XOrIOp::create(b, parityOf(count), b.i32(1));
                                     wait(barrier(stage, false), parity);
                                     TilePlace stagePlace = place;
                                     Value term = termOf(step, stagePlace);
                                     copyStage(stage, term, stagePlace, pointers);
                                     scf::YieldOp::create(b, ValueRange{b.add(count, b.i32(1))});
                                   });
    return loop.getResult(0);
  });
}

/// A matrix descriptor (PTX ISA, "Matrix-descriptor"): address, leading and stride offsets in units
/// of 16 bytes, 128-byte swizzle. Stride: from eight rows of a pattern to the next eight. Leading:
/// between patterns side by side, of operands that are not contiguous along the terms.
Value KernelEmitter::descriptor(Value offset, int64_t leadingBytes) {
  Value address = arith::AndIOp::create(b, b.add(baseAddress, offset), b.i32(0x3FFFF));
  Value low =
      arith::ExtUIOp::create(b, b.getI64Type(), arith::ShRUIOp::create(b, address, b.i32(4)));
  int64_t high =
      (leadingBytes >> 4) << 16 | int64_t(8 * kSwizzleBytes >> 4) << 32 | int64_t(1) << 62;
  return arith::OrIOp::create(b, low, b.i64(high));
}

Value KernelEmitter::multiplyStage(Value stage, Value warpgroup, Value sums) {
  bool lhsAcross = !product.leftAlongTerms(), rhsAcross = !product.rightAlongTerms();
  Value lhs = b.add(b.mul(stage, b.i32(tile.lhsBytes())),
                    b.mul(warpgroup, b.i32(kInstructionRows * tile.terms * 2)));
  Value rhs = b.add(b.mul(stage, b.i32(tile.rhsBytes())), b.i32(tile.rhsOffset()));
  int64_t chunkBytes = kChunk * tile.terms * 2;
  Value lhsBits = descriptor(lhs, lhsAcross ? chunkBytes : 16);
  Value rhsBits = descriptor(rhs, rhsAcross ? chunkBytes : 16);
  auto type = getElementTypeOrSelf(product.left()).isBF16() ? NVVM::WGMMATypes::bf16
                                                            : NVVM::WGMMATypes::f16;
  auto shape = NVVM::MMAShapeAttr::get(b.getContext(), kInstructionRows,
                                       static_cast<int>(tile.columns), kInstructionTerms);
  NVVM::WgmmaFenceAlignedOp::create(b);
  for (int64_t term = 0; term < tile.terms; term += kInstructionTerms) {
    // 16 terms on: 32 bytes along them, or 16 rows of the pattern.
    auto stepped = [&](Value bits, bool across) -> Value {
      int64_t bytes = term * (across ? kSwizzleBytes : 2);
      return term == 0 ? bits : arith::AddIOp::create(b, bits, b.i64(bytes >> 4)).getResult();
    };
    sums = NVVM::WgmmaMmaAsyncOp::create(
        b, sums.getType(), sums, stepped(lhsBits, lhsAcross), stepped(rhsBits, rhsAcross), shape,
        NVVM::WGMMATypesAttr::get(b.getContext(), type),
        NVVM::WGMMATypesAttr::get(b.getContext(), type),
        NVVM::WGMMATypesAttr::get(b.getContext(), NVVM::WGMMATypes::f32),
        NVVM::WGMMAScaleOutAttr::get(b.getContext(), NVVM::WGMMAScaleOut::one),
        NVVM::WGMMAScaleInAttr::get(b.getContext(), NVVM::WGMMAScaleIn::one),
        NVVM::WGMMAScaleInAttr::get(b.getContext(), NVVM::WGMMAScaleIn::one),
        NVVM::MMALayoutAttr::get(b.getContext(),
                                 lhsAcross ? NVVM::MMALayout::col : NVVM::MMALayout::row),
        NVVM::MMALayoutAttr::get(b.getContext(),
                                 rhsAcross ? NVVM::MMALayout::row : NVVM::MMALayout::col),
        NVVM::MMAIntOverflowAttr());
  }
  NVVM::WgmmaGroupSyncAlignedOp::create(b);
  return sums;
}

void KernelEmitter::giveBack(Value stage, Value isFirstLane) {
  scf::IfOp::create(b, isFirstLane, [&](OpBuilder &inner, Location) {
    WgmmaBuilder::Inside inside(b, inner);
    NVVM::MBarrierArriveOp::create(b, b.getI64Type(), barrier(stage, false), Value());
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
          WgmmaBuilder::Inside inside(b, inner);
          Value count = carried[0], stage = b.rem(count, b.i32(tile.stages));
          wait(barrier(stage, true), parityOf(count));
          Value sums = multiplyStage(stage, warpgroup, carried[1]);
          // One group of products stays in flight; the stage of the one before is free.
          NVVM::WgmmaWaitGroupSyncOp::create(b, 1);
          Value isLater = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, step, b.i32(0));
          giveBack(stageBefore(count), arith::AndIOp::create(b, isFirstLane, isLater));
          scf::YieldOp::create(b, ValueRange{b.add(count, b.i32(1)), sums});
        });
    emitWgmmaStore(b, product, tile, sizes, place, warpgroup, thread, loop.getResult(1), [&] {
      NVVM::WgmmaWaitGroupSyncOp::create(b, 0);
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
    WgmmaBuilder::Inside inside(b, inner);
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
            within(innermost, [&] { produce(maps); });
          });
        });
      },
      [&](OpBuilder &inner, Location) {
        within(inner, [&] {
          NVVM::SetMaxRegisterOp::create(b, kConsumerRegisters,
                                         NVVM::SetMaxRegisterAction::increase);
          consume(b.sub(warpgroup, b.i32(1)), b.rem(thread, b.i32(kWarpgroup)));
        });
      });
}

void forge::emitWgmmaKernel(WgmmaBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                            const ProductSizes &sizes, ArrayRef<FactorMap> factors,
                            ValueRange maps) {
  KernelEmitter(b, product, tile, sizes, factors).emit(maps);
}
