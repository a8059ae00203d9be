// Mistakes in indices: shifted slices, exchanged dimensions.
#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

/// Two dimensions of one size; nothing when there are none.
static std::optional<std::pair<size_t, size_t>> twins(ArrayRef<int64_t> shape) {
  for (size_t i = 0; i < shape.size(); ++i)
    for (size_t j = i + 1; j < shape.size(); ++j)
      if (shape[i] == shape[j] && shape[i] > 1)
        return std::pair(i, j);
  return std::nullopt;
}

static SmallVector<int64_t> swapped(ArrayRef<int64_t> list, std::pair<size_t, size_t> places) {
  SmallVector<int64_t> result(list);
  std::swap(result[places.first], result[places.second]);
  return result;
}

namespace {
struct ChangePermutation : Mutator {
  ChangePermutation() : Mutator("change-permutation", "two dimensions of one size change places") {}
  static std::optional<std::pair<size_t, size_t>> places(Operation *op) {
    if (isa<stablehlo::TransposeOp, linalg::TransposeOp>(op))
      return twins(cast<ShapedType>(op->getOperands().back().getType()).getShape());
    auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
    return broadcast ? twins(cast<ShapedType>(broadcast->getOperand(0).getType()).getShape())
                     : std::nullopt;
  }
  unsigned sites(Operation *op) const override {
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
      return twins(cast<ShapedType>(op->getResult(0).getType()).getShape()).has_value();
    return places(op).has_value();
  }
  void plant(Operation *op, unsigned) const override {
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
      transpose.setPermutation(
          swapped(transpose.getPermutation(),
                  *twins(cast<ShapedType>(op->getResult(0).getType()).getShape())));
    else if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
      transpose.setPermutation(swapped(transpose.getPermutation(), *places(op)));
    else
      cast<stablehlo::BroadcastInDimOp>(op).setBroadcastDimensions(
          swapped(cast<stablehlo::BroadcastInDimOp>(op).getBroadcastDimensions(), *places(op)));
  }
};

/// One operand of a linalg operation, or of a product, read with two dimensions exchanged.
struct TransposeOperand : Mutator {
  TransposeOperand() : Mutator("transpose-operand", "an operand is read transposed") {}
  static std::optional<std::pair<size_t, size_t>> places(linalg::GenericOp op, unsigned i) {
    auto type = dyn_cast<ShapedType>(op->getOperand(i).getType());
    AffineMap map = op.getIndexingMapsArray()[i];
    return type && map.isProjectedPermutation() ? twins(type.getShape()) : std::nullopt;
  }
  /// The inputs that may be transposed.
  static SmallVector<unsigned> inputs(Operation *op) {
    SmallVector<unsigned> list;
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      for (unsigned i = 0; i < generic.getNumDpsInputs(); ++i)
        if (places(generic, i))
          list.push_back(i);
    return list;
  }
  unsigned sites(Operation *op) const override { return inputs(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    auto generic = cast<linalg::GenericOp>(op);
    unsigned i = inputs(op)[site];
    auto [first, second] = *places(generic, i);
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    SmallVector<AffineExpr> results(maps[i].getResults());
    std::swap(results[first], results[second]);
    maps[i] = AffineMap::get(maps[i].getNumDims(), 0, results, op->getContext());
    generic.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
  }
};

struct ShiftSlice : Mutator {
  ShiftSlice() : Mutator("shift-slice", "a slice starts one element off") {}
  /// The first dimension of which only a part is taken, and where that starts.
  static std::optional<size_t> place(ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                                     ArrayRef<int64_t> shape) {
    for (size_t d = 0; d < shape.size(); ++d)
      if (!ShapedType::isDynamic(starts[d]) && !ShapedType::isDynamic(sizes[d]) &&
          !ShapedType::isDynamic(shape[d]) && sizes[d] < shape[d])
        return d;
    return std::nullopt;
  }
  static std::optional<size_t> place(Operation *op) {
    if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
      if (llvm::any_of(slice.getStrides(), [](int64_t stride) { return stride != 1; }))
        return std::nullopt;
      return place(slice.getStartIndices(), cast<ShapedType>(op->getResult(0).getType()).getShape(),
                   cast<ShapedType>(op->getOperand(0).getType()).getShape());
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return place(slice.getStaticOffsets(), slice.getStaticSizes(),
                   slice.getSourceType().getShape());
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      return place(slice.getStaticOffsets(), slice.getStaticSizes(),
                   slice.getDestType().getShape());
    return std::nullopt;
  }
  unsigned sites(Operation *op) const override { return place(op).has_value(); }
  static SmallVector<int64_t> moved(ArrayRef<int64_t> starts, size_t d, int64_t delta) {
    SmallVector<int64_t> result(starts);
    result[d] += delta;
    return result;
  }
  void plant(Operation *op, unsigned) const override {
    size_t d = *place(op);
    auto delta = [&](ArrayRef<int64_t> starts) { return starts[d] > 0 ? -1 : 1; };
    if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
      int64_t step = delta(slice.getStartIndices());
      slice.setLimitIndices(moved(slice.getLimitIndices(), d, step));
      slice.setStartIndices(moved(slice.getStartIndices(), d, step));
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      slice.setStaticOffsets(moved(slice.getStaticOffsets(), d, delta(slice.getStaticOffsets())));
    } else {
      auto insert = cast<tensor::InsertSliceOp>(op);
      insert.setStaticOffsets(
          moved(insert.getStaticOffsets(), d, delta(insert.getStaticOffsets())));
    }
  }
};

/// h mod n for h div n: the head of a group, the row in a page.
struct ExchangeDivision : Mutator {
  ExchangeDivision()
      : Mutator("exchange-division", "a remainder for a quotient, or the reverse, as in a page") {}
  static StringRef other(Operation *op) {
    static constexpr NamePair kDivisions[] = {{"arith.divui", "arith.remui"},
                                              {"arith.remui", "arith.divui"},
                                              {"arith.divsi", "arith.remsi"},
                                              {"arith.remsi", "arith.divsi"},
                                              {"arith.floordivsi", "arith.remsi"}};
    return counterpart(op, kDivisions);
  }
  unsigned sites(Operation *op) const override { return !other(op).empty(); }
  void plant(Operation *op, unsigned) const override { rename(op, other(op)); }
};

/// The position of a cache update, of a row that is looked up, of an element that is loaded.
struct ShiftIndex : Mutator {
  ShiftIndex() : Mutator("shift-index", "an index is one too large") {}
  /// The operand that holds the last index.
  static std::optional<unsigned> indexOf(Operation *op) {
    bool indexed = isa<memref::LoadOp, vector::LoadOp, vector::TransferReadOp>(op);
    auto type = indexed ? dyn_cast<ShapedType>(op->getOperand(0).getType()) : ShapedType();
    if (type && type.getRank() > 0)
      return static_cast<unsigned>(type.getRank());
    bool dynamic = isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op);
    if (!dynamic)
      return std::nullopt;
    unsigned first = isa<stablehlo::DynamicSliceOp>(op) ? 1 : 2;
    auto whole = cast<ShapedType>(op->getOperand(0).getType()).getShape();
    auto part = isa<stablehlo::DynamicSliceOp>(op)
                    ? cast<ShapedType>(op->getResult(0).getType()).getShape()
                    : cast<ShapedType>(op->getOperand(1).getType()).getShape();
    for (unsigned d = 0; d < whole.size(); ++d)
      if (part[d] < whole[d])
        return first + d;
    return std::nullopt;
  }
  unsigned sites(Operation *op) const override {
    return isa<linalg::IndexOp>(op) || indexOf(op).has_value() ||
           (isa<stablehlo::IotaOp>(op) &&
            cast<ShapedType>(op->getResult(0).getType()).hasStaticShape());
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    Location location = op->getLoc();
    if (isa<linalg::IndexOp, stablehlo::IotaOp>(op)) {
      builder.setInsertionPointAfter(op);
      Value result = op->getResult(0), moved = incremented(builder, location, result);
      result.replaceAllUsesExcept(moved, moved.getDefiningOp());
      return;
    }
    unsigned at = *indexOf(op);
    op->setOperand(at, incremented(builder, location, op->getOperand(at)));
  }
  static Value incremented(OpBuilder &builder, Location location, Value value) {
    if (value.getType().isIndex())
      return shifted(builder, location, value, 1);
    auto type = cast<ShapedType>(value.getType());
    Type element = type.getElementType();
    TypedAttr one = isa<FloatType>(element) ? TypedAttr(builder.getFloatAttr(element, 1))
                                            : TypedAttr(builder.getIntegerAttr(element, 1));
    Value ones =
        create(builder, location, "stablehlo.constant", {}, type,
               builder.getNamedAttr("value", DenseElementsAttr::get(type, Attribute(one))));
    return create(builder, location, "stablehlo.add", {value, ones}, type);
  }
};
} // namespace

void mutate::addIndexing(Mutators &mutators) {
  add<ChangePermutation>(mutators);
  add<TransposeOperand>(mutators);
  add<ShiftSlice>(mutators);
  add<ExchangeDivision>(mutators);
  add<ShiftIndex>(mutators);
}
