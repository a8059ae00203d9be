// One thread's code for a tile program.
#ifndef FORGE_LIB_CODEGEN_TILE_THREADEMITTER_H
#define FORGE_LIB_CODEGEN_TILE_THREADEMITTER_H

#include "DotWaits.h"
#include "TileProgram.h"

#include "../Hopper/StageMarks.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// A tile as one thread holds it.
struct ThreadTile {
  /// Scalars, as the layout numbers them.
  llvm::SmallVector<mlir::Value> registers;
  /// Of an accumulator that products add to: instead, a struct of f32 for each instruction.
  llvm::SmallVector<mlir::Value> structs;
};

/// The next slot of a ring in one role: i32.
struct RingState {
  mlir::Value slot, parity;
};

/// Emits the code of a tile program, operation by operation.
class ThreadEmitter {
public:
  ThreadEmitter(mlir::func::FuncOp kernel, TileProgram &program)
      : b(kernel.getLoc(), kernel.getContext()), kernel(kernel), program(program),
        marks(b, kernel) {}

  /// Replaces the body of the function.
  mlir::FailureOr<LaunchShape> emit();

private:
  // ThreadEmitter.cpp: the program, regions, elementwise operations.
  void setUp();
  mlir::LogicalResult emitRoles(unsigned number);
  mlir::LogicalResult emitRole(const TileRole &role);
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  /// Waits for the products that have to have ended before `op`.
  void emitWait(mlir::Operation *op);
  mlir::LogicalResult emitElementwise(mlir::Operation *op);
  mlir::LogicalResult emitScalar(mlir::Operation *op);
  mlir::LogicalResult emitConstant(mlir::arith::ConstantOp op);

  // Stages.cpp
  void beginStages();
  void markStage(mlir::Operation *op);

  // Loops.cpp
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult unroll(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  /// Rings that `op` puts to or gets from; their states, which a loop around it carries.
  llvm::SmallVector<mlir::Operation *> beginStates(mlir::Operation *op);
  void pushStates(llvm::ArrayRef<mlir::Operation *> rings, llvm::SmallVectorImpl<mlir::Value> &to);
  void popStates(llvm::ArrayRef<mlir::Operation *> rings, mlir::ValueRange from);
  void flatten(mlir::Value value, bool asStructs, llvm::SmallVectorImpl<mlir::Value> &to);
  void unflatten(mlir::Value value, bool asStructs, mlir::ValueRange &from);

  // Memory.cpp
  mlir::LogicalResult emitLoad(tile::LoadOp op);
  mlir::LogicalResult emitStore(tile::StoreOp op);

  // FlatMemory.cpp: global memory.
  mlir::LogicalResult emitGather(tile::GatherOp op);
  mlir::LogicalResult emitScatter(tile::ScatterOp op);
  /// Of each of `count` registers of a tile, the place that tiles of indices, or indices, say.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> placesOf(mlir::ValueRange indices,
                                                             int64_t count);
  /// Elements of global memory, of any static strides or contiguous, as one dimension.
  mlir::FailureOr<mlir::Value> flatMemory(mlir::Operation *op, mlir::Value memory,
                                          llvm::SmallVectorImpl<mlir::OpFoldResult> &strides);

  // LoadMatrix.cpp
  std::optional<llvm::SmallVector<mlir::Value>> loadMatrices(tile::LoadOp op);

  // Values.cpp: operations on tiles alone.
  mlir::LogicalResult emitBroadcast(tile::BroadcastOp op);
  mlir::LogicalResult emitConvert(tile::ConvertOp op);
  mlir::LogicalResult emitIota(tile::IotaOp op);
  mlir::LogicalResult emitReduce(tile::ReduceOp op);
  mlir::LogicalResult emitReshape(tile::ReshapeOp op);
  mlir::LogicalResult emitSlice(tile::SliceOp op);
  llvm::SmallVector<mlir::Value> reduceWarps(tile::ReduceOp op,
                                             llvm::SmallVector<mlir::Value> values);
  llvm::SmallVector<mlir::Value> throughShared(mlir::Operation *op, llvm::ArrayRef<int64_t> shape,
                                               tile::LayoutAttr from, tile::LayoutAttr to,
                                               llvm::ArrayRef<mlir::Value> values);

  // Rings.cpp
  void initRings();
  mlir::LogicalResult emitPut(tile::PutOp op);
  mlir::LogicalResult emitCopy(tile::CopyOp op, mlir::Value barrier);
  /// The pointer to a tensor map, a new argument of the kernel or one that it has already.
  mlir::Value mapPointer(const TensorMap &map);
  mlir::LogicalResult emitGet(tile::GetOp op);
  mlir::LogicalResult emitDrop(tile::DropOp op);
  /// Where the buffers of a slot begin.
  void mapBuffers(mlir::ValueRange buffers, const TileRing &ring, const RingState &state);
  void advance(RingState &state, int64_t slots);
  mlir::Value barrierOf(const TileRing &ring, mlir::Value slot, bool full);

  // AsyncCopies.cpp
  mlir::LogicalResult emitAsyncPut(tile::PutOp op, const TileRing &ring, RingState &state);
  mlir::LogicalResult emitAsyncGet(tile::GetOp op);
  mlir::LogicalResult emitAsyncCopy(tile::CopyOp op);
  /// A barrier of the role, behind which slots that were dropped may be filled.
  void meet();
  /// Waits for copies that no tile.get has waited for, at the end of a role.
  void endAsyncCopies();

