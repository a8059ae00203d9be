#include "NarrowWindows.h"
#include "SplitFactors.h"

#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_FOLDWINDOWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fold-windows"

using namespace mlir;

namespace {
/// A product whose left factor, [rows, terms], is the patches that windows cut from `image`.
struct PatchProduct {
  linalg::MatmulOp product;
  /// Patches with dimensions of rows, then of terms.
  linalg::GenericOp patches;
  unsigned rows;

  Value image() const { return linalg::GenericOp(patches).getInputs().front(); }
};
} // namespace

static Value kernelOf(const PatchProduct &match) {
  return linalg::MatmulOp(match.product).getInputs()[1];
}

/// Whether `op` copies its one input, which it reads at other places than its loops: its windows.
static bool cutsPatches(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasDynamicShape())
    return false;
  auto yielded = dyn_cast<BlockArgument>(op.getBody()->getTerminator()->getOperand(0));
  return yielded && yielded.getArgNumber() == 0 && op.getIndexingMapsArray()[1].isIdentity() &&
         !op.getIndexingMapsArray()[0].isProjectedPermutation();
}

static std::optional<PatchProduct> match(linalg::MatmulOp product) {
  if (!product.hasPureTensorSemantics() || product->hasAttr(forge::kClusterAttr) ||
      !forge::isSumOfProducts(cast<linalg::LinalgOp>(product.getOperation())))
    return std::nullopt;
  auto matrix = product.getInputs()[0].getDefiningOp<tensor::CollapseShapeOp>();
  auto patches = matrix ? matrix.getSrc().getDefiningOp<linalg::GenericOp>() : linalg::GenericOp();
  if (!patches || !cutsPatches(patches))
    return std::nullopt;
  return PatchProduct{product, patches,
                      static_cast<unsigned>(matrix.getReassociationIndices()[0].size())};
}

/// The contraction of loops [rows, columns, terms] that reads the image itself, and the kernel
/// `matrix` as [terms, columns], or as [columns, terms] where it is `transposed`.
static linalg::GenericOp readWindows(OpBuilder &builder, const PatchProduct &match, Value matrix,
                                     bool transposed) {
  linalg::MatmulOp product = match.product;
  linalg::GenericOp patches = match.patches;
  Location loc = product.getLoc();
  MLIRContext *context = builder.getContext();
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(patches->getResult(0).getType()).getShape();
  auto kernelType = cast<RankedTensorType>(matrix.getType());
  auto sums = cast<RankedTensorType>(product->getResult(0).getType());
  // 1. Factors: of the patches' loops those of terms come after the columns' loop.
  unsigned rows = match.rows, loops = sizes.size() + 1;
  SmallVector<AffineExpr> moved, kernelExprs, outExprs;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    moved.push_back(getAffineDimExpr(loop < rows ? loop : loop + 1, context));
    (loop < rows ? outExprs : kernelExprs).push_back(moved.back());
  }
  kernelExprs.insert(transposed ? kernelExprs.begin() : kernelExprs.end(),
                     getAffineDimExpr(rows, context));
  outExprs.push_back(getAffineDimExpr(rows, context));
  AffineMap image = patches.getIndexingMapsArray()[0].replaceDimsAndSymbols(moved, {}, loops, 0);
  SmallVector<AffineMap> maps = {image, AffineMap::get(loops, 0, kernelExprs, context),
                                 AffineMap::get(loops, 0, outExprs, context)};
  int64_t columns = kernelType.getDimSize(1);
  SmallVector<int64_t> kernelShape(sizes.drop_front(rows)), outShape(sizes.take_front(rows));
  kernelShape.insert(transposed ? kernelShape.begin() : kernelShape.end(), columns);
  outShape.push_back(columns);
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim < static_cast<int64_t>(kernelShape.size()); ++dim)
    groups[dim >= (transposed ? 1 : static_cast<int64_t>(kernelShape.size()) - 1)].push_back(dim);
  if (transposed) {
    Value init = tensor::EmptyOp::create(builder, loc, {columns, kernelType.getDimSize(0)},
                                         kernelType.getElementType());
    matrix = linalg::TransposeOp::create(builder, loc, matrix, init, ArrayRef<int64_t>{1, 0})
                 ->getResult(0);
  }
  Value kernel =
      tensor::ExpandShapeOp::create(builder, loc, kernelType.clone(kernelShape), matrix, groups);
  // 2. Sums from zeros.
  Value empty = tensor::EmptyOp::create(builder, loc, outShape, sums.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sums.getElementType()));
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<utils::IteratorType> iterators(rows + 1, utils::IteratorType::parallel);
  iterators.resize(loops, utils::IteratorType::reduction);
  auto contraction = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange{match.image(), kernel}, init, maps, iterators);
  IRMapping mapping;
  product->getRegion(0).cloneInto(&contraction.getRegion(), mapping);
  return contraction;
}

/// Erases `op`, and what it reads that nothing else does.
static void eraseChain(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    if (Operation *made = operand.getDefiningOp();
        made && made->use_empty() && isMemoryEffectFree(made))
      eraseChain(made);
}

/// The contraction that reads windows, if matrix units of `chip` take it; else null. They step over
/// a kernel by 16 bytes, along its terms where it has few columns.
static linalg::GenericOp readWindows(OpBuilder &builder, const PatchProduct &match,
                                     const forge::GPUChip &chip) {
  for (bool transposed : {false, true}) {
    linalg::GenericOp contraction = readWindows(builder, match, kernelOf(match), transposed);
    std::optional<forge::WgmmaProduct> windows =
        forge::matchWgmma(cast<linalg::LinalgOp>(contraction.getOperation()), linalg::GenericOp());
    if ((windows && forge::takesProduct(*windows, chip)) ||
        forge::FactorSplitter(chip).isWorth(cast<linalg::LinalgOp>(contraction.getOperation())))
      return contraction;
    eraseChain(contraction);
  }
  return {};
}

