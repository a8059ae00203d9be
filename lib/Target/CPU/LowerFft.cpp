#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "forge-lower-fft"

namespace forge {
#define GEN_PASS_DEF_LOWERFFTPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;

static func::FuncOp declare(OpBuilder builder, ModuleOp module, StringRef name, TypeRange types) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name, builder.getFunctionType(types, {}));
  function.setPrivate();
  return function;
}

static void lowerFft(FftOp op, ModuleOp module) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type element = cast<MemRefType>(op.getInput().getType()).getElementType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  auto unranked = [&](Value buffer) -> Value {
    return memref::CastOp::create(builder, loc, UnrankedMemRefType::get(element, Attribute()),
                                  buffer);
  };
  SmallVector<Value> args{number(static_cast<int64_t>(op.getKind())),
                          number(static_cast<int64_t>(op.getDims())), unranked(op.getInput()),
                          unranked(op.getOutput())};
  StringRef name = element.isF32() ? "forge_rt_fft_f32" : "forge_rt_fft_f64";
  func::FuncOp function = declare(builder, module, name, ValueRange(args).getTypes());
  func::CallOp::create(builder, loc, function, args);
  op.erase();
}

namespace {
struct LowerFftPass : public forge::impl::LowerFftPassBase<LowerFftPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<FftOp> transforms;
    module.walk([&](FftOp op) { transforms.push_back(op); });
    for (FftOp op : transforms)
      lowerFft(op, module);
  }
};
} // namespace
