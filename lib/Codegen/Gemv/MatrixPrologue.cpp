#include "MatrixPrologue.h"

#include "GemvProduct.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Which operations
//===----------------------------------------------------------------------===//

static bool isRead(Operation &op) { return isa<tensor::ExtractOp, memref::LoadOp>(op); }

/// What `op`, a read, reads.
static Value memoryOf(Operation &op) { return op.getOperand(0); }

/// Elements of fewer bits are numbers of a byte in memory, which reads here would not know.
static bool hasWholeBytes(Value memory) {
  Type element = getElementTypeOrSelf(memory);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Whether places that `map` tells are computed from numbers of 0 or more alone
/// (MatrixLanes::Place): a reversed matrix' are not.
static bool isNeverNegative(AffineMap map) {
  bool hasNegative = false;
  map.walkExprs([&](AffineExpr part) {
    auto number = dyn_cast<AffineConstantExpr>(part);
    hasNegative |= number && number.getValue() < 0;
  });
  return !hasNegative;
}

/// Whether threads compute the body of `op` element by element: arithmetic, and reads at places.
static bool hasSimpleBody(linalg::GenericOp op) {
  if (!llvm::all_of(op.getDpsInputs(), hasWholeBytes) ||
      !llvm::all_of(op.getIndexingMapsArray(), isNeverNegative))
    return false;
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
           ((isRead(inner) && hasWholeBytes(memoryOf(inner))) || isa<linalg::IndexOp>(inner) ||
            isa<arith::ArithDialect>(inner.getDialect()));
  });
}

