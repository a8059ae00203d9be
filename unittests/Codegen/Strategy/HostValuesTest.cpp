// What the host computes before it calls a kernel.
#include "../../../lib/Codegen/Strategy/HostValues.h"

#include "../ParsedFunction.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace forge;
using namespace forge::test;

namespace {

constexpr const char *kCall = R"(
func.func private @kernel(%x: memref<?x8xf32>, %n: index, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x8xf32>
  %half = arith.divui %rows, %c2 : index
  %sum = arith.addi %half, %n : index
  scf.for %i = %c0 to %sum step %c2 {
    %inner = arith.addi %i, %n : index
    memref.store %e, %y[%inner] : memref<8xf32>
  }
  return
}
func.func @main(%a: memref<?x8xf32>, %m: index, %b: memref<8xf32>) {
  call @kernel(%a, %m, %b) : (memref<?x8xf32>, index, memref<8xf32>) -> ()
  return
}
)";

// The operations that a value is made of are copied before the call, each once, over its operands.
TEST(HostValues, AreComputedBeforeTheCall) {
  ParsedFunction f(kCall);
  auto call = f.find<mlir::func::CallOp>();
  HostValues host(call, f.function("kernel"));
  auto loop = f.find<mlir::scf::ForOp>();
  mlir::FailureOr<mlir::Value> sum = host.value(loop.getUpperBound());
  ASSERT_TRUE(succeeded(sum));
  mlir::func::FuncOp main = f.function("main");
  auto add = sum->getDefiningOp<mlir::arith::AddIOp>();
  ASSERT_TRUE(add);
  EXPECT_EQ(add->getParentOp(), main);
  EXPECT_EQ(add.getRhs(), main.getArgument(1));
  EXPECT_EQ(host.value(loop.getUpperBound()), *sum);
  auto divisions = [&] { return llvm::range_size(main.getBody().getOps<mlir::arith::DivUIOp>()); };
  EXPECT_EQ(divisions(), 1u);
  EXPECT_TRUE(f.isValid());
}

TEST(HostValues, NumbersStayNumbers) {
  ParsedFunction f(kCall);
  HostValues host(f.find<mlir::func::CallOp>(), f.function("kernel"));
  mlir::Builder b(&f.context);
  EXPECT_EQ(host.fold(b.getIndexAttr(7)), mlir::OpFoldResult(b.getIndexAttr(7)));
  mlir::FailureOr<mlir::OpFoldResult> step = host.fold(f.find<mlir::scf::ForOp>().getStep());
  ASSERT_TRUE(succeeded(step));
  EXPECT_EQ(mlir::getConstantIntValue(*step), 2);
}

// The counter of a loop in the kernel is not known outside.
TEST(HostValues, MustFollowFromArguments) {
  ParsedFunction f(kCall);
  HostValues host(f.find<mlir::func::CallOp>(), f.function("kernel"));
  auto loop = f.find<mlir::scf::ForOp>();
  EXPECT_TRUE(failed(host.value(f.find<mlir::arith::AddIOp>(1).getResult())));
  EXPECT_NE(f.messages.find("expected sizes that follow from the kernel's arguments"),
            std::string::npos);
  EXPECT_TRUE(failed(host.value(loop.getInductionVar())));
}

TEST(HostValues, ViewsOfOperands) {
  ParsedFunction f(kCall);
  HostValues host(f.find<mlir::func::CallOp>(), f.function("kernel"));
  mlir::Builder b(&f.context);
  StridedArgument part;
  part.number = 0;
  part.offset = f.function("kernel").getArgument(1);
  part.sizes = {b.getIndexAttr(4), b.getIndexAttr(2)};
  part.strides = {b.getIndexAttr(8), b.getIndexAttr(1)};
  mlir::FailureOr<mlir::Value> view = host.view(part);
  ASSERT_TRUE(succeeded(view));
  auto cast = view->getDefiningOp<mlir::memref::ReinterpretCastOp>();
  ASSERT_TRUE(cast);
  EXPECT_EQ(cast.getSource(), f.function("main").getArgument(0));
  auto type = llvm::cast<mlir::MemRefType>(view->getType());
  EXPECT_EQ(type.getShape(), (llvm::ArrayRef<int64_t>{4, 2}));
  EXPECT_TRUE(f.isValid());
}

} // namespace
