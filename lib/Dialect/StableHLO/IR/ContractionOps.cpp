#include "ContractionFormat.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ContractionOps.cpp.inc"

namespace forge::stablehlo {

void StableHLODialect::registerContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ContractionOps.cpp.inc"
      >();
}

} // namespace forge::stablehlo
