#include "ScanNest.h"

#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

static bool isFromZeroByOnes(scf::ForOp loop) {
  return isConstantIntValue(loop.getLowerBound(), 0) && isConstantIntValue(loop.getStep(), 1) &&
         getConstantIntValue(loop.getUpperBound());
}

scf::ForOp ScanNest::loopOf(int64_t number) {
  return number == dim ? scf::ForOp()
                       : scf::getForInductionVarOwner(writes.front().front().getIndices()[number]);
}

/// Outermost first, if nothing else is in them and they pass on what `inner` makes.
static std::optional<SmallVector<scf::ForOp>> loopsAround(scf::ForOp inner) {
  SmallVector<scf::ForOp> loops{inner};
  while (auto loop = dyn_cast<scf::ForOp>(inner->getParentOp())) {
    if (!loop->hasAttr("forge.independent"))
      break;
    if (!isFromZeroByOnes(loop) || loop.getBody()->getOperations().size() != 2 ||
        !llvm::equal(loop.getBody()->getTerminator()->getOperands(), inner.getResults()) ||
        !llvm::equal(inner.getInitArgs(), loop.getRegionIterArgs()))
      return std::nullopt;
    loops.insert(loops.begin(), loop);
    inner = loop;
  }
  return loops;
}

/// The writes that make `yielded` of `argument`, first to last; none if something else does, or
/// reads what they make.
static SmallVector<tensor::InsertOp> writesOf(BlockArgument argument, Value yielded) {
  SmallVector<tensor::InsertOp> writes;
  while (yielded != argument) {
    auto write = yielded.getDefiningOp<tensor::InsertOp>();
    if (!write || !write->hasOneUse() || write->getBlock() != argument.getOwner())
      return {};
    writes.insert(writes.begin(), write);
    yielded = write.getDest();
  }
  return argument.hasOneUse() ? writes : SmallVector<tensor::InsertOp>();
}

namespace {
// 1. The loop along the line is in a loop with it and what is free of effects before it.
// 2. It carries numbers, tensors that were empty before it, and those of the loop around it.
// 3. Of each of these it writes elements at the counters of the loops around, and at places along
//    the line, the same for all.
struct Matcher {
  ScanNest nest;

  bool match(scf::ForOp line) {
    nest.line = line;
    auto inner = dyn_cast<scf::ForOp>(line->getParentOp());
    if (!inner || !inner->hasAttr("forge.independent") || !isFromZeroByOnes(inner) ||
        !isFromZeroByOnes(line))
      return false;
    for (Operation &op : inner.getBody()->without_terminator())
      if (&op != line &&
          (line->isBeforeInBlock(&op) || op.getNumRegions() > 0 || !isMemoryEffectFree(&op)))
        return false;
    std::optional<SmallVector<scf::ForOp>> outer = loopsAround(inner);
    if (!outer)
      return false;
    nest.outer = std::move(*outer);
    return takeCarried(inner) && findDim();
  }

  bool takeCarried(scf::ForOp inner) {
    SmallVector<Value> made;
    for (auto [position, init] : llvm::enumerate(nest.line.getInitArgs())) {
      BlockArgument argument = nest.line.getRegionIterArg(position);
      Value yielded = nest.line.getBody()->getTerminator()->getOperand(position);
      if (!isa<RankedTensorType>(init.getType())) {
        Operation *maker = init.getDefiningOp();
        if (init.getParentBlock() == inner.getBody() &&
            !(maker && maker->hasTrait<OpTrait::ConstantLike>()))
          return false;
        nest.scalars.push_back(position);
      } else if (init.getDefiningOp<tensor::EmptyOp>()) {
        if (!isMemory(argument, yielded))
          return false;
        nest.memories.push_back(position);
      } else {
        nest.results.push_back(position);
        nest.writes.push_back(writesOf(argument, yielded));
        made.push_back(nest.line.getResult(position));
        if (nest.writes.back().empty() || made.size() > inner.getNumResults() ||
            init != inner.getRegionIterArg(made.size() - 1))
          return false;
      }
    }
    // What else it carries is not read behind it.
    for (unsigned position : llvm::concat<unsigned>(nest.scalars, nest.memories))
      if (!nest.line.getResult(position).use_empty())
        return false;
    return !made.empty() && made.size() == inner.getNumResults() &&
           llvm::equal(inner.getBody()->getTerminator()->getOperands(), made);
  }

  /// Read anywhere in a step, written by the step itself.
  bool isMemory(BlockArgument argument, Value yielded) {
    for (Value tensor = yielded; tensor != argument;) {
      auto write = tensor.getDefiningOp<tensor::InsertOp>();
      if (!write || write->getBlock() != nest.line.getBody())
        return false;
      for (Operation *user : write->getUsers())
        if (!isa<tensor::InsertOp, tensor::ExtractOp, scf::YieldOp>(user))
          return false;
      tensor = write.getDest();
    }
    return llvm::all_of(argument.getUsers(), llvm::IsaPred<tensor::InsertOp, tensor::ExtractOp>);
  }

  bool findDim() {
    tensor::InsertOp first = nest.writes.front().front();
    int64_t rank = first.getIndices().size();
    if (rank != static_cast<int64_t>(nest.outer.size()) + 1)
      return false;
    DenseSet<Operation *> seen;
    std::optional<int64_t> along;
    for (auto [number, index] : llvm::enumerate(first.getIndices())) {
      scf::ForOp loop = scf::getForInductionVarOwner(index);
      if (loop && llvm::is_contained(nest.outer, loop)) {
        if (!seen.insert(loop).second)
          return false;
      } else if (std::exchange(along, number)) {
        return false;
      }
    }
    nest.dim = *along;
    for (auto &writes : nest.writes) {
      if (writes.size() != nest.writes.front().size())
        return false;
      for (auto [write, same] : llvm::zip_equal(writes, nest.writes.front()))
        for (int64_t number = 0; number < rank; ++number) {
          tensor::InsertOp expected = number == nest.dim ? same : first;
          if (write.getIndices()[number] != expected.getIndices()[number])
            return false;
        }
    }
    return true;
  }
};
} // namespace

std::optional<ScanNest> forge::matchScanNest(scf::ForOp line) {
  Matcher matcher;
  return matcher.match(line) ? std::optional(std::move(matcher.nest)) : std::nullopt;
}
