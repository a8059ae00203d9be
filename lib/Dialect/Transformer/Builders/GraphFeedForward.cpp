// Feed-forward blocks, and what sorts tokens by expert.
#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

/// A matrix from `in` to `out` features, where ShapedType::kDynamic is any number.
static void checkMatrix(CallCheck &check, Value matrix, StringRef what, int64_t out, int64_t in,
                        WeightLayout layout, Value like) {
  SmallVector<int64_t> shape = {out, in};
  if (layout == WeightLayout::InOut)
    std::swap(shape[0], shape[1]);
  check.shape(matrix, what, shape).elementOf(matrix, what, like);
}

/// The result's type of a block: the input's with `out` features; checks the residual against it.
static RankedTensorType resultOf(CallCheck &check, Value input, int64_t out, Value residual) {
  SmallVector<int64_t> shape(typeOf(input).getShape());
  shape.back() = out;
  if (residual)
    check.shape(residual, "residual", shape).elementOf(residual, "residual", input);
  return typeOf(input).clone(shape);
}

Value Graph::mlp(Value input, Value up, Value upBias, Value down, Value downBias,
                 ActivationKind activation, Value residual, WeightLayout layout) {
  if (quantized.contains(up) || quantized.contains(down)) {
    Value hidden = linear(input, up, {.bias = upBias, .activation = activation, .layout = layout});
    return linear(hidden, down, {.bias = downBias, .residual = residual, .layout = layout});
  }
  CallCheck check(*this, "mlp", up);
  if (!check.rankAtLeast(input, "input", 2)
           .floats(input, "input")
           .rank(up, "up", 2)
           .rank(down, "down", 2))
    return {};
  bool outIn = layout == WeightLayout::OutIn;
  int64_t hidden = typeOf(up).getDimSize(outIn ? 0 : 1),
          out = typeOf(down).getDimSize(outIn ? 0 : 1);
  checkMatrix(check, up, "up", hidden, typeOf(input).getShape().back(), layout, input);
  checkMatrix(check, down, "down", out, hidden, layout, input);
  if (upBias)
    check.shape(upBias, "up bias", {hidden}).elementOf(upBias, "up bias", input);
  if (downBias)
    check.shape(downBias, "down bias", {out}).elementOf(downBias, "down bias", input);
  if (!check)
    return {};
  RankedTensorType type = resultOf(check, input, out, residual);
  if (!check)
    return {};
  return MlpOp::create(b, type, input, up, upBias, down, downBias, residual, activation, outIn,
                       /*accumulate=*/TypeAttr());
}

Value Graph::gatedMlp(Value input, Value gate, Value up, Value down, ActivationKind activation,
                      Value residual) {
  if (quantized.contains(gate) || quantized.contains(up) || quantized.contains(down)) {
    Value hidden = multiply(linear(input, gate, {.activation = activation}), linear(input, up));
    return linear(hidden, down, {.residual = residual});
  }
  CallCheck check(*this, "gatedMlp", gate);
  if (!check.rankAtLeast(input, "input", 2)
           .floats(input, "input")
           .rank(gate, "gate", 2)
           .rank(down, "down", 2))
    return {};
  int64_t features = typeOf(input).getShape().back(), hidden = typeOf(gate).getDimSize(0),
          out = typeOf(down).getDimSize(0);
  checkMatrix(check, gate, "gate", hidden, features, WeightLayout::OutIn, input);
  checkMatrix(check, up, "up", hidden, features, WeightLayout::OutIn, input);
  checkMatrix(check, down, "down", out, hidden, WeightLayout::OutIn, input);
  if (!check)
    return {};
  RankedTensorType type = resultOf(check, input, out, residual);
  if (!check)
    return {};
  return GatedMlpOp::create(b, type, input, gate, /*gate_bias=*/Value(), up, /*up_bias=*/Value(),
                            down, /*down_bias=*/Value(), residual, activation,
                            /*transpose_weights=*/true, /*accumulate=*/TypeAttr());
}

std::pair<Value, Value> Graph::route(Value logits, const RouteOptions &options) {
  CallCheck check(*this, "route", logits);
  if (!check.rank(logits, "logits", 2).floats(logits, "logits"))
    return {};
  int64_t experts = typeOf(logits).getDimSize(1), k = options.k, groups = options.groups;
  check.require(!ShapedType::isDynamic(experts) && k >= 1 && k <= experts,
                "expected 1 to " + Twine(experts) + " experts per token, but got " + Twine(k));
  if (options.bias)
    check.shape(options.bias, "bias", {experts}).floats(options.bias, "bias");
  if (check && groups != 0)
    check.require(groups > 0 && experts % groups == 0 && experts / groups >= 2 &&
                      options.topGroups >= 1 && options.topGroups <= groups &&
                      k <= options.topGroups * (experts / groups),
                  "expected groups of two experts or more, and enough of them for " + Twine(k) +
                      " experts per token");
  if (!check)
    return {};
  RankedTensorType weights = typeOf(logits).clone({typeOf(logits).getDimSize(0), k});
  auto number = [&](int64_t value) { return groups ? b.getI64IntegerAttr(value) : IntegerAttr(); };
  auto scale =
      options.scale == 1 ? FloatAttr() : b.getF32FloatAttr(static_cast<float>(options.scale));
  auto op = MoeRouteOp::create(b, weights, weights.clone(b.getI32Type()), options.score, logits,
                               options.bias, k, options.normalize, number(groups),
                               number(options.topGroups),
                               groups ? GroupScore::Top2 : GroupScore::Max, scale,
                               /*accumulate=*/TypeAttr());
  return {op.getWeights(), op.getExperts()};
}

