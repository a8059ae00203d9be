#include "GradientRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>
#include <numbers>

using namespace mlir;
using namespace forge;

static Value extended(ImplicitLocOpBuilder &b, Value value) {
  return value.getType().isF32() ? value
                                 : arith::ExtFOp::create(b, b.getF32Type(), value).getResult();
}

static Value constant(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(static_cast<float>(value)));
}

/// `left` times `right`, negated if asked for, added up along the last of `loops`.
static Value createSum(NewOperations &made, const ScoreProgram &program, ArrayRef<unsigned> loops,
                       const AxisTensor &left, const AxisTensor &right, bool isNegative) {
  auto mapOf = [&](ArrayRef<unsigned> axes) {
    return projection(made.b, loops.size(), llvm::map_to_vector(axes, [&](unsigned axis) {
                        return static_cast<unsigned>(llvm::find(loops, axis) - loops.begin());
                      }));
  };
  ArrayRef<unsigned> kept = loops.drop_back();
  Value start =
      made.zeros(llvm::map_to_vector(kept, [&](unsigned axis) { return program.sizeOf(axis); }));
  SmallVector<utils::IteratorType> iterators(loops.size(), utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto sum = made.created(linalg::GenericOp::create(
      made.b, start.getType(), ValueRange{left.value, right.value}, start,
      ArrayRef{mapOf(left.axes), mapOf(right.axes), mapOf(kept)}, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value x = extended(inner, arguments[0]), y = extended(inner, arguments[1]);
        Value term = arith::MulFOp::create(inner, x, y);
        if (isNegative)
          term = arith::NegFOp::create(inner, term);
        Value more = arith::AddFOp::create(inner, arguments[2], term);
        linalg::YieldOp::create(inner, more);
      }));
  return sum.getResult(0);
}

std::optional<AxisTensor> GradientRows::keptTensor(AttentionGraph::Place place) const {
  for (int stage : program.reductions)
    if (graph.isResultOf(place, stage))
      return resultTensor(program, stage, 0);
  if (graph.isResultOf(place, program.graph.scores))
    return resultTensor(program, program.graph.scores, 0);
  return std::nullopt;
}

bool GradientRows::createStatistics() {
  SetVector<Value> read;
  collectSources(program, weights.base, read);
  collectSources(program, weights.divisor, read);
  made.insertBehind(read.getArrayRef());
  auto kept = [&](AttentionGraph::Place place) { return keptTensor(place); };
  NumberBody ofBase(made.b, program, rowAxes(program), kept);
  NumberBody ofSum(made.b, program, rowAxes(program), kept);
  Value number = ofBase.numberOf(weights.base), divisor = ofSum.numberOf(weights.divisor);
  if (!number || !divisor || !number.getType().isF32() || !divisor.getType().isF32())
    return false;
  // A base of -inf would give NaN for logits of -inf.
  ImplicitLocOpBuilder end = ofBase.end();
  Value lowest = constant(end, std::numeric_limits<float>::lowest());
  Value finite = arith::MaximumFOp::create(end, number, lowest);
  base = {made.created(ofBase.create(finite)).getResult(0), rowAxes(program)};
  ImplicitLocOpBuilder at = ofSum.end();
  Value logarithm = math::LogOp::create(at, divisor);
  Value power = arith::MulFOp::create(at, logarithm, constant(at, std::numbers::log2e));
  if (weights.isZeroWithoutKeys()) {
    Value none = arith::CmpFOp::create(at, arith::CmpFPredicate::OEQ, divisor, constant(at, 0));
    Value infinity = constant(at, std::numeric_limits<double>::infinity());
    power = arith::SelectOp::create(at, none, infinity, power);
  }
  logSum = {made.created(ofSum.create(power)).getResult(0), rowAxes(program)};
  return true;
}

std::optional<AxisTensor> GradientRows::createResult() {
  const ScoreProgram::Product &product = program.products[1];
  std::optional<AxisTensor> values = operandTensor(program, product.stage, product.key);
  if (!values)
    return std::nullopt;
  SetVector<Value> read;
  for (AttentionGraph::Place place : {weights.logit, weights.base, weights.divisor})
    collectSources(program, place, read);
  read.insert(values->value);
  read.insert(base.value);
  read.insert(logSum.value);
  read.insert(resultTensor(program, program.graph.scores, 0).value);
  made.insertBehind(read.getArrayRef());
  auto kept = [&](AttentionGraph::Place place) { return keptTensor(place); };
  // 1. Exponentials.
  NumberBody body(made.b, program, matrixAxes(program), kept);
  Value power = body.numberOf(weights.exponential);
  if (!power)
    return std::nullopt;
  ImplicitLocOpBuilder at = body.end();
  Type narrow = getElementTypeOrSelf(values->value.getType());
  Value rounded = arith::TruncFOp::create(at, narrow, power);
  AxisTensor exponentials{made.created(body.create(rounded)).getResult(0), matrixAxes(program)};
  // 2. Their products with the values.
  SmallVector<unsigned> loops = rowAxes(program);
  loops.push_back(program.graph.columnAxis());
  loops.push_back(program.graph.keyAxis());
  Value weighted = createSum(made, program, loops, exponentials, *values, /*isNegative=*/false);
  // 3. Divided.
  SmallVector<unsigned> columns(loops.begin(), loops.end() - 1);
  NumberBody quotient(made.b, program, columns, kept);
  Value divisor = quotient.numberOf(weights.divisor);
  Value dividend = quotient.elementOf({weighted, columns});
  if (!divisor || !dividend)
    return std::nullopt;
  ImplicitLocOpBuilder end = quotient.end();
  Value zero = constant(end, 0);
  Value none = arith::CmpFOp::create(end, arith::CmpFPredicate::OEQ, divisor, zero);
  Value share = arith::DivFOp::create(end, dividend, divisor);
  Value chosen = arith::SelectOp::create(end, none, zero, share);
  return AxisTensor{made.created(quotient.create(chosen)).getResult(0), columns};
}

std::optional<AxisTensor> GradientRows::createWeightedGradients(bool isNegative) {
  const ScoreProgram::Product &product = program.products[1];
  std::optional<AxisTensor> cotangent = operandTensor(program, product.stage, product.row);
  std::optional<AxisTensor> result = weights.findResult();
  if (!result)
    result = createResult();
  if (!result || !cotangent)
    return std::nullopt;
  made.insertBehind({result->value, cotangent->value});
  SmallVector<unsigned> loops = rowAxes(program);
  loops.push_back(program.graph.columnAxis());
  Value sum = createSum(made, program, loops, *result, *cotangent, isNegative);
  if (!getElementTypeOrSelf(result->value).isF32())
    roundedResults.push_back(&sum.getDefiningOp()->getOpOperand(0));
  return AxisTensor{sum, rowAxes(program)};
}

bool GradientRows::create(ArrayRef<const ScoreProgram::Sum *> gradients) {
  if (!createStatistics())
    return false;
  std::optional<AxisTensor> bySign[2];
  for (int stage : program.reductions) {
    bool isUsed = llvm::any_of(gradients, [&](const ScoreProgram::Sum *sum) {
      return graph.dependsOn(program.numberOf(*sum), {stage});
    });
    // What weights are computed by is not one: of that the statistics are made.
    int sign = isUsed ? weights.signOfWeightedGradient(stage) : 0;
    if (sign == 0)
      continue;
    std::optional<AxisTensor> &known = bySign[sign > 0];
    if (!known)
      known = createWeightedGradients(sign < 0);
    if (!known)
      return false;
    ofRows[stage] = *known;
  }
  return true;
}
