#include "ProductAxes.h"

#include "FactorPadding.h"

#include "forge/Codegen/ContiguousView.h"
#include "forge/Codegen/Contraction.h"
#include "forge/Support/UnitSums.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

std::optional<unsigned> ProductOperand::innermost() const {
  if (places.empty() || !places.back().stride.isOne())
    return std::nullopt;
  return places.back().axis;
}

bool ProductOperand::hasWindows() const {
  return llvm::any_of(places, [](const Place &place) { return place.inWindow; });
}

const ProductOperand::Place *ProductOperand::placeOf(unsigned axis) const {
  const auto *found = llvm::find_if(places, [&](const Place &place) { return place.axis == axis; });
  return found == places.end() ? nullptr : found;
}

SmallVector<unsigned> ProductAxes::withRole(AxisRole role) const {
  SmallVector<unsigned> found;
  for (auto [number, axis] : llvm::enumerate(axes))
    if (axis.role == role)
      found.push_back(number);
  return found;
}

int64_t ProductAxes::sizeOf(ArrayRef<unsigned> list) const {
  int64_t size = 1;
  for (unsigned axis : list) {
    if (ShapedType::isDynamic(axes[axis].size))
      return ShapedType::kDynamic;
    size *= axes[axis].size;
  }
  return size;
}

OpFoldResult ProductAxes::sizeValue(OpBuilder &builder, Location loc, unsigned axis) const {
  if (!ShapedType::isDynamic(axes[axis].size))
    return builder.getIndexAttr(axes[axis].size);
  const ProductOperand &operand = out.placeOf(axis) ? out : left;
  OpFoldResult size = builder.getIndexAttr(1);
  for (unsigned dim : operand.placeOf(axis)->dims)
    size =
        multiplySizes(builder, loc, size, memref::getMixedSize(builder, loc, operand.value, dim));
  return size;
}

static bool hasSamePlaces(const ProductOperand &a, const ProductOperand &b) {
  auto hasSamePadding = [&] {
    return !a.padding == !b.padding &&
           (!a.padding || llvm::equal(a.view.dims, b.view.dims, [](const auto &x, const auto &y) {
             return x.low == y.low && x.size == y.size;
           }));
  };
  return llvm::equal(a.places, b.places,
                     [](const auto &x, const auto &y) {
                       return x.axis == y.axis && x.stride == y.stride;
                     }) &&
         hasSamePadding();
}

bool ProductAxes::hasSameForm(const ProductAxes &other) const {
  return llvm::equal(axes, other.axes,
                     [](const ProductAxis &a, const ProductAxis &b) {
                       return a.role == b.role && a.loops == b.loops && a.size == b.size;
                     }) &&
         hasSamePlaces(left, other.left) && hasSamePlaces(right, other.right) &&
         hasSamePlaces(out, other.out);
}

std::optional<SmallVector<unsigned>> forge::loopsOf(AffineMap map) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return loops;
}

/// The fill with zeros that `value` is, or, on buffers, that last wrote it before `op`.
static linalg::FillOp zeroFillOf(Value value, Operation *op) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  for (Operation *before = op->getPrevNode(); !fill && before; before = before->getPrevNode())
    if (auto other = dyn_cast<linalg::FillOp>(before))
      if (other.hasPureBufferSemantics() && other.output() == value)
        fill = other;
  bool isZero = fill && (matchPattern(fill.value(), m_AnyZeroFloat()) ||
                         matchPattern(fill.value(), m_Zero()));
  return isZero ? fill : linalg::FillOp();
}

bool forge::hasGroups(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return llvm::any_of(llvm::seq<unsigned>(op.getNumLoops()), [&](unsigned loop) {
    return llvm::all_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  });
}

