#include "Emission.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge::contraction {

static std::optional<unsigned> positionOf(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

static MemRefType operandType(linalg::LinalgOp op, unsigned operand) {
  return cast<MemRefType>(op->getOperand(operand).getType());
}

/// The stride of `loop` in an operand: 0 without it, kDynamic if unknown. In windows it may move in
/// several dimensions.
static int64_t staticStride(linalg::LinalgOp op, unsigned operand, unsigned loop) {
  int64_t total = 0;
  auto strides = operandType(op, operand).getStridesAndOffset().first;
  for (auto [index, stride] :
       llvm::zip_equal(op.getIndexingMapsArray()[operand].getResults(), strides)) {
    int64_t factor = *factorOf(index, loop);
    if (factor != 0 && ShapedType::isDynamic(stride))
      return stride;
    total += factor == 0 ? 0 : factor * stride;
  }
  return total;
}

/// Whether a step of `outer` equals a full turn of `inner` in every operand that has them.
static bool joins(linalg::LinalgOp op, unsigned outer, unsigned inner) {
  int64_t innerSize = op.getStaticLoopRanges()[inner];
  for (unsigned operand = 0; operand < 3; ++operand) {
    AffineMap map = op.getIndexingMapsArray()[operand];
    if (!map.isFunctionOfDim(outer) && !map.isFunctionOfDim(inner))
      continue;
    auto p = positionOf(map, outer), q = positionOf(map, inner);
    if (p && q && operandType(op, operand).getLayout().isIdentity() && *p + 1 == *q)
      continue;
    int64_t step = staticStride(op, operand, outer), turn = staticStride(op, operand, inner);
    if (ShapedType::isDynamic(step) || ShapedType::isDynamic(turn) ||
        ShapedType::isDynamic(innerSize) || step != turn * innerSize)
      return false;
  }
  return true;
}

/// Loops of one role, in the order they have in `operand` (where that is read by windows, in the
/// other input), joined where they act as one. Loops of one iteration are dropped.
static SmallVector<SmallVector<unsigned>> joinAll(linalg::LinalgOp op, ArrayRef<unsigned> loops,
                                                  unsigned operand) {
  SmallVector<unsigned> sorted;
  for (unsigned loop : loops)
    if (op.getStaticLoopRanges()[loop] != 1)
      sorted.push_back(loop);
  AffineMap map = op.getIndexingMapsArray()[operand];
  if (!map.isProjectedPermutation())
    map = op.getIndexingMapsArray()[1 - operand];
  llvm::sort(sorted,
             [&](unsigned x, unsigned y) { return *positionOf(map, x) < *positionOf(map, y); });
  SmallVector<SmallVector<unsigned>> groups;
  for (unsigned loop : sorted) {
    if (!groups.empty() && joins(op, groups.back().back(), loop))
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  }
  return groups;
}

static int64_t staticSize(linalg::LinalgOp op, ArrayRef<unsigned> group) {
  int64_t size = 1;
  for (unsigned loop : group) {
    int64_t range = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(range))
      return range;
    size *= range;
  }
  return size;
}

/// Takes out of `groups` the one that works best as the only loop of its role: one that is
/// contiguous in `operand`, otherwise the greatest (unknown sizes count as great), the innermost of
/// equal ones.
static SmallVector<unsigned>
takeBest(linalg::LinalgOp op, SmallVector<SmallVector<unsigned>> &groups, unsigned operand) {
  if (groups.empty())
    return {};
  auto rank = [&](ArrayRef<unsigned> group) {
    int64_t size = staticSize(op, group);
    bool contiguous = staticStride(op, operand, group.back()) == 1;
    return std::pair(contiguous && (ShapedType::isDynamic(size) || size >= 8),
                     ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max() : size);
  };
  auto *best = groups.begin();
  for (auto *group = groups.begin(); group != groups.end(); ++group)
    if (rank(*best) <= rank(*group))
      best = group;
  SmallVector<unsigned> taken = *best;
  groups.erase(best);
  return taken;
}

LoopGroups groupLoops(linalg::LinalgOp op, const ContractionLoops &loops) {
  LoopGroups result;
  result.batch = joinAll(op, loops.batch, 2);
  auto m = joinAll(op, loops.m, 2), n = joinAll(op, loops.n, 2), k = joinAll(op, loops.k, 0);
  result.m = takeBest(op, m, 2);
  result.n = takeBest(op, n, 2);
  result.k = takeBest(op, k, 0);
  result.batch.append(m.begin(), m.end());
  result.batch.append(n.begin(), n.end());
  result.outerK = k;
  return result;
}

