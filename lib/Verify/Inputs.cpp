#include "forge/Verify/Inputs.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Reference/Elements.h"
#include "forge/Support/Pieces.h"
#include "forge/Support/SmallFloat.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace forge;

/// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static uint64_t bitsAt(uint64_t seed, uint64_t argument, uint64_t index) {
  return mix(mix(mix(seed) ^ argument) ^ index);
}

namespace {
/// What the uses of an argument say about the values that make sense for it.
struct Wanted {
  /// Largest index, for what is used to index something.
  std::optional<int64_t> lastIndex;
  /// Used as positions of new rows in a cache, of which -1 (as serving systems mark padding) and
  /// the end are outside and write nothing.
  bool mayBeOutside = false;
  /// Used as pages that sequences write: none twice, since which of two rows remains in one place
  /// is not specified.
  bool distinct = false;
  /// Used under a root or a logarithm, as a scale or a share.
  bool positive = false;
  /// What logits are divided by before a draw; at 0 the largest is taken.
  bool temperature = false;
  /// Used as the size of a dimension, or as a bound of one.
  bool size = false;
};
} // namespace

/// The largest start of a window of `window` in a dimension of `size`.
static int64_t lastStart(int64_t size, int64_t window) {
  return ShapedType::isDynamic(size) ? 0 : std::max<int64_t>(size - window, 0);
}

static void limit(Wanted &range, int64_t last) {
  range.lastIndex = std::min(range.lastIndex.value_or(last), last);
}

/// Whether operand `number` of `op` holds sizes or bounds of dimensions.
static bool holdsSizes(Operation *op, unsigned number) {
  if (isa<stablehlo::DynamicIotaOp>(op))
    return true;
  if (isa<stablehlo::DynamicBroadcastInDimOp, stablehlo::DynamicReshapeOp>(op))
    return number == 1;
  if (isa<stablehlo::DynamicPadOp, stablehlo::DynamicGatherOp, stablehlo::DynamicConvOp>(op))
    return number >= 2;
  return isa<stablehlo::RealDynamicSliceOp>(op) && number >= 1;
}

/// Rows that a group may get so that the groups about fill the rows there are; positions may be
/// anywhere.
template <typename Op> static int64_t mostPerGroup(Op op, int64_t groups) {
  int64_t rows = op.getLhs().getType().getDimSize(0);
  if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(groups))
    return 4;
  return op.getOffsets() ? rows : std::max<int64_t>(2 * rows / std::max<int64_t>(groups, 1), 1);
}

/// Whether operand `number` of `op` is a scale of narrow values.
static bool isScale(Operation *op, unsigned number) {
  if (isa<transformer::QuantizeOp, transformer::DequantizeOp>(op))
    return number == 1;
  auto linear = dyn_cast<transformer::LinearOp>(op);
  return linear && ((linear.getScale() && number == 2) ||
                    (linear.getInputScale() && number + 1 == op->getNumOperands()));
}

