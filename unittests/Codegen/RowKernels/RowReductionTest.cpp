// Bodies of reductions, taken apart.
#include "../../../lib/Codegen/Strategy/RowReduction.h"
#include "RowKernelText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

/// A reduction of rows whose body is `body`, of f32 %e and accumulator %a.
std::string reduction(const std::string &body) {
  return R"(
func.func @kernel(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%e: f32, %a: f32):
)" + body +
         R"(
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
})";
}

mlir::FailureOr<RowReduction> match(RowKernel &kernel) {
  return RowReduction::match(mlir::cast<mlir::linalg::GenericOp>(kernel.operations[0]), kernel.why);
}

TEST(RowReductionTest, WhatDependsOnTheElementAloneIsNoCombiner) {
  RowKernel kernel(reduction("%0 = arith.mulf %e, %e : f32\n %1 = arith.addf %0, %a : f32\n "
                             "linalg.yield %1 : f32"));
  ASSERT_TRUE(kernel.module);
  auto found = match(kernel);
  ASSERT_TRUE(succeeded(found)) << kernel.why;
  ASSERT_EQ(found->combiner.size(), 1u);
  EXPECT_TRUE(mlir::isa<mlir::arith::AddFOp>(found->combiner[0]));
  EXPECT_TRUE(found->elements[0].getDefiningOp<mlir::arith::MulFOp>());
  auto neutral = mlir::dyn_cast_or_null<mlir::FloatAttr>(found->neutral[0]);
  ASSERT_TRUE(neutral);
  // -0 + x is x for every x.
  EXPECT_TRUE(neutral.getValue().isNegZero());
}

TEST(RowReductionTest, AMaximumStartsFromTheInitialValue) {
  RowKernel kernel(reduction("%0 = arith.maximumf %e, %a : f32\n linalg.yield %0 : f32"));
  auto found = match(kernel);
  ASSERT_TRUE(succeeded(found)) << kernel.why;
  EXPECT_FALSE(found->neutral[0]);
}

TEST(RowReductionTest, PartialResultsThatCannotBeJoinedAreRefused) {
  // a / 2 + e: a later element counts more.
  RowKernel decay(reduction("%h = arith.constant 0.5 : f32\n %0 = arith.mulf %a, %h : f32\n "
                            "%1 = arith.addf %0, %e : f32\n linalg.yield %1 : f32"));
  EXPECT_TRUE(failed(match(decay)));
  EXPECT_EQ(decay.why, "partial results of the combiner cannot be joined");
  RowKernel constant(reduction("%h = arith.constant 0.5 : f32\n %0 = arith.addf %a, %h : f32\n "
                               "linalg.yield %0 : f32"));
  EXPECT_TRUE(failed(match(constant)));
  EXPECT_EQ(constant.why, "no element of its own for an accumulator");
}

} // namespace
