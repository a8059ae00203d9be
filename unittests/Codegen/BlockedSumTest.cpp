// Reductions in blocks: every term once and in order, and no long chain of additions.
#include "../../lib/Codegen/Rows/BlockedSum.h"

#include "Jit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

/// What a reduction over [0, n) has done: the number of its terms, the sum of i * i over them, the
/// joins and terms of its longest chain, and whether terms came in order.
struct Trace {
  int64_t terms, squares, chain, inOrder;
};

/// f(n, trace) as text: a blocked reduction with four accumulators of i64, the last of which is the
/// index of the last term, or -1 once an earlier one has followed a later one.
std::string reductionText(ArrayRef<int64_t> blocks, std::optional<int64_t> known, int64_t step) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToStart(module->getBody());
  Type word = b.getI64Type(), memory = MemRefType::get({ShapedType::kDynamic}, word);
  auto function =
      func::FuncOp::create(b, loc, "f", b.getFunctionType({b.getIndexType(), memory}, {}));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), b.getUnitAttr());
  b.setInsertionPointToStart(function.addEntryBlock());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(b, loc, x, y); };
  auto follows = [&](Value before, Value now) -> Value {
    return arith::SelectOp::create(
        b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, before, now), now,
        number(INT64_MAX));
  };
  ReductionRange range{index(0), known ? index(*known) : Value(function.getArgument(0)), step};
  SmallVector<Value> neutral{number(0), number(0), number(0), number(-1)};
  Accumulators results = emitBlockedReduction(
      b, loc, range, blocks, neutral,
      [&](Value at, ValueRange sums) {
        Value i = arith::IndexCastOp::create(b, loc, word, at);
        return Accumulators{add(sums[0], number(1)),
                            add(sums[1], arith::MulIOp::create(b, loc, i, i)),
                            add(sums[2], number(1)), follows(sums[3], i)};
      },
      [&](ValueRange x, ValueRange y) {
        Value longer = arith::MaxSIOp::create(b, loc, x[2], y[2]);
        return Accumulators{add(x[0], y[0]), add(x[1], y[1]), add(longer, number(1)),
                            follows(x[3], y[3])};
      });
  for (auto [i, result] : llvm::enumerate(results))
    memref::StoreOp::create(b, loc, result, function.getArgument(1),
                            ValueRange{index(static_cast<int64_t>(i))});
  func::ReturnOp::create(b, loc);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

class BlockedReduction {
public:
  explicit BlockedReduction(ArrayRef<int64_t> blocks, std::optional<int64_t> known = std::nullopt,
                            int64_t step = 1) {
    EXPECT_TRUE(jit.compile(reductionText(blocks, known, step), ""));
  }
  Trace run(int64_t n) {
    int64_t values[4] = {};
    MemRef1D<int64_t> memory(values, 4);
    auto *f = jit.function<void (*)(int64_t, MemRef1D<int64_t> *)>("f");
    if (!f)
      return {};
    f(n, &memory);
    return {values[0], values[1], values[2], values[3] != INT64_MAX};
  }

private:
  Jit jit;
};

int64_t squaresBelow(int64_t n) { return n * (n - 1) * (2 * n - 1) / 6; }

TEST(BlockedSum, BlocksByTheNumberOfTerms) {
  EXPECT_TRUE(blocksOfSum(0).empty());
  EXPECT_TRUE(blocksOfSum(32).empty());
  EXPECT_EQ(blocksOfSum(33), (SmallVector<int64_t>{32}));
  EXPECT_EQ(blocksOfSum(2048), (SmallVector<int64_t>{32}));
  EXPECT_EQ(blocksOfSum(2049), (SmallVector<int64_t>{1024, 32}));
  EXPECT_EQ(blocksOfSum(std::nullopt), (SmallVector<int64_t>{1024, 32}));
}

TEST(BlockedSum, EveryTermOnceAndInOrder) {
  const SmallVector<int64_t> none, one{32}, two{1024, 32};
  for (const SmallVector<int64_t> *blocks : {&none, &one, &two}) {
    BlockedReduction reduction(*blocks);
    for (int64_t n : {0, 1, 31, 32, 33, 64, 1000, 1023, 1024, 1025, 2048, 5000}) {
      Trace trace = reduction.run(n);
      EXPECT_EQ(trace.terms, n);
      EXPECT_EQ(trace.squares, squaresBelow(n)) << n;
      EXPECT_TRUE(trace.inOrder) << n;
    }
  }
}

// Where sizes are known and divide, no end of a block is looked for.
TEST(BlockedSum, KnownSizes) {
  for (int64_t n : {1024, 1056, 1057, 3072}) {
    Trace trace = BlockedReduction({1024, 32}, n).run(0);
    EXPECT_EQ(trace.terms, n);
    EXPECT_EQ(trace.squares, squaresBelow(n));
  }
  EXPECT_EQ(reductionText({32}, 64, 1).find("minui"), std::string::npos);
  EXPECT_NE(reductionText({32}, 65, 1).find("minui"), std::string::npos);
}

// Blocks are counted in iterations, however far one goes.
TEST(BlockedSum, LongSteps) {
  Trace trace = BlockedReduction({32}, std::nullopt, /*step=*/16).run(16 * 100);
  EXPECT_EQ(trace.terms, 100);
  EXPECT_EQ(trace.squares, 256 * squaresBelow(100));
  EXPECT_EQ(trace.chain, 32 + 4);
}

// A chain adds the terms of its smallest block, then the blocks: within twice the square root of
// the number of terms, or the 32 of a block.
TEST(BlockedSum, ChainsAreShort) {
  BlockedReduction large({1024, 32});
  EXPECT_EQ(large.run(1 << 20).chain, 32 + 32 + 1024);
  for (int64_t n : {2049, 10000, 100000, 1000000, 4000000})
    EXPECT_LE(static_cast<double>(large.run(n).chain), 2 * std::sqrt(static_cast<double>(n))) << n;
  BlockedReduction small({32});
  for (int64_t n : {33, 100, 1024, 2048})
    EXPECT_LE(static_cast<double>(small.run(n).chain), 32 + 2 * std::sqrt(static_cast<double>(n)))
        << n;
}

} // namespace
