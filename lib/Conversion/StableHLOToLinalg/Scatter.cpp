// scatter: sequential loops that update the results in place; on devices, many updates are grouped.
#include "Refuse.h"
#include "forge/Conversion/Utils/GroupedUpdates.h"
#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;
using stablehlo::ScatterDimensionNumbersAttr;
using stablehlo::ScatterOp;

namespace {

/// A scatter taken apart by dimensions.
struct ScatterPlan {
  ScatterDimensionNumbersAttr dims;
  Value indices;
  bool unsignedIndices;
  int64_t inputRank, indicesRank;
  SmallVector<int64_t> batchDims;  // of the updates: one per dimension of an index vector's place
  SmallVector<int64_t> windowDims; // of the updates, inside a window
  SmallVector<int64_t> windowInputDims; // of the inputs, one per entry of windowDims
};

} // namespace

static ScatterPlan planScatter(ScatterOp op, ScatterOp::Adaptor adaptor) {
  auto dims = op.getScatterDimensionNumbers();
  ScatterPlan plan{dims,
                   adaptor.getScatterIndices(),
                   op.getScatterIndices().getType().getElementType().isUnsignedInteger(),
                   cast<RankedTensorType>(op.getInputs().front().getType()).getRank(),
                   op.getScatterIndices().getType().getRank(),
                   {},
                   SmallVector<int64_t>(dims.getUpdateWindowDims()),
                   {}};
  int64_t updateRank = cast<RankedTensorType>(op.getUpdates().front().getType()).getRank();
  for (int64_t dim = 0; dim < updateRank; ++dim)
    if (!llvm::is_contained(plan.windowDims, dim))
      plan.batchDims.push_back(dim);
  for (int64_t dim = 0; dim < plan.inputRank; ++dim)
    if (!llvm::is_contained(dims.getInsertedWindowDims(), dim) &&
        !llvm::is_contained(dims.getInputBatchingDims(), dim))
      plan.windowInputDims.push_back(dim);
  return plan;
}

/// Component `component` of the index vector at `batch`.
static Value readIndex(IndexBuilder ib, const ScatterPlan &plan, ValueRange batch,
                       int64_t component) {
  SmallVector<Value> position(batch);
  if (plan.dims.getIndexVectorDim() < plan.indicesRank)
    position.insert(position.begin() + plan.dims.getIndexVectorDim(), ib.constant(component));
  return castToIndex(ib.b, ib.loc, ib.read(plan.indices, position), plan.unsignedIndices);
}

/// Whether a window of `window` elements that starts at `start` ends within `size`. Signed: a
/// window longer than the input, which sizes of run time may give, is nowhere inside.
static Value isInside(IndexBuilder ib, Value start, Value window, Value size) {
  Value last = ib.sub(size, window);
  Value begins =
      ib.b.createOrFold<arith::CmpIOp>(ib.loc, arith::CmpIPredicate::sge, start, ib.constant(0));
  Value ends = ib.b.createOrFold<arith::CmpIOp>(ib.loc, arith::CmpIPredicate::sle, start, last);
  return ib.b.createOrFold<arith::AndIOp>(ib.loc, begins, ends);
}

/// Where the window that belongs to `batch` starts in the inputs, and whether all of it is inside.
static std::pair<SmallVector<Value>, Value> locateWindow(IndexBuilder ib, const ScatterPlan &plan,
                                                         ValueRange batch, ValueRange windowSizes,
                                                         ValueRange inputSizes) {
  SmallVector<Value> start(plan.inputRank);
  for (auto [inputDim, indicesDim] :
       llvm::zip(plan.dims.getInputBatchingDims(), plan.dims.getScatterIndicesBatchingDims()))
    start[inputDim] =
        batch[indicesDim < plan.dims.getIndexVectorDim() ? indicesDim : indicesDim - 1];
  for (auto [component, dim] : llvm::enumerate(plan.dims.getScatterDimsToOperandDims()))
    start[dim] = readIndex(ib, plan, batch, component);
  for (Value &coordinate : start)
    if (!coordinate)
      coordinate = ib.constant(0);
  Value inside = arith::ConstantOp::create(ib.b, ib.loc, ib.b.getBoolAttr(true));
  auto require = [&](int64_t dim, Value window) {
    inside = ib.b.createOrFold<arith::AndIOp>(ib.loc, inside,
                                              isInside(ib, start[dim], window, inputSizes[dim]));
  };
  for (int64_t dim : plan.dims.getInsertedWindowDims())
    require(dim, ib.constant(1));
  for (auto [dim, size] : llvm::zip(plan.windowInputDims, windowSizes))
    require(dim, size);
  return {start, inside};
}

