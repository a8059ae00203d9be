// transformer-differentiate against central differences: elements that are taken out of tensors,
// put into them, and moved.
#include "GradientText.h"

using namespace forge;

// Numbers that leave tensors and come back.
TEST(TensorGradient, Numbers) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<3x4xf64>, %y: tensor<?xf64>) -> (tensor<2x2xf64>, tensor<4x?xf64>, tensor<3x4xf64>, tensor<5xf64>, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %x[%c2, %c0] : tensor<3x4xf64>
      %b = tensor.extract %y[%c2] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.maximumf %p, %b : f64
      %four = tensor.from_elements %a, %p, %p, %q : tensor<2x2xf64>
      %n = tensor.dim %y, %c0 : tensor<?xf64>
      %many = tensor.splat %q[%n] : tensor<4x?xf64>
      %other = tensor.insert %b into %x[%c2, %c2] : tensor<3x4xf64>
      %twice = arith.mulf %other, %x : tensor<3x4xf64>
      %empty = tensor.empty() : tensor<5xf64>
      %filled = linalg.fill ins(%p : f64) outs(%empty : tensor<5xf64>) -> tensor<5xf64>
      %zero = arith.constant 0.0 : f64
      %padded = tensor.pad %y low[%c2] high[1] {
      ^bb0(%i: index):
        tensor.yield %zero : f64
      } : tensor<?xf64> to tensor<?xf64>
      return %four, %many, %twice, %filled, %padded : tensor<2x2xf64>, tensor<4x?xf64>, tensor<3x4xf64>, tensor<5xf64>, tensor<?xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

TEST(TensorGradient, MovedElements) {
  EXPECT_TRUE(rc::check([] {
    GradientCheck check(
        R"(func.func @main(%x: tensor<2x?x6xf64>, %y: tensor<2x?x6xf64>) -> (tensor<?x6x2xf64>, tensor<3x4x2x?xf64>) {
      %one = arith.constant 1 : index
      %n = tensor.dim %x, %one : tensor<2x?x6xf64>
      %c = tensor.concat dim(1) %x, %y : (tensor<2x?x6xf64>, tensor<2x?x6xf64>) -> tensor<2x?x6xf64>
      %s = tensor.extract_slice %c[0, 1, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> to tensor<2x?x6xf64>
      %i = tensor.insert_slice %s into %c[0, 1, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> into tensor<2x?x6xf64>
      %m = tensor.extract_slice %i[0, 0, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> to tensor<2x?x6xf64>
      %empty = tensor.empty(%n) : tensor<?x6x2xf64>
      %t = linalg.transpose ins(%m : tensor<2x?x6xf64>) outs(%empty : tensor<?x6x2xf64>) permutation = [1, 2, 0]
      %e = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [%n, 3, 2, 2] : tensor<?x6x2xf64> into tensor<?x3x2x2xf64>
      %f = tensor.collapse_shape %e [[0], [1], [2, 3]] : tensor<?x3x2x2xf64> into tensor<?x3x4xf64>
      %last = tensor.empty(%n) : tensor<3x4x?xf64>
      %u = linalg.transpose ins(%f : tensor<?x3x4xf64>) outs(%last : tensor<3x4x?xf64>) permutation = [1, 2, 0]
      %wide = tensor.empty(%n) : tensor<3x4x2x?xf64>
      %w = linalg.broadcast ins(%u : tensor<3x4x?xf64>) outs(%wide : tensor<3x4x2x?xf64>) dimensions = [2]
      return %t, %w : tensor<?x6x2xf64>, tensor<3x4x2x?xf64>
    })",
        randomSeed());
    std::string message = check.run();
    if (!message.empty())
      RC_FAIL(message);
  }));
}

// What was two dimensions of open sizes cannot be expanded again: a reshape by sizes.
TEST(TensorGradient, CollapsedOpenSizes) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<?x2x?xf64>) -> tensor<?x?xf64> {
      %y = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x2x?xf64> into tensor<?x?xf64>
      %z = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
      %s = transformer.activation silu %z : tensor<?xf64>
      %zero = arith.constant 0 : index
      %n = tensor.dim %y, %zero : tensor<?x?xf64>
      %one = arith.constant 1 : index
      %m = tensor.dim %y, %one : tensor<?x?xf64>
      %shape = tensor.from_elements %n, %m : tensor<2xindex>
      %r = tensor.reshape %s(%shape) : (tensor<?xf64>, tensor<2xindex>) -> tensor<?x?xf64>
      return %r : tensor<?x?xf64>
    })");
  EXPECT_EQ(check.run(), "");
}
