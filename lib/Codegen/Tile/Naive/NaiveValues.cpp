// Operations on tiles alone in the naive form.
#include "NaiveEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace forge;

void NaiveEmitter::emitBroadcast(tile::BroadcastOp op) {
  Value from = arrayOf(op.getOperand()), to = define(op.getResult());
  forEach(op.getType().getShape(), [&](ValueRange at) {
    SmallVector<Value> rest;
    for (auto [dim, coordinate] : llvm::enumerate(at))
      if (!llvm::is_contained(op.getDims(), static_cast<int64_t>(dim)))
        rest.push_back(coordinate);
    store(load(from, rest), to, at);
  });
}

void NaiveEmitter::emitIota(tile::IotaOp op) {
  Value array = define(op.getResult());
  Type element = getElementTypeOrSelf(array);
  forEach(op.getType().getShape(), [&](ValueRange at) {
    Value number = at[op.getDim()];
    if (!element.isIndex())
      number = arith::IndexCastOp::create(b, loc, element, number);
    store(number, array, at);
  });
}

void NaiveEmitter::emitSlice(tile::SliceOp op) {
  Value from = arrayOf(op.getOperand());
  if (auto part = dyn_cast<tile::SharedType>(op.getType())) {
    SmallVector<OpFoldResult> offsets, strides(part.getRank(), b.getIndexAttr(1));
    for (Value offset : op.getOffsets())
      offsets.push_back(b.getIndexAttr(*getConstantIntValue(offset)));
    arrays[op.getResult()] = memref::SubViewOp::create(
        b, loc, from, offsets, getAsIndexOpFoldResult(b.getContext(), part.getShape()), strides);
    return;
  }
  Value to = define(op.getResult());
  forEach(cast<RankedTensorType>(op.getType()).getShape(), [&](ValueRange at) {
    SmallVector<Value> place;
    for (auto [offset, coordinate] : llvm::zip_equal(op.getOffsets(), at))
      place.push_back(add(scalars.lookup(offset), coordinate));
    store(load(from, place), to, at);
  });
}