static StaticLoop staticLoop(linalg::LinalgOp op, ArrayRef<unsigned> group) {
  if (group.empty())
    return {1, 1, 1, 1};
  unsigned inner = group.back();
  return {staticSize(op, group), staticStride(op, 0, inner), staticStride(op, 1, inner),
          staticStride(op, 2, inner)};
}

StaticProblem analyzeStatically(linalg::LinalgOp op, const LoopGroups &groups) {
  StaticProblem problem;
  for (auto &group : groups.batch)
    problem.batch.push_back(staticLoop(op, group));
  for (auto &group : groups.outerK)
    problem.outerK.push_back(staticLoop(op, group));
  problem.m = staticLoop(op, groups.m);
  problem.n = staticLoop(op, groups.n);
  problem.k = staticLoop(op, groups.k);
  problem.input = getElementTypeOrSelf(op->getOperand(0));
  problem.accumulator = getElementTypeOrSelf(op->getOperand(2));
  return problem;
}

namespace {
/// An operand's metadata as Index values.
struct Layout {
  Flat flat;
  SmallVector<Index> sizes, strides;
};
} // namespace

static Layout readLayout(IndexBuilder &ib, Value operand) {
  auto type = cast<MemRefType>(operand.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  auto metadata = ib.make<memref::ExtractStridedMetadataOp>(operand);
  auto known = [&](int64_t number, Value value) {
    return ShapedType::isDynamic(number) ? ib.of(value) : ib.of(number);
  };
  Layout layout;
  layout.flat.base = known(offset, metadata.getOffset());
  Index last = layout.flat.base;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    layout.sizes.push_back(known(type.getDimSize(i), metadata.getSizes()[i]));
    layout.strides.push_back(known(strides[i], metadata.getStrides()[i]));
    last = ib.add(last, ib.mul(ib.sub(layout.sizes[i], ib.of(1)), layout.strides[i]));
  }
  Index count = ib.add(last, 1);
  auto flatType = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
  layout.flat.view = ib.make<memref::ReinterpretCastOp>(
      flatType, metadata.getBaseBuffer(), OpFoldResult(ib.b.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{ib.value(count)},
      ArrayRef<OpFoldResult>{OpFoldResult(ib.b.getIndexAttr(1))});
  return layout;
}

Problem buildProblem(IndexBuilder &ib, linalg::LinalgOp op, const LoopGroups &groups,
                     ValueRange operands) {
  SmallVector<Layout> layouts;
  for (Value operand : operands)
    layouts.push_back(readLayout(ib, operand));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto sizeOf = [&](unsigned loop) {
    for (unsigned operand = 0; operand < 3; ++operand)
      if (auto position = positionOf(maps[operand], loop))
        return layouts[operand].sizes[*position];
    return ib.of(1);
  };
  auto strideOf = [&](unsigned operand, unsigned loop) {
    Index total = ib.of(0);
    for (auto [index, stride] :
         llvm::zip_equal(maps[operand].getResults(), layouts[operand].strides))
      total = ib.add(total, ib.mul(stride, *factorOf(index, loop)));
    return total;
  };
  auto loopOf = [&](ArrayRef<unsigned> group) -> Loop {
    if (group.empty())
      return {ib.of(1), ib.of(1), ib.of(1), ib.of(1)};
    Index size = ib.of(1);
    for (unsigned loop : group)
      size = ib.mul(size, sizeOf(loop));
    unsigned inner = group.back();
    return {size, strideOf(0, inner), strideOf(1, inner), strideOf(2, inner)};
  };
  Problem problem;
  problem.a = layouts[0].flat;
  problem.b = layouts[1].flat;
  problem.c = layouts[2].flat;
  for (auto &group : groups.batch)
    problem.batch.push_back(loopOf(group));
  for (auto &group : groups.outerK)
    problem.outerK.push_back(loopOf(group));
  problem.m = loopOf(groups.m);
  problem.n = loopOf(groups.n);
  problem.k = loopOf(groups.k);
  problem.input = getElementTypeOrSelf(operands[0]);
  problem.accumulator = getElementTypeOrSelf(operands[2]);
  return problem;
}

/// Whether A is not what the kernels of made factors read: f32, contiguous along k.
static bool isCopied(const MadeProduct &product) {
  auto op = cast<linalg::LinalgOp>(product.op.getOperation());
  return getElementTypeOrSelf(op->getOperand(product.plain)) !=
             getElementTypeOrSelf(op.getDpsInits()[0]) ||
         staticStride(op, product.plain, product.k) != 1;
}

static StaticLoop staticLoop(const MadeProduct &product, int64_t loop) {
  if (loop < 0)
    return {1, 1, 1, 1};
  auto op = cast<linalg::LinalgOp>(product.op.getOperation());
  unsigned c = op->getNumOperands() - 1;
  return {product.size(loop), staticStride(op, product.plain, loop), 0, staticStride(op, c, loop)};
}

StaticProblem analyzeStatically(const MadeProduct &product) {
  StaticProblem problem;
  problem.input = problem.accumulator = getElementTypeOrSelf(product.element);
  problem.m = staticLoop(product, product.m);
  problem.n = staticLoop(product, product.n);
  problem.k = staticLoop(product, product.k);
  problem.n.strideB = problem.k.size;
  problem.k.strideB = 1;
  if (isCopied(product)) {
    problem.m.strideA = problem.k.size;
    problem.k.strideA = 1;
  }
  return problem;
}

/// Copies A, as f32, to memory of its own: rows that are contiguous along k.
static Value copyRows(IndexBuilder &ib, const Problem &p, bool parallel) {
  constexpr int64_t lanes = 8;
  auto type = MemRefType::get({ShapedType::kDynamic}, p.accumulator);
  Index count = ib.mul(p.m.size, p.k.size);
  Value copy =
      ib.make<memref::AllocOp>(type, ValueRange{ib.value(count)}, ib.b.getI64IntegerAttr(64));
  Type element = cast<MemRefType>(p.a.view.getType()).getElementType();
  bool isVector = p.k.strideA.is(1) && *p.k.size.number % lanes == 0;
  ib.parallelLoop(p.m.size, parallel, [&](Index m) {
    ib.loop(ib.of(0), p.k.size, isVector ? lanes : 1, [&](Index k) {
      Index from = ib.add(p.a.base, ib.add(ib.mul(m, p.m.strideA), ib.mul(k, p.k.strideA)));
      Index to = ib.add(ib.mul(m, p.k.size), k);
      if (isVector)
        storeVector(ib,
                    widen(ib, loadVector(ib, VectorType::get({lanes}, element), p.a.view, from),
                          p.accumulator),
                    copy, to);
      else
        storeScalar(ib, widen(ib, loadScalar(ib, p.a.view, from), p.accumulator), copy, to);
    });
  });
  return copy;
}

Problem buildProblem(IndexBuilder &ib, const MadeProduct &product, ValueRange operands,
                     bool parallel, Value &copied) {
  linalg::GenericOp op = product.op;
  Problem problem;
  problem.made = &product;
  SmallVector<Value> memory(op->getOperands());
  memory.append(product.captured);
  for (auto [value, argument] : llvm::zip_equal(memory, operands))
    problem.memory.map(value, argument);
  unsigned c = op->getNumOperands() - 1;
  Layout layoutA = readLayout(ib, operands[product.plain]), layoutC = readLayout(ib, operands[c]);
  problem.a = layoutA.flat;
  problem.b = {Value(), ib.of(0)};
  problem.c = layoutC.flat;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto strideOf = [&](const Layout &layout, AffineMap map, int64_t loop) {
    auto position = positionOf(map, loop);
    return position ? layout.strides[*position] : ib.of(0);
  };
  auto loopOf = [&](int64_t loop) -> Loop {
    if (loop < 0)
      return {ib.of(1), ib.of(1), ib.of(1), ib.of(1)};
    return {ib.of(product.size(loop)), strideOf(layoutA, maps[product.plain], loop), ib.of(0),
            strideOf(layoutC, maps[c], loop)};
  };
  problem.m = loopOf(product.m);
  problem.n = loopOf(product.n);
  problem.k = loopOf(product.k);
  problem.n.strideB = problem.k.size;
  problem.k.strideB = ib.of(1);
  problem.input = problem.accumulator = getElementTypeOrSelf(product.element);
  if (isCopied(product)) {
    copied = copyRows(ib, problem, parallel);
    problem.a = {copied, ib.of(0)};
    problem.m.strideA = problem.k.size;
    problem.k.strideA = ib.of(1);
  }
  return problem;
}

void StaticProblem::swapOperands() {
  std::swap(m, n);
  for (auto *loops : {&batch, &outerK})
    for (StaticLoop &loop : *loops)
      std::swap(loop.strideA, loop.strideB);
  for (StaticLoop *loop : {&m, &n, &k})
    std::swap(loop->strideA, loop->strideB);
}

void Problem::swapOperands() {
  std::swap(a, b);
  std::swap(m, n);
  for (auto *loops : {&batch, &outerK})
    for (Loop &loop : *loops)
      std::swap(loop.strideA, loop.strideB);
  for (Loop *loop : {&m, &n, &k})
    std::swap(loop->strideA, loop->strideB);
}

} // namespace forge::contraction
