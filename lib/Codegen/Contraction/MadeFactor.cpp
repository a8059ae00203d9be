#include "MadeFactor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge::contraction {

int64_t MadeProduct::size(int64_t loop) const {
  return loop < 0 ? 1 : cast<linalg::LinalgOp>(op.getOperation()).getStaticLoopRanges()[loop];
}

bool isRead(Operation &op) { return isa<tensor::ExtractOp, memref::LoadOp>(op); }

/// Numbers of which a vector in memory has no bits in between.
static bool isWhole(Type type) {
  if (type.isIndex())
    return false;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0 &&
         type.getIntOrFloatBitWidth() <= 64;
}

/// Float types of eight bits have no vector instructions.
static bool hasLanes(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return type.isIntOrIndex() || (floatType && floatType.getWidth() >= 16);
}

/// Arithmetic that works on vectors as on numbers, reads, and the numbers of loops. Divisions are
/// by constants, which no lane makes zero.
static bool isSimple(Operation &op) {
  if (op.getNumRegions() != 0 || op.getNumResults() != 1 || !hasLanes(op.getResult(0).getType()))
    return false;
  if (isRead(op))
    return isWhole(op.getResult(0).getType());
  if (isa<linalg::IndexOp, arith::ConstantOp>(op))
    return true;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    APInt by;
    return matchPattern(op.getOperand(1), m_ConstantInt(&by)) && by.isStrictlyPositive();
  }
  return isa<arith::ArithDialect>(op.getDialect()) && isMemoryEffectFree(&op) &&
         OpTrait::hasElementwiseMappableTraits(&op);
}

/// The input whose element `value` is, as it is or extended.
static std::optional<unsigned> plainInput(linalg::GenericOp op, Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs() || !isa<FloatType>(argument.getType()))
    return std::nullopt;
  return argument.getArgNumber();
}

/// What `element` is made of, but for `plain`: operations of the body; fails where that is not
/// simple, or reads A.
static LogicalResult collectMakers(linalg::GenericOp op, Value element, unsigned plain,
                                   llvm::SetVector<Operation *> &makers) {
  SmallVector<Value> open = {element};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == op.getBody()) {
      if (argument.getArgNumber() == plain || argument.getArgNumber() >= op.getNumDpsInputs() ||
          !isWhole(argument.getType()) || !hasLanes(argument.getType()))
        return failure();
      continue;
    }
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != op.getBody())
      continue; // From outside.
    if (!isSimple(*maker))
      return failure();
    if (makers.insert(maker))
      open.append(maker->operand_begin(), maker->operand_end());
  }
  return success();
}

static int64_t largeLoop(ArrayRef<int64_t> sizes, function_ref<bool(unsigned)> isRole,
                         int64_t &count) {
  int64_t found = -1;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (isRole(loop) && (sizes[loop] != 1 || found < 0)) {
      count += sizes[loop] != 1;
      found = loop;
    }
  return found;
}

FailureOr<MadeProduct> matchMadeProduct(linalg::LinalgOp candidate,
                                        function_ref<void(const Twine &)> whyNot) {
  auto fail = [&](const Twine &reason) {
    whyNot(reason);
    return failure();
  };
  auto op = dyn_cast<linalg::GenericOp>(candidate.getOperation());
  if (!op || op.getNumDpsInits() != 1 || op.getNumDpsInputs() == 0 ||
      op.getNumReductionLoops() == 0)
    return fail("expected a linalg.generic with a reduction and one output");
  // 1. The body: out + a * b.
  Value out = op.getRegionOutputArgs()[0];
  auto add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || !out.hasOneUse() || !out.getType().isF32())
    return fail("expected a body that adds a product to an f32");
  auto mul = (add.getLhs() == out ? add.getRhs() : add.getLhs()).getDefiningOp<arith::MulFOp>();
  if (!mul || (add.getLhs() != out && add.getRhs() != out))
    return fail("expected a body that adds a product to an f32");
  MadeProduct product;
  product.op = op;
  // 2. One factor is an input that has all loops of k; the other one is made of the rest.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  bool found = false;
  for (auto [a, b] : {std::pair(mul.getLhs(), mul.getRhs()), {mul.getRhs(), mul.getLhs()}}) {
    std::optional<unsigned> plain = plainInput(op, a);
    if (!plain || (plainInput(op, b) && !isa<IntegerType>(b.getType())))
      continue;
    llvm::SetVector<Operation *> makers;
    if (failed(collectMakers(op, b, *plain, makers)))
      continue;
    product.plain = *plain;
    product.element = b;
    for (Operation &inner : op.getBody()->without_terminator())
      if (makers.contains(&inner))
        product.makers.push_back(&inner);
    found = true;
    break;
  }
  if (!found)
    return fail("expected one factor that is an input, and one that simple operations make");
  AffineMap map = maps[product.plain];
  if (!map.isProjectedPermutation() || !result.isProjectedPermutation())
    return fail("expected indexing maps that are projected permutations");
  // 3. Roles of the loops, one of each that has more than one iteration.
  SmallVector<int64_t> sizes = candidate.getStaticLoopRanges();
  if (llvm::any_of(sizes, [](int64_t size) { return ShapedType::isDynamic(size) || size == 0; }))
    return fail("expected sizes that are known");
  int64_t counts[3] = {0, 0, 0};
  product.m = largeLoop(
      sizes,
      [&](unsigned d) {
        return result.isFunctionOfDim(d) && map.isFunctionOfDim(d) && sizes[d] != 1;
      },
      counts[0]);
  product.n = largeLoop(
      sizes, [&](unsigned d) { return result.isFunctionOfDim(d) && !map.isFunctionOfDim(d); },
      counts[1]);
  product.k = largeLoop(
      sizes,
      [&](unsigned d) { return linalg::isReductionIterator(kinds[d]) && map.isFunctionOfDim(d); },
      counts[2]);
  if (product.n < 0 || product.k < 0 || llvm::any_of(counts, [](int64_t n) { return n > 1; }))
    return fail("expected one loop of each role");
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 && static_cast<int64_t>(d) != product.m &&
        static_cast<int64_t>(d) != product.n && static_cast<int64_t>(d) != product.k)
      return fail("loop " + Twine(d) + " has no role");
  // 4. What the factor is made of does not depend on m.
  auto isFree = [&](AffineMap other) {
    return product.m < 0 || !other.isFunctionOfDim(static_cast<unsigned>(product.m));
  };
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->getOperandNumber() != product.plain &&
        (!isFree(maps[input->getOperandNumber()]) || !isa<ShapedType>(input->get().getType())))
      return fail("expected a factor that does not depend on the rows of the other one");
  llvm::SmallSetVector<Value, 4> captured;
  int64_t most = 0;
  auto consider = [&](Value memory) {
    auto type = cast<ShapedType>(memory.getType());
    int64_t elements = type.hasStaticShape() ? type.getNumElements() : 1;
    if (elements > most) {
      most = elements;
      product.packed = type.getElementType();
    }
  };
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner);
        index && static_cast<int64_t>(index.getDim()) == product.m)
      return fail("expected a factor that does not depend on the rows of the other one");
    if (isRead(inner))
      consider(inner.getOperand(0));
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != op.getBody() && !matchPattern(operand, m_Constant())) {
        if (!isRead(inner) || operand != inner.getOperand(0))
          return fail("expected a body that takes memory and constants from outside");
        captured.insert(operand);
      }
  }
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->getOperandNumber() != product.plain)
      consider(input->get());
  if (!product.packed)
    return fail("expected a factor that is made of memory");
  product.captured = llvm::to_vector(captured);
  return product;
}

} // namespace forge::contraction
