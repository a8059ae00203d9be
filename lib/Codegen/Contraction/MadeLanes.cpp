// How a made factor is computed by vectors.
#include "MadeFactor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace forge::contraction {

/// Whether neighbours of the last dimension are neighbours in memory.
static bool isContiguous(Value memory) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type)
    return isa<RankedTensorType>(memory.getType()); // Bufferized to the plain layout.
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         (strides.empty() || strides.back() == 1);
}

MadeLanes::Lanes MadeLanes::lanesOf(Value value) const {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.isNonNegative())
    return {Kind::Same, number.getSExtValue()};
  return {};
}

/// Of one element in all lanes, or of neighbours.
bool MadeLanes::isReadAtOnce(ValueRange indices, Value memory) const {
  for (auto [i, index] : llvm::enumerate(indices)) {
    Kind kind = lanesOf(index).kind;
    bool isLast = i + 1 == indices.size();
    if (kind == Kind::Any || (kind == Kind::Ramp && (!isLast || !isContiguous(memory))))
      return false;
  }
  return true;
}

MadeLanes::Lanes MadeLanes::classify(Operation &op) {
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    if (static_cast<int64_t>(index.getDim()) == product.k)
      return {lanes == 1 ? Kind::Same : Kind::Ramp, lanes};
    return {};
  }
  if (isRead(op)) {
    ValueRange indices = op.getOperands().drop_front();
    possible &= isReadAtOnce(indices, op.getOperand(0));
    return {!indices.empty() && lanesOf(indices.back()).kind == Kind::Ramp ? Kind::Any : Kind::Same,
            1};
  }
  SmallVector<Lanes> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lanesOf(operand));
  bool isSame = llvm::all_of(operands, [](const Lanes &x) { return x.kind == Kind::Same; });
  Kind otherwise = isSame ? Kind::Same : Kind::Any;
  if (operands.size() == 1)
    return isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) ? operands[0] : Lanes{otherwise, 1};
  if (operands.size() != 2 || !op.getResult(0).getType().isIntOrIndex())
    return {otherwise, 1};
  auto [x, y] = std::pair(operands[0], operands[1]);
  APInt constant;
  bool byConstant =
      matchPattern(op.getOperand(1), m_ConstantInt(&constant)) && constant.isStrictlyPositive();
  int64_t by = byConstant ? constant.getSExtValue() : 0;
  if (isa<arith::AddIOp>(op)) {
    int64_t multiple = std::gcd(x.multiple, y.multiple);
    if (x.kind != Kind::Any && y.kind != Kind::Any && (x.kind != y.kind || isSame))
      return {isSame ? Kind::Same : Kind::Ramp, multiple};
    return {otherwise, 1};
  }
  if (isa<arith::MulIOp>(op) && isSame)
    return {Kind::Same, x.multiple * y.multiple};
  // [a, a + lanes) has one quotient where both are multiples of the lanes.
  bool isWholePart =
      byConstant && x.kind == Kind::Ramp && by % lanes == 0 && x.multiple % lanes == 0;
  if (isa<arith::DivUIOp, arith::DivSIOp>(op) && (isSame || isWholePart))
    return {Kind::Same, byConstant && x.multiple % by == 0 ? x.multiple / by : 1};
  if (isa<arith::RemUIOp, arith::RemSIOp>(op) && byConstant && (isSame || isWholePart))
    return {x.kind, x.multiple % by == 0 ? 0 : std::gcd(x.multiple, by)};
  return {otherwise, 1};
}

std::optional<MadeLanes::Lanes> MadeLanes::placeOf(AffineExpr index) const {
  if (auto dim = dyn_cast<AffineDimExpr>(index)) {
    if (static_cast<int64_t>(dim.getPosition()) == product.k && lanes > 1)
      return Lanes{Kind::Ramp, lanes};
    return Lanes{};
  }
  return isa<AffineConstantExpr>(index) ? std::optional(Lanes{}) : std::nullopt;
}

MadeLanes::MadeLanes(const MadeProduct &product, int64_t lanes) : product(product), lanes(lanes) {
  linalg::GenericOp op = product.op;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input->getOperandNumber() == product.plain)
      continue;
    Kind kind = Kind::Same;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [i, index] : llvm::enumerate(map.getResults())) {
      std::optional<Lanes> place = placeOf(index);
      possible &= place.has_value();
      if (!place || place->kind == Kind::Same)
        continue;
      kind = Kind::Any;
      possible &= i + 1 == map.getNumResults() && isContiguous(input->get());
    }
    values[op.getMatchingBlockArgument(input)] = {kind, 1};
  }
  for (Operation *maker : product.makers)
    values[maker->getResult(0)] = classify(*maker);
}

/// The conversion of an integer to a float that `extension` widens, if the narrower float has it
/// exactly.
static Operation *exactConversion(arith::ExtFOp extension) {
  Operation *maker = extension.getIn().getDefiningOp();
  if (!isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(maker))
    return nullptr;
  unsigned bits = maker->getOperand(0).getType().getIntOrFloatBitWidth();
  auto type = cast<FloatType>(extension.getIn().getType());
  return bits <= APFloat::semanticsPrecision(type.getFloatSemantics()) ? maker : nullptr;
}

