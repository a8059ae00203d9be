// Types whose bytes cannot be counted are refused where a module is loaded.
#include "forge/Import/ModuleFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

/// What is said against a function that takes `type`; empty if nothing is.
std::string complaintOf(const std::string &type) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>("func.func private @f(" + type + ")", &context);
  EXPECT_TRUE(module) << type;
  bool fine = succeeded(checkTensorSizes(*module));
  EXPECT_EQ(fine, message.empty()) << type;
  return message;
}

// Elements count as eight bytes, whatever they are: 2^60 of them are 2^63 bytes.
TEST(TensorSizes, TheLargestThatCanBeCounted) {
  EXPECT_EQ(complaintOf("tensor<1152921504606846975xi8>"), "");
  EXPECT_EQ(complaintOf("tensor<1152921504606846976xi8>"),
            "unsupported type 'tensor<1152921504606846976xi8>': its size does not fit in 63 bits");
}

TEST(TensorSizes, SizesAreMultiplied) {
  EXPECT_EQ(complaintOf("tensor<1073741824x1073741823xf32>"), "");
  EXPECT_NE(complaintOf("tensor<1073741824x1073741824xf32>"), "");
  EXPECT_NE(complaintOf("memref<4611686018427387904x4xf32>"), "");
  EXPECT_NE(complaintOf("vector<4611686018427387904x4xf32>"), "");
}

// What is known at run time only counts as one, and beside a dimension of no elements the others
// are still a part that is allocated.
TEST(TensorSizes, OpenAndEmptyDimensions) {
  EXPECT_EQ(complaintOf("tensor<?x1152921504606846975xf32>"), "");
  EXPECT_NE(complaintOf("tensor<?x1152921504606846976xf32>"), "");
  EXPECT_EQ(complaintOf("tensor<0x1152921504606846975xf32>"), "");
  EXPECT_NE(complaintOf("tensor<0x1152921504606846976xf32>"), "");
  EXPECT_EQ(complaintOf("tensor<*xf32>"), "");
}

TEST(TensorSizes, InsideOfOtherTypes) {
  EXPECT_EQ(complaintOf("tuple<i1, tensor<4xf32>>"), "");
  EXPECT_EQ(
      complaintOf("tuple<i1, tensor<4611686018427387904x4xf32>>"),
      "unsupported type 'tensor<4611686018427387904x4xf32>': its size does not fit in 63 bits");
}

} // namespace
