// The running reduction of a tree, a line at a time, in the tree's order.
#include "ScanTree.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/IndexBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Elements of a group, at most: they are combined in registers.
static constexpr int64_t kMostOfGroup = 32;

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

using Tuple = SmallVector<Value>;

namespace {
/// The combination of two tuples of scalars.
class Combination {
public:
  Combination(IndexBuilder ib, const ScanTree &tree, const Tuple &left, const Tuple &right)
      : ib(ib), tree(tree), left(left), right(right) {}

  Value of(unsigned part) { return of(tree.combines[part], tree.combines[part].root); }

private:
  Value of(const ScanCombine &combine, Value value) {
    if (auto leaf = combine.leaves.find(value); leaf != combine.leaves.end())
      return (leaf->second.isRight ? right : left)[leaf->second.part];
    if (Value known = scalars.lookup(value))
      return known;
    Value scalar;
    if (Attribute splat = scanSplatOf(value)) {
      scalar = arith::ConstantOp::create(ib.b, ib.loc, cast<TypedAttr>(splat));
    } else {
      Operation *op = value.getDefiningOp();
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(of(combine, operand));
      if (llvm::is_contained(operands, Value()))
        return {};
      scalar = emitScalarOp(ib.b, op, operands);
    }
    return scalars[value] = scalar;
  }

  IndexBuilder ib;
  const ScanTree &tree;
  const Tuple &left, &right;
  DenseMap<Value, Value> scalars;
};

// With c = m * 2^j, m odd, the tree computes the running reduction of the first c elements of that
// of the first c - 2^j and the sum of the 2^j in between, which is that of two halves of these. So:
//
// 1. A line is taken in groups of up to 32 elements. The sums of 2, 4, 8 ... neighbours of a group
//    are computed in registers, then the running reductions, from that of all groups before.
// 2. Of groups a thread keeps, in memory of its own, the last sum of 2^k that waits for its other
//    half (`sums`), and the running reduction of the last number of groups that 2^k divides and
//    2^(k+1) does not (`wholes`).
class LineEmitter {
public:
  LineEmitter(OpBuilder &b, Location loc, const ScanTree &tree) : tree(tree), outer{b, loc} {
    for (auto [part, result] : tree.results)
      parts.push_back(part);
    // Two or more: one step would not be a loop.
    group = std::min<int64_t>(kMostOfGroup, llvm::bit_floor(static_cast<uint64_t>(tree.size) / 2));
    // Lines of other lengths have a rest.
    int64_t dividing = int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(tree.size));
    if (dividing >= kFewestOfGroup)
      group = std::min(group, dividing);
    groups = tree.size / group;
  }

  SmallVector<Value> emit() {
    SmallVector<Value> sizes, tensors;
    for (auto [dim, size] : llvm::enumerate(tensorType(tree.inputs.front()).getShape()))
      if (static_cast<int64_t>(dim) != tree.dim)
        sizes.push_back(outer.constant(size));
    for (auto [part, result] : tree.results)
      tensors.push_back(tensor::EmptyOp::create(outer.b, outer.loc, tensorType(result).getShape(),
                                                tensorType(result).getElementType()));
    return outer.independentLoops(sizes, tensors,
                                  [&](IndexBuilder ib, ValueRange coordinates, ValueRange values) {
                                    return emitLine(ib, coordinates, values);
                                  });
  }

private:
  static constexpr int64_t kFewestOfGroup = 4;

  Type elementOf(unsigned part) const { return getElementTypeOrSelf(tree.inputs[part].getType()); }

  Tuple combine(IndexBuilder ib, const Tuple &left, const Tuple &right) {
    Combination both(ib, tree, left, right);
    Tuple result;
    for (unsigned part = 0; part < tree.inputs.size(); ++part)
      result.push_back(both.of(part));
    return result;
  }

