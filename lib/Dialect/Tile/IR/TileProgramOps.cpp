#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace forge::tile;

LogicalResult PutOp::verify() {
  // put_c1
  Block &body = getBody().front();
  ArrayRef<Type> buffers = getRing().getType().getBuffers();
  if (!llvm::equal(body.getArgumentTypes(), buffers))
    return emitOpError("expected the buffers of ") << getRing().getType() << " as block arguments";
  // put_c2
  for (BlockArgument buffer : body.getArguments()) {
    int64_t copies = 0;
    for (Operation *user : buffer.getUsers())
      copies += isa<CopyOp>(user);
    if (copies != 1)
      return emitOpError("expected one copy to buffer ")
             << buffer.getArgNumber() << ", but got " << copies;
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
