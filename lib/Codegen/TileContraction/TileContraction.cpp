#include "TileContraction.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

int64_t TileContraction::sizeOf(ArrayRef<unsigned> list) const {
  int64_t size = 1;
  for (unsigned axis : list)
    size = llvm::SaturatingMultiply<uint64_t>(size, axes[axis].size);
  return size;
}

int64_t TileContraction::multiplications() const {
  uint64_t all = 1;
  for (const ProductAxis &axis : axes)
    all = llvm::SaturatingMultiply<uint64_t>(all, axis.size);
  return static_cast<int64_t>(std::min<uint64_t>(all, std::numeric_limits<int64_t>::max()));
}

/// Arithmetic on scalar arguments of the kernel, which is left where the operations are replaced.
static bool isOfScalars(Value value, unsigned depth = 0) {
  constexpr unsigned most = 16;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return depth < most && isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(
             op->getOperands(), [&](Value operand) { return isOfScalars(operand, depth + 1); });
}

static bool areOfScalars(ArrayRef<AxisAccess::Term> terms) {
  return llvm::all_of(terms, [](const AxisAccess::Term &term) { return isOfScalars(term.value); });
}

/// Of a slice, at a place that is known or computed of the kernel's scalars, of an argument.
static std::optional<AxisAccess> accessOf(const ProductOperand &operand, size_t axes) {
  AxisAccess access{operand.view.root, 0, {}};
  if (!isPlainArgument(access.root) || !beginAt(access, operand.view) ||
      !areOfScalars(access.terms))
    return std::nullopt;
  access.strides.resize(axes);
  for (const ProductOperand::Place &place : operand.places)
    access.strides[place.axis] = place.stride.known;
  return access;
}

/// Of a value whose dimension i has stride `perDim[i]` along dimension i of the result: the strides
/// along the axes, if the loops of each axis are one there too.
static std::optional<SmallVector<int64_t, 8>> joinAxes(const TileContraction &contraction,
                                                       const ProductAxes &product,
                                                       ArrayRef<int64_t> perDim,
                                                       ArrayRef<int64_t> sizes) {
  SmallVector<int64_t, 8> strides(contraction.axes.size());
  for (const ProductOperand::Place &place : product.out.places) {
    int64_t expected = perDim[place.dims.back()];
    strides[place.axis] = expected;
    for (unsigned dim : llvm::reverse(place.dims)) {
      if (perDim[dim] != expected)
        return std::nullopt;
      expected *= sizes[dim];
    }
  }
  return strides;
}

/// An operand of the epilogue whose indexing map takes its dimensions from the result's, perhaps a
/// slice as a factor may be.
static std::optional<AxisAccess> accessOf(const TileContraction &contraction,
                                          const ProductAxes &product, Value value, AffineMap map) {
  auto loops = llvm::to_vector(llvm::seq<unsigned>(map.getNumDims()));
  std::optional<AxisAccess> access =
      axisAccessOf(value, map, loops, loops.size(), /*mayHaveTerms=*/true);
  if (!access || !isPlainArgument(access->root) || !areOfScalars(access->terms) ||
      !cast<ShapedType>(access->root.getType()).hasStaticShape())
    return std::nullopt;
  ArrayRef<int64_t> sizes = cast<ShapedType>(product.out.value.getType()).getShape();
  auto strides = joinAxes(contraction, product, access->strides, sizes);
  if (!strides)
    return std::nullopt;
  access->strides = std::move(*strides);
  return access;
}

static std::optional<unsigned> longest(const TileContraction &contraction,
                                       ArrayRef<unsigned> list) {
  std::optional<unsigned> found;
  for (unsigned axis : list)
    if (!found || contraction.axes[axis].size > contraction.axes[*found].size)
      found = axis;
  return found;
}

/// The longest axes are divided; columns are those side by side in the result, where there are
/// enough of them.
static void chooseAxes(TileContraction &contraction, const ProductAxes &product) {
  constexpr int64_t enough = 16;
  contraction.row = longest(contraction, product.withRole(AxisRole::Row));
  contraction.column = longest(contraction, product.withRole(AxisRole::Column));
  for (std::optional<unsigned> inner : {product.out.innermost(), product.right.innermost()})
    if (inner && product.axes[*inner].role == AxisRole::Column &&
        product.axes[*inner].size >= enough) {
      contraction.column = inner;
      break;
    }
  contraction.term = *longest(contraction, product.withRole(AxisRole::Term));
  for (std::optional<unsigned> inner : {product.left.innermost(), product.right.innermost()})
    if (inner && product.axes[*inner].role == AxisRole::Term &&
        product.axes[*inner].size >= enough) {
      contraction.term = *inner;
      break;
    }
  for (auto [number, axis] : llvm::enumerate(product.axes)) {
    if (axis.role == AxisRole::Term ? number == contraction.term
                                    : number == contraction.row || number == contraction.column)
      continue;
    (axis.role == AxisRole::Term ? contraction.outerTerms : contraction.outer).push_back(number);
  }
}

/// The conversion to the sums' type that makes `value` of argument `number` of the body; null, too,
/// for the argument itself, nothing for anything else.
static std::optional<Operation *> castOf(Value value, Block &body, unsigned number) {
  if (value == body.getArgument(number))
    return nullptr;
  Operation *cast = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
                      arith::UIToFPOp>(cast) &&
      cast->getOperand(0) == body.getArgument(number))
    return cast;
  return std::nullopt;
}

