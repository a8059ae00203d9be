// 0. A padded factor that gets dimensions of one element is one whose source gets them.
// 1. Products, with what is in their clusters, that strategy wgmma computes of the sources of
//    padded factors.
// 2. Paddings that nothing but such products reads; each of these gets one of its own.
#include "JoinPaddings.h"

#include "LibraryProduct.h"

#include "../Gemv/GemvProduct.h"
#include "../Strategy/FactorPadding.h"
#include "../Strategy/ProductFollow.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

namespace {
struct PaddedProduct {
  SmallVector<linalg::LinalgOp, 2> contractions;
  SmallVector<linalg::GenericOp, 2> paddings;

  bool has(Operation *contraction) const { return llvm::is_contained(contractions, contraction); }
};
} // namespace

/// What a kernel that writes a padded factor takes besides the bytes of its memory (as pieces of
/// factors, SplitFactors.cpp).
static constexpr double kSecondsOfPadding = 2e-6;

static double secondsOf(const FactorPadding &padding, const GPUChip &chip) {
  int64_t elements = 1, written = 1;
  for (auto [inside, whole] : llvm::zip_equal(padding.inside, padding.shape)) {
    elements = saturatingMul(elements, inside);
    written = saturatingMul(written, whole);
  }
  linalg::GenericOp op = padding.op;
  int64_t bytes = getElementTypeOrSelf(op.getDpsInits()[0]).getIntOrFloatBitWidth() / 8;
  return kSecondsOfPadding +
         static_cast<double>(saturatingMul(saturatingAdd(elements, written), bytes)) /
             chip.copyBandwidth;
}

/// Multiplications with terms that are not there, up to whole stages, take as long as others.
static std::optional<double> secondsOf(const WgmmaProduct &product, const GPUChip &chip) {
  std::optional<double> seconds = secondsOfTiles(product, chip);
  int64_t terms = WgmmaSizes(product).stagedTerms;
  if (!seconds || ShapedType::isDynamic(terms) || terms == 0)
    return std::nullopt;
  int64_t made = llvm::alignTo(terms, planWgmma(product, chip).terms);
  return *seconds * static_cast<double>(made) / static_cast<double>(terms);
}

/// The readers of what `op` computes.
static SmallVector<Operation *> readersOf(linalg::GenericOp op) {
  return llvm::to_vector(op->getResult(0).getUsers());
}

/// The product that `contraction` is the first of, if it is better without padded factors in
/// memory.
static std::optional<PaddedProduct> paddedProductOf(linalg::LinalgOp contraction,
                                                    const GPUChip &chip, const LibraryUse &use) {
  bool hasPadded = llvm::any_of(contraction.getDpsInputs(),
                                [](Value factor) { return paddingOf(factor).has_value(); });
  std::optional<ProductCluster> cluster = hasPadded ? clusterOf(contraction) : std::nullopt;
  if (!cluster)
    return std::nullopt;
  auto match = [&](Paddings paddings) {
    auto product = matchWgmma(cluster->contractions, cluster->follow, paddings);
    return product && takesProduct(*product, chip) ? std::move(product) : std::nullopt;
  };
  std::optional<WgmmaProduct> inMemory = match(Paddings::InMemory),
                              through = match(Paddings::ReadThrough);
  if (!inMemory || !through || through->paddings().empty())
    return std::nullopt;
  // Others read the padded factor.
  if (auto gemv = matchGemvCluster(contraction, chip); gemv && isBeforeLibrary(*gemv, use))
    return std::nullopt;
  auto library = matchProduct(contraction, linalg::GenericOp());
  if (library && use.isAsked() && mayHave(*library, use.least))
    return std::nullopt;
  std::optional<double> before = secondsOf(*inMemory, chip), after = secondsOf(*through, chip);
  if (!before || !after)
    return std::nullopt;
  for (linalg::GenericOp op : through->paddings())
    *before += secondsOf(*paddingOf(op), chip) / static_cast<double>(readersOf(op).size());
  if (*after > *before)
    return std::nullopt;
  return PaddedProduct{std::move(cluster->contractions), through->paddings()};
}

/// Whether nothing but `products` reads what `op` computes, each through its padding and where it
/// could be computed.
static bool isOnlyReadThrough(linalg::GenericOp op, ArrayRef<PaddedProduct> products) {
  return !op->hasAttr(kClusterAttr) && llvm::all_of(readersOf(op), [&](Operation *reader) {
    return reader->getBlock() == op->getBlock() && !wouldReadOverwritten(op, reader) &&
           llvm::any_of(products, [&](const PaddedProduct &product) {
             return product.has(reader) && llvm::is_contained(product.paddings, op);
           });
  });
}

