// Code for one thread that computes a tile of results of a linalg operation on buffers.
#ifndef FORGE_LIB_CODEGEN_GENERIC_ELEMENTEMITTER_H
#define FORGE_LIB_CODEGEN_GENERIC_ELEMENTEMITTER_H

#include "Generic.h"
#include "ThreadTile.h"

#include "../Strategy/FactorPadding.h"

#include "mlir/IR/IRMapping.h"

namespace forge {

/// Loops, indices, loads and bodies of one thread:
/// 1. An element's number gives the indices of the parallel loops by division; in 32 bits where
///    sizes allow it.
/// 2. Reduction loops run inside, in the order of the operation, with results in registers.
/// 3. What several results of the thread read is loaded once.
/// 4. What another operation of the kernel only surrounds with zeros is read where it is.
class ElementEmitter {
protected:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<mlir::Value>;

  /// Inserts before `op`. `epilogue`, if there is one, is computed from results of `op`.
  ElementEmitter(mlir::linalg::LinalgOp op, int64_t threads, std::optional<Epilogue> epilogue);

  Value constant(int64_t value);
  /// The number of tiles.
  mlir::OpFoldResult totalElements();
  /// Blocks that compute `total` elements, so many each.
  mlir::OpFoldResult numBlocks(mlir::OpFoldResult total, int64_t elementsOfBlock);
  /// Sets the parallel loops' indices to the first ones of tile `number`: the last loop's is its
  /// remainder, and so on outwards.
  void setIndices(Value number);

  Values place(mlir::OpOperand &operand);
  Value load(mlir::OpOperand &operand);
  /// `count` elements side by side.
  Value loadVector(mlir::OpOperand &operand, int64_t count);
  void storeVector(Value value, Value buffer, llvm::ArrayRef<Value> at);
  /// The results of a thread from `starts`, those of its first element first, by the reduction
  /// loops from `level` on.
  Values emitReductions(unsigned level, llvm::ArrayRef<Value> starts);
  /// What `inits` says outputs of `target` start from: a scalar, or what they hold; of each result
  /// of the thread. Null where that does not matter.
  Values loadStarts(mlir::linalg::LinalgOp target, llvm::ArrayRef<Value> inits);
  /// What the epilogue makes of `results`; without one those themselves.
  Values emitEpilogue(llvm::ArrayRef<Value> results);
  void storeResults(llvm::ArrayRef<Value> results);

  mlir::linalg::LinalgOp op;
  int64_t threads;
  mlir::OpBuilder builder;
  mlir::Location loc;
  std::optional<Epilogue> epilogue;
  /// Of all operands of the kernel, by loops of `op`.
  llvm::DenseMap<mlir::OpOperand *, mlir::AffineMap> maps;
  llvm::SmallVector<mlir::OpFoldResult> extents;
  /// Loop numbers: outermost first.
  llvm::SmallVector<unsigned> parallel, reductions;
  Values indices;
  bool isNarrow = false;
  ThreadTile tile;
  /// A tile of an operand in shared memory, of which lanes are rows, and the present element in it.
  struct Staged {
    Value buffer, row, column;
  };
  llvm::DenseMap<mlir::OpOperand *, Staged> staged;
  /// The same of operations of the body that read an element.
  llvm::DenseMap<mlir::Operation *, Staged> stagedReads;
  /// Of a vector in memory, as far as its number of elements allows.
  static llvm::MaybeAlign alignmentOf(mlir::VectorType type);

private:
  /// The present element of an operand with zeros around it, or `count` side by side.
  Value loadInside(mlir::OpOperand &operand, const FactorPadding &padding, int64_t count);
  void mapEpilogue();
  void orderLoops();
  mlir::linalg::LinalgOp last() { return epilogue ? epilogue->op : op; }
  /// Tiles along the loop of positions.
  int64_t tilesOfPositions();
  /// The present element of `operand`'s tile, in loops of `op`.
  mlir::AffineMap mapHere(mlir::OpOperand &operand);
  /// The present position's element for each lane.
  Values loadLanes(mlir::OpOperand &operand);
  Values emitSteps(llvm::ArrayRef<Value> values);
  Values emitBody(mlir::linalg::LinalgOp target, llvm::ArrayRef<Value> before,
                  llvm::ArrayRef<Value> produced);
  Values emitLane(mlir::linalg::LinalgOp target, int64_t lane, mlir::IRMapping &mapping);
  Value indexOf(mlir::linalg::LinalgOp target, unsigned loop, int64_t lane);

  llvm::DenseMap<mlir::OpOperand *, FactorPadding> paddings;
  /// Whether the tile is not the last one along the loop of positions, where that one repeats some;
  /// null elsewhere.
  Value isBeforeLast;
  /// The position and step that code is being written for.
  int64_t position = 0, step = 0;
  /// What an iteration has read: elements by lane, by operand and place.
  llvm::DenseMap<std::pair<mlir::OpOperand *, mlir::AffineMap>, Values> loaded;
  /// Elements of several steps that were read at once.
  llvm::DenseMap<mlir::OpOperand *, Value> ahead;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_ELEMENTEMITTER_H