/// Indices, lengths and positions of transformer ops. Where sizes are dynamic, small numbers do:
/// the ops say what is to happen with those that lie outside.
static void considerTransformer(OpOperand &use, Wanted &range) {
  Operation *op = use.getOwner();
  Value value = use.get();
  auto limitTo = [&](int64_t last) {
    if (last >= 0)
      limit(range, last);
  };
  auto size = [](Value tensor, int64_t dim) {
    return cast<ShapedType>(tensor.getType()).getDimSize(dim);
  };
  // Of a dimension of dynamic size, no number: less than 0.
  auto last = [&](Value tensor, int64_t dim) {
    return std::max<int64_t>(size(tensor, dim), 0) - 1;
  };
  // Keys that a sequence has a place for: in one tensor, or in the pages of its table.
  auto limitToKeys = [&](Value keys, Value table) {
    int64_t rows = size(keys, 2), pages = table ? size(table, 1) : 1;
    bool known = !ShapedType::isDynamic(rows) && !ShapedType::isDynamic(pages);
    int64_t places = rows;
    if (known && llvm::MulOverflow(rows, pages, places))
      places = std::numeric_limits<int64_t>::max();
    limitTo(places);
  };
  if (auto embedding = dyn_cast<transformer::EmbeddingOp>(op);
      embedding && value == embedding.getIds())
    limit(range, lastStart(size(embedding.getTable(), 0), 1));
  if (auto attention = dyn_cast<transformer::AttentionOp>(op);
      attention && value == attention.getLengths())
    limitToKeys(attention.getKey(), {});
  if (auto paged = dyn_cast<transformer::PagedAttentionOp>(op)) {
    if (value == paged.getLengths())
      limitToKeys(paged.getKeyPages(), paged.getBlockTable());
    if (value == paged.getBlockTable())
      limitTo(last(paged.getKeyPages(), 0));
  }
  if (auto append = dyn_cast<transformer::KvAppendOp>(op)) {
    if (value == append.getPositions()) {
      limitToKeys(append.getCache(), append.getBlockTable());
      range.mayBeOutside = true;
    }
    if (value == append.getBlockTable()) {
      limitTo(last(append.getCache(), 0));
      range.distinct = true;
    }
  }
  if (auto append = dyn_cast<transformer::KvAppendGradOp>(op)) {
    if (value == append.getPositions()) {
      limitToKeys(append.getCotangent(), append.getBlockTable());
      range.mayBeOutside = true;
    }
    if (value == append.getBlockTable())
      limitTo(last(append.getCotangent(), 0));
  }
  if (auto rope = dyn_cast<transformer::RopeOp>(op); rope && value == rope.getPositions())
    limit(range, 4095);
  if (auto loss = dyn_cast<transformer::CrossEntropyOp>(op); loss && value == loss.getTargets())
    limitTo(last(loss.getLogits(), loss.getLogits().getType().getRank() - 1));
  if (auto sample = dyn_cast<transformer::SampleOp>(op)) {
    range.temperature |= value == sample.getTemperature();
    range.positive |= value == sample.getTopP();
  }
}

/// What `use` alone says.
static void consider(OpOperand &use, Wanted &range) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<stablehlo::SqrtOp, stablehlo::RsqrtOp, stablehlo::LogOp>(op))
    range.positive = true;
  if (auto grouped = dyn_cast<transformer::GroupedMatmulOp>(op); grouped && number == 2)
    limit(range, mostPerGroup(grouped, grouped.getRhs().getType().getDimSize(0)));
  if (auto grouped = dyn_cast<transformer::GroupedOuterOp>(op); grouped && number == 2)
    limit(range, mostPerGroup(grouped, grouped.getNumGroups()));
  if (isScale(op, number))
    range.positive = true;
  considerTransformer(use, range);
  range.size |= holdsSizes(op, number);
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op); gather && number == 1) {
    auto shape = cast<ShapedType>(gather.getOperand().getType()).getShape();
    for (int64_t dimension : gather.getDimensionNumbers().getStartIndexMap())
      limit(range, lastStart(shape[dimension], gather.getSliceSizes()[dimension]));
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op);
      scatter && number == scatter.getInputs().size()) {
    auto shape = cast<ShapedType>(scatter.getInputs()[0].getType()).getShape();
    for (int64_t dimension : scatter.getScatterDimensionNumbers().getScatterDimsToOperandDims())
      limit(range, lastStart(shape[dimension], 1));
  }
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op); slice && number >= 1) {
    auto shape = cast<ShapedType>(slice.getOperand().getType()).getShape();
    limit(range, lastStart(shape[number - 1], slice.getSliceSizes()[number - 1]));
  }
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op); update && number >= 2) {
    auto shape = cast<ShapedType>(update.getOperand().getType()).getShape();
    auto window = cast<ShapedType>(update.getUpdate().getType()).getShape();
    limit(range, ShapedType::isDynamic(window[number - 2])
                     ? 0
                     : lastStart(shape[number - 2], window[number - 2]));
  }
}

/// Whether the op's results are its operands' values, moved or shifted a little.
static bool passesOn(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp, stablehlo::ConvertOp,
             stablehlo::SelectOp, stablehlo::TransposeOp, stablehlo::SliceOp,
             stablehlo::ConcatenateOp, stablehlo::AddOp, stablehlo::MulOp, stablehlo::ClampOp,
             stablehlo::DynamicBroadcastInDimOp, stablehlo::MaxOp, stablehlo::MinOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, arith::AddIOp,
             arith::ExtSIOp>(op);
}

