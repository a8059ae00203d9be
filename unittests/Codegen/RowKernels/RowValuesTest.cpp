// What threads compute of elements and rows: values once, and divisions by a row's value.
#include "Emitted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

const RowPlanLimits kExact{32, 1024, 8, 48 << 10, 132, false},
    kFast{32, 1024, 8, 48 << 10, 132, true};

// 1 / y once for the row; then x r, what is left of x, and its part of r.
TEST(RowValuesTest, ARowIsDividedByItsSumWithOneDivision) {
  Emitted code(softmaxText(On::Buffers, {"8", "256", "f32", "f32"}), plan(4, 32, 2), kExact);
  EXPECT_EQ(code.count<arith::DivFOp>(), 1);
  EXPECT_EQ(code.count<math::FmaOp>(), 2 * 8);
}

TEST(RowValuesTest, ARoundedQuotientIsAProduct) {
  Emitted code(softmaxText(On::Buffers, {"8", "256", "bf16", "bf16"}), plan(8, 32, 1), kFast);
  EXPECT_EQ(code.count<arith::DivFOp>(), 1);
  EXPECT_EQ(code.count<math::FmaOp>(), 0);
  // Without the instruction for 2^x nothing is approximated.
  Emitted exact(softmaxText(On::Buffers, {"8", "256", "bf16", "bf16"}), plan(8, 32, 1), kExact);
  EXPECT_EQ(exact.count<math::FmaOp>(), 2 * 8);
}

TEST(RowValuesTest, QuotientsOfElementsAreDivisions) {
  Emitted code(siluText(On::Buffers, {"8", "256", "f32", "f32"}), plan(4, 32, 2), kExact);
  EXPECT_EQ(code.count<arith::DivFOp>(), 8);
  EXPECT_EQ(code.count<math::FmaOp>(), 0);
}

// A row in registers: e^(x - m) for the sum, and again for the quotient; of elements alone, once.
TEST(RowValuesTest, ExponentialsOfARowInRegisters) {
  Emitted softmax(softmaxText(On::Buffers, {"8", "256", "f32", "f32"}), plan(4, 32, 2), kExact);
  EXPECT_EQ(softmax.count<math::ExpOp>(), 2 * 8);
  Emitted silu(siluText(On::Buffers, {"8", "256", "f32", "f32"}), plan(4, 32, 2), kExact);
  EXPECT_EQ(silu.count<math::ExpOp>(), 8);
}

// Where rows are looped over, the maximum is not known yet: sums are scaled whenever it grows.
TEST(RowValuesTest, ARunningMaximumScalesTheSum) {
  Emitted code(softmaxText(On::Buffers, {"8", "131072", "f32", "f32"}), plan(4, 256, 0), kExact);
  bool found = false;
  code.kernel.module->walk([&](scf::ForOp loop) {
    if (loop.getNumRegionIterArgs() != 2)
      return;
    found = true;
    int scalings = 0;
    for (Operation *user : loop.getRegionIterArg(1).getUsers())
      scalings += isa<arith::MulFOp>(user);
    EXPECT_EQ(scalings, 1) << "the sum so far";
  });
  EXPECT_TRUE(found);
}

} // namespace
