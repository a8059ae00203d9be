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
    operands.push_back(state.registers.at(number));
  if (auto store = dyn_cast<StoreOp>(op)) {
    define(store.getBuffer(), rounded(operands[0]));
    return;
  }
  Value value = compute(op, operands);
  state.registers[*instruction.getWrittenRegister()] = value;
}

/// 1. What the loop writes, and was there before it, is carried.
/// 2. What only the loop writes is written in each iteration before it is read (program_c6).
void InstructionRaiser::raiseLoop(LoopOp loop) {
  std::set<int64_t> writtenRegisters;
  SetVector<Value> writtenBuffers;
  loop.walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      writtenBuffers.insert(store.getBuffer());
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    std::optional<int64_t> number =
        instruction ? instruction.getWrittenRegister() : std::optional<int64_t>();
    if (number && state.registers.count(*number))
      writtenRegisters.insert(*number);
  });
  auto carriedOf = [&] {
    SmallVector<Value> values;
    for (int64_t number : writtenRegisters)
      values.push_back(state.registers.at(number));
    for (Value buffer : writtenBuffers)
      values.push_back(elementOf(buffer));
    return values;
  };
  auto setCarried = [&](ValueRange values) {
    for (int64_t number : writtenRegisters) {
      state.registers[number] = values.front();
      values = values.drop_front();
    }
    for (auto [buffer, value] : llvm::zip_equal(writtenBuffers, values))
      define(buffer, value);
  };
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1),
        count =
            loop.getTimes()
                ? Value(arith::ConstantIndexOp::create(b, static_cast<int64_t>(*loop.getTimes())))
                : numbers.lookup(loop.getCount());
  auto repeated = scf::ForOp::create(b, zero, count, one, carriedOf());
  State before = state;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(repeated.getBody());
    setCarried(repeated.getRegionIterArgs());
    raise(loop.getBody().front());
    b.setLoc(loop.getLoc());
    // A loop that carries nothing ends by itself.
    if (repeated.getNumResults() > 0)
      scf::YieldOp::create(b, carriedOf());
  }
  state = std::move(before);
  setCarried(repeated.getResults());
}