  /// Of the parts that have results; the others are null.
  Tuple combineResults(IndexBuilder ib, const Tuple &left, const Tuple &right) {
    Combination both(ib, tree, left, right);
    Tuple result(tree.inputs.size());
    for (unsigned part : parts)
      result[part] = both.of(part);
    return result;
  }

  Tuple spread(ValueRange values) const {
    Tuple tuple(tree.inputs.size());
    for (auto [part, value] : llvm::zip_equal(parts, values))
      tuple[part] = value;
    return tuple;
  }

  SmallVector<Value> gather(const Tuple &tuple) const {
    return llvm::map_to_vector(parts, [&](unsigned part) { return tuple[part]; });
  }

  /// What the loop over groups carries: running reductions, sums, wholes, results.
  struct Carried {
    SmallVector<Value> before, sums, wholes, tensors;

    SmallVector<Value> all() const {
      SmallVector<Value> values(before);
      llvm::append_range(values, sums);
      llvm::append_range(values, wholes);
      llvm::append_range(values, tensors);
      return values;
    }
  };

  Carried take(ValueRange values) const {
    size_t few = parts.size(), waiting = tree.inputs.size();
    Carried carried;
    carried.before = SmallVector<Value>(values.take_front(few));
    carried.sums = SmallVector<Value>(values.slice(few, waiting));
    carried.wholes = SmallVector<Value>(values.slice(few + waiting, few));
    carried.tensors = SmallVector<Value>(values.drop_front(2 * few + waiting));
    return carried;
  }

  SmallVector<Value> emitLine(IndexBuilder ib, ValueRange coordinates, ValueRange tensors) {
    Carried carried;
    int64_t levels = llvm::Log2_64(groups) + 1;
    auto empty = [&](unsigned part) -> Value {
      return tensor::EmptyOp::create(ib.b, ib.loc, {levels}, elementOf(part));
    };
    for (unsigned part : parts) {
      carried.before.push_back(
          arith::ConstantOp::create(ib.b, ib.loc, ib.b.getZeroAttr(elementOf(part))));
      carried.wholes.push_back(empty(part));
    }
    for (unsigned part = 0; part < tree.inputs.size(); ++part)
      carried.sums.push_back(empty(part));
    carried.tensors = SmallVector<Value>(tensors);
    SmallVector<Value> done = ib.loops(ib.constant(groups), carried.all(),
                                       [&](IndexBuilder in, ValueRange counter, ValueRange values) {
                                         Carried now = take(values);
                                         emitGroup(in, coordinates, counter[0], group, now);
                                         return now.all();
                                       });
    done.back().getDefiningOp()->setAttr("forge.scan", ib.b.getUnitAttr());
    carried = take(done);
    if (int64_t rest = tree.size % group)
      emitGroup(ib, coordinates, ib.constant(groups), rest, carried);
    return carried.tensors;
  }

