#include "WgmmaProduct.h"

#include "../RowKernels/RoundedUses.h"
#include "../Strategy/PlacementOnTiles.h"
#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

linalg::LinalgOp WgmmaProduct::last() const {
  if (follow)
    return cast<linalg::LinalgOp>(linalg::GenericOp(follow).getOperation());
  return parts.front().op;
}

SmallVector<Value> WgmmaProduct::results() const { return last().getDpsInits(); }

bool WgmmaProduct::hasColumnsBy(int64_t number) const {
  return hasColumns() && !ShapedType::isDynamic(axes().axes[*tiled.column].size) &&
         axes().axes[*tiled.column].size % number == 0;
}

std::optional<unsigned> WgmmaProduct::partOf(Value value) const {
  for (auto [number, part] : llvm::enumerate(parts))
    if (value == sumsOf(part.op))
      return number;
  return std::nullopt;
}

SmallVector<linalg::GenericOp, 2> WgmmaProduct::paddings() const {
  SmallVector<linalg::GenericOp, 2> found;
  auto add = [&](const ProductOperand &operand) {
    if (operand.padding && !llvm::is_contained(found, operand.padding))
      found.push_back(operand.padding);
  };
  for (const WgmmaPart &part : parts) {
    add(part.axes.left);
    add(part.axes.right);
    llvm::for_each(part.leftRest, add);
    llvm::for_each(part.rightRest, add);
  }
  return found;
}

Type WgmmaProduct::factorType() const { return getElementTypeOrSelf(left()); }

Type WgmmaProduct::sumType() const {
  linalg::LinalgOp first = parts.front().op;
  return getElementTypeOrSelf(first.getDpsInits()[0]);
}

int64_t WgmmaProduct::factorBytes() const { return factorType().getIntOrFloatBitWidth() / 8; }

int64_t WgmmaProduct::tileRows() const {
  int64_t rows = tiled.rows.empty() ? kFewRows : 1;
  for (SpannedAxis spanned : tiled.rows)
    rows *= spanned.extent;
  return rows;
}

int64_t WgmmaProduct::extentOf(unsigned axis) const {
  const auto *spanned =
      llvm::find_if(tiled.rows, [&](SpannedAxis spanned) { return spanned.axis == axis; });
  return spanned == tiled.rows.end() ? 1 : spanned->extent;
}

/// Whether `tanh` is only added to 1, in what is rounded to 16 bits, as in GELU: then an error of
/// 2^-22 next to that 1 is little more than f32's own.
static bool isBesideOne(math::TanhOp tanh) {
  return tanh.getType().isF32() && llvm::all_of(tanh->getUses(), [](OpOperand &use) {
           auto sum = dyn_cast<arith::AddFOp>(use.getOwner());
           return sum && matchPattern(sum->getOperand(1 - use.getOperandNumber()), m_OneFloat()) &&
                  endsRounded(sum);
         });
}

llvm::DenseSet<Operation *> WgmmaProduct::approximate() const {
  linalg::GenericOp op = follow;
  if (!op)
    return {};
  llvm::DenseSet<Operation *> found = roundedUses(op);
  for (math::TanhOp tanh : op.getBody()->getOps<math::TanhOp>())
    if (isBesideOne(tanh))
      found.insert(tanh);
  return found;
}

WgmmaSizes::WgmmaSizes(const WgmmaProduct &product) {
  const ProductAxes &axes = product.axes();
  const TiledAxes &tiled = product.tiled;
  batch = axes.sizeOf(tiled.outer);
  rows = rowTiles = 1;
  for (SpannedAxis spanned : tiled.rows) {
    int64_t size = axes.axes[spanned.axis].size;
    bool isDynamic = ShapedType::isDynamic(size);
    rows = isDynamic ? size : rows * size;
    rowTiles = isDynamic ? size : rowTiles * llvm::divideCeil(size, spanned.extent);
  }
  columns = tiled.column ? axes.axes[*tiled.column].size : 1;
  stagedTerms = axes.axes[tiled.term].size;
  terms = axes.sizeOf(axes.withRole(AxisRole::Term));
}

