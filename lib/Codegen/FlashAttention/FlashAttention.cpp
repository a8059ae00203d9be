#include "FlashAttention.h"

#include "FlashPlan.h"
#include "TileValues.h"

#include "forge/Codegen/MatrixUnit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

int64_t FlashAttention::numPlaces() const {
  int64_t count = 1;
  for (unsigned axis : places)
    count *= sizeOf(axis);
  return count;
}

/// Of two factors: their type, or f32, which holds the numbers of both.
static Type commonType(Type a, Type b) { return a == b ? a : Float32Type::get(a.getContext()); }

Type FlashAttention::weightType() const {
  const AttentionStage &weighted = program.stages[program.weighted];
  auto isWeights = [&](const RowContent &content) {
    return content.kind == RowContent::Stage && content.stage == program.weights;
  };
  const RowContent *weights = llvm::find_if(weighted.operands, isWeights);
  linalg::GenericOp op = weighted.op;
  return getElementTypeOrSelf(op->getOperand(weights - weighted.operands.begin()));
}

Type FlashAttention::scoredType() const { return commonType(queryType(), keyType()); }

Type FlashAttention::weightedType() const { return commonType(weightType(), factorType()); }

bool forge::isOfTensorMap(const AxisAccess &access, unsigned inner) {
  int64_t unit = 16 / access.elementBytes(), dims = 0;
  for (auto [axis, stride] : llvm::enumerate(access.strides)) {
    if (axis != inner && stride % unit != 0)
      return false;
    dims += stride != 0;
  }
  return access.offset % unit == 0 && dims <= 5;
}

const char *forge::accessFactor(const AttentionProgram &program, int stage, unsigned operand,
                                unsigned inner, AxisAccess &to) {
  std::optional<AxisAccess> access = accessOf(program, stage, operand);
  if (!access || !cast<ShapedType>(access->root.getType()).hasStaticShape())
    return "queries, keys and values of known strides";
  Type type = getElementTypeOrSelf(access->root.getType());
  if (!type.isBF16() && !type.isF16() && !type.isF32())
    return "queries, keys and values of bf16, f16 or f32";
  if (access->strides[inner] != 1)
    return "queries, keys and values whose depth and columns are side by side";
  to = std::move(*access);
  return nullptr;
}

const char *forge::accessMappedFactor(const AttentionProgram &program, int stage, unsigned operand,
                                      unsigned inner, AxisAccess &to) {
  if (const char *expected = accessFactor(program, stage, operand, inner, to))
    return expected;
  if (to.elementBytes() != 2)
    return "queries, keys and values of bf16 or f16";
  return isOfTensorMap(to, inner)
             ? nullptr
             : "factors that begin at multiples of 16 bytes, at strides of multiples of 16 bytes, "
               "of five dimensions or fewer";
}

double forge::takeScale(const AttentionProgram &program, AttentionGraph::Place &number,
                        bool roundsAlike) {
  AttentionGraph graph(program);
  Operation *op = number.value.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op) || !op->getResult(0).getType().isF32())
    return 1;
  for (unsigned i : {0u, 1u}) {
    APFloat factor(0.0f);
    if (!matchPattern(graph.resolve({number.stage, op->getOperand(i)}).value,
                      m_ConstantFloat(&factor)) ||
        (isa<arith::DivFOp>(op) && i == 0))
      continue;
    double scale = factor.convertToDouble();
    if (isa<arith::DivFOp>(op))
      scale = 1 / scale;
    constexpr double most = 0x1p100;
    if (scale < 1 / most || !(scale <= most))
      return 1;
    AttentionGraph::Place rest = graph.unrounded({number.stage, op->getOperand(1 - i)});
    int exponent;
    bool isExact = isa<arith::MulFOp>(op) || std::frexp(scale, &exponent) == 0.5;
    if (roundsAlike && !isExact && !graph.isResultOf(rest, program.scores))
      return 1;
    number = rest;
    return scale;
  }
  return 1;
}

namespace {
class Matcher {
public:
  Matcher(FlashAttention &flash, const GPUChip &chip)
      : flash(flash), program(flash.program), chip(chip) {}

  /// Null if all of it holds, otherwise what was expected.
  const char *run() {
    for (const AttentionProgram::Extent &extent : program.extents)
      if (ShapedType::isDynamic(extent.size) || extent.size < 1 || extent.size >= kMostOfAxis)
        return "axes of known sizes below 2^29";
    if (!chooseRows())
      return "rows";
    if (const char *why = matchFactors())
      return why;
    matchLogit();
    return checkValues();
  }

private:
  /// Indices stay far from the ends of 32 bits.
  static constexpr int64_t kMostOfAxis = int64_t(1) << 29;

  bool chooseRows() {
    std::optional<unsigned> longest;
    for (auto [axis, isRow] : llvm::enumerate(program.isRow))
      if (isRow && (!longest || flash.sizeOf(axis) > flash.sizeOf(*longest)))
        longest = axis;
    if (!longest)
      return false;
    flash.rowAxis = *longest;
    int64_t tiles = flash.rows();
    for (unsigned axis = 0; axis < program.isRow.size(); ++axis)
      if (axis != flash.rowAxis) {
        flash.places.push_back(axis);
        tiles = llvm::SaturatingMultiply<uint64_t>(tiles, flash.sizeOf(axis));
      }
    return tiles < kMostOfAxis;
  }

  const char *matchFactor(const AttentionRead &read, int contraction, unsigned inner,
                          AxisAccess &to) {
    if (read.extract ||
        (read.stage != contraction && (&read != &program.value || !matchValueConditions())))
      return "queries, keys and values as they are in memory";
    return accessFactor(program, read.stage, read.operand, inner, to);
  }

