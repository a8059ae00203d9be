#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace forge {
#define GEN_PASS_DEF_CALLDEVICEMATHPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-call-device-math"

using namespace mlir;

/// The operations of math that lib/DeviceMath has on f64, all called like their function.
static bool isLibraryFunction(Operation *op) {
  return isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp, math::Atan2Op,
             math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp, math::ErfOp, math::ErfcOp,
             math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log10Op, math::Log1pOp,
             math::Log2Op, math::PowFOp, math::RsqrtOp, math::SinOp, math::SinhOp, math::TanOp,
             math::TanhOp>(op);
}

namespace {
/// 1. Functions of f64 become calls; those of narrower floats have been expanded before
///    (forge-expand-math).
/// 2. The remainder of a division of floats, in any width, too: no target has it as an instruction.
/// 3. Calls of the runtime's special functions become calls of the device's.
struct CallDeviceMathPass : public forge::impl::CallDeviceMathPassBase<CallDeviceMathPass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      OpBuilder builder(op);
      if (auto call = dyn_cast<func::CallOp>(op))
        return renameCall(call);
      if (auto remainder = dyn_cast<arith::RemFOp>(op))
        return expandRemainder(builder, remainder);
      if (auto both = dyn_cast<math::SincosOp>(op); both && both.getOperand().getType().isF64()) {
        Value sine = call(builder, op, "sin", both.getOperand());
        both.replaceAllUsesWith(ValueRange{sine, call(builder, op, "cos", both.getOperand())});
        both.erase();
        return;
      }
      if (!isLibraryFunction(op) || !op->getResult(0).getType().isF64())
        return;
      StringRef name = op->getName().stripDialect();
      op->getResult(0).replaceAllUsesWith(call(builder, op, name, op->getOperands()));
      op->erase();
    });
    dropUnusedDeclarations();
  }

  Value call(OpBuilder &builder, Operation *at, StringRef name, ValueRange operands) {
    Type type = operands.front().getType();
    std::string symbol = ("forge_math_" + name + (type.isF64() ? "_f64" : "_f32")).str();
    declare(symbol, builder.getFunctionType(TypeRange(operands), type));
    return func::CallOp::create(builder, at->getLoc(), symbol, type, operands).getResult(0);
  }

  void declare(StringRef symbol, FunctionType type) {
    gpu::GPUModuleOp module = getOperation();
    if (module.lookupSymbol(symbol))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(builder, module.getLoc(), symbol, type).setPrivate();
  }

  void renameCall(func::CallOp call) {
    StringRef name = call.getCallee();
    if (!name.consume_front("forge_rt_"))
      return;
    std::string symbol = ("forge_math_" + name).str();
    declare(symbol, call.getCalleeType());
    call.setCallee(symbol);
  }

  void expandRemainder(OpBuilder &builder, arith::RemFOp op) {
    Type type = op.getType();
    if (!isa<FloatType>(type))
      return;
    Location loc = op.getLoc();
    Value left = op.getLhs(), right = op.getRhs();
    bool narrow = type.getIntOrFloatBitWidth() < 32;
    if (narrow) {
      left = arith::ExtFOp::create(builder, loc, builder.getF32Type(), left);
      right = arith::ExtFOp::create(builder, loc, builder.getF32Type(), right);
    }
    Value result = call(builder, op, "fmod", {left, right});
    if (narrow)
      result = arith::TruncFOp::create(builder, loc, type, result);
    op.replaceAllUsesWith(result);
    op.erase();
  }

  void dropUnusedDeclarations() {
    gpu::GPUModuleOp module = getOperation();
    for (func::FuncOp function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, module))
        function.erase();
  }
};
} // namespace
