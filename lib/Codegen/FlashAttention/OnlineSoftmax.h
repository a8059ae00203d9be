// The softmax of attention, block of keys by block of keys: what is done to scores, weights below a
// maximum so far, and what a row's sums become at the end. Tiles and products are provided by
// others.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_ONLINESOFTMAX_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_ONLINESOFTMAX_H

#include "TileOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace forge {

class OnlineSoftmax {
public:
  /// `sums` is the layout of the products' accumulators.
  OnlineSoftmax(mlir::ImplicitLocOpBuilder &b, const FlashAttention &flash, const FlashPlan &plan,
                tile::LayoutAttr sums)
      : b(b), flash(flash), program(flash.program), plan(plan), values(b, program), sums(sums) {}

  /// What goes from one block of keys to the next.
  struct State {
    /// Rows by columns; weights of the block before, rounded; of each row the maximum that weights
    /// are relative to, and the true one; sums of weights, of the keys of one atom of the layout.
    mlir::Value weighted, weights, base, largest, sum;

    llvm::SmallVector<mlir::Value> all() const { return {weighted, weights, base, largest, sum}; }
    static State of(mlir::ValueRange values) {
      return {values[0], values[1], values[2], values[3], values[4]};
    }
    llvm::SmallVector<mlir::Value> withoutWeights() const { return {weighted, base, largest, sum}; }
    static State ofSums(mlir::ValueRange values) {
      return {values[0], mlir::Value(), values[1], values[2], values[3]};
    }
  };

  /// Before any key, without weights.
  State start();
  /// Maximum, weights and their sum of a block's scores; what is known before, if it is not the
  /// first.
  State weigh(const QueryTile &tile, mlir::Value block, mlir::Value scores, const State *before);
  /// Of two parts of the keys, without weights.
  State combine(const State &a, const State &b);
  /// What follows the last block, and its stores.
  void finish(const QueryTile &tile, const State &state);

  /// An accumulator: the rows by `size` keys or columns.
  mlir::RankedTensorType matrix(int64_t size, mlir::Type element) const {
    llvm::SmallVector<int64_t> shape = {plan.rows, size};
    if (plan.rowsLast)
      std::swap(shape[0], shape[1]);
    return mlir::RankedTensorType::get(shape, element, sums);
  }
  /// A part of an accumulator from key or column `first` on, a constant.
  mlir::Value slice(mlir::Value matrix, mlir::Value first, int64_t size);
  mlir::Value zeros(int64_t size) { return constant(matrix(size, b.getF32Type()), 0); }
  /// Keys or columns of the layout's atom.
  int64_t atom() const { return sums.getAtom()[otherDim()]; }

private:
  mlir::Value numbersOf(const QueryTile &tile, mlir::Value block, mlir::Value scores);

  unsigned rowDim() const { return plan.rowsLast ? 1 : 0; }
  unsigned otherDim() const { return 1 - rowDim(); }
  mlir::RankedTensorType rowsOf(mlir::Type element) const {
    return mlir::RankedTensorType::get({plan.rows}, element, sums.dropDimensions({otherDim()}));
  }
  /// A tile of the rows by `size` elements of `axis`, of which there are `limit`.
  TilePlace placeOf(const QueryTile &tile, unsigned axis, int64_t size, int64_t limit,
                    mlir::Value first) const;
  /// A number of each row, or of each element if `perElement`.
  TileValue known(mlir::Value value, bool perElement) const {
    TileValue result{value};
    result.along[rowDim()] = true;
    result.along[otherDim()] = perElement;
    return result;
  }
  mlir::Value spread(const TileValue &value, const TilePlace &place, bool perElement) {
    return plan.rowsLast ? values.spread(value, place, perElement, true)
                         : values.spread(value, place, true, perElement);
  }

  mlir::Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, value); }
  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  mlir::Value constant(mlir::RankedTensorType type, double value) {
    auto attribute = mlir::FloatAttr::get(type.getElementType(), value);
    return mlir::arith::ConstantOp::create(b, mlir::SplatElementsAttr::get(type, attribute));
  }
  mlir::Value overColumns(mlir::Value rows, int64_t size) {
    mlir::Type element = getElementTypeOrSelf(rows.getType());
    return tile::BroadcastOp::create(b, matrix(size, element), rows,
                                     b.getDenseI64ArrayAttr(otherDim()));
  }
  mlir::Value reduced(tile::ReduceKind kind, mlir::Value matrix) {
    return tile::ReduceOp::create(b, rowsOf(b.getF32Type()), kind, matrix,
                                  b.getDenseI64ArrayAttr(otherDim()));
  }
  /// 2^x, where results below the least normal number may be zero.
  mlir::Value exp2(mlir::Value x) {
    auto power = mlir::math::Exp2Op::create(b, x, mlir::arith::FastMathFlags::afn);
    power->setAttr("forge.normal", b.getUnitAttr());
    return power;
  }
  /// `maximum`, 0 where it is -inf: no key was seen.
  mlir::Value shifted(mlir::Value maximum);
  /// What a row's numbers are multiplied by before they are powers of two, for weights relative to
  /// `base`: `scale`, or a power of two where `base` is large, as of rows whose keys are all masked
  /// by -1e9 or the lowest number. Those differ from `base` by 0, or by so much that their weight
  /// is next to nothing by either factor.
  mlir::Value factorsOf(mlir::Value base, double scale);

  mlir::ImplicitLocOpBuilder &b;
  const FlashAttention &flash;
  const AttentionProgram &program;
  const FlashPlan &plan;
  TileValues values;
  tile::LayoutAttr sums;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_ONLINESOFTMAX_H
