// Products of groups of rows where no loop may depend on the values of a tensor: on a device whose
// memory the host does not read.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/RowTiles.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// Fewer rows than these, or multiplications, are not worth looking for tiles.
constexpr int64_t kFewRows = 64, kFewMultiplications = int64_t(1) << 20;

/// 1. Where groups begin: the sum of the sizes before each, or its offset.
/// 2. Each row's group: the last of those that hold it, or -1.
/// 3. The product: of tiles of rows of one group with its matrix, or, of few rows or unknown sizes,
///    one that reads the matrix of the row's group.
/// 4. Epilogue and rounding; rows in no group are zero.
class GroupedByIndex {
public:
  GroupedByIndex(ImplicitLocOpBuilder &b, GroupedMatmulOp op)
      : b(b), op(op), count(b.getI64Type()), compute(op.getAccumulationType()) {
    rows = tensor::getMixedSize(b, b.getLoc(), op.getLhs(), 0);
    depth = tensor::getMixedSize(b, b.getLoc(), op.getLhs(), 1);
    columns = tensor::getMixedSize(b, b.getLoc(), op.getRhs(), op.getRhsColDim());
    groups = tensor::getMixedSize(b, b.getLoc(), op.getRhs(), 0);
    rowCount =
        arith::IndexCastOp::create(b, count, getValueOrCreateConstantIndexOp(b, b.getLoc(), rows));
  }

  Value run() {
    Value owners = emitOwners();
    return emitEpilogue(hasTiles() ? emitTiles(owners) : emitSums(owners), owners);
  }

private:
  Value number(ImplicitLocOpBuilder &inner, int64_t value) {
    return arith::ConstantOp::create(inner, inner.getI64IntegerAttr(value));
  }

  Value loopIndex(ImplicitLocOpBuilder &inner, int64_t loop) {
    return arith::IndexCastOp::create(inner, count, linalg::IndexOp::create(inner, loop));
  }

  /// A size or position held in [low, rows there are].
  Value held(ImplicitLocOpBuilder &inner, Value value, Value low) {
    Value raised = arith::MaxSIOp::create(inner, toType(inner, value, count), low);
    return arith::MinSIOp::create(inner, raised, rowCount);
  }

