#include "forge/Dialect/StableHLO/IR/Check.h"

using namespace mlir;

#include "forge/Dialect/StableHLO/IR/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/CheckOps.cpp.inc"

void forge::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/CheckOps.cpp.inc"
      >();
}
