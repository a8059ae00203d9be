#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ReductionOps.cpp.inc"

namespace forge::stablehlo {

void StableHLODialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ReductionOps.cpp.inc"
      >();
}

} // namespace forge::stablehlo
