#include "LowerTileProgram.h"

#include "ThreadEmitter.h"

using namespace mlir;
using namespace forge;

FailureOr<LaunchShape> forge::lowerTileProgram(func::FuncOp kernel, const GPUChip &chip) {
  FailureOr<TileProgram> program = TileProgram::create(kernel, chip);
  if (failed(program))
    return failure();
  return ThreadEmitter(kernel, *program).emit();
}
