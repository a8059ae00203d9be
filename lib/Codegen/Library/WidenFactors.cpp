#include "ResultOrder.h"

#include "../Strategy/ProductAxes.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_WIDENFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-widen-factors"

using namespace mlir;

/// Rows, columns and terms of which each at least is worth matrix units, and multiplications that
/// are worth copies of the factors.
static constexpr int64_t kLeastSize = 16, kLeastMultiplications = int64_t(1) << 20;
/// f32 holds integers of up to so many bits.
static constexpr int64_t kExactBits = 24;

namespace {
/// A contraction of 8-bit factors.
struct NarrowProduct {
  linalg::LinalgOp op;
  unsigned termLoop;
  int64_t terms;
  /// Whether a factor of integers is unsigned.
  std::array<bool, 2> isUnsigned = {false, false};

  bool ofIntegers() const { return getElementTypeOrSelf(op->getResult(0)).isInteger(32); }
  /// Terms whose sum is exact in f32: each factor has 7 bits and a sign, or 8.
  int64_t exactTerms() const {
    return int64_t(1) << (kExactBits - 14 - isUnsigned[0] - isUnsigned[1]);
  }
};
} // namespace

static bool startsFromZero(linalg::LinalgOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Value start = fill ? fill.getInputs().front() : Value();
  return start && (matchPattern(start, m_Zero()) || matchPattern(start, m_AnyZeroFloat()));
}

static bool is8BitFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

static std::optional<NarrowProduct> match(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->hasAttr(forge::kClusterAttr) ||
      op.getNumDpsInputs() != 2 || op->getNumResults() != 1 || op->getNumRegions() != 1 ||
      !startsFromZero(op))
    return std::nullopt;
  Type left = getElementTypeOrSelf(op->getOperand(0)),
       right = getElementTypeOrSelf(op->getOperand(1)),
       out = getElementTypeOrSelf(op->getResult(0));
  Block &body = op->getRegion(0).front();
  bool floats = is8BitFloat(left) && is8BitFloat(right) && out.isF32() && forge::addsProduct(body);
  bool integers = left.isInteger(8) && right.isInteger(8) && out.isInteger(32) &&
                  forge::addsIntegerProduct(body);
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if ((!floats && !integers) || failed(dims) || dims->k.size() != 1)
    return std::nullopt;
  // Sizes that are not known may be large; the number of terms has to be known.
  SmallVector<int64_t, 4> sizes = op.getStaticLoopRanges();
  if (ShapedType::isDynamic(sizes[dims->k.front()]))
    return std::nullopt;
  for (int64_t &size : sizes)
    size = ShapedType::isDynamic(size) ? kLeastMultiplications : size;
  auto sizeOf = [&](ArrayRef<unsigned> loops) {
    int64_t size = 1;
    for (unsigned loop : loops)
      size = llvm::SaturatingMultiply<uint64_t>(size, sizes[loop]);
    return size;
  };
  int64_t all = sizeOf(llvm::to_vector(llvm::seq<unsigned>(0, sizes.size())));
  if (sizeOf(dims->m) < kLeastSize || sizeOf(dims->n) < kLeastSize ||
      sizeOf(dims->k) < kLeastSize || all < kLeastMultiplications)
    return std::nullopt;
  NarrowProduct product{op, dims->k.front(), sizeOf(dims->k)};
  body.walk([&](arith::ExtUIOp extension) {
    if (auto argument = dyn_cast<BlockArgument>(extension.getIn()))
      product.isUnsigned[argument.getArgNumber()] = true;
  });
  return product;
}

/// The operand of this number as bf16, which holds all numbers of 8 bits.
static Value widened(OpBuilder &b, const NarrowProduct &product, unsigned number) {
  Value factor = product.op->getOperand(number);
  Location loc = factor.getLoc();
  auto type = cast<RankedTensorType>(factor.getType());
  Value empty =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, factor), b.getBF16Type());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), factor, empty, maps, loops,
             [&](OpBuilder &inside, Location where, ValueRange values) {
               Value wide;
               if (!product.ofIntegers())
                 wide = arith::ExtFOp::create(inside, where, b.getF32Type(), values[0]);
               else if (product.isUnsigned[number])
                 wide = arith::UIToFPOp::create(inside, where, b.getF32Type(), values[0]);
               else
                 wide = arith::SIToFPOp::create(inside, where, b.getF32Type(), values[0]);
               Value rounded = arith::TruncFOp::create(inside, where, b.getBF16Type(), wide);
               linalg::YieldOp::create(inside, where, rounded);
             })
      .getResult(0);
}

