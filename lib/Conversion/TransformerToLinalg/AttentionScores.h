// The scores of attention and their softmax: what attention and its gradients compute alike.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H

#include "Emit.h"

#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>
#include <limits>

namespace forge {

using namespace mlir;

/// The loops of the scores: batch, key head, query head of its group, query, key.
enum ScoreLoop : int64_t { Batch, Group, Member, Query, Key, ScoreRank };

/// For an operation with the operands and attributes of attention:
/// 1. Query heads are split into [key heads, heads per group]; keys and values then are shared by
/// plain indexing.
/// 2. scores = query . key, in the accumulation type. 3. Scale, cap, score region and masks on the
/// scores.
/// 4. The row's largest score, exponentials, their sum, to which a sink adds its own.
template <typename OpTy> class AttentionScores {
public:
  AttentionScores(ImplicitLocOpBuilder &b, OpTy op)
      : b(b), op(op), element(op.getQuery().getType().getElementType()),
        compute(op.getAccumulationType()), key(op.getKey()), value(op.getValue()) {
    assertShapes();
    Sizes queryShape = sizesOf(b, op.getQuery()), keyShape = sizesOf(b, key);
    OpFoldResult perGroup = divide(queryShape[1], keyShape[1]);
    if (!getConstantIntValue(keyShape[1]) && !getConstantIntValue(perGroup)) {
      // One dimension cannot become two of sizes that are not known: groups of one head instead.
      repeated = perGroup;
      key = repeatHeads(key, queryShape[1], perGroup);
      value = repeatHeads(value, queryShape[1], perGroup);
      keyShape[1] = queryShape[1];
      perGroup = b.getIndexAttr(1);
    }
    sizes = {queryShape[0], keyShape[1], perGroup, queryShape[2], keyShape[2]};
    depth = queryShape[3];
    width = tensor::getMixedSize(b, b.getLoc(), op.getValue(), 3);
  }

protected:
  AffineMap all() { return b.getMultiDimIdentityMap(ScoreRank); }
  /// The rows of the scores, as the loops of the scores, and as those of the rows, index them.
  AffineMap row() { return mapWithout(b, ScoreRank, Key); }
  AffineMap rows() { return b.getMultiDimIdentityMap(Key); }
  Sizes rowSizes() { return Sizes(ArrayRef(sizes).drop_back()); }

  /// Ends the run where dynamic sizes do not go together.
  void assertShapes() {
    Location loc = b.getLoc();
    auto same = [&](Value x, int64_t dim, Value y, int64_t other) {
      if (x)
        assertSameSize(b, loc, "attention", x, dim, y, other);
    };
    same(op.getKey(), 0, op.getQuery(), 0);
    same(op.getKey(), 3, op.getQuery(), 3);
    for (int64_t dim : {0, 1, 2})
      same(op.getValue(), dim, op.getKey(), dim);
    same(op.getLengths(), 0, op.getQuery(), 0);
    same(op.getOffsets(), 0, op.getQuery(), 0);
    same(op.getSinks(), 0, op.getQuery(), 1);
    for (int64_t dim = 0; op.getMask() && dim < 4; ++dim)
      if (cast<RankedTensorType>(op.getMask().getType()).getDimSize(dim) != 1)
        same(op.getMask(), dim, dim == 3 ? op.getKey() : op.getQuery(), dim == 3 ? 2 : dim);
  }

  OpFoldResult divide(OpFoldResult a, OpFoldResult c) {
    auto x = getConstantIntValue(a), y = getConstantIntValue(c);
    if (x && y)
      return b.getIndexAttr(*y == 0 ? 0 : *x / *y);
    Value l = getValueOrCreateConstantIndexOp(b, b.getLoc(), a);
    Value r = getValueOrCreateConstantIndexOp(b, b.getLoc(), c);
    Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
    Value divisor = arith::MaxSIOp::create(b, r, one);
    Value rest = arith::RemUIOp::create(b, l, divisor);
    createRuntimeAssert(
        b, b.getLoc(), arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero),
        "attention: expected query heads to be a multiple of the {1} key heads, but got {0}",
        {l, r});
    return arith::DivUIOp::create(b, l, divisor).getResult();
  }

