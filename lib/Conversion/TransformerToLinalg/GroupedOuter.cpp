// Sums of outer products of rows, group by group.
#include "Emit.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// A loop over the groups, which carries the result and the row at which the group begins:
/// 1. The group's rows: its size, held inside the rows there are.
/// 2. A product of those slices of both operands, the left one transposed.
/// 3. The product goes into the result, whose matrices are all written.
class GroupedOuterLowering {
public:
  GroupedOuterLowering(ImplicitLocOpBuilder &b, GroupedOuterOp op) : b(b), op(op) {}

  Value run() {
    Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
    Value rows = tensor::DimOp::create(b, op.getLhs(), 0);
    Sizes sizes = {sizesOf(b, op.getGroups())[0], sizesOf(b, op.getLhs())[1],
                   sizesOf(b, op.getRhs())[1]};
    Value empty = tensor::EmptyOp::create(b, sizes, op.getResult().getType().getElementType());
    Value groups = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[0]);
    auto loop = scf::ForOp::create(
        b, zero, groups, one, ValueRange{empty, zero},
        [&](OpBuilder &builder, Location loc, Value group, ValueRange carried) {
          ImplicitLocOpBuilder inner(loc, builder);
          Value begin = carried[1],
                number = tensor::ExtractOp::create(inner, op.getGroups(), group);
          Value size = arith::IndexCastOp::create(inner, inner.getIndexType(), number);
          size = arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, size, zero),
                                        Value(arith::SubIOp::create(inner, rows, begin)));
          Value product = MatmulOp::create(inner, slice(inner, op.getLhs(), begin, size),
                                           slice(inner, op.getRhs(), begin, size),
                                           /*transposeLhs=*/true, /*transposeRhs=*/false);
          product.getDefiningOp<MatmulOp>().setAccumulateAttr(op.getAccumulateAttr());
          OpFoldResult none = inner.getIndexAttr(0), single = inner.getIndexAttr(1);
          Value result =
              tensor::InsertSliceOp::create(inner, product, carried[0], Sizes{group, none, none},
                                            Sizes{single, sizes[1], sizes[2]}, Sizes(3, single));
          scf::YieldOp::create(inner,
                               ValueRange{result, arith::AddIOp::create(inner, begin, size)});
        });
    return loop.getResult(0);
  }

private:
  static Value slice(ImplicitLocOpBuilder &inner, Value rows, Value begin, Value size) {
    return tensor::ExtractSliceOp::create(inner, rows, Sizes{begin, inner.getIndexAttr(0)},
                                          Sizes{size, sizesOf(inner, rows)[1]},
                                          Sizes(2, inner.getIndexAttr(1)));
  }

  ImplicitLocOpBuilder &b;
  GroupedOuterOp op;
};

struct LowerGroupedOuter : OpRewritePattern<GroupedOuterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupedOuterOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result = GroupedOuterLowering(b, op).run();
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateGroupedOuterPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerGroupedOuter>(patterns.getContext());
}

} // namespace forge