/// `factor` with the dimension that `map` has the terms in divided into parts, and the map of that:
/// the loop of terms is now that of parts, and a new last one that of a part's terms.
static std::pair<Value, AffineMap> inParts(OpBuilder &b, Location loc, Value factor, AffineMap map,
                                           unsigned termLoop, int64_t parts) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> results;
  SmallVector<ReassociationIndices> groups;
  auto type = cast<RankedTensorType>(factor.getType());
  for (auto [result, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
    groups.push_back({static_cast<int64_t>(shape.size())});
    results.push_back(result);
    shape.push_back(size);
    if (!result.isFunctionOfDim(termLoop))
      continue;
    shape.back() = parts;
    groups.back().push_back(shape.size());
    shape.push_back(size / parts);
    results.push_back(b.getAffineDimExpr(map.getNumDims()));
  }
  Value divided = tensor::ExpandShapeOp::create(b, loc, type.clone(shape), factor, groups);
  return {divided, AffineMap::get(map.getNumDims() + 1, 0, results, b.getContext())};
}

/// The sums of products of bf16 in f32; of several parts of the terms, by part first.
static Value product(OpBuilder &b, const NarrowProduct &narrow, int64_t parts) {
  linalg::LinalgOp op = narrow.op;
  Location loc = op.getLoc();
  SmallVector<Value> factors = {widened(b, narrow, 0), widened(b, narrow, 1)};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, op.getDpsInits()[0]);
  if (parts > 1) {
    for (unsigned number : {0u, 1u})
      std::tie(factors[number], maps[number]) =
          inParts(b, loc, factors[number], maps[number], narrow.termLoop, parts);
    SmallVector<AffineExpr> results = {b.getAffineDimExpr(narrow.termLoop)};
    llvm::append_range(results, maps[2].getResults());
    maps[2] = AffineMap::get(loops.size() + 1, 0, results, b.getContext());
    loops[narrow.termLoop] = utils::IteratorType::parallel;
    loops.push_back(utils::IteratorType::reduction);
    shape.insert(shape.begin(), b.getIndexAttr(parts));
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getF32Type());
  Value start = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  return linalg::GenericOp::create(
             b, loc, start.getType(), factors, start, maps, loops,
             [&](OpBuilder &inside, Location where, ValueRange values) {
               Value left = arith::ExtFOp::create(inside, where, b.getF32Type(), values[0]);
               Value right = arith::ExtFOp::create(inside, where, b.getF32Type(), values[1]);
               Value term = arith::MulFOp::create(inside, where, left, right, flags);
               Value sum = arith::AddFOp::create(inside, where, values[2], term, flags);
               linalg::YieldOp::create(inside, where, sum);
             })
      .getResult(0);
}

/// Whole numbers in f32, by part where there are several, added up as integers.
static Value integers(OpBuilder &b, const NarrowProduct &narrow, Value sums, int64_t parts) {
  linalg::LinalgOp op = narrow.op;
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = cast<RankedTensorType>(sums.getType()).getRank();
  AffineMap read = b.getMultiDimIdentityMap(rank), write = parts > 1 ? read.dropResult(0) : read;
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value start = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, op.getDpsInits()[0]),
                                        type.getElementType());
  if (parts > 1) {
    loops.front() = utils::IteratorType::reduction;
    start = op.getDpsInits()[0];
  }
  return linalg::GenericOp::create(
             b, loc, type, sums, start, ArrayRef<AffineMap>{read, write}, loops,
             [&](OpBuilder &inside, Location where, ValueRange values) {
               Value whole =
                   arith::FPToSIOp::create(inside, where, type.getElementType(), values[0]);
               if (parts > 1)
                 whole = arith::AddIOp::create(inside, where, values[1], whole);
               linalg::YieldOp::create(inside, where, whole);
             })
      .getResult(0);
}

