// The program as a whole, and elementwise operations.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"
#include "../RowKernels/Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// What all parts share

tile::LayoutAttr ThreadEmitter::layoutOf(Type type) {
  return cast<tile::LayoutAttr>(cast<RankedTensorType>(type).getEncoding());
}

int64_t ThreadEmitter::registersOf(Type type) {
  return layoutOf(type).getRegisters(cast<RankedTensorType>(type).getShape());
}

int64_t ThreadEmitter::elementBytes(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

Value ThreadEmitter::index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

Value ThreadEmitter::addIndex(Value a, int64_t constant) {
  return constant == 0 ? a : arith::AddIOp::create(b, a, index(constant)).getResult();
}

/// Adds what the bits of `number`, an i32, add by these entries: bits that add neighbouring steps
/// of one dimension go together.
static void addBits(ThreadBuilder &b, ArrayRef<tile::LayoutEntry> entries, Value number,
                    MutableArrayRef<Value> offsets) {
  for (size_t first = 0; first < entries.size();) {
    tile::LayoutEntry entry = entries[first];
    size_t end = first + 1;
    while (!entry.isReplicated() && end < entries.size() && entries[end].dim == entry.dim &&
           entries[end].bit == entry.bit + (end - first))
      ++end;
    if (!entry.isReplicated()) {
      Value bits = first ? arith::ShRUIOp::create(b, number, b.i32(first)).getResult() : number;
      if (end < entries.size())
        bits = arith::AndIOp::create(b, bits, b.i32((int64_t(1) << (end - first)) - 1));
      bits = entry.bit ? b.mul(bits, b.i32(entry.step())) : bits;
      Value &offset = offsets[entry.dim];
      offset = offset ? b.add(offset, bits) : bits;
    }
    first = end;
  }
}

SmallVector<Value> ThreadEmitter::threadOffsets(tile::LayoutAttr layout, bool withLane) {
  SmallVector<Value> offsets(layout.getRank());
  if (withLane)
    addBits(b, layout.getLane(), lane, offsets);
  addBits(b, layout.getWarp(), warp, offsets);
  for (Value &offset : offsets)
    offset = offset ? b.toIndex(offset) : index(0);
  return offsets;
}

SmallVector<Value> ThreadEmitter::registers(Value value) {
  const ThreadTile &tile = tiles.find(value)->second;
  if (tile.structs.empty())
    return tile.registers;
  SmallVector<Value> list;
  for (Value sums : tile.structs) {
    size_t fields = cast<LLVM::LLVMStructType>(sums.getType()).getBody().size();
    for (size_t i = 0; i < fields; ++i)
      list.push_back(LLVM::ExtractValueOp::create(b, sums, ArrayRef<int64_t>{int64_t(i)}));
  }
  return list;
}

SmallVector<Value> ThreadEmitter::structs(Value value, int64_t fields) {
  const ThreadTile &tile = tiles.find(value)->second;
  if (!tile.structs.empty())
    return tile.structs;
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(fields, element));
  SmallVector<Value> list;
  for (size_t first = 0; first < tile.registers.size(); first += fields) {
    ArrayRef<Value> part = ArrayRef(tile.registers).slice(first, fields);
    if (llvm::all_of(part, [](Value sum) {
          return matchPattern(sum, m_PosZeroFloat()) || matchPattern(sum, m_Zero());
        })) {
      list.push_back(LLVM::ZeroOp::create(b, type));
      continue;
    }
    Value sums = LLVM::UndefOp::create(b, type);
    for (auto [i, sum] : llvm::enumerate(part))
      sums = LLVM::InsertValueOp::create(b, sums, sum, ArrayRef<int64_t>{int64_t(i)});
    list.push_back(sums);
  }
  return list;
}

void ThreadEmitter::barrier() {
  int64_t threads = role->warps * program.chip->warpSize;
  if (threads == program.threads)
    gpu::BarrierOp::create(b);
  else if (role->warps > 1)
    NVVM::BarrierOp::create(b, TypeRange(), b.i32(1 + (role - program.roles.data())),
                            b.i32(threads), NVVM::BarrierReductionAttr(), Value());
  else
    NVVM::SyncWarpOp::create(b, b.i32(-1));
}

