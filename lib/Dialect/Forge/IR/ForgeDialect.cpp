#include "forge/Dialect/Forge/IR/Forge.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/Forge/IR/ForgeDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Forge/IR/ForgeAttributes.cpp.inc"

using namespace mlir;
using namespace forge;

void ForgeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/Forge/IR/ForgeAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Forge/IR/ForgeOps.cpp.inc"
      >();
}

/// Without the text of the operation, which may be a whole function.
LogicalResult ForgeDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if ((name != kScheduleAttr && name != kFallbackScheduleAttr) ||
      isa<ScheduleAttr>(attribute.getValue()))
    return success();
  return emitError(op->getLoc()) << "expected a schedule as " << name
                                 << ", as in #forge.schedule<strategy = rows>, but got "
                                 << attribute.getValue();
}
