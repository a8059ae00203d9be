#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/Transformer/IR/TransformerDialect.cpp.inc"
#include "forge/Dialect/Transformer/IR/TransformerEnums.cpp.inc"
#include "forge/Dialect/Transformer/IR/TransformerInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerAttrs.cpp.inc"

using namespace mlir;

/// An activation is written by its bare name: `transformer.activation relu %x`.
static ParseResult parseActivationName(OpAsmParser &parser,
                                       forge::transformer::ActivationKindAttr &kind) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  auto value = forge::transformer::symbolizeActivationKind(name);
  if (!value)
    return parser.emitError(loc)
           << "expected relu, relu_squared, gelu, gelu_tanh, silu, sigmoid or tanh, but got "
           << name;
  kind = forge::transformer::ActivationKindAttr::get(parser.getContext(), *value);
  return success();
}

static void printActivationName(OpAsmPrinter &printer, Operation *,
                                forge::transformer::ActivationKindAttr kind) {
  printer << forge::transformer::stringifyActivationKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerOps.cpp.inc"

void forge::transformer::TransformerDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/Transformer/IR/TransformerAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Transformer/IR/TransformerOps.cpp.inc"
      >();
}
