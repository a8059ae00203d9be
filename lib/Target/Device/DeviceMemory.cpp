// Memory operations of the host as calls of the runtime.
#include "DeviceCalls.h"

#include "forge/Target/Device/HostCode.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

Value forge::stackSlot(OpBuilder &builder, Operation *op, Type type, int64_t count) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Location loc = op->getLoc();
  Value number = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), count);
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                type, number);
}

/// Bytes of one element in memory: LLVM's store size of integers below a byte is one.
static int64_t elementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

namespace {
template <typename Op> struct DevicePattern : public ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  static void call(OpBuilder &builder, Location loc, StringRef name, ValueRange operands) {
    LLVM::CallOp::create(builder, loc, TypeRange(), name, operands);
  }
  static Value callPointer(OpBuilder &builder, Location loc, StringRef name, ValueRange operands) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    return LLVM::CallOp::create(builder, loc, TypeRange{pointer}, name, operands).getResult();
  }
  static Value constant(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
  }

  /// Bytes of a contiguous memref.
  Value bytesOf(OpBuilder &builder, Location loc, MemRefType type, Value descriptor) const {
    Value bytes = constant(builder, loc, elementBytes(type.getElementType()));
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = type.isDynamicDim(dim) ? MemRefDescriptor(descriptor).size(builder, loc, dim)
                                          : constant(builder, loc, type.getDimSize(dim));
      bytes = LLVM::MulOp::create(builder, loc, bytes, size);
    }
    return bytes;
  }
};

struct DeviceAlloc : public DevicePattern<memref::AllocOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::AllocOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    if (op->hasAttr(forge::kHostAttr))
      return rewriter.notifyMatchFailure(op, "is in host memory");
    if (!isConvertibleAndHasIdentityMaps(type))
      return rewriter.notifyMatchFailure(op, "layout is not the identity");
    Location loc = op.getLoc();
    SmallVector<Value> sizes, strides;
    Value unused;
    getMemRefDescriptorSizes(loc, type, adaptor.getDynamicSizes(), rewriter, sizes, strides, unused,
                             /*sizeInBytes=*/false);
    // The static sizes, of which the type says that their product fits; then the others.
    int64_t known = elementBytes(type.getElementType());
    for (int64_t size : type.getShape())
      known *= ShapedType::isDynamic(size) ? 1 : size;
    Value bytes = constant(rewriter, loc, known);
    for (auto [size, declared] : llvm::zip_equal(sizes, type.getShape()))
      if (ShapedType::isDynamic(declared))
        bytes = LLVM::CallOp::create(rewriter, loc, TypeRange{rewriter.getI64Type()},
                                     "forge_rt_size_mul", ValueRange{bytes, size})
                    .getResult();
    Value memory = callPointer(rewriter, loc, "forge_rt_device_alloc", bytes);
    Value descriptor = createMemRefDescriptor(loc, type, memory, memory, sizes, strides, rewriter);
    rewriter.replaceOp(op, descriptor);
    return success();
  }
};

struct DeviceDealloc : public DevicePattern<memref::DeallocOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::DeallocOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (Operation *alloc = op.getMemref().getDefiningOp();
        alloc && alloc->hasAttr(forge::kHostAttr))
      return rewriter.notifyMatchFailure(op, "is in host memory");
    Value memory = MemRefDescriptor(adaptor.getMemref()).allocatedPtr(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), "forge_rt_device_free", memory);
    return success();
  }
};

/// On the device, or to the host (forge.host).
struct DeviceCopy : public DevicePattern<memref::CopyOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target)
      return rewriter.notifyMatchFailure(op, "unranked");
    Location loc = op.getLoc();
    if (!source.getLayout().isIdentity() || !target.getLayout().isIdentity()) {
      if (op->hasAttr(forge::kHostAttr))
        return rewriter.notifyMatchFailure(op, "a strided copy to the host");
      copyStrided(op, source, target, adaptor, rewriter);
      rewriter.eraseOp(op);
      return success();
    }
    Value from = MemRefDescriptor(adaptor.getSource()).alignedPtr(rewriter, loc);
    Value to = MemRefDescriptor(adaptor.getTarget()).alignedPtr(rewriter, loc);
    Value bytes = bytesOf(rewriter, loc, source, adaptor.getSource());
    StringRef name =
        op->hasAttr(forge::kHostAttr) ? "forge_rt_device_read" : "forge_rt_device_copy";
    call(rewriter, loc, name, {to, from, bytes});
    rewriter.eraseOp(op);
    return success();
  }

  void copyStrided(memref::CopyOp op, MemRefType source, MemRefType target, OpAdaptor adaptor,
                   ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    auto place = [&](Value descriptor) {
      Value slot = forge::stackSlot(rewriter, op, descriptor.getType());
      LLVM::StoreOp::create(rewriter, loc, descriptor, slot);
      return slot;
    };
    Value from = place(adaptor.getSource()), to = place(adaptor.getTarget());
    call(rewriter, loc, "forge_rt_device_copy_strided",
         {constant(rewriter, loc, elementBytes(source.getElementType())),
          constant(rewriter, loc, source.getRank()), from,
          constant(rewriter, loc, target.getRank()), to});
  }
};

/// One element: waits for the device.
struct DeviceLoad : public DevicePattern<memref::LoadOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Type element = getTypeConverter()->convertType(type.getElementType());
    Value from =
        getStridedElementPtr(rewriter, loc, type, adaptor.getMemref(), adaptor.getIndices());
    Value slot = forge::stackSlot(rewriter, op, element);
    call(rewriter, loc, "forge_rt_device_read",
         {slot, from, constant(rewriter, loc, elementBytes(type.getElementType()))});
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, element, slot);
    return success();
  }
};

struct DeviceStore : public DevicePattern<memref::StoreOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value to = getStridedElementPtr(rewriter, loc, type, adaptor.getMemref(), adaptor.getIndices());
    Value slot = forge::stackSlot(rewriter, op, adaptor.getValue().getType());
    LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), slot);
    call(rewriter, loc, "forge_rt_device_write",
         {to, slot, constant(rewriter, loc, elementBytes(type.getElementType()))});
    rewriter.eraseOp(op);
    return success();
  }
};

/// A constant: the device's copy of it.
struct DeviceConstant : public DevicePattern<memref::GetGlobalOp> {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(memref::GetGlobalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getType());
    Type pointer = LLVM::LLVMPointerType::get(getContext());
    Value host = LLVM::AddressOfOp::create(rewriter, loc, pointer, op.getName());
    Value bytes =
        constant(rewriter, loc, type.getNumElements() * elementBytes(type.getElementType()));
    Value memory = callPointer(rewriter, loc, "forge_rt_device_constant", {host, bytes});
    SmallVector<Value> sizes, strides;
    Value unused;
    getMemRefDescriptorSizes(loc, type, ValueRange(), rewriter, sizes, strides, unused,
                             /*sizeInBytes=*/false);
    Value descriptor = createMemRefDescriptor(loc, type, memory, memory, sizes, strides, rewriter);
    rewriter.replaceOp(op, descriptor);
    return success();
  }
};
} // namespace

void forge::populateDeviceMemoryPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<DeviceAlloc, DeviceDealloc, DeviceCopy, DeviceLoad, DeviceStore, DeviceConstant>(
      converter, PatternBenefit(20));
}
