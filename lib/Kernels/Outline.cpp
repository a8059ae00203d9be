// From one operation to a kernel function and a call.
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// The name of the kernel: what the operation is.
static StringRef kindOf(Operation *root) {
  if (auto op = dyn_cast<linalg::GenericOp>(root)) {
    if (linalg::isaContractionOpInterface(cast<linalg::LinalgOp>(root)))
      return "contraction";
    return op.getNumReductionLoops() > 0 ? "reduce" : "elementwise";
  }
  if (isa<linalg::LinalgOp>(root))
    return root->getName().stripDialect();
  if (isa<bufferization::MaterializeInDestinationOp>(root))
    return "copy";
  return isa<tensor::InsertSliceOp, tensor::InsertOp>(root) ? "insert" : "loop";
}

/// True if the scalar depends on an element of a tensor by pure arithmetic: then the kernel reads
/// that element, and the host does not wait for it.
static bool dependsOnElement(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (isa<tensor::ExtractOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOnElement(operand, depth + 1); });
}

namespace {
/// 1. Collect what the kernel takes along (`along`, in order), and what it is passed: tensors it
/// reads, tensors it computes its results in, scalars.
/// 2. Create the function with these arguments; clone.
/// 3. Replace the operation by a call; scalar results come back through tensors of rank 0.
class Outliner {
public:
  Outliner(Operation *root, func::FuncOp host) : root(root), host(host), builder(root) {}

  void run(SymbolTable &symbols) {
    for (OpOperand &operand : root->getOpOperands())
      isDestination(operand) ? addDestination(operand) : addRead(operand.get());
    SetVector<Value> used;
    getUsedValuesDefinedAbove(root->getRegions(), used);
    for (Value value : used)
      addRead(value);
    for (Value result : root->getResults()) {
      bool isTensor = isa<RankedTensorType>(result.getType());
      if (!isTensor && result.use_empty())
        continue;
      handedBack.push_back(result);
      if (!isTensor)
        wrapped.push_back(tensor::EmptyOp::create(builder, root->getLoc(), ArrayRef<int64_t>(),
                                                  result.getType()));
    }
    func::FuncOp kernel = createFunction(symbols);
    replaceByCall(kernel);
  }

private:
  bool isDestination(OpOperand &operand) {
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

  /// What the operation starts from: nothing, a fill (taken along), or a tensor that it goes on
  /// with.
  void addDestination(OpOperand &operand) {
    Value init = operand.get();
    Value start = init;
    if (auto fill = init.getDefiningOp<linalg::FillOp>(); fill && isa<linalg::LinalgOp>(root)) {
      for (Value input : fill.getInputs())
        addRead(input);
      fills[destinations.size()] = fill;
      start = emptyLike(fill.getDpsInits().front());
    } else if (init.getDefiningOp<tensor::EmptyOp>() || !isRead(operand)) {
      start = emptyLike(init);
    }
    destinations.push_back({&operand, start});
  }

  bool isRead(OpOperand &operand) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(root);
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
    for (auto &[operand, start] : destinations)
      operands.push_back(start);
    llvm::append_range(operands, wrapped);
    llvm::append_range(operands, scalars);
    return operands;
  }

  SmallVector<Type> resultsOfCall() {
    return llvm::map_to_vector(handedBack, [](Value result) -> Type {
      Type type = result.getType();
      return isa<RankedTensorType>(type) ? type : RankedTensorType::get({}, type);
    });
  }

  func::FuncOp createFunction(SymbolTable &symbols) {
    SmallVector<Value> operands = operandsOfCall();
    OpBuilder outside(host);
    auto type = outside.getFunctionType(TypeRange(operands), resultsOfCall());
    auto kernel = func::FuncOp::create(outside, root->getLoc(), kindOf(root), type);
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
    SmallVector<Value> starts(argument, argument + destinations.size());
    argument += destinations.size();
    SmallVector<Value> targets(argument, argument + wrapped.size());
    argument += wrapped.size();
    for (Value scalar : scalars)
      mapping.map(scalar, *argument++);
    for (Operation *op : inProgramOrder())
      inside.clone(*op, mapping);
    for (auto [index, fill] : fills)
      starts[index] =
          linalg::FillOp::create(inside, fill.getLoc(), mapping.lookup(fill.getInputs().front()),
                                 starts[index])
              .getResult(0);
    Operation *clone = inside.clone(*root, mapping);
    for (auto [destination, start] : llvm::zip_equal(destinations, starts))
      clone->setOperand(destination.first->getOperandNumber(), start);
    SmallVector<Value> results;
    auto target = targets.begin();
    for (Value old : handedBack) {
      Value result = clone->getResult(cast<OpResult>(old).getResultNumber());
      results.push_back(isa<RankedTensorType>(result.getType())
                            ? result
                            : Value(tensor::InsertOp::create(inside, root->getLoc(), result,
                                                             *target++, ValueRange())));
    }
    func::ReturnOp::create(inside, root->getLoc(), results);
  }

  /// What is taken along was found operands first, which is a valid order.
  ArrayRef<Operation *> inProgramOrder() const { return along.getArrayRef(); }

  void replaceByCall(func::FuncOp kernel) {
    auto call = func::CallOp::create(builder, root->getLoc(), kernel, operandsOfCall());
    for (auto [old, result] : llvm::zip_equal(handedBack, call.getResults())) {
      Value value = result;
      if (!isa<RankedTensorType>(old.getType()))
        value = tensor::ExtractOp::create(builder, root->getLoc(), result, ValueRange());
      old.replaceAllUsesWith(value);
    }
    root->erase();
  }

  Operation *root;
  func::FuncOp host;
  OpBuilder builder;
  SetVector<Operation *> along;
  SetVector<Value> reads, scalars;
  SmallVector<std::pair<OpOperand *, Value>> destinations;
  llvm::MapVector<size_t, linalg::FillOp> fills;
  /// Results of the operation that are used, and the tensors of rank 0 for those that are scalars.
  SmallVector<Value> handedBack, wrapped;
};
} // namespace

void forge::outlineKernel(Operation *root, func::FuncOp host, SymbolTable &symbols) {
  Outliner(root, host).run(symbols);
}