/// The array with other dimensions.
LogicalResult NaiveEmitter::emitReshape(tile::ReshapeOp op) {
  auto shapeOf = [](Type type) {
    auto shared = dyn_cast<tile::SharedType>(type);
    return shared ? shared.getShape() : cast<RankedTensorType>(type).getShape();
  };
  Value from = arrayOf(op.getOperand());
  auto type = cast<MemRefType>(from.getType());
  auto flat = RankedTensorType::get(type.getShape(), type.getElementType()),
       wanted = RankedTensorType::get(shapeOf(op.getType()), type.getElementType());
  auto groups = getReassociationIndicesForReshape(flat, wanted);
  if (flat == wanted)
    arrays[op.getResult()] = from;
  else if (!groups)
    return op.emitOpError("expected dimensions that are split or joined in the naive form");
  else if (flat.getRank() < wanted.getRank())
    arrays[op.getResult()] =
        memref::ExpandShapeOp::create(b, loc, wanted.getShape(), from, *groups);
  else
    arrays[op.getResult()] = memref::CollapseShapeOp::create(b, loc, from, *groups);
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions

namespace {
/// The elements of one result in the order in which a layout has them reduced: by thread, and in a
/// thread by register.
struct ReductionOrder {
  ReductionOrder(tile::ReduceOp op) {
    RankedTensorType type = op.getOperand().getType();
    auto layout = cast<tile::LayoutAttr>(type.getEncoding());
    auto take = [&](ArrayRef<tile::LayoutEntry> list, SmallVector<tile::LayoutEntry> &to) {
      llvm::copy_if(list, std::back_inserter(to), [&](tile::LayoutEntry entry) {
        return !entry.isReplicated() && llvm::is_contained(op.getDims(), entry.dim);
      });
    };
    take(layout.getReg(), registerBits);
    take(layout.getLane(), threadBits);
    take(layout.getWarp(), threadBits);
    for (int64_t dim : llvm::reverse(op.getDims()))
      repeats.push_back({dim, layout.getAtom()[dim], type.getDimSize(dim) / layout.getAtom()[dim]});
  }

  int64_t threads() const { return int64_t(1) << threadBits.size(); }
  int64_t registers() const {
    int64_t count = int64_t(1) << registerBits.size();
    for (const Repeat &repeat : repeats)
      count *= repeat.count;
    return count;
  }

  struct Repeat {
    int64_t dim, step, count;
  };
  SmallVector<tile::LayoutEntry> registerBits, threadBits;
  /// From the dimension that changes fastest.
  SmallVector<Repeat> repeats;
};
} // namespace

/// Serial in a thread's registers, then pairs of threads that differ in one bit, from bit 0 on.
void NaiveEmitter::emitReduce(tile::ReduceOp op) {
  ReductionOrder order(op);
  RankedTensorType type = op.getOperand().getType();
  Type element = type.getElementType();
  bool isFloat = isa<FloatType>(element);
  arith::AtomicRMWKind kind;
  switch (op.getKind()) {
  case tile::ReduceKind::Add:
    kind = isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
    break;
  case tile::ReduceKind::Mul:
    kind = isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
    break;
  case tile::ReduceKind::Max:
    kind = isFloat ? arith::AtomicRMWKind::maximumf : arith::AtomicRMWKind::maxs;
    break;
  case tile::ReduceKind::Min:
    kind = isFloat ? arith::AtomicRMWKind::minimumf : arith::AtomicRMWKind::mins;
    break;
  }
  auto combine = [&](Value before, Value after) {
    return arith::getReductionOp(kind, b, loc, before, after);
  };
  Value from = arrayOf(op.getOperand());
  Value parts = allocate({order.threads()}, element);

  // Adds to `at` what the bits of `number` say; what is left of it.
  auto addBits = [&](ArrayRef<tile::LayoutEntry> bits, Value number, MutableArrayRef<Value> at) {
    for (auto [position, entry] : llvm::enumerate(bits)) {
      Value bit = arith::AndIOp::create(
          b, loc, arith::ShRUIOp::create(b, loc, number, index(position)), index(1));
      at[entry.dim] = add(at[entry.dim], arith::MulIOp::create(b, loc, bit, index(entry.step())));
    }
    return arith::ShRUIOp::create(b, loc, number, index(bits.size())).getResult();
  };
  auto read = [&](ValueRange kept, Value thread, Value reg) {
    SmallVector<Value> at;
    size_t next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      at.push_back(llvm::is_contained(op.getDims(), dim) ? index(0) : kept[next++]);
    addBits(order.threadBits, thread, at);
    Value rest = addBits(order.registerBits, reg, at);
    for (const ReductionOrder::Repeat &repeat : order.repeats) {
      Value atom = arith::RemUIOp::create(b, loc, rest, index(repeat.count));
      at[repeat.dim] = add(at[repeat.dim], arith::MulIOp::create(b, loc, atom, index(repeat.step)));
      rest = arith::DivUIOp::create(b, loc, rest, index(repeat.count));
    }
    return load(from, at);
  };
  auto reduceOne = [&](ValueRange kept) {
    forEach({order.threads()}, [&](ValueRange thread) {
      auto loop = scf::ForOp::create(b, loc, index(1), index(order.registers()), index(1),
                                     read(kept, thread[0], index(0)),
                                     [&](OpBuilder &, Location, Value reg, ValueRange sum) {
                                       OpBuilder::InsertionGuard guard(b);
                                       b.setInsertionPointToEnd(reg.getParentBlock());
                                       Value next = combine(sum[0], read(kept, thread[0], reg));
                                       scf::YieldOp::create(b, loc, next);
                                     });
      store(loop.getResult(0), parts, thread);
    });
    for (int64_t step = 1; step < order.threads(); step *= 2) {
      forEach({order.threads() / (2 * step)}, [&](ValueRange pair) {
        Value low = arith::MulIOp::create(b, loc, pair[0], index(2 * step));
        store(combine(load(parts, low), load(parts, add(low, index(step)))), parts, low);
      });
    }
    return load(parts, index(0));
  };
  auto result = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!result) {
    scalars.map(op.getResult(), reduceOne({}));
    return;
  }
  Value to = define(op.getResult());
  forEach(result.getShape(), [&](ValueRange at) { store(reduceOne(at), to, at); });
}

//===----------------------------------------------------------------------===//
// Products

/// Terms are added k ascending, each by one fused multiplication and addition, in the accumulator's
/// type.
void NaiveEmitter::emitDot(tile::DotOp op) {
  Value left = arrayOf(op.getLhs()), right = arrayOf(op.getRhs()), before = arrayOf(op.getAcc()),
        after = define(op.getResult());
  Type element = getElementTypeOrSelf(after);
  int64_t terms = cast<MemRefType>(left.getType()).getDimSize(op.getTransposedLhs() ? 0 : 1);
  auto factor = [&](Value array, Value row, Value k, bool transposed) {
    SmallVector<Value> at{row, k};
    if (transposed)
      std::swap(at[0], at[1]);
    Value value = load(array, at);
    if (value.getType() == element)
      return value;
    return isa<FloatType>(element) ? arith::ExtFOp::create(b, loc, element, value).getResult()
                                   : arith::ExtSIOp::create(b, loc, element, value).getResult();
  };
  forEach(op.getType().getShape(), [&](ValueRange at) {
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(terms), index(1), load(before, at),
        [&](OpBuilder &, Location, Value k, ValueRange sum) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToEnd(k.getParentBlock());
          Value l = factor(left, at[0], k, op.getTransposedLhs());
          Value r = factor(right, at[1], k, op.getTransposedRhs());
          Value next =
              isa<FloatType>(element)
                  ? math::FmaOp::create(b, loc, l, r, sum[0]).getResult()
                  : arith::AddIOp::create(b, loc, sum[0], arith::MulIOp::create(b, loc, l, r))
                        .getResult();
          scf::YieldOp::create(b, loc, next);
        });
    store(loop.getResult(0), after, at);
  });
}