bool forge::hasRowsAndColumns(linalg::LinalgOp op) {
  std::optional<FactorPieces> pieces = piecesOf(op);
  if (!pieces && !isSumOfProducts(op) && !isSumOfByteProducts(op))
    return false;
  std::array<unsigned, 2> factors = {0, 1};
  if (pieces)
    factors = {pieces->left.front(), pieces->right.front()};
  bool isOnlyIn[2] = {false, false};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (sizes[loop] == 1)
      continue;
    bool isIn[2];
    for (unsigned factor : {0, 1})
      isIn[factor] =
          op.getMatchingIndexingMap(op.getDpsInputOperand(factors[factor])).isFunctionOfDim(loop);
    for (unsigned factor : {0, 1})
      isOnlyIn[factor] |= type == utils::IteratorType::parallel && isIn[factor] && !isIn[!factor];
  }
  return isOnlyIn[0] && isOnlyIn[1];
}

bool forge::readsWindows(linalg::LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      return llvm::count_if(llvm::seq<unsigned>(0, map.getNumDims()),
                            [&](unsigned loop) { return index.isFunctionOfDim(loop); }) > 1;
    });
  });
}

bool forge::sumsFromZeros(linalg::LinalgOp contraction) {
  return contraction.getNumDpsInits() == 1 && zeroFillOf(contraction.getDpsInits()[0], contraction);
}

/// Whether the body adds a product, from zeros, and the element types are as `fit` has them.
static bool isSumOf(linalg::LinalgOp contraction, function_ref<bool(Block &)> adds,
                    function_ref<bool(Type, Type, Type)> fit) {
  auto element = [&](unsigned number) {
    return getElementTypeOrSelf(contraction->getOperand(number));
  };
  return contraction.getNumDpsInputs() == 2 && contraction.getNumDpsInits() == 1 &&
         contraction->getNumRegions() == 1 && adds(contraction->getRegion(0).front()) &&
         sumsFromZeros(contraction) && fit(element(0), element(1), element(2));
}

bool forge::isSumOfProducts(linalg::LinalgOp contraction) {
  return isSumOf(contraction, addsProduct, areProductTypes);
}

bool forge::isSumOfByteProducts(linalg::LinalgOp contraction) {
  auto addsFloats = [](Block &body) {
    return addsProduct(body) && llvm::any_of(body.getOps<arith::MulFOp>(), [](arith::MulFOp op) {
             return op->hasAttr(kUnitSumsAttr);
           });
  };
  auto addsSigned = [](Block &body) {
    return addsIntegerProduct(body) && body.getOps<arith::ExtUIOp>().empty();
  };
  auto isF8 = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  return isSumOf(contraction, addsFloats,
                 [&](Type a, Type b, Type sum) { return isF8(a) && isF8(b) && sum.isF32(); }) ||
         isSumOf(contraction, addsSigned, [](Type a, Type b, Type sum) {
           return a.isSignlessInteger(8) && b.isSignlessInteger(8) && sum.isSignlessInteger(32);
         });
}

std::optional<FactorPieces> forge::piecesOf(linalg::LinalgOp contraction) {
  if (contraction.getNumDpsInits() != 1 || contraction->getNumRegions() != 1 ||
      !sumsFromZeros(contraction))
    return std::nullopt;
  std::optional<FactorPieces> pieces = addsProductOfPieces(contraction->getRegion(0).front());
  auto element = [](OpOperand *operand) { return getElementTypeOrSelf(operand->get()); };
  if (!pieces || !element(contraction.getDpsInitOperand(0)).isF32() ||
      !llvm::all_of(contraction.getDpsInputOperands(),
                    [&](OpOperand *input) { return element(input).isBF16(); }))
    return std::nullopt;
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  auto haveOneMap = [&](ArrayRef<unsigned> numbers) {
    return llvm::all_of(numbers,
                        [&](unsigned number) { return maps[number] == maps[numbers.front()]; });
  };
  return haveOneMap(pieces->left) && haveOneMap(pieces->right) ? pieces : std::nullopt;
}

bool forge::isSumOfNarrowProducts(linalg::LinalgOp contraction) {
  return isSumOf(contraction, addsNarrowProduct, [](Type a, Type b, Type sum) {
    Type wide = a.isSignlessInteger(8) ? b : a, narrow = wide == a ? b : a;
    return sum.isF32() && narrow.isSignlessInteger(8) &&
           (wide.isF32() || wide.isF16() || wide.isBF16());
  });
}

