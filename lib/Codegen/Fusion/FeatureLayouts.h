// Which tensors have the features of depthwise convolutions innermost in memory.
#ifndef FORGE_LIB_CODEGEN_FUSION_FEATURELAYOUTS_H
#define FORGE_LIB_CODEGEN_FUSION_FEATURELAYOUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Whether `op` is a depthwise convolution from a fill, of static shape, with many features: its
/// image, the first factor, is read by windows, and the one loop that both factors and the result
/// have is none of the windows'.
bool isDepthwise(mlir::linalg::GenericOp op);
/// The loop that goes through the features of a depthwise convolution.
unsigned featureLoop(mlir::linalg::GenericOp op);

/// The loops of the operation around it that an index in its body is computed from; nothing if it
/// is computed from an element.
std::optional<llvm::SmallDenseSet<unsigned>> loopsOfIndex(mlir::Value index,
                                                          mlir::linalg::GenericOp op);

/// Tensors of a function that may have a dimension of features innermost, and those which should.
///
/// 1. Candidates are the images and results of depthwise convolutions with features in front of
///    their places, and, from each to the next, results of elementwise operations that read a
///    candidate or that one is made of. A candidate is made by a depthwise convolution or an
///    elementwise operation, and it and slices of it are read by operations of linalg alone, all in
///    one block.
/// 2. Costs are bytes of operands that operations read across the memory of their results, twice
///    where those are sums, and half of those of images of depthwise convolutions with features
///    outside.
/// 3. All candidates, or none, have features innermost; then each, a convolution with its image,
///    changes while that costs less. The cheaper of both is taken.
class FeatureLayouts {
public:
  explicit FeatureLayouts(mlir::func::FuncOp function);

  bool isEmpty() const { return inner.empty(); }
  bool isInner(mlir::Value value) const { return inner.contains(value); }
  /// The dimensions of `value` as they are in memory, the outermost first.
  llvm::SmallVector<unsigned> orderOf(mlir::Value value) const;

private:
  using Ops = llvm::SetVector<mlir::linalg::GenericOp>;
  void addCandidate(mlir::Value value, unsigned dim);
  void insertWithSlices(mlir::Value value, unsigned dim);
  void spread(mlir::Value value);
  void spreadToReader(mlir::Value value, mlir::linalg::GenericOp reader);
  void spreadToSources(mlir::linalg::GenericOp maker, unsigned dim);
  void formGroups();
  void improve();
  double costOf(mlir::linalg::GenericOp op) const;
  double costOf(const Ops &ops) const;
  unsigned innermostOf(mlir::Value value) const;

  mlir::Block *block = nullptr;
  /// The features' dimension of each candidate.
  llvm::MapVector<mlir::Value, unsigned> candidates;
  /// Candidates that change together, with the operations whose costs depend on them.
  struct Group {
    llvm::SmallVector<mlir::Value> values;
    Ops around;
  };
  llvm::SmallVector<Group> groups;
  llvm::DenseSet<mlir::Value> inner;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FUSION_FEATURELAYOUTS_H