/// What C1, C3, C4, C18 and C19 ask of sizes that are known only at run time.
static void assertSizes(OpBuilder &builder, Location loc, const ScatterPlan &plan,
                        ValueRange inputs, ValueRange updates) {
  assertSameShape(builder, loc, "scatter: inputs", inputs);
  assertSameShape(builder, loc, "scatter: updates", updates);
  int64_t vectorDim = plan.dims.getIndexVectorDim();
  for (auto [i, dim] : llvm::enumerate(plan.batchDims))
    assertSameSize(builder, loc, "scatter: updates", updates.front(), dim, plan.indices,
                   int64_t(i) < vectorDim ? i : i + 1);
  for (auto [inputDim, indicesDim] :
       llvm::zip(plan.dims.getInputBatchingDims(), plan.dims.getScatterIndicesBatchingDims()))
    assertSameSize(builder, loc, "scatter: indices", plan.indices, indicesDim, inputs.front(),
                   inputDim);
  if (vectorDim >= plan.indicesRank ||
      !cast<RankedTensorType>(plan.indices.getType()).isDynamicDim(vectorDim))
    return;
  Value size = getDim(builder, loc, plan.indices, vectorDim);
  Value expected =
      arith::ConstantIndexOp::create(builder, loc, plan.dims.getScatterDimsToOperandDims().size());
  Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, expected);
  createRuntimeAssert(builder, loc, same,
                      "scatter: expected {1} components of an index vector, but got {0}",
                      {size, expected});
}

namespace {

struct ScatterPattern : OpConversionPattern<ScatterOp> {
  ScatterPattern(const TypeConverter &converter, MLIRContext *context, bool grouped)
      : OpConversionPattern(converter, context), grouped(grouped) {}

  // 1. Loop over the index vectors, in order, carrying the results, which start as the inputs.
  // 2. Read the vector: where its window starts. Skip the window unless all of it is inside: the
  //    rule of XLA, which frameworks mean. (The specification skips single elements.)
  // 3. Loop over the window, combine what the results hold with the updates and write it back in
  //    place.
  // Many updates of whole rows by an associative computation are grouped by row where `grouped` is
  // set.
  LogicalResult matchAndRewrite(ScatterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    for (auto [input, result] : llvm::zip(op.getInputs(), op.getResults()))
      if (getElementTypeOrSelf(input.getType()) != getElementTypeOrSelf(result.getType()))
        return refuseOp(op, "its result is wider than its input");
    IndexBuilder ib{rewriter, op.getLoc()};
    ScatterPlan plan = planScatter(op, adaptor);
    assertSizes(rewriter, op.getLoc(), plan, adaptor.getInputs(), adaptor.getUpdates());
    Value update = adaptor.getUpdates().front();
    SmallVector<Value> batchSizes, windowSizes, inputSizes;
    for (int64_t dim : plan.batchDims)
      batchSizes.push_back(getDim(rewriter, op.getLoc(), update, dim));
    for (int64_t dim : plan.windowDims)
      windowSizes.push_back(getDim(rewriter, op.getLoc(), update, dim));
    for (int64_t dim = 0; dim < plan.inputRank; ++dim)
      inputSizes.push_back(getDim(rewriter, op.getLoc(), adaptor.getInputs().front(), dim));

    if (std::optional<SmallVector<Value>> results = createGrouped(ib, op, adaptor, plan)) {
      for (auto [value, type] : llvm::zip(*results, op.getResultTypes()))
        value = castTensor(rewriter, op.getLoc(), value, getTypeConverter()->convertType(type));
      rewriter.replaceOp(op, *results);
      return success();
    }
    bool hasScalarForm = true;
    auto updateWindow = [&](IndexBuilder w, ValueRange batch, ValueRange start,
                            ValueRange tensors) {
      return emitWindow(w, op, adaptor.getUpdates(), plan, batch, start, windowSizes, tensors,
                        hasScalarForm);
    };
    SmallVector<Value> results = ib.loops(
        batchSizes, adaptor.getInputs(),
        [&](IndexBuilder outer, ValueRange batch, ValueRange tensors) -> SmallVector<Value> {
          auto [start, inside] = locateWindow(outer, plan, batch, windowSizes, inputSizes);
          if (matchPattern(inside, m_One()))
            return updateWindow(outer, batch, start, tensors);
          auto branch = scf::IfOp::create(
              outer.b, outer.loc, inside,
              [&](OpBuilder &b, Location l) {
                scf::YieldOp::create(b, l, updateWindow(IndexBuilder{b, l}, batch, start, tensors));
              },
              [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, tensors); });
          return SmallVector<Value>(branch.getResults());
        });
    if (!hasScalarForm)
      return rewriter.notifyMatchFailure(op, "its update computation has no scalar form");
    if (hasOneWindowEach(plan))
      markIndependent(results.front());
    for (auto [value, type] : llvm::zip(results, op.getResultTypes()))
      value = castTensor(rewriter, op.getLoc(), value, getTypeConverter()->convertType(type));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  bool grouped;

