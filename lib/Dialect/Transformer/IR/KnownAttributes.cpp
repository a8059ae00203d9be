#include "forge/Dialect/Transformer/IR/KnownAttributes.h"

using namespace mlir;

LogicalResult forge::transformer::verifyKnownAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    if (attribute.getName().strref().contains('.'))
      continue;
    InFlightDiagnostic error = op->emitOpError("expected no attribute '")
                               << attribute.getName().getValue() << "'";
    SmallVector<StringRef> known;
    for (StringAttr name : op->getName().getAttributeNames())
      if (!name.strref().ends_with("SegmentSizes"))
        known.push_back(name);
    if (known.empty())
      return error << ", since it has none";
    error << "; it has ";
    llvm::interleaveComma(known, error, [&](StringRef name) { error << "'" << name << "'"; });
    return error;
  }
  return success();
}
