#include "RematerializeWeights.h"

#include "BackwardStrategy.h"
#include "GradientRows.h"
#include "WidenLogits.h"

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

#include <numbers>

#define DEBUG_TYPE "forge-rematerialize-weights"

using namespace mlir;
using namespace forge;

namespace {
/// The gradients around one attention's scores.
class Rewriter {
public:
  Rewriter(const ScoreProgram &program, const WeightsMatch &weights, const GPUChip &chip)
      : program(program), graph(program.graph), weights(weights), chip(chip),
        block(program.graph.stages.front().op->getBlock()),
        made(program.graph.stages[program.graph.scores].op) {
    for (const ScoreProgram::Sum &sum : program.sums)
      if (!sum.overKeys || sum.inner == program.graph.depthAxis())
        gradients.push_back(&sum);
  }

  /// Whether it was done; `number` is the attention's among the function's.
  bool run(int64_t number);

  /// Of the row numbers that gradients read, where they are computed of rounded results.
  SmallVector<OpOperand *, 2> roundedResults;

private:
  /// What kernels read; nothing where the gradients cannot be computed behind all of it.
  bool insertBehindAll(const GradientRows &rows);
  /// The kernels of the gradients that are sums over keys, or over rows: one, or one for each sum.
  bool createKernels(const GradientRows &rows, bool overKeys, const Twine &name);
  bool createKernel(const GradientRows &rows, ArrayRef<const ScoreProgram::Sum *> sums,
                    const Twine &name);
  Value createWeights(const GradientRows &rows, const AxisTensor &scores,
                      SmallVectorImpl<Operation *> &members);

  const ScoreProgram &program;
  AttentionGraph graph;
  const WeightsMatch &weights;
  const GPUChip &chip;
  Block *block;
  NewOperations made;
  SmallVector<const ScoreProgram::Sum *> gradients;
  SmallVector<std::pair<Value, Value>> replacements;
};
} // namespace

bool Rewriter::insertBehindAll(const GradientRows &rows) {
  SetVector<Value> read;
  read.insert(rows.base.value);
  read.insert(rows.logSum.value);
  for (const auto &[stage, tensor] : rows.ofRows)
    read.insert(tensor.value);
  for (const ScoreProgram::Product &product : program.products)
    read.insert_range(program.graph.stages[product.stage].op.getDpsInputs());
  for (const ScoreProgram::Sum *sum : gradients) {
    read.insert(program.graph.stages[sum->stage].op->getOperand(sum->memory));
    // Of reductions those are replaced that kernels read.
    collectSources(program, program.numberOf(*sum), read, /*withReductions=*/false);
  }
  made.insertBehind(read.getArrayRef());
  Operation *next = made.next();
  return next && llvm::all_of(gradients, [&](const ScoreProgram::Sum *sum) {
           Operation *op = program.graph.stages[sum->stage].op;
           return op == next || next->isBeforeInBlock(op);
         });
}

Value Rewriter::createWeights(const GradientRows &rows, const AxisTensor &scores,
                              SmallVectorImpl<Operation *> &members) {
  auto replace = [&](AttentionGraph::Place place) -> std::optional<AxisTensor> {
    if (graph.isResultOf(place, program.graph.scores))
      return scores;
    return std::nullopt;
  };
  NumberBody body(made.b, program, matrixAxes(program), replace);
  Value logit = body.numberOf(weights.logit), base = body.elementOf(rows.base),
        logSum = body.elementOf(rows.logSum);
  if (!logit || !logit.getType().isF32())
    return {};
  ImplicitLocOpBuilder at = body.end();
  Value log2E =
      arith::ConstantOp::create(at, at.getF32FloatAttr(static_cast<float>(std::numbers::log2e)));
  Value below = arith::SubFOp::create(at, logit, base);
  Value power = arith::MulFOp::create(at, below, log2E);
  Value weight = math::Exp2Op::create(at, arith::SubFOp::create(at, power, logSum).getResult());
  auto op = made.created(body.create(weight));
  members.push_back(op);
  return op.getResult(0);
}

/// What computes `result` alone further, if it reads nothing else.
static linalg::GenericOp followOf(Value result, Block *block) {
  auto behind =
      result.hasOneUse() ? dyn_cast<linalg::GenericOp>(*result.user_begin()) : linalg::GenericOp();
  if (!behind || behind->getBlock() != block || behind.getNumReductionLoops() > 0 ||
      behind.getNumDpsInputs() != 1 || behind.getNumDpsInits() != 1 ||
      behind->hasAttr(kClusterAttr))
    return {};
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(behind->getRegions(), captured);
  return captured.empty() ? behind : linalg::GenericOp();
}

bool Rewriter::createKernels(const GradientRows &rows, bool overKeys, const Twine &name) {
  SmallVector<const ScoreProgram::Sum *> sums;
  for (const ScoreProgram::Sum *sum : gradients)
    if (sum->overKeys == overKeys)
      sums.push_back(sum);
  size_t numMade = made.count(), numReplaced = replacements.size();
  if (sums.empty() || createKernel(rows, sums, name))
    return true;
  // Of a depth of 256, two sums do not fit into registers.
  made.erase(numMade);
  replacements.truncate(numReplaced);
  return sums.size() > 1 && llvm::all_of(llvm::enumerate(sums), [&](const auto &sum) {
           return createKernel(rows, sum.value(), name + Twine(sum.index()));
         });
}

