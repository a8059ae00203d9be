// The gradient of rows written into the cache: read where they were written.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// Every element of every row:
/// 1. Its place t = positions[b] + s; with a table, the page of entry t / R and the row t mod R.
/// 2. The cotangent's element there; zero where the place, or the page, lies nowhere.
/// Nothing besides the cotangent is read: places are held inside before, and judged after.
class KvAppendGradLowering {
public:
  KvAppendGradLowering(ImplicitLocOpBuilder &b, KvAppendGradOp op)
      : b(b), op(op), zero(arith::ConstantIndexOp::create(b, 0)) {
    checkSize(b, op, "rows", op.getRows(), 1, op.getCotangent(), 1);
    checkSize(b, op, "rows", op.getRows(), 3, op.getCotangent(), 3);
    checkVector(b, op, "positions", op.getPositions(), op.getRows(), 0);
    if (op.getBlockTable())
      checkSize(b, op, "block_table", op.getBlockTable(), 0, op.getRows(), 0);
    else
      checkSize(b, op, "cotangent", op.getCotangent(), 0, op.getRows(), 0);
    capacity = tensor::DimOp::create(b, op.getCotangent(), 2);
    if (!op.getBlockTable())
      return;
    places = tensor::DimOp::create(b, op.getCotangent(), 0);
    entries = tensor::DimOp::create(b, op.getBlockTable(), 1);
    checkSome(op.getBlockTable(), 1, entries);
    checkSome(op.getCotangent(), 2, capacity);
  }

  Value run() {
    RankedTensorType cotangent = op.getCotangent().getType();
    if (cotangent.getDimSize(0) == 0 || cotangent.getDimSize(2) == 0)
      return emitZeros(b);
    if (!cotangent.isDynamicDim(0) && !cotangent.isDynamicDim(2))
      return emitRows(b);
    // Nothing can be read of a cache without rows.
    Value size = tensor::DimOp::create(b, op.getCotangent(), 0);
    size = arith::MulIOp::create(b, size, capacity);
    Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, size, zero);
    auto branch = [](Value (KvAppendGradLowering::*emit)(ImplicitLocOpBuilder &),
                     KvAppendGradLowering &self) {
      return [emit, &self](OpBuilder &builder, Location loc) {
        ImplicitLocOpBuilder inner(loc, builder);
        scf::YieldOp::create(inner, (self.*emit)(inner));
      };
    };
    return scf::IfOp::create(b, some, branch(&KvAppendGradLowering::emitRows, *this),
                             branch(&KvAppendGradLowering::emitZeros, *this))
        .getResult(0);
  }

private:
  Value emitZeros(ImplicitLocOpBuilder &builder) {
    return emitFilled(builder, sizesOf(builder, op.getRows()),
                      op.getRows().getType().getElementType(), 0.0);
  }

  Value emitRows(ImplicitLocOpBuilder &builder) {
    Type element = op.getRows().getType().getElementType();
    return emitElementwise(
        builder, sizesOf(builder, op.getRows()), element,
        {{op.getPositions(), dimsMap(builder, 4, {0})}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto loop = [&](int64_t dim) -> Value { return linalg::IndexOp::create(inner, dim); };
          Value first = arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
          Value place = loop(0), at = arith::AddIOp::create(inner, first, loop(2)), isPlaced;
          if (op.getBlockTable())
            std::tie(place, at, isPlaced) = emitPaged(inner, place, at);
          else
            std::tie(at, isPlaced) = emitHeld(inner, at, capacity);
          Value found = tensor::ExtractOp::create(inner, op.getCotangent(),
                                                  ValueRange{place, loop(1), at, loop(3)});
          return arith::SelectOp::create(inner, isPlaced, found, constant(inner, element, 0.0));
        });
  }

  /// Ends the run where a size that is known only then is 0.
  void checkSome(Value tensor, int64_t dim, Value size) {
    if (!cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim))
      return;
    Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, size, zero);
    createRuntimeAssert(b, b.getLoc(), some,
                        "kv_append_grad: expected pages, and rows in them, but got {0}", size);
  }

  /// `index` where it is in [0, size), else 0; and whether it does.
  std::pair<Value, Value> emitHeld(ImplicitLocOpBuilder &inner, Value index, Value size) {
    Value notBelow = arith::CmpIOp::create(inner, arith::CmpIPredicate::sge, index, zero);
    Value below = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, index, size);
    Value within = arith::AndIOp::create(inner, notBelow, below);
    return {arith::SelectOp::create(inner, within, index, zero), within};
  }

  /// The page and its row that hold place `at` of a sequence, and whether there is such a page.
  std::tuple<Value, Value, Value> emitPaged(ImplicitLocOpBuilder &inner, Value batch, Value at) {
    auto [row, isPlaced] = emitHeld(inner, at, arith::MulIOp::create(inner, entries, capacity));
    Value entry = arith::DivUIOp::create(inner, row, capacity);
    Value number = tensor::ExtractOp::create(inner, op.getBlockTable(), ValueRange{batch, entry});
    auto [page, isPage] =
        emitHeld(inner, arith::IndexCastOp::create(inner, inner.getIndexType(), number), places);
    return {page, arith::RemUIOp::create(inner, row, capacity),
            arith::AndIOp::create(inner, isPlaced, isPage)};
  }

  ImplicitLocOpBuilder &b;
  KvAppendGradOp op;
  Value zero, capacity, places, entries;
};

} // namespace

void populateKvAppendGradPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWith<KvAppendGradOp, KvAppendGradLowering>>(patterns.getContext());
}

} // namespace forge
