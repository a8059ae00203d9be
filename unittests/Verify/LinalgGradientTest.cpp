// Gradients of linalg operations, also of gradients lowered to them, of branches and of loops
// against central differences.
#include "GradientText.h"

#include "forge/Conversion/TransformerToLinalg/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

// Operations of linalg by their names and in their general form: elementwise, products, sums over
// loops of elements that are read in turn, with indices, and what sums begin as.
TEST(Gradient, Linalg) {
  GradientCheck check(R"(
    #all = affine_map<(i, j) -> (i, j)>
    #turned = affine_map<(i, j) -> (j, i)>
    #row = affine_map<(i, j) -> (i)>
    #column = affine_map<(i, j) -> (j)>
    #none = affine_map<(i, j) -> ()>
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<4x2xf64>, %u: tensor<2x?x4xf64>, %v: tensor<2x4x5xf64>, %r: tensor<3xf64>, %o: tensor<4xf64>, %n: tensor<f64>)
        -> (tensor<3x2xf64>, tensor<2x?x5xf64>, tensor<4x3xf64>, tensor<4x3xf64>, tensor<4xf64>, tensor<3xf64>, tensor<3xf64>) {
      %c1 = arith.constant 1 : index
      %e32 = tensor.empty() : tensor<3x2xf64>
      %zero = arith.constant 0.0 : f64
      %z32 = linalg.fill ins(%zero : f64) outs(%e32 : tensor<3x2xf64>) -> tensor<3x2xf64>
      %a = linalg.matmul ins(%x, %w : tensor<3x4xf64>, tensor<4x2xf64>) outs(%z32 : tensor<3x2xf64>) -> tensor<3x2xf64>
      %d = tensor.dim %u, %c1 : tensor<2x?x4xf64>
      %e = tensor.empty(%d) : tensor<2x?x5xf64>
      %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x?x5xf64>) -> tensor<2x?x5xf64>
      %b = linalg.batch_matmul ins(%u, %v : tensor<2x?x4xf64>, tensor<2x4x5xf64>) outs(%z : tensor<2x?x5xf64>) -> tensor<2x?x5xf64>
      %e43 = tensor.empty() : tensor<4x3xf64>
      %f, %g = linalg.generic {indexing_maps = [#turned, #row, #column, #none, #all, #all], iterator_types = ["parallel", "parallel"]}
          ins(%x, %o, %r, %n : tensor<3x4xf64>, tensor<4xf64>, tensor<3xf64>, tensor<f64>) outs(%e43, %e43 : tensor<4x3xf64>, tensor<4x3xf64>) {
      ^bb0(%p: f64, %q: f64, %s: f64, %t: f64, %y0: f64, %y1: f64):
        %i = linalg.index 1 : index
        %i1 = arith.index_cast %i : index to i64
        %i2 = arith.sitofp %i1 : i64 to f64
        %p1 = math.sin %p : f64
        %p2 = arith.mulf %p1, %q : f64
        %p3 = arith.mulf %s, %i2 : f64
        %p4 = math.powf %p2, %i2 : f64
        %p5 = arith.addf %p3, %t : f64
        %p6 = arith.maximumf %p4, %p5 : f64
        linalg.yield %p6, %p3 : f64, f64
      } -> (tensor<4x3xf64>, tensor<4x3xf64>)
      %h = linalg.reduce ins(%f : tensor<4x3xf64>) outs(%o : tensor<4xf64>) dimensions = [1]
          (%p: f64, %q: f64) {
        %t = arith.mulf %p, %p : f64
        %s = arith.addf %t, %q : f64
        linalg.yield %s : f64
      }
      %e3 = tensor.empty() : tensor<3xf64>
      %k = linalg.map { math.exp } ins(%r : tensor<3xf64>) outs(%e3 : tensor<3xf64>)
      %l = linalg.add ins(%k, %r : tensor<3xf64>, tensor<3xf64>) outs(%e3 : tensor<3xf64>) -> tensor<3xf64>
      %changed = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%l : tensor<3xf64>) outs(%r : tensor<3xf64>) {
      ^bb0(%p: f64, %q: f64):
        %s = arith.divf %q, %p : f64
        linalg.yield %s : f64
      } -> tensor<3xf64>
      return %a, %b, %f, %g, %h, %l, %changed : tensor<3x2xf64>, tensor<2x?x5xf64>, tensor<4x3xf64>, tensor<4x3xf64>, tensor<4xf64>, tensor<3xf64>, tensor<3xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

// Largest and smallest numbers, also where several are equal: each way has its share, and the
// gradient along a direction that keeps them equal is right.
TEST(Gradient, LinalgMaximum) {
  GradientCheck check(R"(
    #all = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @main(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<4xf64>, tensor<3xf64>) {
      %least = arith.constant dense<-1.0e300> : tensor<3xf64>
      %most = arith.constant dense<1.0e300> : tensor<4xf64>
      %a = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x, %y : tensor<3x4xf64>, tensor<3x4xf64>) outs(%least : tensor<3xf64>) {
      ^bb0(%p: f64, %q: f64, %m: f64):
        %f = math.sin %p : f64
        %g = arith.mulf %f, %q : f64
        %h = arith.maximumf %g, %m : f64
        linalg.yield %h : f64
      } -> tensor<3xf64>
      %b = linalg.reduce { arith.minnumf } ins(%x : tensor<3x4xf64>) outs(%most : tensor<4xf64>) dimensions = [0]
      %two = tensor.concat dim(1) %x, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x8xf64>
      %c = linalg.reduce { arith.maximumf } ins(%two : tensor<3x8xf64>) outs(%least : tensor<3xf64>) dimensions = [1]
      return %a, %b, %c : tensor<3xf64>, tensor<4xf64>, tensor<3xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

namespace {

/// The backward function of a function of `body`, lowered to linalg, as text.
std::string loweredGradient(const std::string &text) {
  TestModule module(text);
  auto backward = transformer::differentiate(module.function(), {});
  EXPECT_TRUE(succeeded(backward)) << module.messages;
  module.function().erase();
  backward->setName("main");
  mlir::PassManager passes(&module.context);
  passes.addPass(createConvertTransformerToLinalgPass());
  passes.addPass(mlir::createCanonicalizerPass());
  EXPECT_TRUE(succeeded(passes.run(module.get()))) << module.messages;
  std::string lowered;
  llvm::raw_string_ostream(lowered) << module.get();
  return lowered;
}

} // namespace

// Gradients of gradients, once these are linalg: second derivatives against differences of the
// first ones.
TEST(Gradient, SecondOrder) {
  const char *const bodies[] = {
      "%r = transformer.activation gelu %x : tensor<3x4xf64>",
      "%r = transformer.activation silu %x : tensor<3x4xf64>",
      "%r = transformer.matmul %x, %w : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>",
      "%r = transformer.softmax %x {dimension = 1 : i64} : tensor<3x4xf64>",
      "%r = transformer.log_softmax %x {dimension = 1 : i64} : tensor<3x4xf64>",
      "%r = transformer.layer_norm %x {epsilon = 1.0e-05 : f32} : (tensor<3x4xf64>) -> "
      "tensor<3x4xf64>",
      "%r = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<3x4xf64>, "
      "tensor<4xf64>) -> tensor<3x4xf64>",
      "%h = transformer.mlp %x up %w down %w {activation = #transformer.activation<gelu_tanh>} : "
      "(tensor<3x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>\n"
      "%r = transformer.multiply %h, %x : tensor<3x4xf64>",
      "%q = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape [1, 1, 3, 4] : tensor<3x4xf64> "
      "into "
      "tensor<1x1x3x4xf64>\n"
      "%a = transformer.attention %q, %q, %q {causal} : (tensor<1x1x3x4xf64>, tensor<1x1x3x4xf64>, "
      "tensor<1x1x3x4xf64>) -> tensor<1x1x3x4xf64>\n"
      "%r = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<1x1x3x4xf64> into tensor<3x4xf64>"};
  for (const char *body : bodies) {
    GradientCheck check(loweredGradient(functionOf(
        "%x: tensor<3x4xf64>, %w: tensor<4x4xf64>, %g: tensor<4xf64>", body, "tensor<3x4xf64>")));
    check.tolerance = 1e-5;
    EXPECT_EQ(check.run(), "") << body;
  }
}