static bool isWholeBytes(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
}

/// A sum of products in f32, f64 or integers, of factors that are converted to its type, each from
/// its own.
static bool matchConverted(TileContraction &contraction) {
  linalg::LinalgOp op = contraction.op;
  if (op.getNumDpsInputs() != 2 || !sumsFromZeros(op) || op->getNumRegions() != 1)
    return false;
  Block &body = op->getRegion(0).front();
  Type sum = contraction.sumType();
  if (!llvm::all_of(body.getArgumentTypes(), isWholeBytes) ||
      !(sum.isF32() || sum.isF64() || sum.isSignlessInteger()))
    return false;
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  for (unsigned i : {0u, 1u}) {
    Operation *multiply = add->getOperand(1 - i).getDefiningOp();
    if (add->getOperand(i) != body.getArgument(2) ||
        !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
      continue;
    for (unsigned j : {0u, 1u}) {
      std::optional<Operation *> left = castOf(multiply->getOperand(j), body, 0),
                                 right = castOf(multiply->getOperand(1 - j), body, 1);
      if (!left || !right)
        continue;
      contraction.isConverted = true;
      contraction.leftCast = *left;
      contraction.rightCast = *right;
      return true;
    }
  }
  return false;
}

static const char *matchEpilogue(TileContraction &contraction, const ProductAxes &product) {
  linalg::GenericOp epilogue = contraction.epilogue;
  Value sums = sumsOf(contraction.op);
  if (!isElementwiseOn(epilogue, sums))
    return "an elementwise epilogue on the sums";
  if (const char *why = whyNotOnTiles(epilogue))
    return why;
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    if (input->get() == sums || !isa<ShapedType>(input->get().getType())) {
      contraction.inputs.emplace_back(std::nullopt);
      continue;
    }
    contraction.inputs.push_back(
        accessOf(contraction, product, input->get(), epilogue.getMatchingIndexingMap(input)));
    if (!contraction.inputs.back())
      return "an epilogue that reads its operands at known strides along rows and columns";
  }
  return nullptr;
}

/// Results are contiguous arguments of the result's shape; on tensors they are not known yet.
static bool matchResults(TileContraction &contraction, const ProductAxes &product) {
  auto last = contraction.epilogue ? cast<linalg::LinalgOp>(contraction.epilogue.getOperation())
                                   : contraction.op;
  if (last.hasPureTensorSemantics())
    return true;
  if (!contraction.epilogue) {
    std::optional<AxisAccess> access = accessOf(product.out, contraction.axes.size());
    if (access)
      contraction.results.push_back(*access);
    return access.has_value();
  }
  for (OpOperand &init : last.getDpsInitsMutable()) {
    std::optional<AxisAccess> access =
        accessOf(contraction, product, init.get(), last.getMatchingIndexingMap(&init));
    if (!access)
      return false;
    contraction.results.push_back(*access);
  }
  return true;
}

FailureOr<TileContraction> forge::matchTileContraction(func::FuncOp kernel, WhyNot whyNot) {
  auto fail = [&](const char *reason) {
    whyNot(Twine("it needs ") + reason);
    return failure();
  };
  std::optional<ProductKernel> parts = matchProductKernel(kernel);
  const char *expected = "one contraction from zeros, perhaps with an elementwise operation behind";
  if (!parts || parts->contractions.size() != 1)
    return fail(expected);
  TileContraction contraction;
  contraction.op = parts->contractions.front();
  if (!isSumOfProducts(contraction.op) && !matchConverted(contraction))
    return fail(expected);
  contraction.epilogue = parts->follow;
  for (Value operand : contraction.op->getOperands())
    if (!cast<ShapedType>(operand.getType()).hasStaticShape())
      return fail("known sizes");
  std::optional<ProductAxes> product = axesOf(contraction.op, 0);
  if (!product || product->withRole(AxisRole::Term).empty())
    return fail("factors whose dimensions are loops of the contraction, and a sum");
  if (product->left.hasWindows() || product->right.hasWindows())
    return fail("factors that are not read by windows");
  contraction.axes = product->axes;
  // Columns are side by side in the result.
  std::optional<unsigned> inner = product->out.innermost();
  if (inner && product->axes[*inner].role == AxisRole::Row) {
    product = axesOf(contraction.op, 1);
    contraction.axes = product->axes;
    std::swap(contraction.leftCast, contraction.rightCast);
  }
  chooseAxes(contraction, *product);
  contraction.resultLoops.resize(contraction.axes.size());
  for (const ProductOperand::Place &place : product->out.places)
    contraction.resultLoops[place.axis].assign(place.dims.begin(), place.dims.end());
  llvm::append_range(contraction.resultShape,
                     cast<ShapedType>(product->out.value.getType()).getShape());
  std::optional<AxisAccess> left = accessOf(product->left, contraction.axes.size()),
                            right = accessOf(product->right, contraction.axes.size());
  if (!left || !right)
    return fail(
        "factors that are arguments, or slices of them at places that depend on no element");
  contraction.left = *left;
  contraction.right = *right;
  if (contraction.epilogue)
    if (const char *why = matchEpilogue(contraction, *product))
      return fail(why);
  if (!matchResults(contraction, *product))
    return fail("results that are arguments");
  return contraction;
}
