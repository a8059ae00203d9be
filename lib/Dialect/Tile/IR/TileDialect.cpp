#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "forge/Dialect/Tile/IR/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Tile/IR/TileAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Tile/IR/TileTypes.cpp.inc"

using namespace mlir;
using namespace forge::tile;

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/Tile/IR/TileAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "forge/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kUnrollAttr)
    return isa<UnitAttr>(attribute.getValue())
               ? success()
               : LogicalResult(op->emitOpError("expected no value for ") << name);
  if (name != kGridAttr && name != kWarpsAttr)
    return op->emitOpError("expected ") << kGridAttr << ", " << kWarpsAttr << " or " << kUnrollAttr
                                        << " of the tile dialect's attributes, but got " << name;
  if (!isa<func::FuncOp>(op))
    return op->emitOpError("expected ") << name << " on a function only";
  if (name == kWarpsAttr) {
    auto warps = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!warps || warps.getInt() < 1 || !llvm::isPowerOf2_64(warps.getInt()))
      return op->emitOpError("expected a power of two for ")
             << name << ", but got " << attribute.getValue();
    return success();
  }
  auto grid = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!grid || grid.empty() || grid.size() > 3)
    return op->emitOpError("expected one to three numbers for ")
           << name << ", as in array<i64: 32, 8>, but got " << attribute.getValue();
  for (int64_t blocks : grid.asArrayRef())
    if (blocks < 1 || blocks > std::numeric_limits<int32_t>::max())
      return op->emitOpError("expected 1 to 2147483647 blocks for ")
             << name << ", but got " << blocks;
  return success();
}