Value ThreadEmitter::representative(tile::LayoutAttr layout) {
  Value all;
  for (auto [number, bits] : {std::pair(lane, layout.getReplicatedLanes()),
                              std::pair(warp, layout.getReplicatedWarps())}) {
    if (bits == 0)
      continue;
    Value is = b.equals(arith::AndIOp::create(b, number, b.i32(bits)), 0);
    all = all ? arith::AndIOp::create(b, all, is).getResult() : is;
  }
  return all;
}

Value ThreadEmitter::sharedView(Value offset, Type type, int64_t elements) {
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  Value bytes = b.toIndex(offset);
  if (sharedPad)
    bytes = arith::AddIOp::create(b, bytes, sharedPad);
  auto view = MemRefType::get({elements}, type, MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(b, view, sharedMemory, bytes, ValueRange());
}

//===----------------------------------------------------------------------===//
// The program

void ThreadEmitter::setUp() {
  thread = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  lane = b.rem(thread, b.i32(program.chip->warpSize));
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get(ShapedType::kDynamic, b.getI8Type(), AffineMap(), space);
  sharedMemory = gpu::DynamicSharedMemoryOp::create(b, bytes);
  if (!program.isAligned)
    return;
  Value address = alignedSharedAddress(b);
  sharedBase = sharedPointer(b, address);
  sharedAddress = arith::TruncIOp::create(b, b.getI32Type(), address);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, sharedMemory);
  sharedPad =
      arith::SubIOp::create(b, arith::IndexCastOp::create(b, b.getIndexType(), address), begin);
}

/// 1. Threads and shared memory.
/// 2. What is outside of roles, by all threads; rings are made ready.
/// 3. Each role by its warps.
FailureOr<LaunchShape> ThreadEmitter::emit() {
  numArguments = kernel.getNumArguments();
  Block *old = &kernel.getBody().front();
  Block *body = new Block();
  kernel.getBody().push_back(body);
  for (BlockArgument argument : old->getArguments())
    scalars.map(argument, argument);
  b.setInsertionPointToStart(body);
  setUp();
  role = &program.roles.front();
  warp = b.div(thread, b.i32(program.chip->warpSize));
  initRings();
  if (!role->op) {
    waits.emplace(kernel.getBody());
    beginStages();
  }
  for (Operation &op : old->without_terminator()) {
    b.setLoc(op.getLoc());
    if (!isa<tile::RoleOp>(op) && failed(emitOp(&op)))
      return failure();
  }
  if (!role->op) {
    endAsyncCopies();
    marks.end();
    endSplit();
  } else if (failed(emitRoles(0)))
    return failure();
  func::ReturnOp::create(b, kernel.getLoc());
  // The new operations take the place of the old ones.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*old))) {
    op.dropAllDefinedValueUses();
    op.erase();
  }
  old->getOperations().splice(old->end(), body->getOperations());
  body->erase();
  auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::kGridAttr).asArrayRef();
  for (auto [i, size] : llvm::enumerate(shape.grid))
    size = b.getIndexAttr(i < grid.size() ? grid[i] : 1);
  if (workingBlocks) {
    b.setInsertionPointAfterValue(workingBlocks);
    shape.grid[0] = arith::MinUIOp::create(b, workingBlocks, index(grid[0])).getResult();
  }
  if (program.split && program.split->blocks > 1) {
    shape.cluster = program.split->blocks;
    if (auto blocks = dyn_cast<Value>(shape.grid[0]))
      shape.grid[0] = arith::MulIOp::create(b, blocks, index(shape.cluster)).getResult();
    else
      shape.grid[0] = b.getIndexAttr(grid[0] * shape.cluster);
  }
  shape.block[0] = program.threads;
  if (program.sharedBytes() > program.chip->maxSharedBytes)
    return kernel.emitError("expected at most ")
               << program.chip->maxSharedBytes << " bytes of shared memory, but got "
               << program.sharedBytes(),
           failure();
  shape.dynamicSharedBytes = b.getIndexAttr(program.sharedBytes());
  kernel->removeAttr(tile::kGridAttr);
  kernel->removeAttr(tile::kWarpsAttr);
  return shape;
}

