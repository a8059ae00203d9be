#include "ComplexSplitter.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge {
#define GEN_PASS_DEF_SPLITCOMPLEXPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

SmallVector<Value> ComplexSplitter::splitValues(ValueRange values) {
  SmallVector<Value> split;
  for (Value value : values) {
    if (!isComplex(value.getType())) {
      split.push_back(value);
      continue;
    }
    split.push_back(partsOf(value).re);
    split.push_back(partsOf(value).im);
  }
  return split;
}

void ComplexSplitter::replace(Operation *op, ValueRange values) {
  size_t next = 0;
  for (Value result : op->getResults()) {
    if (isComplex(result.getType())) {
      parts[result] = {values[next], values[next + 1]};
      next += 2;
    } else {
      result.replaceAllUsesWith(values[next++]);
    }
  }
  dead.push_back(op);
}

/// Two arguments for each complex one; those of a comparator come in pairs, whose parts do too.
LogicalResult ComplexSplitter::splitRegionArguments(Region &region, bool pairsOfArguments) {
  for (Block &block : region) {
    SmallVector<BlockArgument> before(block.getArguments());
    Location loc = region.getLoc();
    for (size_t i = 0; i < before.size(); ++i) {
      BlockArgument argument = before[i];
      if (!isComplex(argument.getType()))
        continue;
      Type type = partType(argument.getType());
      if (!pairsOfArguments) {
        BlockArgument re = block.insertArgument(argument.getArgNumber() + 1, type, loc);
        BlockArgument im = block.insertArgument(argument.getArgNumber() + 2, type, loc);
        parts[argument] = {re, im};
        deadArguments.push_back(argument);
        continue;
      }
      BlockArgument other = before[i + 1];
      unsigned at = other.getArgNumber() + 1;
      Value re = block.insertArgument(at, type, loc),
            otherRe = block.insertArgument(at + 1, type, loc);
      Value im = block.insertArgument(at + 2, type, loc),
            otherIm = block.insertArgument(at + 3, type, loc);
      parts[argument] = {re, im};
      parts[other] = {otherRe, otherIm};
      deadArguments.push_back(argument);
      deadArguments.push_back(other);
      ++i;
    }
  }
  return success();
}

LogicalResult ComplexSplitter::splitReturn(Operation *op, func::FuncOp entry) {
  if (!entry) {
    builder.setInsertionPoint(op);
    op->setOperands(splitValues(op->getOperands()));
    return success();
  }
  builder.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isComplex(operand.get().getType()))
      operand.set(interleaver.pack(operand.get().getLoc(), partsOf(operand.get())));
  return success();
}

bool ComplexSplitter::isInvolved(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isComplex) ||
         llvm::any_of(op->getResultTypes(), isComplex);
}

LogicalResult ComplexSplitter::split(Operation *op, func::FuncOp entry) {
  builder.setInsertionPoint(op);
  if (isa<func::ReturnOp, stablehlo::ReturnOp>(op))
    return splitReturn(op, isa<func::ReturnOp>(op) ? entry : func::FuncOp());
  if (isInvolved(op))
    return splitKnown(op);
  // Of a real tensor.
  if (isa<RealOp>(op)) {
    replace(op, op->getOperand(0));
    return success();
  }
  if (isa<ImagOp>(op)) {
    replace(op, ComplexMath(builder, op->getLoc()).constant(op->getOperand(0), 0));
    return success();
  }
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      if (llvm::any_of(block.getArgumentTypes(), isComplex))
        return refuseComplex(op);
      if (failed(splitBlock(block)))
        return failure();
    }
  }
  return success();
}

LogicalResult ComplexSplitter::splitBlock(Block &block, func::FuncOp entry) {
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (Operation *op : ops)
    if (failed(split(op, entry)))
      return failure();
  return success();
}