static void join(linalg::GenericOp op, const PaddedProduct &product, int64_t &next) {
  linalg::LinalgOp first = product.contractions.front();
  Attribute cluster = first->getAttr(kClusterAttr);
  if (!cluster)
    cluster = StringAttr::get(op.getContext(), "product" + std::to_string(next++));
  OpBuilder builder(first);
  Operation *own = builder.clone(*op);
  own->setAttr(kClusterAttr, cluster);
  for (linalg::LinalgOp contraction : product.contractions) {
    contraction->setAttr(kClusterAttr, cluster);
    contraction->replaceUsesOfWith(op.getResult(0), own->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Dimensions of one element

/// The shape `shape` of a tensor that `expand`, of another one, adds dimensions of one element to,
/// with these; nothing if it divides a dimension. `kept`: where the dimensions are.
static std::optional<SmallVector<int64_t>> expandedShape(tensor::ExpandShapeOp expand,
                                                         ArrayRef<int64_t> shape,
                                                         SmallVectorImpl<int64_t> &kept) {
  ArrayRef<int64_t> sizes = expand.getResultType().getShape();
  SmallVector<int64_t> expanded(sizes.size(), 1);
  for (auto [group, size] : llvm::zip_equal(expand.getReassociationIndices(), shape)) {
    auto isLong = [&](int64_t dim) { return sizes[dim] != 1; };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    const auto *found = llvm::find_if(group, isLong);
    kept.push_back(found == group.end() ? group.front() : *found);
    expanded[kept.back()] = size;
  }
  return expanded;
}

namespace {
/// A padded factor made with dimensions of one element, instead of `before`.
struct ExpandedPadding {
  tensor::ExpandShapeOp before;
  linalg::GenericOp made;
};
} // namespace

/// What reads `expand` reads a padding of as many dimensions, if nothing else reads what it
/// expands.
static std::optional<ExpandedPadding> expandPadding(tensor::ExpandShapeOp expand) {
  auto op = expand.getSrc().getDefiningOp<linalg::GenericOp>();
  std::optional<FactorPadding> padding =
      op && op->hasOneUse() && !op->hasAttr(kClusterAttr) ? paddingWithUnitsOf(op) : std::nullopt;
  bool areSums = llvm::all_of(expand->getUsers(), [](Operation *user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    return reader && reader.getNumReductionLoops() > 0;
  });
  SmallVector<int64_t> kept;
  // An expanded slice would be copied.
  std::optional<SmallVector<int64_t>> inside =
      padding && areSums && !padding->source.getDefiningOp<tensor::ExtractSliceOp>()
          ? expandedShape(expand, padding->inside, kept)
          : std::nullopt;
  if (!inside)
    return std::nullopt;
  OpBuilder builder(expand);
  SmallVector<int64_t> low(inside->size(), 0);
  for (auto [dim, zeros] : llvm::zip_equal(kept, padding->low))
    low[dim] = zeros;
  auto from = cast<RankedTensorType>(padding->source.getType());
  RankedTensorType type = from.clone(*inside);
  Value source = padding->source;
  auto collapsed = source.getDefiningOp<tensor::CollapseShapeOp>();
  if (collapsed && collapsed.getSrcType() == type)
    source = collapsed.getSrc();
  else if (from != type && from.getShape() == ArrayRef(padding->inside))
    source = tensor::ExpandShapeOp::create(builder, expand.getLoc(), type, source,
                                           expand.getReassociationIndices());
  else if (from != type)
    return std::nullopt;
  ExpandedPadding expanded{expand, makePadding(builder, op.getLoc(), source, low,
                                               expand.getResultType().getShape())};
  expand->replaceAllUsesWith(expanded.made->getResults());
  return expanded;
}

static void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->use_empty() || !isMemoryEffectFree(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  llvm::for_each(operands, eraseUnused);
}

/// Where the new padding is in no product's kernel, the one before is read again.
static void settle(ExpandedPadding expanded) {
  expanded.made->replaceAllUsesWith(expanded.before);
  SmallVector<Value> operands;
  expanded.made->walk([&](tensor::ExtractOp extract) { operands.push_back(extract.getTensor()); });
  expanded.made->erase();
  llvm::for_each(operands, eraseUnused);
  eraseUnused(expanded.before.getResult());
}

void forge::joinPaddings(Operation *root, const GPUChip &chip, const LibraryUse &use,
                         int64_t &next) {
  if (!chip.warpgroupProducts)
    return;
  SmallVector<tensor::ExpandShapeOp> expands;
  root->walk([&](tensor::ExpandShapeOp op) { expands.push_back(op); });
  SmallVector<ExpandedPadding> expanded;
  for (tensor::ExpandShapeOp op : expands)
    if (std::optional<ExpandedPadding> found = expandPadding(op))
      expanded.push_back(*found);
  SmallVector<PaddedProduct> products;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op->getNumResults() == 1 && op.getNumReductionLoops() > 0)
      if (std::optional<PaddedProduct> product = paddedProductOf(op, chip, use))
        products.push_back(std::move(*product));
  });
  SetVector<Operation *> paddings;
  for (const PaddedProduct &product : products)
    for (linalg::GenericOp op : product.paddings)
      if (isOnlyReadThrough(op, products))
        paddings.insert(op);
  for (Operation *op : paddings) {
    for (const PaddedProduct &product : products)
      if (llvm::is_contained(product.paddings, op))
        join(cast<linalg::GenericOp>(op), product, next);
    bool isExpanded = llvm::any_of(
        expanded, [&](ExpandedPadding other) { return other.made.getOperation() == op; });
    if (!isExpanded)
      op->erase();
  }
  llvm::for_each(expanded, settle);
}
