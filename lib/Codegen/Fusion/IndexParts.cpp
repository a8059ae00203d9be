#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {
#define GEN_PASS_DEF_INDEXPARTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-index-parts"

using namespace mlir;

namespace {
/// Parts whose elements are all looked at for each element of the whole.
constexpr size_t kMaxParts = 4;

/// Extents up to which it is looked up place by place whether parts leave a gap.
constexpr int64_t kMaxExtent = 1 << 20;

/// Where the elements of a part are along one dimension of the whole: at `offset`, `offset +
/// stride`, ...
struct Places {
  int64_t offset, size, stride, extent;

  int64_t last() const { return offset + (size - 1) * stride; }
  bool isAll() const { return offset == 0 && size == extent && stride == 1; }
};

/// A tensor that was inserted into the whole.
struct Part {
  Value source;
  /// Dimensions of the whole, of size 1, that the source does not have.
  llvm::SmallBitVector dropped;
  /// One for each dimension of the whole.
  SmallVector<Places> ranges;
};

/// A tensor put together by insertions: a concatenation, or an operand within its padding.
struct Assembly {
  tensor::InsertSliceOp last;
  /// What is where no part is; none where parts are everywhere.
  TypedAttr padding;
  /// In the order in which they are written: a later one hides earlier ones.
  SmallVector<Part> parts;
  /// The tensor that all parts are slices of, as those of a rotation are, and where the first
  /// element of each is in it; null if there is none.
  Value common;
  SmallVector<SmallVector<int64_t>> origins;
};
} // namespace

/// What `insert` writes, if its places are static and not empty.
static std::optional<Part> partOf(tensor::InsertSliceOp insert) {
  RankedTensorType type = insert.getDestType();
  Part part{insert.getSource(), insert.getDroppedDims(), {}};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Places range{insert.getStaticOffsets()[dim], insert.getStaticSizes()[dim],
                 insert.getStaticStrides()[dim], type.getDimSize(dim)};
    bool isStatic =
        llvm::none_of(ArrayRef<int64_t>{range.offset, range.size, range.stride, range.extent},
                      ShapedType::isDynamic);
    if (!isStatic || range.size < 1 || range.stride < 1)
      return std::nullopt;
    part.ranges.push_back(range);
  }
  return part;
}

/// Whether every element is in some part: looked up along the only dimension in which parts are not
/// all there is.
static bool coverAll(ArrayRef<Part> parts) {
  std::optional<int64_t> partial;
  for (const Part &part : parts)
    for (auto [dim, range] : llvm::enumerate(part.ranges)) {
      if (range.isAll() || partial == static_cast<int64_t>(dim))
        continue;
      if (partial || range.extent > kMaxExtent)
        return false;
      partial = dim;
    }
  if (!partial)
    return true;
  llvm::BitVector covered(parts.front().ranges[*partial].extent);
  for (const Part &part : parts) {
    const Places &range = part.ranges[*partial];
    for (int64_t i = 0; i < range.size; ++i)
      covered.set(range.offset + i * range.stride);
  }
  return covered.all();
}

/// Whether no other insertion goes on from `insert`.
static bool isLast(tensor::InsertSliceOp insert) {
  return llvm::none_of(insert->getUsers(), [&](Operation *user) {
    auto next = dyn_cast<tensor::InsertSliceOp>(user);
    return next && next.getDest() == insert.getResult() && insert->hasOneUse();
  });
}

/// The dimension along which parts that cover all are not all there is; none if each is.
static std::optional<size_t> partialDim(const Assembly &whole) {
  for (const Part &part : whole.parts)
    for (auto [dim, range] : llvm::enumerate(part.ranges))
      if (!range.isAll())
        return dim;
  return std::nullopt;
}

/// Sets `common` of parts that cover all, if they are slices of one tensor, without strides, which
/// differ along one dimension only.
static void findCommon(Assembly &whole) {
  auto rank = static_cast<size_t>(whole.last.getDestType().getRank());
  std::optional<size_t> partial = partialDim(whole);
  if (!partial || whole.parts.size() < 2)
    return;
  Value common;
  SmallVector<SmallVector<int64_t>> origins;
  for (const Part &part : whole.parts) {
    auto slice = part.source.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.hasUnitStride() || slice.getDroppedDims() != part.dropped ||
        ShapedType::isDynamicShape(slice.getStaticOffsets()) || part.ranges[*partial].stride != 1 ||
        static_cast<size_t>(slice.getSourceType().getRank()) != rank ||
        (common && slice.getSource() != common))
      return;
    common = slice.getSource();
    origins.emplace_back(slice.getStaticOffsets());
    for (size_t dim = 0; dim < rank; ++dim)
      if (dim != *partial && origins.back()[dim] != origins.front()[dim])
        return;
  }
  whole.common = common;
  whole.origins = std::move(origins);
}

