#include "WgmmaReads.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread for its sums and what is read early: of 232, what addresses and results
/// leave.
static constexpr int64_t kRegisters = 176;

std::optional<AxisMemory> forge::byAxes(ThreadBuilder &b, const ProductAxes &axes, Value memory,
                                        ArrayRef<unsigned> loops) {
  AxisMemory flat;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices open;
  for (size_t dim = 0; dim < loops.size();) {
    const auto *axis = llvm::find_if(axes.axes, [&](const ProductAxis &axis) {
      return llvm::is_contained(axis.loops, loops[dim]);
    });
    // A dimension of one element goes with its neighbour.
    if (axis == axes.axes.end()) {
      open.push_back(dim++);
      continue;
    }
    for (unsigned loop : axis->loops) {
      while (dim < loops.size() && loops[dim] != loop &&
             llvm::none_of(
                 axes.axes,
                 [&](const ProductAxis &other) {
                   return llvm::is_contained(other.loops, loops[dim]);
                 }))
        open.push_back(dim++);
      if (dim == loops.size() || loops[dim] != loop)
        return std::nullopt;
      open.push_back(dim++);
    }
    groups.push_back(std::exchange(open, {}));
    flat.axes.push_back(static_cast<unsigned>(axis - axes.axes.begin()));
  }
  if (!groups.empty())
    groups.back().append(open.begin(), open.end());
  bool isSame = groups.size() == loops.size();
  flat.memory = isSame ? memory : memref::CollapseShapeOp::create(b, memory, groups).getResult();
  return flat;
}

WgmmaReads::WgmmaReads(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                       const ProductSizes &sizes, const TilePlace &place)
    : b(b), product(product), tile(tile), sizes(sizes), place(place),
      groups(tile.partColumns() / 8), places(groups * 4) {
  int64_t columns = WgmmaSizes(product).columns;
  hasPairs = !ShapedType::isDynamic(columns) && columns % 2 == 0;
  linalg::LinalgOp contraction = product.parts.front().op;
  loops = *loopsOf(contraction.getIndexingMapsArray().back());
  linalg::GenericOp follow = product.follow;
  if (!follow)
    return;
  for (OpOperand *input : follow.getDpsInputOperands())
    if (!product.partOf(input->get()) && isa<MemRefType>(input->get().getType()) &&
        !follow.getMatchingBlockArgument(input).use_empty())
      addOperand(*input);
  decideWhen();
}

void WgmmaReads::addOperand(OpOperand &input) {
  linalg::GenericOp follow = product.follow;
  AffineMap map = follow.getMatchingIndexingMap(&input);
  Operand operand;
  operand.input = &input;
  auto uses = [&](std::optional<unsigned> axis) {
    return axis && llvm::any_of(llvm::seq(map.getNumDims()), [&](unsigned loop) {
             return map.isFunctionOfDim(loop) &&
                    llvm::is_contained(product.axes().axes[*axis].loops, loops[loop]);
           });
  };
  operand.usesRow =
      llvm::any_of(product.tiled.rows, [&](SpannedAxis spanned) { return uses(spanned.axis); });
  operand.usesColumn = uses(product.tiled.column);
  operand.pairs.resize(groups * 2);
  flatten(operand);
  operands.push_back(operand);
}

/// 1. The operand's dimensions are, in some order, those of whole axes.
/// 2. Each axis becomes one dimension.
/// 3. With columns innermost, two neighbouring elements are one access.
void WgmmaReads::flatten(Operand &operand) {
  linalg::GenericOp follow = product.follow;
  std::optional<SmallVector<unsigned>> dims = loopsOf(follow.getMatchingIndexingMap(operand.input));
  Value memory = operand.input->get();
  if (!dims || !isPlainArgument(memory))
    return;
  operand.flat = byAxes(b, product.axes(), memory,
                        llvm::map_to_vector(*dims, [&](unsigned loop) { return loops[loop]; }));
  if (!operand.flat)
    return;
  Type element = getElementTypeOrSelf(memory);
  unsigned bits = element.getIntOrFloatBitWidth();
  operand.isPaired = hasPairs && operand.usesColumn &&
                     operand.flat->axes.back() == product.tiled.column &&
                     (bits > 8 || (bits == 8 && element.isInteger()));
}

/// Of one pair.
int64_t WgmmaReads::registersOf(const Operand &operand) {
  int64_t bits = getElementTypeOrSelf(operand.input->get()).getIntOrFloatBitWidth();
  return operand.isPaired ? llvm::divideCeil(2 * bits, 32) : 2 * llvm::divideCeil(bits, 32);
}

void WgmmaReads::decideWhen() {
  int64_t left = kRegisters - tile.sums();
  auto take = [&](Operand &operand, int64_t pairs, When when) {
    int64_t registers = pairs * registersOf(operand);
    if (operand.when != When::WithChunk || registers > left)
      return;
    operand.when = when;
    left -= registers;
  };
  for (Operand &operand : operands) {
    if (!operand.usesColumn)
      continue;
    operand.when = When::WithChunk;
    if (!operand.usesRow)
      take(operand, groups, When::First);
  }
  for (Operand &operand : operands)
    if (operand.usesColumn)
      take(operand, 2 * kChunkGroups * (operand.usesRow ? 2 : 1), When::Ahead);
}

