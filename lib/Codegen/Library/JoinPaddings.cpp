// 0. A padded factor with dimensions of one element more than its source, or with one of the
//    source's as two, is one whose source has these.
// 1. Products, with what is in their clusters, that strategy wgmma computes of the sources of
//    padded factors.
// 2. Paddings that nothing but such products reads; each of these gets one of its own.
// 3. The same of sums through windows that threads compute.
#include "JoinPaddings.h"

#include "LibraryProduct.h"

#include "../Gemv/GemvProduct.h"
#include "../Generic/Generic.h"
#include "../Generic/ThreadTile.h"
#include "../Strategy/FactorPadding.h"
#include "../Strategy/ProductAxes.h"
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

/// Whether what `op` surrounds with zeros is computed by an elementwise operation for it alone,
/// that is in no other kernel: then that operation writes the zeros, too, later.
static bool isComputedAsPadded(linalg::GenericOp op) {
  Value source = paddingOf(op)->source;
  while (source.hasOneUse() &&
         isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  auto maker = source.getDefiningOp<linalg::GenericOp>();
  return maker && source.hasOneUse() && !maker->hasAttr(kClusterAttr) &&
         maker.getNumReductionLoops() == 0;
}

/// Whether nothing but `products` reads what `op` computes, each through its padding and where it
/// could be computed.
static bool isOnlyReadThrough(linalg::GenericOp op, ArrayRef<PaddedProduct> products) {
  return !op->hasAttr(kClusterAttr) && !isComputedAsPadded(op) &&
         llvm::all_of(readersOf(op), [&](Operation *reader) {
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
// Threads

/// Whether threads compute `op`: sums of products through windows. Not those of features by
/// themselves (depthwise convolutions): a thread has several, and most of its time goes to
/// products.
static bool isByThreads(Operation *op, const GPUChip &chip) {
  auto contraction = dyn_cast<linalg::LinalgOp>(op);
  if (!contraction || !contraction.hasPureTensorSemantics() || contraction.hasDynamicShape() ||
      contraction->getNumResults() != 1 || contraction.getNumDpsInputs() != 2 ||
      !isSumOfProducts(contraction) || !readsWindows(contraction))
    return false;
  std::optional<ProductCluster> cluster = clusterOf(contraction);
  auto product = cluster ? matchWgmma(cluster->contractions, cluster->follow, Paddings::InMemory)
                         : std::nullopt;
  return !hasGroups(contraction) && !(product && takesProduct(*product, chip));
}

/// What a thread does for each number that it reads to find out whether it is inside, in operations
/// such as an addition.
static constexpr double kChecksOfRead = 4;

/// Seconds that `contraction` takes longer where it reads through padding.
static double secondsOfChecks(linalg::LinalgOp contraction, const GPUChip &chip) {
  double products = 1;
  for (int64_t size : contraction.getStaticLoopRanges())
    products *= static_cast<double>(size);
  ThreadTile tile = chooseThreadTile(contraction, accessesOf(contraction), /*mayRepeat=*/true);
  // Windows side by side share what they read.
  double reads = products / static_cast<double>(tile.lanes);
  if (tile.positions > 1)
    reads *= static_cast<double>(tile.positions + tile.steps - 1) /
             static_cast<double>(tile.positions * tile.steps);
  return reads * 2 * kChecksOfRead / chip.vectorFlops;
}

/// Whether all that reads what `op` makes are sums by threads that take no longer through padding
/// than it takes to be written.
static bool isReadByThreads(linalg::GenericOp op, const GPUChip &chip) {
  std::optional<FactorPadding> padding = paddingOf(op);
  if (!padding || op->hasAttr(kClusterAttr) || !readsInside(op) || isComputedAsPadded(op) ||
      padding->source.getDefiningOp<tensor::ExtractSliceOp>())
    return false;
  double checks = 0;
  for (Operation *reader : readersOf(op)) {
    if (reader->getBlock() != op->getBlock() || wouldReadOverwritten(op, reader) ||
        !isByThreads(reader, chip))
      return false;
    checks += secondsOfChecks(cast<linalg::LinalgOp>(reader), chip);
  }
  return checks <= secondsOf(*padding, chip);
}

//===----------------------------------------------------------------------===//
// Other dimensions

namespace {
/// A padded factor that is made of a source with its dimensions, instead of `before`.
struct ReshapedPadding {
  Value before;
  linalg::GenericOp made;
};
} // namespace

/// What `padding` is of, with dimensions of `shape`, of which each of its own is some; nothing if
/// that is not a reshape.
static Value reshapeSource(OpBuilder &builder, const FactorPadding &padding,
                           ArrayRef<ReassociationIndices> dims, ArrayRef<int64_t> shape) {
  Value source = padding.source;
  auto from = cast<RankedTensorType>(source.getType());
  RankedTensorType type = from.clone(shape);
  auto collapsed = source.getDefiningOp<tensor::CollapseShapeOp>();
  if (from == type)
    return source;
  if (collapsed && collapsed.getSrcType() == type)
    return collapsed.getSrc();
  // A slice would be copied.
  if (source.getDefiningOp<tensor::ExtractSliceOp>())
    return {};
  if (llvm::none_of(dims, [](ArrayRef<int64_t> group) { return group.empty(); }))
    return tensor::ExpandShapeOp::create(builder, source.getLoc(), type, source, dims);
  // Dimensions of one element that the factor does not have go with those before them.
  SmallVector<ReassociationIndices> groups(shape.size());
  int64_t last = 0;
  for (auto [dim, group] : llvm::enumerate(dims)) {
    if (group.size() > 1)
      return {};
    if (!group.empty())
      last = group.front();
    groups[last].push_back(static_cast<int64_t>(dim));
  }
  if (llvm::any_of(groups, [](ArrayRef<int64_t> group) { return group.empty(); }))
    return {};
  return tensor::CollapseShapeOp::create(builder, source.getLoc(), type, source, groups);
}

/// `factor`, which only sums read, as the padding of a source with its dimensions: where it has
/// dimensions of one element more than what a padding makes for it alone, or more than the source.
static std::optional<ReshapedPadding> reshapePadding(Value factor) {
  auto expand = factor.getDefiningOp<tensor::ExpandShapeOp>();
  auto op = (expand ? expand.getSrc() : factor).getDefiningOp<linalg::GenericOp>();
  std::optional<FactorPadding> padding =
      op && !op->hasAttr(kClusterAttr) && (!expand || op->hasOneUse()) && (expand || !paddingOf(op))
          ? reshapedPaddingOf(op)
          : std::nullopt;
  bool areSums = llvm::all_of(factor.getUsers(), [](Operation *user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    return reader && reader.getNumReductionLoops() > 0;
  });
  if (!padding || !areSums)
    return std::nullopt;
  // 1. The dimensions of the factor that those of the padding are.
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(factor.getType()).getShape();
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; !expand && dim < static_cast<int64_t>(sizes.size()); ++dim)
    groups.push_back({dim});
  if (expand)
    groups = expand.getReassociationIndices();
  SmallVector<int64_t> inside(sizes.size(), 1), low(sizes.size(), 0);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    auto isLong = [&](int64_t at) { return sizes[at] != 1; };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    const auto *kept = llvm::find_if(group, isLong);
    int64_t at = kept == group.end() ? group.front() : *kept;
    inside[at] = padding->inside[dim];
    low[at] = padding->low[dim];
  }
  // 2. Those that dimensions of the source are.
  SmallVector<ReassociationIndices> ofSource;
  for (ArrayRef<int64_t> dims : padding->sourceDims) {
    ReassociationIndices &of = ofSource.emplace_back();
    for (int64_t dim : dims)
      llvm::append_range(of, groups[dim]);
  }
  OpBuilder builder(op);
  if (expand)
    builder.setInsertionPoint(expand);
  Value source = reshapeSource(builder, *padding, ofSource, inside);
  if (!source)
    return std::nullopt;
  ReshapedPadding reshaped{factor, makePadding(builder, op.getLoc(), source, low, sizes)};
  factor.replaceAllUsesWith(reshaped.made->getResult(0));
  return reshaped;
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
static void settle(ReshapedPadding reshaped) {
  reshaped.made->getResult(0).replaceAllUsesWith(reshaped.before);
  SmallVector<Value> operands;
  reshaped.made->walk([&](tensor::ExtractOp extract) { operands.push_back(extract.getTensor()); });
  reshaped.made->erase();
  llvm::for_each(operands, eraseUnused);
  eraseUnused(reshaped.before);
}

/// Products that strategy wgmma computes in `root`, with the paddings that nothing else reads.
static SmallVector<PaddedProduct> paddedProductsOf(Operation *root, const GPUChip &chip,
                                                   const LibraryUse &use) {
  SmallVector<PaddedProduct> products;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op->getNumResults() == 1 && op.getNumReductionLoops() > 0)
      if (std::optional<PaddedProduct> product = paddedProductOf(op, chip, use))
        products.push_back(std::move(*product));
  });
  llvm::SmallPtrSet<Operation *, 8> readThrough;
  for (const PaddedProduct &product : products)
    for (linalg::GenericOp op : product.paddings)
      if (isOnlyReadThrough(op, products))
        readThrough.insert(op);
  for (PaddedProduct &product : products)
    llvm::erase_if(product.paddings,
                   [&](linalg::GenericOp op) { return !readThrough.contains(op); });
  return products;
}