//===----------------------------------------------------------------------===//
// Votes

Value NaiveEmitter::warpOf(Value tile, ValueRange at) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value number = index(0);
  for (auto [bit, entry] : llvm::enumerate(cast<tile::LayoutAttr>(type.getEncoding()).getWarp())) {
    if (entry.isReplicated())
      continue;
    Value is = arith::ShRUIOp::create(b, loc, at[entry.dim], index(entry.bit));
    is = arith::AndIOp::create(b, loc, is, index(1));
    number = add(number, arith::ShLIOp::create(b, loc, is, index(bit)));
  }
  return number;
}

/// 1. The vote of every warp, of the first one of those that hold the same elements.
/// 2. The region is run once, for all; each element is taken from it or from the initial value.
LogicalResult NaiveEmitter::emitWhen(tile::WhenOp op) {
  RankedTensorType type = op.getCondition().getType();
  auto layout = cast<tile::LayoutAttr>(type.getEncoding());
  int64_t warps = layout.getWarps();
  Value voters = index(static_cast<int64_t>(warps - 1) & ~int64_t(layout.getReplicatedWarps()));
  Value votes = allocate({warps}, b.getI1Type()), condition = arrayOf(op.getCondition());
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  forEach({warps}, [&](ValueRange at) { store(no, votes, at); });
  forEach(type.getShape(), [&](ValueRange at) {
    Value warp = warpOf(op.getCondition(), at);
    store(arith::OrIOp::create(b, loc, load(votes, warp), load(condition, at)), votes, warp);
  });
  Block &body = op.getBody().front();
  if (failed(emitBlock(body)))
    return failure();
  loc = op.getLoc();
  auto yield = cast<tile::YieldOp>(body.getTerminator());
  for (auto [initial, yielded, result] :
       llvm::zip_equal(op.getInitial(), yield.getValues(), op.getResults())) {
    Value before = arrayOf(initial), after = arrayOf(yielded), array = define(result);
    forEach(cast<RankedTensorType>(result.getType()).getShape(), [&](ValueRange at) {
      Value warp = arith::AndIOp::create(b, loc, warpOf(result, at), voters);
      Value voted = load(votes, warp);
      store(arith::SelectOp::create(b, loc, voted, load(after, at), load(before, at)), array, at);
    });
  }
  return success();
}

/// The first part's values, and each other part's combined with them.
LogicalResult NaiveEmitter::emitSplit(tile::SplitOp op) {
  auto emitPart = [&](Value part) -> FailureOr<SmallVector<Value>> {
    scalars.map(op.getBody().getArgument(0), part);
    if (failed(emitBlock(op.getBody().front())))
      return failure();
    loc = op.getLoc();
    auto yield = cast<tile::YieldOp>(op.getBody().front().getTerminator());
    return llvm::map_to_vector(yield.getValues(), [&](Value value) { return arrayOf(value); });
  };
  FailureOr<SmallVector<Value>> first = emitPart(index(0));
  if (failed(first))
    return failure();
  for (auto [result, array] : llvm::zip_equal(op.getResults(), *first))
    copyArray(array, define(result));
  auto loop =
      scf::ForOp::create(b, loc, index(1), index(static_cast<int64_t>(op.getCount())), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  FailureOr<SmallVector<Value>> part = emitPart(loop.getInductionVar());
  if (failed(part))
    return failure();
  Block &combine = op.getCombine().front();
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    arrays[combine.getArgument(number)] = arrayOf(result);
    arrays[combine.getArgument(op.getNumResults() + number)] = (*part)[number];
  }
  if (failed(emitBlock(combine)))
    return failure();
  loc = op.getLoc();
  auto yield = cast<tile::YieldOp>(combine.getTerminator());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yield.getValues()))
    copyArray(arrayOf(value), arrayOf(result));
  return success();
}
