#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace forge::tile;

LogicalResult LimitGridOp::verify() {
  // limit_grid_c1
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to be directly in a function");
  return success();
}

LogicalResult PutOp::verify() {
  // put_c1
  Block &body = getBody().front();
  ArrayRef<Type> buffers = getRing().getType().getBuffers();
  if (!llvm::equal(body.getArgumentTypes(), buffers))
    return emitOpError("expected the buffers of ") << getRing().getType() << " as block arguments";
  // put_c2
  for (BlockArgument buffer : body.getArguments()) {
    /// Ranges of bytes that copies fill.
    SmallVector<std::pair<int64_t, int64_t>> filled;
    for (auto copy : body.getOps<CopyOp>()) {
      if (wholeBuffer(copy.getTarget()) != buffer)
        continue;
      int64_t first = 0;
      for (Value part = copy.getTarget(); part != buffer;
           part = part.getDefiningOp()->getOperand(0))
        if (auto slice = part.getDefiningOp<SliceOp>())
          first += slice.getByteOffset();
      filled.emplace_back(first, first + copy.getTarget().getType().getBytes());
    }
    llvm::sort(filled);
    int64_t end = 0;
    for (auto [first, last] : filled) {
      if (first != end)
        return emitOpError("expected each byte of buffer ")
               << buffer.getArgNumber() << " to be filled by one copy, but got copies of bytes "
               << first << " to " << last << " behind byte " << end;
      end = last;
    }
    if (end != cast<SharedType>(buffer.getType()).getBytes())
      return emitOpError("expected copies to all of buffer ")
             << buffer.getArgNumber() << ", but got " << filled.size() << " of " << end << " bytes";
  }
  return success();
}

ParseResult GetOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand ring;
  RingType type;
  if (parser.parseOperand(ring) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) || parser.resolveOperand(ring, type, state.operands))
    return failure();
  state.addTypes(SlotType::get(parser.getContext()));
  state.addTypes(type.getBuffers());
  return success();
}

void GetOp::print(OpAsmPrinter &printer) {
  printer << " " << getRing();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getRing().getType();
}

LogicalResult GetOp::verify() {
  if (!llvm::equal(getBuffers().getTypes(), getRing().getType().getBuffers()))
    return emitOpError("expected a slot and the buffers of ")
           << getRing().getType() << " as results";
  return success();
}

LogicalResult RoleOp::verify() {
  // role_c1
  if (!isa<func::FuncOp>((*this)->getParentOp()))
    return emitOpError("expected to be directly in a function");
  // role_c2
  int64_t warps = getWarps();
  if (warps < 1 || !llvm::isPowerOf2_64(warps))
    return emitOpError("expected a power of two of warps, but got ") << warps;
  if (std::optional<int64_t> registers = getRegisters()) {
    if (warps % 4 != 0)
      return emitOpError("expected a multiple of 4 warps with a number of registers, but got ")
             << warps;
    // role_c3
    if (*registers < 24 || *registers > 256 || *registers % 8 != 0)
      return emitOpError("expected a multiple of 8 registers from 24 to 256, but got ")
             << *registers;
  }
  // role_c4
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(getBody(), captured);
  for (Value value : captured)
    if (isa<RankedTensorType>(value.getType()))
      return (emitOpError("expected no tile from outside, but got ") << value.getType())
                 .attachNote(value.getLoc())
             << "the tile";
  return success();
}

//===----------------------------------------------------------------------===//
// Turns

/// The next operation in `step`'s direction that is a turn or a pass.
static Operation *nextOfTurns(Operation *op, bool ahead) {
  do
    op = ahead ? op->getNextNode() : op->getPrevNode();
  while (op && !isa<TurnOp, PassOp>(op));
  return op;
}

LogicalResult TurnOp::verify() {
  // turn_c1
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getWarps() < 8)
    return emitOpError("expected to be in a role of two warpgroups or more");
  if ((*this)->getParentOfType<PutOp>())
    return emitOpError("expected not to be in a tile.put, which one thread runs");
  // turn_c2
  if (!isa_and_nonnull<PassOp>(nextOfTurns(*this, /*ahead=*/true)))
    return emitOpError("expected a tile.pass after it in its block");
  return success();
}

LogicalResult PassOp::verify() {
  // pass_c1
  if (!isa_and_nonnull<TurnOp>(nextOfTurns(*this, /*ahead=*/false)))
    return emitOpError("expected a tile.turn before it in its block");
  return success();
}

LogicalResult StageOp::verify() {
  // stage_c1
  if (getStage().empty())
    return emitOpError("expected a name");
  return success();
}

//===----------------------------------------------------------------------===//
// Votes

LogicalResult WhenOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return failure();
  llvm::append_range(types, operands.drop_front().getTypes());
  return success();
}

LogicalResult WhenOp::verify() {
  // when_c1
  if (getInitial().empty())
    return emitOpError("expected an initial value or more");
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (!llvm::equal(yield.getValues().getTypes(), getInitial().getTypes()))
    return emitOpError("expected a region that yields the types of its initial values");
  // when_c2
  if (!getCondition().getType().getElementType().isInteger(1))
    return emitOpError("expected a condition of i1, but got ") << getCondition().getType();
  // when_c3
  LayoutAttr condition;
  for (Value value : getOperands()) {
    auto layout =
        dyn_cast_or_null<LayoutAttr>(cast<RankedTensorType>(value.getType()).getEncoding());
    if (!layout)
      return emitOpError("expected tiles with a layout, but got ") << value.getType();
    if (!condition)
      condition = layout;
    if (layout.getWarps() != condition.getWarps())
      return emitOpError("expected tiles of ") << condition.getWarps() << " warps, but got "
                                               << layout.getWarps() << " in " << value.getType();
    if (layout.getReplicatedWarps() & ~condition.getReplicatedWarps())
      return emitOpError("expected no element in two warps that vote by themselves, but got ")
             << value.getType();
  }
  // when_c4
  for (Operation &op : getBody().front().without_terminator())
    if (!isa<BroadcastOp>(op) && !op.hasTrait<OpTrait::ConstantLike>() &&
        !(OpTrait::hasElementwiseMappableTraits(&op) && isMemoryEffectFree(&op)))
      return op.emitOpError("expected constants, tile.broadcast and elementwise operations in a "
                            "tile.when");
  return success();
}