/// Follows the uses of `argument` through moves and calls.
static Wanted rangeOf(BlockArgument argument, ModuleOp module) {
  Wanted range;
  llvm::SetVector<Value> values;
  values.insert(argument);
  for (size_t i = 0; i < values.size(); ++i) {
    for (OpOperand &use : values[i].getUses()) {
      consider(use, range);
      if (passesOn(use.getOwner()))
        values.insert(use.getOwner()->result_begin(), use.getOwner()->result_end());
      auto call = dyn_cast<func::CallOp>(use.getOwner());
      auto callee = call ? module.lookupSymbol<func::FuncOp>(call.getCallee()) : func::FuncOp();
      if (callee && !callee.isExternal())
        values.insert(callee.getArgument(use.getOperandNumber()));
    }
  }
  return range;
}

/// Sizes of dynamic dimensions come as scalar arguments too; jax.export marks them where it says
/// anything.
static bool isDynamicSize(func::FuncOp function, const HostTensor &tensor, unsigned argument,
                          const Wanted &range) {
  return tensor.rank() == 0 && !isFloat(tensor.type()) &&
         (range.size || function.getArgAttr(argument, "jax.global_constant"));
}

static constexpr std::pair<StringRef, Distribution> kDistributions[] = {
    {"uniform", Distribution::Uniform}, {"small", Distribution::Small},
    {"large", Distribution::Large},     {"rising", Distribution::Rising},
    {"falling", Distribution::Falling}, {"peaks", Distribution::Peaks},
    {"ties", Distribution::Ties},       {"huge", Distribution::Huge}};

ArrayRef<std::pair<StringRef, Distribution>> forge::allDistributions() { return kDistributions; }

std::optional<Distribution> forge::parseDistribution(StringRef name) {
  for (auto [known, distribution] : kDistributions)
    if (name == known)
      return distribution;
  return std::nullopt;
}

/// The largest finite number of a float type.
static double largestOf(DType type) {
  for (uint64_t bits = encodeFloat(type, std::numeric_limits<double>::max());; --bits)
    if (double value = decodeFloat(type, bits); std::isfinite(value))
      return value;
}

/// Element `i` of a float argument of `type`; `unit` is random in [0, 1), `peak` the place of its
/// row's peak.
static double spread(Distribution distribution, DType type, double unit, int64_t i,
                     int64_t rowLength, int64_t peak) {
  double number = 2 * unit - 1;
  // Steps beyond some change nothing more, and would overflow f16.
  constexpr int64_t kMostSteps = 16;
  int64_t before = i % rowLength, after = rowLength - 1 - before;
  switch (distribution) {
  case Distribution::Uniform:
    return number;
  case Distribution::Small:
    return number / 256;
  case Distribution::Large:
    return 128 * number;
  case Distribution::Huge:
    return std::min(10000.0, std::sqrt(largestOf(type))) * number;
  case Distribution::Rising:
    return number - 128 * static_cast<double>(1 + std::min(after, kMostSteps));
  case Distribution::Falling:
    return number - 128 * static_cast<double>(1 + std::min(before, kMostSteps));
  case Distribution::Peaks:
    return before == peak ? number + 256 : number;
  case Distribution::Ties:
    return std::round(2 * number) / 2;
  }
  llvm_unreachable("all distributions are named above");
}

/// Number `i` of a sequence without repetition, in [0, count) as far as that goes.
static uint64_t distinctAt(uint64_t seed, uint64_t count, uint64_t i) {
  if (i >= count)
    return i;
  uint64_t step = mix(seed) % count + 1;
  while (std::gcd(step, count) != 1)
    ++step;
  // In 128 bits, since the product may need them.
  return static_cast<uint64_t>((static_cast<__uint128_t>(i) * step + seed) % count);
}

/// One draw of so many is without chance.
static constexpr int64_t kGreedyDraws = 8;

/// Elements that a thread fills at a time.
static constexpr size_t kGrain = size_t(1) << 16;

