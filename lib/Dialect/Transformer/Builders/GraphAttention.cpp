// Heads, positions, attention and the cache of keys and values.
#include "CallCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forge::transformer {

static SmallVector<OpFoldResult> sizesOf(ImplicitLocOpBuilder &b, Value value) {
  return tensor::getMixedSizes(b, b.getLoc(), value);
}

/// [A, B, C, D] as [A, C, B, D].
static Value swapMiddle(ImplicitLocOpBuilder &b, Value value) {
  SmallVector<OpFoldResult> sizes = sizesOf(b, value);
  std::swap(sizes[1], sizes[2]);
  Value empty = tensor::EmptyOp::create(b, sizes, typeOf(value).getElementType());
  return linalg::TransposeOp::create(b, value, empty, ArrayRef<int64_t>{0, 2, 1, 3})->getResult(0);
}

Value Graph::splitHeads(Value input, int64_t heads) {
  CallCheck check(*this, "splitHeads");
  check.rank(input, "input", 3)
      .require(heads > 0, "expected a head or more, but got " + Twine(heads));
  if (!check)
    return {};
  int64_t features = typeOf(input).getDimSize(2);
  if (!check.require(!ShapedType::isDynamic(features) && features % heads == 0,
                     "expected features that " + Twine(heads) + " heads divide, but got " +
                         Twine(features)))
    return {};
  SmallVector<OpFoldResult> sizes = sizesOf(b, input);
  sizes[2] = b.getIndexAttr(heads);
  sizes.push_back(b.getIndexAttr(features / heads));
  SmallVector<int64_t> shape(typeOf(input).getShape());
  shape[2] = heads;
  shape.push_back(features / heads);
  Value split =
      tensor::ExpandShapeOp::create(b, typeOf(input).clone(shape), input,
                                    SmallVector<ReassociationIndices>{{0}, {1}, {2, 3}}, sizes);
  return swapMiddle(b, split);
}

Value Graph::joinHeads(Value input) {
  if (!CallCheck(*this, "joinHeads").rank(input, "input", 4))
    return {};
  return tensor::CollapseShapeOp::create(b, swapMiddle(b, input),
                                         SmallVector<ReassociationIndices>{{0}, {1}, {2, 3}});
}

Value Graph::columns(Value input, int64_t begin, int64_t size, int64_t stride) {
  CallCheck check(*this, "columns", input);
  if (!check.rankAtLeast(input, "input", 1))
    return {};
  int64_t width = typeOf(input).getShape().back();
  int64_t end = size > 0 ? begin + (size - 1) * stride + 1 : begin;
  check.require(
      begin >= 0 && size >= 0 && stride >= 1 && (ShapedType::isDynamic(width) || end <= width),
      "expected columns below " + Twine(width) + ", but got " + Twine(begin) + " to " + Twine(end));
  if (!check)
    return {};
  SmallVector<OpFoldResult> offsets(typeOf(input).getRank(), b.getIndexAttr(0)),
      strides(typeOf(input).getRank(), b.getIndexAttr(1)), sizes = sizesOf(b, input);
  offsets.back() = b.getIndexAttr(begin);
  sizes.back() = b.getIndexAttr(size);
  strides.back() = b.getIndexAttr(stride);
  return tensor::ExtractSliceOp::create(b, input, offsets, sizes, strides);
}

Value Graph::joined(Value left, Value right) {
  CallCheck check(*this, "joined");
  check.rankAtLeast(left, "left operand", 1).present(right, "right operand");
  if (!check)
    return {};
  SmallVector<int64_t> shape(typeOf(left).getShape());
  int64_t first = shape.back();
  shape.back() = ShapedType::kDynamic;
  check.shape(right, "right operand", shape).elementOf(right, "right operand", left);
  if (!check)
    return {};
  int64_t second = typeOf(right).getShape().back();
  if (!check.require(!ShapedType::isDynamic(first) && !ShapedType::isDynamic(second),
                     "expected static last dimensions"))
    return {};
  SmallVector<OpFoldResult> sizes = sizesOf(b, left), offsets(sizes.size(), b.getIndexAttr(0)),
                            strides(sizes.size(), b.getIndexAttr(1));
  sizes.back() = b.getIndexAttr(first + second);
  Value result = tensor::EmptyOp::create(b, sizes, typeOf(left).getElementType());
  for (Value part : {left, right}) {
    sizes.back() = b.getIndexAttr(typeOf(part).getShape().back());
    result = tensor::InsertSliceOp::create(b, part, result, offsets, sizes, strides);
    offsets.back() = b.getIndexAttr(first);
  }
  return result;
}

