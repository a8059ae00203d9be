#include "NaiveEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

/// Arrays begin at multiples of this.
static constexpr int64_t kAlignment = 64;
/// The most memory of all blocks together.
static constexpr int64_t kMaxBytes = int64_t(1) << 36;

NaiveEmitter::NaiveEmitter(func::FuncOp kernel, bool onDevice)
    : kernel(kernel), onDevice(onDevice), b(kernel.getContext()), loc(kernel.getLoc()) {}

//===----------------------------------------------------------------------===//
// Arrays

bool NaiveEmitter::isTile(Type type) { return isa<RankedTensorType>(type); }

Value NaiveEmitter::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value NaiveEmitter::add(Value left, Value right) {
  return b.createOrFold<arith::AddIOp>(loc, left, right);
}

Value NaiveEmitter::allocate(ArrayRef<int64_t> shape, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(arraysEnd);
  int64_t bytes = element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (int64_t size : shape)
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size) > uint64_t(kMaxBytes) ? kMaxBytes + 1
                                                                                  : bytes * size;
  Value offset = add(base, index(usedBytes));
  usedBytes = std::min(llvm::alignTo(usedBytes + bytes, kAlignment), uint64_t(kMaxBytes) + 1);
  return memref::ViewOp::create(b, loc, MemRefType::get(shape, element), arena, offset,
                                ValueRange());
}

Value NaiveEmitter::define(Value value) {
  auto shared = dyn_cast<tile::SharedType>(value.getType());
  ArrayRef<int64_t> shape =
      shared ? shared.getShape() : cast<RankedTensorType>(value.getType()).getShape();
  Type element = shared ? shared.getElementType() : getElementTypeOrSelf(value);
  // One array for every definition, also where a role is run again.
  Value &array = arrays[value];
  if (!array || isa<BlockArgument>(value))
    array = allocate(shape, element);
  return array;
}

Value NaiveEmitter::load(Value array, ValueRange at) {
  return memref::LoadOp::create(b, loc, array, at);
}

void NaiveEmitter::store(Value value, Value array, ValueRange at) {
  memref::StoreOp::create(b, loc, value, array, at);
}

void NaiveEmitter::forEach(ArrayRef<int64_t> shape, Body body) {
  SmallVector<Value> at;
  forEach(shape, at, body);
}

