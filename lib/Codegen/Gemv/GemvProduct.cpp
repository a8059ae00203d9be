#include "GemvProduct.h"

#include "GemvPrologue.h"
#include "MatrixPrologue.h"
#include "NibbleMatrix.h"

#include "../Library/LibraryProduct.h"
#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/MatrixUnit.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <numeric>

using namespace mlir;
using namespace forge;

/// Elements of the matrix that a thread computes together: those of a word of four bits each.
static constexpr int64_t kComputedLanes = 8;

/// Whether both factors are 8-bit floats, and their products may be added up in f32 or by less.
static bool isOfSmallFloats(linalg::LinalgOp contraction) {
  return isSumOfByteProducts(contraction) &&
         getElementTypeOrSelf(contraction->getOperand(2)).isF32();
}

/// The product of matrices; of factors of two types, with that of i8 on the right.
static std::optional<LibraryProduct> matchFactors(linalg::LinalgOp contraction) {
  if (isOfSmallFloats(contraction)) {
    // A matrix times a vector is a product with one row.
    std::optional<LibraryProduct> product = matchMatrices(contraction, /*lhs=*/0);
    return product && product->column ? product : matchMatrices(contraction, /*lhs=*/1);
  }
  if (!isSumOfNarrowProducts(contraction))
    return matchProduct(contraction, linalg::GenericOp());
  bool isFirstNarrow = getElementTypeOrSelf(contraction->getOperand(0)).isInteger(8);
  return matchMatrices(contraction, /*lhs=*/isFirstNarrow ? 1 : 0);
}

SmallVector<Value> GemvProduct::sums() const {
  return llvm::map_to_vector(matrices, [](const GemvMatrix &matrix) { return sumsOf(matrix.op); });
}

bool GemvProduct::settleColumns() {
  if (!byMatrixUnits)
    return true;
  for (int64_t count = kGemvMatrixHalf; count <= kMostGemvMatrixColumns; count *= 2)
    if (canHaveColumns(count))
      return true;
  byMatrixUnits = false;
  return rows <= kMostGemvRows && !(columnsInside && (placement || numMatrices() > 1));
}

Value GemvProduct::values() const {
  if (!follow)
    return sumsOf(op);
  return sumsOf(cast<linalg::LinalgOp>(linalg::GenericOp(follow).getOperation()));
}

/// Terms that four lanes have of a column of a matrix of nibbles: all with one scale, and 1, 2 or 4
/// words of each lane, an access at most.
static std::optional<int32_t> termsOfNibbles(const GemvMatrix &matrix, int64_t length) {
  std::optional<NibbleMatrix> nibbles = matchNibbles(matrix.prologue);
  if (!nibbles || nibbles->group < 1 || nibbles->group % kGemvMatrixTerms != 0 ||
      length % nibbles->group != 0)
    return std::nullopt;
  constexpr int64_t mostWords = kAccessBytes / 4;
  int64_t words = std::gcd(nibbles->group / kGemvMatrixTerms, mostWords);
  return static_cast<int32_t>(words * kGemvMatrixTerms);
}

/// Whether matrix instructions of warps multiply: each has 16 columns, 8 rows and terms of 16 bits.
/// With a matrix of nibbles they are worth it for a row, too: what unpacks two numbers at once
/// takes a third of the instructions.
static bool isForMatrixUnits(GemvProduct &gemv, const GPUChip &chip) {
  Type left = getElementTypeOrSelf(gemv.left());
  bool canBe = matrixUnitOf(chip) == MatrixUnit::Mma && (left.isBF16() || left.isF16()) &&
               getElementTypeOrSelf(sumsOf(gemv.op)).isF32() && gemv.columns >= 2 * kGemvMatrixHalf;
  if (!canBe)
    return false;
  const GemvMatrix &matrix = gemv.matrices.front();
  if (!gemv.isComputed())
    return gemv.rows > kFewGemvRows && getElementTypeOrSelf(matrix.value()) == left;
  std::optional<int32_t> terms = termsOfNibbles(matrix, gemv.length);
  gemv.matrixTerms = terms.value_or(kGemvMatrixTerms);
  return terms.has_value();
}