/// Sets element `i`.
static void fillElement(HostTensor &tensor, const Wanted &range, const InputOptions &options,
                        uint64_t argument, int64_t rowLength, int64_t i) {
  uint64_t bits = bitsAt(options.seed, argument, static_cast<uint64_t>(i));
  double unit = static_cast<double>(bits >> 11) * 0x1p-53; // [0, 1)
  auto peak = [&] {
    auto row = static_cast<uint64_t>(i / rowLength);
    return static_cast<int64_t>(bitsAt(options.seed, ~argument, row) >> 1) % rowLength;
  };
  if (range.temperature)
    tensor.setDouble(i, (i + 1) % kGreedyDraws == 0 ? 0 : 0.5 + unit);
  else if (isFloat(tensor.type()))
    tensor.setDouble(i, range.positive
                            ? 0.1 + unit
                            : spread(options.distribution, tensor.type(), unit, i, rowLength,
                                     options.distribution == Distribution::Peaks ? peak() : 0));
  else if (tensor.type() == DType::I1)
    tensor.setBits(i, bits >> 63);
  else if (range.lastIndex && range.mayBeOutside && (i == 1 || i == 2))
    reference::setInteger(tensor, i, static_cast<uint64_t>(i == 1 ? -1 : *range.lastIndex));
  else if (range.distinct)
    reference::setInteger(tensor, i,
                          distinctAt(bitsAt(options.seed, argument, 0),
                                     range.lastIndex ? static_cast<uint64_t>(*range.lastIndex) + 1
                                                     : tensor.numElements(),
                                     static_cast<uint64_t>(i)));
  else if (range.lastIndex)
    reference::setInteger(tensor, i, (bits >> 1) % (static_cast<uint64_t>(*range.lastIndex) + 1));
  else
    reference::setInteger(tensor, i,
                          isSignedInteger(tensor.type()) ? (bits >> 1) % 15 - 7 : (bits >> 1) % 8);
}

static void fill(HostTensor &tensor, const Wanted &range, const InputOptions &options,
                 uint64_t argument) {
  int64_t rowLength = tensor.rank() == 0 ? 1 : std::max<int64_t>(tensor.dims().back(), 1);
  forEachPiece(static_cast<size_t>(tensor.numElements()), kGrain, copyWorkers(),
               [&](size_t, size_t begin, size_t count) {
                 for (size_t i = begin; i < begin + count; ++i)
                   fillElement(tensor, range, options, argument, rowLength,
                               static_cast<int64_t>(i));
               });
}

FailureOr<std::vector<HostTensor>> forge::makeInputs(func::FuncOp function,
                                                     const InputOptions &options) {
  // The signs of integers, where lowering has recorded them.
  std::optional<FunctionSignature> recorded = recordedSignature(function);
  std::vector<HostTensor> inputs;
  for (BlockArgument argument : function.getArguments()) {
    if (argument.getArgNumber() < options.given.size() && options.given[argument.getArgNumber()])
      continue;
    auto type = dyn_cast<ShapedType>(argument.getType());
    FailureOr<DType> element = isa<RankedTensorType, MemRefType>(argument.getType())
                                   ? dtypeOf(type.getElementType())
                                   : FailureOr<DType>();
    if (succeeded(element) && recorded)
      element = recorded->arguments[argument.getArgNumber()].type;
    if (failed(element))
      return function.emitError("unsupported type of argument ") << argument.getArgNumber();
    std::vector<int64_t> dims(type.getShape());
    for (int64_t &dim : dims)
      dim = ShapedType::isDynamic(dim) ? options.dynamicSize : dim;
    Result<HostTensor> tensor = HostTensor::create(*element, std::move(dims));
    if (!tensor)
      return function.emitError("argument ")
             << argument.getArgNumber() << ": " << tensor.error().message;
    Wanted range = rangeOf(argument, function->getParentOfType<ModuleOp>());
    if (isDynamicSize(function, *tensor, argument.getArgNumber(), range))
      reference::setInteger(*tensor, 0, static_cast<uint64_t>(options.dynamicSize));
    else
      fill(*tensor, range, options, argument.getArgNumber());
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}