/// Arguments of an entry function hold their parts next to each other; those of others become two.
LogicalResult ComplexSplitter::splitArguments(func::FuncOp function) {
  if (!function.isPublic())
    return splitRegionArguments(function.getBody(), /*pairsOfArguments=*/false);
  builder.setInsertionPointToStart(&function.getBody().front());
  Block &body = function.getBody().front();
  for (BlockArgument argument : SmallVector<BlockArgument>(body.getArguments())) {
    if (!isComplex(argument.getType()))
      continue;
    BlockArgument interleaved = body.insertArgument(
        argument.getArgNumber() + 1, interleavedType(argument.getType()), argument.getLoc());
    parts[argument] = interleaver.unpack(interleaved);
    deadArguments.push_back(argument);
  }
  return success();
}

LogicalResult ComplexSplitter::splitFunction(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  bool isEntry = function.isPublic();
  if (function.isExternal()) {
    if (llvm::any_of(type.getInputs(), isComplex) || llvm::any_of(type.getResults(), isComplex))
      return emitUserError(function.getLoc())
             << "function '" << function.getName()
             << "' without a body takes or returns complex numbers";
    return success();
  }
  // 1. Attributes of arguments and results that become two are of no use to what comes after.
  SmallVector<Attribute> argumentAttrs, resultAttrs;
  for (unsigned i = 0; !isEntry && i < type.getNumInputs(); ++i)
    argumentAttrs.append(isComplex(type.getInput(i)) ? 2 : 1,
                         function.getArgAttrDict(i) ? Attribute(function.getArgAttrDict(i))
                                                    : Attribute(builder.getDictionaryAttr({})));
  for (unsigned i = 0; !isEntry && i < type.getNumResults(); ++i)
    resultAttrs.append(isComplex(type.getResult(i)) ? 2 : 1,
                       Attribute(builder.getDictionaryAttr({})));
  // 2. The body.
  if (failed(splitArguments(function)))
    return failure();
  for (Block &block : function.getBody())
    if (failed(splitBlock(block, isEntry ? function : func::FuncOp())))
      return failure();
  // 3. The type.
  SmallVector<Type> results;
  for (auto [index, result] : llvm::enumerate(type.getResults())) {
    if (isEntry && isComplex(result)) {
      results.push_back(interleavedType(result));
      function.setResultAttr(static_cast<unsigned>(index), kComplexAttr, builder.getUnitAttr());
    } else {
      results.append(splitTypes(result));
    }
  }
  SmallVector<Type> arguments;
  for (auto [index, argument] : llvm::enumerate(type.getInputs())) {
    bool packed = isEntry && isComplex(argument);
    if (packed)
      function.setArgAttr(static_cast<unsigned>(index), kComplexAttr, builder.getUnitAttr());
    arguments.append(packed ? SmallVector<Type>{interleavedType(argument)} : splitTypes(argument));
  }
  function.setFunctionType(builder.getFunctionType(arguments, results));
  if (!isEntry) {
    function.setAllArgAttrs(argumentAttrs);
    function.setAllResultAttrs(resultAttrs);
  }
  return success();
}

LogicalResult ComplexSplitter::run() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  bool found = false;
  module.walk([&](Operation *op) {
    found |= isa<RealOp, ImagOp>(op) || isInvolved(op) ||
             llvm::any_of(op->getRegions(), [](Region &region) {
               return llvm::any_of(region, [](Block &block) {
                 return llvm::any_of(block.getArgumentTypes(), isComplex);
               });
             });
  });
  if (!found)
    return success();
  for (func::FuncOp function : functions)
    if (failed(splitFunction(function)))
      return failure();
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    op->erase();
  }
  for (BlockArgument argument : llvm::reverse(deadArguments))
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  return success();
}

LogicalResult forge::splitComplex(ModuleOp module, bool forGPU) {
  // Outside of a pass nothing has loaded what constants of dynamic sizes are made of.
  module.getContext()->getOrLoadDialect<chlo::CHLODialect>();
  expandLinearAlgebra(module);
  return ComplexSplitter(module, forGPU).run();
}

namespace {
struct SplitComplexPass : forge::impl::SplitComplexPassBase<SplitComplexPass> {
  using SplitComplexPassBase::SplitComplexPassBase;
  void runOnOperation() override {
    if (failed(splitComplex(getOperation(), forGPU)))
      signalPassFailure();
  }
};
} // namespace
