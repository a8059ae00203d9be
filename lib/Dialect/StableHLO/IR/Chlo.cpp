#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "forge/Dialect/StableHLO/IR/ChloDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/ChloAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ChloOps.cpp.inc"

namespace forge::chlo {

void CHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/StableHLO/IR/ChloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ChloOps.cpp.inc"
      >();
}

Operation *CHLODialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc;
  Attribute value;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.getCurrentLocation(&loc) ||
      parser.parseAttribute(value))
    return failure();
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements)
    return parser.emitError(loc) << "expected the elements of a tensor";
  result.addAttribute("value", elements);
  result.addTypes(elements.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ' << getValue();
}

} // namespace forge::chlo
