#include "forge/Dialect/StableHLO/IR/Collectives.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/CollectiveOps.cpp.inc"
