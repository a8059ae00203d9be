// What a kernel of plain loops reads and writes.
#include "../../../lib/Codegen/Generic/ElementAccess.h"

#include "../ParsedFunction.h"

using namespace forge;
using namespace forge::test;

namespace {

// A tensor that a loop updates and hands on is the one that the loop started from.
TEST(ElementAccess, ChainsOfUpdatesHaveOneBase) {
  ParsedFunction f(R"(func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %y) -> tensor<8xf32> {
      %e = tensor.extract %x[%i] : tensor<8xf32>
      %o = tensor.extract %t[%c0] : tensor<8xf32>
      %s = arith.addf %e, %o : f32
      %u = tensor.insert %s into %t[%i] : tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    }
    %l = tensor.extract %r[%c1] : tensor<8xf32>
    %v = tensor.insert %l into %r[%c0] : tensor<8xf32>
    return %v : tensor<8xf32>
  })");
  mlir::func::FuncOp kernel = f.function();
  mlir::FailureOr<llvm::SmallVector<ElementAccess>> accesses = collectAccesses(kernel);
  ASSERT_TRUE(succeeded(accesses));
  ASSERT_EQ(accesses->size(), 5u);
  std::vector<bool> writes;
  for (const ElementAccess &access : *accesses)
    writes.push_back(access.isWrite);
  EXPECT_EQ(writes, (std::vector<bool>{false, false, true, false, true}));
  EXPECT_EQ((*accesses)[0].base, kernel.getArgument(0));
  for (unsigned i = 1; i < 5; ++i)
    EXPECT_EQ((*accesses)[i].base, kernel.getArgument(1)) << i;
  EXPECT_EQ(writtenBases(*accesses), (llvm::SmallVector<mlir::Value>{kernel.getArgument(1)}));
  auto loop = f.find<mlir::scf::ForOp>();
  EXPECT_EQ(counterLoop((*accesses)[0].indices[0]), loop);
  EXPECT_FALSE(counterLoop((*accesses)[1].indices[0]));
  EXPECT_FALSE(counterLoop(loop.getRegionIterArgs()[0]));
}

// Two tensors that a loop exchanges are not known to stay where they are.
TEST(ElementAccess, ExchangedTensorsHaveNoPlace) {
  ParsedFunction f(
      R"(func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
      scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
    }
    return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
  })");
  EXPECT_TRUE(failed(collectAccesses(f.function())));
}

// Both sides of a branch hand on the same tensor, or it has no base.
TEST(ElementAccess, BranchesAgreeOnTheBase) {
  auto text = [](const std::string &other) {
    return "func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %p: i1) -> f32 {\n"
           "  %c0 = arith.constant 0 : index\n  %z = arith.constant 0.0 : f32\n"
           "  %r = scf.if %p -> tensor<8xf32> {\n"
           "    %u = tensor.insert %z into %x[%c0] : tensor<8xf32>\n"
           "    scf.yield %u : tensor<8xf32>\n  } else {\n    scf.yield " +
           other +
           " : tensor<8xf32>\n  }\n"
           "  %e = tensor.extract %r[%c0] : tensor<8xf32>\n  return %e : f32\n}";
  };
  ParsedFunction same(text("%x"));
  mlir::FailureOr<llvm::SmallVector<ElementAccess>> accesses = collectAccesses(same.function());
  ASSERT_TRUE(succeeded(accesses));
  EXPECT_EQ(accesses->back().base, same.function().getArgument(0));
  ParsedFunction other(text("%y"));
  EXPECT_TRUE(failed(collectAccesses(other.function())));
}

TEST(ElementAccess, LoadsAndStoresOfBuffers) {
  ParsedFunction f(R"(func.func @f(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %t = memref.alloc() : memref<8xf32>
    %e = memref.load %x[%c0] : memref<8xf32>
    memref.store %e, %t[%c0] : memref<8xf32>
    memref.store %e, %x[%c0] : memref<8xf32>
    return
  })");
  mlir::FailureOr<llvm::SmallVector<ElementAccess>> accesses = collectAccesses(f.function());
  ASSERT_TRUE(succeeded(accesses));
  mlir::Value temporary = f.find<mlir::memref::AllocOp>().getResult();
  EXPECT_EQ(writtenBases(*accesses),
            (llvm::SmallVector<mlir::Value>{temporary, f.function().getArgument(0)}));
}

// An operation on whole buffers has accesses that are not seen here.
TEST(ElementAccess, WholeBuffersAreNotElements) {
  ParsedFunction f(R"(func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
    memref.copy %x, %y : memref<8xf32> to memref<8xf32>
    return
  })");
  EXPECT_TRUE(failed(collectAccesses(f.function())));
}

} // namespace