/// The products, the weights, and of each sum its numbers and the sum.
bool Rewriter::createKernel(const GradientRows &rows, ArrayRef<const ScoreProgram::Sum *> sums,
                            const Twine &name) {
  SmallVector<Operation *> members;
  llvm::DenseMap<int, AxisTensor> products;
  for (const ScoreProgram::Product &product : program.products) {
    bool isNeeded = product.stage == program.graph.scores ||
                    llvm::any_of(sums, [&](const ScoreProgram::Sum *sum) {
                      return sum->inner == program.graph.depthAxis();
                    });
    if (!isNeeded)
      continue;
    linalg::GenericOp op = program.graph.stages[product.stage].op;
    Value clone =
        made.cloneOn(op, op.getDpsInputs(), op.getIndexingMapsArray(), members).getResult(0);
    products[product.stage] = {clone, resultTensor(program, product.stage, 0).axes};
  }
  Value weight = createWeights(rows, products.lookup(program.graph.scores), members);
  if (!weight)
    return false;
  // What numbers are computed of is known of weights, exponentials with 1 as their divisor.
  SmallVector<unsigned> matrix = matrixAxes(program);
  Value one = made.created(arith::ConstantOp::create(made.b, made.b.getF32FloatAttr(1)));
  auto replace = [&](AttentionGraph::Place place) -> std::optional<AxisTensor> {
    if (weights.isWeight(place) || weights.isExponential(place))
      return AxisTensor{weight, matrix};
    if (weights.isDivisor(place))
      return AxisTensor{one, {}};
    for (const llvm::DenseMap<int, AxisTensor> *tensors : {&std::as_const(products), &rows.ofRows})
      for (const auto &[stage, tensor] : *tensors)
        if (graph.isResultOf(place, stage))
          return tensor;
    return std::nullopt;
  };
  for (const ScoreProgram::Sum *sum : sums) {
    const AttentionStage &stage = program.graph.stages[sum->stage];
    linalg::GenericOp op = stage.op;
    // 1. Its numbers, in the type that they have as factors.
    NumberBody body(made.b, program, matrix, replace);
    Value number = weights.isOfWeights(program.numberOf(*sum))
                       ? body.numberOf(program.numberOf(*sum))
                       : Value();
    if (!number)
      return false;
    auto numbers = made.created(body.create(number));
    members.push_back(numbers);
    // 2. The sum.
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<unsigned> loops = llvm::map_to_vector(matrix, [&](unsigned axis) -> unsigned {
      return llvm::find(stage.axes, axis) - stage.axes.begin();
    });
    maps[sum->number] = projection(made.b, op.getNumLoops(), loops);
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[sum->number] = numbers.getResult(0);
    Value old = op->getResult(0), result = made.cloneOn(op, inputs, maps, members).getResult(0);
    // 3. What is computed of it alone.
    if (linalg::GenericOp behind = followOf(old, block)) {
      result = made.cloneOn(behind, result, behind.getIndexingMapsArray(), members).getResult(0);
      old = behind->getResult(0);
    }
    replacements.push_back({old, result});
  }
  bool isKernel = isFlashBackward(members, chip, [&](const Twine &why) {
    LLVM_DEBUG(llvm::dbgs() << DEBUG_TYPE ": no kernel of gradients: " << why << "\n");
  });
  for (Operation *member : members)
    if (isKernel && !isa<linalg::FillOp>(member))
      member->setAttr(kClusterAttr, made.b.getStringAttr(name));
  return isKernel;
}

/// 1. The row numbers that gradients need: the softmax's base and the logarithm of its sum, sums of
///    weights times their gradients.
/// 2. Behind what they read, kernels for sums over keys and for sums over rows, which all compute
///    the weights again. If the gradients begin before that, or a kernel is none, nothing
///    is changed.
bool Rewriter::run(int64_t number) {
  if (gradients.empty())
    return false;
  GradientRows rows(made, program, weights);
  std::string name = "attention_grad" + std::to_string(number);
  if (!rows.create(gradients) || !insertBehindAll(rows) ||
      !createKernels(rows, /*overKeys=*/false, name + "_keys") ||
      !createKernels(rows, /*overKeys=*/true, name + "_rows")) {
    made.erase();
    return false;
  }
  for (auto [old, result] : replacements)
    old.replaceAllUsesWith(result);
  roundedResults = rows.roundedResults;
  return true;
}

static bool isCandidate(linalg::LinalgOp op) {
  auto isNarrow = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() &&
           (type.getElementType().isBF16() || type.getElementType().isF16());
  };
  return op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) && sumsProducts(op) &&
         op.getNumReductionLoops() == 1 && isNarrow(op.getDpsInputs()[0]) &&
         isNarrow(op.getDpsInputs()[1]);
}

