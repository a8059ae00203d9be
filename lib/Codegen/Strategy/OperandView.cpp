#include "OperandView.h"

#include "forge/Codegen/ContiguousView.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

ElementCount OperandView::rootStride(unsigned dim) const {
  auto type = cast<ShapedType>(root.getType());
  ElementCount count;
  for (unsigned inner = dim + 1; inner < type.getRank(); ++inner)
    if (type.isDynamicDim(inner))
      count.dynamic.push_back(inner);
    else
      count.known *= type.getDimSize(inner);
  return count;
}

ElementCount OperandView::stride(unsigned dim) const {
  ElementCount count = rootStride(dims[dim].root);
  count.known *= dims[dim].step;
  return count;
}

bool OperandView::isContinued(unsigned outer, unsigned inner) const {
  const Dim &from = dims[outer], &to = dims[inner];
  if (from.step != 1 || to.step != 1 || from.root >= to.root || from.low || to.low)
    return false;
  // Elements along `inner` that one step along `outer` passes.
  ElementCount passed = rootStride(from.root), each = rootStride(to.root);
  bool isDynamic = cast<ShapedType>(root.getType()).isDynamicDim(to.root);
  if (isDynamic)
    return to.isWhole && passed.dynamic.size() == each.dynamic.size() + 1 &&
           passed.known == each.known;
  return !ShapedType::isDynamic(to.size) && passed.dynamic == each.dynamic &&
         passed.known == each.known * to.size;
}

bool OperandView::beginsAtMultipleOf(int64_t elements) const {
  for (auto [dim, begin] : llvm::enumerate(begins)) {
    int64_t each = rootStride(dim).known;
    if (begin.known * each % elements != 0)
      return false;
    for (auto [value, factor] : begin.terms)
      if (factor * each % elements != 0)
        return false;
  }
  return true;
}

/// As kernels are formed: pure arithmetic on an element is computed where the element is read.
static bool isOfElement(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (isa<tensor::ExtractOp, memref::LoadOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return isOfElement(operand, depth + 1); });
}

bool OperandView::dependsOnElements() const {
  return llvm::any_of(begins, [](const Begin &begin) {
    return llvm::any_of(begin.terms, [](auto term) { return isOfElement(term.first); });
  });
}

OpFoldResult OperandView::countValue(OpBuilder &builder, Location loc,
                                     const ElementCount &count) const {
  OpFoldResult value = builder.getIndexAttr(count.known);
  for (unsigned dim : count.dynamic)
    value = multiplySizes(builder, loc, value, memref::getMixedSize(builder, loc, root, dim));
  return value;
}

OpFoldResult OperandView::offsetValue(OpBuilder &builder, Location loc) const {
  int64_t known = 0;
  Value sum;
  auto add = [&](Value term) {
    sum = sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  };
  for (auto [dim, begin] : llvm::enumerate(begins)) {
    ElementCount each = rootStride(dim);
    auto times = [&](OpFoldResult number) {
      return getValueOrCreateConstantIndexOp(
          builder, loc, multiplySizes(builder, loc, number, countValue(builder, loc, each)));
    };
    if (each.dynamic.empty())
      known += begin.known * each.known;
    else if (begin.known != 0)
      add(times(builder.getIndexAttr(begin.known)));
    for (auto [value, factor] : begin.terms)
      add(times(multiplySizes(builder, loc, value, builder.getIndexAttr(factor))));
  }
  if (!sum)
    return builder.getIndexAttr(known);
  if (known != 0)
    add(arith::ConstantIndexOp::create(builder, loc, known));
  return sum;
}

/// Adds to `view`, of the source of `slice`, what the slice takes of that.
static bool slice(OperandView &view, OffsetSizeAndStrideOpInterface slice,
                  const llvm::SmallBitVector &dropped) {
  SmallVector<OperandView::Dim> kept;
  for (auto [number, dim] : llvm::enumerate(view.dims)) {
    OpFoldResult offset = slice.getMixedOffsets()[number], size = slice.getMixedSizes()[number];
    std::optional<int64_t> step = getConstantIntValue(slice.getMixedStrides()[number]);
    std::optional<int64_t> known = getConstantIntValue(offset), extent = getConstantIntValue(size);
    if (!step || *step < 1)
      return false;
    OperandView::Begin &begin = view.begins[dim.root];
    if (known)
      begin.known += *known * dim.step;
    else
      begin.terms.emplace_back(cast<Value>(offset), dim.step);
    bool isWhole = dim.isWhole && known == 0 && step == 1 && extent == dim.size;
    if (!dropped[number])
      kept.push_back(
          {dim.root, dim.step * *step, extent ? *extent : ShapedType::kDynamic, isWhole});
  }
  view.dims = std::move(kept);
  return true;
}

std::optional<OperandView> forge::viewOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto part = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    std::optional<OperandView> view = viewOf(part.getSource());
    if (!view || !slice(*view, part, part.getDroppedDims()))
      return std::nullopt;
    return view;
  }
  if (auto part = dyn_cast_or_null<memref::SubViewOp>(op)) {
    std::optional<OperandView> view = viewOf(part.getSource());
    if (!view || !slice(*view, part, part.getDroppedDims()))
      return std::nullopt;
    return view;
  }
  auto type = dyn_cast<ShapedType>(value.getType());
  auto buffer = dyn_cast<MemRefType>(value.getType());
  if (!type || !type.hasRank() || (buffer && !buffer.getLayout().isIdentity()))
    return std::nullopt;
  OperandView view;
  view.root = value;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    view.dims.push_back({static_cast<unsigned>(dim), 1, size, true});
  view.begins.resize(type.getRank());
  return view;
}
