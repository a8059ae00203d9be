// The naive form of a tile program: one thread runs a block, tiles are arrays, and everything is
// loops over elements.
#ifndef FORGE_LIB_CODEGEN_TILE_NAIVE_NAIVEEMITTER_H
#define FORGE_LIB_CODEGEN_TILE_NAIVE_NAIVEEMITTER_H

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// Rewrites the body of a tile program.
///
/// A ring that a role of copies alone fills is filled when it is read: for the k-th `tile.get` the
/// role is run again up to its k-th `tile.put` of the ring, whose copies are the only ones made. So
/// one thread runs all roles, one after the other, and a ring needs no more slots than it has.
class NaiveEmitter {
public:
  /// With `onDevice` every block has a thread of its own; otherwise the blocks are loops.
  NaiveEmitter(mlir::func::FuncOp kernel, bool onDevice);

  mlir::LogicalResult emit();

private:
  using Body = llvm::function_ref<void(mlir::ValueRange)>;

  /// Where a ring's slots are.
  struct Ring {
    /// [slots, ...] for each buffer.
    llvm::SmallVector<mlir::Value> buffers;
    /// The role of copies alone that fills it, if there is one.
    tile::RoleOp producer;
    /// Counts of slots put so far, and got so far by each role.
    mlir::Value put;
    llvm::DenseMap<mlir::Operation *, mlir::Value> got;
  };
  /// The put to find while a role is run again.
  struct Wanted {
    tile::RingOp ring;
    mlir::Value number, counter;
    llvm::SmallVector<mlir::Value> buffers;
  };

  // NaiveEmitter.cpp: blocks of the grid, regions, elementwise operations.
  void beginBlocks();
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitElementwise(mlir::Operation *op);
  mlir::LogicalResult emitConstant(mlir::arith::ConstantOp op);
  mlir::LogicalResult emitScalar(mlir::Operation *op);

  // NaiveMemory.cpp: memory, rings and roles.
  mlir::LogicalResult findRings();
  mlir::LogicalResult emitRole(tile::RoleOp op);
  void emitRing(tile::RingOp op);
  mlir::LogicalResult emitGet(tile::GetOp op);
  mlir::LogicalResult emitPut(tile::PutOp op);
  void emitCopy(tile::CopyOp op);
  void emitLoad(tile::LoadOp op);
  void emitStore(tile::StoreOp op);
  void emitGather(tile::GatherOp op);
  void emitScatter(tile::ScatterOp op);
  /// The place of the element at `at` of a tile, of tiles of indices or of indices.
  llvm::SmallVector<mlir::Value> placeIn(mlir::ValueRange indices, mlir::ValueRange at);
  /// `indices` with a tile's coordinates added along `dims`.
  llvm::SmallVector<mlir::Value> placeOf(mlir::ValueRange indices, llvm::ArrayRef<int64_t> dims,
                                         mlir::ValueRange coordinates);
  /// Whether `values` are below `limits`; null where there are none.
  mlir::Value below(mlir::ValueRange values, mlir::ValueRange limits);
  /// The value of a counter before it is incremented.
  mlir::Value count(mlir::Value counter);
  llvm::SmallVector<mlir::Value> slotOf(const Ring &ring, mlir::Value number);

  // NaiveValues.cpp: operations on tiles alone.
  void emitBroadcast(tile::BroadcastOp op);
  void emitIota(tile::IotaOp op);
  void emitSlice(tile::SliceOp op);
  mlir::LogicalResult emitReshape(tile::ReshapeOp op);
  void emitReduce(tile::ReduceOp op);
  void emitDot(tile::DotOp op);
  mlir::LogicalResult emitWork(tile::WorkOp op);
  mlir::LogicalResult emitWhen(tile::WhenOp op);
  mlir::LogicalResult emitSplit(tile::SplitOp op);
  /// The number of the warp that holds an element.
  mlir::Value warpOf(mlir::Value tile, mlir::ValueRange at);

  // What they share.
  static bool isTile(mlir::Type type);
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  /// Memory of this block for a tile or a shared buffer.
  mlir::Value allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// The array of a new value.
  mlir::Value define(mlir::Value value);
  /// The array of a tile or shared buffer.
  mlir::Value arrayOf(mlir::Value value) { return arrays.lookup(value); }
  void copyArray(mlir::Value from, mlir::Value to);
  mlir::Value load(mlir::Value array, mlir::ValueRange at);
  void store(mlir::Value value, mlir::Value array, mlir::ValueRange at);
  /// Loops over all coordinates of `shape`.
  void forEach(llvm::ArrayRef<int64_t> shape, Body body);
  void forEach(llvm::ArrayRef<int64_t> shape, llvm::SmallVectorImpl<mlir::Value> &at, Body body);

  mlir::func::FuncOp kernel;
  bool onDevice;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> arrays;
  llvm::DenseMap<mlir::Operation *, Ring> rings;
  std::optional<Wanted> wanted;
  /// The role that is run; null in a program without roles.
  mlir::Operation *role = nullptr;
  /// All arrays of all blocks, bytes; a block's begin at `base`.
  mlir::Value arena, base;
  mlir::arith::ConstantIndexOp blockBytes, arenaBytes;
  /// Where arrays are defined: before what the program does.
  mlir::Block *entry = nullptr;
  mlir::Operation *arraysEnd = nullptr;
  int64_t usedBytes = 0, blocks = 1;
  llvm::SmallVector<mlir::Value> blockIds;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_NAIVE_NAIVEEMITTER_H
