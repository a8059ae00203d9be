// Operations around matrices of numbers, one for each query and key: what gradients of attention
// are made of.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_SCOREPROGRAM_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_SCOREPROGRAM_H

#include "../Attention/AttentionGraph.h"

namespace forge {

/// For every place along the outer axes, rows r and keys t:
///   product[r, t] = sum over i of a[r, i] * b[t, i]       scores; gradients of weights
///   number[r, t]  = what elementwise operations make of products, numbers of rows and memory
///   sum[r, i]     = sum over t of number[r, t] * b[t, i]  weighted values; gradients of queries
///   sum[t, i]     = sum over r of number[r, t] * a[r, i]  gradients of keys and values
/// Rows are several axes where several query heads share a key head.
struct ScoreProgram {
  /// Stages, extents, axes, and the scores: the first product. i is along the axis of the depth in
  /// it, and in sums that follow from another product as well; elsewhere along that of the columns.
  AttentionProgram graph;
  struct Product {
    int stage;
    /// Of the factor that the rows have, and of the keys'.
    unsigned row, key;
    unsigned inner;
  };
  llvm::SmallVector<Product, 2> products;
  struct Sum {
    int stage;
    /// Of the numbers, and of the factor in memory.
    unsigned number, memory;
    bool overKeys;
    unsigned inner;
  };
  llvm::SmallVector<Sum, 3> sums;
  /// Other reductions.
  llvm::SmallVector<int, 3> reductions;
  /// What the kernel leaves in memory.
  llvm::SmallVector<AttentionWrite> writes;

  /// Reads `ops`, in program order, on tensors or buffers. Fails, with the reason in `why`, on
  /// anything else, and on sizes that are not known.
  static mlir::FailureOr<ScoreProgram> build(llvm::ArrayRef<mlir::Operation *> ops,
                                             std::string &why);

  int64_t sizeOf(unsigned axis) const { return graph.extents[axis].size; }
  /// The stages of the products.
  llvm::SmallVector<int> productStages() const {
    return llvm::map_to_vector(products, [](const Product &product) { return product.stage; });
  }
  /// The number of the body of a sum's stage, or what is handed to it.
  AttentionGraph::Place numberOf(const Sum &sum) const {
    mlir::linalg::GenericOp op = graph.stages[sum.stage].op;
    return {sum.stage, op.getBody()->getArgument(sum.number)};
  }
};

/// Whether `op`, on tensors or buffers, multiplies matrices, in f32.
bool sumsProducts(mlir::linalg::LinalgOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_SCOREPROGRAM_H