  // Work.cpp
  mlir::LogicalResult emitWork(tile::WorkOp op);
  /// Hands `number` to the other roles.
  void publishWork(mlir::Value number, const RingState &state);
  mlir::Value receiveWork(const RingState &state);
  mlir::Value workBarrier(const RingState &state, bool full);
  mlir::Value workNumbers();
  mlir::Value blocksOfGrid();
  void finishWork(mlir::Value counter);

  // Split.cpp: parts by the blocks of a cluster.
  mlir::LogicalResult emitSplit(tile::SplitOp op);
  /// The values of a part, or of parts combined, as registers.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitPart(tile::SplitOp op, mlir::Value part);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  combineParts(tile::SplitOp op, mlir::ValueRange soFar, mlir::ValueRange part);
  mlir::LogicalResult emitClusterSplit(tile::SplitOp op);
  /// Behind all that the first block of a cluster does.
  void endSplit();
  /// The number of the block among those of the program's grid, and in its cluster.
  mlir::Value blockNumber();

  // Turns.cpp: what warps or warpgroups of a role do differently.
  /// Gives the role's warpgroups their barriers, and the first one its turn, where it has turns.
  mlir::LogicalResult beginTurns();
  void emitTurn(tile::TurnOp op);
  void emitPass();
  mlir::Value vote(mlir::Value condition);
  mlir::LogicalResult emitWhen(tile::WhenOp op);

  // Dots.cpp
  mlir::LogicalResult emitDot(tile::DotOp op);
  mlir::LogicalResult emitWgmmaDot(tile::DotOp op);
  mlir::LogicalResult emitFmaDot(tile::DotOp op);

  // MatrixDots.cpp: factors in registers.
  mlir::LogicalResult emitMatrixDot(tile::DotOp op);
  mlir::LogicalResult emitRegisterFmaDot(tile::DotOp op);
  /// `value`, of `element` or narrower, as `element`.
  mlir::Value widen(mlir::Value value, mlir::Type element);
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sum);

  // What they share.
  static tile::LayoutAttr layoutOf(mlir::Type type);
  static int64_t registersOf(mlir::Type type);
  /// Per dimension, what lane and warp, or the warp alone, add to the coordinates of every
  /// register, as an index.
  llvm::SmallVector<mlir::Value> threadOffsets(tile::LayoutAttr layout, bool withLane = true);
  mlir::Value index(int64_t value);
  mlir::Value addIndex(mlir::Value a, int64_t constant);
  mlir::Value mapped(mlir::Value value) { return scalars.lookup(value); }
  /// The registers of a tile; structs are taken apart here.
  llvm::SmallVector<mlir::Value> registers(mlir::Value tile);
  llvm::SmallVector<mlir::Value> structs(mlir::Value tile, int64_t fields);
  /// A barrier of the role's threads.
  void barrier();
  /// The threads whose values count where several hold the same; null where all do.
  mlir::Value representative(tile::LayoutAttr layout);
  /// Elements of `type` in dynamic shared memory, from `offset` bytes on, i32.
  mlir::Value sharedView(mlir::Value offset, mlir::Type type, int64_t elements);
  /// The number of element `coordinates`, indices, of a buffer at its view.
  mlir::Value sharedElement(tile::SharedType type, llvm::ArrayRef<mlir::Value> coordinates);
  static int64_t elementBytes(mlir::Type type);

  ThreadBuilder b;
  mlir::func::FuncOp kernel;
  TileProgram &program;
  LaunchShape shape;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, ThreadTile> tiles;
  llvm::DenseMap<mlir::Operation *, RingState> puts, gets;
  /// Of rings filled by cp.async: the ring of each group of copies that no tile.get has waited for,
  /// the oldest first; and rings of which a slot was dropped since the last barrier.
  llvm::SmallVector<mlir::Operation *> pending;
  llvm::SmallPtrSet<mlir::Operation *, 4> dropped;
  /// Of the block; of the role: warp and, where it matters, thread.
  mlir::Value thread, lane, warp;
  /// Shared memory: the bytes before its aligned part as an index, its address as i32, and a
  /// pointer.
  mlir::Value sharedPad, sharedAddress, sharedBase, sharedMemory;
  const TileRole *role = nullptr;
  StageMarks marks;
  /// What the last tile.stage says; empty before the first one of a role.
  std::string stage;
  std::optional<DotWaits> waits;
  /// The barrier of the first warpgroup's turn, those of the others come behind; and the first one
  /// that no role has.
  int64_t turnBarrier = 0, freeBarrier = 0;
  /// Blocks that have work, where not all of the grid's may; null otherwise.
  mlir::Value workingBlocks;
  /// What the first block of a cluster alone runs, behind a tile.split; null where there is none.
  mlir::scf::IfOp afterSplit;
  /// Of the kernel's own arguments; tensor maps come behind.
  unsigned numArguments = 0;
};

/// Whether `op`, or what is in it, has anything to do with tiles.
bool isOfTiles(mlir::Operation *op);

/// Every `count` of the values, of 8 or 16 bits, as one integer.
llvm::SmallVector<mlir::Value> packRegisters(ThreadBuilder &b, llvm::ArrayRef<mlir::Value> values,
                                             int64_t count);
llvm::SmallVector<mlir::Value> unpackRegisters(ThreadBuilder &b, llvm::ArrayRef<mlir::Value> words,
                                               int64_t count, mlir::Type element);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_THREADEMITTER_H