Value Graph::inEachHead(Value input, int64_t heads) {
  CallCheck check(*this, "inEachHead");
  check.rank(input, "input", 4).require(heads > 0, "expected a head or more");
  if (check)
    check.require(typeOf(input).getDimSize(1) == 1, "expected an input of one head");
  if (!check)
    return {};
  Value flat = tensor::CollapseShapeOp::create(b, input,
                                               SmallVector<ReassociationIndices>{{0}, {1, 2}, {3}});
  SmallVector<OpFoldResult> sizes = sizesOf(b, input);
  sizes[1] = b.getIndexAttr(heads);
  Value empty = tensor::EmptyOp::create(b, sizes, typeOf(input).getElementType());
  return linalg::BroadcastOp::create(b, flat, empty, ArrayRef<int64_t>{1})->getResult(0);
}

/// Everything but the three main operands.
static void checkOptions(CallCheck &check, const AttentionBuildOptions &options,
                         ArrayRef<int64_t> scores) {
  if (options.mask)
    check.rank(options.mask, "mask", 4);
  for (int64_t dim = 0; check && options.mask && dim < 4; ++dim) {
    int64_t size = typeOf(options.mask).getDimSize(dim);
    bool fits = size == 1 || size == scores[dim] || ShapedType::isDynamic(size) ||
                ShapedType::isDynamic(scores[dim]);
    check.require(fits, "expected dimension " + Twine(dim) + " of mask to be 1 or " +
                            Twine(scores[dim]) + ", but got " + Twine(size));
  }
  if (options.lengths)
    check.shape(options.lengths, "lengths", {scores[0]}).integers(options.lengths, "lengths");
  if (options.offsets)
    check.shape(options.offsets, "offsets", {scores[0]}).integers(options.offsets, "offsets");
  if (options.sinks)
    check.shape(options.sinks, "sinks", {scores[1]});
  check.require(!options.window || *options.window >= 1, "expected a window of 1 or more");
  check.require(!options.softCap || *options.softCap > 0, "expected a soft cap above 0");
}

static void checkHeads(CallCheck &check, int64_t heads, int64_t keyHeads) {
  bool known = !ShapedType::isDynamic(heads) && !ShapedType::isDynamic(keyHeads);
  check.require(!known || (keyHeads > 0 && heads % keyHeads == 0),
                "expected query heads to be a multiple of the " + Twine(keyHeads) +
                    " key heads, but got " + Twine(heads));
}

/// What both attention operations have as attributes.
template <typename OpTy>
static void setAttributes(ImplicitLocOpBuilder &b, OpTy op, const AttentionBuildOptions &options) {
  if (options.scale)
    op.setScaleAttr(b.getF32FloatAttr(static_cast<float>(*options.scale)));
  if (options.window)
    op.setWindow(*options.window);
  if (options.softCap)
    op.setSoftCapAttr(b.getF32FloatAttr(static_cast<float>(*options.softCap)));
}

Value Graph::attention(Value query, Value key, Value value, const AttentionBuildOptions &options) {
  CallCheck check(*this, "attention");
  check.rank(query, "query", 4).floats(query, "query").rank(key, "key", 4).rank(value, "value", 4);
  if (!check)
    return {};
  ArrayRef<int64_t> q = typeOf(query).getShape(), k = typeOf(key).getShape();
  check.shape(key, "key", {q[0], ShapedType::kDynamic, ShapedType::kDynamic, q[3]});
  check.shape(value, "value", {q[0], k[1], k[2], ShapedType::kDynamic});
  check.elementOf(key, "key", query).elementOf(value, "value", query);
  checkHeads(check, q[1], k[1]);
  checkOptions(check, options, {q[0], q[1], q[2], k[2]});
  if (!check)
    return {};
  auto op = AttentionOp::create(b, query, key, value, options.causal);
  if (options.mask)
    op.getMaskMutable().assign(options.mask);
  if (options.lengths)
    op.getLengthsMutable().assign(options.lengths);
  if (options.offsets)
    op.getOffsetsMutable().assign(options.offsets);
  if (options.sinks)
    op.getSinksMutable().assign(options.sinks);
  setAttributes(b, op, options);
  return op.getResult();
}