/// The insertions that end in `last`, into an empty tensor or one filled with a constant, of which
/// nothing is read before they are done.
static std::optional<Assembly> assemblyOf(tensor::InsertSliceOp last) {
  Assembly whole{last, nullptr, {}, Value(), {}};
  Value dest = last.getResult();
  for (auto insert = last; insert; insert = dest.getDefiningOp<tensor::InsertSliceOp>()) {
    std::optional<Part> part = partOf(insert);
    if (!part || (insert != last && !insert->hasOneUse()) || whole.parts.size() == kMaxParts)
      return std::nullopt;
    whole.parts.push_back(std::move(*part));
    dest = insert.getDest();
  }
  std::reverse(whole.parts.begin(), whole.parts.end());
  if (coverAll(whole.parts)) {
    findCommon(whole);
    return whole;
  }
  auto fill = dest.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_Constant(&whole.padding)))
    return std::nullopt;
  return whole;
}

static bool isElementwise(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0;
}

/// Whether `source` is computed by what fusion can take into the operation that reads it: an
/// elementwise operation, or one of `assemblies`.
static bool isComputed(Value source, const llvm::DenseSet<Operation *> &assemblies) {
  if (auto expansion = source.getDefiningOp<tensor::ExpandShapeOp>();
      expansion && source.hasOneUse())
    source = expansion.getSrc();
  Operation *op = source.getDefiningOp();
  return source.hasOneUse() && (isElementwise(op) || assemblies.contains(op));
}

/// Whether something is saved: parts that are there are copied fastest as they are, but padding
/// need not be written, nor slices of one tensor, which are read there.
static bool isWorthwhile(const Assembly &whole, const llvm::DenseSet<Operation *> &assemblies) {
  return whole.padding || whole.common || llvm::any_of(whole.parts, [&](const Part &part) {
           return isComputed(part.source, assemblies);
         });
}

/// Whether fusion can make what reads the whole one operation with it; padding of one part is
/// written with that at once, whoever reads it, and so are slices of one tensor.
static bool isReadByElement(const Assembly &whole) {
  if ((whole.padding && whole.parts.size() == 1) || whole.common)
    return true;
  return llvm::all_of(tensor::InsertSliceOp(whole.last)->getUsers(), [&](Operation *user) {
    if (isa<tensor::ExtractOp>(user))
      return isElementwise(user->getParentOp());
    if (whole.padding)
      return isElementwise(user);
    return isa<linalg::GenericOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user);
  });
}

/// Where `index` of the whole is in a part, or a place at its edge where that is not in it.
static Value placeInPart(OpBuilder &b, Location loc, Value index, const Places &range) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  if (range.offset > 0) {
    index = arith::MaxSIOp::create(b, loc, index, constant(range.offset));
    index = arith::SubIOp::create(b, loc, index, constant(range.offset));
  }
  if (range.stride > 1)
    index = arith::DivUIOp::create(b, loc, index, constant(range.stride));
  if (range.last() + range.stride < range.extent)
    index = arith::MinSIOp::create(b, loc, index, constant(range.size - 1));
  return index;
}

/// Whether `index` is in a part, or none where all are.
static Value isInRange(OpBuilder &b, Location loc, Value index, const Places &range) {
  Value isIn;
  auto require = [&](arith::CmpIPredicate predicate, Value left, int64_t right) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, left,
                                        arith::ConstantIndexOp::create(b, loc, right));
    isIn = isIn ? Value(arith::AndIOp::create(b, loc, isIn, holds)) : holds;
  };
  if (range.offset > 0)
    require(arith::CmpIPredicate::sge, index, range.offset);
  if (range.last() + range.stride < range.extent)
    require(arith::CmpIPredicate::sle, index, range.last());
  if (range.stride > 1) {
    Value stride = arith::ConstantIndexOp::create(b, loc, range.stride);
    require(arith::CmpIPredicate::eq, arith::RemUIOp::create(b, loc, index, stride),
            range.offset % range.stride);
  }
  return isIn;
}

