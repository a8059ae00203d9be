// Products of rows that are looked up in a table, and their gradients, as products of the table.
#include "Algebra.h"
#include "RowScatters.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_MULTIPLYTABLESPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-multiply-tables"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Whether a table of `n` rows is small for `rows`. Fewer for each, and the sums by rows that its
/// gradient takes would cost what the smaller product saves.
static bool isSmallTable(int64_t n, int64_t rows) {
  constexpr int64_t rowsForEach = 4, mostRows = int64_t(1) << 30; // places fit 32 bits
  return n > 0 && n < mostRows && rows / rowsForEach >= n;
}

static bool isStaticMatrix(Value value) {
  RankedTensorType type = typeOf(value);
  return type.getRank() == 2 && type.hasStaticShape() &&
         (type.getElementType().isF32() || type.getElementType().isF64());
}

static bool isColumnOfIndices(Value indices) {
  RankedTensorType type = typeOf(indices);
  return type.getRank() == 2 && type.hasStaticShape() && type.getDimSize(1) == 1 &&
         (type.getElementType().isSignlessInteger(32) ||
          type.getElementType().isSignlessInteger(64));
}

namespace {
/// Many rows [e, k] of a smaller table [n, k], at indices [e, 1] that are clamped to it.
struct Lookup {
  Value table, indices;

  static std::optional<Lookup> of(Value rows) {
    auto gather = rows.getDefiningOp<GatherOp>();
    if (!gather || !isStaticMatrix(rows) || !isStaticMatrix(gather.getOperand()) ||
        !isColumnOfIndices(gather.getStartIndices()))
      return std::nullopt;
    GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
    ArrayRef<int64_t> table = typeOf(gather.getOperand()).getShape();
    if (dims.getOffsetDims() != ArrayRef<int64_t>{1} ||
        dims.getCollapsedSliceDims() != ArrayRef<int64_t>{0} ||
        dims.getStartIndexMap() != ArrayRef<int64_t>{0} || dims.getIndexVectorDim() != 1 ||
        !dims.getOperandBatchingDims().empty() || gather.getSliceSizes()[1] != table[1] ||
        !isSmallTable(table[0], typeOf(rows).getDimSize(0)))
      return std::nullopt;
    return Lookup{gather.getOperand(), gather.getStartIndices()};
  }
};

/// A product of two matrices without batches, each of which is contracted along one dimension.
struct Product {
  mutable DotGeneralOp op;           // a handle: reading it changes nothing
  std::array<int64_t, 2> contracted; ///< of lhs and rhs

  static std::optional<Product> of(DotGeneralOp op, int64_t leastWork) {
    DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    if (!isStaticMatrix(op.getLhs()) || !isStaticMatrix(op.getRhs()) || !isStaticMatrix(op) ||
        op.getType() != typeOf(op.getLhs()).clone(op.getType().getShape()) ||
        !dims.getLhsBatchingDimensions().empty() || dims.getLhsContractingDimensions().size() != 1)
      return std::nullopt;
    Product product{op,
                    {dims.getLhsContractingDimensions()[0], dims.getRhsContractingDimensions()[0]}};
    if (saturatingMul(op.getType().getNumElements(), product.terms()) < leastWork)
      return std::nullopt;
    return product;
  }

  Value factor(unsigned i) const { return op->getOperand(i); }
  int64_t terms() const { return typeOf(factor(0)).getDimSize(contracted[0]); }

