#include "RaiseInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace forge;
using namespace forge::registers;

InstructionRaiser::InstructionRaiser(ProgramOp program, ImplicitLocOpBuilder &builder,
                                     DenseMap<Value, Value> numbers)
    : b(builder), numbers(std::move(numbers)), element(program.getBufferType().getElementType()),
      type(element.isF64() ? b.getF64Type() : b.getF32Type()) {}

void InstructionRaiser::raise(Block &block) {
  for (Operation &op : block)
    if (!isa<EndOp>(op))
      raise(&op);
}

Value InstructionRaiser::load(Value value) {
  return element == type ? value : Value(arith::ExtFOp::create(b, type, value));
}

Value InstructionRaiser::rounded(Value value) {
  return element == type ? value : Value(arith::TruncFOp::create(b, element, value));
}

Value InstructionRaiser::compute(Operation *op, ArrayRef<Value> x) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<LoadOp>([&](LoadOp load) { return this->load(elementOf(load.getBuffer())); })
      .Case<ConstOp>([&](ConstOp constant) {
        return arith::ConstantOp::create(
            b, b.getFloatAttr(type, constant.getValue().convertToDouble()));
      })
      .Case<AddOp>([&](AddOp) { return arith::AddFOp::create(b, x[0], x[1]); })
      .Case<SubOp>([&](SubOp) { return arith::SubFOp::create(b, x[0], x[1]); })
      .Case<MulOp>([&](MulOp) { return arith::MulFOp::create(b, x[0], x[1]); })
      .Case<DivOp>([&](DivOp) { return arith::DivFOp::create(b, x[0], x[1]); })
      .Case<MinOp>([&](MinOp) { return arith::MinimumFOp::create(b, x[0], x[1]); })
      .Case<MaxOp>([&](MaxOp) { return arith::MaximumFOp::create(b, x[0], x[1]); })
      .Case<NegOp>([&](NegOp) { return arith::NegFOp::create(b, x[0]); })
      .Case<AbsOp>([&](AbsOp) { return math::AbsFOp::create(b, x[0]); })
      .Case<SqrtOp>([&](SqrtOp) { return math::SqrtOp::create(b, x[0]); })
      .Case<ExpOp>([&](ExpOp) { return math::ExpOp::create(b, x[0]); })
      .Case<LogOp>([&](LogOp) { return math::LogOp::create(b, x[0]); })
      .Case<SinOp>([&](SinOp) { return math::SinOp::create(b, x[0]); })
      .Case<CosOp>([&](CosOp) { return math::CosOp::create(b, x[0]); })
      .Case<TanhOp>([&](TanhOp) { return math::TanhOp::create(b, x[0]); });
}

void InstructionRaiser::raise(Operation *op) {
  b.setLoc(op->getLoc());
  if (auto loop = dyn_cast<LoopOp>(op))
    return raiseLoop(loop);
  auto instruction = cast<InstructionOpInterface>(op);
  SmallVector<Value> operands;
  for (int64_t number : instruction.getReadRegisters())
    operands.push_back(registers.at(number));
  if (auto store = dyn_cast<StoreOp>(op)) {
    define(store.getBuffer(), rounded(operands[0]));
    return;
  }
  Value value = compute(op, operands);
  registers[*instruction.getWrittenRegister()] = value;
}

/// The registers and the buffers that `loop` writes.
static std::pair<std::set<int64_t>, SetVector<Value>> writtenBy(LoopOp loop) {
  std::set<int64_t> numbers;
  SetVector<Value> buffers;
  loop.walk([&](InstructionOpInterface instruction) {
    if (auto store = dyn_cast<StoreOp>(*instruction))
      buffers.insert(store.getBuffer());
    if (std::optional<int64_t> number = instruction.getWrittenRegister())
      numbers.insert(*number);
  });
  return {std::move(numbers), std::move(buffers)};
}

/// 1. What the loop writes, and was there before it, is carried.
/// 2. What only the loop writes is written in each iteration before it is read (program_c6), and
///    not there behind it.
void InstructionRaiser::raiseLoop(LoopOp loop) {
  auto [written, stored] = writtenBy(loop);
  SmallVector<int64_t> carried;
  SmallVector<Value> initial;
  for (int64_t number : written)
    if (auto found = registers.find(number); found != registers.end()) {
      carried.push_back(number);
      initial.push_back(found->second);
    }
  for (Value buffer : stored)
    initial.push_back(elementOf(buffer));
  auto setCarried = [&](ValueRange values) {
    for (auto [number, value] : llvm::zip(carried, values))
      registers[number] = value;
    for (auto [buffer, value] : llvm::zip(stored, values.drop_front(carried.size())))
      define(buffer, value);
  };
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value count =
      loop.getTimes()
          ? Value(arith::ConstantIndexOp::create(b, static_cast<int64_t>(*loop.getTimes())))
          : numbers.lookup(loop.getCount());
  auto repeated = scf::ForOp::create(b, zero, count, one, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(repeated.getBody());
    setCarried(repeated.getRegionIterArgs());
    raise(loop.getBody().front());
    b.setLoc(loop.getLoc());
    SmallVector<Value> next;
    for (int64_t number : carried)
      next.push_back(registers.at(number));
    for (Value buffer : stored)
      next.push_back(elementOf(buffer));
    // A loop that carries nothing ends by itself.
    if (!next.empty())
      scf::YieldOp::create(b, next);
  }
  for (int64_t number : written)
    registers.erase(number);
  setCarried(repeated.getResults());
}
