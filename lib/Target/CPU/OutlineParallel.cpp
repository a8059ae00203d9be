#include "forge/Target/CPU/RuntimeCalls.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#include <unordered_map>

#define DEBUG_TYPE "forge-outline-parallel"

namespace forge {
#define GEN_PASS_DEF_OUTLINEPARALLELPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// Assumed of a bound that is known only at run time.
static constexpr int64_t kAssumedTrips = 64;
/// Iterations of the shared-out dimensions that give every thread some chunks, on as many threads
/// as we expect.
static constexpr int64_t kWantedTrips = 32;
/// Operations a chunk should hold at least.
static constexpr int64_t kChunkWork = 16384;

/// Lanes of a vector that count as one operation.
static constexpr int64_t kLanesPerOperation = 8;

static int64_t tripCount(OpFoldResult lower, OpFoldResult upper, OpFoldResult step) {
  std::optional<int64_t> a = getConstantIntValue(lower), b = getConstantIntValue(upper),
                         s = getConstantIntValue(step);
  if (!a || !b || !s || *s <= 0)
    return kAssumedTrips;
  return *b > *a ? llvm::divideCeil(*b - *a, *s) : 0;
}

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

static int64_t add(int64_t a, int64_t b) {
  return a > std::numeric_limits<int64_t>::max() - b ? std::numeric_limits<int64_t>::max() : a + b;
}

/// Scalar operations that one run of `region` takes, by bounds and types.
static int64_t workOf(Region &region);

static int64_t workOf(Operation *op) {
  int64_t inner = 0;
  for (Region &region : op->getRegions())
    inner = add(inner, workOf(region));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return multiply(inner, tripCount(getAsOpFoldResult(loop.getLowerBound()),
                                     getAsOpFoldResult(loop.getUpperBound()),
                                     getAsOpFoldResult(loop.getStep())));
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    int64_t trips = 1;
    if (auto lower = loop.getLoopLowerBounds())
      for (auto [l, u, s] :
           llvm::zip_equal(*lower, *loop.getLoopUpperBounds(), *loop.getLoopSteps()))
        trips = multiply(trips, tripCount(l, u, s));
    else
      trips = kAssumedTrips;
    return multiply(inner, trips);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t trips = 1;
    for (int64_t range : linalgOp.getStaticLoopRanges())
      trips = multiply(trips, ShapedType::isDynamic(range) ? kAssumedTrips : range);
    return multiply(std::max<int64_t>(inner, 1), trips);
  }
  // One instruction, or a few where the vector is split.
  for (Type type : op->getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      return std::max<int64_t>(1, vector.getNumElements() / kLanesPerOperation);
  return inner + 1;
}

static int64_t workOf(Region &region) {
  int64_t work = 0;
  for (Block &block : region)
    for (Operation &op : block.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>())
        work = add(work, workOf(&op));
  return work;
}

namespace {
/// A parallel loop to be shared out, and over which of its dimensions.
struct Plan {
  LoopLikeOpInterface loop;
  SmallVector<OpFoldResult> lower, upper, step;
  unsigned sharedDims = 0;
  int64_t grain = 1;
};

/// 1. Plans: outermost parallel loops whose work pays, and how many of their dimensions are shared
///    out.
/// 2. The iteration space of those dimensions becomes one range; a new function runs a part of it,
///    the other dimensions as loops inside.
/// 3. What the body uses from outside becomes arguments; constants are made again inside.
/// 4. Loops that do the same, such as those of a model's layers, share a function: what is compiled
///    after this pass does not grow with the number of layers.
///    (MLIR's duplicate-function-elimination knows calls, not the attribute that names a body.)
struct OutlineParallelPass : public forge::impl::OutlineParallelPassBase<OutlineParallelPass> {
  using OutlineParallelPassBase::OutlineParallelPassBase;

