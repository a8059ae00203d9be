#include "GemvBlock.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace forge;

/// What `load` gives for `group`, or anything if it is none of `groups`.
static GemvAhead loadIfAny(ImplicitLocOpBuilder &b, Value group, Value groups, TypeRange types,
                           function_ref<GemvAhead(Value)> load) {
  Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, group, groups);
  auto branch = scf::IfOp::create(b, types, has, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, load(group));
  b.setInsertionPointToStart(branch.elseBlock());
  GemvAhead none;
  for (Type type : types)
    none.push_back(ub::PoisonOp::create(b, type));
  scf::YieldOp::create(b, none);
  return GemvAhead(branch.getResults());
}

void forge::emitGroups(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                       Value first, ValueRange ahead, function_ref<GemvAhead(Value)> load,
                       function_ref<GemvAhead(Value, ValueRange)> compute,
                       function_ref<void(Value, ValueRange)> store) {
  int64_t groups = numGroups(product, plan);
  if (plan.blocks == groups)
    return store(first, compute(first, ahead));
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto loop = scf::ForOp::create(b, first, index(groups), index(plan.blocks), ahead);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value group = loop.getInductionVar();
  GemvAhead sums = compute(group, loop.getRegionIterArgs());
  GemvAhead next;
  if (!ahead.empty())
    next = loadIfAny(b, arith::AddIOp::create(b, group, index(plan.blocks)), index(groups),
                     ahead.getTypes(), load);
  store(group, sums);
  // The next group's sums go to the same shared memory.
  gpu::BarrierOp::create(b);
  if (!next.empty())
    scf::YieldOp::create(b, next);
}

GemvBlock::GemvBlock(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                     int64_t warpSize, Value group)
    : b(b), product(product), plan(plan), warpSize(warpSize),
      threadId(gpu::ThreadIdOp::create(b, gpu::Dimension::x)), firstColumn(firstColumnOf(group)) {}

Value GemvBlock::add(Value x, int64_t y) const {
  return y == 0 ? x : arith::AddIOp::create(b, x, index(y)).getResult();
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Columns of a block side by side, and how far its next ones are away.
int64_t GemvBlock::sideBySide() const {
  return product.placement ? product.placement->sideBySide(plan.columns) : plan.columns;
}
int64_t GemvBlock::distance() const { return product.placement ? product.placement->inner : 1; }

Value GemvBlock::firstColumnOf(Value block) const {
  int64_t side = sideBySide();
  if (side == plan.columns)
    return arith::MulIOp::create(b, block, index(side));
  Value perGroup = index(distance() / side);
  Value group = arith::DivUIOp::create(b, block, perGroup);
  Value within = arith::RemUIOp::create(b, block, perGroup);
  return arith::AddIOp::create(
      b, arith::MulIOp::create(b, group, index(distance() * (plan.columns / side))),
      arith::MulIOp::create(b, within, index(side)));
}

/// `column`, or the first of the last `count` of the matrix instead of one behind it.
Value GemvBlock::existing(Value column, int64_t count) const {
  return product.columns % plan.columns == 0
             ? column
             : arith::MinUIOp::create(b, column, index(product.columns - count)).getResult();
}

Value GemvBlock::columnOf(int64_t number) const {
  return existing(add(firstColumn, number % sideBySide() + number / sideBySide() * distance()), 1);
}

Value GemvBlock::columnOf(Value number) const { return columnsOf(number, 1); }

Value GemvBlock::columnsOf(Value number, int64_t count) const {
  return existing(placeOf(number), count);
}

Value GemvBlock::placeOf(Value number) const {
  int64_t side = sideBySide();
  if (side == plan.columns)
    return arith::AddIOp::create(b, firstColumn, number);
  Value beside = arith::RemUIOp::create(b, number, index(side));
  Value away =
      arith::MulIOp::create(b, arith::DivUIOp::create(b, number, index(side)), index(distance()));
  return arith::AddIOp::create(b, firstColumn, arith::AddIOp::create(b, beside, away));
}

/// The number in the block of a column that it has; any of its numbers for another one.
Value GemvBlock::numberOf(Value column) const {
  int64_t side = sideBySide();
  Value number;
  if (side == plan.columns) {
    number = arith::SubIOp::create(b, column, firstColumn);
  } else {
    Value apart = index(distance());
    Value beside = arith::SubIOp::create(b, arith::RemUIOp::create(b, column, apart),
                                         arith::RemUIOp::create(b, firstColumn, apart));
    Value part = arith::RemUIOp::create(b, arith::DivUIOp::create(b, column, apart),
                                        index(plan.columns / side));
    number = arith::AddIOp::create(b, arith::MulIOp::create(b, part, index(side)), beside);
  }
  return arith::MinUIOp::create(b, number, index(plan.columns - 1));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value GemvBlock::allocSums(int64_t sums, Type type) const {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  return memref::AllocOp::create(
      b, MemRefType::get({warps(), sums}, type, MemRefLayoutAttrInterface(), space),
      b.getI64IntegerAttr(kAccessBytes));
}

void GemvBlock::storeResults(Value buffer) const {
  int64_t elements = product.rows * plan.columns;
  for (int64_t first = 0; first < elements; first += plan.threads) {
    OpBuilder::InsertionGuard guard(b);
    Value element = add(threadId, first);
    if (first + plan.threads > elements) {
      Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, element, index(elements));
      auto branch = scf::IfOp::create(b, has, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    storeElement(buffer, element);
  }
}

void GemvBlock::storeElement(Value buffer, Value element) const {
  Value row = arith::DivUIOp::create(b, element, index(plan.columns));
  Value within = arith::RemUIOp::create(b, element, index(plan.columns));
  if (!product.placement) {
    Value column = placeOf(within);
    OpBuilder::InsertionGuard guard(b);
    if (product.columns % plan.columns != 0) {
      Value has =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, column, index(product.columns));
      auto branch = scf::IfOp::create(b, has, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    return storeGemvResult(b, product, row, column, sumsAt(buffer, row, within));
  }
  emitPlacement(b, *product.placement, product.values(), row, columnOf(within), product.columns,
                [&](Value column) {
                  return gemvResult(b, product, row, column, sumsAt(buffer, row, numberOf(column)));
                });
}

/// The sums of all matrices at column number `within` of the block.
SmallVector<Value> GemvBlock::sumsAt(Value buffer, Value row, Value within) const {
  Value firstOfRow = arith::MulIOp::create(b, row, index(strideOfSums()));
  SmallVector<Value> sums;
  for (int64_t matrix = 0; matrix < product.numMatrices(); ++matrix) {
    Value number = add(arith::AddIOp::create(b, firstOfRow, within), matrix * plan.columns);
    Value sum = memref::LoadOp::create(b, buffer, ValueRange{index(0), number});
    for (int64_t warp = 1; warp < warps(); ++warp)
      sum = arith::AddFOp::create(
          b, sum, memref::LoadOp::create(b, buffer, ValueRange{index(warp), number}));
    sums.push_back(sum);
  }
  return sums;
}
