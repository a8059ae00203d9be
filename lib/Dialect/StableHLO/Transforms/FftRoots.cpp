#include "FftRoots.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

Complex FftRoots::constant(ArrayRef<std::complex<double>> numbers, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, element);
  auto part = [&](bool imaginary) -> Value {
    auto attribute = [&]<typename Float>(Float) {
      std::vector<Float> values;
      for (const std::complex<double> &z : numbers)
        values.push_back(static_cast<Float>(imaginary ? z.imag() : z.real()));
      return DenseElementsAttr::get(type, ArrayRef<Float>(values));
    };
    return ConstantOp::create(builder, loc, element.isF32() ? attribute(0.0f) : attribute(0.0));
  };
  return {part(false), part(true)};
}

Value FftRoots::integers(Value like, int64_t value) {
  auto type = cast<RankedTensorType>(like.getType());
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value));
}

Complex FftRoots::rounded(Complex doubles) {
  auto type = cast<RankedTensorType>(doubles.re.getType());
  if (type.getElementType() == element)
    return doubles;
  auto round = [&](Value part) -> Value {
    return ConvertOp::create(builder, loc, type.clone(element), part);
  };
  return {round(doubles.re), round(doubles.im)};
}

Complex FftRoots::factors(int64_t rows, int64_t columns, int sign) {
  if (rows * columns > kMaxConstants) {
    // The divisor of `rows` that is next to its root, where one is near.
    int64_t root = static_cast<int64_t>(std::sqrt(static_cast<double>(rows))), step = root;
    while (step > 1 && rows % step != 0)
      --step;
    if (8 * step < root)
      step = root;
    if ((step + llvm::divideCeil(rows, step)) * columns <= 4 * kMaxConstants)
      return factorsByTables(rows, columns, step, sign);
    auto type = RankedTensorType::get({rows, columns}, builder.getI64Type());
    Value j = IotaOp::create(builder, loc, type, 0), k = IotaOp::create(builder, loc, type, 1);
    return rounded(atRunTime(MulOp::create(builder, loc, j, k), rows * columns, sign));
  }
  std::vector<std::complex<double>> roots;
  roots.reserve(static_cast<size_t>(rows * columns));
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t k = 0; k < columns; ++k)
      roots.push_back(rootOfUnity(j * k, rows * columns, sign));
  return constant(roots, {rows, columns});
}

/// With j = step j1 + j2, w^(j k) = w^(step j1 k) w^(j2 k): two small tables, whose product in
/// double precision is rounded once.
Complex FftRoots::factorsByTables(int64_t rows, int64_t columns, int64_t step, int sign) {
  int64_t n = rows * columns, count = llvm::divideCeil(rows, step);
  auto table = [&](int64_t length, int64_t factor) {
    std::vector<std::complex<double>> roots;
    for (int64_t j = 0; j < length; ++j)
      for (int64_t k = 0; k < columns; ++k)
        roots.push_back(rootOfUnity(factor * j * k, n, sign));
    return FftRoots(builder, loc, builder.getF64Type()).constant(roots, {length, columns});
  };
  auto type = RankedTensorType::get({count, step, columns}, builder.getF64Type());
  auto spread = [&](Complex z, int64_t dim) -> Complex {
    auto part = [&](Value value) -> Value {
      return BroadcastInDimOp::create(builder, loc, type, value, ArrayRef<int64_t>{dim, 2});
    };
    return {part(z.re), part(z.im)};
  };
  Complex coarse = spread(table(count, step), 0), fine = spread(table(step, 1), 1);
  Complex z = rounded(ComplexMath(builder, loc).multiply(coarse, fine));
  auto flat = RankedTensorType::get({count * step, columns}, element);
  auto some = flat.clone({rows, columns});
  auto part = [&](Value value) -> Value {
    value = ReshapeOp::create(builder, loc, flat, value);
    if (flat == some)
      return value;
    return SliceOp::create(builder, loc, some, value, ArrayRef<int64_t>{0, 0},
                           ArrayRef<int64_t>{rows, columns}, ArrayRef<int64_t>{1, 1});
  };
  return {part(z.re), part(z.im)};
}

/// 1. quarter = round(4 numerator / denominator), the rest at most half a quarter turn away
/// 2. cos and sin of the rest, whose angle is small and so rounded finely
/// 3. turned by the quarters
Complex FftRoots::atRunTime(Value numerators, int64_t denominator, int sign) {
  auto type = cast<RankedTensorType>(numerators.getType());
  ComplexMath math(builder, loc);
  Value four = MulOp::create(builder, loc, numerators, integers(numerators, 4));
  Value doubled = MulOp::create(builder, loc, four, integers(numerators, 2));
  Value shifted = AddOp::create(builder, loc, doubled, integers(numerators, denominator));
  Value quarter =
      DivOp::create(builder, loc, shifted, integers(numerators, 2 * denominator)); // 0 to 4
  Value rest = SubtractOp::create(
      builder, loc, four, MulOp::create(builder, loc, quarter, integers(numerators, denominator)));
  Value angle = ConvertOp::create(builder, loc, type.clone(builder.getF64Type()), rest);
  angle = MulOp::create(builder, loc, angle,
                        math.constant(angle, M_PI_2 / static_cast<double>(denominator)));
  Value cos = CosineOp::create(builder, loc, angle), sin = SineOp::create(builder, loc, angle);
  auto isQuarter = [&](int64_t number) -> Value {
    return CompareOp::create(builder, loc, quarter, integers(numerators, number),
                             ComparisonDirection::EQ);
  };
  auto choose = [&](Value condition, Value a, Value b) -> Value {
    return SelectOp::create(builder, loc, a.getType(), condition, a, b);
  };
  auto negate = [&](Value value) -> Value { return NegOp::create(builder, loc, value); };
  Value first = isQuarter(1), second = isQuarter(2), third = isQuarter(3);
  Value re = choose(first, negate(sin), choose(second, negate(cos), choose(third, sin, cos)));
  Value im = choose(first, cos, choose(second, negate(sin), choose(third, negate(cos), sin)));
  return {re, sign < 0 ? negate(im) : im};
}

Complex FftRoots::chirp(int64_t n, int sign) {
  if (n > kMaxConstants) {
    auto type = RankedTensorType::get({n}, builder.getI64Type());
    Value j = IotaOp::create(builder, loc, type, 0);
    Value square = MulOp::create(builder, loc, j, j);
    square = RemOp::create(builder, loc, square, integers(j, 2 * n));
    return rounded(atRunTime(square, 2 * n, sign));
  }
  std::vector<std::complex<double>> roots;
  for (int64_t j = 0; j < n; ++j)
    roots.push_back(rootOfUnity(j * j % (2 * n), 2 * n, sign));
  return constant(roots, {n});
}
