#include "LibraryStrategy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

/// The block argument `value` is, looking through one extension.
static BlockArgument sourceOf(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Whether the body is yield(c + a * b).
static bool addsProduct(Block &body) {
  if (body.getNumArguments() != 3)
    return false;
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value out = body.getArgument(2);
  Value term = add.getLhs() == out ? add.getRhs() : add.getLhs();
  auto mul = term.getDefiningOp<arith::MulFOp>();
  if (!mul || (add.getLhs() != out && add.getRhs() != out))
    return false;
  BlockArgument x = sourceOf(mul.getLhs()), y = sourceOf(mul.getRhs());
  return x && y && x.getOwner() == &body && y.getOwner() == &body &&
         x.getArgNumber() + y.getArgNumber() == 1;
}

static bool supportsTypes(Type in, Type other, Type out) {
  if (in != other)
    return false;
  return in == out ? in.isF32() || in.isF64() : out.isF32() && (in.isF16() || in.isBF16());
}

/// The loops in the order `map` takes them; nothing if it is no projected permutation.
static std::optional<SmallVector<unsigned>> loopsOf(AffineMap map) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return loops;
}

static bool isJoined(ArrayRef<unsigned> loops, std::initializer_list<ArrayRef<unsigned>> parts) {
  SmallVector<unsigned> joined;
  for (ArrayRef<unsigned> part : parts)
    joined.append(part.begin(), part.end());
  return ArrayRef<unsigned>(joined) == loops;
}

/// The product with operand `lhs` on the left, if the loops of the operands stand as one needs.
static std::optional<LibraryProduct> matchLoops(linalg::LinalgOp op, unsigned lhs) {
  auto left = loopsOf(op.getIndexingMapsArray()[lhs]);
  auto right = loopsOf(op.getIndexingMapsArray()[1 - lhs]);
  auto out = loopsOf(op.getIndexingMapsArray()[2]);
  if (!left || !right || !out)
    return std::nullopt;
  SmallVector<unsigned> batch, rows, columns, sum;
  for (unsigned loop : *out)
    (llvm::is_contained(*left, loop) ? llvm::is_contained(*right, loop) ? batch : rows : columns)
        .push_back(loop);
  for (unsigned loop : *left)
    if (!llvm::is_contained(*out, loop))
      sum.push_back(loop);
  if (batch.size() + rows.size() + columns.size() + sum.size() != op.getNumLoops() || sum.empty() ||
      !isJoined(*out, {batch, rows, columns}))
    return std::nullopt;
  LibraryProduct product{op, lhs, 1 - lhs};
  product.batchDims = static_cast<int64_t>(batch.size());
  product.rowDims = static_cast<int64_t>(rows.size());
  product.columnDims = static_cast<int64_t>(columns.size());
  product.lhsTransposed = !isJoined(*left, {batch, rows, sum});
  product.rhsTransposed = isJoined(*right, {batch, columns, sum});
  if ((product.lhsTransposed && !isJoined(*left, {batch, sum, rows})) ||
      (!product.rhsTransposed && !isJoined(*right, {batch, sum, columns})))
    return std::nullopt;
  return product;
}

/// True if `op` sets `buffer` (a tensor's value, or a memref) to zero.
static bool isZeroFill(Operation *op) {
  auto fill = dyn_cast<linalg::FillOp>(op);
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

std::optional<LibraryProduct> forge::matchLibraryProduct(func::FuncOp kernel) {
  // 1. Constants, a fill, a contraction, and nothing else.
  linalg::FillOp fill;
  linalg::LinalgOp contraction;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!fill && !contraction && isZeroFill(&op))
      fill = cast<linalg::FillOp>(op);
    else if (fill && !contraction && isa<linalg::LinalgOp>(op))
      contraction = cast<linalg::LinalgOp>(op);
    else
      return std::nullopt;
  }
  if (!contraction || contraction.getNumDpsInputs() != 2 || contraction.getNumDpsInits() != 1)
    return std::nullopt;
  // 2. From the kernel's arguments, from zeros, into its result.
  Value start = contraction.getDpsInits()[0];
  bool onTensors = contraction.hasPureTensorSemantics();
  if (start != (onTensors ? fill.result() : fill.output()) || !isa<BlockArgument>(fill.output()) ||
      !llvm::all_of(contraction.getDpsInputs(), llvm::IsaPred<BlockArgument>))
    return std::nullopt;
  Operation *terminator = kernel.getBody().front().getTerminator();
  if (onTensors &&
      (terminator->getNumOperands() != 1 || terminator->getOperand(0) != contraction->getResult(0)))
    return std::nullopt;
  // 3. A sum of products, whose loops stand as in matrices.
  auto element = [&](Value value) { return getElementTypeOrSelf(value); };
  if (!addsProduct(contraction->getRegion(0).front()) ||
      !supportsTypes(element(contraction->getOperand(0)), element(contraction->getOperand(1)),
                     element(start)))
    return std::nullopt;
  if (auto product = matchLoops(contraction, 0))
    return product;
  return matchLoops(contraction, 1);
}

std::optional<KernelSchedule> LibraryStrategy::plan(func::FuncOp kernel, const GPUChip &) const {
  if (!matchLibraryProduct(kernel))
    return std::nullopt;
  return KernelSchedule{name().str(), "production", {}, 1};
}

LogicalResult LibraryStrategy::verify(func::FuncOp kernel, const KernelSchedule &,
                                      const GPUChip &) const {
  if (matchLibraryProduct(kernel))
    return success();
  return kernel.emitError("expected a product of two matrices and nothing else for strategy "
                          "'library'");
}

FailureOr<LaunchShape> LibraryStrategy::lower(func::FuncOp kernel, const KernelSchedule &,
                                              const GPUChip &) const {
  return kernel.emitError("strategy 'library' has no device code: forge-call-library comes first");
}
