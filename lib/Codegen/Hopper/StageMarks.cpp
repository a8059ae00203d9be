#include "StageMarks.h"

#include "forge/Codegen/Stamps.h"
#include "forge/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace forge;

StageMarks::StageMarks(ThreadBuilder &b, func::FuncOp kernel)
    : b(b), on(kernel->hasAttr(kTakesStampsAttr)) {}

void StageMarks::beginRole(StringRef name, int64_t firstRow, int64_t numRows, Value ownRow,
                           Value condition) {
  role = name.str();
  first = firstRow;
  rows = numRows;
  row = ownRow;
  records = condition;
  forget();
}

void StageMarks::begin(StringRef stage) {
  if (!on || last == stage)
    return;
  last = stage.str();
  tile::StampOp::create(b, stage, role, first, rows, row, records);
}
