#include "CutOut.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace forge;

/// The values an op uses that are made outside of it: operands, and what its regions capture.
static llvm::SetVector<Value> usedValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Copies the functions that `op` refers to, and those they refer to, from `source` to `target`.
static void copyCallees(Operation *op, ModuleOp source, ModuleOp target) {
  op->walk([&](Operation *inner) {
    StringRef name;
    if (auto call = dyn_cast<func::CallOp>(inner))
      name = call.getCallee();
    else if (auto composite = dyn_cast<stablehlo::CompositeOp>(inner))
      name = composite.getDecomposition();
    else
      return;
    auto function = source.lookupSymbol<func::FuncOp>(name);
    if (!function || target.lookupSymbol(name))
      return;
    auto copy = cast<func::FuncOp>(function->clone());
    copy.setPrivate();
    target.push_back(copy);
    copyCallees(copy, source, target);
  });
}

CutOut forge::cutOut(ArrayRef<Operation *> ops) {
  Operation *last = ops.back();
  MLIRContext *context = last->getContext();
  CutOut result;
  result.module = ModuleOp::create(UnknownLoc::get(context));
  llvm::SetVector<Value> constants;
  llvm::DenseSet<Operation *> inside(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Value value : usedValues(op)) {
      if (isConstant(value))
        constants.insert(value);
      else if (!inside.contains(value.getDefiningOp()))
        result.inputs.insert(value);
    }
  SmallVector<Type> inputTypes;
  for (Value input : result.inputs)
    inputTypes.push_back(input.getType());
  auto function = func::FuncOp::create(
      last->getLoc(), "main", FunctionType::get(context, inputTypes, last->getResultTypes()));
  result.module->push_back(function);
  Block *block = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  IRMapping mapping;
  for (auto [input, argument] : llvm::zip(result.inputs, block->getArguments()))
    mapping.map(input, argument);
  for (Value constant : constants)
    if (!mapping.contains(constant))
      builder.clone(*constant.getDefiningOp(), mapping);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value value : last->getResults())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, last->getLoc(), results);
  copyCallees(function, last->getParentOfType<ModuleOp>(), *result.module);
  return result;
}

SmallVector<Operation *> forge::backwardSlice(Operation *op, int64_t levels) {
  llvm::SetVector<Operation *> slice;
  slice.insert(op);
  for (size_t begin = 0; levels > 0 && begin < slice.size(); --levels) {
    size_t end = slice.size();
    for (; begin < end; ++begin)
      for (Value value : usedValues(slice[begin])) {
        Operation *producer = value.getDefiningOp();
        if (producer && producer->getBlock() == op->getBlock() && !isConstant(value))
          slice.insert(producer);
      }
  }
  SmallVector<Operation *> ordered = llvm::to_vector(slice);
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}
