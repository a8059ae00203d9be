// forge.weight on the argument of a function: the tensor of a checkpoint file that it is.
#ifndef FORGE_IMPORT_WEIGHTATTRIBUTE_H
#define FORGE_IMPORT_WEIGHTATTRIBUTE_H

#include "forge/Support/ModuleSignature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Marks an argument: `forge.weight = {file = "FILE", tensor = "NAME"}`, and where the tensor is
/// quantised as it is read, `quantized = "values of tensor<4x8xbf16>"` or `"scales of ..."`.
void setWeight(mlir::func::FuncOp function, unsigned argument, const WeightSource &source);

/// Per argument its weight, or none. Fails where forge.weight is not as setWeight writes it.
Result<std::vector<std::optional<WeightSource>>> weightsOf(mlir::func::FuncOp function);

/// Makes weights plain arguments, for what is given their elements.
void dropWeights(mlir::func::FuncOp function);

} // namespace forge

#endif // FORGE_IMPORT_WEIGHTATTRIBUTE_H
