// Rotary positions: angles, their cosines and sines, and pairs of slices that are rotated.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace forge::transformer;

namespace forge {

/// The pair that turns `rotations` times within the original context of `length` tokens.
static double pairOf(double rotations, double dims, double base, double length) {
  return dims * std::log(length / (2 * M_PI * rotations)) / (2 * std::log(base));
}

/// One frequency under yarn, of pair `i` out of dims / 2.
static double stretchYarn(double frequency, double i, double dims, double base,
                          RopeScalingAttr scaling) {
  double length = static_cast<double>(scaling.getOriginalLength());
  double low = pairOf(scaling.getBetaFast().convertToDouble(), dims, base, length);
  double high = pairOf(scaling.getBetaSlow().convertToDouble(), dims, base, length);
  low = std::max(std::floor(low), 0.0);
  high = std::min(std::ceil(high), dims - 1);
  high += low == high ? 0.001 : 0;
  double kept = 1 - std::clamp((i - low) / (high - low), 0.0, 1.0);
  return frequency / scaling.getFactor().convertToDouble() * (1 - kept) + frequency * kept;
}

/// One frequency under Llama 3's rule.
static double stretchLlama3(double frequency, RopeScalingAttr scaling) {
  double length = static_cast<double>(scaling.getOriginalLength());
  double factor = scaling.getFactor().convertToDouble();
  double low = scaling.getLowFrequencyFactor().convertToDouble();
  double high = scaling.getHighFrequencyFactor().convertToDouble();
  double wavelength = 2 * M_PI / frequency;
  if (wavelength < length / high)
    return frequency;
  if (wavelength > length / low)
    return frequency / factor;
  double kept = (length / wavelength - low) / (high - low);
  return frequency / factor * (1 - kept) + frequency * kept;
}

/// The frequencies of all rules that know them beforehand.
static SmallVector<double> frequenciesOf(RopeOp op) {
  double dims = static_cast<double>(op.getNumRotated()), base = op.getBaseOrDefault();
  std::optional<RopeScalingAttr> scaling = op.getScaling();
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < op.getNumRotated() / 2; ++i) {
    double frequency = std::pow(base, -2.0 * static_cast<double>(i) / dims);
    if (scaling && scaling->getKind() == RopeScalingKind::Linear)
      frequency /= scaling->getFactor().convertToDouble();
    if (scaling && scaling->getKind() == RopeScalingKind::Yarn)
      frequency = stretchYarn(frequency, static_cast<double>(i), dims, base, *scaling);
    if (scaling && scaling->getKind() == RopeScalingKind::Llama3)
      frequency = stretchLlama3(frequency, *scaling);
    frequencies.push_back(frequency);
  }
  return frequencies;
}

/// What rotated elements are multiplied with.
static double attentionFactor(RopeOp op) {
  std::optional<RopeScalingAttr> scaling = op.getScaling();
  if (!scaling || scaling->getKind() != RopeScalingKind::Yarn)
    return 1;
  if (scaling->getAttentionFactor().isNonZero())
    return scaling->getAttentionFactor().convertToDouble();
  return std::max(0.1 * std::log(scaling->getFactor().convertToDouble()) + 1, 1.0);
}

namespace {

/// 1. The frequencies, [R / 2] or [B, R / 2]: a constant, the operand, or with dynamic scaling
/// computed in f64
///    from the largest position.
/// 2. Their products with the positions, and of these cosines and sines.
/// 3. All elements at once, in one operation, each from itself and the other element of its pair.
class RopeLowering {
public:
  RopeLowering(ImplicitLocOpBuilder &b, RopeOp op)
      : b(b), op(op), compute(op.getAccumulationType()), sizes(sizesOf(b, op.getInput())),
        pairs(op.getNumRotated() / 2) {}

