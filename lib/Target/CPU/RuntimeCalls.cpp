// Operations that become calls of the runtime (forge/Runtime/CABI.h).
#include "forge/Target/CPU/RuntimeCalls.h"

#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

void forge::declareFunction(OpBuilder &builder, ModuleOp module, StringRef name, Type result,
                            ArrayRef<Type> arguments) {
  if (!SymbolTable::lookupSymbolIn(module, name))
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                             LLVM::LLVMFunctionType::get(result, arguments));
}

void forge::declareRuntime(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type none = LLVM::LLVMVoidType::get(module.getContext());
  Type i8 = builder.getI8Type(), i64 = builder.getI64Type();
  declareFunction(builder, module, "forge_rt_alloc", pointer, {i64});
  if (auto alloc = module.lookupSymbol<LLVM::LLVMFuncOp>("forge_rt_alloc"))
    alloc.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  declareFunction(builder, module, "forge_rt_free", none, {pointer});
  declareFunction(builder, module, "forge_rt_size_mul", i64, {i64, i64});
  declareFunction(builder, module, "forge_rt_assert", none, {i8, pointer, i64, i64, pointer});
  declareFunction(builder, module, "forge_rt_parallel_for", none,
                  {i64, i64, i64, pointer, pointer});
}

Value forge::createMessage(OpBuilder &builder, Location loc, StringAttr symbol) {
  return LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                   symbol.getValue());
}

StringAttr forge::addMessage(ModuleOp module, StringRef text, unsigned number) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
  auto global = LLVM::GlobalOp::create(
      builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
      "forge_message_" + std::to_string(number), builder.getStringAttr(text));
  return global.getSymNameAttr();
}

namespace {
/// memref.alloc: forge_rt_alloc of the bytes; dynamic sizes go through forge_rt_size_mul, which
/// ends the run on a negative size and on overflow.
struct LowerAlloc : public ConvertOpToLLVMPattern<memref::AllocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::AllocOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    if (!isConvertibleAndHasIdentityMaps(type))
      return rewriter.notifyMatchFailure(op, "layout is not the identity");
    if (op.getAlignment().value_or(1) > 64)
      return rewriter.notifyMatchFailure(op, "alignment beyond the arena's 64 bytes");
    Location loc = op.getLoc();
    SmallVector<Value> sizes, strides;
    Value bytes;
    getMemRefDescriptorSizes(loc, type, adaptor.getDynamicSizes(), rewriter, sizes, strides, bytes,
                             /*sizeInBytes=*/true);
    if (!type.hasStaticShape()) {
      bytes = getSizeInBytes(loc, type.getElementType(), rewriter);
      for (Value size : sizes)
        bytes = LLVM::CallOp::create(rewriter, loc, TypeRange{rewriter.getI64Type()},
                                     "forge_rt_size_mul", ValueRange{bytes, size})
                    .getResult();
    }
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Value memory = LLVM::CallOp::create(rewriter, loc, TypeRange{pointer}, "forge_rt_alloc", bytes)
                       .getResult();
    Value descriptor = createMemRefDescriptor(loc, type, memory, memory, sizes, strides, rewriter);
    rewriter.replaceOp(op, descriptor);
    return success();
  }
};

struct LowerDealloc : public ConvertOpToLLVMPattern<memref::DeallocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::DeallocOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getMemref().getType()))
      return rewriter.notifyMatchFailure(op, "unranked");
    Value memory = MemRefDescriptor(adaptor.getMemref()).allocatedPtr(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), "forge_rt_free", memory);
    return success();
  }
};

/// cf.assert: forge_rt_assert(condition, message, length, 0, null).
struct LowerAssert : public ConvertOpToLLVMPattern<cf::AssertOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto symbol = op->getAttrOfType<StringAttr>(forge::messageAttrName);
    if (!symbol)
      return rewriter.notifyMatchFailure(op, "message was not made a global");
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    Value condition = LLVM::ZExtOp::create(rewriter, loc, rewriter.getI8Type(), adaptor.getArg());
    Value message = forge::createMessage(rewriter, loc, symbol);
    Value length =
        LLVM::ConstantOp::create(rewriter, loc, i64, static_cast<int64_t>(op.getMsg().size()));
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i64, int64_t(0));
    Value null =
        LLVM::ZeroOp::create(rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()));
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), "forge_rt_assert",
                                              ValueRange{condition, message, length, zero, null});
    return success();
  }
};
} // namespace

void forge::populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerAlloc, LowerDealloc, LowerAssert>(converter, PatternBenefit(10));
}
