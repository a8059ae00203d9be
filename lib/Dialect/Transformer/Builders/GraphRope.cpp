// Rotary positions, by a rule or by frequencies that are given.
#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;

namespace forge::transformer {

static Value vectorOf(ImplicitLocOpBuilder &b, ArrayRef<double> numbers, Type element) {
  SmallVector<Attribute> values;
  for (double number : numbers)
    values.push_back(b.getFloatAttr(element, number));
  auto type = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, element);
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

/// The largest of positions [S] or [B, S], integers: [], or -1 where there are none.
static Value largest(ImplicitLocOpBuilder &b, Value positions) {
  Type element = typeOf(positions).getElementType();
  Value none = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element), b.getIntegerAttr(element, -1)));
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(positions).getRank()));
  auto body = [](OpBuilder &inner, Location loc, ValueRange args) {
    linalg::YieldOp::create(inner, loc,
                            ValueRange{arith::MaxSIOp::create(inner, loc, args[0], args[1])});
  };
  return linalg::ReduceOp::create(b, ValueRange{positions}, ValueRange{none}, dims, body)
      ->getResult(0);
}

/// `atMost` [P], or `above` [P] where `last` [] is `from` or above.
static Value chosen(ImplicitLocOpBuilder &b, Value atMost, Value above, Value last, int64_t from) {
  AffineMap identity = b.getMultiDimIdentityMap(1), none = AffineMap::get(1, 0, b.getContext());
  Value empty =
      tensor::EmptyOp::create(b, typeOf(atMost).getShape(), typeOf(atMost).getElementType());
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    Value limit = arith::ConstantOp::create(inner, loc, b.getIntegerAttr(args[2].getType(), from));
    Value isLong = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::sge, args[2], limit);
    Value value = arith::SelectOp::create(inner, loc, isLong, args[1], args[0]);
    linalg::YieldOp::create(inner, loc, value);
  };
  return linalg::GenericOp::create(b, empty.getType(), ValueRange{atMost, above, last}, empty,
                                   ArrayRef<AffineMap>{identity, identity, none, identity},
                                   utils::IteratorType::parallel, body)
      ->getResult(0);
}

/// Frequencies of each sequence, [B, P], where it has `contexts` [B] tokens: those that are given
/// for so many, or of a base that grows with them (transformers' _compute_dynamic_ntk_parameters).
static Value frequenciesOf(ImplicitLocOpBuilder &b, Value contexts, int64_t pairs, Type element,
                           const RopeBuildOptions &options) {
  AffineMap both = b.getMultiDimIdentityMap(2);
  AffineMap ofSequence = AffineMap::get(2, 0, b.getAffineDimExpr(0), b.getContext()),
            ofPair = AffineMap::get(2, 0, b.getAffineDimExpr(1), b.getContext());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), contexts);
  sizes.push_back(b.getIndexAttr(pairs));
  Value empty = tensor::EmptyOp::create(b, sizes, element);
  SmallVector<Value> inputs{contexts};
  SmallVector<AffineMap> maps{ofSequence};
  if (!options.longFrequencies.empty())
    for (const auto *numbers : {&options.frequencies, &options.longFrequencies}) {
      inputs.push_back(vectorOf(b, *numbers, element));
      maps.push_back(ofPair);
    }
  maps.push_back(both);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    ImplicitLocOpBuilder inner(loc, builder);
    if (!options.longFrequencies.empty()) {
      Value limit = arith::ConstantOp::create(
          inner, inner.getIntegerAttr(args[0].getType(), options.longFrom));
      Value isLong = arith::CmpIOp::create(inner, arith::CmpIPredicate::sgt, args[0], limit);
      Value chosen = arith::SelectOp::create(inner, isLong, args[2], args[1]);
      linalg::YieldOp::create(inner, chosen);
      return;
    }
    Type f64 = inner.getF64Type();
    auto c = [&](double value) -> Value {
      return arith::ConstantOp::create(inner, inner.getFloatAttr(f64, value));
    };
    double factor = options.scaling.getFactor().convertToDouble(),
           length = static_cast<double>(options.scaling.getOriginalLength()),
           dims = 2.0 * static_cast<double>(pairs);
    Value n = arith::SIToFPOp::create(inner, f64, args[0]);
    n = arith::MaximumFOp::create(inner, n, c(length));
    Value stretch =
        arith::DivFOp::create(inner, arith::MulFOp::create(inner, c(factor), n), c(length));
    stretch = arith::SubFOp::create(inner, stretch, c(factor - 1));
    Value base = arith::MulFOp::create(inner, c(options.base),
                                       math::PowFOp::create(inner, stretch, c(dims / (dims - 2))));
    Value pair =
        arith::IndexCastOp::create(inner, inner.getI64Type(), linalg::IndexOp::create(inner, 1));
    Value power =
        arith::MulFOp::create(inner, arith::SIToFPOp::create(inner, f64, pair), c(-2 / dims));
    Value frequency = math::PowFOp::create(inner, base, power);
    if (element != f64)
      frequency = arith::TruncFOp::create(inner, element, frequency);
    linalg::YieldOp::create(inner, frequency);
  };
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, empty.getType(), inputs, empty, maps, loops, body)
      ->getResult(0);
}

