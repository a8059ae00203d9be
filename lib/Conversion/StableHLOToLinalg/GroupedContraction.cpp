// dot_general of rows with the matrices of their groups: experts' weights that were looked up for
// each row, or rows repeated for each expert and zero for all but one. Neither the matrices of all
// rows nor products with zeros are made: tiles of rows of one group are multiplied by its matrix.
#include "Contraction.h"
#include "RoundTensor.h"
#include "RowGroups.h"
#include "ScalarBuilder.h"
#include "TileForms.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/RowTiles.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;
using stablehlo::DotGeneralOp;

/// Multiplications below which what finds tiles takes longer than what it saves.
static constexpr int64_t kFewMultiplications = int64_t(1) << 24;
/// Columns, and terms of a sum, below which an element of a matrix, or of a row, is read too seldom
/// for rows to be moved.
static constexpr int64_t kFewColumns = 16, kFewTerms = 16;

/// Whether tiles multiply or read at most half of what the module's product does.
static bool isWorthTiles(const RowGroups &groups) {
  int64_t rows = groups.numRows(), count = groups.numGroups();
  int64_t matrix = cast<RankedTensorType>(groups.matrices.getType()).getNumElements() /
                   std::max<int64_t>(count, 1);
  if (rows == 0 || count == 0 || matrix == 0 ||
      !RowTiles::isWorth(rows, count, matrix, kFewMultiplications))
    return false;
  int64_t terms = llvm::product_of(groups.sumSizes);
  if (terms < kFewTerms || matrix / terms < kFewColumns)
    return false;
  int64_t height = RowTiles::chooseHeight(rows, count);
  int64_t tiles = RowTiles::count(rows, count, height);
  return groups.lookup ? 2 * tiles <= rows : 2 * tiles * height <= rows * count;
}

namespace {
class GroupedBuilder {
public:
  /// `groups` has converted values.
  GroupedBuilder(OpBuilder &builder, Location loc, const RowGroups &groups)
      : b(builder), loc(loc), groups(groups) {}

  /// Takes the tiles of another product, and rows that are in them: [tiles, height, sums...].
  void take(const RowTiles &others, Value rows) {
    tiles = others;
    tiledRows = rows;
  }
  Value create(RankedTensorType result, bool allTiles);

  RowTiles tiles;
  /// Once created: [tiles, height, columns...].
  Value products;

private:
  RankedTensorType typeOf(Value value) const { return cast<RankedTensorType>(value.getType()); }
  Value rangeOwners();
  Value ownerOf(IndexBuilder ib, Value row, Value owners);
  /// [tile, row of it, sums...]
  Value createRows();
  Value multiplyAll(RankedTensorType products);
  Value multiplyEach(RankedTensorType products);
  Value addRows(RankedTensorType result, ArrayRef<int64_t> columnOf);
  Product plan(bool hasBatch) const;
  Value toIndex(OpBuilder &in, Value number) const {
    return arith::IndexCastOp::create(in, loc, in.getIndexType(), number);
  }

  OpBuilder &b;
  Location loc;
  const RowGroups &groups;
  Value tiledRows;
};
} // namespace

/// i32 [indices along the range]: the group that has each, or -1.
Value GroupedBuilder::rangeOwners() {
  Type i32 = b.getI32Type(), element = typeOf(groups.starts).getElementType();
  auto type = RankedTensorType::get({groups.shape[groups.rangeDim]}, i32);
  Value none = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(-1));
  AffineMap index = AffineMap::get(2, 0, b.getAffineDimExpr(0)),
            group = AffineMap::get(2, 0, b.getAffineDimExpr(1));
  auto generic = linalg::GenericOp::create(
      b, loc, type, ValueRange{groups.starts, groups.ends}, createFill(b, loc, type, none, {}),
      ArrayRef<AffineMap>{group, group, index},
      ArrayRef{utils::IteratorType::parallel, utils::IteratorType::reduction},
      [&](OpBuilder &in, Location l, ValueRange args) {
        Value at = arith::IndexCastOp::create(in, l, element, linalg::IndexOp::create(in, l, 0));
        Value number = arith::IndexCastOp::create(in, l, i32, linalg::IndexOp::create(in, l, 1));
        Value isIn = arith::AndIOp::create(
            in, l, arith::CmpIOp::create(in, l, arith::CmpIPredicate::sle, args[0], at),
            arith::CmpIOp::create(in, l, arith::CmpIPredicate::slt, at, args[1]));
        Value own = arith::SelectOp::create(in, l, isIn, number, args[2]);
        linalg::YieldOp::create(in, l, arith::MaxSIOp::create(in, l, args[2], own).getResult());
      });
  return generic.getResult(0);
}

