// The scores of attention and their softmax: what attention and its gradients compute alike.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H

#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>
#include <limits>

namespace forge {

/// The loops of the scores: batch, key head, query head of its group, query, key.
enum ScoreLoop : int64_t { Batch, Group, Member, Query, Key, ScoreRank };

/// For an operation with the operands and attributes of attention:
/// 1. Query heads are split into [key heads, heads per group]; keys and values then are shared by
///    plain indexing.
/// 2. scores = query . key, in the accumulation type.
/// 3. Scale, cap, score region and masks on the scores.
/// 4. The row's largest score, exponentials, their sum, to which a sink adds its own.
template <typename OpTy> class AttentionScores {
public:
  AttentionScores(mlir::ImplicitLocOpBuilder &b, OpTy op)
      : b(b), op(op), element(op.getQuery().getType().getElementType()),
        compute(op.getAccumulationType()), key(op.getKey()), value(op.getValue()) {
    assertShapes();
    Sizes queryShape = sizesOf(b, op.getQuery()), keyShape = sizesOf(b, key);
    mlir::OpFoldResult perGroup = divide(queryShape[1], keyShape[1]);
    if (!mlir::getConstantIntValue(keyShape[1]) && !mlir::getConstantIntValue(perGroup)) {
      // One dimension cannot become two of sizes that are not known: groups of one head instead.
      repeated = perGroup;
      key = repeatHeads(key, queryShape[1], perGroup);
      value = repeatHeads(value, queryShape[1], perGroup);
      keyShape[1] = queryShape[1];
      perGroup = b.getIndexAttr(1);
    }
    sizes = {queryShape[0], keyShape[1], perGroup, queryShape[2], keyShape[2]};
    depth = queryShape[3];
    width = mlir::tensor::getMixedSize(b, b.getLoc(), op.getValue(), 3);
  }

protected:
  mlir::AffineMap all() { return b.getMultiDimIdentityMap(ScoreRank); }
  /// The rows of the scores, as the loops of the scores, and as those of the rows, index them.
  mlir::AffineMap row() { return mapWithout(b, ScoreRank, Key); }
  mlir::AffineMap rows() { return b.getMultiDimIdentityMap(Key); }
  Sizes rowSizes() { return Sizes(llvm::ArrayRef(sizes).drop_back()); }

  /// Ends the run where dynamic sizes do not go together.
  void assertShapes() {
    checkSize(b, op, "key", op.getKey(), 0, op.getQuery(), 0);
    checkSize(b, op, "key", op.getKey(), 3, op.getQuery(), 3);
    for (int64_t dim : {0, 1, 2})
      checkSize(b, op, "value", op.getValue(), dim, op.getKey(), dim);
    checkVector(b, op, "lengths", op.getLengths(), op.getQuery(), 0);
    checkVector(b, op, "offsets", op.getOffsets(), op.getQuery(), 0);
    checkVector(b, op, "sinks", op.getSinks(), op.getQuery(), 1);
    for (int64_t dim = 0; op.getMask() && dim < 4; ++dim)
      if (mlir::cast<mlir::RankedTensorType>(op.getMask().getType()).getDimSize(dim) != 1)
        checkSize(b, op, "mask", op.getMask(), dim, dim == 3 ? op.getKey() : op.getQuery(),
                  dim == 3 ? 2 : dim);
  }

  mlir::OpFoldResult divide(mlir::OpFoldResult a, mlir::OpFoldResult c) {
    auto x = mlir::getConstantIntValue(a), y = mlir::getConstantIntValue(c);
    if (x && y)
      return b.getIndexAttr(*y == 0 ? 0 : *x / *y);
    mlir::Value l = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), a);
    mlir::Value r = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), c);
    mlir::Value zero = mlir::arith::ConstantIndexOp::create(b, 0),
                one = mlir::arith::ConstantIndexOp::create(b, 1);
    mlir::Value divisor = mlir::arith::MaxSIOp::create(b, r, one);
    mlir::Value rest = mlir::arith::RemUIOp::create(b, l, divisor);
    createRuntimeAssert(
        b, b.getLoc(), mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::eq, rest, zero),
        op->getName().stripDialect() +
            ": expected query heads to be a multiple of the {1} key heads, but got {0}",
        {l, r});
    return mlir::arith::DivUIOp::create(b, l, divisor).getResult();
  }

  /// Keys or values with a head for every query head.
  mlir::Value repeatHeads(mlir::Value tensor, mlir::OpFoldResult heads,
                          mlir::OpFoldResult perGroup) {
    Sizes shape = sizesOf(b, tensor);
    shape[1] = heads;
    mlir::Value divisor = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), perGroup);
    return emitElementwise(b, shape, element, {},
                           [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange) -> mlir::Value {
                             llvm::SmallVector<mlir::Value> place;
                             for (int64_t dim = 0; dim < 4; ++dim)
                               place.push_back(mlir::linalg::IndexOp::create(inner, dim));
                             place[1] = mlir::arith::DivUIOp::create(inner, place[1], divisor);
                             return mlir::tensor::ExtractOp::create(inner, tensor, place);
                           });
  }

  /// [.., Hq, ..] as [.., Hkv, Hq / Hkv, ..], where `dim` is the dimension of the heads.
  mlir::Value splitHeads(mlir::Value value, int64_t dim = 1) {
    Sizes to = sizesOf(b, value);
    to[dim] = sizes[Group];
    to.insert(to.begin() + dim + 1, sizes[Member]);
    llvm::SmallVector<mlir::ReassociationIndices> groups;
    for (int64_t i = 0; i < static_cast<int64_t>(to.size()); ++i)
      if (i == dim + 1)
        groups.back().push_back(i);
      else
        groups.push_back({i});
    return emitExpanded(b, value, groups, to);
  }

  mlir::Value joinHeads(mlir::Value value) {
    llvm::SmallVector<mlir::ReassociationIndices> groups = {{0}, {1, 2}};
    for (int64_t i = 3; i < mlir::cast<mlir::RankedTensorType>(value.getType()).getRank(); ++i)
      groups.push_back({i});
    return mlir::tensor::CollapseShapeOp::create(b, value, groups);
  }

  /// One number per row of the scores.
  mlir::Value
  emitRows(llvm::ArrayRef<Operand> inputs,
           llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &, mlir::Value, mlir::Value)>
               body) {
    return emitElementwise(
        b, rowSizes(), compute, inputs,
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          return body(inner, args[0], toType(inner, args[1], compute));
        });
  }

  /// The sinks, as the loops of the rows index them.
  Operand sinks() { return {splitHeads(op.getSinks(), 0), dimsMap(b, Key, {Group, Member})}; }

  mlir::Value emitScores() {
    mlir::AffineMap queryMap = dimsMap(b, 6, {Batch, Group, Member, Query, 5});
    mlir::AffineMap keyMap = dimsMap(b, 6, {Batch, Group, Key, 5});
    return emitContraction(b, sizes, compute, {splitHeads(op.getQuery()), queryMap}, {key, keyMap},
                           dimsMap(b, 6, {Batch, Group, Member, Query, Key}));
  }

  /// The scale as a value: from the type, or from the head dimension at run time.
  mlir::Value emitScale() {
    if (op.getScale())
      return constant(b, compute, op.getScale()->convertToDouble());
    if (std::optional<int64_t> size = mlir::getConstantIntValue(depth))
      return constant(b, compute, 1.0 / std::sqrt(static_cast<double>(*size)));
    mlir::Value size =
        mlir::arith::IndexCastOp::create(b, b.getI64Type(), mlir::cast<mlir::Value>(depth));
    mlir::Value root =
        mlir::math::SqrtOp::create(b, mlir::arith::SIToFPOp::create(b, compute, size));
    return mlir::arith::DivFOp::create(b, constant(b, compute, 1.0), root);
  }

  /// The mask, and how the loops of the scores index it: not at all where it has one row, column or
  /// head.
  Operand maskOperand() {
    auto type = mlir::cast<mlir::RankedTensorType>(op.getMask().getType());
    mlir::Value mask = op.getMask();
    llvm::SmallVector<mlir::AffineExpr> exprs;
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
    return {mask, mlir::AffineMap::get(ScoreRank, 0, exprs, b.getContext())};
  }

  /// What the scores' body reads besides the scores, in the order of ScoreInputs.
  llvm::SmallVector<Operand> scoreOperands(mlir::Value scores) {
    llvm::SmallVector<Operand> inputs = {{scores, all()}};
    mlir::AffineMap batch = dimsMap(b, ScoreRank, {Batch});
    if (op.getMask())
      inputs.push_back(maskOperand());
    if (op.getLengths())
      inputs.push_back({op.getLengths(), batch});
    if (op.getOffsets())
      inputs.push_back({op.getOffsets(), batch});
    return inputs;
  }

  mlir::Value emitLogits(mlir::Value scores) {
    mlir::Value factor = emitScale();
    queries = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Query]);
    keys = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Key]);
    members = mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Member]);
    return emitElementwise(
        b, sizes, compute, scoreOperands(scores),
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) {
          unsigned next = 1;
          mlir::Value mask = op.getMask() ? args[next++] : mlir::Value();
          mlir::Value length = op.getLengths() ? args[next++] : mlir::Value();
          mlir::Value offset = op.getOffsets() ? args[next++] : mlir::Value();
          mlir::Value x = emitCapped(inner, mlir::arith::MulFOp::create(inner, args[0], factor));
          x = emitRegion(inner, op.getScore(), x);
          mlir::Value seen = emitSeen(inner, length, offset);
          if (mask && mask.getType().isInteger(1))
            seen = both(inner, mask, seen);
          else if (mask)
            x = mlir::arith::AddFOp::create(inner, x, toType(inner, mask, compute));
          if (!seen)
            return x;
          mlir::Value hidden = constant(inner, compute, -std::numeric_limits<double>::infinity());
          return mlir::Value(mlir::arith::SelectOp::create(inner, seen, x, hidden));
        });
  }

  /// A scaled score, capped.
  mlir::Value emitCapped(mlir::ImplicitLocOpBuilder &inner, mlir::Value x) {
    if (!op.getSoftCap())
      return x;
    mlir::Value cap = constant(inner, compute, op.getSoftCap()->convertToDouble());
    mlir::Value tanh =
        mlir::math::TanhOp::create(inner, mlir::arith::DivFOp::create(inner, x, cap));
    return mlir::arith::MulFOp::create(inner, tanh, cap);
  }

  /// What a region over scores makes of one; the score itself where there is none.
  mlir::Value emitRegion(mlir::ImplicitLocOpBuilder &inner, mlir::Region &region, mlir::Value x) {
    if (region.empty())
      return x;
    auto index = [&](int64_t loop) -> mlir::Value {
      return mlir::linalg::IndexOp::create(inner, loop);
    };
    mlir::Value head = mlir::arith::AddIOp::create(
        inner, mlir::arith::MulIOp::create(inner, index(Group), members), index(Member));
    mlir::Block &block = region.front();
    mlir::IRMapping mapping;
    mapping.map(block.getArguments(),
                llvm::SmallVector<mlir::Value>{x, index(Batch), head, index(Query), index(Key)});
    for (mlir::Operation &operation : block.without_terminator())
      inner.clone(operation, mapping);
    return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
  }

  static mlir::Value both(mlir::ImplicitLocOpBuilder &inner, mlir::Value x, mlir::Value y) {
    return x && y ? mlir::Value(mlir::arith::AndIOp::create(inner, x, y)) : x ? x : y;
  }

  /// The keys of a sequence: `length`, an integer, within [0, T]; T without one.
  mlir::Value emitLength(mlir::ImplicitLocOpBuilder &inner, mlir::Value length) {
    if (!length)
      return keys;
    mlir::Value size = mlir::arith::IndexCastOp::create(inner, inner.getIndexType(), length);
    mlir::Value zero = mlir::arith::ConstantIndexOp::create(inner, 0);
    return mlir::arith::MinSIOp::create(inner, mlir::arith::MaxSIOp::create(inner, size, zero),
                                        keys);
  }

  /// Whether the query sees the key, by length, causality and window; null if it always does.
  mlir::Value emitSeen(mlir::ImplicitLocOpBuilder &inner, mlir::Value length, mlir::Value offset) {
    mlir::Value at = mlir::linalg::IndexOp::create(inner, Key), n = emitLength(inner, length), seen;
    auto compare = [&](mlir::arith::CmpIPredicate predicate, mlir::Value x, mlir::Value y) {
      seen = both(inner, seen, mlir::arith::CmpIOp::create(inner, predicate, x, y));
    };
    if (length)
      compare(mlir::arith::CmpIPredicate::slt, at, n);
    if (!op.getCausal() && !op.getWindow())
      return seen;
    mlir::Value first =
        offset ? mlir::Value(mlir::arith::IndexCastOp::create(inner, inner.getIndexType(), offset))
               : mlir::Value(mlir::arith::SubIOp::create(inner, n, queries));
    mlir::Value place =
        mlir::arith::AddIOp::create(inner, mlir::linalg::IndexOp::create(inner, Query), first);
    if (op.getCausal())
      compare(mlir::arith::CmpIPredicate::sle, at, place);
    if (!op.getWindow())
      return seen;
    mlir::Value window = mlir::arith::ConstantIndexOp::create(inner, *op.getWindow());
    compare(mlir::arith::CmpIPredicate::slt, mlir::arith::SubIOp::create(inner, place, at), window);
    if (!op.getCausal())
      compare(mlir::arith::CmpIPredicate::slt, mlir::arith::SubIOp::create(inner, at, place),
              window);
    return seen;
  }

  /// What is subtracted from the scores of a row: 0 for -inf, so that a row without a key gives
  /// exp(-inf) = 0 and not NaN.
  mlir::Value emitBase(mlir::ImplicitLocOpBuilder &inner, mlir::Value largest) {
    mlir::Value hidden = constant(inner, compute, -std::numeric_limits<double>::infinity());
    mlir::Value none =
        mlir::arith::CmpFOp::create(inner, mlir::arith::CmpFPredicate::OEQ, largest, hidden);
    return mlir::arith::SelectOp::create(inner, none, constant(inner, compute, 0.0), largest);
  }

  mlir::Value emitExp(mlir::ImplicitLocOpBuilder &inner, mlir::Value x, mlir::Value largest) {
    return mlir::math::ExpOp::create(
        inner, mlir::arith::SubFOp::create(inner, x, emitBase(inner, largest)));
  }

  /// The sum of a row's exponentials and of that of its sink.
  mlir::Value emitWithSink(mlir::Value sum, mlir::Value largest) {
    return emitElementwise(
        b, rowSizes(), compute, {{sum, rows()}, {largest, rows()}, sinks()},
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          mlir::Value sink = emitExp(inner, toType(inner, args[2], compute), args[1]);
          return mlir::arith::AddFOp::create(inner, args[0], sink);
        });
  }

  /// The exponentials of the scores, of the largest score of each row taken as 0, and their sums,
  /// to which a sink adds its own.
  void emitSoftmax(mlir::Value logits) {
    largest = emitReduction(
        b, sizes, Key, -std::numeric_limits<double>::infinity(), compute, {{logits, all()}},
        [](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          return mlir::arith::MaximumFOp::create(inner, args[1], args[0]);
        });
    if (op.getSinks())
      largest = emitRows(
          {{largest, rows()}, sinks()},
          [](mlir::ImplicitLocOpBuilder &inner, mlir::Value x, mlir::Value sink) -> mlir::Value {
            return mlir::arith::MaximumFOp::create(inner, x, sink);
          });
    exps = emitElementwise(
        b, sizes, compute, {{logits, all()}, {largest, row()}},
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          return emitExp(inner, args[0], args[1]);
        });
    sum =
        emitReduction(b, sizes, Key, 0.0, compute, {{exps, all()}},
                      [](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
                        return mlir::arith::AddFOp::create(inner, args[1], args[0]);
                      });
    if (op.getSinks())
      sum = emitWithSink(sum, largest);
  }

  /// Keys or values in the type of the weights, `type`, for one contraction. Those beyond a
  /// sequence's length are zero: 0 * NaN would spread what was never written.
  mlir::Value emitUsed(mlir::Value tensor, mlir::Type type) {
    if (element == type && !op.getLengths())
      return tensor;
    llvm::SmallVector<Operand> inputs = {{tensor, b.getMultiDimIdentityMap(4)}};
    if (op.getLengths())
      inputs.push_back({op.getLengths(), dimsMap(b, 4, {0})});
    return emitElementwise(b, sizesOf(b, tensor), type, inputs,
                           [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) {
                             mlir::Value wide = toType(inner, args[0], type);
                             if (!op.getLengths())
                               return wide;
                             mlir::Value place = mlir::linalg::IndexOp::create(inner, 2);
                             mlir::Value used =
                                 mlir::arith::CmpIOp::create(inner, mlir::arith::CmpIPredicate::slt,
                                                             place, emitLength(inner, args[1]));
                             return mlir::Value(mlir::arith::SelectOp::create(
                                 inner, used, wide, constant(inner, type, 0.0)));
                           });
  }

  mlir::ImplicitLocOpBuilder &b;
  OpTy op;
  mlir::Type element, compute;
  mlir::Value key, value;
  Sizes sizes;
  mlir::OpFoldResult depth, width;
  /// Query heads per key head, where keys and values were repeated for each of them; else null.
  mlir::OpFoldResult repeated;
  /// Sizes as values, for the scores' body.
  mlir::Value queries, keys, members;
  /// Set by emitSoftmax: the largest score of every row, exponentials, and their sums.
  mlir::Value largest, exps, sum;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONSCORES_H
