#include "RandomProgram.h"

#include <vector>

using namespace forge;

std::string RandomProgram::matrix() const {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
}

std::string RandomProgram::unary(const std::string &op, const std::string &x) {
  std::string result = fresh();
  line(result + " = stablehlo." + op + " " + x + " : " + matrix());
  return result;
}

std::string RandomProgram::binary(const std::string &op, const std::string &x,
                                  const std::string &y) {
  return unary(op, x + ", " + y);
}

std::string RandomProgram::filled(const std::string &number) {
  std::string result = fresh();
  line(result + " = stablehlo.constant dense<" + number + "> : " + matrix());
  return result;
}

std::string RandomProgram::spread(const std::string &op, const std::string &init,
                                  const std::string &x, int dimension) {
  std::string start = fresh(), reduced = fresh(), result = fresh();
  std::string vector =
      "tensor<" + std::to_string(dimension == 0 ? columns : rows) + "x" + type + ">";
  line(start + " = stablehlo.constant dense<" + init + "> : tensor<" + type + ">");
  line(reduced + " = stablehlo.reduce(" + x + " init: " + start + ") applies stablehlo." + op +
       " across dimensions = [" + std::to_string(dimension) + "] : (" + matrix() + ", tensor<" +
       type + ">) -> " + vector);
  line(result + " = stablehlo.broadcast_in_dim " + reduced + ", dims = [" +
       std::to_string(1 - dimension) + "] : (" + vector + ") -> " + matrix());
  return result;
}

std::string RandomProgram::product(const std::string &x, const std::string &y) {
  std::string result = fresh();
  std::string square =
      "tensor<" + std::to_string(columns) + "x" + std::to_string(columns) + "x" + type + ">";
  line(result + " = stablehlo.dot_general " + x + ", " + y + ", contracting_dims = [1] x [0] : (" +
       matrix() + ", " + square + ") -> " + matrix());
  return result;
}

std::string RandomProgram::softmax(const std::string &x, int dimension) {
  std::string shifted = binary("subtract", x, spread("maximum", "-6.0e+04", x, dimension));
  std::string powers = unary("exponential", shifted);
  return binary("divide", powers, spread("add", "0.0", powers, dimension));
}

std::string RandomProgram::normalised(const std::string &x, int dimension) {
  std::string count = filled(std::to_string(dimension == 0 ? rows : columns) + ".0");
  std::string centred =
      binary("subtract", x, binary("divide", spread("add", "0.0", x, dimension), count));
  std::string variance = binary(
      "divide", spread("add", "0.0", binary("multiply", centred, centred), dimension), count);
  return binary("multiply", centred, unary("rsqrt", binary("add", variance, filled("1.0e-02"))));
}

std::string RandomProgram::step() {
  std::string x = any();
  int dimension = static_cast<int>(below(2));
  switch (below(16)) {
  case 0:
    return binary("add", x, any());
  case 1:
    return binary("subtract", x, any());
  case 2:
    return binary("multiply", unary("tanh", x), any());
  case 3:
    return binary("divide", x, binary("add", unary("abs", any()), filled("0.5")));
  case 4:
    return unary("tanh", x);
  case 5:
    return unary("logistic", x);
  case 6:
    return unary("exponential", unary("tanh", x));
  case 7:
    return unary("log", binary("add", unary("abs", x), filled("0.1")));
  case 8:
    return unary("sqrt", unary("abs", x));
  case 9:
    return product(x, "%w");
  case 10:
    return softmax(x, dimension);
  case 11:
    return normalised(x, dimension);
  case 12:
    return binary("maximum", x, filled("0.0"));
  case 13: { // a threshold that something falls upon
    std::string mask = fresh(), y = any(), result = fresh();
    std::string truth = "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xi1>";
    line(mask + " = stablehlo.compare GT, " + x + ", " + y + " : (" + matrix() + ", " + matrix() +
         ") -> " + truth);
    line(result + " = stablehlo.select " + mask + ", " + x + ", " + any() + " : " + truth + ", " +
         matrix());
    return result;
  }
  case 14:
    return unary(below(2) ? "sine" : "cosine", x);
  default:
    return unary(below(2) ? "floor" : "round_nearest_even", binary("multiply", x, filled("4.0")));
  }
}

std::string RandomProgram::text(int steps) {
  static const char *const types[] = {"f32", "f32", "f16", "bf16"};
  type = types[below(4)];
  rows = 1 + below(9);
  columns = 1 + below(17);
  std::string square =
      "tensor<" + std::to_string(columns) + "x" + std::to_string(columns) + "x" + type + ">";
  values = 3;
  for (int i = 0; i < steps; ++i) {
    std::string last = step();
    // A name of its own, in the order of steps.
    line("%v" + std::to_string(values) + " = stablehlo.optimization_barrier " + last + " : " +
         matrix());
    ++values;
  }
  std::string last = "%v" + std::to_string(values - 1), start = fresh(), sum = fresh();
  line(start + " = stablehlo.constant dense<0.0> : tensor<" + type + ">");
  line(sum + " = stablehlo.reduce(" + last + " init: " + start +
       ") applies stablehlo.add across dimensions = [0, 1] : (" + matrix() + ", tensor<" + type +
       ">) -> tensor<" + type + ">");
  return "func.func @main(%v0: " + matrix() + ", %v1: " + matrix() + ", %v2: " + matrix() +
         ", %w: " + square + ") -> (" + matrix() + ", tensor<" + type + ">) {\n" + body +
         "  return " + last + ", " + sum + " : " + matrix() + ", tensor<" + type + ">\n}\n";
}
