#include "Slices.h"

#include "ElementAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

namespace {
// 1. List the accesses, with the buffer (or first tensor of a chain of updates) each is to.
// 2. Slices: a dimension of a written base is one if every access to it is at the counter of a loop
//    of some set, and every other written base has such a dimension for the same loops. Then a
//    coordinate's elements are read and written in the steps of these loops for that coordinate
//    only. The loops must not lie in each other, and pass nothing from step to step but tensors.
// 3. A loop that is marked as independent and holds all writes is a slice dimension by its steps.
//    Loops in it that are marked as shared, and hold all writes, are the chunks of a slice.
// 4. Other chunks: a loop over parts of a line, each of which writes [counter * width, counter *
// width +
//    width), a range that an inner loop runs over, and reads nothing that the loop writes but at
//    that inner loop's counter.
class Finder {
public:
  explicit Finder(func::FuncOp kernel) : kernel(kernel) {}

  Slices find() {
    FailureOr<SmallVector<ElementAccess>> all = collectAccesses(kernel);
    if (failed(all))
      return {};
    accesses = std::move(*all);
    written = writtenBases(accesses);
    if (written.empty())
      return {};
    Slices slices;
    slices.dims = findIndependent();
    if (!slices.dims.empty()) {
      findShared(slices);
      return slices;
    }
    int64_t rank = cast<ShapedType>(written.front().getType()).getRank();
    auto outer = [](const SliceDim &a, const SliceDim &b) {
      return depthOf(a.loops.front()) < depthOf(b.loops.front());
    };
    for (int64_t dim = 0; dim < rank; ++dim)
      if (std::optional<SliceDim> found = findDim(dim); found && !shares(*found, slices.dims))
        slices.dims.insert(llvm::upper_bound(slices.dims, *found, outer), *found);
    findChunks(slices);
    return slices;
  }

private:
  static unsigned depthOf(Operation *op) {
    unsigned depth = 0;
    while ((op = op->getParentOp()))
      ++depth;
    return depth;
  }

  static bool shares(const SliceDim &dim, ArrayRef<SliceDim> others) {
    return llvm::any_of(others, [&](const SliceDim &other) {
      return llvm::any_of(dim.loops,
                          [&](scf::ForOp loop) { return llvm::is_contained(other.loops, loop); });
    });
  }

  /// A loop of which only one thread's steps may be left: by ones, with nothing to pass on.
  static bool canBeTakenApart(scf::ForOp loop) {
    return getConstantIntValue(loop.getStep()) == 1 &&
           llvm::all_of(loop.getResultTypes(), llvm::IsaPred<ShapedType>);
  }

  static bool areApart(ArrayRef<scf::ForOp> loops) {
    for (scf::ForOp a : loops)
      for (scf::ForOp b : loops)
        if (a != b && a->isAncestor(b))
          return false;
    return true;
  }

  /// Whether all threads can compute `value` before any of them does anything else.
  bool isKnownAtFirst(Value value) {
    Operation *maker = value.getDefiningOp();
    if (!maker)
      return value.getParentBlock() == &kernel.getBody().front();
    return maker->getParentOp() == kernel &&
           llvm::all_of(
               llvm::make_range(maker->getBlock()->begin(), std::next(maker->getIterator())),
               [](Operation &op) {
                 return op.getNumRegions() == 0 &&
                        (isMemoryEffectFree(&op) || isa<memref::AllocaOp>(op));
               });
  }