  void runOnOperation() override {
    SmallVector<Plan> plans;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isa<scf::ParallelOp, scf::ForallOp>(op))
          return WalkResult::advance();
        std::optional<Plan> plan = planFor(cast<LoopLikeOpInterface>(op));
        if (!plan)
          return WalkResult::advance();
        plans.push_back(std::move(*plan));
        return WalkResult::skip();
      });
    SymbolTable symbols(getOperation());
    for (Plan &plan : plans)
      outline(plan, symbols);
    outlined.clear(); // the pass may run on another module
  }

  std::optional<Plan> planFor(LoopLikeOpInterface loop) {
    if (loop->getNumResults() != 0 || !loop.getLoopLowerBounds())
      return std::nullopt;
    Plan plan{loop, *loop.getLoopLowerBounds(), *loop.getLoopUpperBounds(), *loop.getLoopSteps()};
    if (loop->hasAttr(forge::kShareOutAttr)) {
      plan.sharedDims = plan.lower.size();
      return plan;
    }
    int64_t work = workOf(loop.getOperation());
    if (work < minWork)
      return std::nullopt;
    int64_t trips = 1;
    for (auto [l, u, s] : llvm::zip_equal(plan.lower, plan.upper, plan.step)) {
      int64_t count = tripCount(l, u, s);
      if (trips < kWantedTrips) {
        trips = multiply(trips, count);
        ++plan.sharedDims;
      }
    }
    if (trips < 2)
      return std::nullopt;
    plan.grain = std::max<int64_t>(1, kChunkWork / std::max<int64_t>(1, work / trips));
    return plan;
  }

  static Value materialize(OpBuilder &builder, Location loc, OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }

  /// The number of iterations of each shared dimension, and of all of them.
  static SmallVector<OpFoldResult> sharedTrips(OpBuilder &builder, Plan &plan, Value &total) {
    Location loc = plan.loop.getLoc();
    SmallVector<OpFoldResult> trips;
    total = arith::ConstantIndexOp::create(builder, loc, 1);
    for (unsigned dim = 0; dim < plan.sharedDims; ++dim) {
      trips.push_back(tripsOf(builder, loc, plan.lower[dim], plan.upper[dim], plan.step[dim]));
      Value count = materialize(builder, loc, trips.back());
      total = builder.createOrFold<arith::MulIOp>(loc, total, count);
    }
    return trips;
  }

  static OpFoldResult tripsOf(OpBuilder &builder, Location loc, OpFoldResult lower,
                              OpFoldResult upper, OpFoldResult step) {
    if (getConstantIntValue(lower) && getConstantIntValue(upper) && getConstantIntValue(step))
      return builder.getIndexAttr(tripCount(lower, upper, step));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value by = materialize(builder, loc, step);
    Value span = arith::SubIOp::create(builder, loc, materialize(builder, loc, upper),
                                       materialize(builder, loc, lower));
    span = arith::MaxSIOp::create(builder, loc, span, zero);
    Value rounded =
        arith::AddIOp::create(builder, loc, span, arith::SubIOp::create(builder, loc, by, one));
    return arith::DivUIOp::create(builder, loc, rounded, by).getResult();
  }

  void outline(Plan &plan, SymbolTable &symbols) {
    Operation *op = plan.loop.getOperation();
    OpBuilder builder(op);
    Value total;
    SmallVector<OpFoldResult> trips = sharedTrips(builder, plan, total);

    llvm::SetVector<Value> captured;
    auto capture = [&](OpFoldResult value) {
      if (auto dynamic = dyn_cast<Value>(value))
        captured.insert(dynamic);
    };
    llvm::for_each(plan.lower, capture);
    llvm::for_each(plan.upper, capture);
    llvm::for_each(plan.step, capture);
    llvm::for_each(trips, capture);
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    // Constants cost nothing to make again, and say more inside than an argument would.
    SmallVector<Operation *> constants;
    SmallVector<Value> arguments;
    for (Value value : captured) {
      Operation *maker = value.getDefiningOp();
      if (maker && (maker->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(maker)))
        constants.push_back(maker);
      else
        arguments.push_back(value);
    }

    func::FuncOp body = createFunction(op, arguments);
    fillFunction(body, plan, trips, constants, arguments);
    func::FuncOp launcher = launcherOf(body, op->getParentOfType<func::FuncOp>(), symbols);
    launch(builder, op->getLoc(), launcher, plan, total, arguments);
    op->erase();
  }

  /// The function of a part of `loop`, which has no name yet.
  func::FuncOp createFunction(Operation *loop, ArrayRef<Value> arguments) {
    OpBuilder builder(&getContext());
    SmallVector<Type> types(2, builder.getIndexType());
    llvm::append_range(types, ValueRange(arguments).getTypes());
    auto function =
        func::FuncOp::create(loop->getLoc(), "", builder.getFunctionType(types, TypeRange()));
    function.setPrivate();
    return function;
  }

  /// The counters of the shared dimensions from one number, innermost first.
  static void unravel(OpBuilder &builder, Plan &plan, Value number, ArrayRef<OpFoldResult> trips,
                      IRMapping &mapping, SmallVectorImpl<Value> &counters) {
    Location loc = plan.loop.getLoc();
    counters.resize(plan.sharedDims);
    for (unsigned dim = plan.sharedDims; dim-- > 0;) {
      Value index = number;
      if (dim > 0) {
        Value size = inside(builder, loc, trips[dim], mapping);
        index = arith::RemUIOp::create(builder, loc, number, size);
        number = arith::DivUIOp::create(builder, loc, number, size);
      }
      Value step = inside(builder, loc, plan.step[dim], mapping);
      Value lower = inside(builder, loc, plan.lower[dim], mapping);
      Value scaled = arith::MulIOp::create(builder, loc, index, step);
      counters[dim] = arith::AddIOp::create(builder, loc, lower, scaled);
    }
  }

  static Value inside(OpBuilder &builder, Location loc, OpFoldResult value, IRMapping &mapping) {
    if (auto dynamic = dyn_cast<Value>(value))
      return mapping.lookupOrDefault(dynamic);
    return materialize(builder, loc, value);
  }

  void fillFunction(func::FuncOp function, Plan &plan, ArrayRef<OpFoldResult> trips,
                    ArrayRef<Operation *> constants, ArrayRef<Value> arguments) {
    Location loc = plan.loop.getLoc();
    Block *entry = function.addEntryBlock();
    OpBuilder builder = OpBuilder::atBlockBegin(entry);
    IRMapping mapping;
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    mapping.map(arguments, entry->getArguments().drop_front(2));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto outer =
        scf::ForOp::create(builder, loc, entry->getArgument(0), entry->getArgument(1), one);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPoint(outer.getBody()->getTerminator());
    SmallVector<Value> counters;
    unravel(builder, plan, outer.getInductionVar(), trips, mapping, counters);
    for (unsigned dim = plan.sharedDims; dim < plan.lower.size(); ++dim) {
      Value lower = inside(builder, loc, plan.lower[dim], mapping),
            upper = inside(builder, loc, plan.upper[dim], mapping);
      auto inner = scf::ForOp::create(builder, loc, lower, upper,
                                      inside(builder, loc, plan.step[dim], mapping));
      counters.push_back(inner.getInductionVar());
      builder.setInsertionPoint(inner.getBody()->getTerminator());
    }
    Block *body = &plan.loop.getOperation()->getRegion(0).front();
    mapping.map(body->getArguments().take_front(counters.size()), counters);
    for (Operation &op : body->without_terminator())
      builder.clone(op, mapping);
  }

  /// The launcher of `body`: the existing one if an equal body has been outlined (`body` is then
  /// erased), otherwise a new one, with both named after `parent`.
  func::FuncOp launcherOf(func::FuncOp body, func::FuncOp parent, SymbolTable &symbols) {
    SmallVector<Outlined> &candidates = outlined[hashOf(body)];
    for (auto [other, launcher] : candidates)
      if (body.getFunctionType() == other.getFunctionType() &&
          OperationEquivalence::isRegionEquivalentTo(&body.getBody(), &other.getBody(),
                                                     OperationEquivalence::IgnoreLocations)) {
        body->erase();
        return launcher;
      }
    body.setName((parent.getName() + "__parallel_" + llvm::Twine(numOutlined++)).str());
    symbols.insert(body, ++Block::iterator(parent));
    OpBuilder builder(&getContext());
    SmallVector<Type> types(1, builder.getIndexType());
    llvm::append_range(types, body.getArgumentTypes());
    auto launcher = func::FuncOp::create(body.getLoc(), (body.getName() + "__launch").str(),
                                         builder.getFunctionType(types, TypeRange()));
    launcher.setPrivate();
    launcher->setAttr(forge::parallelBodyAttrName, FlatSymbolRefAttr::get(body));
    symbols.insert(launcher, Block::iterator(body));
    candidates.push_back({body, launcher});
    return launcher;
  }

  /// Of the operations alone: those that differ in nothing but their operands have one hash.
  static size_t hashOf(func::FuncOp function) {
    llvm::hash_code hash = llvm::hash_value(function.getFunctionType().getAsOpaquePointer());
    function.getBody().walk([&](Operation *op) {
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }

  static void launch(OpBuilder &builder, Location loc, func::FuncOp launcher, Plan &plan,
                     Value total, ArrayRef<Value> arguments) {
    SmallVector<Value> operands{arith::ConstantIndexOp::create(builder, loc, 0), total,
                                arith::ConstantIndexOp::create(builder, loc, plan.grain)};
    llvm::append_range(operands, arguments);
    func::CallOp::create(builder, loc, launcher, operands);
  }

  /// A body and the function that shares it out.
  struct Outlined {
    func::FuncOp body, launcher;
  };
  /// By hashOf().
  std::unordered_map<size_t, SmallVector<Outlined>> outlined;
  unsigned numOutlined = 0;
};
} // namespace