  /// The same of other factors, each in its orientation.
  Value with(OpBuilder &b, Value lhs, Value rhs) const {
    int64_t rows = typeOf(lhs).getDimSize(1 - contracted[0]),
            columns = typeOf(rhs).getDimSize(1 - contracted[1]);
    return DotGeneralOp::create(b, op.getLoc(), op.getType().clone({rows, columns}), lhs, rhs,
                                op.getDotDimensionNumbersAttr(), op.getPrecisionConfigAttr(),
                                op.getAlgorithmAttr());
  }
  Value withFactor(OpBuilder &b, unsigned i, Value value) const {
    return i == 0 ? with(b, value, factor(1)) : with(b, factor(0), value);
  }
};

/// Whether rows [e, m] are added up by indices [e, 1], into zeros [n, m].
static bool sumsRows(ScatterOp op) {
  if (!addsRowsToZeros(op) || !isStaticMatrix(op.getResult(0)) ||
      !isStaticMatrix(op.getUpdates()[0]) || !isColumnOfIndices(op.getScatterIndices()))
    return false;
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> sums = typeOf(op.getResult(0)).getShape(),
                    rows = typeOf(op.getUpdates()[0]).getShape();
  return dims.getInsertedWindowDims() == ArrayRef<int64_t>{0} &&
         dims.getScatterDimsToOperandDims() == ArrayRef<int64_t>{0} && rows[1] == sums[1] &&
         isSmallTable(sums[0], rows[0]);
}

/// Operations at one place.
class Maker {
public:
  Maker(OpBuilder &b, Location loc) : b(b), loc(loc), math(b, loc) {}

  Value add(Value x, Value y) { return math.add(x, y); }

  /// `size` places along `dim` of a matrix.
  Value slice(Value matrix, int64_t dim, int64_t from, int64_t size) {
    SmallVector<int64_t> first(2, 0), last(typeOf(matrix).getShape()), shape(last);
    first[dim] = from;
    last[dim] = from + size;
    shape[dim] = size;
    if (ArrayRef(shape) == typeOf(matrix).getShape())
      return matrix;
    return SliceOp::create(b, loc, typeOf(matrix).clone(shape), matrix, first, last,
                           SmallVector<int64_t>{1, 1});
  }

  Value concatenate(ArrayRef<Value> parts, int64_t dim) {
    SmallVector<int64_t> shape(typeOf(parts.front()).getShape());
    shape[dim] = 0;
    for (Value part : parts)
      shape[dim] += typeOf(part).getDimSize(dim);
    return ConcatenateOp::create(b, loc, typeOf(parts.front()).clone(shape), parts,
                                 static_cast<uint64_t>(dim));
  }

  /// The rows of `table` at `indices`, clamped to it.
  Value lookUp(Value table, Value indices) {
    int64_t rows = typeOf(indices).getDimSize(0), columns = typeOf(table).getDimSize(1);
    auto dims = GatherDimensionNumbersAttr::get(b.getContext(), {1}, {0}, {}, {}, {0}, 1);
    return GatherOp::create(b, loc, typeOf(table).clone({rows, columns}), table, indices, dims,
                            b.getDenseI64ArrayAttr({1, columns}));
  }

  /// Sums [n + 2, m] of `rows` [e, m] by `indices` [e, 1]: of those at 0 ... n - 1, then of those
  /// before 0 and of those from n on. A lookup clamps these, a scatter leaves them out: sums for
  /// both are one operation.
  Value sumRows(Value rows, Value indices, int64_t n) {
    Value before = math.is(Direction::LT, indices, math.constant(indices, 0)),
          behind = math.is(Direction::GE, indices, math.constant(indices, double(n)));
    Value places = math.select(before, math.constant(indices, double(n)),
                               math.select(behind, math.constant(indices, double(n + 1)), indices));
    RankedTensorType type = typeOf(rows).clone({n + 2, typeOf(rows).getDimSize(1)}),
                     scalar = RankedTensorType::get({}, type.getElementType());
    auto dims = ScatterDimensionNumbersAttr::get(b.getContext(), {1}, {0}, {}, {}, {0}, 1);
    auto scatter = ScatterOp::create(b, loc, TypeRange{type}, ValueRange{math.splat(type, 0)},
                                     places, ValueRange{rows}, dims, BoolAttr());
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&scatter.getUpdateComputation(), {}, {scalar, scalar}, {loc, loc});
    stablehlo::ReturnOp::create(b, loc,
                                ValueRange{add(body->getArgument(0), body->getArgument(1))});
    return scatter.getResult(0);
  }

