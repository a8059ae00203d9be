// What operands of a kernel hold.
#include "../../../lib/Codegen/RowKernels/RowLinks.h"
#include "RowKernelText.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

std::string function(const std::string &arguments, const std::string &body) {
  return "#all = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>\n"
         "func.func @kernel(" +
         arguments + ") {\n" + body + "  return\n}\n";
}

FailureOr<RowLinks> link(RowKernel &kernel) {
  return RowLinks::build(kernel.operations, kernel.why);
}

TEST(RowLinksTest, OperandsHoldMemorySplatsAndResults) {
  for (On on : {On::Tensors, On::Buffers}) {
    RowKernel kernel(softmaxText(on, {}));
    auto links = link(kernel);
    ASSERT_TRUE(succeeded(links)) << kernel.why;
    ASSERT_EQ(links->links.size(), 3u);
    const RowLink &maximum = links->links[0], &quotient = links->links[2];
    EXPECT_EQ(maximum.operands[0].kind, RowContent::Memory);
    EXPECT_EQ(maximum.operands[1].kind, RowContent::Splat);
    EXPECT_TRUE(maximum.operands[1].splat);
    EXPECT_EQ(quotient.operands[1].kind, RowContent::Stage);
    EXPECT_EQ(quotient.operands[1].stage, 0);
    EXPECT_EQ(quotient.operands[2].stage, 1);
  }
}

TEST(RowLinksTest, CopiesHoldWhatWasCopied) {
  RowKernel kernel(function("%x: memref<8x16xf32>, %o: memref<8xf32>, %p: memref<8xf32>", R"(
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<8xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x16xf32>) outs(%t : memref<8xf32>) {
  ^bb0(%e: f32, %a: f32):
    %v = arith.addf %e, %a : f32
    linalg.yield %v : f32
  }
  memref.copy %t, %o : memref<8xf32> to memref<8xf32>
)"));
  ASSERT_TRUE(kernel.module);
  auto links = link(kernel);
  ASSERT_TRUE(succeeded(links)) << kernel.why;
  RowContent held = links->holds.lookup(kernel.function().getArgument(1));
  EXPECT_EQ(held.kind, RowContent::Stage);
  EXPECT_EQ(held.stage, 0);
  EXPECT_EQ(links->holds.lookup(kernel.function().getArgument(2)).kind, RowContent::Memory);
}

TEST(RowLinksTest, TemporariesAreNotGiven) {
  RowKernel kernel(function("%x: memref<8xf32>", R"(
  %t = memref.alloc() : memref<8xf32>
  %c = memref.cast %x : memref<8xf32> to memref<?xf32>
  %d = memref.cast %t : memref<8xf32> to memref<?xf32>
)"));
  ASSERT_TRUE(kernel.module);
  std::string why;
  auto links = RowLinks::build(ArrayRef(kernel.operations).take_front(1), why);
  ASSERT_TRUE(succeeded(links)) << why;
  Value temporary = kernel.operations[0]->getResult(0), given = kernel.operations[1]->getResult(0),
        cast = kernel.operations[2]->getResult(0);
  EXPECT_EQ(RowLinks::baseOf(given), kernel.function().getArgument(0));
  EXPECT_EQ(RowLinks::baseOf(cast), temporary);
  EXPECT_TRUE(links->isGiven(given));
  EXPECT_FALSE(links->isGiven(cast));
}

TEST(RowLinksTest, CopiesOfArgumentsAreRefused) {
  RowKernel kernel(function("%x: memref<8xf32>, %o: memref<8xf32>",
                            "  memref.copy %x, %o : memref<8xf32> to memref<8xf32>\n"));
  EXPECT_TRUE(failed(link(kernel)));
  EXPECT_EQ(kernel.why, "a copy of an argument");
}

TEST(RowLinksTest, WhatIsReadBeforeTheRowsIsNotWrittenByThem) {
  RowKernel kernel(function("%x: memref<8xf32>, %o: memref<8xf32>", R"(
  %c0 = arith.constant 0 : index
  %first = memref.load %o[%c0] : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%e: f32, %a: f32):
    %v = arith.addf %e, %first : f32
    linalg.yield %v : f32
  }
)"));
  ASSERT_TRUE(kernel.module);
  EXPECT_TRUE(failed(link(kernel)));
  EXPECT_EQ(kernel.why, "an element of what the rows write, read before them");
}

} // namespace