int64_t WgmmaSizes::multiplications() const {
  int64_t all = 1;
  for (int64_t size : {batch, rows, columns, terms})
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(all, size, all))
      return ShapedType::kDynamic;
  return all;
}

/// The axis of `role` with the most elements; one whose size is not known has many.
static std::optional<unsigned> longest(const ProductAxes &axes, AxisRole role) {
  auto lengthOf = [&](unsigned axis) {
    int64_t size = axes.axes[axis].size;
    return ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max() : size;
  };
  std::optional<unsigned> found;
  for (unsigned axis : axes.withRole(role))
    if (!found || lengthOf(axis) > lengthOf(*found))
      found = axis;
  return found;
}

/// Extents, powers of two with the product `rows`, of axes of these sizes that make the fewest
/// tiles; of several such those with the longest inner extents.
static SmallVector<int64_t> fewestTiles(ArrayRef<int64_t> sizes, int64_t rows) {
  if (sizes.size() == 1)
    return {rows};
  SmallVector<int64_t> best;
  int64_t bestTiles = 0;
  for (int64_t extent = rows; extent > 0; extent /= 2) {
    SmallVector<int64_t> extents = fewestTiles(sizes.drop_back(), rows / extent);
    extents.push_back(extent);
    int64_t tiles = 1;
    for (auto [size, of] : llvm::zip_equal(sizes, extents))
      tiles *= llvm::divideCeil(size, of);
    if (best.empty() || tiles < bestTiles) {
      bestTiles = tiles;
      best = std::move(extents);
    }
  }
  return best;
}

static constexpr size_t kBoxAxes = 3;

/// The rows of a tile as a box, where there are several axes of rows and it makes fewer tiles than
/// the longest of them alone: of known sizes, as the left factor has them, the outermost first.
/// Tiles have up to four dimensions, one of which is columns': of more axes the inner three.
static SmallVector<SpannedAxis, 3> chooseBox(const ProductAxes &axes) {
  SmallVector<unsigned> rows;
  SmallVector<int64_t> sizes;
  for (const ProductOperand::Place &place : axes.left.places)
    if (axes.axes[place.axis].role == AxisRole::Row) {
      rows.push_back(place.axis);
      sizes.push_back(axes.axes[place.axis].size);
    }
  if (rows.size() > kBoxAxes) {
    rows.erase(rows.begin(), rows.end() - kBoxAxes);
    sizes.erase(sizes.begin(), sizes.end() - kBoxAxes);
  }
  bool isDivided = llvm::any_of(sizes, [](int64_t size) { return size % kTileRows == 0; });
  if (rows.size() < 2 || llvm::is_contained(sizes, ShapedType::kDynamic) ||
      (isDivided && !axes.left.hasWindows()))
    return {};
  SmallVector<SpannedAxis, 3> box;
  for (auto [axis, extent] : llvm::zip_equal(rows, fewestTiles(sizes, kTileRows)))
    box.push_back({axis, extent});
  return box;
}

static int64_t rowsOfTile(int64_t rows) {
  return !ShapedType::isDynamic(rows) && rows <= kFewRows ? kFewRows : kTileRows;
}