/// Whether warpgroups multiply parts of their own of a factor in shared memory.
static bool dividesSharedFactors(const TileRole &role) {
  return role.warps > 4 && role.region
                               ->walk([](tile::DotOp dot) {
                                 return dot.getKind() == tile::DotKind::Wgmma &&
                                                isa<tile::SharedType>(dot.getLhs().getType())
                                            ? WalkResult::interrupt()
                                            : WalkResult::advance();
                               })
                               .wasInterrupted();
}

/// `if warp < end of this role ... else the others`.
LogicalResult ThreadEmitter::emitRoles(unsigned number) {
  const TileRole &next = program.roles[number];
  if (number + 1 == program.roles.size())
    return emitRole(next);
  Value blockWarp = b.div(thread, b.i32(program.chip->warpSize));
  Value isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, blockWarp,
                                       b.i32(next.firstWarp + next.warps));
  auto branch = scf::IfOp::create(b, isHere, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(emitRole(next)))
    return failure();
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
  return emitRoles(number + 1);
}

LogicalResult ThreadEmitter::emitRole(const TileRole &next) {
  role = &next;
  waits.emplace(*next.region);
  puts.clear();
  gets.clear();
  b.setLoc(tile::RoleOp(next.op).getLoc());
  Value blockWarp = b.div(thread, b.i32(program.chip->warpSize));
  warp = next.firstWarp ? b.sub(blockWarp, b.i32(next.firstWarp)) : blockWarp;
  if (std::optional<uint64_t> registers = tile::RoleOp(next.op).getRegisters()) {
    if (!program.chip->warpgroupProducts)
      return tile::RoleOp(next.op).emitOpError("expected no registers on ") << program.chip->name;
    if (next.firstWarp % 4 != 0)
      return tile::RoleOp(next.op).emitOpError("expected registers for warps from a multiple of 4 "
                                               "on, but got ")
             << next.firstWarp;
    // The launch gives all threads as many.
    int64_t atLaunch = llvm::alignDown(65536 / program.threads, 8);
    NVVM::SetMaxRegisterOp::create(b, *registers,
                                   static_cast<int64_t>(*registers) < atLaunch
                                       ? NVVM::SetMaxRegisterAction::decrease
                                       : NVVM::SetMaxRegisterAction::increase);
  }
  // A number that a lane hands to all others is known to be the same in them: descriptors that
  // follow from it stay in uniform registers.
  if (dividesSharedFactors(next))
    warp = shuffleIndex(b, warp, b.i32(0), program.chip->warpSize);
  if (failed(beginTurns()))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  if (next.onlyCopies) {
    Value isFirst = b.equals(thread, next.firstWarp * program.chip->warpSize);
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  beginStages();
  if (failed(emitBlock(next.region->front())))
    return failure();
  endAsyncCopies();
  marks.end();
  return success();
}

LogicalResult ThreadEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (failed(emitOp(&op)))
      return failure();
  }
  return success();
}

void ThreadEmitter::emitWait(Operation *op) {
  if (std::optional<unsigned> groups = waits ? waits->before(op) : std::nullopt)
    NVVM::WgmmaWaitGroupSyncOp::create(b, *groups);
}