  /// `values` [n or n + 2, m] with zeros in the rows that no index of sumRows is for, where these
  /// would be 0 times a number that need not be finite.
  Value whereSummed(Value values, Value indices, int64_t n) {
    RankedTensorType type = typeOf(values), count = typeOf(indices).clone(b.getI32Type());
    Value counts = slice(sumRows(math.splat(count, 1), indices, n), 0, 0, type.getDimSize(0));
    Value summed = math.is(Direction::GT, counts, math.constant(counts, 0));
    Value all = BroadcastInDimOp::create(b, loc, type.clone(b.getI1Type()), summed,
                                         ArrayRef<int64_t>{0, 1});
    return math.select(all, values, math.constant(values, 0));
  }

  /// A column [e, 1] times a row [1, m].
  Value outer(Value column, Value row) {
    auto type = typeOf(column).clone({typeOf(column).getDimSize(0), typeOf(row).getDimSize(1)});
    auto repeat = [&](Value value) -> Value {
      return BroadcastInDimOp::create(b, loc, type, value, ArrayRef<int64_t>{0, 1});
    };
    return math.mul(repeat(column), repeat(row));
  }

private:
  OpBuilder &b;
  Location loc;
  Algebra math;
};

/// Patterns on products of at least so many multiply-adds.
template <typename Op> struct ProductPattern : OpRewritePattern<Op> {
  ProductPattern(MLIRContext *context, int64_t leastWork)
      : OpRewritePattern<Op>(context), leastWork(leastWork) {}
  int64_t leastWork;
};

/// T[i] W = (T W)[i]
struct MultiplyTable : ProductPattern<DotGeneralOp> {
  using ProductPattern::ProductPattern;

  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &b) const override {
    std::optional<Product> product = Product::of(op, leastWork);
    std::optional<Lookup> lookup = product ? Lookup::of(op.getLhs()) : std::nullopt;
    if (!lookup || product->contracted[0] != 1)
      return failure();
    Value multiplied = product->with(b, lookup->table, op.getRhs());
    b.replaceOp(op, Maker(b, op.getLoc()).lookUp(multiplied, lookup->indices));
    return success();
  }
};

/// T[i]^T Y = T^T S, with the sums S of the rows of Y that each row of T is looked up for.
struct SumBeforeProduct : ProductPattern<DotGeneralOp> {
  using ProductPattern::ProductPattern;

  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &b) const override {
    std::optional<Product> product = Product::of(op, leastWork);
    if (!product)
      return failure();
    for (unsigned i : {0u, 1u}) {
      std::optional<Lookup> lookup = Lookup::of(product->factor(i));
      Value rows = product->factor(1 - i);
      if (!lookup || product->contracted[i] != 0 || product->contracted[1 - i] != 0 ||
          typeOf(rows).getDimSize(1) > 2 * typeOf(lookup->table).getDimSize(1))
        continue;
      Maker make(b, op.getLoc());
      int64_t n = typeOf(lookup->table).getDimSize(0);
      Value sums = make.sumRows(rows, lookup->indices, n);
      Value table = make.concatenate({lookup->table, make.slice(lookup->table, 0, 0, 1),
                                      make.slice(lookup->table, 0, n - 1, 1)},
                                     0);
      table = make.whereSummed(table, lookup->indices, n);
      b.replaceOp(op, i == 0 ? product->with(b, table, sums) : product->with(b, sums, table));
      return success();
    }
    return failure();
  }
};

/// The products of the parts of a factor that is a concatenation of columns, mostly looked up.
struct DivideConcatenation : ProductPattern<DotGeneralOp> {
  using ProductPattern::ProductPattern;

