#include "LibraryProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// Whether `operand` is a batch of matrices: of its rows and columns one is side by side in memory.
static bool isMatrix(const ProductOperand &operand, std::optional<unsigned> row,
                     std::optional<unsigned> column) {
  auto isOne = [&](std::optional<unsigned> axis) {
    return !axis || operand.placeOf(*axis)->stride.isOne();
  };
  return !operand.view.dependsOnElements() && (isOne(row) || isOne(column));
}

/// The fewest multiplications of one matrix of several that a factor is the same for: smaller ones
/// are better off as rows or columns of one product, which copies make.
static constexpr int64_t kLeastOfShared = int64_t(1) << 20;

/// Makes the outer of axis `second` and the other axis with its role, rows or columns that memory
/// does not join, the batch, for whose matrices the other factor is the same.
static LogicalResult shareFactor(LibraryProduct &product, unsigned second) {
  AxisRole role = product.axes.axes[second].role;
  if (product.batch || (role != AxisRole::Row && role != AxisRole::Column))
    return failure();
  std::optional<unsigned> &first = role == AxisRole::Row ? product.row : product.column;
  const ProductOperand &factor = role == AxisRole::Row ? product.axes.left : product.axes.right;
  bool isOuter = factor.placeOf(second) < factor.placeOf(*first);
  product.batch = isOuter ? second : *first;
  if (!isOuter)
    first = second;
  int64_t multiplications = 1;
  for (std::optional<unsigned> axis : {product.row, product.column, product.term}) {
    int64_t size = axis ? product.axes.axes[*axis].size : 1;
    if (ShapedType::isDynamic(size))
      return failure();
    multiplications = llvm::SaturatingMultiply<uint64_t>(multiplications, size);
  }
  return success(multiplications >= kLeastOfShared);
}

/// The product with operand `lhs` on the left, if its axes are those of matrices.
static std::optional<LibraryProduct> matchAxes(linalg::LinalgOp op, unsigned lhs) {
  std::optional<ProductAxes> axes = axesOf(op, lhs);
  if (!axes || axes->left.hasWindows() || axes->right.hasWindows())
    return std::nullopt;
  LibraryProduct product;
  product.op = op;
  product.lhs = lhs;
  product.rhs = 1 - lhs;
  product.axes = std::move(*axes);
  std::optional<unsigned> *places[] = {&product.batch, &product.row, &product.column,
                                       &product.term};
  std::optional<unsigned> second;
  for (auto [number, axis] : llvm::enumerate(product.axes.axes)) {
    std::optional<unsigned> &place = *places[static_cast<unsigned>(axis.role)];
    if (place && second)
      return std::nullopt;
    (place ? second : place) = number;
  }
  if (second && failed(shareFactor(product, *second)))
    return std::nullopt;
  const ProductOperand &out = product.axes.out;
  if (!isMatrix(product.axes.left, product.row, product.term) ||
      !isMatrix(product.axes.right, product.term, product.column) ||
      (product.column && !out.placeOf(*product.column)->stride.isOne()))
    return std::nullopt;
  return product;
}

std::optional<LibraryProduct> forge::matchProduct(linalg::LinalgOp contraction,
                                                  linalg::GenericOp follow) {
  // 1. A sum of products, from zeros.
  if (!isSumOfProducts(contraction))
    return std::nullopt;
  auto element = [](Value value) { return getElementTypeOrSelf(value); };
  // 2. Its axes are those of matrices. A product of a matrix and a vector is one with one row, not
  //    with one column: the bias, one element for each column, has to find them.
  Value sums = contraction.hasPureTensorSemantics() ? Value(contraction->getResult(0))
                                                    : contraction.getDpsInits()[0];
  std::optional<LibraryProduct> found;
  for (unsigned lhs : {0u, 1u}) {
    std::optional<LibraryProduct> product = matchAxes(contraction, lhs);
    if (!product || (found && !product->column))
      continue;
    if (follow) {
      SmallVector<unsigned> columnDims;
      if (product->column)
        columnDims =
            llvm::to_vector_of<unsigned>(product->axes.out.placeOf(*product->column)->dims);
      std::optional<LibraryEpilogue> epilogue = matchEpilogue(follow, sums, columnDims);
      if (!epilogue)
        continue;
      // 3. Rounded to the type of the inputs, or not at all.
      Type out = element(follow.getDpsInits().front());
      if (out != element(sums) && out != element(product->left()))
        continue;
      product->follow = follow;
      product->epilogue = *epilogue;
    }
    if (!found || !found->column)
      found = product;
  }
  return found;
}

std::optional<LibraryProduct> forge::matchMatrices(linalg::LinalgOp contraction, unsigned lhs) {
  return matchAxes(contraction, lhs);
}

std::optional<LibraryProduct> forge::matchLibraryProduct(func::FuncOp kernel) {
  // 1. A fill, a contraction, perhaps an elementwise operation, and nothing else that computes.
  linalg::FillOp fill;
  linalg::LinalgOp contraction;
  linalg::GenericOp follow;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>() ||
        isa<tensor::EmptyOp, tensor::DimOp, tensor::ExtractSliceOp, memref::AllocOp,
            memref::DeallocOp, memref::DimOp, memref::SubViewOp>(op) ||
        isa<arith::ArithDialect>(op.getDialect()))
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
  for (Value value : {product->axes.left.view.root, product->axes.right.view.root, out})
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
