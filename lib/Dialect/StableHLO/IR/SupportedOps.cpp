// What the dialect says about ops that it does not have.
//
// 1. The parser lets ops of unknown name in (allowUnknownOperations), in the generic form as they
//    are.
// 2. In the pretty form their syntax is not known: the parse hook refuses them on the spot.
// 3. In the generic form the verifier refuses them. It has no hook for ops without a definition,
//    but a module asks each op below it for the symbol-user interface, and a dialect may answer for
//    them.
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;

namespace forge::stablehlo {

namespace {
struct UnknownOpModel : public SymbolUserOpInterface::FallbackModel<UnknownOpModel> {
  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &) const {
    return op->emitError() << "unsupported stablehlo op '" << op->getName() << "'";
  }
};
} // namespace

static ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &state) {
  // Not parser.emitError, which puts words of its own before the message.
  return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()))
         << "unsupported stablehlo op '" << state.name << "'";
}

std::optional<Dialect::ParseOpHook>
StableHLODialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> known = Dialect::getParseOperationHook(opName))
    return known;
  return refuseUnknownOp;
}

void *StableHLODialect::getRegisteredInterfaceForOp(TypeID interfaceID, OperationName opName) {
  static UnknownOpModel unknownOp;
  if (!opName.isRegistered() && interfaceID == SymbolUserOpInterface::getInterfaceID())
    return &unknownOp;
  return nullptr;
}

} // namespace forge::stablehlo