Value MadeLanes::emit(IndexBuilder &ib, const IRMapping &memory, Index n, Index k, Type type,
                      int64_t ahead) const {
  linalg::GenericOp op = product.op;
  IRMapping map = memory;
  auto vectorOf = [&](Type element) { return VectorType::get({lanes}, element); };
  auto loopAt = [&](unsigned loop) {
    return static_cast<int64_t>(loop) == product.n   ? ib.value(n)
           : static_cast<int64_t>(loop) == product.k ? ib.value(k)
                                                     : ib.value(ib.of(0));
  };
  // A number that grows by one from lane to lane is kept as that of lane 0.
  auto inLanes = [&](Value value) -> Value {
    Value scalar = map.lookupOrDefault(value);
    if (isa<VectorType>(scalar.getType()))
      return scalar;
    VectorType vector = vectorOf(scalar.getType());
    Value all = ib.make<vector::BroadcastOp>(vector, scalar);
    if (lanesOf(value).kind != Kind::Ramp)
      return all;
    SmallVector<Attribute> numbers;
    for (int64_t lane = 0; lane < lanes; ++lane)
      numbers.push_back(ib.b.getIntegerAttr(scalar.getType(), lane));
    Value iota = ib.make<arith::ConstantOp>(DenseElementsAttr::get(vector, numbers));
    return ib.make<arith::AddIOp>(all, iota);
  };
  auto read = [&](Value from, ValueRange indices, bool isVector) -> Value {
    Type element = cast<MemRefType>(from.getType()).getElementType();
    if (isVector && ahead > 0) {
      // Behind the end of the memory nothing is read: the processor drops such a request.
      SmallVector<Value> later(indices);
      int64_t elements = ahead / (element.getIntOrFloatBitWidth() / 8);
      later.back() = ib.value(ib.add(ib.of(later.back()), elements));
      ib.make<memref::PrefetchOp>(from, later, /*isWrite=*/false, /*localityHint=*/3,
                                  /*isDataCache=*/true);
    }
    if (isVector)
      return ib.make<vector::LoadOp>(vectorOf(element), from, indices);
    return ib.make<memref::LoadOp>(from, indices);
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (input->getOperandNumber() == product.plain || argument.use_empty())
      continue;
    SmallVector<Value> indices;
    for (AffineExpr index : op.getMatchingIndexingMap(input).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(index);
      indices.push_back(dim ? loopAt(dim.getPosition())
                            : ib.value(ib.of(cast<AffineConstantExpr>(index).getValue())));
    }
    map.map(argument,
            read(memory.lookup(input->get()), indices, lanesOf(argument).kind == Kind::Any));
  }
  for (Operation *maker : product.makers) {
    Operation &inner = *maker;
    Value result = inner.getResult(0);
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      map.map(result, loopAt(index.getDim()));
      continue;
    }
    if (isRead(inner)) {
      SmallVector<Value> indices;
      for (Value index : inner.getOperands().drop_front())
        indices.push_back(map.lookupOrDefault(index));
      map.map(result,
              read(memory.lookup(inner.getOperand(0)), indices, lanesOf(result).kind == Kind::Any));
      continue;
    }
    if (auto extension = dyn_cast<arith::ExtFOp>(inner))
      if (Operation *conversion = exactConversion(extension)) {
        Value integer = map.lookupOrDefault(conversion->getOperand(0));
        Type to = extension.getType();
        if (isa<VectorType>(integer.getType()))
          to = vectorOf(to);
        if (isa<arith::SIToFPOp>(conversion))
          map.map(result, ib.make<arith::SIToFPOp>(to, integer));
        else
          map.map(result, ib.make<arith::UIToFPOp>(to, integer));
        continue;
      }
    bool isVector = lanesOf(result).kind == Kind::Any;
    IRMapping operands;
    for (Value operand : inner.getOperands()) {
      Value value = map.lookupOrDefault(operand);
      if (Operation *maker = value.getDefiningOp();
          maker && maker->hasTrait<OpTrait::ConstantLike>() && !map.contains(operand))
        value = ib.b.clone(*maker)->getResult(0);
      map.map(operand, value);
      operands.map(operand, isVector ? inLanes(operand) : value);
    }
    Operation *clone = ib.b.clone(inner, operands);
    if (isVector)
      clone->getResult(0).setType(vectorOf(result.getType()));
    map.map(result, clone->getResult(0));
  }
  Value element = map.lookup(product.element);
  if (lanes > 1 && !isa<VectorType>(element.getType()))
    element = inLanes(product.element);
  if (getElementTypeOrSelf(element.getType()) != getElementTypeOrSelf(type))
    element = ib.make<arith::ExtFOp>(type, element);
  return element;
}

std::optional<int64_t> mostLanes(const MadeProduct &product, int64_t least) {
  for (int64_t lanes = 32; lanes >= least; lanes /= 2)
    if (product.size(product.k) % lanes == 0 && MadeLanes(product, lanes).isPossible())
      return lanes;
  return std::nullopt;
}

} // namespace forge::contraction