/// What is beyond the result is computed from its last elements, and not stored.
void WgmmaReads::begin(ArrayRef<RowPlace> threadRows, Value threadColumn) {
  column = threadColumn;
  for (unsigned half = 0; half < 2; ++half) {
    rows[half] = threadRows[half];
    for (SpannedAxis spanned : product.tiled.rows) {
      Value &index = rows[half].indices[spanned.axis];
      index = arith::MinUIOp::create(b, index, b.sub(sizes.axes[spanned.axis], b.i32(1)));
    }
  }
  for (Operand &operand : operands)
    for (int64_t group = 0;
         operand.when == When::First && group < (operand.usesColumn ? groups : 1); ++group)
      for (unsigned half = 0; half < (operand.usesRow ? 2 : 1); ++half)
        pairOf(operand, group, half) = read(operand, group, half);
  readGroups(When::Ahead, 0);
}

void WgmmaReads::beginChunk(int64_t group) {
  readGroups(When::Ahead, group + kChunkGroups);
  readGroups(When::WithChunk, group);
}

void WgmmaReads::readGroups(When when, int64_t group) {
  for (int64_t i = group; i < std::min(group + kChunkGroups, groups); ++i)
    for (Operand &operand : operands)
      for (unsigned half = 0; operand.when == when && half < (operand.usesRow ? 2 : 1); ++half)
        pairOf(operand, i, half) = read(operand, i, half);
}

Value WgmmaReads::columnOf(int64_t group, unsigned number) {
  Value first = b.add(column, b.i32(8 * group));
  if (!hasPairs)
    return arith::MinUIOp::create(b, b.add(first, b.i32(number)), b.sub(sizes.columns, b.i32(1)));
  first = arith::MinUIOp::create(b, first, b.sub(sizes.columns, b.i32(2)));
  return number ? b.add(first, b.i32(number)) : first;
}

Value WgmmaReads::indexOf(unsigned axis, const RowPlace &row, Value column) {
  return row.indices[axis]              ? row.indices[axis]
         : axis == product.tiled.column ? column
                                        : place.indices[axis];
}

SmallVector<Value> WgmmaReads::indicesIn(const AxisMemory &memory, const RowPlace &row,
                                         Value column) {
  return llvm::map_to_vector(memory.axes,
                             [&](unsigned axis) { return b.toIndex(indexOf(axis, row, column)); });
}

WgmmaReads::Pair WgmmaReads::read(Operand &operand, int64_t group, unsigned half) {
  Pair pair;
  if (!operand.flat) {
    for (unsigned number = 0; number < (operand.usesColumn ? 2 : 1); ++number)
      pair.single[number] =
          loadOperand(b, product.follow, *operand.input, indices(group, half, number));
    return pair;
  }
  Value memory = operand.flat->memory;
  Type element = getElementTypeOrSelf(memory);
  if (operand.isPaired) {
    unsigned bytes = 2 * element.getIntOrFloatBitWidth() / 8;
    pair.access = vector::LoadOp::create(b, VectorType::get(2, element), memory,
                                         indicesIn(*operand.flat, rows[half], columnOf(group, 0)),
                                         /*nontemporal=*/false, llvm::MaybeAlign(bytes));
    return pair;
  }
  for (unsigned number = 0; number < (operand.usesColumn ? 2 : 1); ++number) {
    Value at = operand.usesColumn ? columnOf(group, number) : Value();
    pair.single[number] =
        memref::LoadOp::create(b, memory, indicesIn(*operand.flat, rows[half], at));
  }
  return pair;
}

Value WgmmaReads::element(OpOperand &input, int64_t group, unsigned half, unsigned number) {
  auto *operand =
      llvm::find_if(operands, [&](const Operand &operand) { return operand.input == &input; });
  if (operand == operands.end())
    return input.get();
  const Pair &pair = pairOf(*operand, group, half);
  if (pair.access)
    return vector::ExtractOp::create(b, pair.access, number);
  return pair.single[operand->usesColumn ? number : 0];
}

ArrayRef<Value> WgmmaReads::indices(int64_t group, unsigned half, unsigned number) {
  SmallVector<Value> &list = places[group * 4 + half * 2 + number];
  if (!list.empty())
    return list;
  Value out = product.results().front();
  auto type = cast<MemRefType>(out.getType());
  list.resize(type.getRank());
  for (const ProductOperand::Place &at : product.axes().out.places) {
    bool isColumn = at.axis == product.tiled.column;
    Value index = indexOf(at.axis, rows[half], isColumn ? columnOf(group, number) : Value());
    SmallVector<Value> extents = llvm::map_to_vector(at.dims, [&](unsigned dim) -> Value {
      return type.isDynamicDim(dim) ? b.toI32(memref::DimOp::create(b, out, dim))
                                    : b.i32(type.getDimSize(dim));
    });
    for (auto [dim, value] : llvm::zip_equal(at.dims, b.split(index, extents)))
      list[dim] = b.toIndex(value);
  }
  for (Value &index : list)
    if (!index)
      index = arith::ConstantIndexOp::create(b, 0);
  return list;
}