/// The same of sums that threads compute.
static SmallVector<PaddedProduct> paddedSumsOf(Operation *root, const GPUChip &chip) {
  SmallVector<PaddedProduct> products;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && isReadByThreads(op, chip))
      for (Operation *reader : readersOf(op))
        products.push_back({{cast<linalg::LinalgOp>(reader)}, {op}});
  });
  return products;
}

void forge::joinPaddings(Operation *root, const GPUChip &chip, const LibraryUse &use,
                         int64_t &next) {
  SetVector<Value> factors;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0)
      factors.insert_range(op.getDpsInputs());
  });
  SmallVector<ReshapedPadding> reshaped;
  for (Value factor : factors)
    if (std::optional<ReshapedPadding> found = reshapePadding(factor))
      reshaped.push_back(*found);
  auto joinAll = [&](ArrayRef<PaddedProduct> products) {
    SetVector<Operation *> paddings;
    for (const PaddedProduct &product : products)
      for (linalg::GenericOp op : product.paddings) {
        join(op, product, next);
        paddings.insert(op);
      }
    for (Operation *op : paddings)
      if (llvm::none_of(reshaped, [&](ReshapedPadding other) { return other.made == op; }))
        op->erase();
  };
  if (chip.warpgroupProducts)
    joinAll(paddedProductsOf(root, chip, use));
  joinAll(paddedSumsOf(root, chip));
  llvm::for_each(reshaped, settle);
}
