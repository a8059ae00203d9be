// From operations to a kernel function and a call.
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// Whether `op` sums products of windows and a kernel; pooling, which has no features of its own in
/// the window, does not.
static bool isConvolution(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  return succeeded(dims) && !(dims->outputChannel.empty() && dims->depth.empty());
}

/// The name of the kernel: what the operation is.
static StringRef kindOf(Operation *root) {
  if (auto op = dyn_cast<linalg::GenericOp>(root)) {
    if (linalg::isaContractionOpInterface(cast<linalg::LinalgOp>(root)))
      return "contraction";
    if (isConvolution(cast<linalg::LinalgOp>(root)))
      return "convolution";
    return op.getNumReductionLoops() > 0 ? "reduce" : "elementwise";
  }
  if (isa<linalg::LinalgOp>(root))
    return root->getName().stripDialect();
  if (isa<bufferization::MaterializeInDestinationOp>(root))
    return "copy";
  return isa<tensor::InsertSliceOp, tensor::InsertOp>(root) ? "insert" : "loop";
}

/// A cluster with contractions in it is those, what follows them and what computes a factor; one
/// of which a product multiplies what other reductions make of another product is attention.
static StringRef nameOf(ArrayRef<Operation *> members) {
  if (members.size() == 1)
    return kindOf(members.front());
  bool hasProduct = false, isAttention = false;
  DenseSet<Operation *> ofProducts,
      ofReductions; // computed from a product; from a reduction of one
  for (Operation *op : members) {
    auto isComputedFrom = [&](const DenseSet<Operation *> &others) {
      return llvm::any_of(op->getOperands(),
                          [&](Value operand) { return others.contains(operand.getDefiningOp()); });
    };
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool isProduct =
        linalgOp && (linalg::isaContractionOpInterface(linalgOp) || isConvolution(linalgOp));
    bool isReduction = linalgOp && !isProduct && linalgOp.getNumReductionLoops() > 0;
    bool afterReduction = isComputedFrom(ofReductions), afterProduct = isComputedFrom(ofProducts);
    hasProduct |= isProduct;
    isAttention |= isProduct && afterReduction;
    if (isProduct || afterProduct)
      ofProducts.insert(op);
    if (afterReduction || (isReduction && afterProduct))
      ofReductions.insert(op);
  }
  return isAttention ? "attention" : hasProduct ? "contraction" : "rows";
}

/// True if the scalar depends on an element of a tensor by pure arithmetic: then the kernel reads
/// that element, and the host does not wait for it.
static bool dependsOnElement(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (isa<tensor::ExtractOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOnElement(operand, depth + 1); });
}

namespace {
/// The operations of one kernel, in program order; the call is where the last one stood.
/// 1. Collect what the kernel takes along (`along`, in order), and what it is passed: tensors it
///    reads, tensors it computes its results in, scalars. What only the kernel uses, it computes in
///    temporaries.
/// 2. Create the function with these arguments; clone.
/// 3. Replace the operations by a call; scalar results come back through tensors of rank 0.
class Outliner {
public:
  Outliner(ArrayRef<Operation *> members, func::FuncOp host)
      : members(members.begin(), members.end()), root(members.back()), host(host), builder(root) {}

  void run(SymbolTable &symbols) {
    for (Operation *op : members) {
      for (OpOperand &operand : op->getOpOperands())
        if (!isMember(operand.get().getDefiningOp()))
          isDestination(operand) ? addDestination(operand) : addRead(operand.get());
      SetVector<Value> used;
      getUsedValuesDefinedAbove(op->getRegions(), used);
      for (Value value : used) {
        Operation *def = value.getDefiningOp();
        if (isMember(def))
          continue;
        // Passed to the kernel, an empty tensor would have contents, which a loop copies.
        isa_and_nonnull<tensor::EmptyOp>(def) ? takeAlong(def) : addRead(value);
      }
      for (Value result : op->getResults())
        if (members.size() > 1 ? isUsedOutside(result)
                               : isa<RankedTensorType>(result.getType()) || !result.use_empty())
          outputs.push_back(result);
    }
    for (Value output : outputs)
      if (!isa<RankedTensorType>(output.getType()))
        wrapped.push_back(tensor::EmptyOp::create(builder, root->getLoc(), ArrayRef<int64_t>(),
                                                  output.getType()));
    func::FuncOp kernel = createFunction(symbols);
    replaceByCall(kernel);
  }

private:
  bool isMember(Operation *op) const { return op && llvm::is_contained(members, op); }

