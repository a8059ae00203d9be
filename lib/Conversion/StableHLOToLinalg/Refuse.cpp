#include "Refuse.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;

LogicalResult forge::refuseOp(Operation *op, const Twine &reason) {
  InFlightDiagnostic error = emitUserError(op) << "unsupported ";
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    error << "custom_call target '@" << call.getCallTargetName() << "'";
  else
    error << op->getName().getDialectNamespace() << " op '" << op->getName() << "'";
  if (std::string text = reason.str(); !text.empty())
    error << ": " << text;
  return failure();
}
