#include "FactorPadding.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue())
                                                       : std::nullopt;
}

/// Takes from `condition` which indices are inside: comparisons of loops with constants, all of
/// which hold.
static bool findInside(Value condition, FactorPadding &padding) {
  SmallVector<int64_t> first(padding.shape.size(), 0);
  SmallVector<int64_t> last =
      llvm::map_to_vector(padding.shape, [](int64_t size) { return size - 1; });
  SmallVector<Value> parts{condition};
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
    if (compare.getPredicate() == arith::CmpIPredicate::sge)
      first[dim] = std::max(first[dim], *limit);
    else if (compare.getPredicate() == arith::CmpIPredicate::sle)
      last[dim] = std::min(last[dim], *limit);
    else
      return false;
  }
  padding.low.assign(first.begin(), first.end());
  bool isAround = false;
  for (unsigned dim = 0; dim < padding.shape.size(); ++dim) {
    if (last[dim] < first[dim])
      return false;
    padding.inside.push_back(last[dim] - first[dim] + 1);
    isAround |= padding.isAround(dim);
  }
  return isAround;
}

/// By how much `value`, an index of the source, is less than loop `dim` wherever that is inside;
/// nothing if it is anything else.
static std::optional<int64_t> shiftOf(Value value, unsigned dim, const FactorPadding &padding) {
  int64_t first = padding.low[dim], last = first + padding.inside[dim] - 1;
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return index.getDim() == dim ? std::optional<int64_t>(0) : std::nullopt;
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> number =
      op && op->getNumOperands() == 2 ? constantOf(op->getOperand(1)) : std::nullopt;
  if (!number)
    return std::nullopt;
  std::optional<int64_t> shift = shiftOf(op->getOperand(0), dim, padding);
  if (!shift)
    return std::nullopt;
  if (isa<arith::SubIOp>(op))
    return *shift + *number;
  if (isa<arith::AddIOp>(op))
    return *shift - *number;
  // Limits that no index inside reaches.
  bool isIdle = (isa<arith::MinSIOp>(op) && last - *shift <= *number) ||
                (isa<arith::MaxSIOp>(op) && first - *shift >= *number);
  return isIdle ? shift : std::nullopt;
}

/// Whether `index`, of a dimension of `size` elements, is that of loops `dim` and the next one,
/// which are without zeros.
static bool isDivided(Value index, unsigned dim, const FactorPadding &padding, int64_t size) {
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || dim + 1 >= padding.shape.size() || apply->getNumOperands() != 2 ||
      padding.isAround(dim) || padding.isAround(dim + 1) ||
      size != padding.shape[dim] * padding.shape[dim + 1])
    return false;
  std::optional<AffineExpr> loops[2];
  AffineMap map = apply.getAffineMap();
  for (auto [number, operand] : llvm::enumerate(apply->getOperands())) {
    auto loop = operand.getDefiningOp<linalg::IndexOp>();
    if (!loop || (loop.getDim() != dim && loop.getDim() != dim + 1))
      return false;
    loops[loop.getDim() - dim] =
        number < map.getNumDims()
            ? getAffineDimExpr(number, map.getContext())
            : getAffineSymbolExpr(number - map.getNumDims(), map.getContext());
  }
  return loops[0] && loops[1] &&
         simplifyAffineExpr(map.getResult(0) - *loops[0] * padding.shape[dim + 1] - *loops[1],
                            map.getNumDims(), map.getNumSymbols()) == 0;
}