bool forge::isBeforeLibrary(const GemvProduct &product, const LibraryUse &use) {
  return product.rows <= use.gemvRows || (use.byCost && product.byMatrixUnits);
}

static std::optional<GemvProduct> matchOne(linalg::LinalgOp contraction, const GPUChip &chip) {
  // 1. A product of matrices from zeros, without batch, of known sizes; both factors are
  // contiguous,
  //    rows behind each other, terms side by side.
  std::optional<LibraryProduct> product = matchFactors(contraction);
  if (!product || product->batch || !product->term)
    return std::nullopt;
  GemvProduct gemv;
  gemv.op = contraction;
  gemv.lhs = product->lhs;
  GemvMatrix matrix{contraction, product->rhs, linalg::GenericOp()};
  auto left = cast<ShapedType>(gemv.left().getType());
  auto right = cast<ShapedType>(matrix.value().getType());
  std::optional<unsigned> inside = product->axes.right.innermost();
  if (!left.hasStaticShape() || !right.hasStaticShape() ||
      product->axes.left.innermost() != product->term ||
      (inside != product->term && (!inside || inside != product->column)))
    return std::nullopt;
  gemv.columnsInside = inside != product->term;
  int64_t bits = right.getElementTypeBitWidth();
  if (gemv.columnsInside && (left.getElementType() != right.getElementType() || bits == 8))
    return std::nullopt;
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product->axes.axes[*axis].size : 1;
  };
  gemv.rows = sizeOf(product->row);
  gemv.length = sizeOf(product->term);
  gemv.columns = sizeOf(product->column);
  // A part of a tensor may begin at any address.
  if (product->axes.left.view.root != gemv.left() ||
      product->axes.right.view.root != matrix.value())
    return std::nullopt;
  // 2. Few rows, and accesses of 16 bytes for the lanes of a warp; of w with the columns inside,
  //    runs of rows.
  if (!gemv.columnsInside)
    matrix.prologue = matrixPrologueOf(matrix.value());
  gemv.vector = matrix.prologue ? kComputedLanes : kAccessBytes * 8 / bits;
  gemv.matrices.push_back(matrix);
  gemv.byMatrixUnits = isForMatrixUnits(gemv, chip);
  int64_t most = gemv.byMatrixUnits ? kMostGemvRowsByMatrixUnits : kMostGemvRows;
  if (gemv.rows < 1 || gemv.rows > most || gemv.columns < 1 || gemv.length % gemv.vector != 0)
    return std::nullopt;
  if (gemv.columnsInside && gemv.columns % gemv.vector != 0)
    return std::nullopt;
  if (gemv.accesses() < chip.warpSize)
    return std::nullopt;
  return gemv;
}

/// Whether `other` is a product of the same left factor with another matrix like that of `gemv`.
static bool areAlike(const GemvProduct &gemv, const GemvProduct &other) {
  auto isSameType = [](Value a, Value b) { return a.getType() == b.getType(); };
  return other.left() == gemv.left() && other.vector == gemv.vector &&
         other.byMatrixUnits == gemv.byMatrixUnits && other.matrixTerms == gemv.matrixTerms &&
         other.columnsInside == gemv.columnsInside && !gemv.isByThreadsInside() &&
         isSameType(other.matrices[0].value(), gemv.matrices[0].value()) &&
         isSameType(sumsOf(other.op), sumsOf(gemv.op));
}

std::optional<GemvProduct> forge::matchGemv(ArrayRef<linalg::LinalgOp> contractions,
                                            linalg::GenericOp follow, const GPUChip &chip) {
  std::optional<GemvProduct> gemv = matchOne(contractions.front(), chip);
  for (linalg::LinalgOp contraction : contractions.drop_front()) {
    std::optional<GemvProduct> other = matchOne(contraction, chip);
    if (!gemv || !other || !follow || !areAlike(*gemv, *other))
      return std::nullopt;
    gemv->matrices.push_back(other->matrices.front());
  }
  // What follows sees one of each sum for each of its elements.
  if (!gemv || (follow && !isElementwiseOn(follow, gemv->sums())))
    return std::nullopt;
  gemv->follow = follow;
  return gemv->settleColumns() ? gemv : std::nullopt;
}

