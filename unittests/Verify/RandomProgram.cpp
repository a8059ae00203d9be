#include "RandomProgram.h"

#include <vector>

using namespace forge;

std::string RandomProgram::matrix() const {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
}

std::string RandomProgram::unaryOf(const std::string &op, const std::string &x) {
  std::string result = fresh();
  line(result + " = " + op + " " + x + " : " + matrix());
  return result;
}

std::string RandomProgram::unary(const std::string &op, const std::string &x) {
  return unaryOf("stablehlo." + op, x);
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

std::string RandomProgram::call(const std::string &op, const std::string &operands, int count,
                                const std::string &attributes) {
  std::string result = fresh(), types;
  for (int i = 0; i < count; ++i)
    types += (i ? ", " : "") + matrix();
  line(result + " = transformer." + op + " " + operands + " " + attributes + " : (" + types +
       ") -> " + matrix());
  return result;
}

/// One head whose queries, keys and values are matrices, or the gradient of its keys.
std::string RandomProgram::attention(bool gradient) {
  std::string shape =
      "tensor<1x1x" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  std::string names, types, attributes;
  static const char *const options[] = {"", "{causal}", "{causal, window = 3 : i64}",
                                        "{soft_cap = 5.0 : f32}"};
  attributes = options[below(4)];
  for (int i = 0; i < (gradient ? 4 : 3); ++i) {
    std::string operand = fresh();
    line(operand + " = stablehlo.reshape " + any() + " : (" + matrix() + ") -> " + shape);
    names += (i ? ", " : "") + operand;
    types += (i ? ", " : "") + shape;
  }
  std::string whole = fresh(), result = fresh();
  if (gradient)
    line(whole + ":3 = transformer.attention_grad " + names + " " + attributes + " : (" + types +
         ") -> (" + shape + ", " + shape + ", " + shape + ")");
  else
    line(whole + " = transformer.attention " + names + " " + attributes + " : (" + types + ") -> " +
         shape);
  line(result + " = stablehlo.reshape " + whole + (gradient ? "#1" : "") + " : (" + shape +
       ") -> " + matrix());
  return result;
}

std::string RandomProgram::normGradient(const std::string &op) {
  std::string scale = fresh(), result = fresh();
  std::string vector = "tensor<" + std::to_string(columns) + "x" + type + ">";
  line(scale + " = stablehlo.constant dense<0.75> : " + vector);
  bool isLayer = op == "layer_norm_grad";
  line(result + (isLayer ? ":3" : ":2") + " = transformer." + op + " " + any() + ", " + any() +
       " scale " + scale + " {epsilon = 1.0e-02 : f32} : (" + matrix() + ", " + matrix() + ", " +
       vector + ") -> (" + matrix() + ", " + vector + (isLayer ? ", " + vector : "") + ")");
  return result + "#0";
}

std::string RandomProgram::narrowed(const std::string &x) {
  std::string scale = fresh(), narrow = fresh(), result = fresh();
  std::string narrowMatrix =
      "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xi8>";
  line(scale + " = stablehlo.constant dense<0.03125> : tensor<f32>");
  line(narrow + " = transformer.quantize " + x + " scale " + scale + " : (" + matrix() +
       ", tensor<f32>) -> " + narrowMatrix);
  line(result + " = transformer.dequantize " + narrow + " scale " + scale + " : (" + narrowMatrix +
       ", tensor<f32>) -> " + matrix());
  return result;
}

std::string RandomProgram::narrowProduct(const std::string &x) {
  std::string scale = fresh(), narrow = fresh(), result = fresh();
  std::string square = "tensor<" + std::to_string(columns) + "x" + std::to_string(columns) + "x";
  line(scale + " = stablehlo.constant dense<0.0078125> : tensor<f32>");
  line(narrow + " = transformer.quantize %w scale " + scale + " : (" + square + type +
       ">, tensor<f32>) -> " + square + "i8>");
  line(result + " = transformer.linear " + x + ", " + narrow + " scale " + scale + " : (" +
       matrix() + ", " + square + "i8>, tensor<f32>) -> " + matrix());
  return result;
}

std::string RandomProgram::transformerStep() {
  static const char *const kinds[] = {"relu_squared", "gelu",    "gelu_tanh",
                                      "silu",         "sigmoid", "tanh"};
  std::string x = any(), y = any();
  std::string along = "{dimension = " + std::to_string(below(2)) + " : i64}";
  switch (below(17)) {
  case 0:
  case 1:
    return unaryOf("transformer.activation " + std::string(kinds[below(6)]), x);
  case 2:
  case 3:
    return unaryOf("transformer.activation_grad " + std::string(kinds[below(6)]), x + ", " + y);
  case 4:
    return unaryOf("transformer.softmax", x + " " + along);
  case 5:
    return unaryOf("transformer.log_softmax", x + " " + along);
  case 6:
    return unaryOf("transformer.softmax_grad",
                   x + ", " + unaryOf("transformer.softmax", y + " " + along) + " " + along);
  case 7:
    return call("layer_norm", x, 1, "{epsilon = 1.0e-02 : f32}");
  case 8:
    return call("rms_norm", x, 1, "{epsilon = 1.0e-02 : f32}");
  case 9:
    return attention(false);
  case 10:
  case 11:
    return attention(true);
  case 12:
    return normGradient("layer_norm_grad");
  case 13:
    return normGradient("rms_norm_grad");
  case 14:
    return narrowed(x);
  case 15:
    return narrowProduct(x);
  default: {
    std::string result = fresh(), square = "tensor<" + std::to_string(columns) + "x" +
                                           std::to_string(columns) + "x" + type + ">";
    line(result + " = transformer.matmul " + x + ", %w residual " + y +
         " {activation = #transformer.activation<silu>} : (" + matrix() + ", " + square + ", " +
         matrix() + ") -> " + matrix());
    return result;
  }
  }
}

std::string RandomProgram::step() {
  if (transformer && below(4) != 0)
    return transformerStep();
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
  bool fused = below(2) == 0;
  rows = 1 + below(9);
  columns = 1 + below(17);
  std::string square =
      "tensor<" + std::to_string(columns) + "x" + std::to_string(columns) + "x" + type + ">";
  values = 3;
  for (int i = 0; i < steps; ++i) {
    std::string last = step();
    // A name of its own, in the order of steps; in every other program steps may be fused.
    std::string named = "  %v" + std::to_string(values) + " = stablehlo.";
    body += fused ? named + "reshape " + last + " : (" + matrix() + ") -> " + matrix() + "\n"
                  : named + "optimization_barrier " + last + " : " + matrix() + "\n";
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
