// What needs no more than 16 bits of precision.
#include "../../../lib/Codegen/RowKernels/RoundedUses.h"
#include "RowKernelText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

/// How many exponentials and how many other operations (quotients, tanh) of the kernel are only
/// seen rounded.
std::pair<int, int> roundedOf(const std::string &text) {
  RowKernel kernel(text);
  auto program = kernel.build();
  EXPECT_TRUE(succeeded(program)) << kernel.why;
  std::pair<int, int> count(0, 0);
  for (mlir::Operation *op : roundedUses(*program))
    ++(mlir::isa<mlir::math::ExpOp>(op) ? count.first : count.second);
  return count;
}

/// An elementwise kernel from f32 to bf16 with `body`, of the element %e.
std::string elementwise(const std::string &body) {
  return R"(
func.func @kernel(%x: tensor<8x64xf32>, %o: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8x64xbf16>) {
  ^bb0(%e: f32, %a: bf16):
    %p = math.exp %e : f32
)" + body +
         R"(
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
})";
}

TEST(RoundedUsesTest, SoftmaxOfANarrowResult) {
  // Both exponentials, that of the sum too, and the quotient.
  for (On on : {On::Tensors, On::Buffers}) {
    EXPECT_EQ(roundedOf(softmaxText(on, {"8", "4096", "bf16", "bf16"})), std::pair(2, 1));
    EXPECT_EQ(roundedOf(softmaxText(on, {"8", "4096", "f32", "f16"})), std::pair(2, 1));
    EXPECT_EQ(roundedOf(softmaxText(on, {"8", "4096", "bf16", "f32"})), std::pair(0, 0));
  }
}

TEST(RoundedUsesTest, APositiveConstantMayBeAdded) {
  EXPECT_EQ(roundedOf(siluText(On::Tensors, {"8", "4096", "bf16", "bf16"})), std::pair(1, 1));
  EXPECT_EQ(roundedOf(siluText(On::Tensors, {"8", "4096", "bf16", "f32"})), std::pair(0, 0));
}

TEST(RoundedUsesTest, ADifferenceMayCancel) {
  EXPECT_EQ(roundedOf(elementwise("%s = arith.addf %p, %minus : f32\n %r = arith.truncf %s : f32 "
                                  "to bf16\n linalg.yield %r : bf16")),
            std::pair(0, 0));
  EXPECT_EQ(roundedOf(elementwise("%s = arith.subf %p, %one : f32\n %r = arith.truncf %s : f32 to "
                                  "bf16\n linalg.yield %r : bf16")),
            std::pair(0, 0));
}

TEST(RoundedUsesTest, ALogarithmMakesARelativeErrorAbsolute) {
  EXPECT_EQ(roundedOf(elementwise("%s = math.log %p : f32\n %r = arith.truncf %s : f32 to bf16\n "
                                  "linalg.yield %r : bf16")),
            std::pair(0, 0));
}

TEST(RoundedUsesTest, ATanhKeepsARelativeError) {
  // Of the exponential, and its own; not where a sum may cancel.
  EXPECT_EQ(roundedOf(elementwise("%t = math.tanh %p : f32\n %s = arith.mulf %t, %one : f32\n %r = "
                                  "arith.truncf %s : f32 to bf16\n linalg.yield %r : bf16")),
            std::pair(1, 1));
  EXPECT_EQ(roundedOf(elementwise("%t = math.tanh %p : f32\n %s = arith.addf %t, %one : f32\n %r = "
                                  "arith.truncf %s : f32 to bf16\n linalg.yield %r : bf16")),
            std::pair(0, 0));
}

TEST(RoundedUsesTest, ResultsOfOneOperationAreSeenAsTheyAre) {
  for (auto [out, expected] : {std::pair("bf16", 2u), {"f32", 0u}}) {
    RowKernel kernel(siluText(On::Tensors, {"8", "4096", "bf16", out}));
    auto silu = llvm::cast<mlir::linalg::GenericOp>(kernel.operations.back());
    EXPECT_EQ(roundedUses(silu).size(), expected);
  }
}

TEST(RoundedUsesTest, EveryUseCounts) {
  // A product, rounded, and a comparison, which is not.
  EXPECT_EQ(roundedOf(elementwise("%c = arith.cmpf olt, %p, %one : f32\n %s = arith.mulf %p, %e : "
                                  "f32\n %t = arith.select %c, %s, %e : f32\n %r = arith.truncf "
                                  "%t : f32 to bf16\n linalg.yield %r : bf16")),
            std::pair(0, 0));
  EXPECT_EQ(roundedOf(elementwise("%s = arith.mulf %p, %p : f32\n %r = arith.truncf %s : f32 to "
                                  "bf16\n linalg.yield %r : bf16")),
            std::pair(1, 0));
}

} // namespace