void NaiveEmitter::forEach(ArrayRef<int64_t> shape, SmallVectorImpl<Value> &at, Body body) {
  if (at.size() == shape.size())
    return body(at);
  auto loop = scf::ForOp::create(b, loc, index(0), index(shape[at.size()]), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  at.push_back(loop.getInductionVar());
  forEach(shape, at, body);
  at.pop_back();
}

void NaiveEmitter::copyArray(Value from, Value to) {
  forEach(cast<MemRefType>(to.getType()).getShape(),
          [&](ValueRange at) { store(load(from, at), to, at); });
}

//===----------------------------------------------------------------------===//
// The program

/// The blocks of each dimension of the grid.
static SmallVector<int64_t> gridOf(func::FuncOp kernel) {
  SmallVector<int64_t> grid(kernel->getAttrOfType<DenseI64ArrayAttr>(tile::kGridAttr).asArrayRef());
  grid.resize(3, 1);
  return grid;
}

void NaiveEmitter::beginBlocks() {
  SmallVector<int64_t> grid = gridOf(kernel);
  for (int64_t size : grid)
    blocks = llvm::SaturatingMultiply<uint64_t>(blocks, size) > uint64_t(kMaxBytes) ? kMaxBytes
                                                                                    : blocks * size;
  auto constant = [&] { return arith::ConstantIndexOp::create(b, loc, 0); };
  arenaBytes = constant();
  blockBytes = constant();
  arena = memref::AllocOp::create(b, loc, MemRefType::get(ShapedType::kDynamic, b.getI8Type()),
                                  ValueRange(arenaBytes));
  Value number;
  constexpr gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  if (onDevice) {
    for (gpu::Dimension dimension : dimensions)
      blockIds.push_back(gpu::BlockIdOp::create(b, loc, dimension));
    number = blockIds[2];
    for (int dim : {1, 0})
      number = add(arith::MulIOp::create(b, loc, number, index(grid[dim])), blockIds[dim]);
    base = arith::MulIOp::create(b, loc, number, blockBytes);
  } else {
    base = index(0);
  }
  // Arrays are views that come before this.
  arraysEnd = index(0).getDefiningOp();
  if (onDevice)
    return;
  blockIds.resize(3);
  for (int dim : {2, 1, 0}) {
    auto loop = scf::ForOp::create(b, loc, index(0), index(grid[dim]), index(1));
    blockIds[dim] = loop.getInductionVar();
    b.setInsertionPoint(loop.getBody()->getTerminator());
  }
}

LogicalResult NaiveEmitter::emit() {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("expected a tile program of one block");
  if (!kernel->hasAttr(tile::kGridAttr))
    return kernel.emitError("expected ") << tile::kGridAttr << " on a tile program";
  Block *program = &kernel.getBody().front();
  entry = new Block();
  kernel.getBody().push_back(entry);
  for (BlockArgument argument : program->getArguments())
    scalars.map(argument, entry->addArgument(argument.getType(), argument.getLoc()));
  b.setInsertionPointToStart(entry);
  auto end = func::ReturnOp::create(b, loc);
  b.setInsertionPoint(end);
  beginBlocks();
  if (failed(findRings()) || failed(emitBlock(*program)))
    return failure();
  int64_t total =
      onDevice ? int64_t(llvm::SaturatingMultiply<uint64_t>(usedBytes, blocks)) : usedBytes;
  if (total < 0 || total > kMaxBytes)
    return kernel.emitError("expected tiles of at most ")
           << kMaxBytes << " bytes in the naive form, all blocks together";
  blockBytes->setAttr(blockBytes.getValueAttrName(), b.getIndexAttr(usedBytes));
  arenaBytes->setAttr(arenaBytes.getValueAttrName(), b.getIndexAttr(total));
  program->dropAllDefinedValueUses();
  program->erase();
  for (StringRef name : {tile::kGridAttr, tile::kWarpsAttr})
    kernel->removeAttr(name);
  return success();
}

LogicalResult NaiveEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult NaiveEmitter::emitOp(Operation *op) {
  loc = op->getLoc();
  auto done = [](auto emit) {
    emit();
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::AllocOp alloc) { return done([&] { define(alloc.getResult()); }); })
      .Case([&](tile::RingOp ring) { return done([&] { emitRing(ring); }); })
      .Case([&](tile::RoleOp inner) { return emitRole(inner); })
      .Case([&](tile::GetOp get) { return emitGet(get); })
      .Case([&](tile::PutOp put) { return emitPut(put); })
      // These order time, not values.
      .Case([&](tile::DropOp) { return success(); })
      .Case([&](tile::TurnOp) { return success(); })
      .Case([&](tile::PassOp) { return success(); })
      .Case([&](tile::StageOp) { return success(); })
      // Blocks beyond do nothing.
      .Case([&](tile::LimitGridOp) { return success(); })
      .Case([&](tile::WhenOp when) { return emitWhen(when); })
      .Case([&](tile::WorkOp work) { return emitWork(work); })
      .Case([&](tile::SplitOp split) { return emitSplit(split); })
      .Case([&](tile::CopyOp copy) { return done([&] { emitCopy(copy); }); })
      .Case([&](tile::LoadOp load) { return done([&] { emitLoad(load); }); })
      .Case([&](tile::StoreOp store) { return done([&] { emitStore(store); }); })
      .Case([&](tile::BroadcastOp broadcast) { return done([&] { emitBroadcast(broadcast); }); })
      .Case([&](tile::ConvertOp convert) {
        return done([&] { arrays[convert.getResult()] = arrayOf(convert.getOperand()); });
      })
      .Case([&](tile::IotaOp iota) { return done([&] { emitIota(iota); }); })
      .Case([&](tile::SliceOp slice) { return done([&] { emitSlice(slice); }); })
      .Case([&](tile::ReshapeOp reshape) { return emitReshape(reshape); })
      .Case([&](tile::GatherOp gather) { return done([&] { emitGather(gather); }); })
      .Case([&](tile::ScatterOp scatter) { return done([&] { emitScatter(scatter); }); })
      .Case([&](tile::ReduceOp reduce) { return done([&] { emitReduce(reduce); }); })
      .Case([&](tile::DotOp dot) { return done([&] { emitDot(dot); }); })
      .Case([&](tensor::SplatOp splat) {
        return done([&] {
          Value array = define(splat.getResult()), value = scalars.lookup(splat.getInput());
          forEach(splat.getType().getShape(), [&](ValueRange at) { store(value, array, at); });
        });
      })
      .Case([&](scf::ForOp loop) { return emitFor(loop); })
      .Case([&](scf::IfOp branch) { return emitIf(branch); })
      .Case([&](arith::ConstantOp constant) { return emitConstant(constant); })
      .Default([&](Operation *other) {
        return llvm::any_of(other->getResultTypes(), isTile) ? emitElementwise(other)
                                                             : emitScalar(other);
      });
}

LogicalResult NaiveEmitter::emitConstant(arith::ConstantOp op) {
  if (!isTile(op.getType()))
    return emitScalar(op);
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return op.emitOpError("expected a constant tile of equal elements");
  Value value = arith::ConstantOp::create(b, loc, splat.getSplatValue<TypedAttr>());
  Value array = define(op.getResult());
  forEach(splat.getType().getShape(), [&](ValueRange at) { store(value, array, at); });
  return success();
}