std::optional<FactorPadding> forge::reshapedPaddingOf(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  // 1. A choice between an element and zero.
  auto type = cast<ShapedType>(op.getDpsInits()[0].getType());
  auto choice = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  Operation *read = choice ? choice.getTrueValue().getDefiningOp() : nullptr;
  if (!read || !isa<tensor::ExtractOp, memref::LoadOp>(read) || !type.hasStaticShape() ||
      choice->getBlock() != op.getBody() || read->getBlock() != op.getBody() ||
      !(matchPattern(choice.getFalseValue(), m_AnyZeroFloat()) ||
        matchPattern(choice.getFalseValue(), m_Zero())))
    return std::nullopt;
  FactorPadding padding;
  padding.op = op;
  padding.source = read->getOperand(0);
  padding.shape.assign(type.getShape().begin(), type.getShape().end());
  // 2. Inside is all of the source.
  auto source = cast<ShapedType>(padding.source.getType());
  if (!findInside(choice.getCondition(), padding) || !source.hasStaticShape())
    return std::nullopt;
  unsigned dim = 0;
  for (auto [index, size] : llvm::zip_equal(read->getOperands().drop_front(), source.getShape())) {
    auto &dims = padding.sourceDims.emplace_back();
    bool isInResult = dim < padding.shape.size();
    // Index 0 may be that of a loop of one iteration.
    bool isUnit = size == 1 && constantOf(index) == 0;
    if (isUnit && !(isInResult && padding.shape[dim] == 1))
      continue;
    if (isDivided(index, dim, padding, size))
      dims.push_back(dim++);
    else if (!isUnit && !(isInResult && size == padding.inside[dim] &&
                          shiftOf(index, dim, padding) == padding.low[dim]))
      return std::nullopt;
    dims.push_back(dim++);
  }
  return dim == padding.shape.size() ? std::optional(padding) : std::nullopt;
}

std::optional<FactorPadding> forge::paddingOf(linalg::GenericOp op) {
  std::optional<FactorPadding> padding = reshapedPaddingOf(op);
  bool isSame = padding &&
                cast<ShapedType>(padding->source.getType()).getShape() == ArrayRef(padding->inside);
  return isSame ? padding : std::nullopt;
}

std::optional<FactorPadding> forge::paddingOf(Value factor) {
  linalg::GenericOp writer = factor.getDefiningOp<linalg::GenericOp>();
  if (!writer && !factor.getDefiningOp<memref::AllocOp>())
    return std::nullopt;
  if (!writer)
    for (OpOperand &use : factor.getUses()) {
      auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (isa<memref::DeallocOp>(use.getOwner()) || (op && op.isDpsInput(&use)))
        continue;
      auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (writer || !generic)
        return std::nullopt;
      writer = generic;
    }
  return writer ? paddingOf(writer) : std::nullopt;
}

linalg::GenericOp forge::makePadding(OpBuilder &builder, Location loc, Value source,
                                     ArrayRef<int64_t> low, ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(source.getType());
  RankedTensorType type = from.clone(shape);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, type, ValueRange(), empty, builder.getMultiDimIdentityMap(shape.size()), loops,
      [&](OpBuilder &inside, Location at, ValueRange) {
        ImplicitLocOpBuilder b(at, inside);
        auto constant = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(b, value);
        };
        Value isInside;
        SmallVector<Value> place;
        for (auto [dim, size] : llvm::enumerate(from.getShape())) {
          Value index = linalg::IndexOp::create(b, dim);
          place.push_back(index);
          if (size == shape[dim])
            continue;
          Value shifted = arith::SubIOp::create(
              b, arith::MaxSIOp::create(b, index, constant(low[dim])), constant(low[dim]));
          place.back() = arith::MinSIOp::create(b, shifted, constant(size - 1));
          for (auto [predicate, limit] :
               {std::pair(arith::CmpIPredicate::sge, low[dim]),
                std::pair(arith::CmpIPredicate::sle, low[dim] + size - 1)}) {
            Value holds = arith::CmpIOp::create(b, predicate, index, constant(limit));
            isInside = isInside ? arith::AndIOp::create(b, isInside, holds).getResult() : holds;
          }
        }
        Value element = tensor::ExtractOp::create(b, source, place);
        Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
        if (isInside)
          element = arith::SelectOp::create(b, isInside, element, zero);
        linalg::YieldOp::create(b, element);
      });
}

std::optional<OperandView> forge::viewOf(const FactorPadding &padding) {
  std::optional<OperandView> view = viewOf(padding.source);
  if (!view || view->dims.size() != padding.shape.size())
    return std::nullopt;
  for (auto [dim, of] : llvm::enumerate(view->dims))
    if (padding.isAround(dim))
      of.low = padding.low[dim];
  return view;
}

bool forge::padsFactor(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || generic.getNumDpsInits() != 1)
    return false;
  Value made =
      generic.hasPureTensorSemantics() ? Value(generic.getResult(0)) : generic.getDpsInits()[0];
  return llvm::any_of(made.getUsers(),
                      [&](Operation *user) { return user != op && isa<linalg::LinalgOp>(user); }) &&
         paddingOf(made).has_value();
}
