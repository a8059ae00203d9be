// triangular_solve and cholesky: plain loops in place, in f32 for narrow floats, or loops that the
// threads of a block share.
#include "BlockSolve.h"
#include "ScalarBuilder.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::CholeskyOp;
using stablehlo::TriangularSolveOp;

SmallVector<Value> forge::getBatchSizes(OpBuilder &builder, Location loc, Value tensor) {
  SmallVector<Value> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim + 2 < rank; ++dim)
    sizes.push_back(getDim(builder, loc, tensor, dim));
  return sizes;
}

Value forge::readWide(IndexBuilder ib, Value tensor, ValueRange position) {
  ScalarBuilder s(ib.b, ib.loc);
  return widen(s, ib.read(tensor, position));
}

Value forge::writeNarrow(IndexBuilder ib, Value value, Value tensor, ValueRange position) {
  ScalarBuilder s(ib.b, ib.loc);
  return ib.write(narrow(s, value, getElementTypeOrSelf(tensor.getType())), tensor, position);
}

/// start - sum of lhs(k) * rhs(k) for k from `lower` up to `upper`.
static Value subtractProducts(IndexBuilder ib, Value start, Value lower, Value upper,
                              llvm::function_ref<std::pair<Value, Value>(IndexBuilder, Value)> at) {
  return ib
      .loops(lower, upper, start,
             [&](IndexBuilder in, ValueRange k, ValueRange rest) {
               auto [lhs, rhs] = at(in, k[0]);
               Value product = arith::MulFOp::create(in.b, in.loc, lhs, rhs);
               return SmallVector<Value>{arith::SubFOp::create(in.b, in.loc, rest[0], product)};
             })
      .front();
}

/// Rows of square matrices of known size; kDynamic if they are not.
static int64_t rowsOfSquare(Value matrices) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(matrices.getType()).getShape();
  return shape[shape.size() - 2] == shape.back() ? shape.back() : ShapedType::kDynamic;
}

namespace {

struct TriangularSolvePattern : OpConversionPattern<TriangularSolveOp> {
  TriangularSolvePattern(const TypeConverter &converter, MLIRContext *context, int64_t blockBytes)
      : OpConversionPattern(converter, context), blockBytes(blockBytes) {}

  // x * op(a) = b is op(a)^T * x^T = b^T: with a and x read transposed, one case is left.
  // 1. Loop over the batch and over the columns of b. The result starts as b.
  // 2. Substitute: from the first row on if the matrix as read is lower triangular, else from the
  //    last; each row loses what the rows before it contribute, and is divided by the diagonal.
  LogicalResult matchAndRewrite(TriangularSolveOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexBuilder ib{rewriter, loc};
    Value a = adaptor.getA(), b = adaptor.getB();
    int64_t rank = cast<RankedTensorType>(b.getType()).getRank();
    bool left = op.getLeftSide();
    bool transposed = (op.getTransposeA() != stablehlo::Transpose::NO_TRANSPOSE) == left;
    bool lower = op.getLower() != transposed;
    for (int64_t dim = 0; dim + 2 < rank; ++dim)
      assertSameSize(rewriter, loc, "triangular_solve: b", b, dim, a, dim);
    assertSameSize(rewriter, loc, "triangular_solve: a", a, rank - 2, a, rank - 1);
    assertSameSize(rewriter, loc, "triangular_solve: b", b, left ? rank - 2 : rank - 1, a,
                   rank - 1);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    if (stablehlo::canBlockSolve(rowsOfSquare(a), type.getElementType(), blockBytes)) {
      Value x =
          createBlockSolve(rewriter, loc, a, b, left, transposed, lower, op.getUnitDiagonal());
      rewriter.replaceOp(op, castTensor(rewriter, loc, x, type));
      return success();
    }
    Value size = getDim(rewriter, loc, a, rank - 1);
    SmallVector<Value> sizes = getBatchSizes(rewriter, loc, b);
    sizes.push_back(getDim(rewriter, loc, b, left ? rank - 1 : rank - 2)); // columns
    sizes.push_back(size);                                                 // rows
    SmallVector<Value> results =
        ib.loops(sizes, b, [&](IndexBuilder in, ValueRange counters, ValueRange x) {
          SmallVector<Value> batch(counters.drop_back(2));
          Matrix matrix{batch, transposed}, solution{batch, !left};
          Value column = counters[counters.size() - 2], row = counters.back();
          if (!lower)
            row = in.sub(in.sub(size, in.constant(1)), row);
          Value rest =
              subtractProducts(in, readWide(in, x[0], solution.at(row, column)),
                               lower ? in.constant(0) : in.add(row, 1), lower ? row : size,
                               [&](IndexBuilder inner, Value k) {
                                 return std::pair(readWide(inner, a, matrix.at(row, k)),
                                                  readWide(inner, x[0], solution.at(k, column)));
                               });
          if (!op.getUnitDiagonal())
            rest = arith::DivFOp::create(in.b, in.loc, rest, readWide(in, a, matrix.at(row, row)));
          return SmallVector<Value>{writeNarrow(in, rest, x[0], solution.at(row, column))};
        });
    rewriter.replaceOp(op, castTensor(rewriter, loc, results.front(), type));
    return success();
  }

private:
  int64_t blockBytes;
};

struct CholeskyPattern : OpConversionPattern<CholeskyOp> {
  CholeskyPattern(const TypeConverter &converter, MLIRContext *context, int64_t blockBytes)
      : OpConversionPattern(converter, context), blockBytes(blockBytes) {}