/// The first `count` elements of each head times `factor`, in f32 or wider.
static Value scaledHeads(ImplicitLocOpBuilder &b, Value input, int64_t count, double factor) {
  RankedTensorType type = typeOf(input);
  Type element = type.getElementType();
  Type wide = element.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : element;
  Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), input), element);
  AffineMap identity = b.getMultiDimIdentityMap(4);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    ImplicitLocOpBuilder inner(loc, builder);
    Value x = args[0];
    if (wide != element)
      x = arith::ExtFOp::create(inner, wide, x);
    Value number = arith::ConstantOp::create(inner, inner.getFloatAttr(wide, factor));
    Value product = arith::MulFOp::create(inner, x, number);
    if (wide != element)
      product = arith::TruncFOp::create(inner, element, product);
    if (type.getDimSize(3) != count) {
      Value last = arith::ConstantIndexOp::create(inner, count);
      Value isRotated = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt,
                                              linalg::IndexOp::create(inner, 3), last);
      product = arith::SelectOp::create(inner, isRotated, product, args[0]);
    }
    linalg::YieldOp::create(inner, product);
  };
  return linalg::GenericOp::create(
             b, empty.getType(), ValueRange{input}, empty, ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel), body)
      ->getResult(0);
}

/// Frequencies that are given, and their factor.
static void checkGiven(CallCheck &check, const RopeBuildOptions &options, int64_t rotated) {
  size_t pairs = static_cast<size_t>(rotated / 2);
  for (const auto *numbers : {&options.frequencies, &options.longFrequencies}) {
    check.require(numbers->empty() || numbers->size() == pairs,
                  "expected " + Twine(pairs) + " frequencies, but got " + Twine(numbers->size()));
    for (double number : *numbers)
      check.require(std::isfinite(number), "expected finite frequencies");
  }
  bool isGiven = !options.frequencies.empty();
  check.require(isGiven || (options.longFrequencies.empty() && options.factor == 1),
                "expected frequencies with long ones and a factor");
  check.require(!isGiven || !options.scaling, "expected no scaling with frequencies");
  check.require(options.longFrequencies.empty() ||
                    (options.longFrom >= 1 && options.longFrom <= INT32_MAX),
                "expected long frequencies from a position of 1 to 2^31 - 1 on, but got " +
                    Twine(options.longFrom));
  check.require(std::isfinite(options.factor) && options.factor > 0,
                "expected a factor that is finite and above 0");
}

Value Graph::rope(Value input, Value positions, const RopeBuildOptions &options, Value contexts) {
  CallCheck check(*this, "rope");
  check.rank(input, "input", 4).floats(input, "input").present(positions, "positions");
  check.integers(positions, "positions");
  if (!check)
    return {};
  int64_t batch = typeOf(input).getDimSize(0), length = typeOf(input).getDimSize(2);
  if (typeOf(positions).getRank() == 1)
    check.shape(positions, "positions", {length});
  else
    check.shape(positions, "positions", {batch, length});
  int64_t depth = typeOf(input).getDimSize(3), rotated = options.rotaryDims.value_or(depth);
  check.require(rotated >= 2 && rotated % 2 == 0 &&
                    (ShapedType::isDynamic(depth) || rotated <= depth),
                "expected an even number of rotated elements from 2 to " + Twine(depth) +
                    ", but got " + Twine(rotated));
  check.require(options.base > 1 && std::isfinite(options.base), "expected a base above 1");
  if (contexts)
    check.integers(contexts, "contexts").shape(contexts, "contexts", {batch});
  if (check)
    checkGiven(check, options, rotated);
  if (!check)
    return {};
  Value frequencies;
  FloatAttr base;
  RopeScalingAttr scaling = options.scaling;
  Type wide = typeOf(input).getElementType().isF64() ? b.getF64Type() : b.getF32Type();
  if (contexts && options.dependsOnContext()) {
    frequencies = frequenciesOf(b, contexts, rotated / 2, wide, options);
    scaling = {};
  } else if (options.frequencies.empty()) {
    base = b.getF64FloatAttr(options.base);
  } else {
    frequencies = vectorOf(b, options.frequencies, wide);
    if (!options.longFrequencies.empty())
      frequencies = chosen(b, frequencies, vectorOf(b, options.longFrequencies, wide),
                           largest(b, positions), options.longFrom);
  }
  IntegerAttr rotary =
      options.rotaryDims ? b.getI64IntegerAttr(*options.rotaryDims) : IntegerAttr();
  Value result = RopeOp::create(b, input.getType(), input, positions, frequencies,
                                options.interleaved ? b.getUnitAttr() : UnitAttr(), rotary, base,
                                scaling, /*inverse=*/UnitAttr(), /*accumulate=*/TypeAttr());
  return options.factor == 1 ? result : scaledHeads(b, result, rotated, options.factor);
}

} // namespace forge::transformer
