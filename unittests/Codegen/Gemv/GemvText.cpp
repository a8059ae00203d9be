#include "GemvText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace forge::test {

GemvKernel::GemvKernel(const GemvText &text) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      tensor::TensorDialect>();
  auto tensor = [](const std::string &shape, const std::string &element) {
    return "tensor<" + shape + "x" + element + ">";
  };
  bool isMatrix = !text.rows.empty();
  std::string x = tensor(text.rows + text.length, text.element),
              w = tensor(text.columnsInside ? text.length + "x" + text.columns
                                            : text.columns + "x" + text.length,
                         text.element),
              o = tensor(text.rows + text.columns, "f32");
  std::string loops = isMatrix ? "affine_map<(m, n, k) -> (" : "affine_map<(n, k) -> (";
  std::string maps = loops + (isMatrix ? "m, k)>, " : "k)>, ") + loops +
                     (text.columnsInside ? "k, n)>, " : "n, k)>, ") + loops +
                     (isMatrix ? "m, n)>" : "n)>");
  std::string parallel = isMatrix ? "\"parallel\", \"parallel\"" : "\"parallel\"";
  bool isWide = text.element == "f32";
  auto widened = [&](const std::string &from, const std::string &to) {
    return isWide ? "" : "  %" + to + " = arith.extf %" + from + " : " + text.element + " to f32\n";
  };
  std::string source = "func.func @kernel(%x: " + x + ", %w: " + w + ", %y: " + o + ", %o: " + o +
                       ") -> " + o + " {\n  %zero = arith.constant 0.0 : f32\n" +
                       "  %z = linalg.fill ins(%zero : f32) outs(%o : " + o + ") -> " + o +
                       "\n  %0 = linalg.generic {indexing_maps = [" + maps +
                       "], iterator_types = [" + parallel + ", \"reduction\"]} ins(%x, %w : " + x +
                       ", " + w + ") outs(%z : " + o + ") {\n  ^bb0(%a: " + text.element +
                       ", %b: " + text.element + ", %c: f32):\n" + widened("a", "wa") +
                       widened("b", "wb") + "  %p = arith.mulf %" + (isWide ? "a" : "wa") + ", %" +
                       (isWide ? "b" : "wb") + " : f32\n  %q = arith.addf %c, %p : f32\n" +
                       "  linalg.yield %q : f32\n  } -> " + o + "\n";
  if (!text.follow.empty()) {
    std::string map = isMatrix ? "affine_map<(m, n) -> (m, n)>" : "affine_map<(n) -> (n)>";
    source += "  %1 = linalg.generic {indexing_maps = [" + map + ", " + map + ", " + map +
              "], iterator_types = [" + parallel + "]} ins(%0, %y : " + o + ", " + o +
              ") outs(%o : " + o + ") {\n  ^bb0(%s: f32, %u: f32, %old: f32):\n" + text.follow +
              "  linalg.yield %r : f32\n  } -> " + o + "\n";
  }
  source += text.extra + "  return %" + (text.follow.empty() ? "0" : "1") + " : " + o + "\n}\n";
  module = parseSourceString<ModuleOp>(source, &context);
  EXPECT_TRUE(module) << source;
}

} // namespace forge::test