Value GroupedBuilder::ownerOf(IndexBuilder ib, Value row, Value owners) {
  SmallVector<Value> at = ib.delinearize(row, groups.shape);
  if (!groups.lookup)
    return toIndex(ib.b, ib.read(owners, at[groups.rangeDim]));
  if (typeOf(groups.lookup).getRank() > static_cast<int64_t>(at.size()))
    at.push_back(ib.constant(0));
  Value group = castToIndex(ib.b, loc, ib.read(groups.lookup, at), groups.unsignedLookup);
  return ib.min(ib.max(group, ib.constant(0)), ib.constant(groups.numGroups() - 1));
}

Value GroupedBuilder::createRows() {
  if (tiledRows)
    return tiledRows;
  return createTileRows(b, loc, tiles, typeOf(groups.rows).getElementType(), groups.sumSizes,
                        [&](IndexBuilder ib, Value number, ValueRange sums) {
                          SmallVector<Value> row = ib.delinearize(number, groups.shape), from;
                          for (RowGroups::RowDim dim : groups.rowDims)
                            from.push_back(dim.row >= 0   ? row[dim.row]
                                           : dim.sum >= 0 ? sums[dim.sum]
                                                          : ib.constant(0));
                          return ib.read(groups.rows, from);
                        });
}

/// Of rows and matrices as they are made, with the tile in front of each if `hasBatch`.
Product GroupedBuilder::plan(bool hasBatch) const {
  SmallVector<int64_t> batch, rowSums, matrixSums(groups.sumSizes.size());
  if (hasBatch)
    batch.push_back(0);
  for (auto [sum, size] : llvm::enumerate(groups.sumSizes))
    rowSums.push_back(static_cast<int64_t>(sum) + 1 + hasBatch);
  for (auto [dim, sum] : llvm::enumerate(groups.sums))
    if (sum >= 0)
      matrixSums[sum] = static_cast<int64_t>(dim) + hasBatch;
  return planProduct(static_cast<int64_t>(rowSums.size()) + 1 + hasBatch,
                     static_cast<int64_t>(groups.sums.size()) + hasBatch, batch, batch, rowSums,
                     matrixSums);
}

Value GroupedBuilder::multiplyAll(RankedTensorType products) {
  Value rows = createRows();
  Value matrices = createTileMatrices(b, loc, tiles, groups.matrices, groups.groupDim);
  return createRoundedProduct(b, loc, plan(/*hasBatch=*/true), rows, matrices, products,
                              typeOf(rows).getElementType(), typeOf(matrices).getElementType());
}

