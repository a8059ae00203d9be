#include "JoinFactors.h"
#include "JoinPaddings.h"
#include "LibraryProduct.h"

#include "../Gemv/GemvProduct.h"
#include "../Strategy/ProductFollow.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

using namespace mlir;
using namespace forge;

/// Those that compute the right factors of `contraction` and of what is in its cluster, if strategy
/// gemv computes them in registers.
static SmallVector<linalg::GenericOp> matrixPrologues(linalg::LinalgOp contraction,
                                                      const GPUChip &chip, const LibraryUse &use) {
  auto gemv = matchGemvCluster(contraction, chip);
  if (!gemv || !gemv->isComputed() || !isBeforeLibrary(*gemv, use))
    return {};
  return llvm::map_to_vector(gemv->matrices,
                             [](const GemvMatrix &matrix) { return matrix.prologue; });
}

/// Those that look up the right factors, if strategy wgmma computes the cluster. The library would
/// need a copy of them.
static SmallVector<linalg::GenericOp> lookups(linalg::LinalgOp contraction, const GPUChip &chip,
                                              const LibraryUse &use) {
  std::optional<ProductCluster> cluster = clusterOf(contraction);
  auto product = cluster ? matchWgmma(cluster->contractions, cluster->follow) : std::nullopt;
  if (!product || !takesProduct(*product, chip))
    return {};
  auto library = matchProduct(contraction, linalg::GenericOp());
  if (library && use.isAsked() && mayHave(*library, use.least) && !use.byCost)
    return {};
  SmallVector<linalg::GenericOp> found;
  for (const WgmmaPart &part : product->parts)
    if (part.lookup)
      found.push_back(part.lookup->op);
  return found;
}

void forge::joinFactors(Operation *root, const GPUChip &chip, const LibraryUse &use, int64_t next) {
  SmallVector<linalg::LinalgOp> contractions;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op->getNumResults() == 1 && isSumOfProducts(op))
      contractions.push_back(op);
  });
  for (linalg::LinalgOp contraction : contractions) {
    SmallVector<linalg::GenericOp> makers = matrixPrologues(contraction, chip, use);
    if (makers.empty())
      makers = lookups(contraction, chip, use);
    bool canMove = !makers.empty() && llvm::all_of(makers, [&](linalg::GenericOp maker) {
      return maker && !maker->hasAttr(kClusterAttr) &&
             maker->getBlock() == contraction->getBlock() &&
             !wouldReadOverwritten(maker, contraction);
    });
    if (!canMove)
      continue;
    Attribute cluster = contraction->getAttr(kClusterAttr);
    if (!cluster)
      cluster = StringAttr::get(root->getContext(), "product" + std::to_string(next++));
    contraction->setAttr(kClusterAttr, cluster);
    for (linalg::GenericOp maker : makers)
      maker->setAttr(kClusterAttr, cluster);
  }
  joinPaddings(root, chip, use, next);
}
