// What follows products in their kernel: one elementwise operation on their sums, no matter what it
// computes. Shared by the strategies that make products.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_PRODUCTFOLLOW_H
#define FORGE_LIB_CODEGEN_STRATEGY_PRODUCTFOLLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace forge {

/// What `contraction` computes: its result on tensors, its buffer on buffers.
mlir::Value sumsOf(mlir::linalg::LinalgOp contraction);

/// The operation that computes `temporary`, a tensor or a buffer of the kernel's own; null where
/// anything but one reader uses it otherwise.
mlir::linalg::GenericOp onlyWriter(mlir::Value temporary);

/// Contractions and the operation behind them that were marked to be one kernel.
struct ProductCluster {
  llvm::SmallVector<mlir::linalg::LinalgOp, 2> contractions;
  /// Null if nothing follows.
  mlir::linalg::GenericOp follow;
};

/// The cluster whose first contraction is `contraction`, on tensors; that alone where it is in
/// none. Nothing if another contraction of its cluster comes before it.
std::optional<ProductCluster> clusterOf(mlir::linalg::LinalgOp contraction);

/// Whether `follow` computes each element of its results from the sum at the same place in each of
/// `sums`: results as the sums lie, nothing read from what it writes.
bool isElementwiseOn(mlir::linalg::GenericOp follow, mlir::ArrayRef<mlir::Value> sums);

/// The input by which `follow` reads `sums`, if it is the only one and each element of it is
/// rounded to `narrow` before anything else; null otherwise.
mlir::OpOperand *roundedRead(mlir::linalg::GenericOp follow, mlir::Value sums, mlir::Type narrow);

/// A kernel function that is sums from fills, and perhaps an operation on them.
struct ProductKernel {
  llvm::SmallVector<mlir::linalg::LinalgOp, 2> contractions;
  /// Null if nothing follows.
  mlir::linalg::GenericOp follow;
  /// Loops that put the results to places, or null.
  mlir::scf::ForOp placing;
};

/// `kernel`, on tensors or buffers, if it is one and nothing else that computes, into its
/// arguments, and nothing else sees the sums of which something follows. Where `prologue` is not
/// null, it takes the operations that come before the last contraction and those that share a
/// factor with it, but for their fills, and there may be loops behind the last operation that alone
/// see its results.
std::optional<ProductKernel>
matchProductKernel(mlir::func::FuncOp kernel,
                   llvm::SmallVectorImpl<mlir::Operation *> *prologue = nullptr);

/// Whether `value` is an argument that is contiguous, so that threads may access several elements
/// of it at once.
bool isPlainArgument(mlir::Value value);

/// Of one instruction of one element on a whole H200: 132 * 128 lanes at 1.75 GHz.
inline constexpr double kSecondsPerInstruction = 1 / (132 * 128 * 1.75e9);

/// Instructions that `follow` takes for an element, about, those of operations in `approximate`
/// fewer.
int64_t countInstructions(mlir::linalg::GenericOp follow,
                          const llvm::DenseSet<mlir::Operation *> &approximate);

/// Adds fastmath<afn> to `op`, where it has such flags.
void allowApproximation(mlir::Operation *op);

/// Why a tile program cannot compute the body of `follow`, an operation of tiles for each of its
/// own; null if it can.
const char *whyNotOnTiles(mlir::linalg::GenericOp follow);

/// Emits, on buffers, what `follow` computes of one place, and gives back what it yields.
/// `indices`: of the place, one for each of its loops. `elementOf`: the element of an input there,
/// of those whose element is used. Operations in `approximate` get fastmath<afn>.
llvm::SmallVector<mlir::Value>
emitFollow(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp follow,
           mlir::ArrayRef<mlir::Value> indices,
           llvm::function_ref<mlir::Value(mlir::OpOperand &)> elementOf,
           const llvm::DenseSet<mlir::Operation *> &approximate = {});

/// `op`, elementwise on scalars, on tiles: with the same attributes on `operands`, to `type`.
mlir::Operation *emitOnTiles(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                             mlir::ArrayRef<mlir::Value> operands, mlir::RankedTensorType type);

/// The same on tiles: each operation of the body, with types `typeOf` its elements' types. Of an
/// input whose element is used `elementOf` is a tile or, where all elements are equal, a scalar;
/// `indexOf`: of a loop, the index of each element, as a tile of indices.
llvm::SmallVector<mlir::Value>
emitFollowOnTiles(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp follow,
                  llvm::function_ref<mlir::RankedTensorType(mlir::Type)> typeOf,
                  llvm::function_ref<mlir::Value(mlir::OpOperand &)> elementOf,
                  llvm::function_ref<mlir::Value(unsigned)> indexOf,
                  const llvm::DenseSet<mlir::Operation *> &approximate = {});

/// The element of `input` that `follow` reads at `indices`, loaded; a scalar is itself.
mlir::Value loadOperand(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp follow,
                        mlir::OpOperand &input, mlir::ArrayRef<mlir::Value> indices);

/// Erases from `kernel` what a strategy has replaced: operations of linalg, and temporaries that
/// nothing uses any more.
void eraseReplaced(mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_PRODUCTFOLLOW_H
