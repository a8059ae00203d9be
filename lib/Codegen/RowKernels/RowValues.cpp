#include "RowValues.h"

#include "RoundedUses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge {

RowValues::RowValues(ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
                     RowMemory &memory, const RowLevels &levels, bool approximates)
    : online(b, approximates), b(b), program(program), plan(plan), memory(memory), levels(levels) {
  if (approximates)
    rounded = roundedUses(program);
}

Value RowValues::valueOf(const RowRead &read, RowSlot *slot, int64_t at) {
  if (read.splat)
    return read.splat;
  if (read.stage >= 0 && read.stage == runningMaximum)
    return runningShift;
  if (read.stage >= 0)
    return program.stages[read.stage].kind == RowStage::PerColumn
               ? stageElement(read.stage, read.result, *slot, at)
               : perRow.at({read.stage, read.result});
  return slot ? memory.load(*slot, read, at) : memory.loadOfRow(read);
}

/// Element `at` of the slot of a stage with one value per column.
Value RowValues::stageElement(int stage, unsigned result, RowSlot &slot, int64_t at) {
  SmallVector<Value> &kept = slot.computed[{stage, result}];
  kept.resize(plan.vector);
  if (!kept[at]) {
    IRMapping mapping = cloneBody(stage, &slot, at);
    for (auto [i, yielded] :
         llvm::enumerate(program.stages[stage].op.getBody()->getTerminator()->getOperands())) {
      SmallVector<Value> &values = slot.computed[{stage, i}];
      values.resize(plan.vector);
      values[at] = mapping.lookupOrDefault(yielded);
    }
  }
  return slot.computed[{stage, result}][at];
}

IRMapping RowValues::cloneBody(unsigned index, RowSlot *slot, int64_t at) {
  const RowStage &stage = program.stages[index];
  IRMapping mapping;
  unsigned inputs = stage.op.getNumDpsInputs();
  for (auto [i, argument] : llvm::enumerate(stage.op.getBody()->getArguments()))
    if (!argument.use_empty() && (i < inputs || stage.kind != RowStage::Reduction))
      mapping.map(argument, valueOf(stage.reads[i], slot, at));
  llvm::SmallPtrSet<Operation *, 8> combiner(stage.reduction.combiner.begin(),
                                             stage.reduction.combiner.end());
  for (Operation &inner : stage.op.getBody()->without_terminator()) {
    if (combiner.contains(&inner))
      continue;
    if (auto loop = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(loop.getResult(), memory.coordinate(slot, stage.axes[loop.getDim()], at));
      continue;
    }
    if (auto load = dyn_cast<memref::LoadOp>(inner);
        load && slot && plan.vector > 1 && readsAlongColumn(stage, load)) {
      mapping.map(load.getResult(), gather(load, mapping, *slot, at));
      continue;
    }
    if (Value value = approximate(index, inner, mapping))
      mapping.map(inner.getResult(0), value);
    else if (Value quotient = divideByRowValue(inner, mapping))
      mapping.map(inner.getResult(0), quotient);
    else
      b.clone(inner, mapping);
  }
  return mapping;
}

/// Whether `value`, of the body of `stage`, may differ between columns.
static bool dependsOnColumn(const RowStage &stage, Value value, int column) {
  if (value.getParentBlock() != stage.op.getBody())
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const RowRead &read = stage.reads[argument.getArgNumber()];
    return !read.splat && (read.stage >= 0 || read.map.isFunctionOfDim(column));
  }
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return stage.axes[index.getDim()] == column;
  return op->getNumRegions() > 0 || llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOnColumn(stage, operand, column);
         });
}

/// Whether a load of a body reads neighbours in neighbouring columns, from memory that nothing
/// writes: a row that the body chooses.
bool RowValues::readsAlongColumn(const RowStage &stage, memref::LoadOp load) const {
  auto type = load.getMemRefType();
  Type element = type.getElementType();
  int column = static_cast<int>(program.columnAxis());
  if (!isa<BlockArgument>(load.getMemRef()) || !type.getLayout().isIdentity() ||
      type.getRank() == 0 || !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8 ||
      llvm::any_of(program.writes,
                   [&](const RowWrite &write) { return write.memref == load.getMemRef(); }))
    return false;
  int64_t width =
      std::min<int64_t>(plan.vector, kAccessBytes * 8 / int64_t(element.getIntOrFloatBitWidth()));
  int64_t size = type.getShape().back();
  auto last = load.getIndices().back().getDefiningOp<linalg::IndexOp>();
  return !ShapedType::isDynamic(size) && size % width == 0 && last &&
         last->getBlock() == stage.op.getBody() && stage.axes[last.getDim()] == column &&
         llvm::none_of(load.getIndices().drop_back(),
                       [&](Value index) { return dependsOnColumn(stage, index, column); });
}

