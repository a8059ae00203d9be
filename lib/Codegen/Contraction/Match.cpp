// What counts as a contraction, and its schedule attribute.
#include "forge/Codegen/Contraction.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

/// The block argument `value` is, looking through one conversion of these.
template <typename... Conversions> static BlockArgument sourceOf(Value value) {
  Operation *maker = value.getDefiningOp();
  if (isa_and_nonnull<Conversions...>(maker))
    value = maker->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

/// The sum and the product are `Add` and `Mul`, of inputs as they are or by one of `Conversions`.
template <typename Add, typename Mul, typename... Conversions>
static bool addsProductBy(Block &body) {
  if (body.getNumArguments() != 3)
    return false;
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<Add>();
  if (!add)
    return false;
  Value out = body.getArgument(2);
  Value term = add.getLhs() == out ? add.getRhs() : add.getLhs();
  auto mul = term.getDefiningOp<Mul>();
  if (!mul || (add.getLhs() != out && add.getRhs() != out))
    return false;
  BlockArgument x = sourceOf<Conversions...>(mul.getLhs()),
                y = sourceOf<Conversions...>(mul.getRhs());
  return x && y && x.getOwner() == &body && y.getOwner() == &body &&
         x.getArgNumber() + y.getArgNumber() == 1;
}

bool forge::addsProduct(Block &body) {
  return addsProductBy<arith::AddFOp, arith::MulFOp, arith::ExtFOp>(body);
}

bool forge::addsIntegerProduct(Block &body) {
  return addsProductBy<arith::AddIOp, arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp>(body);
}

bool forge::addsNarrowProduct(Block &body) {
  return addsProductBy<arith::AddFOp, arith::MulFOp, arith::ExtFOp, arith::SIToFPOp>(body);
}

SmallVector<std::pair<unsigned, unsigned>, 6> FactorPieces::products() const {
  SmallVector<std::pair<unsigned, unsigned>, 6> pairs;
  for (int order = 2; order >= 0; --order)
    for (unsigned i = 0; i < left.size(); ++i)
      if (int j = order - static_cast<int>(i); j >= 0 && j < static_cast<int>(right.size()))
        pairs.emplace_back(i, j);
  return pairs;
}

/// The inputs that `sum` adds up, each extended, in order.
static LogicalResult findPieces(Value sum, SmallVectorImpl<unsigned> &pieces) {
  if (auto add = sum.getDefiningOp<arith::AddFOp>())
    return success(succeeded(findPieces(add.getLhs(), pieces)) &&
                   succeeded(findPieces(add.getRhs(), pieces)));
  auto extension = sum.getDefiningOp<arith::ExtFOp>();
  auto input = extension ? dyn_cast<BlockArgument>(extension.getIn()) : BlockArgument();
  if (!input)
    return failure();
  pieces.push_back(input.getArgNumber());
  return success();
}

std::optional<FactorPieces> forge::addsProductOfPieces(Block &body) {
  unsigned inputs = body.getNumArguments() - 1;
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || inputs < 3)
    return std::nullopt;
  Value out = body.getArgument(inputs);
  auto mul = (add.getLhs() == out ? add.getRhs() : add.getLhs()).getDefiningOp<arith::MulFOp>();
  if (!mul || !mul->hasAttr(kPiecesAttr) || (add.getLhs() != out && add.getRhs() != out))
    return std::nullopt;
  FactorPieces pieces;
  if (failed(findPieces(mul.getLhs(), pieces.left)) ||
      failed(findPieces(mul.getRhs(), pieces.right)))
    return std::nullopt;
  llvm::SmallDenseSet<unsigned> all;
  all.insert_range(pieces.left);
  all.insert_range(pieces.right);
  bool isOnce = all.size() == pieces.left.size() + pieces.right.size();
  return isOnce && all.size() == inputs && !all.contains(inputs) ? std::optional(pieces)
                                                                 : std::nullopt;
}

bool forge::areProductTypes(Type a, Type b, Type c) {
  if (a != b)
    return false;
  if (c.isF64() || c.isF32())
    return a == c || (c.isF32() && (a.isF16() || a.isBF16()));
  return false;
}

/// Whether each result is a loop, or a sum of loops by constant factors: windows of an operand.
static bool readsWindows(AffineMap map) {
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    return result.isPureAffine() && !isa<AffineConstantExpr>(result) &&
           llvm::all_of(llvm::seq(map.getNumDims()), [&](unsigned loop) {
             std::optional<int64_t> factor = factorOf(result, loop);
             return factor && *factor >= 0;
           });
  });
}

std::optional<int64_t> forge::factorOf(AffineExpr index, unsigned loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return dim.getPosition() == loop;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> left = factorOf(binary.getLHS(), loop);
  if (binary.getKind() == AffineExprKind::Add) {
    std::optional<int64_t> right = factorOf(binary.getRHS(), loop);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !constant || !left)
    return std::nullopt;
  return *left * constant.getValue();
}

FailureOr<ContractionLoops> forge::matchContraction(linalg::LinalgOp op,
                                                    function_ref<void(const Twine &)> whyNot) {
  auto fail = [&](const Twine &reason) {
    whyNot(reason);
    return failure();
  };
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return fail("expected two input buffers and one output buffer");
  if (op->getNumRegions() != 1 || !addsProduct(op->getRegion(0).front()))
    return fail("expected the body to add the product of the inputs to the output");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [map, operand] : llvm::zip_equal(maps, op->getOperands())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !type.isStrided() || type.getMemorySpace())
      return fail("expected strided buffers in default memory");
    bool isInput = operand != op->getOperands().back();
    if (!map.isProjectedPermutation() && !(isInput && readsWindows(map)))
      return fail("expected indexing maps that are projected permutations, or windows of an input");
  }
  // The other input, or the output, has each of its loops as a dimension.
  if (!maps[0].isProjectedPermutation() && !maps[1].isProjectedPermutation())
    return fail("expected one input at most to be read by windows");
  if (!areProductTypes(getElementTypeOrSelf(op->getOperand(0)),
                       getElementTypeOrSelf(op->getOperand(1)),
                       getElementTypeOrSelf(op->getOperand(2))))
    return fail("expected f32, f64, or f16 or bf16 accumulated in f32");
  ContractionLoops loops;
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    bool inA = maps[0].isFunctionOfDim(d), inB = maps[1].isFunctionOfDim(d);
    bool inC = maps[2].isFunctionOfDim(d);
    if (inC && inA && inB)
      loops.batch.push_back(d);
    else if (inC && inA)
      loops.m.push_back(d);
    else if (inC && inB)
      loops.n.push_back(d);
    else if (inA && inB)
      loops.k.push_back(d);
    else
      return fail("loop " + Twine(d) + " appears in one operand only");
  }
  for (int64_t size : op.getStaticLoopRanges())
    if (size == 0)
      return fail("a loop has no iterations");
  return loops;
}
