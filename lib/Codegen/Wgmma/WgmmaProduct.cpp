#include "WgmmaProduct.h"

#include "../RowKernels/RoundedUses.h"
#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

SmallVector<Value> WgmmaProduct::results() const {
  linalg::LinalgOp last = matrices().op;
  if (follow)
    last = cast<linalg::LinalgOp>(linalg::GenericOp(follow).getOperation());
  return last.getDpsInits();
}

std::optional<unsigned> WgmmaProduct::partOf(Value value) const {
  for (auto [number, part] : llvm::enumerate(parts))
    if (value == sumsOf(part.op))
      return number;
  return std::nullopt;
}

/// Whether `tanh` is only added to 1, in what is rounded to 16 bits, as in GELU: then an error of
/// 2^-22 beside that 1 is little more than f32's own.
static bool isBesideOne(math::TanhOp tanh) {
  return tanh.getType().isF32() && llvm::all_of(tanh->getUses(), [](OpOperand &use) {
           auto sum = dyn_cast<arith::AddFOp>(use.getOwner());
           return sum && matchPattern(sum->getOperand(1 - use.getOperandNumber()), m_OneFloat()) &&
                  endsRounded(sum);
         });
}

llvm::DenseSet<Operation *> WgmmaProduct::approximate() const {
  linalg::GenericOp op = follow;
  if (!op)
    return {};
  llvm::DenseSet<Operation *> found = roundedUses(op);
  for (math::TanhOp tanh : op.getBody()->getOps<math::TanhOp>())
    if (isBesideOne(tanh))
      found.insert(tanh);
  return found;
}

/// Sizes of dimensions from..to of a shape, multiplied; dynamic if one is.
static int64_t sizeOf(ArrayRef<int64_t> shape, int64_t from, int64_t to) {
  int64_t size = 1;
  for (int64_t dim : shape.slice(from, to - from)) {
    if (ShapedType::isDynamic(dim))
      return ShapedType::kDynamic;
    size *= dim;
  }
  return size;
}

WgmmaSizes::WgmmaSizes(const WgmmaProduct &product) {
  const LibraryProduct &matrices = product.matrices();
  ArrayRef<int64_t> out = cast<ShapedType>(product.results().front().getType()).getShape();
  ArrayRef<int64_t> lhs = cast<ShapedType>(product.left().getType()).getShape();
  int64_t batchDims = matrices.batchDims, rowDims = matrices.rowDims;
  batch = sizeOf(out, 0, batchDims);
  rows = sizeOf(out, batchDims, batchDims + rowDims);
  columns = sizeOf(out, batchDims + rowDims, out.size());
  int64_t sumDims = lhs.size() - batchDims - rowDims;
  int64_t sumAt = batchDims + (matrices.lhsTransposed ? 0 : rowDims);
  terms = sizeOf(lhs, sumAt, sumAt + sumDims);
}

/// Whether two products differ in nothing but the right factor and the result.
static bool isSameKind(const LibraryProduct &a, const LibraryProduct &b) {
  return a.left() == b.left() && a.right().getType() == b.right().getType() &&
         a.batchDims == b.batchDims && a.rowDims == b.rowDims && a.columnDims == b.columnDims &&
         a.lhsTransposed == b.lhsTransposed && a.rhsTransposed == b.rhsTransposed;
}

std::optional<WgmmaProduct> forge::matchWgmma(ArrayRef<linalg::LinalgOp> contractions,
                                              linalg::GenericOp follow) {
  // 1. Products of matrices from zeros, of one kind.
  WgmmaProduct product;
  product.follow = follow;
  SmallVector<Value> sums;
  for (linalg::LinalgOp contraction : contractions) {
    std::optional<LibraryProduct> part = matchProduct(contraction, linalg::GenericOp());
    if (!part || (!product.parts.empty() && !isSameKind(product.parts.front(), *part)))
      return std::nullopt;
    product.parts.push_back(*part);
    sums.push_back(sumsOf(contraction));
  }
  if (product.parts.empty() || product.parts.size() > 2)
    return std::nullopt;
  // 2. What follows sees one sum of each for each of its elements.
  if (follow ? !isElementwiseOn(follow, sums) : product.parts.size() > 1)
    return std::nullopt;
  return product;
}

std::optional<WgmmaProduct> forge::matchWgmmaKernel(func::FuncOp kernel) {
  std::optional<ProductKernel> parts = matchProductKernel(kernel);
  if (!parts)
    return std::nullopt;
  std::optional<WgmmaProduct> product = matchWgmma(parts->contractions, parts->follow);
  if (!product || !isPlainArgument(product->left()) ||
      !llvm::all_of(product->parts,
                    [](const LibraryProduct &part) { return isPlainArgument(part.right()); }))
    return std::nullopt;
  return product;
}

const char *forge::whyNotWgmma(const WgmmaProduct &product, const GPUChip &chip) {
  if (!chip.warpgroupProducts)
    return "a chip with products by warpgroups";
  Type in = getElementTypeOrSelf(product.left());
  if (!in.isBF16() && !in.isF16())
    return "factors of bf16 or f16";
  const LibraryProduct &matrices = product.matrices();
  if (matrices.rowDims == 0 || matrices.columnDims == 0)
    return "rows and columns";
  WgmmaSizes sizes(product);
  auto isEights = [](int64_t size) { return size > 0 && size % 8 == 0; };
  if (!isEights(sizes.columns) || !isEights(sizes.terms) ||
      (matrices.lhsTransposed && !isEights(sizes.rows)))
    return "rows of both factors and of the result of static multiples of 8 elements";
  auto isStored = [](Value result) {
    Type type = getElementTypeOrSelf(result);
    return type.isIntOrFloat() && llvm::is_contained({8, 16, 32, 64}, type.getIntOrFloatBitWidth());
  };
  if (!llvm::all_of(product.results(), isStored))
    return "results of 8, 16, 32 or 64 bits";
  return nullptr;
}