  /// Whether the update computation makes each result of its own input and update, by a computation
  /// that is associative up to rounding.
  static bool isAssociative(ScatterOp op) {
    Block &body = op.getUpdateComputation().front();
    size_t count = op.getInputs().size();
    return llvm::all_of(llvm::enumerate(body.getTerminator()->getOperands()), [&](auto returned) {
      Value old = body.getArgument(returned.index());
      Value update = body.getArgument(count + returned.index());
      if (returned.value() == update)
        return true;
      Operation *made = returned.value().getDefiningOp();
      return isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MaxOp, stablehlo::MinOp,
                             stablehlo::AndOp, stablehlo::OrOp, stablehlo::XorOp>(made) &&
             ((made->getOperand(0) == old && made->getOperand(1) == update) ||
              (made->getOperand(0) == update && made->getOperand(1) == old));
    });
  }

  /// Rows are all coordinates that are not inside a window; windows begin at 0.
  std::optional<SmallVector<Value>> createGrouped(IndexBuilder ib, ScatterOp op, OpAdaptor adaptor,
                                                  const ScatterPlan &plan) const {
    auto inputType = dyn_cast<RankedTensorType>(adaptor.getInputs().front().getType());
    auto updateType = cast<RankedTensorType>(adaptor.getUpdates().front().getType());
    if (!grouped || !inputType.hasStaticShape() || !updateType.hasStaticShape() ||
        hasOneWindowEach(plan) || !isAssociative(op) ||
        llvm::any_of(plan.windowInputDims, [&](int64_t dim) {
          return llvm::is_contained(plan.dims.getScatterDimsToOperandDims(), dim);
        }))
      return std::nullopt;
    SmallVector<int64_t> rowDims, batchSizes;
    GroupedUpdates updates;
    updates.count = updates.rows = 1;
    for (int64_t dim : plan.batchDims) {
      batchSizes.push_back(updateType.getDimSize(dim));
      updates.count *= batchSizes.back();
    }
    for (int64_t dim : plan.windowDims)
      updates.window.push_back(updateType.getDimSize(dim));
    for (int64_t dim = 0; dim < plan.inputRank; ++dim)
      if (!llvm::is_contained(plan.windowInputDims, dim)) {
        rowDims.push_back(dim);
        updates.rows *= inputType.getDimSize(dim);
      }
    if (!shouldGroup(updates.count, updates.rows) || llvm::is_contained(updates.window, 0))
      return std::nullopt;
    auto extents = [&](IndexBuilder in, ArrayRef<int64_t> sizes) {
      SmallVector<Value> values;
      for (int64_t size : sizes)
        values.push_back(in.constant(size));
      return values;
    };
    auto row = [&](IndexBuilder in, Value update) -> Value {
      SmallVector<Value> inputSizes = extents(in, inputType.getShape());
      auto [start, inside] = locateWindow(in, plan, in.delinearize(update, batchSizes),
                                          extents(in, updates.window), inputSizes);
      Value number = in.constant(0);
      for (int64_t dim : rowDims)
        number = in.add(in.mul(number, inputSizes[dim]), start[dim]);
      return in.select(inside, number, in.constant(updates.rows));
    };
    auto place = [&](IndexBuilder in, Value number, ValueRange window) {
      SmallVector<int64_t> rowSizes;
      for (int64_t dim : rowDims)
        rowSizes.push_back(inputType.getDimSize(dim));
      SmallVector<Value> to(plan.inputRank);
      for (auto [dim, index] : llvm::zip(rowDims, in.delinearize(number, rowSizes)))
        to[dim] = index;
      for (auto [dim, index] : llvm::zip(plan.windowInputDims, window))
        to[dim] = index;
      return to;
    };
    auto read = [&](IndexBuilder in, Value update, ValueRange window) {
      SmallVector<Value> from(updateType.getRank()), scalars;
      for (auto [dim, index] : llvm::zip(plan.batchDims, in.delinearize(update, batchSizes)))
        from[dim] = index;
      for (auto [dim, index] : llvm::zip(plan.windowDims, window))
        from[dim] = index;
      for (Value tensor : adaptor.getUpdates())
        scalars.push_back(in.read(tensor, from));
      return scalars;
    };
    auto combine = [&](IndexBuilder in, ValueRange old, ValueRange update) {
      SmallVector<Value> args(old);
      llvm::append_range(args, update);
      // The computation is one that has a scalar form.
      return *emitScalarRegion(in.b, op.getUpdateComputation(), args);
    };
    updates.row = row;
    updates.place = place;
    updates.read = read;
    updates.combine = combine;
    return createGroupedUpdates(ib.b, ib.loc, adaptor.getInputs(), updates);
  }