  /// Keys or values with a head for every query head.
  Value repeatHeads(Value tensor, OpFoldResult heads, OpFoldResult perGroup) {
    Sizes shape = sizesOf(b, tensor);
    shape[1] = heads;
    Value divisor = getValueOrCreateConstantIndexOp(b, b.getLoc(), perGroup);
    return emitElementwise(b, shape, element, {},
                           [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
                             SmallVector<Value> place;
                             for (int64_t dim = 0; dim < 4; ++dim)
                               place.push_back(linalg::IndexOp::create(inner, dim));
                             place[1] = arith::DivUIOp::create(inner, place[1], divisor);
                             return tensor::ExtractOp::create(inner, tensor, place);
                           });
  }

  /// [.., Hq, ..] as [.., Hkv, Hq / Hkv, ..], where `dim` is the dimension of the heads.
  Value splitHeads(Value value, int64_t dim = 1) {
    Sizes to = sizesOf(b, value);
    to[dim] = sizes[Group];
    to.insert(to.begin() + dim + 1, sizes[Member]);
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(to, dynamic, shape);
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < static_cast<int64_t>(to.size()); ++i)
      if (i == dim + 1)
        groups.back().push_back(i);
      else
        groups.push_back({i});
    auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
    return tensor::ExpandShapeOp::create(b, type, value, groups, to);
  }

  Value joinHeads(Value value) {
    SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
    for (int64_t i = 3; i < cast<RankedTensorType>(value.getType()).getRank(); ++i)
      groups.push_back({i});
    return tensor::CollapseShapeOp::create(b, value, groups);
  }

  /// One number per row of the scores.
  Value emitRows(ArrayRef<Operand> inputs,
                 llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, Value)> body) {
    return emitElementwise(b, rowSizes(), compute, inputs,
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return body(inner, args[0], toType(inner, args[1], compute));
                           });
  }

  /// The sinks, as the loops of the rows index them.
  Operand sinks() { return {splitHeads(op.getSinks(), 0), dimsMap(b, Key, {Group, Member})}; }

  Value emitScores() {
    AffineMap queryMap = dimsMap(b, 6, {Batch, Group, Member, Query, 5});
    AffineMap keyMap = dimsMap(b, 6, {Batch, Group, Key, 5});
    return emitContraction(b, sizes, compute, {splitHeads(op.getQuery()), queryMap}, {key, keyMap},
                           dimsMap(b, 6, {Batch, Group, Member, Query, Key}));
  }

  /// The scale as a value: from the type, or from the head dimension at run time.
  Value emitScale() {
    if (op.getScale())
      return constant(b, compute, op.getScale()->convertToDouble());
    if (std::optional<int64_t> size = getConstantIntValue(depth))
      return constant(b, compute, 1.0 / std::sqrt(static_cast<double>(*size)));
    Value size = arith::IndexCastOp::create(b, b.getI64Type(), cast<Value>(depth));
    Value root = math::SqrtOp::create(b, arith::SIToFPOp::create(b, compute, size));
    return arith::DivFOp::create(b, constant(b, compute, 1.0), root);
  }

  /// The mask, and how the loops of the scores index it: not at all where it has one row, column or
  /// head.
  Operand maskOperand() {
    auto type = cast<RankedTensorType>(op.getMask().getType());
    Value mask = op.getMask();
    SmallVector<AffineExpr> exprs;
    bool hasHeads = type.getDimSize(1) != 1;
    if (hasHeads)
      mask = splitHeads(mask);
    auto add = [&](int64_t dim, int64_t loop) {
      exprs.push_back(type.getDimSize(dim) == 1 ? b.getAffineConstantExpr(0)
                                                : b.getAffineDimExpr(loop));
    };
    add(0, Batch);
    add(1, Group);
    if (hasHeads)
      exprs.push_back(b.getAffineDimExpr(Member));
    add(2, Query);
    add(3, Key);
    return {mask, AffineMap::get(ScoreRank, 0, exprs, b.getContext())};
  }

  /// What the scores' body reads beside the scores, in the order of ScoreInputs.
  SmallVector<Operand> scoreOperands(Value scores) {
    SmallVector<Operand> inputs = {{scores, all()}};
    AffineMap batch = dimsMap(b, ScoreRank, {Batch});
    if (op.getMask())
      inputs.push_back(maskOperand());
    if (op.getLengths())
      inputs.push_back({op.getLengths(), batch});
    if (op.getOffsets())
      inputs.push_back({op.getOffsets(), batch});
    return inputs;
  }

  Value emitLogits(Value scores) {
    Value factor = emitScale();
    queries = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Query]);
    keys = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Key]);
    members = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Member]);
    return emitElementwise(b, sizes, compute, scoreOperands(scores),
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             unsigned next = 1;
                             Value mask = op.getMask() ? args[next++] : Value();
                             Value length = op.getLengths() ? args[next++] : Value();
                             Value offset = op.getOffsets() ? args[next++] : Value();
                             Value x =
                                 emitChanged(inner, arith::MulFOp::create(inner, args[0], factor));
                             Value seen = emitSeen(inner, length, offset);
                             if (mask && mask.getType().isInteger(1))
                               seen = both(inner, mask, seen);
                             else if (mask)
                               x = arith::AddFOp::create(inner, x, toType(inner, mask, compute));
                             if (!seen)
                               return x;
                             Value hidden =
                                 constant(inner, compute, -std::numeric_limits<double>::infinity());
                             return Value(arith::SelectOp::create(inner, seen, x, hidden));
                           });
  }

  /// A scaled score, capped, and given to the score region.
  Value emitChanged(ImplicitLocOpBuilder &inner, Value x) {
    if (op.getSoftCap()) {
      Value cap = constant(inner, compute, op.getSoftCap()->convertToDouble());
      Value tanh = math::TanhOp::create(inner, arith::DivFOp::create(inner, x, cap));
      x = arith::MulFOp::create(inner, tanh, cap);
    }
    if constexpr (std::is_same_v<OpTy, transformer::AttentionOp>)
      if (!op.getScore().empty())
        x = emitRegion(inner, x);
    return x;
  }

  /// What the score region makes of a score.
  Value emitRegion(ImplicitLocOpBuilder &inner, Value x) {
    auto index = [&](int64_t loop) -> Value { return linalg::IndexOp::create(inner, loop); };
    Value head = arith::AddIOp::create(inner, arith::MulIOp::create(inner, index(Group), members),
                                       index(Member));
    Block &block = op.getScore().front();
    IRMapping mapping;
    mapping.map(block.getArguments(),
                SmallVector<Value>{x, index(Batch), head, index(Query), index(Key)});
    for (Operation &operation : block.without_terminator())
      inner.clone(operation, mapping);
    return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
  }

  static Value both(ImplicitLocOpBuilder &inner, Value x, Value y) {
    return x && y ? Value(arith::AndIOp::create(inner, x, y)) : x ? x : y;
  }

  /// The keys of a sequence: `length`, an integer, within [0, T]; T without one.
  Value emitLength(ImplicitLocOpBuilder &inner, Value length) {
    if (!length)
      return keys;
    Value size = arith::IndexCastOp::create(inner, inner.getIndexType(), length);
    Value zero = arith::ConstantIndexOp::create(inner, 0);
    return arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, size, zero), keys);
  }

  /// Whether the query sees the key, by length, causality and window; null if it always does.
  Value emitSeen(ImplicitLocOpBuilder &inner, Value length, Value offset) {
    Value at = linalg::IndexOp::create(inner, Key), n = emitLength(inner, length), seen;
    auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
      seen = both(inner, seen, arith::CmpIOp::create(inner, predicate, x, y));
    };
    if (length)
      compare(arith::CmpIPredicate::slt, at, n);
    if (!op.getCausal() && !op.getWindow())
      return seen;
    Value first = offset ? Value(arith::IndexCastOp::create(inner, inner.getIndexType(), offset))
                         : Value(arith::SubIOp::create(inner, n, queries));
    Value place = arith::AddIOp::create(inner, linalg::IndexOp::create(inner, Query), first);
    if (op.getCausal())
      compare(arith::CmpIPredicate::sle, at, place);
    if (!op.getWindow())
      return seen;
    Value window = arith::ConstantIndexOp::create(inner, *op.getWindow());
    compare(arith::CmpIPredicate::slt, arith::SubIOp::create(inner, place, at), window);
    if (!op.getCausal())
      compare(arith::CmpIPredicate::slt, arith::SubIOp::create(inner, at, place), window);
    return seen;
  }

  /// What is subtracted from the scores of a row: 0 for -inf, so that a row without a key gives
  /// exp(-inf) = 0 and not NaN.
  Value emitBase(ImplicitLocOpBuilder &inner, Value largest) {
    Value hidden = constant(inner, compute, -std::numeric_limits<double>::infinity());
    Value none = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, largest, hidden);
    return arith::SelectOp::create(inner, none, constant(inner, compute, 0.0), largest);
  }

  Value emitExp(ImplicitLocOpBuilder &inner, Value x, Value largest) {
    return math::ExpOp::create(inner, arith::SubFOp::create(inner, x, emitBase(inner, largest)));
  }

  /// The sum of a row's exponentials and of that of its sink.
  Value emitWithSink(Value sum, Value largest) {
    return emitElementwise(b, rowSizes(), compute, {{sum, rows()}, {largest, rows()}, sinks()},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value sink = emitExp(inner, toType(inner, args[2], compute), args[1]);
                             return arith::AddFOp::create(inner, args[0], sink);
                           });
  }

  /// The exponentials of the scores, of the largest score of each row taken as 0, and their sums,
  /// to which a sink adds its own.
  void emitSoftmax(Value logits) {
    largest =
        emitReduction(b, sizes, Key, -std::numeric_limits<double>::infinity(), compute,
                      {{logits, all()}}, [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                        return arith::MaximumFOp::create(inner, args[1], args[0]);
                      });
    if (op.getSinks())
      largest = emitRows({{largest, rows()}, sinks()},
                         [](ImplicitLocOpBuilder &inner, Value x, Value sink) -> Value {
                           return arith::MaximumFOp::create(inner, x, sink);
                         });
    exps = emitElementwise(b, sizes, compute, {{logits, all()}, {largest, row()}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return emitExp(inner, args[0], args[1]);
                           });
    sum = emitReduction(b, sizes, Key, 0.0, compute, {{exps, all()}},
                        [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                          return arith::AddFOp::create(inner, args[1], args[0]);
                        });
    if (op.getSinks())
      sum = emitWithSink(sum, largest);
  }

  /// Keys or values in the type of the weights, for one contraction. Those beyond a sequence's
  /// length are zero: 0 * NaN would spread what nobody wrote.
  Value emitUsed(Value tensor) {
    if (element == compute && !op.getLengths())
      return tensor;
    SmallVector<Operand> inputs = {{tensor, b.getMultiDimIdentityMap(4)}};
    if (op.getLengths())
      inputs.push_back({op.getLengths(), dimsMap(b, 4, {0})});
    return emitElementwise(
        b, sizesOf(b, tensor), compute, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value wide = toType(inner, args[0], compute);
          if (!op.getLengths())
            return wide;
          Value place = linalg::IndexOp::create(inner, 2);
          Value used = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, place,
                                             emitLength(inner, args[1]));
          return Value(arith::SelectOp::create(inner, used, wide, constant(inner, compute, 0.0)));
        });
  }

  ImplicitLocOpBuilder &b;
  OpTy op;
  Type element, compute;
  Value key, value;
  Sizes sizes;
  OpFoldResult depth, width;
  /// Query heads per key head, where keys and values were repeated for each of them; else null.
  OpFoldResult repeated;
  /// Sizes as values, for the scores' body.
  Value queries, keys, members;
  /// Set by emitSoftmax: the largest score of every row, exponentials, and their sums.
  Value largest, exps, sum;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H
