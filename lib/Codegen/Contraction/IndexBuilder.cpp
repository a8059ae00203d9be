#include "IndexBuilder.h"

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forge::contraction {

Index IndexBuilder::of(Value value) const { return {value, getConstantIntValue(value)}; }

Value IndexBuilder::value(Index i) {
  if (i.value)
    return i.value;
  return arith::ConstantIndexOp::create(b, loc, *i.number);
}

Index IndexBuilder::add(Index x, Index y) {
  if (x.number && y.number)
    return of(*x.number + *y.number);
  if (x.is(0))
    return y;
  if (y.is(0))
    return x;
  return {make<arith::AddIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::sub(Index x, Index y) {
  if (x.number && y.number)
    return of(*x.number - *y.number);
  if (y.is(0))
    return x;
  return {make<arith::SubIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::mul(Index x, Index y) {
  if (x.number && y.number)
    return of(*x.number * *y.number);
  if (x.is(0) || y.is(0))
    return of(0);
  if (x.is(1))
    return y;
  if (y.is(1))
    return x;
  return {make<arith::MulIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::min(Index x, Index y) {
  if (x.number && y.number)
    return of(std::min(*x.number, *y.number));
  return {make<arith::MinSIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::max(Index x, Index y) {
  if (x.number && y.number)
    return of(std::max(*x.number, *y.number));
  return {make<arith::MaxSIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::div(Index x, Index y) {
  if (x.number && y.number)
    return of(*x.number / *y.number);
  if (y.is(1))
    return x;
  return {make<arith::DivUIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::rem(Index x, Index y) {
  if (x.number && y.number)
    return of(*x.number % *y.number);
  if (y.is(1))
    return of(0);
  return {make<arith::RemUIOp>(value(x), value(y)), std::nullopt};
}

Index IndexBuilder::ceilDiv(Index x, Index y) { return div(add(x, sub(y, of(1))), y); }

void IndexBuilder::loop(Index from, Index to, int64_t step, function_ref<void(Index)> body) {
  loop(from, to, of(step), body);
}

void IndexBuilder::loop(Index from, Index to, Index step, function_ref<void(Index)> body) {
  if (from.number && to.number && step.number) {
    if (*from.number >= *to.number)
      return;
    if (*from.number + *step.number >= *to.number)
      return body(from);
  }
  auto op = make<scf::ForOp>(value(from), value(to), value(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  body({op.getInductionVar(), std::nullopt});
}

SmallVector<Value>
IndexBuilder::loopCarrying(Index from, Index to, int64_t step, ValueRange initial,
                           function_ref<SmallVector<Value>(Index, ValueRange)> body) {
  auto op = make<scf::ForOp>(value(from), value(to), value(of(step)), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body({op.getInductionVar(), std::nullopt}, op.getRegionIterArgs());
  make<scf::YieldOp>(next);
  return SmallVector<Value>(op.getResults());
}

void IndexBuilder::parallelLoop(Index count, bool parallel, function_ref<void(Index)> body) {
  if (!parallel || (count.number && *count.number <= 1))
    return loop(of(0), count, 1, body);
  Value zero = value(of(0)), one = value(of(1));
  auto op = make<scf::ParallelOp>(ValueRange{zero}, ValueRange{value(count)}, ValueRange{one});
  op->setAttr(kShareOutAttr, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  body({op.getInductionVars()[0], std::nullopt});
}

Value IndexBuilder::less(Index x, Index y) {
  return make<arith::CmpIOp>(arith::CmpIPredicate::slt, value(x), value(y));
}

void IndexBuilder::ifThenElse(Value condition, function_ref<void()> thenBody,
                              function_ref<void()> elseBody) {
  auto op = make<scf::IfOp>(condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  thenBody();
  b.setInsertionPointToStart(op.elseBlock());
  elseBody();
}

} // namespace forge::contraction
