#include "BuildContraction.h"

#include "../Strategy/ProductFollow.h"
#include "../Tile/LowerTileProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace {
/// One operand of the program: memory of where it begins, the outer axes, the outer terms and the
/// two dimensions of its tiles.
struct TiledMemory {
  Value memory;
  /// Indices of its first dimensions: where it begins.
  SmallVector<Value, 1> begin;
  std::optional<unsigned> axes[2];
  /// What loads and stores may promise, in bytes; 0: nothing.
  int64_t align = 0;
};

class ContractionBuilder {
public:
  ContractionBuilder(func::FuncOp kernel, const TileContraction &contraction,
                     const ContractionTile &tile, const GPUChip &chip)
      : kernel(kernel), contraction(contraction), tile(tile), chip(chip),
        layouts(layoutsOf(kernel.getContext(), tile, chip)),
        b(kernel.getLoc(), kernel.getContext()) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

  void build();

private:
  /// A factor on its way: memory, a buffer in shared memory, and the layout between.
  struct Factor {
    TiledMemory memory;
    /// [rows, terms], by fma [terms, rows], by cp.async either.
    tile::SharedType shared;
    Value buffer;
    bool isTermsFirst = false;
    RankedTensorType copied;
    /// To the type in shared memory, or null.
    Operation *cast = nullptr;
  };

  void place();
  Factor makeFactor(const AxisAccess &access, std::optional<unsigned> axis, int64_t extent);
  Value sums();
  Value sumsOfRing();
  void put(Value ring, Value step);
  Value multiply(Value accumulator);
  void finish(Value accumulator);
  SmallVector<Value> epilogue(Value accumulator);
  Value position(unsigned loop);

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value times(Value a, int64_t factor) { return arith::MulIOp::create(b, a, index(factor)); }
  RankedTensorType sumsOf(Type element) {
    return RankedTensorType::get({tile.rows, tile.columns}, element, layouts.sums);
  }
  TiledMemory memoryOf(const AxisAccess &access, std::optional<unsigned> first,
                       std::optional<unsigned> second, int64_t widest);
  /// Where a tile begins: the block's outer indices, those of the terms of `step`, and `first` and
  /// `second`.
  SmallVector<Value> indicesOf(const TiledMemory &memory, ArrayRef<Value> outerTerms, Value first,
                               Value second);
  Value load(const TiledMemory &memory, RankedTensorType type, ValueRange indices, Value limit0,
             Value limit1);
  DenseI64ArrayAttr tileDims(const TiledMemory &memory);
  IntegerAttr alignment(int64_t bytes) {
    return bytes ? b.getI64IntegerAttr(bytes) : IntegerAttr();
  }
  std::pair<Value, Value> loadFactors(Value step);
  /// Where the terms of `step` begin, of the axis that steps divide; and the indices of the others.
  /// Behind the last step the outermost is outside of the memory.
  Value termsOf(Value step, SmallVectorImpl<Value> &outerTerms);
  /// An operation of a body, on tiles.
  Value onTiles(Operation &op, ValueRange operands, RankedTensorType type) {
    OperationState state(op.getLoc(), op.getName());
    state.addAttributes(op.getAttrs());
    state.addOperands(operands);
    state.addTypes(type);
    return b.create(state)->getResult(0);
  }

  func::FuncOp kernel;
  const TileContraction &contraction;
  const ContractionTile &tile;
  const GPUChip &chip;
  ProductLayouts layouts;
  ImplicitLocOpBuilder b;
  SmallVector<Value> outer;
  Value row, column;
  Factor left, right;
  int64_t steps = 1, termSteps = 1;
};
} // namespace

/// The block's tile: columns change fastest, then rows, then the outer axes.
void ContractionBuilder::place() {
  int64_t rowTiles = llvm::divideCeil(contraction.sizeOf(contraction.row), tile.rows);
  int64_t columnTiles = llvm::divideCeil(contraction.sizeOf(contraction.column), tile.columns);
  int64_t blocks = rowTiles * columnTiles * contraction.sizeOf(contraction.outer);
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(blocks));
  kernel->setAttr(tile::kWarpsAttr, b.getI64IntegerAttr(tile.warps()));
  Value rest = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  auto take = [&](int64_t size) -> Value {
    Value number = arith::RemUIOp::create(b, rest, index(size));
    rest = arith::DivUIOp::create(b, rest, index(size));
    return number;
  };
  column = times(take(columnTiles), tile.columns);
  row = times(take(rowTiles), tile.rows);
  outer.resize(contraction.outer.size());
  for (size_t i = outer.size(); i-- > 0;)
    outer[i] = take(contraction.axes[contraction.outer[i]].size);
}