namespace {
/// One operand of a contraction while its axes are found.
struct Reader {
  OperandView view;
  linalg::GenericOp padding;
  /// A loop of more than one iteration, each of which moves `factor` elements along a dimension.
  struct Step {
    unsigned loop, dim;
    int64_t factor;
    /// Iterations; dynamic where they are not known.
    int64_t size;
  };
  /// In the order of the dimensions; of one dimension, the largest factor first.
  SmallVector<Step, 6> steps;

  const Step *stepOf(unsigned loop) const {
    return llvm::find_if(steps, [&](const Step &step) { return step.loop == loop; });
  }
  bool has(unsigned loop) const { return stepOf(loop) != steps.end(); }
  ElementCount stride(const Step &step) const {
    ElementCount count = view.stride(step.dim);
    count.known *= step.factor;
    return count;
  }
  /// Whether other loops move along the dimension too, or this one skips elements of it.
  bool inWindow(const Step &step) const {
    return step.factor != 1 || llvm::any_of(steps, [&](const Step &other) {
             return other.loop != step.loop && other.dim == step.dim;
           });
  }
  /// Whether `inner` goes on where `outer` ends.
  bool isContinued(unsigned outer, unsigned inner) const {
    const Step *from = stepOf(outer), *to = from + 1;
    if (to == steps.end() || to->loop != inner || view.dims[from->dim].low ||
        view.dims[to->dim].low)
      return false;
    if (!inWindow(*from) && !inWindow(*to))
      return view.isContinued(from->dim, to->dim);
    ElementCount passed = stride(*to);
    passed.known *= to->size;
    return stride(*from) == passed;
  }
};
} // namespace

/// `expr` as a sum of loops of more than one iteration, each times a constant.
static LogicalResult addSteps(AffineExpr expr, unsigned dim, ArrayRef<int64_t> sizes,
                              SmallVectorImpl<Reader::Step> &steps) {
  int64_t factor = 1;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr); sum && sum.getKind() == AffineExprKind::Add)
    return success(succeeded(addSteps(sum.getLHS(), dim, sizes, steps)) &&
                   succeeded(addSteps(sum.getRHS(), dim, sizes, steps)));
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && product.getKind() == AffineExprKind::Mul) {
    auto times = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!times || times.getValue() < 1)
      return failure();
    factor = times.getValue();
    expr = product.getLHS();
  }
  auto loop = dyn_cast<AffineDimExpr>(expr);
  if (!loop)
    return failure();
  if (sizes[loop.getPosition()] != 1)
    steps.push_back({loop.getPosition(), dim, factor, sizes[loop.getPosition()]});
  return success();
}

/// `value` where each loop is of one dimension at most. Where windows overlap, all sizes are known.
static std::optional<Reader> readerOf(Value value, AffineMap map, ArrayRef<int64_t> sizes,
                                      Paddings paddings) {
  std::optional<FactorPadding> padding;
  if (paddings == Paddings::ReadThrough)
    padding = paddingOf(value);
  std::optional<OperandView> view = padding ? viewOf(*padding) : viewOf(value);
  if (!view)
    return std::nullopt;
  Reader reader{std::move(*view), padding ? padding->op : linalg::GenericOp(), {}};
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    SmallVector<Reader::Step> steps;
    if (failed(addSteps(expr, dim, sizes, steps)))
      return std::nullopt;
    llvm::sort(steps, [](const Reader::Step &a, const Reader::Step &b) {
      return std::tuple(b.factor, a.loop) < std::tuple(a.factor, b.loop);
    });
    for (const Reader::Step &step : steps) {
      if (reader.has(step.loop))
        return std::nullopt;
      reader.steps.push_back(step);
    }
    // What is not moved along is inside.
    if (steps.empty() && reader.view.dims[dim].low.value_or(0) > 0)
      return std::nullopt;
  }
  bool hasWindows =
      llvm::any_of(reader.steps, [&](const Reader::Step &step) { return reader.inWindow(step); });
  if (!map.isProjectedPermutation() &&
      (!hasWindows || llvm::is_contained(sizes, ShapedType::kDynamic) ||
       !cast<ShapedType>(reader.view.root.getType()).hasStaticShape()))
    return std::nullopt;
  return reader;
}

