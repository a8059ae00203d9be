// Loops and branches of a tile program. What they carry is one value for each register, for each
// struct of an accumulator, and for the state of each ring that they use.
#include "LowerTileProgram.h"
#include "ThreadEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

/// What LLVM's passes are told about a loop.
static constexpr StringLiteral kLoopAnnotation = "loop_annotation";

void forge::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto rolled =
      LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, rolled, {}, {},
                                                               {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

/// Rings that `op` puts to or gets from.
static SmallVector<Operation *> ringsIn(Operation *op) {
  llvm::SetVector<Operation *> users;
  op->walk([&](Operation *inner) {
    if (auto put = dyn_cast<tile::PutOp>(inner))
      users.insert(put.getRing().getDefiningOp());
    else if (auto get = dyn_cast<tile::GetOp>(inner))
      users.insert(get.getRing().getDefiningOp());
  });
  return llvm::to_vector(users);
}

/// Fields of the structs that carry an accumulator: those of the first product that adds to it.
static int64_t fieldsOf(Value accumulator) {
  for (Operation *user : accumulator.getUsers())
    if (auto dot = dyn_cast<tile::DotOp>(user); dot && dot.getAcc() == accumulator)
      return (*dot.getInstruction())[1] / 2;
  llvm_unreachable("not an accumulator");
}

/// How many elements of a tile are carried as one word: two of 16 bits.
static int64_t packedElements(RankedTensorType tile, int64_t registers) {
  Type element = tile.getElementType();
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 16 && registers % 2 == 0 ? 2
                                                                                               : 1;
}

void ThreadEmitter::flatten(Value value, bool asStructs, SmallVectorImpl<Value> &to) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    to.push_back(mapped(value));
    return;
  }
  SmallVector<Value> values = asStructs ? tiles[value].structs : registers(value);
  int64_t packed = asStructs ? 1 : packedElements(type, registersOf(type));
  llvm::append_range(to, packed > 1 ? packRegisters(b, values, packed) : values);
}

/// Takes the values of `value` from the front of `from`.
void ThreadEmitter::unflatten(Value value, bool asStructs, ValueRange &from) {
  if (!isa<RankedTensorType>(value.getType())) {
    scalars.map(value, from.front());
    from = from.drop_front();
    return;
  }
  ThreadTile tile;
  int64_t count = registersOf(value.getType());
  if (asStructs) {
    auto type = cast<LLVM::LLVMStructType>(from.front().getType());
    count /= static_cast<int64_t>(type.getBody().size());
  }
  auto type = cast<RankedTensorType>(value.getType());
  int64_t packed = asStructs ? 1 : packedElements(type, count);
  count /= packed;
  SmallVector<Value> values(from.take_front(count));
  if (packed > 1)
    values = unpackRegisters(b, values, packed, type.getElementType());
  (asStructs ? tile.structs : tile.registers) = std::move(values);
  tiles[value] = std::move(tile);
  from = from.drop_front(count);
}

SmallVector<Operation *> ThreadEmitter::beginStates(Operation *op) {
  SmallVector<Operation *> used = ringsIn(op);
  for (Operation *ring : used) {
    // Both states exist before the loop that changes them.
    auto [put, isNew] = puts.try_emplace(ring);
    if (isNew)
      put->second = {b.i32(0), b.i32(1)};
    auto [get, isNewGet] = gets.try_emplace(ring);
    if (isNewGet)
      get->second = {b.i32(0), b.i32(0)};
  }
  return used;
}

void ThreadEmitter::pushStates(ArrayRef<Operation *> rings, SmallVectorImpl<Value> &to) {
  for (Operation *ring : rings)
    for (auto *states : {&puts, &gets})
      if (auto state = states->find(ring); state != states->end())
        to.append({state->second.slot, state->second.parity});
}

void ThreadEmitter::popStates(ArrayRef<Operation *> rings, ValueRange from) {
  for (Operation *ring : rings)
    for (auto *states : {&puts, &gets})
      if (auto state = states->find(ring); state != states->end()) {
        state->second = {from[0], from[1]};
        from = from.drop_front(2);
      }
}