  // 1. Fill the result with zeros; the other triangle keeps them.
  // 2. Column by column, row by row below the diagonal (for an upper factor both read transposed):
  //    l(i, j) = (a(i, j) - sum over k < j of l(i, k) * l(j, k)) / l(j, j), the root of it at i =
  //    j.
  LogicalResult matchAndRewrite(CholeskyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexBuilder ib{rewriter, loc};
    Value a = adaptor.getA();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    if (stablehlo::canBlockFactor(rowsOfSquare(a), type.getElementType(), blockBytes)) {
      Value factor = createBlockCholesky(rewriter, loc, a, op.getLower());
      rewriter.replaceOp(op, castTensor(rewriter, loc, factor, type));
      return success();
    }
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    Value init = createFill(rewriter, loc, type, zero, getSizes(rewriter, loc, a));
    assertSameSize(rewriter, loc, "cholesky: a", a, type.getRank() - 2, a, type.getRank() - 1);
    Value size = getDim(rewriter, loc, a, type.getRank() - 1);
    SmallVector<Value> sizes = getBatchSizes(rewriter, loc, a);
    sizes.push_back(size); // columns
    SmallVector<Value> results =
        ib.loops(sizes, init, [&](IndexBuilder in, ValueRange counters, ValueRange factor) {
          Matrix matrix{SmallVector<Value>(counters.drop_back(1)), !op.getLower()};
          Value column = counters.back();
          return in.loops(column, size, factor,
                          [&](IndexBuilder inner, ValueRange row, ValueRange current) {
                            return SmallVector<Value>{emitElement(inner, a, matrix, row.front(),
                                                                  column, current.front())};
                          });
        });
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value emitElement(IndexBuilder ib, Value a, const Matrix &matrix, Value row, Value column,
                           Value factor) {
    Value rest = subtractProducts(ib, readWide(ib, a, matrix.at(row, column)), ib.constant(0),
                                  column, [&](IndexBuilder in, Value k) {
                                    return std::pair(readWide(in, factor, matrix.at(row, k)),
                                                     readWide(in, factor, matrix.at(column, k)));
                                  });
    Value isDiagonal = arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::eq, row, column);
    Value root = math::SqrtOp::create(ib.b, ib.loc, rest);
    Value diagonal = readWide(ib, factor, matrix.at(column, column));
    Value quotient = arith::DivFOp::create(ib.b, ib.loc, rest, diagonal);
    return writeNarrow(ib, ib.select(isDiagonal, root, quotient), factor, matrix.at(row, column));
  }

  int64_t blockBytes;
};

} // namespace

void forge::populateLinearSolvePatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                        int64_t blockBytes) {
  patterns.add<CholeskyPattern, TriangularSolvePattern>(converter, patterns.getContext(),
                                                        blockBytes);
}