  /// Values that are 0 beyond a number of keys, as those beyond a sequence's length are.
  bool matchValueConditions() {
    AttentionGraph graph(program);
    linalg::GenericOp op = program.stages[program.value.stage].op;
    AttentionGraph::Place value{program.value.stage, op.getBody()->getTerminator()->getOperand(0)};
    flash.valueConditions = takeConditions(program, flash.rowAxis, value, /*otherwise=*/0);
    auto isOfKeys = [&](const std::pair<AttentionGraph::Place, int64_t> &term) {
      return !graph.dependsOnAxis(term.first, program.columnAxis());
    };
    auto memory = op.getBody()->getArgument(program.value.operand);
    return value.value == memory &&
           memory.getType() == getElementTypeOrSelf(op.getDpsInits()[0].getType()) &&
           flash.valueConditions.others.empty() &&
           llvm::all_of(flash.valueConditions.limits, [&](const KeyLimit &limit) {
             return limit.isUpper && limit.perRow == 0 && llvm::all_of(limit.terms, isOfKeys);
           });
  }

  const char *matchFactors() {
    for (auto [read, contraction, inner, to] :
         {std::tuple(&program.query, program.scores, program.depthAxis(), &flash.query),
          std::tuple(&program.key, program.scores, program.depthAxis(), &flash.key),
          std::tuple(&program.value, program.weighted, program.columnAxis(), &flash.value)})
      if (const char *why = matchFactor(*read, contraction, inner, *to))
        return why;
    Type weight = flash.weightType();
    if (weight != flash.factorType() && !weight.isF32())
      return "weights of the type of the values, or of f32";
    if (!flash.scoredType().isF32() && matrixUnitOf(chip) != MatrixUnit::None) {
      // Else none of the products would be a matrix unit's.
      if (weight != flash.factorType() || weight.isF32())
        return "weights that are rounded to the type of the values, of 16 bits as queries and keys";
      bool byTensorMaps = isOfTensorMap(flash.query, program.depthAxis()) &&
                          isOfTensorMap(flash.key, program.depthAxis()) &&
                          isOfTensorMap(flash.value, program.columnAxis());
      flash.unit =
          chip.warpgroupProducts && byTensorMaps ? FlashUnit::Warpgroups : FlashUnit::Warps;
    }
    if (!flash.valueConditions.limits.empty() && !flash.isOfFewRows())
      return "queries, keys and values as they are in memory";
    return plansOf(flash, chip).empty()
               ? "depth and columns that fit into registers and shared memory"
               : nullptr;
  }

  bool usesKeyIndex(AttentionGraph::Place place, llvm::DenseSet<Value> &seen) {
    place = AttentionGraph(program).resolve(place);
    if (!seen.insert(place.value).second)
      return false;
    const AttentionStage &stage = program.stages[place.stage];
    Operation *op = place.value.getDefiningOp();
    if (!op || op->getBlock() != stage.op.getBody())
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      return stage.axes[index.getDim()] == program.keyAxis();
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) { return usesKeyIndex({place.stage, operand}, seen); });
  }

  /// Of a logit in which a number is scaled at the end the factor goes with the base of the
  /// exponential.
  void matchLogit() {
    flash.number = {program.exponentials, program.logit};
    flash.conditions = takeConditions(program, flash.rowAxis, flash.number);
    llvm::DenseSet<Value> seen;
    flash.usesKeyIndex = usesKeyIndex(flash.number, seen);
    for (const KeyCondition &condition : flash.conditions.others)
      flash.usesKeyIndex |= usesKeyIndex(condition.place, seen);
    flash.scale = takeScale(program, flash.number, /*roundsAlike=*/true);
  }

  const char *checkValues() {
    TileAxes keys{flash.rowAxis, program.keyAxis()}, columns{flash.rowAxis, program.columnAxis()};
    KnownStage scores{program.scores, {true, true}}, weighted{program.weighted, {true, true}},
        largest{program.largest, {true, false}}, sums{program.sums, {true, false}};
    auto holds = [&](AttentionGraph::Place place, const TileAxes &axes,
                     llvm::ArrayRef<KnownStage> known) {
      return isOnTiles(program, place, axes, known);
    };
    bool logits = holds(flash.number, keys, {scores});
    for (const KeyCondition &condition : flash.conditions.others)
      logits &= holds(condition.place, keys, {scores});
    Type type = flash.number.value.getType();
    if (!logits || !isa<FloatType>(type) || type.getIntOrFloatBitWidth() > 32)
      return "logits of elementwise operations on scores, indices and memory at known strides";
    bool results = holds({program.exponentials, program.base}, columns, {largest});
    for (const AttentionProgram::RowFactor &factor : program.rowFactors)
      results &= holds({factor.stage, factor.value}, columns, {largest, sums});
    for (const AttentionWrite &write : program.writes) {
      Value yielded =
          program.stages[write.stage].op.getBody()->getTerminator()->getOperand(write.result);
      results &= write.stage == program.weighted ||
                 holds({write.stage, yielded}, columns, {largest, sums, weighted});
    }
    return results ? nullptr
                   : "results of elementwise operations on sums and memory at known strides";
  }

  FlashAttention &flash;
  AttentionProgram &program;
  const GPUChip &chip;
};
} // namespace

FailureOr<FlashAttention> forge::matchFlashAttention(AttentionProgram program, const GPUChip &chip,
                                                     WhyNot whyNot) {
  FlashAttention flash;
  flash.program = std::move(program);
  if (const char *expected = Matcher(flash, chip).run()) {
    whyNot(Twine("it needs ") + expected);
    return failure();
  }
  return flash;
}