  /// before[e] = sum of the sizes of the groups before e. No size counts more than all rows, so
  /// that the sum does not overflow.
  Value emitSizesBefore() {
    return emitReduction(b, {groups, groups}, 1, 0.0, count, {{op.getGroups(), dimsMap(b, 2, {1})}},
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                           Value size = held(inner, args[0], number(inner, 0));
                           Value isBefore =
                               arith::CmpIOp::create(inner, arith::CmpIPredicate::slt,
                                                     loopIndex(inner, 1), loopIndex(inner, 0));
                           Value term =
                               arith::SelectOp::create(inner, isBefore, size, number(inner, 0));
                           return arith::AddIOp::create(inner, args[1], term);
                         });
  }

  /// The first row of a group, and the one after its last.
  std::pair<Value, Value> emitRange(ImplicitLocOpBuilder &inner, ValueRange args) {
    if (!op.getOffsets()) {
      Value begin = arith::MinSIOp::create(inner, args[1], rowCount);
      Value size = held(inner, args[0], number(inner, 0));
      Value end = arith::AddIOp::create(inner, begin, size);
      return {begin, arith::MinSIOp::create(inner, end, rowCount)};
    }
    Value begin = held(inner, args[0], number(inner, 0));
    return {begin, held(inner, args[1], begin)};
  }

  /// The positions from `first` on, one per group.
  Value positionsFrom(int64_t first) {
    auto type = RankedTensorType::get({op.getRhs().getType().getDimSize(0)},
                                      op.getGroups().getType().getElementType());
    return tensor::ExtractSliceOp::create(b, type, op.getGroups(), Sizes{b.getIndexAttr(first)},
                                          Sizes{groups}, Sizes{b.getIndexAttr(1)});
  }

  Value emitOwners() {
    AffineMap group = dimsMap(b, 2, {1});
    SmallVector<Operand> inputs;
    if (op.getOffsets())
      inputs = {{positionsFrom(0), group}, {positionsFrom(1), group}};
    else
      inputs = {{op.getGroups(), group}, {emitSizesBefore(), group}};
    return emitReduction(
        b, {rows, groups}, 1, -1.0, count, inputs,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto [begin, end] = emitRange(inner, args);
          Value row = loopIndex(inner, 0);
          Value after = arith::CmpIOp::create(inner, arith::CmpIPredicate::sge, row, begin);
          Value before = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, row, end);
          Value holds = arith::AndIOp::create(inner, after, before);
          Value owner =
              arith::SelectOp::create(inner, holds, loopIndex(inner, 1), number(inner, -1));
          return arith::MaxSIOp::create(inner, args.back(), owner);
        });
  }

  /// Whether a row has a group, and that group, or 0.
  std::pair<Value, Value> emitGroup(ImplicitLocOpBuilder &inner, Value owner) {
    Value zero = number(inner, 0);
    Value has = arith::CmpIOp::create(inner, arith::CmpIPredicate::sge, owner, zero);
    Value group = arith::MaxSIOp::create(inner, owner, zero);
    return {has, arith::IndexCastOp::create(inner, inner.getIndexType(), group)};
  }

  bool hasTiles() {
    RankedTensorType left = op.getLhs().getType(), right = op.getRhs().getType();
    if (!left.hasStaticShape() || !right.hasStaticShape())
      return false;
    int64_t number = left.getDimSize(0), matrices = right.getDimSize(0);
    return number >= kFewRows &&
           RowTiles::isWorth(number, matrices, right.getNumElements() / matrices,
                             kFewMultiplications);
  }

  /// [rows, columns]; of rows in no group, anything.
  Value emitTiles(Value owners) {
    RankedTensorType left = op.getLhs().getType(), right = op.getRhs().getType();
    RowTiles tiles = createRowTiles(b, b.getLoc(), left.getDimSize(0), right.getDimSize(0),
                                    [&](IndexBuilder ib, Value row) {
                                      return arith::IndexCastOp::create(
                                          ib.b, ib.loc, ib.b.getIndexType(), ib.read(owners, row));
                                    });
    Value tileRows = createTileRows(b, b.getLoc(), tiles, left.getElementType(), left.getDimSize(1),
                                    [&](IndexBuilder ib, Value row, ValueRange term) {
                                      return ib.read(op.getLhs(), {row, term[0]});
                                    });
    Value matrices = createTileMatrices(b, b.getLoc(), tiles, op.getRhs(), 0);
    auto type = RankedTensorType::get(
        {tiles.tiles, tiles.height, right.getDimSize(op.getRhsColDim())}, compute);
    Value products =
        MatmulOp::create(b, type, tileRows, matrices, /*bias=*/Value(), /*residual=*/Value(),
                         /*transpose_lhs=*/false, op.getTransposeRhs(), /*activation=*/nullptr,
                         op.getAccumulateAttr());
    return emitElementwise(
        b, {rows, columns}, compute, {}, [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
          IndexBuilder ib{inner, inner.getLoc()};
          Value number = ib.read(tiles.places, linalg::IndexOp::create(inner, 0).getResult());
          Value place = arith::IndexCastOp::create(inner, inner.getIndexType(), number);
          auto [tile, row] = tiles.split(ib, ib.max(place, ib.constant(0)));
          return ib.read(products, {tile, row, linalg::IndexOp::create(inner, 1)});
        });
  }

  /// Loops: row, column, term.
  Value emitSums(Value owners) {
    return emitReduction(
        b, {rows, columns, depth}, 2, 0.0, compute,
        {{op.getLhs(), dimsMap(b, 3, {0, 2})}, {owners, dimsMap(b, 3, {0})}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto [has, group] = emitGroup(inner, args[1]);
          Value column = linalg::IndexOp::create(inner, 1),
                term = linalg::IndexOp::create(inner, 2);
          SmallVector<Value> place = {group, term, column};
          if (op.getTransposeRhs())
            std::swap(place[1], place[2]);
          Value weight = tensor::ExtractOp::create(inner, op.getRhs(), place);
          Value x = toType(inner, args[0], compute), y = toType(inner, weight, compute);
          Value product = isa<IntegerType>(compute) ? Value(arith::MulIOp::create(inner, x, y))
                                                    : Value(arith::MulFOp::create(inner, x, y));
          Value kept = arith::SelectOp::create(inner, has, product, constant(inner, compute, 0.0));
          return emitAdd(inner, args[2], kept);
        });
  }

  Value emitEpilogue(Value sums, Value owners) {
    return emitElementwise(
        b, {rows, columns}, op.getResult().getType().getElementType(),
        {{sums, b.getMultiDimIdentityMap(2)}, {owners, dimsMap(b, 2, {0})}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto [has, group] = emitGroup(inner, args[1]);
          Value value = args[0];
          if (op.getBias()) {
            Value column = linalg::IndexOp::create(inner, 1);
            Value bias = tensor::ExtractOp::create(inner, op.getBias(), ValueRange{group, column});
            value = emitAdd(inner, value, toType(inner, bias, compute));
          }
          if (auto kind = op.getActivation())
            value = emitActivation(inner, *kind, value);
          return arith::SelectOp::create(inner, has, value, constant(inner, compute, 0.0));
        });
  }

  ImplicitLocOpBuilder &b;
  GroupedMatmulOp op;
  Type count, compute;
  OpFoldResult rows, depth, columns, groups;
  Value rowCount;
};

struct LowerGroupedMatmulByIndex : OpRewritePattern<GroupedMatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupedMatmulOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType(), matrices = op.getRhs().getType();
    checkSizes(b, op);
    if (matrices.getDimSize(0) == 0) {
      // No group to read from.
      Sizes sizes = {tensor::getMixedSize(b, b.getLoc(), op.getLhs(), 0),
                     tensor::getMixedSize(b, b.getLoc(), op.getRhs(), op.getRhsColDim())};
      Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType());
      Value zero = constant(b, type.getElementType(), 0.0);
      Value result = linalg::FillOp::create(b, zero, empty).getResult(0);
      rewriter.replaceOp(op, castTo(b, result, type));
      return success();
    }
    if (matrices.isDynamicDim(0)) {
      Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                         tensor::DimOp::create(b, op.getRhs(), 0),
                                         arith::ConstantIndexOp::create(b, 0));
      createRuntimeAssert(b, b.getLoc(), some, "grouped_matmul: expected one group or more", {});
    }
    Value result = GroupedByIndex(b, op).run();
    rewriter.replaceOp(op, castTo(b, result, type));
    return success();
  }
};

} // namespace

void populateGroupedMatmulByIndexPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerGroupedMatmulByIndex>(patterns.getContext());
}

} // namespace forge