  Value run() {
    assertShapes();
    Value angles = emitAngles(emitFrequencies());
    auto function = [&](auto create) {
      Sizes all = sizesOf(b, angles);
      AffineMap identity = b.getMultiDimIdentityMap(all.size());
      return emitElementwise(b, all, compute, {{angles, identity}}, create);
    };
    Value cosines = function([](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      return math::CosOp::create(inner, args[0]);
    });
    Value sines = function([](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      return math::SinOp::create(inner, args[0]);
    });
    return getConstantIntValue(sizes[3]) == 2 * pairs ? emitWhole(cosines, sines)
                                                      : emitPart(cosines, sines);
  }

private:
  void assertShapes() {
    int64_t rank = op.getPositions().getType().getRank();
    checkSize(b, op, "positions", op.getPositions(), rank - 1, op.getInput(), 2);
    if (rank == 2)
      checkSize(b, op, "positions", op.getPositions(), 0, op.getInput(), 0);
    int64_t last = op.getFrequencies() ? op.getFrequencies().getType().getRank() - 1 : 0;
    if (last == 1)
      checkSize(b, op, "frequencies", op.getFrequencies(), 0, op.getInput(), 0);
    if (op.getFrequencies() && op.getFrequencies().getType().isDynamicDim(last)) {
      Value given = tensor::DimOp::create(b, op.getFrequencies(), last);
      Value expected = arith::ConstantIndexOp::create(b, pairs);
      createRuntimeAssert(b, b.getLoc(),
                          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, given, expected),
                          "rope: frequencies: expected size {1} along dimension " +
                              std::to_string(last) + ", but got {0}",
                          {given, expected});
    }
    RankedTensorType type = op.getInput().getType();
    if (!type.isDynamicDim(3))
      return;
    Value depth = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[3]);
    Value least = arith::ConstantIndexOp::create(b, 2 * pairs);
    Value enough = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, depth, least);
    createRuntimeAssert(b, b.getLoc(), enough,
                        "rope: expected a head dimension of {1} or more, but got {0}",
                        {depth, least});
  }

  Value emitFrequencies() {
    if (op.getFrequencies())
      return op.getFrequencies();
    if (op.getScaling() && op.getScaling()->getKind() == RopeScalingKind::Dynamic)
      return emitDynamicFrequencies();
    SmallVector<Attribute> values;
    for (double frequency : frequenciesOf(op))
      values.push_back(b.getFloatAttr(compute, frequency));
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(RankedTensorType::get({pairs}, compute), values));
  }

  /// base' = base * (factor * n / L - factor + 1)^(R / (R - 2)), then base'^(-2i / R), where
  /// n = max(L, 1 + the largest position).
  Value emitDynamicFrequencies() {
    Type f64 = b.getF64Type();
    auto c = [&](double value) { return constant(b, f64, value); };
    RopeScalingAttr scaling = *op.getScaling();
    double factor = scaling.getFactor().convertToDouble(), dims = 2.0 * pairs;
    double length = static_cast<double>(scaling.getOriginalLength());
    Sizes places = sizesOf(b, op.getPositions());
    AffineMap none = AffineMap::get(places.size(), 0, b.getContext());
    Value last = emitReductions(b, places, none, b.getI64Type(), 0.0,
                                {{op.getPositions(), b.getMultiDimIdentityMap(places.size())}},
                                [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                                  Value position = toType(inner, args[0], inner.getI64Type());
                                  return SmallVector<Value>{
                                      arith::MaxSIOp::create(inner, args[1], position)};
                                })
                     .front();
    last = tensor::ExtractOp::create(b, last, ValueRange());
    Value n = arith::AddFOp::create(b, arith::SIToFPOp::create(b, f64, last), c(1));
    n = arith::MaximumFOp::create(b, n, c(length));
    Value stretch = arith::SubFOp::create(
        b, arith::DivFOp::create(b, arith::MulFOp::create(b, c(factor), n), c(length)),
        c(factor - 1));
    Value base = arith::MulFOp::create(b, c(op.getBaseOrDefault()),
                                       math::PowFOp::create(b, stretch, c(dims / (dims - 2))));
    return emitElementwise(
        b, {b.getIndexAttr(pairs)}, compute, {}, [&](ImplicitLocOpBuilder &inner, ValueRange) {
          Value i = arith::IndexCastOp::create(inner, inner.getI64Type(),
                                               linalg::IndexOp::create(inner, 0));
          Value power =
              arith::MulFOp::create(inner, arith::SIToFPOp::create(inner, f64, i), c(-2 / dims));
          return Value(math::PowFOp::create(inner, base, power));
        });
  }

  /// position * frequency, [S, R / 2] or [B, S, R / 2].
  Value emitAngles(Value frequencies) {
    Sizes all = sizesOf(b, op.getPositions());
    bool ofSequences = cast<RankedTensorType>(frequencies.getType()).getRank() == 2;
    if (ofSequences && all.size() == 1)
      all.insert(all.begin(), sizes[0]);
    all.push_back(b.getIndexAttr(pairs));
    int64_t rank = all.size();
    AffineMap places = op.getPositions().getType().getRank() == rank - 1
                           ? mapWithout(b, rank, rank - 1)
                           : dimsMap(b, rank, {1});
    AffineMap perPair =
        ofSequences ? dimsMap(b, rank, {0, rank - 1}) : dimsMap(b, rank, {rank - 1});
    return emitElementwise(b, all, compute, {{op.getPositions(), places}, {frequencies, perPair}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value position = toType(inner, args[0], compute);
                             return arith::MulFOp::create(inner, position, args[1]);
                           });
  }

  /// x * cos -+ y * sin, where y is the other element of the pair of x, times the factor: with - in
  /// the first element of a pair. The sine of a negated angle is the negated sine.
  Value rotated(ImplicitLocOpBuilder &inner, Value x, Value y, Value cosine, Value sine,
                Value isSecond) {
    Value left = arith::MulFOp::create(inner, toType(inner, x, compute), cosine);
    Value right = arith::MulFOp::create(inner, toType(inner, y, compute), sine);
    Value negative = arith::NegFOp::create(inner, right);
    right = op.getInverse() ? arith::SelectOp::create(inner, isSecond, negative, right)
                            : arith::SelectOp::create(inner, isSecond, right, negative);
    Value sum = arith::AddFOp::create(inner, left, right);
    double factor = attentionFactor(op);
    return factor == 1
               ? sum
               : arith::MulFOp::create(inner, sum, constant(inner, compute, factor)).getResult();
  }

  bool anglesPerBatch(Value cosines) {
    return cast<RankedTensorType>(cosines.getType()).getRank() == 3;
  }

  /// The head as [2, R / 2], or [R / 2, 2] where pairs are neighbours: each element reads itself
  /// and the one that differs in the dimension of 2.
  Value emitWhole(Value cosines, Value sines) {
    SmallVector<ReassociationIndices> split{{0}, {1}, {2}, {3, 4}};
    unsigned half = op.getInterleaved() ? 4 : 3, pair = 7 - half;
    Sizes all(sizes.begin(), sizes.begin() + 3);
    all.resize(5);
    all[half] = b.getIndexAttr(2);
    all[pair] = b.getIndexAttr(pairs);
    RankedTensorType type = op.getInput().getType();
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.resize(5);
    shape[half] = 2;
    shape[pair] = pairs;
    Value x = tensor::ExpandShapeOp::create(b, RankedTensorType::get(shape, type.getElementType()),
                                            op.getInput(), split, all);
    AffineMap identity = b.getMultiDimIdentityMap(5);
    SmallVector<AffineExpr> swapped(identity.getResults());
    swapped[half] = 1 - swapped[half];
    AffineMap other = AffineMap::get(5, 0, swapped, b.getContext());
    AffineMap angle =
        anglesPerBatch(cosines) ? dimsMap(b, 5, {0, 2, pair}) : dimsMap(b, 5, {2, pair});
    Value result =
        emitElementwise(b, all, type.getElementType(),
                        {{x, identity}, {x, other}, {cosines, angle}, {sines, angle}},
                        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                          Value number = linalg::IndexOp::create(inner, half);
                          Value one = arith::ConstantIndexOp::create(inner, 1);
                          Value isSecond =
                              arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, number, one);
                          return rotated(inner, args[0], args[1], args[2], args[3], isSecond);
                        });
    return tensor::CollapseShapeOp::create(b, type, result, split);
  }

  /// Elements behind the rotated ones pass through: each element reads the other of its pair, and
  /// the pair's angle, at places that follow from its own.
  Value emitPart(Value cosines, Value sines) {
    RankedTensorType type = op.getInput().getType();
    return emitElementwise(
        b, sizes, type.getElementType(), {{op.getInput(), b.getMultiDimIdentityMap(4)}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto index = [&](int64_t value) -> Value {
            return arith::ConstantIndexOp::create(inner, value);
          };
          auto isBelow = [&](Value left, Value right) -> Value {
            return arith::CmpIOp::create(inner, arith::CmpIPredicate::ult, left, right);
          };
          SmallVector<Value> at;
          for (int64_t dim = 0; dim < 4; ++dim)
            at.push_back(linalg::IndexOp::create(inner, dim));
          Value number = at[3], isRotated = isBelow(number, index(2 * pairs));
          // Others are taken for the first element of the first pair.
          Value place = arith::SelectOp::create(inner, isRotated, number, index(0));
          int64_t within = op.getInterleaved() ? 2 : 2 * pairs, apart = within / 2;
          Value inside = arith::RemUIOp::create(inner, place, index(within));
          Value isSecond = isBelow(index(apart - 1), inside);
          Value partner = arith::SelectOp::create(
              inner, isSecond, arith::SubIOp::create(inner, place, index(apart)),
              arith::AddIOp::create(inner, place, index(apart)));
          Value pair = op.getInterleaved()
                           ? arith::DivUIOp::create(inner, place, index(2)).getResult()
                           : arith::RemUIOp::create(inner, place, index(pairs)).getResult();
          at[3] = partner;
          Value other = tensor::ExtractOp::create(inner, op.getInput(), at);
          SmallVector<Value> angle;
          if (anglesPerBatch(cosines))
            angle.push_back(at[0]);
          angle.append({at[2], pair});
          Value result =
              rotated(inner, args[0], other, tensor::ExtractOp::create(inner, cosines, angle),
                      tensor::ExtractOp::create(inner, sines, angle), isSecond);
          return arith::SelectOp::create(inner, isRotated, result, toType(inner, args[0], compute));
        });
  }

  ImplicitLocOpBuilder &b;
  RopeOp op;
  Type compute;
  Sizes sizes;
  int64_t pairs;
};

} // namespace

void populateRopePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWith<RopeOp, RopeLowering>>(patterns.getContext());
}

} // namespace forge