  bool isUsedOutside(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return llvm::none_of(members, [&](Operation *op) { return op->isAncestor(user); });
    });
  }

  bool isDestination(OpOperand &operand) {
    Operation *root = operand.getOwner();
    if (!isa<RankedTensorType>(operand.get().getType()))
      return false;
    if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(root))
      return &operand == &copy.getDestMutable();
    if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(root))
      return destinationStyle.isDpsInit(&operand);
    if (auto insert = dyn_cast<tensor::InsertOp>(root))
      return &operand == &insert.getDestMutable();
    return isa<scf::ForOp, scf::WhileOp>(root);
  }

  void takeAlong(Operation *op) {
    for (Value operand : op->getOperands())
      addRead(operand);
    along.insert(op);
  }

  void addRead(Value value) {
    Operation *op = value.getDefiningOp();
    bool isTensor = isa<RankedTensorType>(value.getType());
    if (op && along.contains(op))
      return;
    if (op && (isTensor ? isa<tensor::ExtractSliceOp>(op)
                        : op->hasTrait<OpTrait::ConstantLike>() || dependsOnElement(value)))
      return takeAlong(op);
    (isTensor ? reads : scalars).insert(value);
  }

  /// What a member starts from: nothing, a fill (taken along), or a tensor that it goes on with. If
  /// only the kernel uses the result, the kernel makes the tensor too.
  void addDestination(OpOperand &operand) {
    Value init = operand.get();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
    Start start{&operand, init, linalgOp ? init.getDefiningOp<linalg::FillOp>() : linalg::FillOp()};
    if (start.fill) {
      for (Value input : start.fill.getInputs())
        addRead(input);
      start.tensor = emptyLike(start.fill.getDpsInits().front());
    } else if (init.getDefiningOp<tensor::EmptyOp>() || !isRead(operand)) {
      start.tensor = emptyLike(init);
    }
    start.isTemporary = members.size() > 1 && !isUsedOutside(resultOf(operand));
    if (start.isTemporary)
      takeAlong(start.tensor.getDefiningOp());
    starts.push_back(start);
  }

  /// What a member makes of what it starts from.
  static Value resultOf(OpOperand &operand) {
    if (auto loop = dyn_cast<scf::ForOp>(operand.getOwner()))
      return loop.getTiedLoopResult(&operand);
    return cast<DestinationStyleOpInterface>(operand.getOwner()).getTiedOpResult(&operand);
  }

  bool isRead(OpOperand &operand) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
    return !linalgOp || linalgOp.payloadUsesValueFromOperand(&operand);
  }

  Value emptyLike(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<Value> sizes;
    auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
    if (empty)
      sizes = llvm::to_vector(empty.getDynamicSizes());
    else
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(tensor::DimOp::create(builder, tensor.getLoc(), tensor, dim));
    return tensor::EmptyOp::create(builder, tensor.getLoc(), type, sizes);
  }

  SmallVector<Value> operandsOfCall() {
    SmallVector<Value> operands = llvm::to_vector(reads);
    for (const Start &start : starts)
      if (!start.isTemporary)
        operands.push_back(start.tensor);
    llvm::append_range(operands, wrapped);
    llvm::append_range(operands, scalars);
    return operands;
  }

  SmallVector<Type> resultsOfCall() {
    return llvm::map_to_vector(outputs, [](Value output) -> Type {
      Type type = output.getType();
      return isa<RankedTensorType>(type) ? type : RankedTensorType::get({}, type);
    });
  }

  func::FuncOp createFunction(SymbolTable &symbols) {
    SmallVector<Value> operands = operandsOfCall();
    OpBuilder outside(host);
    auto type = outside.getFunctionType(TypeRange(operands), resultsOfCall());
    auto kernel = func::FuncOp::create(outside, root->getLoc(), nameOf(members), type);
    kernel.setPrivate();
    kernel->setAttr(forge::kKernelAttr, outside.getUnitAttr());
    symbols.insert(kernel, host->getIterator());
    fillBody(kernel);
    return kernel;
  }

  void fillBody(func::FuncOp kernel) {
    Block *body = kernel.addEntryBlock();
    OpBuilder inside = OpBuilder::atBlockBegin(body);
    IRMapping mapping;
    auto argument = body->args_begin();
    for (Value read : reads)
      mapping.map(read, *argument++);
    SmallVector<Value> startValues;
    for (const Start &start : starts)
      startValues.push_back(start.isTemporary ? Value() : *argument++);
    SmallVector<Value> targets(argument, argument + wrapped.size());
    argument += wrapped.size();
    for (Value scalar : scalars)
      mapping.map(scalar, *argument++);
    for (Operation *op : inProgramOrder())
      inside.clone(*op, mapping);
    for (auto [start, value] : llvm::zip_equal(starts, startValues)) {
      if (start.isTemporary)
        value = mapping.lookup(start.tensor);
      if (auto fill = start.fill)
        value = linalg::FillOp::create(inside, fill.getLoc(),
                                       mapping.lookup(fill.getInputs().front()), value)
                    .getResult(0);
    }
    for (Operation *op : members) {
      Operation *clone = inside.clone(*op, mapping);
      for (auto [start, value] : llvm::zip_equal(starts, startValues))
        if (start.operand->getOwner() == op)
          clone->setOperand(start.operand->getOperandNumber(), value);
    }
    SmallVector<Value> results;
    auto target = targets.begin();
    for (Value output : outputs) {
      Value result = mapping.lookup(output);
      if (!isa<RankedTensorType>(result.getType()))
        result = tensor::InsertOp::create(inside, root->getLoc(), result, *target++, ValueRange());
      results.push_back(result);
    }
    func::ReturnOp::create(inside, root->getLoc(), results);
  }

  /// What is taken along was found operands first, which is a valid order.
  ArrayRef<Operation *> inProgramOrder() const { return along.getArrayRef(); }

  void replaceByCall(func::FuncOp kernel) {
    auto call = func::CallOp::create(builder, root->getLoc(), kernel, operandsOfCall());
    for (auto [old, result] : llvm::zip_equal(outputs, call.getResults())) {
      Value value = result;
      if (!isa<RankedTensorType>(old.getType()))
        value = tensor::ExtractOp::create(builder, root->getLoc(), result, ValueRange());
      old.replaceAllUsesWith(value);
    }
    for (Operation *op : llvm::reverse(members))
      op->erase();
  }

  /// A tensor that a member's result is computed in.
  struct Start {
    OpOperand *operand;
    Value tensor;
    /// What it holds at first, or null.
    linalg::FillOp fill;
    /// Made by the kernel itself; otherwise an argument of it.
    bool isTemporary = false;
  };

  SmallVector<Operation *> members;
  Operation *root;
  func::FuncOp host;
  OpBuilder builder;
  SetVector<Operation *> along;
  SetVector<Value> reads, scalars;
  SmallVector<Start> starts;
  SmallVector<Value> outputs, wrapped;
};
} // namespace

void forge::outlineKernel(ArrayRef<Operation *> members, func::FuncOp host, SymbolTable &symbols) {
  Outliner(members, host).run(symbols);
}