static ProductOperand operandOf(Value value, const Reader &reader, ArrayRef<ProductAxis> axes) {
  ProductOperand operand;
  operand.value = value;
  operand.view = reader.view;
  operand.padding = reader.padding;
  for (size_t at = 0; at < reader.steps.size();) {
    unsigned loop = reader.steps[at].loop;
    const auto *axis = llvm::find_if(
        axes, [&](const ProductAxis &axis) { return llvm::is_contained(axis.loops, loop); });
    ProductOperand::Place place;
    place.axis = static_cast<unsigned>(axis - axes.begin());
    for (size_t i = 0; i < axis->loops.size(); ++i, ++at) {
      place.dims.push_back(reader.steps[at].dim);
      place.inWindow |= reader.inWindow(reader.steps[at]);
    }
    place.stride = reader.stride(reader.steps[at - 1]);
    operand.places.push_back(std::move(place));
  }
  return operand;
}

/// 1. Each loop is of the batch, a row, a column or a term, as the operands have it.
/// 2. Loops that every operand with the first of them continues by the second are one axis.
/// 3. The operands' dimensions are those of axes, in their order.
std::optional<ProductAxes> forge::axesOf(linalg::LinalgOp contraction, unsigned lhs) {
  return axesOf(contraction, lhs, 1 - lhs);
}

std::optional<ProductAxes> forge::axesOf(linalg::LinalgOp contraction, unsigned lhs, unsigned rhs,
                                         Paddings paddings) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  unsigned sums = maps.size() - 1;
  auto read = [&](unsigned number) {
    return readerOf(contraction->getOperand(number), maps[number], sizes,
                    number == sums ? Paddings::InMemory : paddings);
  };
  std::optional<Reader> left = read(lhs), right = read(rhs), out = read(sums);
  if (!left || !right || !out || !loopsOf(maps[sums]))
    return std::nullopt;
  // 1. The roles, in the order of the result; terms in that of the left factor.
  SmallVector<unsigned> order;
  for (const Reader *reader : {&*out, &*left, &*right})
    for (const Reader::Step &step : reader->steps)
      if (!llvm::is_contained(order, step.loop))
        order.push_back(step.loop);
  auto roleOf = [&](unsigned loop) -> std::optional<AxisRole> {
    bool inLeft = left->has(loop), inRight = right->has(loop), inOut = out->has(loop);
    if (inOut && (inLeft || inRight))
      return inLeft && inRight ? AxisRole::Batch : inLeft ? AxisRole::Row : AxisRole::Column;
    if (!inOut && inLeft && inRight)
      return AxisRole::Term;
    return std::nullopt;
  };
  // 2. Axes.
  ProductAxes product;
  for (unsigned loop : order) {
    std::optional<AxisRole> role = roleOf(loop);
    if (!role)
      return std::nullopt;
    ProductAxis *before = product.axes.empty() ? nullptr : &product.axes.back();
    bool isContinued =
        before && before->role == *role &&
        llvm::all_of(ArrayRef<const Reader *>{&*left, &*right, &*out}, [&](const Reader *reader) {
          return !reader->has(loop) || reader->isContinued(before->loops.back(), loop);
        });
    if (!isContinued)
      before = &product.axes.emplace_back(ProductAxis{*role, {}, 1});
    before->loops.push_back(loop);
    bool isDynamic = ShapedType::isDynamic(sizes[loop]) || ShapedType::isDynamic(before->size);
    before->size = isDynamic ? ShapedType::kDynamic : before->size * sizes[loop];
  }
  // 3. Operands.
  product.left = operandOf(contraction->getOperand(lhs), *left, product.axes);
  product.right = operandOf(contraction->getOperand(rhs), *right, product.axes);
  product.out = operandOf(contraction->getOperand(sums), *out, product.axes);
  return product;
}
