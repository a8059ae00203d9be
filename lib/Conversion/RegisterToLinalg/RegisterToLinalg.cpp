// The pass: every register program to one linalg operation.
#include "RaiseInstructions.h"

#include "forge/Conversion/RegisterToLinalg/Passes.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTREGISTERTOLINALGPASS
#include "forge/Conversion/RegisterToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "convert-register-to-linalg"

using namespace mlir;
using namespace forge;
using namespace forge::registers;

/// The buffers of which the program may see what they held before it: all but those to which it
/// stores first, and not in a loop.
static DenseSet<Value> readBuffers(Block &program) {
  DenseSet<Value> seen, read;
  for (Operation &op : program)
    op.walk([&](Operation *inner) {
      if (!isa<LoadOp, StoreOp>(inner))
        return;
      Value buffer = inner->getOperand(0);
      bool isFirst = seen.insert(buffer).second, overwrites = isa<StoreOp>(inner) && inner == &op;
      if (isFirst && !overwrites)
        read.insert(buffer);
    });
  return read;
}

namespace {
/// What the arguments of a program are outside of it.
struct Operands {
  explicit Operands(ProgramOp program) {
    DenseSet<Value> read = readBuffers(program.getBody().front());
    for (auto [argument, operand] :
         llvm::zip_equal(program.getBody().getArguments(), program.getArguments())) {
      if (!ProgramOp::isBuffer(argument)) {
        numbers[argument] = operand;
        continue;
      }
      buffers.push_back(operand);
      if (read.contains(argument)) {
        inputs.push_back(operand);
        readArguments.push_back(argument);
      }
    }
  }

  DenseMap<Value, Value> numbers;
  SmallVector<Value> buffers;
  /// The buffers that are read, and the arguments that they are.
  SmallVector<Value> inputs, readArguments;
};

/// 1. The buffers have the sizes of the first, or the run ends.
/// 2. What is read is an input, what `end` names an output; all are indexed by the element.
/// 3. The body is the program's, on values.
struct ConvertRegisterToLinalg
    : forge::impl::ConvertRegisterToLinalgPassBase<ConvertRegisterToLinalg> {
  void runOnOperation() override {
    SmallVector<ProgramOp> programs;
    getOperation().walk([&](ProgramOp program) { programs.push_back(program); });
    for (ProgramOp program : programs)
      raise(program);
  }

  static void raise(ProgramOp program) {
    ImplicitLocOpBuilder b(program.getLoc(), program);
    RankedTensorType type = program.getBufferType();
    Operands operands(program);
    Value empty = createEmptyLike(b, b.getLoc(), type, operands.buffers);
    SmallVector<Value> outputs(program.getNumResults(), empty);
    SmallVector<AffineMap> maps(operands.inputs.size() + outputs.size(),
                                b.getMultiDimIdentityMap(type.getRank()));
    auto generic =
        linalg::GenericOp::create(b, program.getResultTypes(), operands.inputs, outputs, maps,
                                  parallelIterators(type.getRank()),
                                  [&](OpBuilder &inner, Location loc, ValueRange elements) {
                                    ImplicitLocOpBuilder builder(loc, inner);
                                    raiseBody(program, builder, operands, elements);
                                  });
    program->replaceAllUsesWith(generic);
    program.erase();
  }

  static void raiseBody(ProgramOp program, ImplicitLocOpBuilder &b, const Operands &operands,
                        ValueRange elements) {
    Block &body = program.getBody().front();
    auto end = cast<EndOp>(body.getTerminator());
    InstructionRaiser raiser(program, b, operands.numbers);
    for (auto [buffer, element] : llvm::zip(operands.readArguments, elements))
      raiser.define(buffer, element);
    raiser.raise(body);
    b.setLoc(end.getLoc());
    SmallVector<Value> results;
    for (Value buffer : end.getBuffers())
      results.push_back(raiser.elementOf(buffer));
    linalg::YieldOp::create(b, results);
  }
};

} // namespace
