#include "AssemblyFormat.h"
#include "forge/Dialect/StableHLO/IR/Collectives.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;

/// The target of a custom call is written like a symbol: `@name`, or `@"any text"`.
static ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

static void printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target.getValue());
}

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/LibraryOps.cpp.inc"

namespace forge::stablehlo {

void StableHLODialect::registerLibraryOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/LibraryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/CollectiveOps.cpp.inc"
      >();
}

void CustomCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // What the target does is unknown; the module says whether it does anything besides its results.
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Allocate::get());
  effects.emplace_back(MemoryEffects::Free::get());
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

} // namespace forge::stablehlo
