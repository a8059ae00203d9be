#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace forge {
#define GEN_PASS_DEF_INDEXPARTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-index-parts"

using namespace mlir;

namespace {
/// Parts whose elements are all looked at for each element of the whole.
constexpr size_t kMaxParts = 4;

/// A part of a concatenation.
struct Part {
  Value source;
  /// Dimensions of the whole, of size 1, that the source does not have.
  llvm::SmallBitVector dropped;
  int64_t offset, size;
};

/// A tensor that is parts one after the other along `dim`, in order.
struct Concatenation {
  int64_t dim = 0;
  SmallVector<Part> parts;
};
} // namespace

/// The only dimension along which `insert` writes less than all, or nothing where it is none.
static std::optional<int64_t> partialDim(tensor::InsertSliceOp insert) {
  std::optional<int64_t> partial;
  RankedTensorType type = insert.getDestType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isWhole = insert.getStaticOffsets()[dim] == 0 && !type.isDynamicDim(dim) &&
                   insert.getStaticSizes()[dim] == type.getDimSize(dim);
    if (isWhole)
      continue;
    if (partial || type.isDynamicDim(dim) ||
        ShapedType::isDynamic(insert.getStaticOffsets()[dim]) ||
        ShapedType::isDynamic(insert.getStaticSizes()[dim]))
      return std::nullopt;
    partial = dim;
  }
  return partial;
}

/// The insertions that end in `last` as a concatenation: of static sizes, into an empty tensor, of
/// which nothing is read before they are done.
static std::optional<Concatenation> concatenationOf(tensor::InsertSliceOp last) {
  std::optional<int64_t> dim = partialDim(last);
  if (!dim)
    return std::nullopt;
  Concatenation whole{*dim, {}};
  Value dest = last.getResult();
  for (auto insert = last; insert; insert = dest.getDefiningOp<tensor::InsertSliceOp>()) {
    bool isUnit = llvm::all_of(insert.getMixedStrides(), isOneInteger);
    if (!isUnit || partialDim(insert) != dim || (insert != last && !insert->hasOneUse()) ||
        whole.parts.size() == kMaxParts)
      return std::nullopt;
    whole.parts.push_back({insert.getSource(), insert.getDroppedDims(),
                           insert.getStaticOffsets()[*dim], insert.getStaticSizes()[*dim]});
    dest = insert.getDest();
  }
  if (!dest.getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  llvm::sort(whole.parts, [](const Part &a, const Part &b) { return a.offset < b.offset; });
  int64_t end = 0;
  for (const Part &part : whole.parts) {
    if (part.offset != end || part.size == 0)
      return std::nullopt;
    end += part.size;
  }
  return end == last.getDestType().getDimSize(*dim) ? std::optional(whole) : std::nullopt;
}

static bool isElementwise(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0;
}

/// Whether fusion makes the parts, or what reads the whole, one operation with it: else the parts
/// are copied fastest as they are.
static bool isWorthwhile(const Concatenation &whole, Value result) {
  bool isComputed = llvm::any_of(whole.parts, [](const Part &part) {
    Value source = part.source;
    if (auto expansion = source.getDefiningOp<tensor::ExpandShapeOp>();
        expansion && source.hasOneUse())
      source = expansion.getSrc();
    return source.hasOneUse() && isElementwise(source.getDefiningOp());
  });
  return isComputed && llvm::all_of(result.getUsers(), [](Operation *user) {
           return isa<linalg::GenericOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user);
         });
}

/// The element of `part` at `indices` of the whole, or one at its edge where that has another part.
static Value elementOf(OpBuilder &b, Location loc, const Part &part, int64_t dim,
                       ArrayRef<Value> indices, bool isFirst, bool isLast) {
  Value place = indices[dim];
  if (!isFirst) {
    Value offset = arith::ConstantIndexOp::create(b, loc, part.offset);
    place = arith::MaxSIOp::create(b, loc, place, offset);
    place = arith::SubIOp::create(b, loc, place, offset);
  }
  if (!isLast)
    place = arith::MinSIOp::create(b, loc, place,
                                   arith::ConstantIndexOp::create(b, loc, part.size - 1));
  SmallVector<Value> inPart;
  for (auto [number, index] : llvm::enumerate(indices))
    if (!part.dropped.test(number))
      inPart.push_back(static_cast<int64_t>(number) == dim ? place : index);
  return tensor::ExtractOp::create(b, loc, part.source, inPart);
}

static void rewrite(const Concatenation &whole, tensor::InsertSliceOp last) {
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
        for (const Part &part : whole.parts) {
          Value here =
              elementOf(b, loc, part, whole.dim, indices, !element, &part == &whole.parts.back());
          if (element) {
            Value offset = arith::ConstantIndexOp::create(b, loc, part.offset);
            Value isBefore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                                   indices[whole.dim], offset);
            here = arith::SelectOp::create(b, loc, isBefore, element, here);
          }
          element = here;
        }
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
/// 1. Find chains of insertions that are concatenations of few parts of static sizes.
/// 2. Where fusion can make use of it, replace one by an elementwise operation whose body extracts
///    its element from the part that has it.
struct IndexPartsPass : public forge::impl::IndexPartsPassBase<IndexPartsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<std::pair<Concatenation, tensor::InsertSliceOp>> found;
    getOperation()->walk([&](tensor::InsertSliceOp insert) {
      auto whole = concatenationOf(insert);
      if (whole && isWorthwhile(*whole, insert.getResult()))
        found.emplace_back(std::move(*whole), insert);
    });
    for (auto &[whole, last] : found)
      rewrite(whole, last);
  }
};
} // namespace
