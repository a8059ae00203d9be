// The map of a layout: every element has one place, and every place one element.
#include "RandomLayout.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

#include <set>

using namespace forge::tile;
using llvm::SmallVector;

namespace {

int64_t product(llvm::ArrayRef<int64_t> shape) {
  int64_t result = 1;
  for (int64_t size : shape)
    result *= size;
  return result;
}

LayoutAttr drawAnyLayout() {
  return drawLayout(drawNumber(0, 5), drawNumber(0, 6), drawNumber(0, 3));
}

TEST(Layout, PlacesAreABijection) {
  EXPECT_TRUE(rc::check("representatives hold every element once, replicas the same", [] {
    LayoutAttr layout = drawAnyLayout();
    SmallVector<int64_t> shape = drawShape(layout);
    std::set<std::vector<int64_t>> seen;
    for (int64_t warp = 0; warp < layout.getWarps(); ++warp) {
      for (int64_t lane = 0; lane < layout.getLanes(); ++lane) {
        bool representative =
            (lane & layout.getReplicatedLanes()) == 0 && (warp & layout.getReplicatedWarps()) == 0;
        for (int64_t reg = 0; reg < layout.getRegisters(shape); ++reg) {
          SmallVector<int64_t> at = layout.getCoordinates(shape, reg, lane, warp);
          for (auto [coordinate, size] : llvm::zip_equal(at, shape))
            RC_ASSERT(coordinate >= 0 && coordinate < size);
          LayoutPlace place = layout.getPlace(shape, at);
          RC_ASSERT(place.reg == reg);
          RC_ASSERT(place.lane == (lane & ~layout.getReplicatedLanes()));
          RC_ASSERT(place.warp == (warp & ~layout.getReplicatedWarps()));
          if (representative)
            RC_ASSERT(seen.emplace(at.begin(), at.end()).second);
        }
      }
    }
    RC_ASSERT(static_cast<int64_t>(seen.size()) == product(shape));
  }));
}

TEST(Layout, TextIsReadBack) {
  EXPECT_TRUE(rc::check("parse(print(layout)) == layout", [] {
    LayoutAttr layout = drawAnyLayout();
    RC_ASSERT(mlir::parseAttribute(toString(layout), &tileContext()) == layout);
  }));
}

TEST(Layout, MinimalFormIsTheSameMap) {
  EXPECT_TRUE(rc::check("register entries that continue the atoms change nothing", [] {
    LayoutAttr layout = drawLayout(drawNumber(1, 4), 2, 1);
    // One more step of the last dimension, as the last register entry.
    auto last = static_cast<int8_t>(layout.getRank() - 1);
    SmallVector<LayoutEntry> reg(layout.getReg());
    reg.push_back({last, static_cast<uint8_t>(llvm::Log2_64(layout.getAtom()[last]))});
    RC_ASSERT(LayoutAttr::get(layout.getContext(), layout.getRank(), reg, layout.getLane(),
                              layout.getWarp()) == layout);
  }));
}

TEST(Layout, DifferentLayoutsDiffer) {
  EXPECT_TRUE(rc::check("unequal attributes are unequal maps on some shape", [] {
    int64_t rank = drawNumber(1, 3);
    LayoutAttr a = drawLayout(rank, 2, 1), b = drawLayout(rank, 2, 1);
    RC_PRE(a != b);
    SmallVector<int64_t> shape = drawShape({a, b});
    for (int64_t &size : shape)
      size *= 4;
    bool same = a.getRegisters(shape) == b.getRegisters(shape);
    for (int64_t reg = 0; same && reg < a.getRegisters(shape); ++reg)
      for (int64_t lane = 0; lane < 4; ++lane)
        for (int64_t warp = 0; warp < 2; ++warp)
          same &=
              a.getCoordinates(shape, reg, lane, warp) == b.getCoordinates(shape, reg, lane, warp);
    RC_ASSERT(!same);
  }));
}

TEST(Layout, DroppedDimensionsProject) {
  EXPECT_TRUE(rc::check("what is left keeps its lanes and warps", [] {
    LayoutAttr layout = drawLayout(drawNumber(1, 5), 4, 2);
    int64_t dim = drawNumber(0, layout.getRank());
    SmallVector<int64_t> shape = drawShape(layout), rest = shape;
    rest.erase(rest.begin() + dim);
    LayoutAttr dropped = layout.dropDimensions(dim);
    RC_ASSERT(dropped.getLanes() == layout.getLanes() && dropped.getWarps() == layout.getWarps());
    for (int64_t warp = 0; warp < layout.getWarps(); ++warp) {
      for (int64_t lane = 0; lane < layout.getLanes(); ++lane) {
        // Every element of a thread is projected to one that the same thread holds, in the order of
        // its registers.
        int64_t expected = 0;
        std::set<int64_t> registers;
        for (int64_t reg = 0; reg < layout.getRegisters(shape); ++reg) {
          SmallVector<int64_t> at = layout.getCoordinates(shape, reg, lane, warp);
          at.erase(at.begin() + dim);
          LayoutPlace place = dropped.getPlace(rest, at);
          RC_ASSERT(dropped.getCoordinates(rest, place.reg, lane, warp) == at);
          if (registers.insert(place.reg).second)
            RC_ASSERT(place.reg == expected++);
        }
        RC_ASSERT(expected == dropped.getRegisters(rest));
      }
    }
  }));
}

TEST(Layout, SplitDimensionsKeepPlaces) {
  EXPECT_TRUE(rc::check("each register is the same element, by its row-major number", [] {
    LayoutAttr layout = drawLayout(drawNumber(1, 4), 4, 2);
    int64_t dim = drawNumber(0, layout.getRank());
    SmallVector<int64_t> shape = drawShape(layout);
    int64_t extent = layout.getAtom()[dim], inner = int64_t(1) << drawNumber(0, 8);
    RC_PRE(inner <= extent);
    LayoutAttr split = layout.splitDimension(dim, {extent / inner, inner});
    SmallVector<int64_t> parts = shape;
    parts[dim] /= inner;
    parts.insert(parts.begin() + dim + 1, inner);
    auto numberOf = [](llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> at) {
      int64_t number = 0;
      for (auto [size, coordinate] : llvm::zip_equal(sizes, at))
        number = number * size + coordinate;
      return number;
    };
    RC_ASSERT(split.getRegisters(parts) == layout.getRegisters(shape));
    for (int64_t warp = 0; warp < layout.getWarps(); ++warp)
      for (int64_t lane = 0; lane < layout.getLanes(); ++lane)
        for (int64_t reg = 0; reg < layout.getRegisters(shape); ++reg)
          RC_ASSERT(numberOf(shape, layout.getCoordinates(shape, reg, lane, warp)) ==
                    numberOf(parts, split.getCoordinates(parts, reg, lane, warp)));
  }));
}

/// What a pass makes is not verified as a type, but as an operand of the tile dialect's operations.
TEST(Layout, DividesTheTilesOfOperations) {
  mlir::MLIRContext context;
  context.loadDialect<TileDialect>();
  mlir::OpBuilder b(&context);
  auto layout = mlir::cast<LayoutAttr>(mlir::parseAttribute(
      "#tile.layout<reg = [x1], lane = [x2, x4, x8, y1, y2], warp = []>", &context));
  auto iota = [&](llvm::ArrayRef<int64_t> shape) {
    auto type = mlir::RankedTensorType::get(shape, b.getI32Type(), layout);
    return mlir::OwningOpRef<IotaOp>(
        IotaOp::create(b, b.getUnknownLoc(), type, b.getI64IntegerAttr(0)));
  };
  EXPECT_TRUE(succeeded(mlir::verify(*iota({16, 4}))));
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  EXPECT_TRUE(failed(mlir::verify(*iota({8, 4}))));
  EXPECT_NE(message.find("must be tile that its layout divides, but got 'tensor<8x4xi32"),
            std::string::npos)
      << message;
}

} // namespace
