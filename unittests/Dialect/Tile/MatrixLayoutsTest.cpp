// Layouts of matrix instructions, as the manuals print them.
#include "forge/Dialect/Tile/IR/MatrixLayouts.h"
#include "RandomLayout.h"
#include "forge/Dialect/Tile/IR/LayoutConversion.h"

#include "gtest/gtest.h"

using namespace forge::tile;

namespace {

std::string text(LayoutAttr layout) { return toString(layout); }

TEST(MatrixLayouts, Mma) {
  mlir::MLIRContext *context = &tileContext();
  EXPECT_EQ(text(mmaAccumulator(context)),
            "#tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = []>");
  EXPECT_EQ(mmaLeft(context, 16), mmaAccumulator(context));
  EXPECT_EQ(text(mmaLeft(context, 8)),
            "#tile.layout<reg = [y1, y2, x8], lane = [y4, y8, x1, x2, x4], warp = []>");
  EXPECT_EQ(text(mmaLeft(context, 32)),
            "#tile.layout<reg = [x8], lane = [y1, y2, x1, x2, x4], warp = []>");
  EXPECT_EQ(text(mmaRight(context, 16)),
            "#tile.layout<reg = [y1], lane = [y2, y4, x1, x2, x4], warp = []>");
  // PTX ISA, m16n8k16, fragment of A: a4 and a5 of lane 5 are row 1, columns 10 and 11; a6 is
  // row 9.
  LayoutAttr left = mmaLeft(context, 16);
  EXPECT_EQ(left.getCoordinates({16, 16}, 4, 5), (llvm::SmallVector<int64_t>{1, 10}));
  EXPECT_EQ(left.getCoordinates({16, 16}, 6, 5), (llvm::SmallVector<int64_t>{9, 10}));
}

TEST(MatrixLayouts, Wgmma) {
  mlir::MLIRContext *context = &tileContext();
  EXPECT_EQ(text(wgmmaAccumulator(context, 2)),
            "#tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>");
  EXPECT_EQ(wgmmaLeft(context, 16, 1), wgmmaAccumulator(context, 1));
  // PTX ISA, wgmma accumulator: d6 of thread 37 is row 16 + 1 + 8, column 8 + 2.
  EXPECT_EQ(wgmmaAccumulator(context, 1).getCoordinates({64, 16}, 6, 5, 1),
            (llvm::SmallVector<int64_t>{25, 10}));
  EXPECT_EQ(wgmmaAccumulator(context, 1).getRegisters({64, 192}), 96);
}

TEST(MatrixLayouts, Mfma) {
  mlir::MLIRContext *context = &tileContext();
  EXPECT_EQ(text(mfmaAccumulator(context, 32)), "#tile.layout<reg = [x1, x2, x8, x16], lane = "
                                                "[y1, y2, y4, y8, y16, x4], warp = []>");
  EXPECT_EQ(text(mfmaAccumulator(context, 16)),
            "#tile.layout<reg = [x1, x2], lane = [y1, y2, y4, y8, x4, x8], warp = []>");
  EXPECT_EQ(text(mfmaFactor(context, 32, 16)),
            "#tile.layout<reg = [y1, y2], lane = [x1, x2, x4, x8, x16, y4], warp = []>");
  EXPECT_EQ(text(mfmaFactor(context, 16, 32)),
            "#tile.layout<reg = [], lane = [x1, x2, x4, x8, y1, y2], warp = []>");
}

TEST(MatrixLayouts, Wmma) {
  mlir::MLIRContext *context = &tileContext();
  EXPECT_EQ(text(wmmaAccumulator(context)),
            "#tile.layout<reg = [x2, x4, x8], lane = [y1, y2, y4, y8, x1], warp = []>");
  EXPECT_EQ(text(wmmaFactor(context)),
            "#tile.layout<reg = [], lane = [x1, x2, x4, x8, _], warp = [], rank = 2>");
}

TEST(MatrixLayouts, RowBlocked) {
  mlir::MLIRContext *context = &tileContext();
  EXPECT_EQ(
      text(rowBlocked(context, {128, 64}, 8, 64, 4)),
      "#tile.layout<reg = [y1, y2, y4], lane = [y8, y16, y32, x1, x2, x4], warp = [x8, x16]>");
  // Columns that no power of two divides further, and more threads than elements.
  EXPECT_EQ(text(rowBlocked(context, {2, 12}, 8, 32, 2)),
            "#tile.layout<reg = [], lane = [x1, _, _, _, _], warp = [_], rank = 2>");
}

TEST(MatrixLayouts, AnAccumulatorIsStoredByAWarpAlone) {
  // Eight neighbours of a row in a thread: two exchanges a register, no shared memory.
  mlir::MLIRContext *context = &tileContext();
  LayoutAttr rows = LayoutAttr::get(context, 2, {{1, 0}, {1, 1}, {1, 2}, {0, 3}},
                                    {{1, 3}, {1, 4}, {0, 0}, {0, 1}, {0, 2}}, {{0, 4}, {0, 5}});
  llvm::SmallVector<ConversionStep> plan = planConversion(wgmmaAccumulator(context, 1), rows);
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].kind, ConversionStep::Kind::Swap);
  EXPECT_EQ(plan[1].kind, ConversionStep::Kind::Swap);
}

} // namespace
