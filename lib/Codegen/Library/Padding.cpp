// A convolution whose image a kernel before it surrounds with zeros, as one call of the library.
#include "ConvolutionCall.h"

#include "forge/Codegen/VendorWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

namespace {
/// What a kernel surrounds a tensor with, by its dimensions.
struct Padding {
  RankedTensorType source, result;
  SmallVector<int64_t, 4> low;

  int64_t high(unsigned dim) const {
    return result.getDimSize(dim) - source.getDimSize(dim) - low[dim];
  }
};
} // namespace

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue())
                                                       : std::nullopt;
}

static bool isIndex(Value value, unsigned dim) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == dim;
}

/// `value` = min(max(index, low) - low, size - 1), where steps that change nothing may be left out:
/// low.
static std::optional<int64_t> lowOf(Value value, unsigned dim, int64_t size) {
  if (auto least = value.getDefiningOp<arith::MinSIOp>()) {
    if (constantOf(least.getRhs()) != size - 1)
      return std::nullopt;
    value = least.getLhs();
  }
  int64_t low = 0;
  if (auto less = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<int64_t> taken = constantOf(less.getRhs());
    auto most = less.getLhs().getDefiningOp<arith::MaxSIOp>();
    if (!taken || *taken < 0 || !most || constantOf(most.getRhs()) != taken)
      return std::nullopt;
    low = *taken;
    value = most.getLhs();
  }
  return isIndex(value, dim) ? std::optional(low) : std::nullopt;
}

/// Whether `condition` says that an index is inside the source, and of every dimension that is
/// surrounded it does.
static bool isInside(Value condition, const Padding &padding) {
  SmallVector<Value> parts{condition};
  SmallVector<bool> isAbove(padding.low.size(), false), isBelow(padding.low.size(), false);
  while (!parts.empty()) {
    Value part = parts.pop_back_val();
    if (auto both = part.getDefiningOp<arith::AndIOp>()) {
      parts.append({both.getLhs(), both.getRhs()});
      continue;
    }
    auto compare = part.getDefiningOp<arith::CmpIOp>();
    auto index = compare ? compare.getLhs().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
    std::optional<int64_t> limit = index ? constantOf(compare.getRhs()) : std::nullopt;
    if (!limit)
      return false;
    unsigned dim = index.getDim();
    int64_t last = padding.low[dim] + padding.source.getDimSize(dim) - 1;
    if (compare.getPredicate() == arith::CmpIPredicate::sge && *limit == padding.low[dim])
      isAbove[dim] = true;
    else if (compare.getPredicate() == arith::CmpIPredicate::sle && *limit == last)
      isBelow[dim] = true;
    else
      return false;
  }
  for (unsigned dim = 0; dim < padding.low.size(); ++dim)
    if ((padding.low[dim] > 0 && !isAbove[dim]) || (padding.high(dim) > 0 && !isBelow[dim]))
      return false;
  return true;
}

/// Nothing if `kernel` does anything but surround its first argument with zeros.
static std::optional<Padding> paddingOf(func::FuncOp kernel) {
  linalg::GenericOp only;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (only || !isa<linalg::GenericOp>(op))
      return std::nullopt;
    only = cast<linalg::GenericOp>(op);
  }
  if (!only || !only.hasPureTensorSemantics() || only.getNumDpsInputs() != 0 ||
      only.getNumDpsInits() != 1 || only.getNumParallelLoops() != only.getNumLoops() ||
      !only.getIndexingMapsArray()[0].isIdentity())
    return std::nullopt;
  auto choice = only.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto element =
      choice ? choice.getTrueValue().getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  if (!element || !matchPattern(choice.getFalseValue(), m_AnyZeroFloat()) ||
      element.getTensor() != kernel.getArgument(0))
    return std::nullopt;
  Padding padding{
      element.getTensor().getType(), cast<RankedTensorType>(only.getResult(0).getType()), {}};
  if (!padding.source.hasStaticShape() || !padding.result.hasStaticShape() ||
      padding.source.getRank() != padding.result.getRank())
    return std::nullopt;
  for (auto [dim, index] : llvm::enumerate(element.getIndices())) {
    std::optional<int64_t> low = lowOf(index, dim, padding.source.getDimSize(dim));
    if (!low)
      return std::nullopt;
    padding.low.push_back(*low);
    if (padding.high(dim) < 0)
      return std::nullopt;
  }
  return isInside(choice.getCondition(), padding) ? std::optional(padding) : std::nullopt;
}

static SmallVector<int64_t, 4> stridesOf(RankedTensorType type) {
  SmallVector<int64_t, 4> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * type.getDimSize(dim);
  return strides;
}

std::optional<rt::ConvolutionCall> forge::withPadding(const rt::ConvolutionCall &call,
                                                      func::FuncOp kernel) {
  std::optional<Padding> padding = paddingOf(kernel);
  if (!padding)
    return std::nullopt;
  SmallVector<int64_t, 4> before = stridesOf(padding->source), after = stridesOf(padding->result);
  auto dimOf = [&](int64_t stride) -> std::optional<unsigned> {
    for (unsigned dim = 0; dim < after.size(); ++dim)
      if (after[dim] == stride && padding->result.getDimSize(dim) > 1)
        return dim;
    return std::nullopt;
  };
  rt::ConvolutionCall padded = call;
  SmallVector<bool> isAxis(after.size(), false);
  for (auto [number, stride] : llvm::enumerate(padded.imageStrides)) {
    std::optional<unsigned> dim = dimOf(stride);
    // Images of one, or one channel, have any stride.
    if (!dim && number >= 2)
      return std::nullopt;
    stride = dim ? before[*dim] : padding->source.getNumElements();
    if (number < 2)
      continue;
    rt::ConvolutionCall::Axis &axis = padded.axes[number - 2];
    if (axis.size != padding->result.getDimSize(*dim))
      return std::nullopt;
    axis.size = padding->source.getDimSize(*dim);
    axis.lowPadding = padding->low[*dim];
    axis.highPadding = padding->high(*dim);
    isAxis[*dim] = true;
  }
  for (unsigned dim = 0; dim < after.size(); ++dim)
    if (!isAxis[dim] && padding->source.getDimSize(dim) != padding->result.getDimSize(dim))
      return std::nullopt;
  return padded;
}
