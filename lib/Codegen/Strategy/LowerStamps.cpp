#include "../Hopper/ThreadBuilder.h"

#include "forge/Codegen/Stamps.h"
#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

namespace {
/// 1. Stages get numbers as they are met, rows those that their roles have.
/// 2. Each thread has a counter of the stamps that it has taken, which later passes keep in a
///    register.
/// 3. A stamp is a store at that counter, by a thread that records, in the first blocks of the
///    grid, while there is room.
class StampLowering {
public:
  StampLowering(func::FuncOp kernel, ArrayRef<tile::StampOp> stamps)
      : b(kernel.getLoc(), kernel.getContext()), kernel(kernel), stamps(stamps) {}

  MemRefType lower() {
    nameRows();
    auto type = MemRefType::get(
        {kStampedBlocks, static_cast<int64_t>(rowNames.size()), kStampsPerRow}, b.getI64Type());
    (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, kernel.getLoc());
    words = kernel.getArguments().back();
    b.setInsertionPointToStart(&kernel.getBody().front());
    counter = memref::AllocaOp::create(b, MemRefType::get({}, b.getIndexType()));
    memref::StoreOp::create(b, index(0), counter);
    for (tile::StampOp stamp : stamps)
      lowerStamp(stamp);
    kernel->setAttr(kStagesAttr, strings(stageNames));
    kernel->setAttr(kStageRowsAttr, strings(rowNames));
    return type;
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value isBelow(Value value, int64_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value, index(end));
  }
  ArrayAttr strings(ArrayRef<std::string> names) {
    return b.getStrArrayAttr(llvm::to_vector_of<StringRef>(names));
  }

  /// "copy", or "math 0" and "math 1" of a role with two rows.
  void nameRows() {
    for (tile::StampOp stamp : stamps) {
      auto first = static_cast<size_t>(stamp.getFirst()),
           rows = static_cast<size_t>(stamp.getRows());
      if (rowNames.size() < first + rows)
        rowNames.resize(first + rows);
      for (size_t row = 0; row < rows; ++row)
        rowNames[first + row] = stamp.getRole().str() + (rows > 1 ? " " + std::to_string(row) : "");
    }
  }

  int64_t numberOf(StringRef stage) {
    auto *known = llvm::find(stageNames, stage);
    size_t number = known - stageNames.begin();
    if (known == stageNames.end())
      stageNames.push_back(stage.str());
    return static_cast<int64_t>(number) + 1;
  }

  /// Blocks are numbered along x first.
  Value blockNumber() {
    Value number;
    for (gpu::Dimension dim : {gpu::Dimension::z, gpu::Dimension::y, gpu::Dimension::x}) {
      Value id = gpu::BlockIdOp::create(b, dim);
      if (number)
        id = arith::AddIOp::create(
            b, id, arith::MulIOp::create(b, number, gpu::GridDimOp::create(b, dim)));
      number = id;
    }
    return number;
  }

  void lowerStamp(tile::StampOp stamp) {
    b.setInsertionPoint(stamp);
    b.setLoc(stamp.getLoc());
    auto recorder = scf::IfOp::create(b, stamp.getRecords(), /*withElseRegion=*/false);
    b.setInsertionPoint(recorder.thenBlock()->getTerminator());
    Value count = memref::LoadOp::create(b, counter), block = blockNumber();
    Value hasRoom =
        arith::AndIOp::create(b, isBelow(count, kStampsPerRow), isBelow(block, kStampedBlocks));
    auto room = scf::IfOp::create(b, hasRoom, /*withElseRegion=*/false);
    b.setInsertionPoint(room.thenBlock()->getTerminator());
    Value time = arith::AndIOp::create(b, tile::TimeOp::create(b),
                                       b.i64((int64_t(1) << kStampTimeBits) - 1));
    Value word = arith::OrIOp::create(b, time, b.i64(numberOf(stamp.getStage()) << kStampTimeBits));
    Value row = arith::AddIOp::create(b, b.toIndex(stamp.getRow()), index(stamp.getFirst()));
    memref::StoreOp::create(b, word, words, ValueRange{block, row, count});
    memref::StoreOp::create(b, arith::AddIOp::create(b, count, index(1)), counter);
    stamp.erase();
  }

  ThreadBuilder b;
  func::FuncOp kernel;
  ArrayRef<tile::StampOp> stamps;
  SmallVector<std::string> stageNames, rowNames;
  Value words, counter;
};
} // namespace

std::optional<MemRefType> forge::lowerStamps(func::FuncOp kernel) {
  SmallVector<tile::StampOp> stamps;
  kernel.walk([&](tile::StampOp stamp) { stamps.push_back(stamp); });
  if (stamps.empty())
    return std::nullopt;
  return StampLowering(kernel, stamps).lower();
}
