// transformer-differentiate against central differences: branches and loops.
#include "GradientText.h"

using namespace forge;

// Either side of a branch, also one that changes nothing, and branches in branches: values from
// outside, values that one side does not read, numbers, and integers beside.
TEST(ControlFlowGradient, Branches) {
  for (const char *condition : {"true", "false"})
    for (const char *other : {"true", "false"}) {
      GradientCheck check(std::string(R"(
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>, %u: tensor<3x4xf64>, %i: tensor<3x4xi32>)
        -> (tensor<3x4xf64>, tensor<f64>, tensor<3x4xi32>) {
      %c = arith.constant )") +
                          condition + "\n      %d = arith.constant " + other + R"(
      %c0 = arith.constant 0 : index
      %n = tensor.extract %u[%c0, %c0] : tensor<3x4xf64>
      %h = math.tanh %x : tensor<3x4xf64>
      %y, %m, %k = scf.if %c -> (tensor<3x4xf64>, f64, tensor<3x4xi32>) {
        %a = transformer.matmul %h, %w : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
        %b = scf.if %d -> tensor<3x4xf64> {
          %e = math.sin %a : tensor<3x4xf64>
          %f = transformer.multiply %e, %h : tensor<3x4xf64>
          scf.yield %f : tensor<3x4xf64>
        } else {
          scf.yield %a : tensor<3x4xf64>
        }
        %g = transformer.add %a, %b : tensor<3x4xf64>
        %s = arith.mulf %n, %n : f64
        scf.yield %g, %s, %i : tensor<3x4xf64>, f64, tensor<3x4xi32>
      } else {
        %a = math.sin %x : tensor<3x4xf64>
        scf.yield %h, %n, %i : tensor<3x4xf64>, f64, tensor<3x4xi32>
      }
      %number = tensor.from_elements %m : tensor<f64>
      %r = transformer.multiply %y, %x : tensor<3x4xf64>
      return %r, %number, %k : tensor<3x4xf64>, tensor<f64>, tensor<3x4xi32>
    })");
      EXPECT_EQ(check.run(), "");
    }
}

// Layers of one stack of weights, in a loop in a function, and a loop in a loop.
TEST(ControlFlowGradient, Loops) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<3x4x4xf64>) -> tensor<3x4xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %y = scf.for %i = %c0 to %c3 step %c2 iter_args(%h = %x) -> tensor<3x4xf64> {
        %l = func.call @layers(%h, %w, %i) : (tensor<3x4xf64>, tensor<3x4x4xf64>, index) -> tensor<3x4xf64>
        scf.yield %l : tensor<3x4xf64>
      }
      %z = scf.for %i = %c3 to %c1 step %c2 iter_args(%h = %y) -> tensor<3x4xf64> {
        %l = arith.addf %h, %h : tensor<3x4xf64>
        scf.yield %l : tensor<3x4xf64>
      }
      return %z : tensor<3x4xf64>
    }
    func.func private @layers(%x: tensor<3x4xf64>, %w: tensor<3x4x4xf64>, %i: index) -> tensor<3x4xf64> {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %y = scf.for %j = %c0 to %c2 step %c1 iter_args(%h = %x) -> tensor<3x4xf64> : i32 {
        %m = tensor.extract_slice %w[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf64> to tensor<4x4xf64>
        %p = transformer.matmul %h, %m : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
        %t = transformer.activation tanh %p : tensor<3x4xf64>
        scf.yield %t : tensor<3x4xf64>
      }
      return %y : tensor<3x4xf64>
    })");
  EXPECT_EQ(check.run(), "");
}