/// The element of the whole at `indices`: of `part` where that has it, else `other`, which is null
/// if no other part has one.
static Value elementOf(OpBuilder &b, Location loc, const Part &part, ArrayRef<Value> indices,
                       Value other) {
  SmallVector<Value> inPart;
  Value isIn;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    const Places &range = part.ranges[dim];
    if (!part.dropped.test(dim))
      inPart.push_back(placeInPart(b, loc, index, range));
    if (Value inRange = other ? isInRange(b, loc, index, range) : Value())
      isIn = isIn ? Value(arith::AndIOp::create(b, loc, isIn, inRange)) : inRange;
  }
  Value element = tensor::ExtractOp::create(b, loc, part.source, inPart);
  return isIn ? Value(arith::SelectOp::create(b, loc, isIn, element, other)) : element;
}

/// The element of the whole at `indices` where all parts are slices of one tensor: read there once,
/// at a place that is selected.
static Value elementOfCommon(OpBuilder &b, Location loc, const Assembly &whole,
                             ArrayRef<Value> indices) {
  auto moved = [&](Value index, int64_t by) -> Value {
    if (by == 0)
      return index;
    return arith::AddIOp::create(b, loc, index, arith::ConstantIndexOp::create(b, loc, by));
  };
  size_t partial = *partialDim(whole);
  SmallVector<Value> places;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (dim != partial) {
      places.push_back(moved(index, whole.origins.front()[dim]));
      continue;
    }
    Value place;
    for (auto [part, origin] : llvm::zip_equal(whole.parts, whole.origins)) {
      const Places &range = part.ranges[dim];
      Value here = moved(index, origin[dim] - range.offset);
      Value isIn = place ? isInRange(b, loc, index, range) : Value();
      place = isIn ? Value(arith::SelectOp::create(b, loc, isIn, here, place)) : here;
    }
    places.push_back(place);
  }
  return tensor::ExtractOp::create(b, loc, whole.common, places);
}

static void rewrite(const Assembly &whole) {
  tensor::InsertSliceOp last = whole.last;
  OpBuilder builder(last);
  RankedTensorType type = last.getDestType();
  Value empty =
      tensor::EmptyOp::create(builder, last.getLoc(), type.getShape(), type.getElementType());
  int64_t rank = type.getRank();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, last.getLoc(), type, /*inputs=*/ValueRange(), empty,
      builder.getMultiDimIdentityMap(rank), loops, [&](OpBuilder &b, Location loc, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < rank; ++dim)
          indices.push_back(linalg::IndexOp::create(b, loc, dim));
        Value element;
        if (whole.padding)
          element = arith::ConstantOp::create(b, loc, whole.padding);
        if (whole.common)
          element = elementOfCommon(b, loc, whole, indices);
        else
          for (const Part &part : whole.parts)
            element = elementOf(b, loc, part, indices, element);
        linalg::YieldOp::create(b, loc, element);
      });
  last->replaceAllUsesWith(generic);
  for (auto insert = last; insert;) {
    auto next = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
    insert->erase();
    insert = next;
  }
}

namespace {
/// 1. Find the tensors that are put together of few parts of static sizes.
/// 2. Where fusion can make use of it, replace one by an elementwise operation whose body extracts
///    its element from the part that has it: the last first, so that a part that is itself put
///    together is by then read by such a body. Where all parts are slices of one tensor (a
///    rotation), the place is selected, and one element read.
struct IndexPartsPass : public forge::impl::IndexPartsPassBase<IndexPartsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<Assembly> found;
    llvm::DenseSet<Operation *> assemblies;
    getOperation()->walk([&](tensor::InsertSliceOp insert) {
      auto whole = isLast(insert) ? assemblyOf(insert) : std::nullopt;
      if (!whole || !isWorthwhile(*whole, assemblies))
        return;
      found.push_back(std::move(*whole));
      assemblies.insert(insert);
    });
    for (const Assembly &whole : llvm::reverse(found))
      if (isReadByElement(whole))
        rewrite(whole);
  }
};
} // namespace
