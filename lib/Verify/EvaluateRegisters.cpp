// Register programs.
#include "Evaluation.h"

#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Reference/RegisterProgram.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;
using namespace forge::registers;
using reference::RegisterInstruction;
using Kind = RegisterInstruction::Kind;
using Instructions = std::vector<RegisterInstruction>;

namespace {
/// The arguments of a program as what runs it knows them.
struct Arguments {
  /// The number of a buffer among the buffers, or what a number is.
  llvm::DenseMap<Value, int64_t> numbers;
  Tensors buffers;
  /// Of the registers, as the module says: constants have it however floats are carried.
  DType type = DType::F32;
};
} // namespace

static Kind kindOf(Operation *op) {
  static const llvm::StringMap<Kind> kinds = {
      {"load", Kind::Load},    {"store", Kind::Store},     {"const", Kind::Constant},
      {"loop", Kind::Loop},    {"add", Kind::Add},         {"sub", Kind::Subtract},
      {"mul", Kind::Multiply}, {"div", Kind::Divide},      {"min", Kind::Minimum},
      {"max", Kind::Maximum},  {"neg", Kind::Negate},      {"abs", Kind::Abs},
      {"sqrt", Kind::Sqrt},    {"exp", Kind::Exponential}, {"log", Kind::Log},
      {"sin", Kind::Sine},     {"cos", Kind::Cosine},      {"tanh", Kind::Tanh}};
  return kinds.find(op->getName().stripDialect())->second;
}

static Instructions instructionsOf(Block &block, const Arguments &arguments) {
  Instructions program;
  for (Operation &op : block) {
    if (isa<EndOp>(op))
      continue;
    RegisterInstruction &to = program.emplace_back(RegisterInstruction{kindOf(&op)});
    if (auto loop = dyn_cast<LoopOp>(op)) {
      to.times = loop.getTimes() ? static_cast<int64_t>(*loop.getTimes())
                                 : arguments.numbers.lookup(loop.getCount());
      to.body = instructionsOf(loop.getBody().front(), arguments);
      continue;
    }
    auto instruction = cast<InstructionOpInterface>(op);
    SmallVector<int64_t> read = instruction.getReadRegisters();
    to.dst = instruction.getWrittenRegister().value_or(0);
    to.lhs = read.empty() ? 0 : read[0];
    to.rhs = read.size() < 2 ? to.lhs : read[1];
    if (op.getNumOperands() > 0)
      to.buffer = arguments.numbers.lookup(op.getOperand(0));
    if (auto constant = dyn_cast<ConstOp>(op))
      to.value = reference::roundToType(arguments.type, constant.getValue().convertToDouble());
  }
  return program;
}

Outcome interpreter::evaluateRegisters(const OpCall &call) {
  auto program = dyn_cast<ProgramOp>(call.operation());
  if (!program)
    return std::nullopt;
  Arguments arguments;
  for (auto [i, argument] : llvm::enumerate(program.getBody().getArguments())) {
    if (!ProgramOp::isBuffer(argument)) {
      arguments.numbers[argument] = reference::getInteger(call.operand(i), 0);
      continue;
    }
    arguments.numbers[argument] = static_cast<int64_t>(arguments.buffers.size());
    arguments.buffers.push_back(call.operand(i));
  }
  if (call.declaredResultType(0) == DType::F64)
    arguments.type = DType::F64;
  Block &body = program.getBody().front();
  Instructions instructions = instructionsOf(body, arguments);
  Result<Tensors> buffers = reference::runProgram(
      instructions, carried(arguments.type, call.isDouble()), std::move(arguments.buffers));
  if (!buffers)
    return buffers;
  Tensors results;
  for (Value buffer : cast<EndOp>(body.getTerminator()).getBuffers())
    results.push_back((*buffers)[static_cast<size_t>(arguments.numbers.lookup(buffer))]);
  return several(std::move(results));
}