  /// Whether each part of the inputs has one window, as it has where a loop over a batch of
  /// dynamic_update_slice became one operation. `unique_indices` is not relied on: who is wrong
  /// about it would get other results each time.
  static bool hasOneWindowEach(const ScatterPlan &plan) {
    return plan.batchDims.size() == plan.dims.getInputBatchingDims().size();
  }

  /// No element is updated twice: the steps of all loops can be done side by side.
  static void markIndependent(Value result) {
    Operation *outermost = result.getDefiningOp();
    if (isa_and_nonnull<scf::ForOp, scf::IfOp>(outermost))
      outermost->walk([](scf::ForOp loop) {
        loop->setAttr("forge.independent", UnitAttr::get(loop.getContext()));
      });
  }

  static SmallVector<Value> emitWindow(IndexBuilder ib, ScatterOp op, ValueRange updates,
                                       const ScatterPlan &plan, ValueRange batch, ValueRange start,
                                       ValueRange windowSizes, ValueRange tensors,
                                       bool &hasScalarForm) {
    return ib.loops(windowSizes, tensors,
                    [&](IndexBuilder inner, ValueRange window, ValueRange current) {
                      SmallVector<Value> from(batch.size() + window.size()), to(start);
                      for (auto [dim, index] : llvm::zip(plan.batchDims, batch))
                        from[dim] = index;
                      for (auto [dim, index] : llvm::zip(plan.windowDims, window))
                        from[dim] = index;
                      for (auto [dim, index] : llvm::zip(plan.windowInputDims, window))
                        to[dim] = inner.add(start[dim], index);
                      return emitUpdate(inner, op, updates, from, to, current, hasScalarForm);
                    });
  }

  static SmallVector<Value> emitUpdate(IndexBuilder ib, ScatterOp op, ValueRange updates,
                                       ValueRange from, ValueRange to, ValueRange tensors,
                                       bool &hasScalarForm) {
    SmallVector<Value> args;
    for (Value tensor : tensors)
      args.push_back(ib.read(tensor, to));
    for (Value update : updates)
      args.push_back(ib.read(update, from));
    FailureOr<SmallVector<Value>> values = emitScalarRegion(ib.b, op.getUpdateComputation(), args);
    SmallVector<Value> next(tensors);
    if (failed(values)) {
      hasScalarForm = false;
      return next;
    }
    for (auto [tensor, value] : llvm::zip(next, *values))
      tensor = ib.write(value, tensor, to);
    return next;
  }
};

} // namespace

void forge::populateScatterPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                    bool grouped) {
  patterns.add<ScatterPattern>(converter, patterns.getContext(), grouped);
}