  /// Loops marked as independent around all writes, outermost first; their bounds are known before
  /// the first of them.
  SmallVector<SliceDim> findIndependent() {
    SmallVector<SliceDim> dims;
    kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop->hasAttr(kIndependentAttr) && isKnownAtFirst(loop.getUpperBound()) &&
          canBeTakenApart(loop) && getConstantIntValue(loop.getLowerBound()) == 0 &&
          llvm::all_of(accesses, [&](const ElementAccess &access) {
            return !access.isWrite || loop->isAncestor(access.op);
          }))
        dims.push_back({{loop}, {}});
    });
    return dims;
  }

  void findShared(Slices &slices) {
    scf::ForOp slice = slices.dims.back().loops.front();
    SmallVector<scf::ForOp> loops;
    slice.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop == slice || !loop->hasAttr(kSharedAttr))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    bool areAll = llvm::all_of(accesses, [&](const ElementAccess &access) {
      return !access.isWrite ||
             llvm::any_of(loops, [&](scf::ForOp loop) { return loop->isAncestor(access.op); });
    });
    if (!areAll || !llvm::all_of(loops, [&](scf::ForOp loop) {
          return canBeTakenApart(loop) && isConstantIntValue(loop.getLowerBound(), 0) &&
                 isUniform(loop);
        }))
      return;
    slices.chunkLoops = loops;
    slices.hasBlockMemory = true;
  }

  std::optional<SliceDim> findDim(int64_t dim) {
    SliceDim found;
    found.places.push_back({written.front(), dim});
    for (const ElementAccess &access : accesses) {
      if (access.base != written.front())
        continue;
      scf::ForOp loop = counterLoop(access.indices[dim]);
      if (!loop || !canBeTakenApart(loop))
        return std::nullopt;
      if (!llvm::is_contained(found.loops, loop))
        found.loops.push_back(loop);
    }
    if (!areApart(found.loops))
      return std::nullopt;
    for (Value base : ArrayRef(written).drop_front()) {
      std::optional<int64_t> same = dimOf(base, found.loops);
      if (!same)
        return std::nullopt;
      found.places.push_back({base, *same});
    }
    return found;
  }

  /// The dimension of `base` that is always accessed at the counter of one of `loops`.
  std::optional<int64_t> dimOf(Value base, ArrayRef<scf::ForOp> loops) {
    int64_t rank = cast<ShapedType>(base.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      if (llvm::all_of(accesses, [&](const ElementAccess &access) {
            if (access.base != base)
              return true;
            scf::ForOp loop = counterLoop(access.indices[dim]);
            return loop && llvm::is_contained(loops, loop);
          }))
        return dim;
    return std::nullopt;
  }

  //===--- chunks ---===//

  /// The loop over chunks if `inner` runs over [counter * width, min(counter * width + width, _)).
  static scf::ForOp chunkLoopOf(scf::ForOp inner) {
    auto lower = inner.getLowerBound().getDefiningOp<arith::MulIOp>();
    auto upper = inner.getUpperBound().getDefiningOp<arith::MinSIOp>();
    if (!lower || !upper || getConstantIntValue(inner.getStep()) != 1)
      return {};
    for (auto [counter, width] :
         {std::pair(lower.getLhs(), lower.getRhs()), std::pair(lower.getRhs(), lower.getLhs())}) {
      scf::ForOp loop = counterLoop(counter);
      if (!loop || !loop->isAncestor(inner) || !loop.isDefinedOutsideOfLoop(width))
        continue;
      for (Value end : {upper.getLhs(), upper.getRhs()})
        if (auto sum = end.getDefiningOp<arith::AddIOp>();
            sum && ((sum.getLhs() == lower && sum.getRhs() == width) ||
                    (sum.getRhs() == lower && sum.getLhs() == width)))
          return loop;
    }
    return {};
  }

  /// What `chunk` writes it accesses at one dimension, at counters of loops over its parts only.
  bool isIndependent(scf::ForOp chunk, int64_t &lineLength) {
    for (Value base : written) {
      auto type = cast<ShapedType>(base.getType());
      auto accessed = llvm::make_filter_range(accesses, [&](const ElementAccess &access) {
        return access.base == base && chunk->isAncestor(access.op);
      });
      if (llvm::none_of(accessed, [](const ElementAccess &access) { return access.isWrite; }))
        continue;
      auto isPart = [&](int64_t dim) {
        return llvm::all_of(accessed, [&](const ElementAccess &access) {
          scf::ForOp part = counterLoop(access.indices[dim]);
          return part && chunkLoopOf(part) == chunk;
        });
      };
      auto dims = llvm::seq<int64_t>(0, type.getRank());
      auto found = llvm::find_if(dims, isPart);
      if (found == dims.end())
        return false;
      lineLength = type.getDimSize(*found);
    }
    return true;
  }

  void findChunks(Slices &slices) {
    SmallVector<scf::ForOp> loops;
    for (const ElementAccess &access : accesses) {
      if (!llvm::is_contained(written, access.base))
        continue;
      scf::ForOp chunk;
      for (auto loop = access.op->getParentOfType<scf::ForOp>(); loop && !chunk;
           loop = loop->getParentOfType<scf::ForOp>())
        if (llvm::any_of(accesses, [&](const ElementAccess &write) {
              return write.isWrite && loop->isAncestor(write.op) &&
                     llvm::any_of(write.indices, [&](Value index) {
                       scf::ForOp part = counterLoop(index);
                       return part && chunkLoopOf(part) == loop;
                     });
            }))
          chunk = loop;
      if (!chunk)
        return;
      if (!llvm::is_contained(loops, chunk))
        loops.push_back(chunk);
    }
    for (scf::ForOp loop : loops)
      if (!canBeTakenApart(loop) || !isUniform(loop) || !isIndependent(loop, slices.lineLength))
        return;
    if (areApart(loops))
      slices.chunkLoops = loops;
  }

  /// Whether all threads of a block come to the loop alike: nothing decides about that but loops
  /// and branches on what all of them compute.
  bool isUniform(scf::ForOp loop) const {
    for (Operation *parent = loop->getParentOp(); parent != kernel; parent = parent->getParentOp())
      if (!isa<scf::ForOp, scf::IfOp>(parent))
        return false;
    return true;
  }

  func::FuncOp kernel;
  SmallVector<ElementAccess> accesses;
  SmallVector<Value> written;
};
} // namespace

Slices forge::findSlices(func::FuncOp kernel) { return Finder(kernel).find(); }