std::optional<GemvProduct> forge::matchGemvCluster(linalg::LinalgOp contraction,
                                                   const GPUChip &chip) {
  if (!contraction.hasPureTensorSemantics() || contraction->getNumResults() != 1)
    return std::nullopt;
  std::optional<ProductCluster> cluster = clusterOf(contraction);
  if (!cluster)
    return std::nullopt;
  std::optional<GemvProduct> product = matchGemv(cluster->contractions, cluster->follow, chip);
  // Clusters of other strategies are not touched.
  if (contraction->hasAttr(kClusterAttr) && !cluster->follow && !(product && product->isComputed()))
    return std::nullopt;
  return product;
}

/// The temporaries, or the tensors, that `op` computes.
static SmallVector<Value> resultsOf(linalg::LinalgOp op) {
  if (op.hasPureTensorSemantics())
    return op->getResults();
  return llvm::to_vector(op.getDpsInits());
}

/// Whether the last of `ops` computes the left factor of `product`, and only they and it see what
/// they compute; those who call the kernel may, too.
static bool isPrologue(ArrayRef<Operation *> ops, const GemvProduct &product) {
  if (resultsOf(cast<linalg::LinalgOp>(ops.back())) != ArrayRef{product.left()})
    return false;
  auto isForThem = [&](Value result) {
    bool isOwn = isa<OpResult>(result) &&
                 (isa<TensorType>(result.getType()) || result.getDefiningOp<memref::AllocOp>());
    return (isOwn || isPlainArgument(result)) &&
           llvm::all_of(result.getUses(), [&](OpOperand &use) {
             Operation *user = use.getOwner();
             bool isLeft = llvm::any_of(product.matrices, [&](const GemvMatrix &matrix) {
               return user == matrix.op.getOperation() && use.getOperandNumber() != matrix.operand;
             });
             return isLeft ? result == product.left()
                           : llvm::is_contained(ops, user) || isa<memref::DeallocOp>(user) ||
                                 isa<func::ReturnOp>(user);
           });
  };
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(resultsOf(cast<linalg::LinalgOp>(op)), isForThem);
  });
}

std::optional<GemvProduct> forge::matchGemvKernel(func::FuncOp kernel, const GPUChip &chip) {
  SmallVector<Operation *> prologue;
  std::optional<ProductKernel> parts = matchProductKernel(kernel, &prologue);
  if (!parts)
    return std::nullopt;
  std::optional<GemvProduct> gemv = matchGemv(parts->contractions, parts->follow, chip);
  if (!gemv)
    return std::nullopt;
  if (parts->placing) {
    std::string why;
    if (!gemv->isByThreadsInside())
      gemv->placement =
          matchPlacement(parts->placing, gemv->values(), gemv->rows, gemv->columns, why);
    if (!gemv->placement || !gemv->settleColumns())
      return std::nullopt;
  }
  for (const GemvMatrix &matrix : gemv->matrices) {
    llvm::erase(prologue, matrix.prologue.getOperation());
    if (matrix.prologue ? !readsArguments(matrix.prologue) : !isPlainArgument(matrix.value()))
      return std::nullopt;
  }
  if (prologue.empty())
    return isPlainArgument(gemv->left()) ? gemv : std::nullopt;
  bool onTensors = gemv->op.hasPureTensorSemantics();
  if (!isPrologue(prologue, *gemv) || (onTensors && !hasRowsOfFactor(*gemv, prologue)))
    return std::nullopt;
  gemv->prologue = std::move(prologue);
  return gemv;
}

std::optional<int64_t> forge::elementsRead(ArrayRef<Operation *> members) {
  llvm::SmallDenseSet<Value> seen;
  int64_t elements = 0;
  for (Operation *member : members) {
    auto op = dyn_cast<linalg::GenericOp>(member);
    if (!op)
      continue;
    for (Value input : op.getDpsInputs()) {
      auto type = dyn_cast<ShapedType>(input.getType());
      if (!type || llvm::is_contained(members, input.getDefiningOp()) || !seen.insert(input).second)
        continue;
      if (!type.hasStaticShape())
        return std::nullopt;
      elements += type.getNumElements();
    }
  }
  return elements;
}