/// What `load` reads at lane `at`; all lanes of the slot are read at once.
Value RowValues::gather(memref::LoadOp load, IRMapping &mapping, RowSlot &slot, int64_t at) {
  SmallVector<Value> &lanes = slot.gathered[load];
  if (lanes.empty()) {
    Type element = load.getMemRefType().getElementType();
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    int64_t width = std::min<int64_t>(plan.vector, kAccessBytes / bytes);
    SmallVector<Value> indices = llvm::map_to_vector(
        load.getIndices(), [&](Value index) { return mapping.lookupOrDefault(index); });
    for (int64_t first = 0; first < plan.vector; first += width) {
      indices.back() = memory.coordinate(&slot, static_cast<int>(program.columnAxis()), first);
      Value loaded =
          vector::LoadOp::create(b, VectorType::get({width}, element), load.getMemRef(), indices,
                                 /*nontemporal=*/false, llvm::MaybeAlign(width * bytes));
      for (int64_t lane = 0; lane < width; ++lane)
        lanes.push_back(vector::ExtractOp::create(b, loaded, lane));
    }
  }
  return lanes[at];
}

/// A term of a sum below a running maximum, or an exponential, a tanh, an erfc or a quotient that
/// is only seen rounded to 16 bits: by instructions that approximate 2^x and x / y. Null for
/// another operation.
Value RowValues::approximate(unsigned index, Operation &op, IRMapping &mapping) {
  Value x = op.getNumOperands() ? mapping.lookupOrDefault(op.getOperand(0)) : Value();
  if (runningMaximum >= 0 && levels.onlineMaximum.contains(index) &&
      program.stages[index].reduction.elements[0].getDefiningOp() == &op)
    return online.exponential(x);
  if (!rounded.contains(&op))
    return Value();
  if (isa<math::ExpOp>(op))
    return math::ExpOp::create(b, x, arith::FastMathFlags::afn);
  if (isa<math::TanhOp>(op))
    return math::TanhOp::create(b, x, arith::FastMathFlags::afn);
  if (isa<math::ErfcOp>(op))
    return math::ErfcOp::create(b, x, arith::FastMathFlags::afn);
  Value y = mapping.lookupOrDefault(op.getOperand(1));
  if (rowValues.contains(y))
    return arith::MulFOp::create(b, x, reciprocalOfRow(y));
  return arith::DivFOp::create(
      b, x, y, arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::afn));
}

Value RowValues::reciprocalOfRow(Value y) {
  Value &reciprocal = reciprocals[y];
  if (!reciprocal) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(y);
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1.0));
    reciprocal = arith::DivFOp::create(b, one, y);
  }
  return reciprocal;
}

/// x / y where y is one value for the whole row: x r corrected once, with r = 1 / y. That is x /
/// y correctly rounded (Markstein, IBM J. Res. Dev. 34, 1990) unless the quotient is subnormal or
/// y or 1 / y is; where the correction is NaN, x r is the quotient: infinities, zeros, NaN. Null
/// for another operation.
Value RowValues::divideByRowValue(Operation &op, IRMapping &mapping) {
  auto division = dyn_cast<arith::DivFOp>(op);
  if (!division || !division.getType().isF32())
    return Value();
  Value x = mapping.lookupOrDefault(division.getLhs()),
        y = mapping.lookupOrDefault(division.getRhs());
  if (!rowValues.contains(y))
    return Value();
  Value reciprocal = reciprocalOfRow(y);
  Value rough = arith::MulFOp::create(b, x, reciprocal);
  Value rest = math::FmaOp::create(b, arith::NegFOp::create(b, rough), y, x);
  Value fine = math::FmaOp::create(b, rest, reciprocal, rough);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, fine, fine);
  return arith::SelectOp::create(b, isNumber, fine, rough);
}

void RowValues::setRowValue(int stage, unsigned result, Value value) {
  perRow[{stage, result}] = value;
  rowValues.insert(value);
}

void RowValues::emitPerRow(unsigned stage) {
  IRMapping mapping = cloneBody(stage, nullptr, 0);
  for (auto [i, yielded] :
       llvm::enumerate(program.stages[stage].op.getBody()->getTerminator()->getOperands()))
    setRowValue(stage, i, mapping.lookupOrDefault(yielded));
}

void RowValues::beginOnline(OnlineMaximum maximum, Value before, Value now, Value &sum) {
  runningMaximum = static_cast<int>(maximum.stage);
  runningShift = online.shift(now, maximum.isFinite);
  sum = arith::MulFOp::create(b, sum, online.factor(before, now, maximum.isFinite));
}

} // namespace forge
