// Operations on tiles alone: within a thread, between lanes, between warps.
#include "ThreadEmitter.h"

#include "../RowKernels/Shuffle.h"
#include "../Strategy/AccessBytes.h"

#include "forge/Dialect/Tile/IR/LayoutConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace forge;

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

/// `coordinates` without those of `dims`.
static SmallVector<int64_t> without(ArrayRef<int64_t> coordinates, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> rest;
  for (auto [dim, at] : llvm::enumerate(coordinates))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      rest.push_back(at);
  return rest;
}

LogicalResult ThreadEmitter::emitBroadcast(tile::BroadcastOp op) {
  tile::LayoutAttr from = layoutOf(op.getOperand().getType()), to = layoutOf(op.getType());
  SmallVector<Value> values = registers(op.getOperand()), results;
  for (int64_t reg = 0, count = registersOf(op.getType()); reg < count; ++reg) {
    SmallVector<int64_t> at =
        without(to.getCoordinates(op.getType().getShape(), reg), op.getDims());
    results.push_back(values[from.getPlace(shapeOf(op.getOperand()), at).reg]);
  }
  tiles[op].registers = std::move(results);
  return success();
}

LogicalResult ThreadEmitter::emitSlice(tile::SliceOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    scalars.map(op.getResult(), b.add(mapped(op.getOperand()), b.i32(op.getByteOffset())));
    return success();
  }
  tile::LayoutAttr layout = layoutOf(type);
  SmallVector<int64_t> atom = layout.getAtom(), offsets;
  for (auto [dim, offset] : llvm::enumerate(op.getOffsets())) {
    std::optional<int64_t> constant = getConstantIntValue(mapped(offset));
    if (!constant)
      return op.emitOpError("expected constant indices, such as those of loops with ")
             << tile::kUnrollAttr;
    int64_t most = shapeOf(op.getOperand())[dim] - type.getDimSize(dim);
    if (*constant < 0 || *constant > most || *constant % atom[dim] != 0)
      return op.emitOpError("expected a multiple of ")
             << atom[dim] << " from 0 to " << most << " in dimension " << dim << ", but got "
             << *constant;
    offsets.push_back(*constant);
  }
  SmallVector<Value> values = registers(op.getOperand()), results;
  for (int64_t reg = 0, count = registersOf(type); reg < count; ++reg) {
    SmallVector<int64_t> at = layout.getCoordinates(type.getShape(), reg);
    for (auto [coordinate, offset] : llvm::zip_equal(at, offsets))
      coordinate += offset;
    results.push_back(values[layout.getPlace(shapeOf(op.getOperand()), at).reg]);
  }
  tiles[op.getResult()].registers = std::move(results);
  return success();
}

LogicalResult ThreadEmitter::emitReshape(tile::ReshapeOp op) {
  if (isa<tile::SharedType>(op.getType())) {
    scalars.map(op.getResult(), mapped(op.getOperand()));
    return success();
  }
  tiles[op.getResult()].registers = registers(op.getOperand());
  return success();
}