linalg::GenericOp forge::matrixPrologueOf(Value matrix) {
  linalg::GenericOp op = onlyWriter(matrix);
  auto type = dyn_cast<ShapedType>(matrix.getType());
  if (!op || !type || !type.hasStaticShape() || type.getRank() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != 2 || op.getNumParallelLoops() != 2 ||
      !isa<FloatType>(type.getElementType()) || type.getElementTypeBitWidth() > 32 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return {};
  return hasSimpleBody(op) ? op : linalg::GenericOp();
}

bool forge::readsArguments(linalg::GenericOp prologue) {
  auto isFine = [](Value memory) {
    return !isa<ShapedType>(memory.getType()) || isPlainArgument(memory);
  };
  return llvm::all_of(prologue.getDpsInputs(), isFine) &&
         llvm::all_of(*prologue.getBody(),
                      [&](Operation &op) { return !isRead(op) || isFine(memoryOf(op)); });
}

//===----------------------------------------------------------------------===//
// Operations that are made once
//===----------------------------------------------------------------------===//

Value MatrixLanes::once(Operation *op) {
  for (Operation *other : made)
    if (OperationEquivalence::isEquivalentTo(op, other, OperationEquivalence::IgnoreLocations)) {
      op->erase();
      return other->getResult(0);
    }
  made.push_back(op);
  return op->getResult(0);
}

Value MatrixLanes::constant(int64_t value) {
  return once(arith::ConstantIndexOp::create(b, value));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value MatrixLanes::materialize(const Place &place) {
  if (!place.base)
    return constant(place.constant);
  if (place.constant == 0)
    return place.base;
  return once(arith::AddIOp::create(b, place.base, constant(place.constant)));
}

MatrixLanes::Place MatrixLanes::add(const Place &x, const Place &y) {
  Place sum = {x.base ? x.base : y.base, std::gcd(x.multiple, y.multiple), x.constant + y.constant};
  if (x.base && y.base)
    sum.base = once(arith::AddIOp::create(b, x.base, y.base));
  return sum;
}

MatrixLanes::Place MatrixLanes::multiply(const Place &x, int64_t by) {
  if (by == 0)
    return {};
  Place product = {x.base, x.multiple * by, x.constant * by};
  if (x.base && by != 1)
    product.base = once(arith::MulIOp::create(b, x.base, constant(by)));
  return product;
}

MatrixLanes::Place MatrixLanes::normalized(const Place &x) {
  int64_t whole = x.constant - x.constant % x.multiple;
  return {materialize({x.base, x.multiple, whole}), x.multiple, x.constant - whole};
}

MatrixLanes::Place MatrixLanes::divide(const Place &x, int64_t by) {
  if (!x.base || x.multiple % by == 0) {
    Place quotient = {x.base, x.multiple / by, x.constant / by};
    if (x.base && by != 1)
      quotient.base = once(arith::DivUIOp::create(b, x.base, constant(by)));
    return quotient;
  }
  Value whole = by % x.multiple == 0 ? normalized(x).base : materialize(x);
  return {once(arith::DivUIOp::create(b, whole, constant(by))), 1, 0};
}

MatrixLanes::Place MatrixLanes::remainder(const Place &x, int64_t by) {
  if (!x.base || x.multiple % by == 0)
    return {Value(), 0, x.constant % by};
  if (by % x.multiple != 0)
    return {once(arith::RemUIOp::create(b, materialize(x), constant(by))), 1, 0};
  Place split = normalized(x);
  return {once(arith::RemUIOp::create(b, split.base, constant(by))), x.multiple, split.constant};
}

MatrixLanes::Place MatrixLanes::placeOf(AffineExpr expr, int64_t lane) {
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return loop.getPosition() == 0 ? Place{row, 1, 0} : Place{column, lanes, lane};
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return {Value(), 0, number.getValue()};
  auto both = cast<AffineBinaryOpExpr>(expr);
  Place x = placeOf(both.getLHS(), lane);
  if (expr.getKind() == AffineExprKind::Add)
    return add(x, placeOf(both.getRHS(), lane));
  int64_t by = cast<AffineConstantExpr>(both.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return multiply(x, by);
  case AffineExprKind::FloorDiv:
    return divide(x, by);
  case AffineExprKind::Mod:
    return remainder(x, by);
  default: // ceildiv
    return divide(add(x, {Value(), 0, by - 1}), by);
  }
}

/// Nothing where `value` is no sum of multiples, quotients and remainders of the row and the
/// column.
std::optional<MatrixLanes::Place> MatrixLanes::placeOf(Value value, int64_t lane) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isIndex())
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return placeOf(b.getAffineDimExpr(index.getDim()), lane);
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && !number.isNegative())
    return Place{Value(), 0, number.getSExtValue()};
  if (!isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return std::nullopt;
  std::optional<Place> x = placeOf(op->getOperand(0), lane);
  if (isa<arith::AddIOp>(op)) {
    std::optional<Place> y = placeOf(op->getOperand(1), lane);
    return x && y ? std::optional(add(*x, *y)) : std::nullopt;
  }
  if (!x || !matchPattern(op->getOperand(1), m_ConstantInt(&number)) || number.isNegative())
    return std::nullopt;
  int64_t by = number.getSExtValue();
  if (isa<arith::MulIOp>(op))
    return multiply(*x, by);
  if (by == 0)
    return std::nullopt;
  return isa<arith::DivUIOp>(op) ? divide(*x, by) : remainder(*x, by);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// 1. Lanes whose indices differ in the constant of the last one alone read neighbours.
/// 2. As many of them as are read by some lane, and begin where so many bytes are aligned, are one
///    access.
void MatrixLanes::load(Value memory, ArrayRef<SmallVector<Place>> indices, Value result) {
  auto type = cast<MemRefType>(memory.getType());
  struct Neighbours {
    SmallVector<Value> leading;
    Place last;
    std::map<int64_t, SmallVector<int64_t>> lanes; ///< by the constant of `last`
  };
  SmallVector<Neighbours> groups;
  for (auto [lane, places] : llvm::enumerate(indices)) {
    Place last = places.empty() ? Place() : places.back();
    SmallVector<Value> leading;
    for (const Place &place : ArrayRef(places).drop_back(places.empty() ? 0 : 1))
      leading.push_back(materialize(place));
    auto *group = llvm::find_if(groups, [&](const Neighbours &other) {
      return other.leading == leading && other.last.base == last.base;
    });
    if (group == groups.end()) {
      groups.push_back({leading, last, {}});
      group = std::prev(groups.end());
    }
    group->lanes[last.constant].push_back(static_cast<int64_t>(lane));
  }
  int64_t bits = type.getElementTypeBitWidth(), bytes = bits / 8;
  int64_t ofRow = type.getRank() > 1 ? type.getShape().back() * bytes : 0;
  for (const Neighbours &group : groups) {
    int64_t aligned =
        bits % 8 == 0 ? std::gcd(std::gcd(ofRow, group.last.multiple * bytes), kAccessBytes) : 0;
    auto isRun = [&](int64_t first, int64_t length) {
      bool isRead = llvm::all_of(llvm::seq(first, first + length),
                                 [&](int64_t at) { return group.lanes.contains(at); });
      return isRead && length * bytes <= aligned && first % length == 0;
    };
    for (auto at = group.lanes.begin(); at != group.lanes.end();) {
      int64_t first = at->first, count = 1;
      while (isRun(first, 2 * count))
        count *= 2;
      SmallVector<Value> place = group.leading;
      if (type.getRank() > 0)
        place.push_back(materialize({group.last.base, group.last.multiple, first}));
      Value loaded;
      if (count == 1)
        loaded = memref::LoadOp::create(b, memory, place);
      else
        loaded = vector::LoadOp::create(b, VectorType::get({count}, type.getElementType()), memory,
                                        place, /*nontemporal=*/false,
                                        llvm::MaybeAlign(static_cast<uint64_t>(count * bytes)));
      for (int64_t number = 0; number < count; ++number, ++at) {
        Value element =
            count == 1 ? loaded : vector::ExtractOp::create(b, loaded, number).getResult();
        for (int64_t lane : at->second)
          values[{result, lane}] = element;
      }
    }
  }
}

MatrixLanes::MatrixLanes(ImplicitLocOpBuilder &builder, linalg::GenericOp prologue, Value row,
                         Value column, int64_t lanes)
    : b(builder), prologue(prologue), row(row), column(column), lanes(lanes) {
  for (OpOperand *input : this->prologue.getDpsInputOperands()) {
    BlockArgument element = this->prologue.getMatchingBlockArgument(input);
    if (element.use_empty())
      continue;
    AffineMap map = this->prologue.getMatchingIndexingMap(input);
    SmallVector<SmallVector<Place>> indices(static_cast<size_t>(lanes));
    for (int64_t lane = 0; lane < lanes; ++lane) {
      for (AffineExpr expr : map.getResults())
        indices[lane].push_back(placeOf(expr, lane));
      if (!isa<MemRefType>(input->get().getType()))
        values[{element, lane}] = input->get();
    }
    if (isa<MemRefType>(input->get().getType()))
      load(input->get(), indices, element);
  }
  for (Operation &op : *this->prologue.getBody()) {
    if (!isRead(op))
      continue;
    SmallVector<SmallVector<Place>> indices(static_cast<size_t>(lanes));
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (Value index : op.getOperands().drop_front()) {
        std::optional<Place> place = placeOf(index, lane);
        indices[lane].push_back(place ? *place : Place{valueOf(index, lane), 1, 0});
      }
    load(memoryOf(op), indices, op.getResult(0));
  }
}