LogicalResult NaiveEmitter::emitScalar(Operation *op) {
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    scalars.map(id.getResult(), blockIds[static_cast<int>(id.getDimension())]);
    return success();
  }
  if (auto size = dyn_cast<gpu::GridDimOp>(op)) {
    scalars.map(size.getResult(), index(gridOf(kernel)[static_cast<int>(size.getDimension())]));
    return success();
  }
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) || op->getNumRegions() > 0 ||
      llvm::any_of(op->getOperandTypes(), isTile))
    return op->emitOpError("expected an operation of scalars or tiles in a tile program");
  b.clone(*op, scalars);
  return success();
}

LogicalResult NaiveEmitter::emitElementwise(Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return op->emitOpError("expected an elementwise operation on tiles");
  Value array = define(op->getResult(0));
  forEach(cast<RankedTensorType>(op->getResult(0).getType()).getShape(), [&](ValueRange at) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isTile(operand.getType()) ? load(arrayOf(operand), at)
                                                   : scalars.lookup(operand));
    Operation *scalar = b.create(loc, op->getName().getIdentifier(), operands,
                                 getElementTypeOrSelf(array), op->getAttrs());
    store(scalar->getResult(0), array, at);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and branches

/// Of what a loop or branch hands on: slots are known by their order.
static bool isCarried(Type type) { return !isa<tile::SlotType>(type); }

LogicalResult NaiveEmitter::emitFor(scf::ForOp op) {
  SmallVector<Value> inits;
  // Tiles are carried in arrays of the loop's own.
  for (auto [argument, init, result] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs(), op.getResults())) {
    if (isa<tile::SharedType>(init.getType()))
      return op.emitOpError("expected no shared buffer carried by a loop in the naive form");
    if (isTile(init.getType())) {
      Value array = define(result);
      copyArray(arrayOf(init), array);
      arrays[argument] = array;
    } else if (isCarried(init.getType())) {
      inits.push_back(scalars.lookup(init));
    }
  }
  auto loop =
      scf::ForOp::create(b, loc, scalars.lookup(op.getLowerBound()),
                         scalars.lookup(op.getUpperBound()), scalars.lookup(op.getStep()), inits);
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  size_t next = 0;
  for (auto [argument, result] : llvm::zip_equal(op.getRegionIterArgs(), op.getResults())) {
    if (isTile(result.getType()) || !isCarried(result.getType()))
      continue;
    scalars.map(argument, loop.getRegionIterArg(next));
    scalars.map(result, loop.getResult(next++));
  }
  OpBuilder::InsertionGuard guard(b);
  if (inits.empty())
    loop.getBody()->getTerminator()->erase();
  b.setInsertionPointToEnd(loop.getBody());
  if (failed(emitBlock(*op.getBody())))
    return failure();
  loc = op.getLoc();
  // All of them are read before any is written: an argument may be handed on as another.
  SmallVector<Value> yielded;
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [value, result] :
       llvm::zip_equal(op.getBody()->getTerminator()->getOperands(), op.getResults())) {
    if (!isTile(value.getType())) {
      if (isCarried(value.getType()))
        yielded.push_back(scalars.lookup(value));
      continue;
    }
    Value from = arrayOf(value), to = arrayOf(result);
    if (from == to)
      continue;
    bool isCarriedArray = llvm::any_of(op.getResults(), [&](Value other) {
      return isTile(other.getType()) && arrayOf(other) == from;
    });
    if (isCarriedArray) {
      Value between =
          allocate(cast<MemRefType>(from.getType()).getShape(), getElementTypeOrSelf(from));
      copyArray(from, between);
      from = between;
    }
    copies.emplace_back(from, to);
  }
  for (auto [from, to] : copies)
    copyArray(from, to);
  scf::YieldOp::create(b, loc, yielded);
  return success();
}

LogicalResult NaiveEmitter::emitIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    if (isa<tile::SharedType>(result.getType()))
      return op.emitOpError("expected no shared buffer as result of a branch in the naive form");
    if (isTile(result.getType()))
      define(result);
    else if (isCarried(result.getType()))
      types.push_back(result.getType());
  }
  auto branch =
      scf::IfOp::create(b, loc, types, scalars.lookup(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/!op.getElseRegion().empty());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(b);
    if (!to.front().empty())
      to.front().back().erase();
    b.setInsertionPointToEnd(&to.front());
    if (failed(emitBlock(from.front())))
      return failure();
    loc = op.getLoc();
    SmallVector<Value> yielded;
    for (auto [value, result] :
         llvm::zip_equal(from.front().getTerminator()->getOperands(), op.getResults())) {
      if (isTile(value.getType()))
        copyArray(arrayOf(value), arrayOf(result));
      else if (isCarried(value.getType()))
        yielded.push_back(scalars.lookup(value));
    }
    scf::YieldOp::create(b, loc, yielded);
  }
  size_t next = 0;
  for (Value result : op.getResults())
    if (!isTile(result.getType()) && isCarried(result.getType()))
      scalars.map(result, branch.getResult(next++));
  return success();
}