  static bool isMostlyLookups(ConcatenateOp op) {
    int64_t lookedUp = 0, all = 0;
    for (Value part : op.getInputs()) {
      int64_t columns = typeOf(part).getRank() == 2 ? typeOf(part).getDimSize(1) : 0;
      all += columns;
      lookedUp += Lookup::of(part) ? columns : 0;
    }
    return 2 * lookedUp > all;
  }

  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &b) const override {
    std::optional<Product> product = Product::of(op, leastWork);
    if (!product)
      return failure();
    for (unsigned i : {0u, 1u}) {
      auto whole = product->factor(i).getDefiningOp<ConcatenateOp>();
      if (!whole || whole.getDimension() != 1 || !isMostlyLookups(whole))
        continue;
      Maker make(b, op.getLoc());
      SmallVector<Value> products;
      int64_t from = 0;
      for (Value part : whole.getInputs()) {
        int64_t columns = typeOf(part).getDimSize(1);
        products.push_back(product->contracted[i] == 1
                               ? productOfPart(b, make, *product, i, part, from)
                               : product->withFactor(b, i, part));
        from += columns;
      }
      Value result = products.front();
      if (product->contracted[i] == 1)
        for (Value more : llvm::drop_begin(products))
          result = make.add(result, more);
      else
        result = make.concatenate(products, i);
      b.replaceOp(op, result);
      return success();
    }
    return failure();
  }

  /// Of some of the terms of each sum.
  static Value productOfPart(OpBuilder &b, Maker &make, const Product &product, unsigned i,
                             Value part, int64_t from) {
    unsigned other = 1 - i;
    int64_t columns = typeOf(part).getDimSize(1);
    Value terms = make.slice(product.factor(other), product.contracted[other], from, columns);
    if (columns == 1 && i == 0 && product.contracted[1] == 0)
      return make.outer(part, terms);
    return i == 0 ? product.with(b, part, terms) : product.with(b, terms, part);
  }
};

/// Slices of a product's columns, of which some are added up by rows, as products.
struct DivideColumns : ProductPattern<DotGeneralOp> {
  using ProductPattern::ProductPattern;

  static bool isOfColumns(SliceOp op) {
    return op.getStartIndices()[0] == 0 &&
           op.getLimitIndices()[0] == typeOf(op.getOperand()).getDimSize(0) &&
           llvm::all_of(op.getStrides(), [](int64_t stride) { return stride == 1; });
  }
  static bool isAddedUp(SliceOp op) {
    auto scatter = op->hasOneUse() ? dyn_cast<ScatterOp>(*op->user_begin()) : ScatterOp();
    return scatter && scatter.getUpdates()[0] == op.getResult() && sumsRows(scatter);
  }

  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &b) const override {
    std::optional<Product> product = Product::of(op, leastWork);
    SmallVector<SliceOp> slices;
    for (Operation *user : op->getUsers())
      if (auto slice = dyn_cast<SliceOp>(user); slice && isOfColumns(slice))
        slices.push_back(slice);
      else
        return failure();
    if (!product || slices.size() < 2 || llvm::none_of(slices, isAddedUp))
      return failure();
    for (SliceOp slice : slices) {
      b.setInsertionPoint(slice);
      int64_t from = slice.getStartIndices()[1];
      Value columns = Maker(b, op.getLoc())
                          .slice(op.getRhs(), 1 - product->contracted[1], from,
                                 slice.getLimitIndices()[1] - from);
      b.replaceOp(slice, product->with(b, op.getLhs(), columns));
    }
    b.eraseOp(op);
    return success();
  }
};

/// The sums of rows of a product are the product of sums of rows.
struct SumRowsFirst : ProductPattern<ScatterOp> {
  using ProductPattern::ProductPattern;

  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &b) const override {
    auto dot = sumsRows(op) ? op.getUpdates()[0].getDefiningOp<DotGeneralOp>() : DotGeneralOp();
    std::optional<Product> product = dot ? Product::of(dot, leastWork) : std::nullopt;
    if (!product || !dot->hasOneUse() || product->contracted[0] != 1 ||
        typeOf(dot.getLhs()).getDimSize(1) > 2 * dot.getType().getDimSize(1))
      return failure();
    Maker make(b, op.getLoc());
    int64_t n = typeOf(op.getResult(0)).getDimSize(0);
    Value rows = make.sumRows(dot.getLhs(), op.getScatterIndices(), n);
    Value multiplied = product->with(b, make.slice(rows, 0, 0, n), dot.getRhs());
    b.replaceOp(op, make.whereSummed(multiplied, op.getScatterIndices(), n));
    b.eraseOp(dot);
    return success();
  }
};

struct MultiplyTablesPass : public forge::impl::MultiplyTablesPassBase<MultiplyTablesPass> {
  using MultiplyTablesPassBase::MultiplyTablesPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MultiplyTable, SumBeforeProduct, DivideConcatenation, DivideColumns, SumRowsFirst>(
        &getContext(), leastWork);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