TiledMemory ContractionBuilder::memoryOf(const AxisAccess &access, std::optional<unsigned> first,
                                         std::optional<unsigned> second, int64_t widest) {
  SmallVector<AxisExtent> dims;
  auto add = [&](std::optional<unsigned> axis) {
    dims.push_back({axis, contraction.sizeOf(axis)});
  };
  for (ArrayRef<unsigned> list : {ArrayRef(contraction.outer), ArrayRef(contraction.outerTerms)})
    for (unsigned axis : list)
      add(axis);
  add(first);
  add(second);
  TiledMemory memory;
  memory.memory = castToAxes(b, access, dims);
  for (const AxisAccess::Term &term : access.terms)
    memory.begin.push_back(term.value);
  memory.axes[0] = first;
  memory.axes[1] = second;
  memory.align = access.alignmentAlong(second, access.elementBytes(), widest);
  return memory;
}

DenseI64ArrayAttr ContractionBuilder::tileDims(const TiledMemory &memory) {
  auto first = static_cast<int64_t>(memory.begin.size() + contraction.outer.size() +
                                    contraction.outerTerms.size());
  return b.getDenseI64ArrayAttr({first, first + 1});
}

SmallVector<Value> ContractionBuilder::indicesOf(const TiledMemory &memory,
                                                 ArrayRef<Value> outerTerms, Value first,
                                                 Value second) {
  SmallVector<Value> indices(memory.begin.begin(), memory.begin.end());
  llvm::append_range(indices, outer);
  if (outerTerms.empty())
    indices.append(contraction.outerTerms.size(), index(0));
  else
    llvm::append_range(indices, outerTerms);
  indices.push_back(first);
  indices.push_back(second);
  return indices;
}

Value ContractionBuilder::load(const TiledMemory &memory, RankedTensorType type, ValueRange indices,
                               Value limit0, Value limit1) {
  return tile::LoadOp::create(b, type, memory.memory, indices, tileDims(memory),
                              ValueRange{limit0, limit1},
                              /*fill=*/Value(), alignment(memory.align));
}

/// By matrix instructions a buffer has the widest swizzle. What cp.async copies stays as it is in
/// memory; else a buffer is [rows, terms], by fma [terms, rows].
ContractionBuilder::Factor ContractionBuilder::makeFactor(const AxisAccess &access,
                                                          std::optional<unsigned> axis,
                                                          int64_t extent) {
  Factor factor;
  Type element = contraction.factorType();
  constexpr int64_t accessBytes = 16;
  SmallVector<int64_t> shape{extent, tile.terms};
  factor.isTermsFirst =
      !tile.isMatrix() || (tile.stages > 1 && asyncAxis(contraction, access, axis) == axis);
  if (factor.isTermsFirst)
    std::swap(shape[0], shape[1]);
  factor.memory = factor.isTermsFirst ? memoryOf(access, contraction.term, axis, accessBytes)
                                      : memoryOf(access, axis, contraction.term, accessBytes);
  factor.shared = tile.isMatrix()
                      ? tile::SharedType::get(b.getContext(), shape, element, 128, 0)
                      : tile::SharedType::get(b.getContext(), shape, element, 0, accessBytes);
  if (tile.stages > 1)
    return factor;
  // Along what is side by side in memory.
  std::optional<unsigned> last = factor.memory.axes[1], first = factor.memory.axes[0];
  bool alongLast = !first || (last && access.strides[*last] == 1) || access.strides[*first] != 1;
  factor.copied =
      RankedTensorType::get(shape, getElementTypeOrSelf(access.root),
                            copyLayout(b.getContext(), shape, accessBytes / access.elementBytes(),
                                       chip, tile.warps(), alongLast));
  factor.buffer = tile::AllocOp::create(b, factor.shared);
  return factor;
}

Value ContractionBuilder::termsOf(Value step, SmallVectorImpl<Value> &outerTerms) {
  outerTerms.resize(contraction.outerTerms.size());
  if (outerTerms.empty())
    return times(step, tile.terms);
  Value rest = arith::DivUIOp::create(b, step, index(termSteps));
  for (size_t i = outerTerms.size(); i-- > 1;) {
    Value size = index(contraction.axes[contraction.outerTerms[i]].size);
    outerTerms[i] = arith::RemUIOp::create(b, rest, size);
    rest = arith::DivUIOp::create(b, rest, size);
  }
  outerTerms[0] = rest;
  return times(arith::RemUIOp::create(b, step, index(termSteps)), tile.terms);
}