Value Graph::groupedLinear(Value input, Value weights, Value groups, const LinearOptions &options) {
  CallCheck check(*this, "groupedLinear", weights);
  if (!check.rank(input, "input", 2).floats(input, "input").rank(weights, "weights", 3))
    return {};
  if (auto narrow = quantized.find(weights); narrow != quantized.end())
    weights = dequantized(weights, narrow->second, typeOf(input).getElementType());
  bool outIn = options.layout == WeightLayout::OutIn;
  ArrayRef<int64_t> shape = typeOf(weights).getShape();
  int64_t experts = shape[0], features = typeOf(input).getDimSize(1), out = shape[outIn ? 1 : 2];
  check
      .shape(weights, "weights",
             outIn ? ArrayRef<int64_t>{experts, out, features}
                   : ArrayRef<int64_t>{experts, features, out})
      .elementOf(weights, "weights", input)
      .shape(groups, "groups", {experts})
      .integers(groups, "groups")
      .require(!options.residual, "expected no residual");
  if (options.bias)
    check.shape(options.bias, "bias", {experts, out}).elementOf(options.bias, "bias", input);
  if (!check)
    return {};
  RankedTensorType type = typeOf(input).clone({typeOf(input).getDimSize(0), out});
  auto op = GroupedMatmulOp::create(b, type, input, weights, groups, options.bias,
                                    /*offsets=*/false, /*transpose_rhs=*/outIn,
                                    /*activation=*/ActivationKindAttr(), /*accumulate=*/TypeAttr());
  op.setActivation(options.activation);
  return op;
}

Value Graph::weightedSum(Value rows, Value weights) {
  CallCheck check(*this, "weightedSum");
  if (!check.rank(rows, "rows", 3).floats(rows, "rows"))
    return {};
  ArrayRef<int64_t> shape = typeOf(rows).getShape();
  if (!check.shape(weights, "weights", {shape[0], shape[1]}).elementOf(weights, "weights", rows))
    return {};
  Value products = MatmulOp::create(b, reshape(weights, {shape[0], 1, shape[1]}), rows);
  return hasFailed() ? Value() : reshape(products, {shape[0], shape[2]});
}

Value Graph::sortOrder(Value input) {
  CallCheck check(*this, "sortOrder");
  if (!check.rank(input, "input", 1).integers(input, "input"))
    return {};
  int64_t count = typeOf(input).getDimSize(0);
  if (!check.require(!ShapedType::isDynamic(count) && count < (1 << 24),
                     "expected a static number of elements below 2^24"))
    return {};
  // The largest of the negated come first, equals by rising place: floats below 2^24 are exact.
  Value numbers = arith::SIToFPOp::create(b, typeOf(input).clone(b.getF32Type()), input);
  return TopKOp::create(b, arith::NegFOp::create(b, numbers), count).getIndices();
}

Value Graph::count(Value input, int64_t kinds) {
  CallCheck check(*this, "count");
  check.rank(input, "input", 1)
      .require(kinds > 0, "expected a kind or more, but got " + Twine(kinds));
  if (!check.require(!input || (typeOf(input).hasStaticShape() &&
                                typeOf(input).getElementType().isSignlessInteger(32)),
                     "expected a static number of i32"))
    return {};
  SmallVector<int64_t> shape = {typeOf(input).getDimSize(0), kinds};
  Value empty = tensor::EmptyOp::create(b, shape, b.getI32Type());
  Value wide = linalg::BroadcastOp::create(b, input, empty, ArrayRef<int64_t>{1})->getResult(0);
  Value all =
      linalg::BroadcastOp::create(b, iota(kinds), empty, ArrayRef<int64_t>{0})->getResult(0);
  Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, wide, all);
  auto floats = RankedTensorType::get(shape, b.getF32Type());
  auto splat = [&](float number) -> Value {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(floats, number));
  };
  Value ones = arith::SelectOp::create(b, same, splat(1), splat(0));
  Value sums = SumOp::create(b, ones, ArrayRef<int64_t>{0});
  return arith::FPToSIOp::create(b, typeOf(sums).clone(b.getI32Type()), sums);
}

Value Graph::quotient(Value input, int64_t divisor) {
  CallCheck check(*this, "quotient");
  check.present(input, "input").integers(input, "input");
  check.require(divisor > 0, "expected a divisor above 0, but got " + Twine(divisor));
  if (!check.require(!input || typeOf(input).hasStaticShape(), "expected an input of static shape"))
    return {};
  RankedTensorType type = typeOf(input);
  Value divisors = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, b.getIntegerAttr(type.getElementType(), divisor)));
  return arith::DivSIOp::create(b, input, divisors);
}

/// Flat, and from there to the shape: the two changes that tensor knows.
Value Graph::reshape(Value input, ArrayRef<int64_t> shape) {
  CallCheck check(*this, "reshape");
  if (!check.rankAtLeast(input, "input", 1))
    return {};
  RankedTensorType type = typeOf(input), result = type.clone(shape);
  check.require(type.hasStaticShape() && result.hasStaticShape() &&
                    type.getNumElements() == result.getNumElements(),
                "expected static shapes of as many elements");
  if (!check || type == result)
    return check ? input : Value();
  auto allIn = [](size_t rank) {
    return SmallVector<ReassociationIndices>{llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  if (type.getRank() > 1)
    input = tensor::CollapseShapeOp::create(b, input, allIn(type.getRank()));
  if (shape.size() > 1)
    input = tensor::ExpandShapeOp::create(b, result, input, allIn(shape.size()));
  return input;
}

} // namespace forge::transformer