//===----------------------------------------------------------------------===//
// Parts

/// Whether `region` takes `arguments`, and yields `results`.
static bool hasSignature(Region &region, ArrayRef<Type> arguments, TypeRange results) {
  auto yield = cast<YieldOp>(region.front().getTerminator());
  return llvm::equal(region.getArgumentTypes(), arguments) &&
         llvm::equal(yield.getValues().getTypes(), results);
}

LogicalResult SplitOp::verify() {
  // split_c1
  auto kernel = dyn_cast<func::FuncOp>((*this)->getParentOp());
  if (!kernel)
    return emitOpError("expected to be directly in a function");
  for (Operation &other : kernel.getBody().front())
    if (isa<RoleOp>(other) || (isa<SplitOp>(other) && &other != getOperation()))
      return emitOpError("expected no role and no other tile.split in the function");
  if (auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>(kGridAttr); grid && grid.size() > 1)
    return emitOpError("expected a grid of one dimension, but got ") << grid.size();
  // split_c2
  if (!llvm::isPowerOf2_64(getCount()))
    return emitOpError("expected a power of two of parts, but got ") << getCount();
  // split_c3
  SmallVector<Type> twice(getResultTypes());
  llvm::append_range(twice, getResultTypes());
  if (!hasSignature(getBody(), {IndexType::get(getContext())}, getResultTypes()))
    return emitOpError("expected a region with an index that yields the types of the results");
  if (!hasSignature(getCombine(), twice, getResultTypes()))
    return emitOpError("expected a second region with the results' types twice that yields them");
  // split_c4
  for (Type type : getResultTypes())
    if (!cast<RankedTensorType>(type).getElementType().isF32())
      return emitOpError("expected results of f32, but got ") << type;
  // split_c5
  WalkResult stores = kernel.walk([&](StoreOp store) {
    bool isInside = (*this)->isProperAncestor(store);
    Operation *top = kernel.getBody().front().findAncestorOpInBlock(*store);
    bool isBefore = !isInside && top->isBeforeInBlock(*this);
    return isBefore || (isInside && isa<MemRefType>(store.getTarget().getType()))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (stores.wasInterrupted())
    return emitOpError("expected no stores before it, and none to memory in it");
  return success();
}

LogicalResult YieldOp::verify() {
  // yield_c1
  if (!getValues().empty() && !isa<SplitOp, WhenOp>((*this)->getParentOp()))
    return emitOpError("expected no operands in ") << (*this)->getParentOp()->getName();
  return success();
}

//===----------------------------------------------------------------------===//
// Work

ParseResult WorkOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::Argument number;
  OpAsmParser::UnresolvedOperand count, counter;
  MemRefType type;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseArgument(number) || parser.parseKeyword("below") || parser.parseOperand(count) ||
      parser.parseKeyword("from") || parser.parseOperand(counter) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(count, i32, state.operands) ||
      parser.resolveOperand(counter, type, state.operands))
    return failure();
  number.type = i32;
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, number))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return success();
}

void WorkOp::print(OpAsmPrinter &printer) {
  printer << " " << getNumber() << " below " << getCount() << " from " << getCounter();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getCounter().getType() << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

/// Whether a role does nothing but fill rings.
static bool onlyCopies(RoleOp role) {
  return !role.walk([](Operation *op) {
                bool isOther = isa<TileDialect>(op->getDialect()) &&
                               !isa<RoleOp, WorkOp, PutOp, CopyOp, YieldOp>(op);
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

LogicalResult WorkOp::verify() {
  auto role = cast<RoleOp>((*this)->getParentOp());
  auto kernel = (*this)->getParentOfType<func::FuncOp>();
  WorkOp first;
  // work_c1
  for (auto other : role.getBody().getOps<WorkOp>())
    if (other != *this)
      return emitOpError("expected one tile.work in a role");
  kernel.walk([&](WorkOp work) {
    first = work;
    return WalkResult::interrupt();
  });
  if (first == *this && !onlyCopies(role))
    return emitOpError("expected the first role with a tile.work to do nothing but copy");
  // work_c2
  if (auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>(kGridAttr))
    for (int64_t size : grid.asArrayRef().drop_front())
      if (size != 1)
        return emitOpError("expected a grid of one dimension, but got ") << grid;
  // work_c3
  if (getCounter().getType() != MemRefType::get({2}, IntegerType::get(getContext(), 32)) ||
      !isa<BlockArgument>(getCounter()) ||
      cast<BlockArgument>(getCounter()).getOwner()->getParentOp() != kernel)
    return emitOpError("expected a counter of memref<2xi32>, an argument of the function, but got ")
           << getCounter().getType();
  if (first.getCounter() != getCounter() || first.getCount() != getCount())
    return emitOpError("expected the count and counter of the first tile.work of the function");
  // work_c4
  if (getBody().getNumArguments() != 1 || !getNumber().getType().isInteger(32))
    return emitOpError("expected one argument of i32");
  return success();
}