/// A factor's copy with the terms innermost, and its map; as they are where the terms are already.
static std::pair<Value, AffineMap> alongTerms(OpBuilder &b, Location loc, Value factor,
                                              AffineMap map, unsigned termLoop) {
  unsigned rank = map.getNumResults(), term = rank;
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (result == b.getAffineDimExpr(termLoop))
      term = dim;
  if (term + 1 >= rank)
    return {factor, map};
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, factor);
  SmallVector<AffineExpr> read(map.getResults()), from;
  for (unsigned dim = 0; dim < rank; ++dim)
    from.push_back(b.getAffineDimExpr(dim < term ? dim : dim == term ? rank - 1 : dim - 1));
  std::rotate(shape.begin() + term, shape.begin() + term + 1, shape.end());
  std::rotate(read.begin() + term, read.begin() + term + 1, read.end());
  Value empty = tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(factor));
  SmallVector<AffineMap> maps{AffineMap::get(rank, 0, from, b.getContext()),
                              b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value copy = linalg::GenericOp::create(b, loc, empty.getType(), factor, empty, maps, loops,
                                         [](OpBuilder &inside, Location where, ValueRange values) {
                                           linalg::YieldOp::create(inside, where, values[0]);
                                         })
                   .getResult(0);
  return {copy, AffineMap::get(map.getNumDims(), 0, read, b.getContext())};
}

/// The product of factors as they are, the terms innermost, where matrix units of `chip` multiply
/// and add up such ones.
static Value byMatrixUnits(OpBuilder &b, const NarrowProduct &narrow, const forge::GPUChip &chip) {
  linalg::LinalgOp op = narrow.op;
  if (!forge::isSumOfByteProducts(op))
    return {};
  SmallVector<Value> factors;
  SmallVector<AffineMap> maps;
  for (unsigned number : {0u, 1u}) {
    auto [factor, map] = alongTerms(b, op.getLoc(), op->getOperand(number),
                                    op.getIndexingMapsArray()[number], narrow.termLoop);
    factors.push_back(factor);
    maps.push_back(map);
  }
  auto rank = static_cast<unsigned>(cast<ShapedType>(op->getResult(0).getType()).getRank());
  linalg::LinalgOp made =
      forge::remakeContraction(op, factors, maps, llvm::to_vector(llvm::seq<unsigned>(0, rank)));
  std::optional<forge::WgmmaProduct> product = forge::matchWgmma({made}, linalg::GenericOp());
  if (product && forge::takesProduct(*product, chip))
    return made->getResult(0);
  made->erase();
  for (Value factor : factors)
    if (Operation *copy = factor.getDefiningOp(); copy && copy->use_empty())
      copy->erase();
  return {};
}

/// The fewest parts of equal size whose sums are exact; none if their size would be too small.
static std::optional<int64_t> partsOf(const NarrowProduct &narrow) {
  if (!narrow.ofIntegers())
    return 1;
  // Parts are of factors of known sizes.
  if (linalg::LinalgOp(narrow.op).hasDynamicShape() && narrow.terms > narrow.exactTerms())
    return std::nullopt;
  int64_t parts = llvm::divideCeil(narrow.terms, narrow.exactTerms());
  while (narrow.terms % parts != 0)
    ++parts;
  return narrow.terms / parts >= kLeastSize ? std::optional(parts) : std::nullopt;
}

namespace {
struct WidenFactorsPass : public forge::impl::WidenFactorsPassBase<WidenFactorsPass> {
  using WidenFactorsPassBase::WidenFactorsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    const forge::GPUChip *chip = forge::findChip(chipName);
    SmallVector<NarrowProduct> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (std::optional<NarrowProduct> found = match(op))
        products.push_back(*found);
    });
    for (NarrowProduct &narrow : products) {
      OpBuilder b(narrow.op);
      Value result = chip ? byMatrixUnits(b, narrow, *chip) : Value();
      if (!result) {
        // Of open sizes only these matrix units multiply bf16.
        bool isTaken = !narrow.op.hasDynamicShape() || (chip && chip->warpgroupProducts);
        std::optional<int64_t> parts = isTaken ? partsOf(narrow) : std::nullopt;
        if (!parts)
          continue;
        result = product(b, narrow, *parts);
        if (narrow.ofIntegers())
          result = integers(b, narrow, result, *parts);
      }
      narrow.op->replaceAllUsesWith(ValueRange(result));
      narrow.op->erase();
    }
  }
};
} // namespace