/// Tiles divide what is side by side in memory, and else the longest axis; nothing where the
/// innermost dimensions of the factors do not let them.
static std::optional<TiledAxes> chooseAxes(const ProductAxes &axes) {
  std::optional<unsigned> left = axes.left.innermost(), right = axes.right.innermost(),
                          out = axes.out.innermost(), term = longest(axes, AxisRole::Term);
  if (!left || !right || !term)
    return std::nullopt;
  AxisRole leftRole = axes.axes[*left].role, rightRole = axes.axes[*right].role;
  bool leftIsTerm = leftRole == AxisRole::Term, rightIsTerm = rightRole == AxisRole::Term;
  if (leftRole == AxisRole::Batch || rightRole == AxisRole::Batch ||
      (leftIsTerm && rightIsTerm && left != right))
    return std::nullopt;
  TiledAxes tiled;
  tiled.term = leftIsTerm ? *left : rightIsTerm ? *right : *term;
  tiled.row = leftIsTerm ? longest(axes, AxisRole::Row) : left;
  tiled.column = rightIsTerm ? longest(axes, AxisRole::Column) : right;
  if (rightIsTerm && out && axes.axes[*out].role == AxisRole::Column)
    tiled.column = out;
  if (leftIsTerm)
    tiled.rows = chooseBox(axes);
  if (!tiled.rows.empty())
    tiled.row = tiled.rows.back().axis;
  else if (tiled.row)
    tiled.rows = {{*tiled.row, rowsOfTile(axes.axes[*tiled.row].size)}};
  auto isSpanned = [&](unsigned axis) {
    return llvm::any_of(tiled.rows, [&](SpannedAxis spanned) { return spanned.axis == axis; });
  };
  for (auto [number, axis] : llvm::enumerate(axes.axes)) {
    if (axis.role == AxisRole::Term ? number != tiled.term
                                    : !isSpanned(number) && number != tiled.column)
      (axis.role == AxisRole::Term ? tiled.outerTerms : tiled.outer).push_back(number);
  }
  return tiled;
}

/// A sum of products of factors in pieces, those with operand `lhs` of the body's product on the
/// left.
static std::optional<WgmmaPart> matchPieces(linalg::LinalgOp contraction, unsigned lhs,
                                            Paddings paddings) {
  std::optional<FactorPieces> pieces = piecesOf(contraction);
  if (!pieces)
    return std::nullopt;
  if (lhs == 1)
    std::swap(pieces->left, pieces->right);
  unsigned left = pieces->left.front(), right = pieces->right.front();
  std::optional<ProductAxes> axes = axesOf(contraction, left, right, paddings);
  if (!axes)
    return std::nullopt;
  WgmmaPart part{contraction, std::move(*axes), *pieces, {}, {}, {}};
  for (unsigned number : ArrayRef(pieces->left).drop_front()) {
    std::optional<ProductAxes> same = axesOf(contraction, number, right, paddings);
    if (!same || !same->hasSameForm(part.axes))
      return std::nullopt;
    part.leftRest.push_back(std::move(same->left));
  }
  for (unsigned number : ArrayRef(pieces->right).drop_front()) {
    std::optional<ProductAxes> same = axesOf(contraction, left, number, paddings);
    if (!same || !same->hasSameForm(part.axes))
      return std::nullopt;
    part.rightRest.push_back(std::move(same->right));
  }
  return part;
}

/// Reads the table of a right factor that is looked up in one.
static void takeTable(WgmmaPart &part) {
  std::optional<FactorLookup> lookup = lookupOf(part.axes.right.value);
  if (!lookup)
    return;
  if (std::optional<unsigned> axis = readTable(part.axes, part.axes.right, *lookup)) {
    part.lookup = std::move(lookup);
    part.looked = *axis;
  }
}

/// Contractions from zeros with operand `lhs` of the first as the left factor of all.
static std::optional<WgmmaProduct> matchParts(ArrayRef<linalg::LinalgOp> contractions, unsigned lhs,
                                              Paddings paddings) {
  WgmmaProduct product;
  for (linalg::LinalgOp contraction : contractions) {
    if (contractions.size() == 1)
      if (std::optional<WgmmaPart> part = matchPieces(contraction, lhs, paddings)) {
        product.parts.push_back(std::move(*part));
        break;
      }
    if (!isSumOfProducts(contraction) && !isSumOfByteProducts(contraction))
      return std::nullopt;
    if (!product.parts.empty())
      lhs = contraction->getOperand(0) == product.left() ? 0 : 1;
    std::optional<ProductAxes> axes = axesOf(contraction, lhs, 1 - lhs, paddings);
    if (!axes)
      return std::nullopt;
    if (!product.parts.empty() &&
        (axes->left.value != product.left() || !axes->hasSameForm(product.axes())))
      return std::nullopt;
    product.parts.push_back({contraction, std::move(*axes), {{lhs}, {1 - lhs}}, {}, {}, {}});
    takeTable(product.parts.back());
  }
  std::optional<TiledAxes> tiled = chooseAxes(product.axes());
  if (!tiled)
    return std::nullopt;
  product.tiled = std::move(*tiled);
  return product;
}