Value Graph::pagedAttention(Value query, Value keyPages, Value valuePages, Value table,
                            const AttentionBuildOptions &options) {
  CallCheck check(*this, "pagedAttention");
  check.rank(query, "query", 4).floats(query, "query").rank(keyPages, "key pages", 4);
  check.rank(valuePages, "value pages", 4).rank(table, "table", 2).integers(table, "table");
  check.present(options.lengths, "lengths").require(!options.mask, "expected no mask over pages");
  if (!check)
    return {};
  ArrayRef<int64_t> q = typeOf(query).getShape(), k = typeOf(keyPages).getShape();
  constexpr int64_t any = ShapedType::kDynamic;
  check.shape(keyPages, "key pages", {any, any, any, q[3]});
  check.shape(valuePages, "value pages", {k[0], k[1], k[2], any});
  check.elementOf(keyPages, "key pages", query).elementOf(valuePages, "value pages", query);
  check.shape(table, "table", {q[0], any});
  checkHeads(check, q[1], k[1]);
  checkOptions(check, options, {q[0], q[1], q[2], any});
  if (!check)
    return {};
  SmallVector<int64_t> shape(q);
  shape[3] = typeOf(valuePages).getDimSize(3);
  auto op = PagedAttentionOp::create(
      b, typeOf(query).clone(shape), /*lse=*/Type(), query, keyPages, valuePages, table,
      options.lengths, options.offsets, options.sinks, /*scale=*/FloatAttr(), options.causal,
      /*window=*/IntegerAttr(), /*soft_cap=*/FloatAttr(), /*accumulate=*/TypeAttr(),
      /*weights=*/TypeAttr());
  setAttributes(b, op, options);
  return op.getResult();
}

Value Graph::kvAppend(Value rows, Value cache, Value start, Value table) {
  CallCheck check(*this, "kvAppend", cache);
  check.rank(rows, "rows", 4).rank(cache, "cache", 4);
  if (table)
    check.rank(table, "table", 2).integers(table, "table");
  if (!check)
    return {};
  constexpr int64_t any = ShapedType::kDynamic;
  ArrayRef<int64_t> r = typeOf(rows).getShape();
  if (table)
    check.shape(table, "table", {r[0], any});
  check.shape(cache, "cache", {table ? any : r[0], r[1], any, r[3]})
      .elementOf(cache, "cache", rows)
      .shape(start, "start", {r[0]})
      .integers(start, "start");
  if (!check)
    return {};
  return KvAppendOp::create(b, cache.getType(), rows, cache, start, table);
}

Value Graph::plus(Value start, int64_t number) {
  CallCheck check(*this, "plus");
  if (!check.rank(start, "start", 1).integers(start, "start"))
    return {};
  RankedTensorType type = typeOf(start);
  Value amount = arith::ConstantOp::create(b, b.getIntegerAttr(type.getElementType(), number));
  Value amounts = tensor::SplatOp::create(b, amount, sizesOf(b, start));
  return arith::AddIOp::create(b, start, amounts);
}

Value Graph::plus(Value start, Value numbers) {
  CallCheck check(*this, "plus");
  check.rank(start, "start", 1).integers(start, "start").present(numbers, "numbers");
  if (!check || !check.shape(numbers, "numbers", typeOf(start).getShape())
                     .elementOf(numbers, "numbers", start))
    return {};
  return arith::AddIOp::create(b, start, numbers);
}

Value Graph::positionsFrom(Value start, int64_t count) {
  CallCheck check(*this, "positionsFrom");
  if (!check.rank(start, "start", 1)
           .require(!start || typeOf(start).getElementType().isSignlessInteger(32),
                    "expected a start of i32"))
    return {};
  SmallVector<OpFoldResult> sizes = sizesOf(b, start);
  sizes.push_back(b.getIndexAttr(count));
  Value steps = iota(count);
  if (!steps)
    return {};
  Value empty = tensor::EmptyOp::create(b, sizes, b.getI32Type());
  Value starts = linalg::BroadcastOp::create(b, start, empty, ArrayRef<int64_t>{1})->getResult(0);
  Value rows = linalg::BroadcastOp::create(b, steps, empty, ArrayRef<int64_t>{0})->getResult(0);
  return arith::AddIOp::create(b, starts, rows);
}

Value Graph::positionsOf(Value input) {
  CallCheck check(*this, "positionsOf");
  if (!check.rankAtLeast(input, "input", 2))
    return {};
  int64_t tokens = typeOf(input).getDimSize(1);
  if (!ShapedType::isDynamic(tokens))
    return iota(tokens);
  Value empty =
      tensor::EmptyOp::create(b, ArrayRef<OpFoldResult>{sizesOf(b, input)[1]}, b.getI32Type());
  AffineMap map = b.getMultiDimIdentityMap(1);
  auto count = [](OpBuilder &inner, Location loc, ValueRange) {
    Value index = linalg::IndexOp::create(inner, loc, 0);
    Value number = arith::IndexCastOp::create(inner, loc, inner.getI32Type(), index);
    linalg::YieldOp::create(inner, loc, number);
  };
  return linalg::GenericOp::create(b, empty.getType(), ValueRange{}, empty, map,
                                   utils::IteratorType::parallel, count)
      ->getResult(0);
}

} // namespace forge::transformer