/// Of step `step`, which may be behind the last: then nothing is read.
std::pair<Value, Value> ContractionBuilder::loadFactors(Value step) {
  Value terms = index(contraction.axes[contraction.term].size);
  Value isStep = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step, index(steps));
  Value limit = arith::SelectOp::create(b, isStep, terms, index(0));
  SmallVector<Value> outerTerms;
  Value first = termsOf(step, outerTerms);
  auto loadOne = [&](const Factor &factor, Value at, std::optional<unsigned> axis) {
    Value extent = index(contraction.sizeOf(axis));
    return factor.isTermsFirst
               ? load(factor.memory, factor.copied, indicesOf(factor.memory, outerTerms, first, at),
                      limit, extent)
               : load(factor.memory, factor.copied, indicesOf(factor.memory, outerTerms, at, first),
                      extent, limit);
  };
  Value l = loadOne(left, row, contraction.row);
  return {l, loadOne(right, column, contraction.column)};
}

/// The product of what is in shared memory.
Value ContractionBuilder::multiply(Value accumulator) {
  auto kindAttr = tile::DotKindAttr::get(b.getContext(), tile.kind);
  if (!tile.isMatrix())
    return tile::DotOp::create(b, accumulator.getType(), kindAttr, DenseI64ArrayAttr(), left.buffer,
                               b.getUnitAttr(), right.buffer, b.getUnitAttr(), accumulator);
  int64_t terms = tile.instruction[2];
  Type element = contraction.factorType();
  auto factorOf = [&](const Factor &factor, int64_t extent, tile::LayoutAttr layout, int64_t term) {
    auto type = RankedTensorType::get({extent, terms}, element, layout);
    SmallVector<Value> at{index(0), index(term)};
    DenseI64ArrayAttr dims;
    if (factor.isTermsFirst) {
      std::swap(at[0], at[1]);
      dims = b.getDenseI64ArrayAttr({1, 0});
    }
    return tile::LoadOp::create(b, type, factor.buffer, at, dims, ValueRange(), Value(),
                                alignment(tile.factorBytes));
  };
  for (int64_t term = 0; term < tile.terms; term += terms) {
    Value l = factorOf(left, tile.rows, layouts.left, term),
          r = factorOf(right, tile.columns, layouts.right, term);
    accumulator = tile::DotOp::create(b, accumulator.getType(), kindAttr,
                                      b.getDenseI64ArrayAttr(tile.instruction), l, UnitAttr(), r,
                                      UnitAttr(), accumulator);
  }
  return accumulator;
}

/// Fills the next slot with the factors of `step`, with zeros behind the last.
void ContractionBuilder::put(Value ring, Value step) {
  SmallVector<Value> outerTerms;
  Value first = termsOf(step, outerTerms);
  SmallVector<Value> leftAt = indicesOf(left.memory, outerTerms, row, first),
                     rightAt = indicesOf(right.memory, outerTerms, column, first);
  if (left.isTermsFirst)
    leftAt = indicesOf(left.memory, outerTerms, first, row);
  if (right.isTermsFirst)
    rightAt = indicesOf(right.memory, outerTerms, first, column);
  auto put = tile::PutOp::create(b, ring);
  OpBuilder::InsertionGuard guard(b);
  Block *body =
      b.createBlock(&put.getBody(), {}, {left.shared, right.shared}, {b.getLoc(), b.getLoc()});
  for (auto [factor, at, buffer] :
       llvm::zip_equal(ArrayRef{&left, &right}, ArrayRef{leftAt, rightAt}, body->getArguments()))
    tile::CopyOp::create(b, factor->memory.memory, at, tileDims(factor->memory), buffer,
                         tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::CpAsync),
                         alignment(16));
  tile::YieldOp::create(b, ValueRange());
}

/// Factors are copied asynchronously, all stages but one ahead of the product.
Value ContractionBuilder::sumsOfRing() {
  RankedTensorType type = sumsOf(contraction.sumType());
  Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  Value ring = tile::RingOp::create(
      b, tile::RingType::get(b.getContext(), tile.stages, {left.shared, right.shared}));
  int64_t ahead = tile.stages - 1;
  for (int64_t step = 0; step < ahead; ++step)
    put(ring, index(step));
  auto loop = scf::ForOp::create(b, index(0), index(steps), index(1), ValueRange{zero});
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  auto get = tile::GetOp::create(
      b, TypeRange{tile::SlotType::get(b.getContext()), left.shared, right.shared}, ring);
  put(ring, arith::AddIOp::create(b, loop.getInductionVar(), index(ahead)));
  left.buffer = get.getBuffers()[0];
  right.buffer = get.getBuffers()[1];
  Value sum = multiply(loop.getRegionIterArg(0));
  tile::DropOp::create(b, get.getSlot());
  scf::YieldOp::create(b, sum);
  return loop.getResult(0);
}

