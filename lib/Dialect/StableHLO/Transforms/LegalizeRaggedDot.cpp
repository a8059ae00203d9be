// chlo.ragged_dot as a dot_general: a dimension of groups is put in front of an operand, in which
// each group has its own elements and zeros elsewhere. As many products are taken as there are
// groups.
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/RowMasks.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;
using chlo::RaggedDotOp;

namespace {
/// Takes operands of one ragged_dot apart.
class Groups {
public:
  Groups(OpBuilder &builder, RaggedDotOp op) : b(builder), loc(op.getLoc()) {
    // In i64 no sum of sizes wraps.
    RankedTensorType type = op.getGroupSizes().getType();
    sizes = ConvertOp::create(b, loc, type.clone(b.getI64Type()), op.getGroupSizes());
    ends = runningSum(sizes);
    starts = SubtractOp::create(b, loc, ends, sizes);
  }

  /// [g, sizes of x...]: at g the elements of x whose index along `dim` is in group g, else zeros.
  /// The groups are those of the index into the dimensions `prefix` of x.
  Value expand(Value x, int64_t dim, ArrayRef<int64_t> prefix) {
    auto type = cast<RankedTensorType>(x.getType());
    auto groups = cast<RankedTensorType>(sizes.getType());
    SmallVector<int64_t> shape{groups.getShape().back()}, ofX, ofGroups;
    llvm::append_range(shape, type.getShape());
    for (int64_t d = 0; d < type.getRank(); ++d)
      ofX.push_back(d + 1);
    if (groups.getRank() > 1)
      for (int64_t d : prefix)
        ofGroups.push_back(d + 1);
    ofGroups.push_back(0);
    auto whole = RankedTensorType::get(shape, b.getI64Type());
    Value place = IotaOp::create(b, loc, whole, static_cast<uint64_t>(dim + 1));
    Value start = BroadcastInDimOp::create(b, loc, whole, starts, ofGroups);
    Value end = BroadcastInDimOp::create(b, loc, whole, ends, ofGroups);
    Value inside = AndOp::create(b, loc, CompareOp::create(b, loc, start, place, Direction::LE),
                                 CompareOp::create(b, loc, place, end, Direction::LT));
    auto result = RankedTensorType::get(shape, type.getElementType());
    Value elements = BroadcastInDimOp::create(b, loc, result, x, ofX);
    auto select = SelectOp::create(b, loc, result, inside, elements, zeros(result));
    // Sizes are not negative.
    select->setAttr(kDisjointAttr, b.getUnitAttr());
    return select;
  }

private:
  using Direction = ComparisonDirection;

  Value zeros(RankedTensorType type) {
    return ConstantOp::create(b, loc, cast<ElementsAttr>(b.getZeroAttr(type)));
  }

  /// Sums along the last dimension, of each element and those in front of it: as the sums of a
  /// triangle, since there are few groups.
  Value runningSum(Value x) {
    auto type = cast<RankedTensorType>(x.getType());
    int64_t rank = type.getRank();
    SmallVector<int64_t> shape(type.getShape()), dims;
    shape.push_back(shape.back());
    for (int64_t d = 0; d < rank - 1; ++d)
      dims.push_back(d);
    dims.push_back(rank);
    auto square = type.clone(shape);
    Value row = IotaOp::create(b, loc, square, static_cast<uint64_t>(rank - 1));
    Value column = IotaOp::create(b, loc, square, static_cast<uint64_t>(rank));
    Value upTo = CompareOp::create(b, loc, column, row, Direction::LE);
    Value spread = BroadcastInDimOp::create(b, loc, square, x, dims);
    Value terms = SelectOp::create(b, loc, square, upTo, spread, zeros(square));
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto sum = ReduceOp::create(b, loc, TypeRange{type}, ValueRange{terms},
                                ValueRange{zeros(scalar)}, b.getDenseI64ArrayAttr({rank}));
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&sum.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value added = AddOp::create(b, loc, body->getArgument(0), body->getArgument(1));
    ReturnOp::create(b, loc, added);
    return sum.getResult(0);
  }

  OpBuilder &b;
  Location loc;
  Value sizes, starts, ends;
};

struct RaggedDotPattern : OpRewritePattern<RaggedDotOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RaggedDotOp op, PatternRewriter &rewriter) const override {
    chlo::RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
    Value lhs = op.getLhs(), rhs = op.getRhs();
    SmallVector<int64_t> lhsBatch(dims.getLhsBatchingDimensions()),
        rhsBatch(dims.getRhsBatchingDimensions()), lhsSum(dims.getLhsContractingDimensions()),
        rhsSum(dims.getRhsContractingDimensions());
    RaggedDotOp::Kind kind = op.getKind();
    if (kind != RaggedDotOp::Kind::Batching) {
      Groups groups(rewriter, op);
      lhs = groups.expand(lhs, op.getLhsRaggedDimension(), op.getLhsPrefix());
      behindGroups(lhsBatch, lhsSum);
      if (kind == RaggedDotOp::Kind::Free) {
        // Of every row one group alone is not zero: the sum over all takes that one.
        lhsSum.push_back(0);
        rhsSum.push_back(dims.getRhsGroupDimensions().front());
      } else {
        rhs = groups.expand(rhs, op.getRhsRaggedDimension(), op.getRhsPrefix());
        behindGroups(rhsBatch, rhsSum);
        lhsBatch.insert(lhsBatch.begin(), 0);
        rhsBatch.insert(rhsBatch.begin(), 0);
      }
    }
    auto numbers =
        DotDimensionNumbersAttr::get(op.getContext(), lhsBatch, rhsBatch, lhsSum, rhsSum);
    OperationState state(op.getLoc(), DotGeneralOp::getOperationName());
    state.addOperands({lhs, rhs});
    state.addTypes(op.getType());
    state.addAttribute("dot_dimension_numbers", numbers);
    if (std::optional<ArrayAttr> precision = op.getPrecisionConfig())
      state.addAttribute("precision_config", toStableHLO(*precision));
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }

private:
  /// Dimensions of an operand that has the groups in front.
  static void behindGroups(SmallVector<int64_t> &batch, SmallVector<int64_t> &sum) {
    for (SmallVector<int64_t> *dims : {&batch, &sum})
      for (int64_t &dim : *dims)
        ++dim;
  }

  static ArrayAttr toStableHLO(ArrayAttr precision) {
    SmallVector<Attribute> entries;
    for (auto entry : precision.getAsRange<chlo::PrecisionAttr>())
      entries.push_back(PrecisionAttr::get(precision.getContext(), entry.getValue()));
    return ArrayAttr::get(precision.getContext(), entries);
  }
};
} // namespace

void forge::populateLegalizeRaggedDotPatterns(RewritePatternSet &patterns) {
  patterns.add<RaggedDotPattern>(patterns.getContext());
}