std::optional<WgmmaProduct> forge::matchWgmma(ArrayRef<linalg::LinalgOp> contractions,
                                              linalg::GenericOp follow, Paddings paddings) {
  if (contractions.empty() || contractions.size() > 2)
    return std::nullopt;
  // 1. What follows sees one sum of each for each of its elements.
  SmallVector<Value> sums = llvm::map_to_vector(
      contractions, [](linalg::LinalgOp contraction) { return sumsOf(contraction); });
  if (follow ? !isElementwiseOn(follow, sums) : contractions.size() > 1)
    return std::nullopt;
  // 2. Products of matrices from zeros, of one kind; the left factor is the one that the innermost
  //    dimension of the result is not of, so that columns are stored together.
  std::optional<WgmmaProduct> product = matchParts(contractions, 0, paddings);
  if (!product || !product->hasEightsOfColumns()) {
    std::optional<WgmmaProduct> other = matchParts(contractions, 1, paddings);
    if (other && (!product || other->hasEightsOfColumns()))
      product = std::move(other);
  }
  // A pair is worth it for its stores, too.
  if (!product || (product->numParts() > 1 && !product->hasEightsOfColumns()))
    return std::nullopt;
  product->follow = follow;
  return product;
}

Value WgmmaProduct::values() const { return sumsOf(last()); }

bool WgmmaProduct::takePlacement(scf::ForOp loops) {
  Value result = values();
  auto type = cast<ShapedType>(result.getType());
  if (numParts() > 1 || !hasColumns() || !type.hasStaticShape() || type.getNumElements() == 0)
    return false;
  // Rows of all columns, one behind the other.
  int64_t columns = 1;
  ArrayRef<unsigned> dims = axes().out.places.back().dims;
  for (auto [number, dim] : llvm::enumerate(llvm::reverse(dims))) {
    if (dim + number + 1 != static_cast<size_t>(type.getRank()))
      return false;
    columns *= type.getDimSize(dim);
  }
  std::string why;
  placement = matchPlacement(loops, result, type.getNumElements() / columns, columns, why);
  return placement.has_value();
}

std::optional<WgmmaProduct> forge::matchWgmmaKernel(func::FuncOp kernel) {
  SmallVector<Operation *> before;
  std::optional<ProductKernel> parts = matchProductKernel(kernel, &before);
  if (!parts)
    return std::nullopt;
  std::optional<WgmmaProduct> product =
      matchWgmma(parts->contractions, parts->follow, Paddings::ReadThrough);
  if (product && parts->placing && !product->takePlacement(parts->placing))
    return std::nullopt;
  auto isOfFactor = [&](Operation *op) {
    return product && (llvm::is_contained(product->paddings(), op) ||
                       llvm::any_of(product->parts, [&](const WgmmaPart &part) {
                         return part.lookup && part.lookup->op == op;
                       }));
  };
  if (!llvm::all_of(before, isOfFactor))
    return std::nullopt;
  auto isInArgument = [](const ProductOperand &operand) {
    return isPlainArgument(operand.view.root);
  };
  if (!product || !isInArgument(product->axes().left) ||
      !llvm::all_of(product->parts, [&](const WgmmaPart &part) {
        return isInArgument(part.axes.right) && llvm::all_of(part.leftRest, isInArgument) &&
               llvm::all_of(part.rightRest, isInArgument);
      }))
    return std::nullopt;
  return product;
}