LogicalResult ThreadEmitter::emitFor(scf::ForOp op) {
  if (op->hasAttr(tile::kUnrollAttr))
    return unroll(op);
  SmallVector<Operation *> used = beginStates(op);
  SmallVector<Value> inits;
  SmallVector<bool> asStructs;
  for (auto [argument, init] : llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs())) {
    if (isa<tile::SharedType, tile::RingType>(init.getType()))
      return op.emitOpError("expected no buffer or ring carried by a loop, but got ")
             << init.getType();
    asStructs.push_back(isAccumulator(argument));
    if (asStructs.back())
      tiles[init].structs = structs(init, fieldsOf(argument));
    flatten(init, asStructs.back(), inits);
  }
  pushStates(used, inits);
  auto loop = scf::ForOp::create(b, mapped(op.getLowerBound()), mapped(op.getUpperBound()),
                                 mapped(op.getStep()), inits);
  if (Attribute annotation = op->getAttr(kLoopAnnotation))
    loop->setAttr(kLoopAnnotation, annotation);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = loop.getBody();
    if (body->mightHaveTerminator())
      body->getTerminator()->erase();
    b.setInsertionPointToEnd(body);
    scalars.map(op.getInductionVar(), loop.getInductionVar());
    ValueRange carried = loop.getRegionIterArgs();
    for (auto [argument, isStruct] : llvm::zip_equal(op.getRegionIterArgs(), asStructs))
      unflatten(argument, isStruct, carried);
    popStates(used, carried);
    marks.forget();
    // Slots that an iteration drops may be filled in the next.
    op.walk([&](tile::DropOp drop) {
      if (tile::RingOp ring = ringOf(drop.getSlot()))
        dropped.insert(ring);
    });
    SmallVector<Operation *> before = pending;
    if (failed(emitBlock(*op.getBody())))
      return failure();
    if (pending != before)
      return op.emitOpError(
          "expected as many slots of each ring put as got in an iteration, in the "
          "same order, where cp_async fills them");
    SmallVector<Value> yields;
    auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
    emitWait(yield);
    for (auto [argument, value, isStruct] :
         llvm::zip_equal(op.getRegionIterArgs(), yield.getOperands(), asStructs)) {
      if (isStruct)
        tiles[value].structs = structs(value, fieldsOf(argument));
      flatten(value, isStruct, yields);
    }
    pushStates(used, yields);
    scf::YieldOp::create(b, yields);
  }
  marks.forget();
  ValueRange results = loop.getResults();
  for (auto [result, isStruct] : llvm::zip_equal(op.getResults(), asStructs))
    unflatten(result, isStruct, results);
  popStates(used, results);
  return success();
}

/// The most iterations that are written out.
static constexpr int64_t kMostUnrolled = 256;

LogicalResult ThreadEmitter::unroll(scf::ForOp op) {
  auto lower = getConstantIntValue(mapped(op.getLowerBound())),
       upper = getConstantIntValue(mapped(op.getUpperBound())),
       step = getConstantIntValue(mapped(op.getStep()));
  if (!lower || !upper || !step || *step < 1)
    return op.emitOpError("expected constant bounds of a loop with ") << tile::kUnrollAttr;
  if (*upper > *lower && (*upper - *lower) / *step >= kMostUnrolled)
    return op.emitOpError("expected at most ")
           << kMostUnrolled << " iterations of a loop with " << tile::kUnrollAttr << ", but got "
           << llvm::divideCeil(*upper - *lower, *step);
  auto hand = [&](ValueRange from, ValueRange to) {
    SmallVector<ThreadTile> handed;
    SmallVector<Value> values;
    for (Value value : from) {
      bool isTile = isa<RankedTensorType>(value.getType());
      handed.push_back(isTile ? tiles[value] : ThreadTile());
      values.push_back(isTile ? Value() : mapped(value));
    }
    for (auto [target, tile, value] : llvm::zip_equal(to, handed, values)) {
      if (value)
        scalars.map(target, value);
      else
        tiles[target] = tile;
    }
  };
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  hand(op.getInitArgs(), op.getRegionIterArgs());
  for (int64_t at = *lower; at < *upper; at += *step) {
    Type type = op.getInductionVar().getType();
    scalars.map(op.getInductionVar(),
                arith::ConstantOp::create(b, cast<TypedAttr>(b.getIntegerAttr(type, at))));
    if (failed(emitBlock(*op.getBody())))
      return failure();
    hand(yield.getOperands(), op.getRegionIterArgs());
  }
  hand(op.getRegionIterArgs(), op.getResults());
  return success();
}

LogicalResult ThreadEmitter::emitIf(scf::IfOp op) {
  for (Operation *ring : ringsIn(op))
    if (program.rings.find(ring)->second.engine == tile::CopyEngine::CpAsync)
      return op.emitOpError("expected no tile.put or tile.get in a branch where cp_async fills the "
                            "ring: its copies are counted");
  SmallVector<Operation *> used = beginStates(op);
  // Types of what the branches hand on.
  SmallVector<Type> types;
  for (Type type : op.getResultTypes()) {
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      int64_t count = registersOf(tile), packed = packedElements(tile, count);
      types.append(count / packed, packed > 1 ? b.getI32Type() : tile.getElementType());
    } else if (isa<tile::TileDialect>(type.getDialect()))
      return op.emitOpError("expected tiles and scalars from a branch, but got ") << type;
    else
      types.push_back(type);
  }
  SmallVector<Value> states;
  pushStates(used, states);
  llvm::append_range(types, ValueRange(states).getTypes());
  bool hasElse = !op.getElseRegion().empty() || !states.empty();
  auto branch = scf::IfOp::create(b, types, mapped(op.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
  auto emitBranch = [&](Region &from, Block &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&to);
    marks.forget();
    popStates(used, states);
    SmallVector<Value> yields;
    if (!from.empty()) {
      if (failed(emitBlock(from.front())))
        return failure();
      Operation *end = from.front().getTerminator();
      emitWait(end);
      for (Value value : end->getOperands())
        flatten(value, /*asStructs=*/false, yields);
    }
    pushStates(used, yields);
    scf::YieldOp::create(b, yields);
    return success();
  };
  if (failed(emitBranch(op.getThenRegion(), *branch.thenBlock())) ||
      (hasElse && failed(emitBranch(op.getElseRegion(), *branch.elseBlock()))))
    return failure();
  marks.forget();
  ValueRange results = branch.getResults();
  for (Value result : op.getResults())
    unflatten(result, /*asStructs=*/false, results);
  popStates(used, results);
  return success();
}