/// One tile after the other, of those that have rows.
Value GroupedBuilder::multiplyEach(RankedTensorType products) {
  Value rows = createRows();
  IndexBuilder ib{b, loc};
  Value used = toIndex(b, ib.read(tiles.starts, ib.constant(groups.numGroups())));
  auto slice = [&](OpBuilder &in, Value of, int64_t dim, Value at) -> Value {
    RankedTensorType type = typeOf(of);
    SmallVector<OpFoldResult> offsets(type.getRank(), in.getIndexAttr(0)),
        strides(type.getRank(), in.getIndexAttr(1)), sizes;
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t size : shape)
      sizes.push_back(in.getIndexAttr(size));
    offsets[dim] = at;
    sizes[dim] = in.getIndexAttr(1);
    shape.erase(shape.begin() + dim);
    return tensor::ExtractSliceOp::create(in, loc, type.clone(shape), of, offsets, sizes, strides);
  };
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(products.getElementType()));
  Value init = createFill(b, loc, products, zero, {});
  auto step = [&](IndexBuilder in, ValueRange tile, ValueRange carried) {
    Value left = slice(in.b, rows, 0, tile[0]);
    Value right = slice(in.b, groups.matrices, groups.groupDim,
                        toIndex(in.b, in.read(tiles.owners, tile[0])));
    auto type = RankedTensorType::get(products.getShape().drop_front(), products.getElementType());
    Value product =
        createRoundedProduct(in.b, loc, plan(/*hasBatch=*/false), left, right, type,
                             typeOf(left).getElementType(), typeOf(right).getElementType());
    SmallVector<OpFoldResult> offsets(products.getRank(), in.b.getIndexAttr(0)),
        strides(products.getRank(), in.b.getIndexAttr(1)), sizes;
    for (int64_t size : products.getShape())
      sizes.push_back(in.b.getIndexAttr(size));
    offsets[0] = tile[0];
    sizes[0] = in.b.getIndexAttr(1);
    Value next =
        tensor::InsertSliceOp::create(in.b, loc, product, carried[0], offsets, sizes, strides);
    return SmallVector<Value>{next};
  };
  return ib.loops(used, init, step).front();
}

/// The products of each row's places, summed.
Value GroupedBuilder::addRows(RankedTensorType result, ArrayRef<int64_t> columnOf) {
  auto loops = static_cast<int64_t>(result.getRank());
  SmallVector<AffineExpr> ofRow(groups.shape.size());
  for (auto [dim, of] : llvm::enumerate(groups.resultDims))
    if (of.row >= 0)
      ofRow[of.row] = b.getAffineDimExpr(dim);
  for (int64_t dim : groups.added)
    ofRow[dim] = b.getAffineDimExpr(loops++);
  // [row's index...]
  ReassociationIndices all(llvm::to_vector<2>(llvm::seq<int64_t>(0, groups.shape.size())));
  Value places =
      tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(groups.shape, b.getI32Type()),
                                    tiles.places, SmallVector<ReassociationIndices>{all});
  Type element = typeOf(products).getElementType();
  RankedTensorType sums = result.clone(element);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  SmallVector<AffineMap> maps{AffineMap::get(loops, 0, ofRow, b.getContext()),
                              AffineMap::getMultiDimIdentityMap(loops, b.getContext())
                                  .getMajorSubMap(static_cast<unsigned>(result.getRank()))};
  SmallVector<utils::IteratorType> iterators = parallelIterators(result.getRank());
  iterators.append(groups.added.size(), utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      b, loc, sums, places, createFill(b, loc, sums, zero, {}), maps, iterators,
      [&](OpBuilder &in, Location l, ValueRange args) {
        IndexBuilder ib{in, l};
        SmallVector<Value> from(typeOf(products).getRank());
        for (auto [dim, of] : llvm::enumerate(groups.resultDims))
          if (of.column >= 0)
            from[columnOf[of.column]] = linalg::IndexOp::create(in, l, dim);
        std::tie(from[0], from[1]) = tiles.split(ib, toIndex(in, args[0]));
        auto flags = arith::FastMathFlags::reassoc;
        Value added = arith::AddFOp::create(in, l, args[1], ib.read(products, from), flags);
        linalg::YieldOp::create(in, l, added);
      });
  return roundTensor(b, loc, generic.getResult(0), result, {});
}

