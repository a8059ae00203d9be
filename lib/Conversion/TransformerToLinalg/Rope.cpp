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

/// 1. The frequencies, [R / 2]: a constant, the operand, or with dynamic scaling computed in f64
///    from the largest position.
/// 2. Their products with the positions, and of these cosines and sines.
/// 3. The first and the second elements of all pairs, as slices: halves, or with stride 2.
/// 4. Both rotated, and inserted where they were. Or, where halves make up the whole head, both at
///    once: the head as two halves, each of which reads itself and the other.
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
    if (!op.getInterleaved() && getConstantIntValue(sizes[3]) == 2 * pairs)
      return emitHalves(cosines, sines);
    Value first = slice(0), second = slice(1);
    // The sine of a negated angle is the negated sine.
    Value rotatedFirst = op.getInverse()
                             ? emitRotated<arith::AddFOp>(first, second, cosines, sines)
                             : emitRotated<arith::SubFOp>(first, second, cosines, sines);
    Value rotatedSecond = op.getInverse()
                              ? emitRotated<arith::SubFOp>(second, first, cosines, sines)
                              : emitRotated<arith::AddFOp>(second, first, cosines, sines);
    return insert(insert(emitRest(), rotatedFirst, 0), rotatedSecond, 1);
  }

private:
  void assertShapes() {
    int64_t rank = op.getPositions().getType().getRank();
    checkSize(b, op, "positions", op.getPositions(), rank - 1, op.getInput(), 2);
    if (rank == 2)
      checkSize(b, op, "positions", op.getPositions(), 0, op.getInput(), 0);
    if (op.getFrequencies() && op.getFrequencies().getType().isDynamicDim(0)) {
      Value given = tensor::DimOp::create(b, op.getFrequencies(), 0);
      Value expected = arith::ConstantIndexOp::create(b, pairs);
      createRuntimeAssert(
          b, b.getLoc(), arith::CmpIOp::create(b, arith::CmpIPredicate::eq, given, expected),
          "rope: frequencies: expected size {1} along dimension 0, but got {0}", {given, expected});
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
    all.push_back(b.getIndexAttr(pairs));
    int64_t rank = all.size();
    return emitElementwise(b, all, compute,
                           {{op.getPositions(), mapWithout(b, rank, rank - 1)},
                            {frequencies, dimsMap(b, rank, {rank - 1})}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value position = toType(inner, args[0], compute);
                             return arith::MulFOp::create(inner, position, args[1]);
                           });
  }

  /// Where the first (0) or second (1) elements of the pairs lie: offsets, sizes and strides.
  std::array<Sizes, 3> place(int64_t which) {
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    Sizes offsets(4, zero), strides(4, one), extents(sizes);
    offsets[3] = b.getIndexAttr(op.getInterleaved() ? which : which * pairs);
    strides[3] = b.getIndexAttr(op.getInterleaved() ? 2 : 1);
    extents[3] = b.getIndexAttr(pairs);
    return {offsets, extents, strides};
  }

  Value slice(int64_t which) {
    auto [offsets, extents, strides] = place(which);
    return tensor::ExtractSliceOp::create(b, op.getInput(), offsets, extents, strides);
  }

  Value insert(Value into, Value part, int64_t which) {
    auto [offsets, extents, strides] = place(which);
    return tensor::InsertSliceOp::create(b, part, into, offsets, extents, strides);
  }

  /// x [B, H, S, 2, R / 2]: of half h, x_h * cos -+ x_(1 - h) * sin, with - in the first.
  Value emitHalves(Value cosines, Value sines) {
    SmallVector<ReassociationIndices> halves{{0}, {1}, {2}, {3, 4}};
    Sizes all(sizes.begin(), sizes.begin() + 3);
    all.push_back(b.getIndexAttr(2));
    all.push_back(b.getIndexAttr(pairs));
    RankedTensorType type = op.getInput().getType();
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.append({2, pairs});
    Value x = tensor::ExpandShapeOp::create(b, RankedTensorType::get(shape, type.getElementType()),
                                            op.getInput(), halves, all);
    AffineMap identity = b.getMultiDimIdentityMap(5);
    SmallVector<AffineExpr> swapped(identity.getResults());
    swapped[3] = 1 - swapped[3];
    AffineMap other = AffineMap::get(5, 0, swapped, b.getContext());
    bool perBatch = op.getPositions().getType().getRank() == 2;
    AffineMap angle = perBatch ? dimsMap(b, 5, {0, 2, 4}) : dimsMap(b, 5, {2, 4});
    double factor = attentionFactor(op);
    Value rotated = emitElementwise(
        b, all, type.getElementType(),
        {{x, identity}, {x, other}, {cosines, angle}, {sines, angle}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value left = arith::MulFOp::create(inner, toType(inner, args[0], compute), args[2]);
          Value right = arith::MulFOp::create(inner, toType(inner, args[1], compute), args[3]);
          // The sine of a negated angle is the negated sine.
          Value half = linalg::IndexOp::create(inner, 3);
          Value negative = arith::ConstantIndexOp::create(inner, op.getInverse() ? 1 : 0);
          Value isNegative = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, half, negative);
          right = arith::SelectOp::create(inner, isNegative, arith::NegFOp::create(inner, right),
                                          right);
          Value sum = arith::AddFOp::create(inner, left, right);
          if (factor == 1)
            return sum;
          return arith::MulFOp::create(inner, sum, constant(inner, compute, factor));
        });
    return tensor::CollapseShapeOp::create(b, type, rotated, halves);
  }

  /// The input where some of it passes through.
  Value emitRest() {
    if (getConstantIntValue(sizes[3]) == 2 * pairs)
      return tensor::EmptyOp::create(b, sizes, op.getInput().getType().getElementType());
    return op.getInput();
  }

  /// (x * cos -+ y * sin) * a
  template <typename Combine> Value emitRotated(Value x, Value y, Value cosines, Value sines) {
    Sizes all(sizes);
    all[3] = b.getIndexAttr(pairs);
    AffineMap identity = b.getMultiDimIdentityMap(4);
    bool perBatch = op.getPositions().getType().getRank() == 2;
    AffineMap angle = perBatch ? dimsMap(b, 4, {0, 2, 3}) : dimsMap(b, 4, {2, 3});
    double factor = attentionFactor(op);
    return emitElementwise(
        b, all, op.getInput().getType().getElementType(),
        {{x, identity}, {y, identity}, {cosines, angle}, {sines, angle}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value left = arith::MulFOp::create(inner, toType(inner, args[0], compute), args[2]);
          Value right = arith::MulFOp::create(inner, toType(inner, args[1], compute), args[3]);
          Value rotated = Combine::create(inner, left, right);
          if (factor == 1)
            return rotated;
          return arith::MulFOp::create(inner, rotated, constant(inner, compute, factor));
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