/// A step's factors are stored to shared memory, the next step's begin to be loaded, and the
/// product is made.
Value ContractionBuilder::sums() {
  RankedTensorType type = sumsOf(contraction.sumType());
  Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  auto [firstLeft, firstRight] = loadFactors(index(0));
  auto loop = scf::ForOp::create(b, index(0), index(steps), index(1),
                                 ValueRange{zero, firstLeft, firstRight});
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  auto store = [&](Value value, const Factor &factor) {
    if (factor.cast)
      value = onTiles(*factor.cast, value,
                      RankedTensorType::get(factor.copied.getShape(), contraction.factorType(),
                                            factor.copied.getEncoding()));
    tile::StoreOp::create(b, value, factor.buffer, ValueRange{index(0), index(0)},
                          DenseI64ArrayAttr(), ValueRange(), alignment(16));
  };
  store(loop.getRegionIterArg(1), left);
  store(loop.getRegionIterArg(2), right);
  Value next = arith::AddIOp::create(b, loop.getInductionVar(), index(1));
  auto [nextLeft, nextRight] = loadFactors(next);
  Value sum = multiply(loop.getRegionIterArg(0));
  scf::YieldOp::create(b, ValueRange{sum, nextLeft, nextRight});
  return loop.getResult(0);
}

/// The index of a loop of the epilogue for each element of the tile.
Value ContractionBuilder::position(unsigned loop) {
  RankedTensorType type = sumsOf(b.getIndexType());
  auto splat = [&](Value value) -> Value { return tensor::SplatOp::create(b, value, type); };
  for (auto [number, axis] : llvm::enumerate(contraction.resultLoops)) {
    const auto *found = llvm::find(axis, loop);
    if (found == axis.end())
      continue;
    Value at;
    if (number == contraction.row || number == contraction.column) {
      bool isRow = number == contraction.row;
      Value within = tile::IotaOp::create(b, type, b.getI64IntegerAttr(isRow ? 0 : 1));
      at = arith::AddIOp::create(b, splat(isRow ? row : column), within);
    } else {
      at = splat(outer[llvm::find(contraction.outer, number) - contraction.outer.begin()]);
    }
    // The loops within change faster.
    int64_t within = 1, size = contraction.resultShape[loop];
    for (unsigned inner : ArrayRef(axis).drop_front(found - axis.begin() + 1))
      within *= contraction.resultShape[inner];
    if (within != 1)
      at = arith::DivUIOp::create(b, at, splat(index(within)));
    return found == axis.begin() ? at
                                 : arith::RemUIOp::create(b, at, splat(index(size))).getResult();
  }
  return splat(index(0));
}

SmallVector<Value> ContractionBuilder::epilogue(Value accumulator) {
  auto elementOf = [&](OpOperand &input) -> Value {
    if (!isa<ShapedType>(input.get().getType()))
      return input.get();
    const std::optional<AxisAccess> &access = contraction.inputs[input.getOperandNumber()];
    if (!access)
      return accumulator;
    TiledMemory memory = memoryOf(*access, contraction.row, contraction.column, /*widest=*/0);
    return load(memory, sumsOf(getElementTypeOrSelf(input.get())),
                indicesOf(memory, {}, row, column), index(contraction.sizeOf(contraction.row)),
                index(contraction.sizeOf(contraction.column)));
  };
  return emitFollowOnTiles(
      b, contraction.epilogue, [&](Type element) { return sumsOf(element); }, elementOf,
      [&](unsigned loop) { return position(loop); });
}

void ContractionBuilder::finish(Value accumulator) {
  SmallVector<Value> values{accumulator};
  tile::StageOp::create(b, "epilogue");
  if (contraction.epilogue)
    values = epilogue(accumulator);
  for (auto [value, access] : llvm::zip_equal(values, contraction.results)) {
    // Neighbouring columns of a thread: two at most by mma, four by fma.
    int64_t bytes = getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8;
    int64_t widest = tile.kind == tile::DotKind::Mma   ? 2 * bytes
                     : tile.kind == tile::DotKind::Fma ? std::min<int64_t>(4 * bytes, 16)
                                                       : 0;
    TiledMemory memory = memoryOf(access, contraction.row, contraction.column, widest);
    tile::StoreOp::create(b, value, memory.memory, indicesOf(memory, {}, row, column),
                          tileDims(memory),
                          ValueRange{index(contraction.sizeOf(contraction.row)),
                                     index(contraction.sizeOf(contraction.column))},
                          alignment(memory.align));
  }
}

void ContractionBuilder::build() {
  termSteps = llvm::divideCeil(contraction.axes[contraction.term].size, tile.terms);
  steps = termSteps * contraction.sizeOf(contraction.outerTerms);
  place();
  left = makeFactor(contraction.left, contraction.row, tile.rows);
  right = makeFactor(contraction.right, contraction.column, tile.columns);
  left.cast = contraction.leftCast;
  right.cast = contraction.rightCast;
  finish(tile.stages > 1 ? sumsOfRing() : sums());
}

void forge::buildContraction(func::FuncOp kernel, const TileContraction &contraction,
                             const ContractionTile &tile, const GPUChip &chip) {
  ContractionBuilder(kernel, contraction, tile, chip).build();
}
