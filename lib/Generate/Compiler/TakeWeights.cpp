#include "TakeWeights.h"

#include "WeightReads.h"

#include "forge/Import/WeightAttribute.h"

using namespace forge;

Result<ModuleSignature> forge::takeWeights(mlir::func::FuncOp function) {
  Result<std::vector<std::optional<WeightSource>>> weights = weightsOf(function);
  if (!weights)
    return weights.error();
  ModuleSignature signature;
  signature.weights = std::move(*weights);
  for (mlir::BlockArgument argument : function.getArguments()) {
    bool isWeight = signature.weights[argument.getArgNumber()].has_value();
    auto loc = mlir::cast<mlir::NameLoc>(argument.getLoc());
    signature.names.push_back(isWeight ? "" : loc.getName().str());
    if (isWeight)
      signature.weightBytesRead += bytesRead(argument);
  }
  dropWeights(function);
  return signature;
}
