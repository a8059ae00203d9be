#include "Tokens.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace forge;

static bool isToken(mlir::Value value) { return llvm::isa<stablehlo::TokenType>(value.getType()); }

/// 1. An argument becomes a tensor that nothing reads, and its uses a token made here.
/// 2. A returned token becomes such a tensor.
static void makeTokensTensors(mlir::func::FuncOp function) {
  mlir::Block &block = function.front();
  mlir::Operation *end = block.getTerminator();
  if (llvm::none_of(block.getArguments(), isToken) && llvm::none_of(end->getOperands(), isToken))
    return;
  mlir::OpBuilder b = mlir::OpBuilder::atBlockBegin(&block);
  auto outside = mlir::RankedTensorType::get({0}, b.getI1Type());
  for (mlir::BlockArgument argument : block.getArguments())
    if (isToken(argument)) {
      argument.replaceAllUsesWith(
          stablehlo::CreateTokenOp::create(b, argument.getLoc(), argument.getType()));
      argument.setType(outside);
    }
  b.setInsertionPoint(end);
  for (mlir::OpOperand &operand : end->getOpOperands())
    if (isToken(operand.get()))
      operand.set(stablehlo::ConstantOp::create(
          b, end->getLoc(), mlir::DenseElementsAttr::get(outside, llvm::ArrayRef<bool>())));
  function.setType(b.getFunctionType(block.getArgumentTypes(), end->getOperandTypes()));
}

void forge::makeTokensTensors(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal() && function.getBody().hasOneBlock() &&
        mlir::SymbolTable::symbolKnownUseEmpty(function, module))
      ::makeTokensTensors(function);
}