  /// Group `number`, of `size` elements; a shorter one is the last.
  void emitGroup(IndexBuilder ib, ValueRange coordinates, Value number, int64_t size,
                 Carried &carried) {
    // 1. Elements, and sums of neighbours.
    SmallVector<SmallVector<Value>> positions;
    SmallVector<SmallVector<Tuple>> sums(1);
    Value first = ib.mul(number, group);
    for (int64_t i = 0; i < size; ++i) {
      SmallVector<Value> position(coordinates);
      position.insert(position.begin() + tree.dim, ib.add(first, i));
      Tuple elements;
      for (Value input : tree.inputs)
        elements.push_back(ib.read(input, position));
      positions.push_back(std::move(position));
      sums[0].push_back(std::move(elements));
    }
    while (sums.back().size() > 1) {
      SmallVector<Tuple> next;
      for (size_t i = 0; i + 1 < sums.back().size(); i += 2)
        next.push_back(combine(ib, sums.back()[i], sums.back()[i + 1]));
      sums.push_back(std::move(next));
    }
    // 2. Running reductions.
    Value isFirst =
        arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::eq, number, ib.constant(0));
    Tuple before = spread(carried.before);
    SmallVector<Tuple> wholes;
    for (int64_t count = 1; count <= size; ++count) {
      int64_t level = llvm::countr_zero(static_cast<uint64_t>(count));
      int64_t rest = count - (int64_t(1) << level);
      const Tuple &sum = sums[level][(count >> level) - 1];
      if (rest > 0)
        wholes.push_back(combineResults(ib, wholes[rest - 1], sum));
      else if (count == group)
        wholes.push_back(emitWhole(ib, number, sum, carried));
      else
        wholes.push_back(orAlone(ib, isFirst, combineResults(ib, before, sum), sum));
    }
    // 3. Results.
    for (auto [position, whole] : llvm::zip_equal(positions, wholes))
      for (auto [tensor, value] : llvm::zip_equal(carried.tensors, gather(whole)))
        tensor = ib.write(value, tensor, position);
    carried.before = gather(wholes.back());
  }

  Tuple orAlone(IndexBuilder ib, Value isAlone, const Tuple &joined, const Tuple &alone) {
    Tuple chosen(joined.size());
    for (unsigned part : parts)
      chosen[part] = ib.select(isAlone, alone[part], joined[part]);
    return chosen;
  }

  /// The number of zeros below the lowest one.
  static Value lowestBit(IndexBuilder ib, Value count) {
    Value bits = arith::IndexCastOp::create(ib.b, ib.loc, ib.b.getI32Type(), count);
    Value zeros = math::CountTrailingZerosOp::create(ib.b, ib.loc, bits);
    return arith::IndexCastOp::create(ib.b, ib.loc, ib.b.getIndexType(), zeros);
  }

  /// The running reduction of all groups up to `number`, of which `sum` is the last one's.
  Tuple emitWhole(IndexBuilder ib, Value number, const Tuple &sum, Carried &carried) {
    Value count = ib.add(number, 1);
    Value level = lowestBit(ib, count);
    Tuple whole = ib.loops(level, sum, [&](IndexBuilder in, ValueRange at, ValueRange values) {
      Tuple left;
      for (Value waiting : carried.sums)
        left.push_back(in.read(waiting, at));
      return combine(in, left, Tuple(values));
    });
    for (auto [waiting, value] : llvm::zip_equal(carried.sums, whole))
      waiting = ib.write(value, waiting, level);
    Value rest = arith::AndIOp::create(ib.b, ib.loc, count, number);
    Value isAlone =
        arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::eq, rest, ib.constant(0));
    // There is one that is read for nothing: there may be no group before these.
    Value place = ib.select(isAlone, ib.constant(0), lowestBit(ib, rest));
    SmallVector<Value> left;
    for (Value kept : carried.wholes)
      left.push_back(ib.read(kept, place));
    Tuple result = orAlone(ib, isAlone, combineResults(ib, spread(left), whole), whole);
    for (auto [kept, value] : llvm::zip_equal(carried.wholes, gather(result)))
      kept = ib.write(value, kept, level);
    return result;
  }

  const ScanTree &tree;
  IndexBuilder outer;
  /// Those that have results.
  SmallVector<unsigned> parts;
  int64_t group, groups;
};
} // namespace

bool forge::hasScalarForm(const ScanTree &tree) {
  Block block;
  Tuple left, right;
  for (Value input : tree.inputs)
    for (Tuple *tuple : {&left, &right})
      tuple->push_back(block.addArgument(getElementTypeOrSelf(input.getType()), input.getLoc()));
  OpBuilder builder(tree.inputs.front().getContext());
  builder.setInsertionPointToEnd(&block);
  Combination both({builder, tree.inputs.front().getLoc()}, tree, left, right);
  for (unsigned part = 0; part < tree.inputs.size(); ++part)
    if (!both.of(part))
      return false;
  return true;
}

SmallVector<Value> forge::emitScanLoops(OpBuilder &builder, Location loc, const ScanTree &tree) {
  return LineEmitter(builder, loc, tree).emit();
}