LogicalResult ThreadEmitter::emitIota(tile::IotaOp op) {
  tile::LayoutAttr layout = layoutOf(op.getType());
  Value first = threadOffsets(layout)[op.getDim()];
  Type element = op.getType().getElementType();
  if (!element.isIndex())
    first = arith::IndexCastOp::create(b, element, first);
  SmallVector<Value> results;
  for (int64_t reg = 0, count = registersOf(op.getType()); reg < count; ++reg) {
    int64_t at = layout.getCoordinates(op.getType().getShape(), reg)[op.getDim()];
    Value step = arith::ConstantOp::create(b, cast<TypedAttr>(b.getIntegerAttr(element, at)));
    results.push_back(at ? arith::AddIOp::create(b, first, step).getResult() : first);
  }
  tiles[op].registers = std::move(results);
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions

static Value combine(ThreadBuilder &b, tile::ReduceKind kind, Value x, Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (kind) {
  case tile::ReduceKind::Add:
    return isFloat ? arith::AddFOp::create(b, x, y).getResult()
                   : arith::AddIOp::create(b, x, y).getResult();
  case tile::ReduceKind::Mul:
    return isFloat ? arith::MulFOp::create(b, x, y).getResult()
                   : arith::MulIOp::create(b, x, y).getResult();
  case tile::ReduceKind::Max:
    return isFloat ? arith::MaximumFOp::create(b, x, y).getResult()
                   : arith::MaxSIOp::create(b, x, y).getResult();
  case tile::ReduceKind::Min:
    return isFloat ? arith::MinimumFOp::create(b, x, y).getResult()
                   : arith::MinSIOp::create(b, x, y).getResult();
  }
  llvm_unreachable("unknown kind");
}

/// Bits of a lane's or warp's number along the dimensions that are reduced.
static SmallVector<unsigned> reducedBits(ArrayRef<tile::LayoutEntry> entries,
                                         ArrayRef<int64_t> dims) {
  SmallVector<unsigned> bits;
  for (auto [bit, entry] : llvm::enumerate(entries))
    if (!entry.isReplicated() && llvm::is_contained(dims, int64_t(entry.dim)))
      bits.push_back(bit);
  return bits;
}

/// Neighbours first. Of values whose order does not matter: no value waits for all before it.
static Value combineAsTree(ThreadBuilder &b, tile::ReduceKind kind, SmallVector<Value> values) {
  for (; values.size() > 1; values.truncate((values.size() + 1) / 2))
    for (size_t i = 0; i < (values.size() + 1) / 2; ++i)
      values[i] = 2 * i + 1 < values.size() ? combine(b, kind, values[2 * i], values[2 * i + 1])
                                            : values[2 * i];
  return values.front();
}

/// 1. A thread's registers, ascending; of a maximum or minimum, in any order.
/// 2. Lanes, from the lowest bit on. All get the result; either of two gets the same bits, as the
///    kinds are commutative.
/// 3. Warps likewise.
LogicalResult ThreadEmitter::emitReduce(tile::ReduceOp op) {
  auto type = op.getOperand().getType();
  tile::LayoutAttr from = layoutOf(type);
  if (Type element = type.getElementType();
      element.isInteger() && element.getIntOrFloatBitWidth() < 8)
    return op.emitOpError("expected elements of whole bytes, but got ") << element;
  auto resultType = dyn_cast<RankedTensorType>(op.getResult().getType());
  SmallVector<Value> values = registers(op.getOperand());
  SmallVector<SmallVector<Value>> parts(resultType ? registersOf(resultType) : 1);
  for (int64_t reg = 0, count = registersOf(type); reg < count; ++reg) {
    int64_t at = 0;
    if (resultType)
      at = layoutOf(resultType)
               .getPlace(resultType.getShape(),
                         without(from.getCoordinates(type.getShape(), reg), op.getDims()))
               .reg;
    parts[at].push_back(values[reg]);
  }
  bool anyOrder = op.getKind() == tile::ReduceKind::Max || op.getKind() == tile::ReduceKind::Min;
  SmallVector<Value> results = llvm::map_to_vector(parts, [&](ArrayRef<Value> list) {
    if (anyOrder)
      return combineAsTree(b, op.getKind(), SmallVector<Value>(list));
    return std::accumulate(list.begin() + 1, list.end(), list.front(), [&](Value sum, Value value) {
      return combine(b, op.getKind(), sum, value);
    });
  });
  for (unsigned bit : reducedBits(from.getLane(), op.getDims()))
    for (Value &value : results)
      value = combine(b, op.getKind(), value,
                      shuffleXor(b, value, int64_t(1) << bit, program.chip->warpSize));
  if (!reducedBits(from.getWarp(), op.getDims()).empty())
    results = reduceWarps(op, std::move(results));
  if (resultType)
    tiles[op.getResult()].registers = std::move(results);
  else
    scalars.map(op.getResult(), results.front());
  return success();
}

/// 1. Every thread writes what its warp has; each warp, each register and each lane has a place.
/// 2. It reads what the lanes of its number have in the warps that differ in the reduced bits, and
///    reduces in pairs.
SmallVector<Value> ThreadEmitter::reduceWarps(tile::ReduceOp op, SmallVector<Value> values) {
  SmallVector<unsigned> bits =
      reducedBits(layoutOf(op.getOperand().getType()).getWarp(), op.getDims());
  int64_t lanes = program.chip->warpSize, perWarp = lanes * int64_t(values.size());
  Type element = values.front().getType();
  int64_t elements = role->warps * perWarp, bytes = elementBytes(element);
  Value view = sharedView(b.i32(program.take(elements * bytes, 16)), element, elements);
  int64_t reduced = 0;
  for (unsigned bit : bits)
    reduced |= int64_t(1) << bit;
  auto place = [&](Value ofWarp, size_t number) {
    return b.toIndex(b.add(b.add(b.mul(ofWarp, b.i32(perWarp)), lane),
                           b.i32(static_cast<int64_t>(number) * lanes)));
  };
  // The place may still be read by the iteration before.
  if (op->getParentOfType<scf::ForOp>())
    barrier();
  for (auto [number, value] : llvm::enumerate(values))
    memref::StoreOp::create(b, value, view, place(warp, number));
  barrier();
  Value others = arith::AndIOp::create(b, warp, b.i32(~reduced & (role->warps - 1)));
  for (auto [number, value] : llvm::enumerate(values)) {
    SmallVector<Value> parts;
    for (int64_t part = 0; part < int64_t(1) << bits.size(); ++part) {
      int64_t source = 0;
      for (auto [i, bit] : llvm::enumerate(bits))
        source |= (part >> i & 1) << bit;
      parts.push_back(memref::LoadOp::create(
          b, view, place(source ? b.add(others, b.i32(source)) : others, number)));
    }
    while (parts.size() > 1) {
      for (size_t i = 0; i < parts.size() / 2; ++i)
        parts[i] = combine(b, op.getKind(), parts[2 * i], parts[2 * i + 1]);
      parts.truncate(parts.size() / 2);
    }
    value = parts.front();
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Conversions

namespace {
class EmittedValues : public tile::ThreadValues<Value> {
public:
  EmittedValues(ThreadBuilder &b, Value lane, Value warp, int64_t lanes)
      : b(b), lane(lane), warp(warp), lanes(lanes) {}

  Value select(bool ofWarp, unsigned bit, Value zero, Value one) override {
    Value mask = b.i32(int64_t(1) << bit);
    Value bits = arith::AndIOp::create(b, ofWarp ? warp : lane, mask);
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits, b.i32(0));
    return arith::SelectOp::create(b, is, one, zero);
  }
  Value exchange(unsigned bit, Value value) override {
    return shuffleXor(b, value, int64_t(1) << bit, lanes);
  }
  Value permute(ArrayRef<unsigned> from, Value value) override {
    Value source = b.i32(0);
    for (auto [to, bit] : llvm::enumerate(from)) {
      Value is = arith::AndIOp::create(
          b, to ? arith::ShRUIOp::create(b, lane, b.i32(to)).getResult() : lane, b.i32(1));
      source = arith::OrIOp::create(
          b, source, bit ? arith::ShLIOp::create(b, is, b.i32(bit)).getResult() : is);
    }
    return shuffleIndex(b, value, source, lanes);
  }

private:
  ThreadBuilder &b;
  Value lane, warp;
  int64_t lanes;
};

/// Neighbours of 8 or 16 bits that stay together are moved as one word.
struct Packed {
  SmallVector<int64_t> shape;
  tile::LayoutAttr from, to;
  int64_t count = 1;
};
} // namespace

/// `layout` where the first `bits` register entries, the lowest steps of dimension `dim`, are gone.
static tile::LayoutAttr withoutLowest(tile::LayoutAttr layout, unsigned bits, int8_t dim) {
  auto shifted = [&](ArrayRef<tile::LayoutEntry> list) {
    SmallVector<tile::LayoutEntry> result(list);
    for (tile::LayoutEntry &entry : result)
      if (entry.dim == dim)
        entry.bit -= bits;
    return result;
  };
  return tile::LayoutAttr::get(layout.getContext(), layout.getRank(),
                               shifted(layout.getReg().drop_front(bits)), shifted(layout.getLane()),
                               shifted(layout.getWarp()));
}

static Packed packed(RankedTensorType type, tile::LayoutAttr from, tile::LayoutAttr to) {
  Packed result{llvm::to_vector(type.getShape()), from, to};
  Type element = type.getElementType();
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (width != 8 && width != 16)
    return result;
  unsigned bits = 0;
  while (width << (bits + 1) <= 32 && bits < from.getReg().size() && bits < to.getReg().size() &&
         from.getReg()[bits] == to.getReg()[bits] && from.getReg()[bits].bit == bits &&
         from.getReg()[bits].dim == from.getReg().front().dim)
    ++bits;
  if (bits == 0)
    return result;
  int8_t dim = from.getReg().front().dim;
  result.count = int64_t(1) << bits;
  result.shape[dim] /= result.count;
  result.from = withoutLowest(from, bits, dim);
  result.to = withoutLowest(to, bits, dim);
  return result;
}

SmallVector<Value> forge::packRegisters(ThreadBuilder &b, ArrayRef<Value> values, int64_t count) {
  SmallVector<Value> words;
  Type element = values.front().getType();
  auto word = VectorType::get(1, b.getIntegerType(count * element.getIntOrFloatBitWidth()));
  for (size_t i = 0; i < values.size(); i += count) {
    Value all =
        vector::FromElementsOp::create(b, VectorType::get(count, element), values.slice(i, count));
    words.push_back(vector::ExtractOp::create(b, vector::BitCastOp::create(b, word, all), 0));
  }
  return words;
}

SmallVector<Value> forge::unpackRegisters(ThreadBuilder &b, ArrayRef<Value> words, int64_t count,
                                          Type element) {
  SmallVector<Value> values;
  for (Value word : words) {
    Value one = vector::FromElementsOp::create(b, VectorType::get(1, word.getType()), word);
    Value all = vector::BitCastOp::create(b, VectorType::get(count, element), one);
    for (int64_t i = 0; i < count; ++i)
      values.push_back(vector::ExtractOp::create(b, all, i));
  }
  return values;
}

/// Sizes of a tile in shared memory, in a loop with 16 bytes behind each row: in matrices of
/// factors and sums a warp's lanes are in eight rows and four columns, which are in different banks
/// then.
static SmallVector<int64_t> paddedShape(ArrayRef<int64_t> shape, int64_t elementBytes,
                                        bool inLoop) {
  SmallVector<int64_t> padded(shape);
  if (inLoop && shape.size() > 1 && elementBytes <= kAccessBytes)
    padded.back() += kAccessBytes / elementBytes;
  return padded;
}

SmallVector<Value> ThreadEmitter::throughShared(Operation *op, ArrayRef<int64_t> shape,
                                                tile::LayoutAttr from, tile::LayoutAttr to,
                                                ArrayRef<Value> values) {
  Type element = values.front().getType();
  bool inLoop = op->getParentOfType<scf::ForOp>() != nullptr;
  SmallVector<int64_t> inMemory = paddedShape(shape, elementBytes(element), inLoop);
  int64_t elements = ShapedType::getNumElements(inMemory);
  Value view =
      sharedView(b.i32(program.take(elements * elementBytes(element), 16)), element, elements);
  auto place = [&](tile::LayoutAttr layout, ArrayRef<Value> offsets, int64_t reg) {
    SmallVector<int64_t> at = layout.getCoordinates(shape, reg);
    Value linear = index(0);
    int64_t constant = 0;
    for (auto [size, offset, coordinate] : llvm::zip_equal(inMemory, offsets, at)) {
      linear = arith::AddIOp::create(b, arith::MulIOp::create(b, linear, index(size)), offset);
      constant = constant * size + coordinate;
    }
    return addIndex(linear, constant);
  };
  if (inLoop)
    barrier();
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> offsets = threadOffsets(from);
    if (Value stores = representative(from)) {
      auto branch = scf::IfOp::create(b, stores, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (auto [reg, value] : llvm::enumerate(values))
      memref::StoreOp::create(b, value, view, place(from, offsets, static_cast<int64_t>(reg)));
  }
  barrier();
  SmallVector<Value> results, offsets = threadOffsets(to);
  for (int64_t reg = 0, count = to.getRegisters(shape); reg < count; ++reg)
    results.push_back(memref::LoadOp::create(b, view, place(to, offsets, reg)));
  return results;
}

LogicalResult ThreadEmitter::emitConvert(tile::ConvertOp op) {
  RankedTensorType type = op.getType();
  Type element = type.getElementType();
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 8)
    return op.emitOpError("expected elements of whole bytes, but got ") << element;
  Packed plan = packed(type, layoutOf(op.getOperand().getType()), layoutOf(type));
  SmallVector<Value> values = registers(op.getOperand());
  if (plan.count > 1)
    values = packRegisters(b, values, plan.count);
  EmittedValues threads(b, lane, warp, program.chip->warpSize);
  for (const tile::ConversionStep &step : tile::planConversion(plan.from, plan.to))
    values = step.kind == tile::ConversionStep::Kind::Shared
                 ? throughShared(op, plan.shape, step.from, step.to, values)
                 : tile::applyStep<Value>(step, plan.shape, values, threads);
  if (plan.count > 1)
    values = unpackRegisters(b, values, plan.count, element);
  tiles[op].registers = std::move(values);
  return success();
}