static bool computesExponential(Operation *op) {
  return !op->getRegion(0).front().getOps<math::ExpOp>().empty();
}

/// Whether something besides sums over keys or rows reads gradients of the scores, as the gradient
/// of a bias does. They are in memory then, and computing them again saves nothing.
static bool keepsGradients(const ScoreProgram &program, ArrayRef<Operation *> ops) {
  if (program.products.size() < 2)
    return false;
  AttentionGraph graph(program.graph);
  for (auto [number, stage] : llvm::enumerate(program.graph.stages)) {
    linalg::GenericOp op = stage.op;
    if (op.getNumReductionLoops() > 0 || !stage.runsOver(program.graph.keyAxis()))
      continue;
    for (OpResult result : op->getResults()) {
      AttentionGraph::Place place{
          static_cast<int>(number),
          op.getBody()->getTerminator()->getOperand(result.getResultNumber())};
      if (graph.dependsOn(place, {program.products[1].stage}) &&
          !llvm::all_of(result.getUsers(),
                        [&](Operation *user) { return llvm::is_contained(ops, user); }))
        return true;
    }
  }
  return false;
}

/// What follows from `scores` up to sums is read; named operations of it get the general form.
/// Where weights are found, gradients are computed from weights that kernels compute themselves;
/// what computed them before, and nothing uses any more, is erased.
static bool rewriteAround(linalg::LinalgOp scores, const GPUChip &chip,
                          SetVector<Operation *> &candidates, int64_t number) {
  SmallVector<Operation *> ops = operationsAround(scores);
  if (llvm::none_of(ops, computesExponential))
    return false;
  IRRewriter rewriter(scores->getContext());
  for (Operation *&op : ops) {
    if (isa<linalg::GenericOp, linalg::FillOp>(op))
      continue;
    rewriter.setInsertionPoint(op);
    bool wasCandidate = candidates.remove(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
    if (failed(generic))
      return false;
    op = *generic;
    if (wasCandidate)
      candidates.insert(op);
  }
  std::string why;
  FailureOr<ScoreProgram> program = ScoreProgram::build(ops, why);
  if (failed(program)) {
    LLVM_DEBUG(llvm::dbgs() << DEBUG_TYPE ": " << why << "\n");
    return false;
  }
  std::optional<WeightsMatch> weights = WeightsMatch::find(*program);
  if (!weights) {
    LLVM_DEBUG(llvm::dbgs() << DEBUG_TYPE ": no weights\n");
    return false;
  }
  if (keepsGradients(*program, ops)) {
    LLVM_DEBUG(llvm::dbgs() << DEBUG_TYPE ": gradients of scores are read elsewhere\n");
    return false;
  }
  Rewriter gradients(*program, *weights, chip);
  if (!gradients.run(number)) {
    LLVM_DEBUG(llvm::dbgs() << DEBUG_TYPE ": not rewritten\n");
    return false;
  }
  // 1. Kernels of gradients compute weights in f32, relative to the softmax's base and sum, which
  //    therefore have to be of the same logits.
  // 2. Where one key has all of the weight, a softmax in 16 bits is exact, and so is its gradient,
  //    0: what is subtracted there must not be computed of rounded results.
  bool isRounded = weights->roundsExponentials();
  SmallVector<linalg::GenericOp> logits;
  for (const AttentionStage &stage : program->graph.stages)
    if (weights->leadsToExponential(stage))
      logits.push_back(stage.op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty()) {
      candidates.remove(op);
      llvm::erase(logits, dyn_cast<linalg::GenericOp>(op));
      op->erase();
    }
  for (linalg::GenericOp op : logits)
    widenResults(op);
  if (isRounded)
    for (OpOperand *operand : gradients.roundedResults)
      readUnrounded(*operand);
  return true;
}

/// Reshapes go to behind what they reshape: kernels are created before all gradients, and read what
/// a reshape before the last of these makes.
static void moveReshapesUp(func::FuncOp function) {
  SmallVector<Operation *> reshapes;
  function.walk([&](Operation *op) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) && op->getNumOperands() == 1)
      reshapes.push_back(op);
  });
  for (Operation *reshape : reshapes) {
    Value source = reshape->getOperand(0);
    if (source.getParentBlock() != reshape->getBlock())
      continue;
    if (Operation *maker = source.getDefiningOp())
      reshape->moveAfter(maker);
    else
      reshape->moveBefore(reshape->getBlock(), reshape->getBlock()->begin());
  }
}

void forge::rematerializeWeights(func::FuncOp function, const GPUChip &chip) {
  if (!chip.warpgroupProducts)
    return;
  moveReshapesUp(function);
  SetVector<Operation *> candidates;
  function.walk([&](linalg::LinalgOp op) {
    if (isCandidate(op))
      candidates.insert(op);
  });
  int64_t next = 0;
  while (!candidates.empty()) {
    Operation *scores = candidates.front();
    candidates.remove(scores);
    next += rewriteAround(cast<linalg::LinalgOp>(scores), chip, candidates, next);
  }
}
