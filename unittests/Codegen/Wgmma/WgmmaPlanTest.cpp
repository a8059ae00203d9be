// Which products strategy wgmma takes, with which tiles, and when instead of the library.
#include "../../../lib/Codegen/Wgmma/WgmmaPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

const GPUChip &h100() {
  const GPUChip *chip = findChip("sm_90a");
  EXPECT_TRUE(chip);
  return *chip;
}

/// A kernel of one or two products of bf16 matrices, [rows, terms] by [columns, terms], and what
/// follows.
struct ProductText {
  std::string rows = "4096", columns = "4096", terms = "4096";
  bool isPair = false;
  /// The result's type, and what computes %r of the sums %s (and %t).
  std::string out = "bf16", follow = "%r = arith.truncf %s : f32 to bf16";
};

class ProductKernel {
public:
  explicit ProductKernel(const ProductText &text) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                        mlir::tensor::TensorDialect>();
    std::string left = "tensor<" + text.rows + "x" + text.terms + "xbf16>";
    std::string right = "tensor<" + text.columns + "x" + text.terms + "xbf16>";
    std::string place = text.rows + "x" + text.columns;
    std::string sums = "tensor<" + place + "xf32>", out = "tensor<" + place + "x" + text.out + ">";
    auto product = [&](const std::string &name, const std::string &factor) {
      return "  %start_" + name + " = linalg.fill ins(%zero : f32) outs(%e : " + sums + ") -> " +
             sums + "\n  %" + name + R"( = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, )" +
             factor + " : " + left + ", " + right + ") outs(%start_" + name + " : " + sums + R"() {
  ^bb0(%l: bf16, %h: bf16, %a: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %h : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %a, %3 : f32
    linalg.yield %4 : f32
  } -> )" + sums +
             "\n";
    };
    std::string source =
        "func.func @kernel(%x: " + left + ", %g: " + right + ", %u: " + right + ", %e: " + sums +
        ", %o: " + out + ") -> " + out +
        " {\n  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n" +
        product("p", "%g");
    if (text.isPair)
      source += product("q", "%u");
    std::string same = "affine_map<(m, n) -> (m, n)>";
    source += "  %y = linalg.generic {indexing_maps = [" + same + ", " + same +
              (text.isPair ? ", " + same : "") +
              "], iterator_types = [\"parallel\", \"parallel\"]} ins(%p" +
              (text.isPair ? ", %q : " + sums + ", " : " : ") + sums + ") outs(%o : " + out +
              ") {\n  ^bb0(%s: f32, " + (text.isPair ? "%t: f32, " : "") + "%old: " + text.out +
              "):\n    " + text.follow + "\n    linalg.yield %r : " + text.out + "\n  } -> " + out +
              "\n  return %y : " + out + "\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
  }

  std::optional<WgmmaProduct> match() {
    return matchWgmmaKernel(*module->getOps<mlir::func::FuncOp>().begin());
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

const char *const kSilu = "%n = arith.negf %s : f32\n %x1 = math.exp %n : f32\n %d = arith.addf "
                          "%x1, %one : f32\n %v = arith.divf %s, %d : f32\n %r = arith.truncf %v "
                          ": f32 to bf16";
const char *const kGated = "%n = arith.negf %s : f32\n %x1 = math.exp %n : f32\n %d = arith.addf "
                           "%x1, %one : f32\n %v = arith.divf %s, %d : f32\n %w = arith.mulf %v, "
                           "%t : f32\n %r = arith.truncf %w : f32 to bf16";

bool beats(const ProductText &text) {
  ProductKernel kernel(text);
  auto product = kernel.match();
  EXPECT_TRUE(product);
  return product && beatsLibrary(*product, h100());
}

WgmmaTile tileOf(const ProductText &text) {
  ProductKernel kernel(text);
  auto product = kernel.match();
  EXPECT_TRUE(product && takesProduct(*product, h100()));
  return product ? planWgmma(*product, h100()) : WgmmaTile();
}

TEST(WgmmaPlanTest, TheWidestTileWhereEveryMultiprocessorHasOne) {
  EXPECT_EQ(tileOf({}).columns, 256);
  EXPECT_EQ(tileOf({"128", "4096"}).columns, 64);
  EXPECT_EQ(tileOf({"?", "4096"}).columns, 256) << "how many rows is not known";
  EXPECT_EQ(tileOf({"?", "128"}).columns, 128);
}

TEST(WgmmaPlanTest, APairSharesTheColumnsOfATile) {
  WgmmaTile tile = tileOf({"4096", "4096", "4096", true, "bf16", kGated});
  EXPECT_EQ(tile.columns, 256);
  EXPECT_EQ(tile.partColumns(), 128);
  EXPECT_EQ(tile.stages, 4);
  // Of 64 columns, which would be 32 of each, a pair has none.
  EXPECT_EQ(tileOf({"128", "4096", "4096", true, "bf16", kGated}).columns, 128);
}

TEST(WgmmaPlanTest, FewRowsAreReadAlone) {
  WgmmaTile tile = tileOf({"17"});
  EXPECT_EQ(tile.rows, 64);
  EXPECT_EQ(tile.fewRows, 32) << "those of two warps";
  EXPECT_EQ(tile.columns, 32) << "128 tiles for 132 multiprocessors";
  EXPECT_EQ(tile.terms, 256) << "stages of 16 KB";
  EXPECT_LE(2 * (tile.sharedBytes() + 1024), h100().maxSharedBytes + 1024) << "half of it";
  EXPECT_EQ(tileOf({"16", "14336"}).columns, 112);
  EXPECT_EQ(tileOf({"16", "14336"}).terms, 64) << "14 KB by one chunk";
  // Less than three stages of 64 rows fit half: as many as there are fit the whole.
  tile = tileOf({"64"});
  EXPECT_GT(tile.sharedBytes() + tile.stageBytes(), h100().maxSharedBytes);
  EXPECT_EQ(tileOf({"64", "4096", "64"}).terms, 64) << "no more than the sum has";
  EXPECT_FALSE(tileOf({"65"}).fewRows);
}

TEST(WgmmaPlanTest, StagesFitSharedMemory) {
  for (const char *rows : {"128", "512", "4096"}) {
    WgmmaTile tile = tileOf({rows});
    EXPECT_LE(tile.sharedBytes(), h100().maxSharedBytes);
    EXPECT_TRUE(tile.stages == 8 || tile.sharedBytes() + tile.stageBytes() > h100().maxSharedBytes);
  }
}

TEST(WgmmaPlanTest, WhatTensorMapsCannotDescribeIsNotTaken) {
  for (ProductText text : {ProductText{"4096", "4096", "100"}, ProductText{"4096", "4096", "?"}}) {
    ProductKernel kernel(text);
    auto product = kernel.match();
    EXPECT_TRUE(!product || !takesProduct(*product, h100()));
  }
  ProductKernel kernel({});
  auto product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_FALSE(takesProduct(*product, *findChip("sm_80")));
}

TEST(WgmmaPlanTest, PartsOfTilesAreWorthItForManyMultiplications) {
  auto takes = [](const ProductText &text) {
    ProductKernel kernel(text);
    auto product = kernel.match();
    EXPECT_TRUE(product);
    return product && takesProduct(*product, h100());
  };
  EXPECT_TRUE(takes({"63", "4096", "4096"}));
  EXPECT_TRUE(takes({"4096", "100", "4096"})) << "columns that no vector of eight divides";
  EXPECT_TRUE(takes({"64", "64", "64"}));
  EXPECT_FALSE(takes({"32", "64", "64"})) << "2^17 multiplications";
  EXPECT_FALSE(takes({"1", "4096", "4096"})) << "127 rows of 128 for nothing";
}

TEST(WgmmaPlanTest, ColumnsSideBySideAreCounted) {
  auto has = [](const char *columns, int64_t number) {
    ProductKernel kernel({"4096", columns, "4096"});
    auto product = kernel.match();
    EXPECT_TRUE(product);
    return product && product->hasColumnsBy(number);
  };
  EXPECT_TRUE(has("4096", 8));
  EXPECT_TRUE(has("4092", 2));
  EXPECT_FALSE(has("4092", 8));
  EXPECT_FALSE(has("4091", 2));
  EXPECT_FALSE(has("?", 2)) << "an unknown number of columns";
}

TEST(WgmmaPlanTest, WhatTheLibraryDoesTooIsMeasuredAgainstIt) {
  EXPECT_TRUE(beats({}));
  EXPECT_FALSE(beats({"?"})) << "an unknown number of rows";
  EXPECT_TRUE(beats({"64"})) << "a matrix of 32 MB, which takes as long as it is read";
  EXPECT_FALSE(beats({"64", "1024", "4096"})) << "one of 8 MB";
  EXPECT_FALSE(beats({"72"})) << "half of the tiles' rows are not there";
  EXPECT_FALSE(beats({"128", "1024", "8192"})) << "few tiles with long sums";
  EXPECT_FALSE(beats({"4096", "4092", "4096"})) << "pairs stored by each lane";
}

TEST(WgmmaPlanTest, AKernelBehindTheLibraryCosts) {
  EXPECT_TRUE(beats({"4096", "4096", "4096", false, "bf16", kSilu}));
  EXPECT_TRUE(beats({"64", "4096", "4096", false, "bf16", kSilu}));
  EXPECT_FALSE(beats({"64", "1024", "4096", false, "bf16", kSilu}));
  EXPECT_TRUE(beats({"512", "4096", "4096", true, "bf16", kGated}));
}

TEST(WgmmaPlanTest, WhatTakesLongerThanMemoryStaysBehindTheLibrary) {
  // A tanh of f32, which no kernel of products takes; one that is rounded to bf16 is short.
  ProductKernel kernel({"4096", "4096", "4096", false, "f32", "%r = math.tanh %s : f32"});
  auto product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_FALSE(takesProduct(*product, h100()));
  EXPECT_FALSE(beats({"4096", "4096", "4096", false, "f32", "%r = math.tanh %s : f32"}));
  EXPECT_TRUE(beats({"4096", "4096", "4096", false, "bf16",
                     "%h = math.tanh %s : f32\n %w = arith.mulf %h, %one : f32\n %r = "
                     "arith.truncf %w : f32 to bf16"}));
}

TEST(WgmmaPlanTest, PartsOfAPairAreFoundByTheirSums) {
  ProductKernel pair({"128", "128", "64", true, "bf16", kGated});
  auto product = pair.match();
  ASSERT_TRUE(product);
  ASSERT_EQ(product->numParts(), 2);
  EXPECT_EQ(product->left(), product->parts[1].axes.left.value);
  EXPECT_EQ(product->partOf(product->follow.getInputs()[0]), 0u);
  EXPECT_EQ(product->partOf(product->follow.getInputs()[1]), 1u);
  EXPECT_EQ(product->partOf(product->left()), std::nullopt);
}

} // namespace