/// The sums of products of windows by threads of `chip`, with the shape of those by matrix units,
/// where that takes less time than patches; else null.
static Value sumByThreads(const PatchProduct &match, const forge::GPUChip &chip) {
  IRRewriter rewriter(linalg::MatmulOp(match.product));
  linalg::GenericOp contraction =
      readWindows(rewriter, match, forge::withoutPadding(kernelOf(match)), /*transposed=*/false);
  Value sums = contraction->getResult(0);
  if (Value dropped = forge::dropUnitLoops(rewriter, contraction)) {
    sums = dropped;
    // Where the result has such dimensions, it is reshaped.
    auto expand = sums.getDefiningOp<tensor::ExpandShapeOp>();
    contraction = (expand ? expand.getSrc() : sums).getDefiningOp<linalg::GenericOp>();
  }
  if (forge::beatsPatches(contraction, chip)) {
    forge::allowReassociation(contraction);
    return sums;
  }
  eraseChain(sums.getDefiningOp());
  return {};
}

/// Neighbours in memory, and places of a row, from which on the CPU's tiles are filled.
static constexpr int64_t kLeastWindowTerms = 32, kLeastPlaces = 12;
/// The columns for each place of a row from which on reading the kernel again costs more than
/// writing and reading patches: once for each row from the second cache, for 2 bytes of patches
/// from memory that are as many as all rows.
static constexpr int64_t kMostColumns = 8;

/// Whether the CPU should read windows of `match` where they are.
static bool isWorthOnHost(const PatchProduct &match) {
  linalg::MatmulOp product = match.product;
  linalg::GenericOp patches = match.patches;
  auto image = cast<RankedTensorType>(match.image().getType());
  auto sums = cast<RankedTensorType>(product->getResult(0).getType());
  if (image.getElementType() != sums.getElementType() || sums.isDynamicDim(1))
    return false;
  // 1. The last terms, as long as they are neighbours in the image.
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(patches->getResult(0).getType()).getShape();
  AffineMap map = patches.getIndexingMapsArray()[0];
  SmallVector<int64_t> strides(image.getRank(), 1);
  for (int64_t dim = image.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * image.getDimSize(dim);
  int64_t terms = 1;
  for (unsigned loop = sizes.size(); loop-- > match.rows;) {
    int64_t stride = 0;
    for (auto [index, step] : llvm::zip_equal(map.getResults(), strides))
      stride += forge::factorOf(index, loop).value_or(0) * step;
    if (stride != terms && sizes[loop] != 1)
      break;
    terms *= sizes[loop];
  }
  // 2. Rows of places.
  int64_t places = sizes[match.rows - 1];
  return terms >= kLeastWindowTerms && places >= kLeastPlaces &&
         sums.getDimSize(1) <= kMostColumns * places;
}

/// Gives `sums`, of `rows` dimensions of rows, to whoever reads `product`: reshapes that undo its
/// joining of rows go.
static void replaceProduct(OpBuilder &builder, linalg::MatmulOp product, Value sums,
                           unsigned rows) {
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim < static_cast<int64_t>(rows); ++dim)
    groups[0].push_back(dim);
  groups[1].push_back(rows);
  Value matrix = product->getResult(0);
  for (Operation *user : llvm::make_early_inc_range(matrix.getUsers()))
    if (isa<tensor::ExpandShapeOp>(user) && user->getResult(0).getType() == sums.getType()) {
      user->getResult(0).replaceAllUsesWith(sums);
      user->erase();
    }
  if (!matrix.use_empty())
    matrix.replaceAllUsesWith(
        tensor::CollapseShapeOp::create(builder, product.getLoc(), sums, groups));
  product->erase();
}

namespace {
struct FoldWindowsPass : public forge::impl::FoldWindowsPassBase<FoldWindowsPass> {
  using FoldWindowsPassBase::FoldWindowsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip && !chipName.empty()) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    SmallVector<PatchProduct> found;
    getOperation().walk([&](linalg::MatmulOp product) {
      if (std::optional<PatchProduct> patches = match(product))
        found.push_back(*patches);
    });
    bool isReshaped = false;
    for (const PatchProduct &patches : found) {
      linalg::MatmulOp product = patches.product;
      OpBuilder builder(product);
      if (linalg::GenericOp contraction =
              chip ? readWindows(builder, patches, *chip)
              : isWorthOnHost(patches)
                  ? readWindows(builder, patches, kernelOf(patches), /*transposed=*/false)
                  : linalg::GenericOp())
        fold(patches, contraction->getResult(0));
      else if (Value sums = chip ? sumByThreads(patches, *chip) : Value()) {
        fold(patches, sums);
        isReshaped = true;
      }
    }
    if (isReshaped)
      forge::foldReshapes(getOperation());
  }

  static void fold(const PatchProduct &patches, Value sums) {
    linalg::MatmulOp product = patches.product;
    linalg::GenericOp cut = patches.patches;
    OpBuilder builder(product);
    Operation *matrix = product.getInputs()[0].getDefiningOp();
    replaceProduct(builder, product, sums, patches.rows);
    for (Operation *op : {matrix, cut.getOperation()})
      if (op->use_empty())
        op->erase();
  }
};
} // namespace
