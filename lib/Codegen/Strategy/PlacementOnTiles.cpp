#include "PlacementOnTiles.h"

#include "ProductFollow.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

/// The number of `op`, in the order of the body, among the reads of `values`.
static unsigned readNumber(const ProductPlacement &placement, Value values, Operation *op) {
  unsigned number = 0;
  placement.body().walk([&](memref::LoadOp load) {
    if (load.getOperation() == op)
      return WalkResult::interrupt();
    number += load.getMemRef() == values ? 1 : 0;
    return WalkResult::advance();
  });
  return number;
}

const char *forge::whyNotOnTiles(const ProductPlacement &placement) {
  if (placement.placesRead.empty())
    return "places that read the same columns of each group";
  WalkResult result = placement.body().walk([&](Operation *op) {
    bool isMemory = isa<tensor::ExtractOp, tensor::InsertOp, memref::LoadOp, memref::StoreOp>(op);
    if (isMemory || isa<scf::IfOp, scf::YieldOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    // Where no element asks for it, too.
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
        !getConstantIntValue(op->getOperand(1)))
      return WalkResult::interrupt();
    bool isElementwise =
        OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0 &&
        op->getNumResults() == 1 &&
        llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
    return isElementwise ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? "places of elementwise operations, loads and stores" : nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value PlacementOnTiles::splat(Value value) {
  return tensor::SplatOp::create(b, value, typeOf(value.getType()));
}

Value PlacementOnTiles::constant(int64_t value) {
  return splat(arith::ConstantIntOp::create(b, value, 32));
}

/// Element row * columns + column by `weight`, modulo `extent`: of the row or the column alone
/// where it depends on nothing else.
Value PlacementOnTiles::counterOf(int64_t weight, int64_t extent) {
  Value from;
  int64_t size = columns;
  if (weight % columns == 0) {
    from = tile.row;
    weight /= columns;
    size = ShapedType::kDynamic;
  } else if (columns % (weight * extent) == 0) {
    from = tile.column;
  } else {
    from = arith::AddIOp::create(b, arith::MulIOp::create(b, tile.row, constant(columns)),
                                 tile.column);
    size = ShapedType::kDynamic;
  }
  if (weight != 1)
    from = arith::DivUIOp::create(b, from, constant(weight));
  if (size != weight * extent)
    from = arith::RemUIOp::create(b, from, constant(extent));
  return from;
}

/// What is neither of the loops nor a temporary is equal for all elements.
bool PlacementOnTiles::isKnown(Value value) const {
  if (mapping.contains(value))
    return true;
  scf::ForOp root = placement.loops.front();
  return !root->isAncestor(value.getParentBlock()->getParentOp());
}

Value PlacementOnTiles::tileOf(Value value) {
  if (!mapping.contains(value))
    mapping.map(value, splat(value));
  return mapping.lookup(value);
}

/// Elements that are not asked for read what is there.
SmallVector<Value> PlacementOnTiles::indicesOf(ValueRange indices, Value mask) {
  return llvm::map_to_vector(indices, [&](Value index) -> Value {
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      return arith::ConstantIndexOp::create(b, *constant);
    if (!mapping.contains(index))
      return index;
    Value tile = mapping.lookup(index);
    if (!mask)
      return tile;
    Value zero = splat(arith::ConstantIndexOp::create(b, 0));
    return arith::SelectOp::create(b, mask, tile, zero);
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static Value both(ImplicitLocOpBuilder &b, Value x, Value y) {
  return x && y ? arith::AndIOp::create(b, x, y).getResult() : x ? x : y;
}

void PlacementOnTiles::begin() {
  Value again;
  for (auto [loop, extent, weight] :
       llvm::zip_equal(placement.loops, placement.extents, placement.weights)) {
    Value counter = extent > 1 ? counterOf(weight, extent) : constant(0);
    if (!placement.isForAll) {
      Value part = arith::MulIOp::create(b, counter, constant(weight));
      again = again ? arith::AddIOp::create(b, again, part).getResult() : part;
    }
    mapping.map(scf::ForOp(loop).getInductionVar(),
                arith::IndexCastOp::create(b, typeOf(b.getIndexType()), counter));
  }
  if (again) {
    Value element = arith::AddIOp::create(b, arith::MulIOp::create(b, tile.row, constant(columns)),
                                          tile.column);
    hasStep = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, again, element);
  }
  emit(placement.body(), hasStep, nullptr);
}

void PlacementOnTiles::finish(function_ref<Value(int64_t)> valueAt) {
  emit(placement.body(), hasStep, valueAt);
}

void PlacementOnTiles::emitBranch(scf::IfOp branch, Value mask,
                                  function_ref<Value(int64_t)> valueAt) {
  if (!isKnown(branch.getCondition()))
    return;
  Value condition = tileOf(branch.getCondition());
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty())
      continue;
    Value &own = masks[&region->front()];
    if (!own) {
      Value isTaken = condition;
      if (region == &branch.getElseRegion())
        isTaken = arith::XOrIOp::create(b, condition, splat(arith::ConstantIntOp::create(b, 1, 1)));
      own = both(b, mask, isTaken);
    }
    emit(region->front(), own, valueAt);
  }
  if (branch.getNumResults() == 0)
    return;
  for (auto [result, then, otherwise] : llvm::zip_equal(
           branch.getResults(), branch.thenYield().getOperands(), branch.elseYield().getOperands()))
    if (!mapping.contains(result) && isKnown(then) && isKnown(otherwise))
      mapping.map(result, arith::SelectOp::create(b, condition, tileOf(then), tileOf(otherwise)));
}

void PlacementOnTiles::emit(Block &block, Value mask, function_ref<Value(int64_t)> valueAt) {
  for (Operation &op : block.without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      emitBranch(branch, mask, valueAt);
      continue;
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (valueAt)
        tile::ScatterOp::create(b, tileOf(store.getValueToStore()), store.getMemRef(),
                                indicesOf(store.getIndices(), nullptr),
                                both(b, mask, tile.isInside));
      continue;
    }
    Value result = op.getResult(0);
    if (mapping.contains(result))
      continue;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && load.getMemRef() == values) {
      std::optional<int64_t> place =
          placement.placesRead[readNumber(placement, values, &op)][tile.place];
      // What is not used may be any.
      if (valueAt)
        mapping.map(result, valueAt(place.value_or(tile.place)));
      continue;
    }
    auto isThere = [&](Value operand) {
      return isa<MemRefType>(operand.getType()) || isKnown(operand);
    };
    if (!llvm::all_of(op.getOperands(), isThere))
      continue;
    if (load) {
      mapping.map(result, tile::GatherOp::create(b, typeOf(result.getType()), load.getMemRef(),
                                                 indicesOf(load.getIndices(), mask)));
      continue;
    }
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(result, splat(b.clone(op)->getResult(0)));
      continue;
    }
    auto operands =
        llvm::map_to_vector(op.getOperands(), [&](Value operand) { return tileOf(operand); });
    mapping.map(result, emitOnTiles(b, op, operands, typeOf(result.getType()))->getResult(0));
  }
}
