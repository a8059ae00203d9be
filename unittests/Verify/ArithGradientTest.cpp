// transformer-differentiate against central differences: functions of arith and math.
#include "GradientText.h"

using namespace forge;

// Everything of arith and math that has a gradient; the denominator and the root are kept away from
// 0.
TEST(ArithGradient, Arithmetic) {
  EXPECT_TRUE(rc::check([] {
    expectGradients(
        R"(func.func @main(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf32>) {
      %two = arith.constant dense<2.0> : tensor<3x4xf64>
      %a = arith.addf %x, %two : tensor<3x4xf64>
      %b = arith.divf %y, %a : tensor<3x4xf64>
      %c = arith.mulf %b, %x : tensor<3x4xf64>
      %d = arith.subf %c, %y : tensor<3x4xf64>
      %e = arith.negf %d : tensor<3x4xf64>
      %f = math.exp %e : tensor<3x4xf64>
      %g = math.log %a : tensor<3x4xf64>
      %h = math.sqrt %a : tensor<3x4xf64>
      %i = math.tanh %f : tensor<3x4xf64>
      %j = math.sin %g : tensor<3x4xf64>
      %k = math.cos %h : tensor<3x4xf64>
      %l = arith.mulf %i, %j : tensor<3x4xf64>
      %m = arith.addf %k, %l : tensor<3x4xf64>
      %larger = arith.maximumf %m, %x : tensor<3x4xf64>
      %smaller = arith.minimumf %y, %larger : tensor<3x4xf64>
      %abs = math.absf %smaller : tensor<3x4xf64>
      %erf = math.erf %abs : tensor<3x4xf64>
      %above = arith.addf %erf, %two : tensor<3x4xf64>
      %rsqrt = math.rsqrt %above : tensor<3x4xf64>
      %pow = math.powf %rsqrt, %m : tensor<3x4xf64>
      %less = arith.cmpf olt, %x, %y : tensor<3x4xf64>
      %n = arith.select %less, %pow, %e : tensor<3x4xi1>, tensor<3x4xf64>
      %o = arith.truncf %n : tensor<3x4xf64> to tensor<3x4xf32>
      return %m, %o : tensor<3x4xf64>, tensor<3x4xf32>
    })",
        1e-5);
  }));
}

// Every function of math, and what arith has beside: X is an argument between -1 and 1, Y another
// one, P is X^2 + 3/2 and A its inverse; on tensors of known and open sizes, and on numbers.
TEST(ArithGradient, FunctionsOfNumbers) {
  const char *const ops[] = {
      "math.absf X",        "math.acos A",      "math.acosh P",    "math.asin A",
      "math.asinh X",       "math.atan X",      "math.atanh A",    "math.cbrt P",
      "math.cos X",         "math.cosh X",      "math.erf X",      "math.erfc X",
      "math.exp X",         "math.exp2 X",      "math.expm1 X",    "math.log P",
      "math.log10 P",       "math.log1p P",     "math.log2 P",     "math.rsqrt P",
      "math.sin X",         "math.sinh X",      "math.sqrt P",     "math.tan X",
      "math.tanh X",        "math.atan2 X, P",  "math.atan2 Y, X", "math.powf P, Y",
      "math.fma X, Y, P",   "arith.remf Y, P",  "arith.remf P, A", "arith.maxnumf X, Y",
      "arith.minnumf X, Y", "arith.divf X, P",  "math.ceil P",     "math.floor P",
      "math.round P",       "math.roundeven P", "math.trunc P",    "arith.negf X",
      "arith.subf X, Y"};
  for (std::string op : ops)
    for (std::string type : {"tensor<5xf64>", "tensor<2x?xf64>", "f64"}) {
      bool isNumber = type == "f64";
      std::string argument = isNumber ? "tensor<f64>" : type, text;
      text = "func.func @main(%u: " + argument + ", %v: " + argument + ") -> " + argument + " {\n";
      if (isNumber)
        text += "  %m = tensor.extract %u[] : tensor<f64>\n  %n = tensor.extract %v[] : "
                "tensor<f64>\n";
      std::string x = isNumber ? "%m" : "%u", y = isNumber ? "%n" : "%v";
      text += "  %x = math.tanh " + x + " : " + type + "\n  %y = math.sin " + y + " : " + type +
              "\n  %s = arith.mulf %x, %x : " + type + "\n  %e = math.exp %s : " + type +
              "\n  %p = arith.addf %e, %s : " + type + "\n  %q = arith.addf %p, %e : " + type +
              "\n  %a = arith.divf %x, %q : " + type + "\n  %r = ";
      for (char letter : op)
        text += letter == 'X'   ? "%x"
                : letter == 'Y' ? "%y"
                : letter == 'P' ? "%q"
                : letter == 'A' ? "%a"
                                : std::string(1, letter);
      text += " : " + type + "\n  %t = arith.mulf %r, %y : " + type + "\n";
      if (isNumber)
        text += "  %w = tensor.from_elements %t : tensor<f64>\n  return %w : tensor<f64>\n}\n";
      else
        text += "  return %t : " + type + "\n}\n";
      GradientCheck check(text);
      EXPECT_EQ(check.run(), "") << text;
    }
}

// The exponents 0 and 1, and a base that is not above 0, have derivatives of their own.
TEST(ArithGradient, PowersAtJumps) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<5xf64>, %y: tensor<2xf64>) -> (tensor<5xf64>, tensor<2xf64>) {
      %e = arith.constant dense<[0.0, 1.0, 2.0, 3.0, -1.0]> : tensor<5xf64>
      %b = arith.constant dense<[0.0, 2.5]> : tensor<2xf64>
      %r = math.powf %x, %e : tensor<5xf64>
      %two = arith.constant dense<2.0> : tensor<2xf64>
      %f = arith.addf %y, %two : tensor<2xf64>
      %s = math.powf %b, %f : tensor<2xf64>
      return %r, %s : tensor<5xf64>, tensor<2xf64>
    })");
  EXPECT_EQ(check.run(), "");
}
