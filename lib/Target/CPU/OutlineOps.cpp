#include "OutlineOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

static bool isRemade(Value value) {
  Operation *maker = value.getDefiningOp();
  return maker && (maker->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(maker));
}

func::CallOp forge::outlineOps(ArrayRef<Operation *> ops, const Twine &name,
                               SymbolTable &symbols) {
  Operation *last = ops.back();
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  // 1. What is taken from outside, and what is used there.
  llvm::SetVector<Value> captured;
  SmallVector<Value> results;
  for (Operation *op : ops) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (!members.contains(value.getDefiningOp()))
        captured.insert(value);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
            return !members.contains(inBlock);
          }))
        results.push_back(result);
  }
  SmallVector<Value> constants, arguments;
  for (Value value : captured)
    (isRemade(value) ? constants : arguments).push_back(value);
  // 2. The function.
  auto parent = last->getParentOfType<func::FuncOp>();
  OpBuilder builder(last);
  Location loc = last->getLoc();
  auto function = func::FuncOp::create(
      loc, name.str(),
      builder.getFunctionType(ValueRange(arguments).getTypes(), ValueRange(results).getTypes()));
  function.setPrivate();
  symbols.insert(function, ++Block::iterator(parent));
  // 3. The call.
  builder.setInsertionPointAfter(last);
  auto call = func::CallOp::create(builder, loc, function, arguments);
  for (auto [result, called] : llvm::zip_equal(results, call.getResults()))
    result.replaceUsesWithIf(called, [&](OpOperand &use) {
      return !members.contains(last->getBlock()->findAncestorOpInBlock(*use.getOwner()));
    });
  // 4. The body.
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping inside;
  inside.map(arguments, body->getArguments());
  for (Value constant : constants)
    builder.clone(*constant.getDefiningOp(), inside);
  Operation *end = func::ReturnOp::create(builder, loc, results);
  // Not by the uses of what was captured: many functions may share a constant.
  for (Operation *op : ops) {
    op->moveBefore(end);
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(inside.lookupOrDefault(operand.get()));
    });
  }
  return call;
}
