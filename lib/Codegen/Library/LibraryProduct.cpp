#include "LibraryProduct.h"

#include "forge/Codegen/Contraction.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

std::optional<SmallVector<unsigned>> forge::loopsOf(AffineMap map) {
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
  LibraryProduct product;
  product.op = op;
  product.lhs = lhs;
  product.rhs = 1 - lhs;
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

/// The fill with zeros that `value` is, or, on buffers, that last wrote it before `op`.
static linalg::FillOp zeroFillOf(Value value, Operation *op) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  for (Operation *before = op->getPrevNode(); !fill && before; before = before->getPrevNode())
    if (auto other = dyn_cast<linalg::FillOp>(before))
      if (other.hasPureBufferSemantics() && other.output() == value)
        fill = other;
  return fill && matchPattern(fill.value(), m_AnyZeroFloat()) ? fill : linalg::FillOp();
}

std::optional<LibraryProduct> forge::matchProduct(linalg::LinalgOp contraction,
                                                  linalg::GenericOp follow) {
  // 1. A sum of products, from zeros.
  if (contraction.getNumDpsInputs() != 2 || contraction.getNumDpsInits() != 1 ||
      contraction->getNumRegions() != 1 || !addsProduct(contraction->getRegion(0).front()) ||
      !zeroFillOf(contraction.getDpsInits()[0], contraction))
    return std::nullopt;
  auto element = [](Value value) { return getElementTypeOrSelf(value); };
  if (!areProductTypes(element(contraction->getOperand(0)), element(contraction->getOperand(1)),
                       element(contraction->getOperand(2))))
    return std::nullopt;
  // 2. Its loops stand as in matrices. A product of a matrix and a vector is one with one row, not
  //    with one column: the bias, one element for each column, has to find them.
  Value sums = contraction.hasPureTensorSemantics() ? Value(contraction->getResult(0))
                                                    : contraction.getDpsInits()[0];
  std::optional<LibraryProduct> found;
  for (unsigned lhs : {0u, 1u}) {
    std::optional<LibraryProduct> product = matchLoops(contraction, lhs);
    if (!product || (found && product->columnDims == 0))
      continue;
    if (follow) {
      std::optional<LibraryEpilogue> epilogue = matchEpilogue(follow, sums, product->columnDims);
      if (!epilogue)
        continue;
      // 3. Rounded to the type of the inputs, or not at all.
      Type out = element(follow.getDpsInits().front());
      if (out != element(sums) && out != element(product->left()))
        continue;
      product->follow = follow;
      product->epilogue = *epilogue;
    }
    if (!found || found->columnDims == 0)
      found = product;
  }
  return found;
}

std::optional<LibraryProduct> forge::matchLibraryProduct(func::FuncOp kernel) {
  // 1. A fill, a contraction, perhaps an elementwise operation, and nothing else that computes.
  linalg::FillOp fill;
  linalg::LinalgOp contraction;
  linalg::GenericOp follow;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>() ||
        isa<tensor::EmptyOp, tensor::DimOp, memref::AllocOp, memref::DeallocOp, memref::DimOp>(op))
      continue;
    if (!fill && isa<linalg::FillOp>(op))
      fill = cast<linalg::FillOp>(op);
    else if (fill && !contraction && isa<linalg::LinalgOp>(op))
      contraction = cast<linalg::LinalgOp>(op);
    else if (contraction && !follow && isa<linalg::GenericOp>(op))
      follow = cast<linalg::GenericOp>(op);
    else
      return std::nullopt;
  }
  if (!contraction)
    return std::nullopt;
  std::optional<LibraryProduct> product = matchProduct(contraction, follow);
  if (!product)
    return std::nullopt;
  // 2. From the kernel's arguments into its one result.
  Operation *last = follow ? follow.getOperation() : contraction.getOperation();
  Operation *terminator = kernel.getBody().front().getTerminator();
  if (last->getNumResults() > 0 &&
      (terminator->getNumOperands() != 1 || terminator->getOperand(0) != last->getResult(0)))
    return std::nullopt;
  Value out = follow ? product->out() : fill.output();
  for (Value value : {product->left(), product->right(), out})
    if (!isa<BlockArgument>(value))
      return std::nullopt;
  for (Value value : {product->epilogue.bias, product->epilogue.residual})
    if (value && !isa<BlockArgument>(value))
      return std::nullopt;
  return product;
}

bool forge::mayHave(const LibraryProduct &product, int64_t least) {
  double multiplications = 1;
  for (int64_t size : linalg::LinalgOp(product.op).getStaticLoopRanges()) {
    if (ShapedType::isDynamic(size))
      return true;
    multiplications *= static_cast<double>(size);
  }
  return multiplications >= static_cast<double>(least);
}