LogicalResult ThreadEmitter::emitOp(Operation *op) {
  emitWait(op);
  markStage(op);
  if (!isOfTiles(op))
    return emitScalar(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return emitFor(loop); })
      .Case([&](scf::IfOp branch) { return emitIf(branch); })
      .Case([&](arith::ConstantOp constant) { return emitConstant(constant); })
      .Case([&](tensor::SplatOp splat) {
        if (!splat.getDynamicSizes().empty())
          return LogicalResult(splat.emitOpError("expected a tile of static shape"));
        tiles[splat].registers.assign(registersOf(splat.getType()), mapped(splat.getInput()));
        return success();
      })
      .Case([&](tile::LoadOp load) { return emitLoad(load); })
      .Case([&](tile::StoreOp store) { return emitStore(store); })
      .Case([&](tile::GatherOp gather) { return emitGather(gather); })
      .Case([&](tile::ScatterOp scatter) { return emitScatter(scatter); })
      .Case([&](tile::BroadcastOp broadcast) { return emitBroadcast(broadcast); })
      .Case([&](tile::ConvertOp convert) { return emitConvert(convert); })
      .Case([&](tile::IotaOp iota) { return emitIota(iota); })
      .Case([&](tile::ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](tile::ReshapeOp reshape) { return emitReshape(reshape); })
      .Case([&](tile::SliceOp slice) { return emitSlice(slice); })
      .Case([&](tile::DotOp dot) { return emitDot(dot); })
      .Case([&](tile::PutOp put) { return emitPut(put); })
      .Case([&](tile::GetOp get) { return emitGet(get); })
      .Case([&](tile::DropOp drop) { return emitDrop(drop); })
      .Case([&](tile::TurnOp turn) { return emitTurn(turn), success(); })
      .Case([&](tile::PassOp) { return emitPass(), success(); })
      .Case([&](tile::StageOp) { return success(); })
      .Case([&](tile::WhenOp when) { return emitWhen(when); })
      .Case([&](tile::WorkOp work) { return emitWork(work); })
      .Case([&](tile::SplitOp split) { return emitSplit(split); })
      .Case([&](tile::RingOp) { return success(); })
      .Case([&](tile::LimitGridOp limit) {
        workingBlocks = mapped(limit.getCount());
        return success();
      })
      .Case([&](tile::AllocOp alloc) {
        scalars.map(alloc.getResult(), b.i32(program.buffers.lookup(alloc)));
        return success();
      })
      .Default([&](Operation *other) { return emitElementwise(other); });
}

/// Constants are folded, so that indices of unrolled loops stay constants.
LogicalResult ThreadEmitter::emitScalar(Operation *op) {
  if (auto id = dyn_cast<gpu::BlockIdOp>(op); id && id.getDimension() == gpu::Dimension::x) {
    scalars.map(id.getResult(), blockNumber());
    return success();
  }
  Operation *made = b.clone(*op, scalars);
  SmallVector<Value> folded;
  if (made->getNumRegions() == 0 && made->getNumResults() > 0 && isPure(made) &&
      succeeded(b.tryFold(made, folded)) && !folded.empty()) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), folded))
      scalars.map(result, value);
    made->erase();
  }
  return success();
}

LogicalResult ThreadEmitter::emitConstant(arith::ConstantOp op) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return op.emitOpError("expected equal elements in a constant tile");
  Value element = arith::ConstantOp::create(b, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
  tiles[op].registers.assign(registersOf(op.getType()), element);
  return success();
}

/// Of a - (b + constant), where no element overflows: (a - b) - constant. Places within a tile are
/// such sums, of one b for all of a thread's elements and constants from 0 on; so what is computed
/// for each element is a comparison with a constant.
static void takeOutConstant(ThreadBuilder &b, Operation *op, MutableArrayRef<Value> inputs) {
  auto difference = dyn_cast<arith::SubIOp>(op);
  if (!difference ||
      !bitEnumContainsAll(difference.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    return;
  auto sum = inputs[1].getDefiningOp<arith::AddIOp>();
  if (!sum || !getConstantIntValue(sum.getRhs()))
    return;
  inputs[0] = arith::SubIOp::create(b, inputs[0], sum.getLhs(), arith::IntegerOverflowFlags::nsw);
  inputs[1] = sum.getRhs();
}

/// One operation on scalars for each register.
LogicalResult ThreadEmitter::emitElementwise(Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return op->emitOpError("expected an operation of tile programs, or an elementwise one");
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t count = registersOf(type);
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? registers(operand)
                           : SmallVector<Value>(count, mapped(operand)));
  SmallVector<Value> results;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Value> inputs =
        llvm::map_to_vector(operands, [&](ArrayRef<Value> list) { return list[i]; });
    takeOutConstant(b, op, inputs);
    OperationState state(op->getLoc(), op->getName().getStringRef(), inputs, type.getElementType(),
                         op->getAttrs());
    results.push_back(b.create(state)->getResult(0));
  }
  tiles[op->getResult(0)].registers = std::move(results);
  return success();
}
