#include "FeatureLayouts.h"

#include "../Library/ResultOrder.h"
#include "../Strategy/ProductAxes.h"

#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

namespace forge {
#define GEN_PASS_DEF_FEATURESINNERMOSTPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-features-innermost"

using namespace mlir;

/// A copy of `value` with dimension `order[i]` as the i-th one.
static Value copyInOrder(OpBuilder &builder, Location loc, Value value, ArrayRef<unsigned> order) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, forge::inOrder<int64_t>(type.getShape(), order), type.getElementType());
  AffineMap written = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap read = AffineMap::getPermutationMap(forge::inverseOrder(order), builder.getContext());
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), value, empty,
                                   ArrayRef<AffineMap>{read, written}, parallel,
                                   [](OpBuilder &inside, Location where, ValueRange values) {
                                     linalg::YieldOp::create(inside, where, values.front());
                                   })
      .getResult(0);
}

namespace {
/// 1. FeatureLayouts decides which tensors have features innermost.
/// 2. What makes or reads one of them is made again, in the order of the block: loops of an
///    elementwise operation or a depthwise convolution in the order of its result, operands by maps
///    and elements by indices in the order that they are in.
///    Slices likewise.
/// 3. A convolution's kernel is copied with its features innermost.
struct FeaturesInnermostPass
    : public forge::impl::FeaturesInnermostPassBase<FeaturesInnermostPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (forge::isKernel(function) || function.isExternal())
      return;
    forge::FeatureLayouts found(function);
    if (found.isEmpty())
      return;
    layouts = &found;
    made.clear();
    SmallVector<Operation *> old;
    for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      if (generic && touches(generic))
        remake(generic);
      else if (slice && layouts->isInner(slice.getResult()))
        remake(slice);
      else
        continue;
      old.push_back(&op);
    }
    for (Operation *op : llvm::reverse(old))
      op->erase();
  }

  bool touches(linalg::GenericOp op) const {
    auto isInner = [&](Value value) { return layouts->isInner(value); };
    return llvm::any_of(op->getResults(), isInner) || llvm::any_of(op.getDpsInputs(), isInner) ||
           llvm::any_of(op.getBody()->getOps<tensor::ExtractOp>(),
                        [&](tensor::ExtractOp extract) { return isInner(extract.getTensor()); });
  }

  Value valueNow(Value value) const {
    Value now = made.lookup(value);
    return now ? now : value;
  }

  /// The loops of `op` in a new order: the parallel ones as its result has them in memory, if that
  /// changes, those of sums behind them.
  SmallVector<unsigned> loopOrder(linalg::GenericOp op) const {
    auto loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
    if (!layouts->isInner(op.getResult(0)))
      return loops;
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<unsigned> order =
        forge::inOrder<unsigned>(*forge::loopsOf(written), layouts->orderOf(op.getResult(0)));
    llvm::copy_if(loops, std::back_inserter(order),
                  [&](unsigned loop) { return !written.isFunctionOfDim(loop); });
    return order;
  }

  void remake(linalg::GenericOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    SmallVector<unsigned> loops = loopOrder(op), newLoops = forge::inverseOrder(loops);
    SmallVector<AffineExpr> numbers = llvm::map_to_vector(
        newLoops, [&](unsigned loop) { return getAffineDimExpr(loop, context); });
    auto mapOf = [&](OpOperand &operand, ArrayRef<unsigned> order) {
      AffineMap map = forge::inOrder(op.getMatchingIndexingMap(&operand), order);
      return map.replaceDimsAndSymbols(numbers, {}, op.getNumLoops(), 0);
    };
    // 1. Operands.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    bool isConvolution = forge::isDepthwise(op);
    for (OpOperand *input : op.getDpsInputOperands()) {
      inputs.push_back(valueNow(input->get()));
      maps.push_back(mapOf(*input, orderOf(input->get())));
      if (isConvolution && input->getOperandNumber() == 1) {
        SmallVector<unsigned> order = kernelOrder(maps.back(), newLoops[forge::featureLoop(op)]);
        // Where the kernel is known, so that copies of several kernels can share a launch.
        OpBuilder before(builder.getContext());
        before.setInsertionPointAfterValue(inputs.back());
        inputs.back() = copyInOrder(before, loc, inputs.back(), order);
        maps.back() = forge::inOrder(maps.back(), order);
      }
    }
    // 2. Results.
    SmallVector<Value> outputs;
    SmallVector<Type> types;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      Value result = op.getTiedOpResult(&init);
      SmallVector<unsigned> order = orderOf(result);
      outputs.push_back(layouts->isInner(result) ? initInOrder(builder, loc, init.get(), order)
                                                 : init.get());
      types.push_back(outputs.back().getType());
      maps.push_back(mapOf(init, order));
    }
    auto iterators = forge::inOrder<utils::IteratorType>(op.getIteratorTypesArray(), loops);
    auto now = linalg::GenericOp::create(builder, loc, types, inputs, outputs, maps, iterators);
    now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    IRMapping mapping;
    op.getRegion().cloneInto(&now.getRegion(), mapping);
    reorderBody(now, newLoops);
    // 3. Readers of results in another order are made again, too.
    for (auto [before, after] : llvm::zip_equal(op->getResults(), now->getResults()))
      if (layouts->isInner(before))
        made[before] = after;
      else
        before.replaceAllUsesWith(after);
  }

  void remake(tensor::ExtractSliceOp slice) {
    OpBuilder builder(slice);
    SmallVector<unsigned> order = layouts->orderOf(slice.getResult());
    made[slice.getResult()] = tensor::ExtractSliceOp::create(
        builder, slice.getLoc(), made.lookup(slice.getSource()),
        forge::inOrder<OpFoldResult>(slice.getMixedOffsets(), order),
        forge::inOrder<OpFoldResult>(slice.getMixedSizes(), order),
        forge::inOrder<OpFoldResult>(slice.getMixedStrides(), order));
  }

  SmallVector<unsigned> orderOf(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? layouts->orderOf(value) : SmallVector<unsigned>();
  }

  /// The dimensions of a kernel that is read by `map`, that of loop `features` last.
  static SmallVector<unsigned> kernelOrder(AffineMap map, unsigned features) {
    SmallVector<unsigned> order;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (map.getDimPosition(dim) != features)
        order.push_back(dim);
    order.push_back(*map.getResultPosition(getAffineDimExpr(features, map.getContext())));
    return order;
  }

  /// An empty tensor, or one filled as `init` is, in this order.
  static Value initInOrder(OpBuilder &builder, Location loc, Value init, ArrayRef<unsigned> order) {
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(
        builder, loc, forge::inOrder<int64_t>(type.getShape(), order), type.getElementType());
    auto fill = init.getDefiningOp<linalg::FillOp>();
    return fill ? linalg::FillOp::create(builder, loc, fill.getInputs(), empty).getResult(0)
                : empty;
  }

  /// Numbers of loops and elements that are read, in the body of `op`, which still says those of
  /// before.
  void reorderBody(linalg::GenericOp op, ArrayRef<unsigned> newLoops) const {
    for (auto number : op.getBody()->getOps<linalg::IndexOp>())
      number.setDim(newLoops[number.getDim()]);
    for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
      Value source = extract.getTensor();
      if (!layouts->isInner(source))
        continue;
      SmallVector<Value> indices(extract.getIndices());
      extract.getTensorMutable().assign(made.lookup(source));
      extract.getIndicesMutable().assign(forge::inOrder<Value>(indices, layouts->orderOf(source)));
    }
  }

  const forge::FeatureLayouts *layouts = nullptr;
  llvm::DenseMap<Value, Value> made;
};
} // namespace
