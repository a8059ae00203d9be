#include "Destinations.h"

#include "ElementAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

namespace {
// 1. All accesses to what is written are in one block, at the same indices. So the elements at one
//    position depend on nothing that is written at others: only the order of the updates of one
//    position matters.
// 2. The operations around that block are the nest: loops by ones that pass nothing on but tensors,
//    and branches.
// 3. A dimension's index is the counter of a loop of the nest, such a counter and a start, or a
//    start alone. The loops that remain are those over updates.
// 4. Starts, branches, and the bounds of loops over updates are computed from the counters of loops
//    over updates and of loops around the last of these, so that they can be computed for each
//    update before anything is updated.
class DestinationFinder {
public:
  explicit DestinationFinder(func::FuncOp kernel) : kernel(kernel) {}

  Destinations find() {
    FailureOr<SmallVector<ElementAccess>> all = collectAccesses(kernel);
    if (failed(all))
      return {};
    found.bases = writtenBases(*all);
    if (found.bases.empty() || !findBody(*all) || !findNest() || !findDims() || !findPlaces())
      return {};
    bool computed = llvm::any_of(found.dims, [](const DestinationDim &dim) {
      return dim.start && (dim.loop || !getConstantIntValue(dim.start));
    });
    return computed ? found : Destinations();
  }

private:
  bool findBody(ArrayRef<ElementAccess> accesses) {
    for (const ElementAccess &access : accesses) {
      if (!llvm::is_contained(found.bases, access.base))
        continue;
      if (!found.body) {
        found.body = access.op->getBlock();
        indices = access.indices;
      }
      if (access.op->getBlock() != found.body || access.indices != indices)
        return false;
    }
    return true;
  }

  bool findNest() {
    for (Operation *op = found.body->getParentOp(); op != kernel; op = op->getParentOp()) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!isa<scf::ForOp, scf::IfOp>(op) ||
          (loop && (getConstantIntValue(loop.getStep()) != 1 || loop.getUnsignedCmp())) ||
          !llvm::all_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
        return false;
      found.path.insert(found.path.begin(), op);
    }
    if (found.path.empty())
      return false;
    // Nothing else in the kernel does anything.
    Operation *root = found.path.front();
    return llvm::all_of(kernel.getBody().front(), [&](Operation &op) {
      return &op == root ||
             isa<func::ReturnOp, memref::AllocOp, memref::AllocaOp, memref::LoadOp>(op) ||
             (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    });
  }

  bool isTaken(scf::ForOp loop) const {
    return llvm::any_of(found.dims, [&](const DestinationDim &dim) { return dim.loop == loop; });
  }

  /// The loop of the nest that `index` counts, if no dimension has it yet.
  scf::ForOp freeCounter(Value index) const {
    scf::ForOp loop = counterLoop(index);
    return loop && llvm::is_contained(found.path, loop) && !isTaken(loop) ? loop : scf::ForOp();
  }

  /// Inner loops are those over windows: of two counters that are added, the inner one's is the
  /// dimension's.
  DestinationDim dimAt(Value index) const {
    if (scf::ForOp loop = freeCounter(index))
      return {loop, Value()};
    DestinationDim dim{scf::ForOp(), index};
    if (auto sum = index.getDefiningOp<arith::AddIOp>())
      for (auto [counter, start] :
           {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
        if (scf::ForOp loop = freeCounter(counter);
            loop && (!dim.loop || dim.loop->isAncestor(loop)))
          dim = {loop, start};
    return dim;
  }

  bool findDims() {
    for (Value index : indices)
      found.dims.push_back(dimAt(index));
    for (auto [place, op] : llvm::enumerate(found.path))
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && !isTaken(loop)) {
        if (getConstantIntValue(loop.getLowerBound()) != 0)
          return false;
        found.updates.push_back(loop);
        found.numOuter = place + 1;
      } else if (isa<scf::IfOp>(op))
        found.numOuter = place + 1;
    return true;
  }

  bool isOuter(Operation *op) const {
    return llvm::is_contained(ArrayRef(found.path).take_front(found.numOuter), op);
  }

  /// Adds to `needed` the loops of the nest that `value` is computed from; false where it cannot be
  /// computed by itself: it takes a region, or what may only be done in a step of an inner loop.
  bool addLoops(Value value, SetVector<Operation *> &needed) {
    if (isa<ShapedType>(value.getType()))
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (owner == kernel)
        return true;
      scf::ForOp loop = counterLoop(value);
      return loop && llvm::is_contained(found.path, loop) && (needed.insert(loop), true);
    }
    Operation *op = value.getDefiningOp();
    if (!found.path.front()->isProperAncestor(op))
      return true;
    bool isRead = isa<memref::LoadOp, tensor::ExtractOp>(op);
    if (op->getNumRegions() > 0 || !(isRead || isMemoryEffectFree(op)) ||
        !((isPure(op) && !isRead) || isOuter(op->getParentOp())))
      return false;
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return addLoops(operand, needed); });
  }

  bool findPlaces() {
    SetVector<Operation *> deciding;
    for (const DestinationDim &dim : found.dims)
      // An outer loop's coordinate is known before there is a start to take off.
      if (dim.start && ((dim.loop && isOuter(dim.loop)) || !addLoops(dim.start, deciding)))
        return false;
    for (Operation *op : ArrayRef(found.path).take_front(found.numOuter)) {
      auto branch = dyn_cast<scf::IfOp>(op);
      if (branch && !addLoops(branch.getCondition(), deciding))
        return false;
      auto loop = dyn_cast<scf::ForOp>(op);
      for (Value bound : loop ? loop.getOperands().take_front(2) : ValueRange())
        if (Operation *made = bound.getDefiningOp(); isa<BlockArgument>(bound)
                                                         ? counterLoop(bound) != nullptr
                                                         : found.path.front()->isAncestor(made))
          return false;
    }
    for (Operation *loop : deciding)
      if (!isOuter(loop))
        return false;
    for (DestinationDim &dim : found.dims)
      dim.decidesPlaces = dim.loop && deciding.contains(dim.loop);
    return llvm::all_of(ArrayRef(found.path).drop_front(found.numOuter), [&](Operation *op) {
      SetVector<Operation *> needed;
      auto loop = cast<scf::ForOp>(op);
      return addLoops(loop.getLowerBound(), needed) && addLoops(loop.getUpperBound(), needed) &&
             llvm::all_of(needed, [&](Operation *other) { return isOuter(other); });
    });
  }

  func::FuncOp kernel;
  Destinations found;
  SmallVector<Value> indices;
};
} // namespace

Destinations forge::findDestinations(func::FuncOp kernel) {
  return DestinationFinder(kernel).find();
}
