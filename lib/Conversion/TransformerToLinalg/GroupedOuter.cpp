// Sums of outer products of rows, group by group.
#include "Emit.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// A loop over the groups, which carries the result:
/// 1. The group's rows: by its size, from the row at which the one before ended; or by its
///    positions. Both held inside the rows there are.
/// 2. A product of those slices of both operands, the left one transposed.
/// 3. The product goes into the result, whose matrices are all written.
/// With positions groups may overlap, and the last one counts: the loop runs from the last group to
/// the first, and carries both operands, in which rows become zero once they have counted.
class GroupedOuterLowering {
public:
  GroupedOuterLowering(ImplicitLocOpBuilder &b, GroupedOuterOp op)
      : b(b), op(op), zero(arith::ConstantIndexOp::create(b, 0)),
        one(arith::ConstantIndexOp::create(b, 1)) {}

  Value run() {
    rows = tensor::DimOp::create(b, op.getLhs(), 0);
    Value positions = tensor::DimOp::create(b, op.getGroups(), 0);
    count = op.getOffsets() ? Value(arith::SubIOp::create(b, positions, one)) : positions;
    assertShapes();
    sizes = {ShapedType::isDynamic(op.getNumGroups()) ? OpFoldResult(count)
                                                      : b.getIndexAttr(op.getNumGroups()),
             sizesOf(b, op.getLhs())[1], sizesOf(b, op.getRhs())[1]};
    Value empty = tensor::EmptyOp::create(b, sizes, op.getResult().getType().getElementType());
    SmallVector<Value> carried = {empty};
    if (op.getOffsets())
      carried.append({op.getLhs(), op.getRhs()});
    else
      carried.push_back(zero);
    auto loop = scf::ForOp::create(
        b, zero, count, one, carried,
        [&](OpBuilder &builder, Location loc, Value trip, ValueRange values) {
          ImplicitLocOpBuilder inner(loc, builder);
          scf::YieldOp::create(inner, op.getOffsets() ? emitOverlapping(inner, trip, values)
                                                      : emitNext(inner, trip, values));
        });
    return loop.getResult(0);
  }

private:
  /// Ends the run where `groups` does not have the size that the result declares, or no position at
  /// all.
  void assertShapes() {
    if (!op.getGroups().getType().isDynamicDim(0))
      return;
    bool isKnown = !ShapedType::isDynamic(op.getNumGroups());
    Value expected = arith::ConstantIndexOp::create(b, isKnown ? op.getNumGroups() : 0);
    auto predicate = isKnown ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    createRuntimeAssert(b, b.getLoc(), arith::CmpIOp::create(b, predicate, count, expected),
                        isKnown ? "grouped_outer: expected {1} groups, but got {0}"
                                : "grouped_outer: expected {1} groups or more, but got {0}",
                        {count, expected});
  }

  Value at(ImplicitLocOpBuilder &inner, Value index) {
    Value number = tensor::ExtractOp::create(inner, op.getGroups(), index);
    return arith::IndexCastOp::create(inner, inner.getIndexType(), number);
  }

  /// clamp(value, low, high)
  static Value held(ImplicitLocOpBuilder &inner, Value value, Value low, Value high) {
    return arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, value, low), high);
  }

  /// `values` are the result and the row at which the group begins.
  SmallVector<Value> emitNext(ImplicitLocOpBuilder &inner, Value group, ValueRange values) {
    Value begin = values[1], left = arith::SubIOp::create(inner, rows, begin);
    Value size = held(inner, at(inner, group), zero, left);
    Value result =
        emitProduct(inner, values[0], group, slice(inner, op.getLhs(), begin, size).getResult(),
                    slice(inner, op.getRhs(), begin, size).getResult());
    return {result, arith::AddIOp::create(inner, begin, size)};
  }

  /// `values` are the result and both operands, without the rows of the groups so far.
  SmallVector<Value> emitOverlapping(ImplicitLocOpBuilder &inner, Value trip, ValueRange values) {
    Value next = arith::SubIOp::create(inner, count, trip);
    Value group = arith::SubIOp::create(inner, next, one);
    Value begin = held(inner, at(inner, group), zero, rows);
    Value size = arith::SubIOp::create(inner, held(inner, at(inner, next), begin, rows), begin);
    SmallVector<Value> parts, left;
    for (Value operand : values.drop_front()) {
      auto part = slice(inner, operand, begin, size);
      parts.push_back(part);
      Sizes shape = part.getMixedSizes();
      Value zeros = emitFilled(inner, shape, getElementTypeOrSelf(operand.getType()), 0.0);
      left.push_back(tensor::InsertSliceOp::create(inner, zeros, operand, part.getMixedOffsets(),
                                                   shape, part.getMixedStrides()));
    }
    return {emitProduct(inner, values[0], group, parts[0], parts[1]), left[0], left[1]};
  }

  /// The product of a group's rows, inserted into `result`.
  Value emitProduct(ImplicitLocOpBuilder &inner, Value result, Value group, Value lhs, Value rhs) {
    auto product = MatmulOp::create(inner, lhs, rhs, /*transposeLhs=*/true,
                                    /*transposeRhs=*/false);
    product.setAccumulateAttr(op.getAccumulateAttr());
    OpFoldResult none = inner.getIndexAttr(0), single = inner.getIndexAttr(1);
    return tensor::InsertSliceOp::create(inner, product, result, Sizes{group, none, none},
                                         Sizes{single, sizes[1], sizes[2]}, Sizes(3, single));
  }

  static tensor::ExtractSliceOp slice(ImplicitLocOpBuilder &inner, Value rows, Value begin,
                                      Value size) {
    return tensor::ExtractSliceOp::create(inner, rows, Sizes{begin, inner.getIndexAttr(0)},
                                          Sizes{size, sizesOf(inner, rows)[1]},
                                          Sizes(2, inner.getIndexAttr(1)));
  }

  ImplicitLocOpBuilder &b;
  GroupedOuterOp op;
  Value zero, one, rows, count;
  Sizes sizes;
};

} // namespace

void populateGroupedOuterPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWith<GroupedOuterOp, GroupedOuterLowering>>(patterns.getContext());
}

} // namespace forge
