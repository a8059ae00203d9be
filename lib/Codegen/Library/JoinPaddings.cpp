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

void forge::joinPaddings(Operation *root, const GPUChip &chip, const LibraryUse &use,
                         int64_t &next) {
  if (!chip.warpgroupProducts)
    return;
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
    if (op->use_empty())
      op->erase();
  }
}