Value GroupedBuilder::create(RankedTensorType result, bool allTiles) {
  if (!tiledRows) {
    Value owners = groups.lookup ? Value() : rangeOwners();
    tiles = createRowTiles(b, loc, groups.numRows(), groups.numGroups(),
                           [&](IndexBuilder ib, Value row) { return ownerOf(ib, row, owners); });
  }
  SmallVector<int64_t> shape{tiles.tiles, tiles.height}, columnOf(groups.sums.size(), -1);
  RankedTensorType matrices = typeOf(groups.matrices);
  for (auto [dim, sum] : llvm::enumerate(groups.sums))
    if (sum < 0) {
      columnOf[dim] = static_cast<int64_t>(shape.size());
      int64_t at = static_cast<int64_t>(dim);
      shape.push_back(matrices.getDimSize(at + (at >= groups.groupDim)));
    }
  // Sums over rows are rounded once.
  Type element =
      groups.added.empty() ? result.getElementType() : getComputeType(result.getElementType());
  auto type = RankedTensorType::get(shape, element);
  products = allTiles ? multiplyAll(type) : multiplyEach(type);
  if (!groups.added.empty())
    return addRows(result, columnOf);
  return createIndexed(
      b, loc, createEmpty(b, loc, result, {}), [&](OpBuilder &in, Location l, ValueRange at) {
        IndexBuilder ib{in, l};
        Value row = ib.constant(0);
        SmallVector<Value> index(groups.shape.size()), from(shape.size());
        for (auto [dim, of] : llvm::enumerate(groups.resultDims)) {
          if (of.row >= 0)
            index[of.row] = at[dim];
          if (of.column >= 0)
            from[columnOf[of.column]] = at[dim];
        }
        for (auto [size, i] : llvm::zip_equal(groups.shape, index))
          row = ib.add(ib.mul(row, size), i);
        Value place = toIndex(in, ib.read(tiles.places, row));
        Value zero = ib.constant(0);
        std::tie(from[0], from[1]) = tiles.split(ib, ib.max(place, zero));
        Value element = ib.read(products, from);
        if (groups.lookup)
          return element;
        Value none = arith::ConstantOp::create(in, l, in.getZeroAttr(element.getType()));
        return ib.select(ib.less(place, zero), none, element);
      });
}

namespace {
struct GroupedContractionPattern : OpConversionPattern<DotGeneralOp> {
  GroupedContractionPattern(const TypeConverter &converter, MLIRContext *context, bool allTiles)
      : OpConversionPattern(converter, context, /*benefit=*/2), allTiles(allTiles),
        made(std::make_shared<TiledProducts>()) {}

  LogicalResult matchAndRewrite(DotGeneralOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<RowGroups> groups = matchRowGroups(op);
    if (!groups)
      return rewriter.notifyMatchFailure(op, "not rows with the matrices of their groups");
    if (!isWorthTiles(*groups))
      return rewriter.notifyMatchFailure(op, "tiles would not save enough");
    RowGroups converted = *groups;
    for (Value *value : {&converted.matrices, &converted.rows, &converted.lookup, &converted.starts,
                         &converted.ends})
      if (*value && !(*value = rewriter.getRemappedValue(*value)))
        return rewriter.notifyMatchFailure(op, "its operands are not converted");
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    GroupedBuilder builder(rewriter, op.getLoc(), converted);
    takeTiles(builder, *groups, rewriter, op.getLoc());
    rewriter.replaceOp(op, builder.create(type, allTiles));
    (*made)[op.getResult()] = {*groups, builder.tiles, builder.products};
    return success();
  }

private:
  /// Where the rows are computed from a product of the same groups, they stay in its tiles.
  void takeTiles(GroupedBuilder &builder, const RowGroups &groups,
                 ConversionPatternRewriter &rewriter, Location loc) const {
    int64_t sum = -1;
    for (auto [at, dim] : llvm::enumerate(groups.rowDims)) {
      bool isRow = at < groups.shape.size();
      if (isRow ? dim.row != static_cast<int64_t>(at)
                : dim.row >= 0 || (dim.sum >= 0 && dim.sum <= sum))
        return;
      sum = std::max(sum, dim.sum);
    }
    TileForms forms(rewriter, loc, *made, groups);
    const TiledProduct *product = forms.find(groups.rows);
    Value rows = product ? forms.create(groups.rows, *product) : Value();
    if (!rows)
      return;
    SmallVector<int64_t> shape{product->tiles.tiles, product->tiles.height};
    llvm::append_range(shape, groups.sumSizes);
    auto type = cast<RankedTensorType>(rows.getType()).clone(shape);
    builder.take(product->tiles, stablehlo::ReshapeOp::create(rewriter, loc, type, rows));
  }

  bool allTiles;
  /// Those that this conversion has made.
  std::shared_ptr<TiledProducts> made;
};
} // namespace

void forge::populateGroupedContractionPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns, bool allTiles) {
  patterns.add<GroupedContractionPattern>(converter, patterns.getContext(), allTiles);
}
