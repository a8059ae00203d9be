#include "forge/Codegen/Math.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Target/Device/Conversion.h"
#include "forge/Target/NVVM/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "forge/Target/NVVM/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-convert-to-nvvm"

using namespace mlir;

namespace {
/// math.exp2 with fastmath<afn> is the instruction (PTX ISA, "ex2": within 2 units in the last
/// place, subnormals kept; .ftz does without them).
struct LowerHardwareExp2 : public ConvertOpToLLVMPattern<math::Exp2Op> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(math::Exp2Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32() || !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "not the instruction");
    auto name = rewriter.getStringAttr(op->hasAttr(forge::kNormalAttr) ? "llvm.nvvm.ex2.approx.ftz"
                                                                       : "llvm.nvvm.ex2.approx");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), name,
                                                       adaptor.getOperand());
    return success();
  }
};

/// arith.divf with fastmath<afn> is the quotient over the full range of numbers, where nothing is
/// subnormal a product with the reciprocal (PTX ISA, "div.full": within 2 units in the last place;
/// "rcp.approx.ftz": within 1).
struct LowerApproximateQuotient : public ConvertOpToLLVMPattern<arith::DivFOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(arith::DivFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32() || !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "not the instruction");
    auto call = [&](StringRef name, ValueRange operands) -> Value {
      return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                           rewriter.getStringAttr(name), operands)
          .getResult(0);
    };
    if (!op->hasAttr(forge::kNormalAttr)) {
      rewriter.replaceOp(op, call("llvm.nvvm.div.full", {adaptor.getLhs(), adaptor.getRhs()}));
      return success();
    }
    Value reciprocal = call("llvm.nvvm.rcp.approx.ftz.f", adaptor.getRhs());
    if (matchPattern(op.getLhs(), m_OneFloat()))
      rewriter.replaceOp(op, reciprocal);
    else
      rewriter.replaceOpWithNewOp<LLVM::FMulOp>(op, adaptor.getLhs(), reciprocal);
    return success();
  }
};

/// (x & mask) | bits, both constants, as one instruction (PTX ISA, "lop3"): with two constants
/// ptxas (13.0) makes two.
struct LowerMaskedOr : public ConvertOpToLLVMPattern<arith::OrIOp> {
  explicit LowerMaskedOr(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::OrIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto masked = op.getLhs().getDefiningOp<arith::AndIOp>();
    if (!op.getType().isInteger(32) || !masked || !matchPattern(masked.getRhs(), m_Constant()) ||
        !matchPattern(op.getRhs(), m_Constant()))
      return failure();
    SmallVector<Value> operands;
    for (Value value : {masked.getLhs(), masked.getRhs()})
      operands.push_back(rewriter.getRemappedValue(value));
    operands.push_back(adaptor.getRhs());
    auto dialect = LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT);
    rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
        op, op.getType(), operands, "lop3.b32 $0, $1, $2, $3, 0xea;", "=r,r,r,r",
        /*has_side_effects=*/false, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None, dialect, /*operand_attrs=*/ArrayAttr());
    return success();
  }
};

/// tile.wgmma as inline PTX (PTX ISA, "wgmma.mma_async": A in registers).
struct LowerWgmma : public ConvertOpToLLVMPattern<forge::tile::WgmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(forge::tile::WgmmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t columns = op.getColumns(), sums = columns / 2;
    StringRef element = op.getElement().isBF16() ? "bf16" : "f16";
    std::string text, constraints;
    llvm::raw_string_ostream asmText(text), list(constraints);
    // Outputs, then the sums tied to them, the words, the descriptor.
    asmText << "wgmma.mma_async.sync.aligned.m64n" << columns << "k16.f32." << element << "."
            << element << " {";
    SmallVector<Value> operands;
    for (int64_t i = 0; i < sums; ++i) {
      asmText << (i ? ", $" : "$") << i;
      list << "=f,";
      operands.push_back(
          LLVM::ExtractValueOp::create(rewriter, loc, adaptor.getSums(), ArrayRef<int64_t>{i}));
    }
    for (int64_t i = 0; i < sums; ++i)
      list << i << ",";
    list << "r,r,r,r,l";
    asmText << "}, {$" << 2 * sums << ", $" << 2 * sums + 1 << ", $" << 2 * sums + 2 << ", $"
            << 2 * sums + 3 << "}, $" << 2 * sums + 4 << ", 1, 1, 1, "
            << (op.getTransposed() ? 1 : 0) << ";";
    llvm::append_range(operands, adaptor.getLeft());
    operands.push_back(adaptor.getRight());
    auto dialect = LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT);
    rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
        op, op.getType(), operands, text, constraints, /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None, dialect,
        /*operand_attrs=*/ArrayAttr());
    return success();
  }
};

/// tile.time as inline PTX (PTX ISA, "%globaltimer"), which keeps its place among loads and stores.
struct LowerTime : public ConvertOpToLLVMPattern<forge::tile::TimeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(forge::tile::TimeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dialect = LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT);
    rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
        op, op.getType(), ValueRange(), "mov.u64 $0, %globaltimer;", "=l,~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        dialect, /*operand_attrs=*/ArrayAttr());
    return success();
  }
};

/// nvvm.griddepcontrol as inline PTX: LLVM's intrinsic says that it touches no memory, so loads
/// might be moved in front of it.
static void lowerGridDependency(NVVM::GriddepcontrolOp op) {
  OpBuilder builder(op);
  std::string text =
      ("griddepcontrol." + NVVM::stringifyGridDepActionKind(op.getKind()) + ";").str();
  auto dialect = LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT);
  LLVM::InlineAsmOp::create(builder, op.getLoc(), TypeRange(), ValueRange(), text, "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None, dialect,
                            /*operand_attrs=*/ArrayAttr());
  op.erase();
}

/// Loads of 16 bytes that are not temporal as inline PTX (PTX ISA, "ld",
/// level1::eviction_priority): they leave the multiprocessor's cache to others, for which LLVM has
/// no instruction. They keep their places among stores and barriers.
static void lowerStreamingLoad(LLVM::LoadOp op) {
  constexpr unsigned kWords = 4, kGlobalSpace = 1;
  auto type = dyn_cast<VectorType>(op.getType());
  auto pointer = cast<LLVM::LLVMPointerType>(op.getAddr().getType());
  if (!op.getNontemporal() || !type || !type.getElementType().isIntOrFloat() ||
      type.getNumElements() * type.getElementTypeBitWidth() != kWords * 32 ||
      (pointer.getAddressSpace() != 0 && pointer.getAddressSpace() != kGlobalSpace))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  MLIRContext *context = op.getContext();
  Value address = op.getAddr();
  if (pointer.getAddressSpace() == 0)
    address = LLVM::AddrSpaceCastOp::create(b, LLVM::LLVMPointerType::get(context, kGlobalSpace),
                                            address);
  Type word = b.getI32Type();
  auto words = LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(kWords, word));
  auto dialect = LLVM::AsmDialectAttr::get(context, LLVM::AsmDialect::AD_ATT);
  Value loaded = LLVM::InlineAsmOp::create(
                     b, words, address, "ld.global.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];",
                     "=r,=r,=r,=r,l,~{memory}",
                     /*has_side_effects=*/true, /*is_align_stack=*/false,
                     LLVM::tailcallkind::TailCallKind::None, dialect,
                     /*operand_attrs=*/ArrayAttr())
                     .getResult(0);
  Value made = LLVM::PoisonOp::create(b, VectorType::get(kWords, word));
  for (unsigned number = 0; number < kWords; ++number) {
    Value at = LLVM::ConstantOp::create(b, word, b.getI32IntegerAttr(number));
    Value part = LLVM::ExtractValueOp::create(b, loaded, number);
    made = LLVM::InsertElementOp::create(b, made, part, at);
  }
  op.replaceAllUsesWith(LLVM::BitcastOp::create(b, type, made).getResult());
  op.erase();
}

/// Arguments that are in the launch's constant memory, as tensor maps do (PTX ISA, "Tensor-map":
/// the address of a kernel's .param is one of them; 64-byte aligned).
static void passByValue(LLVM::LLVMFuncOp kernel, DenseI64ArrayAttr numbers) {
  Builder builder(kernel.getContext());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), forge::TensorMap::kBytes);
  for (int64_t number : numbers.asArrayRef()) {
    auto argument = static_cast<unsigned>(number);
    kernel.setArgAttr(argument, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    kernel.setArgAttr(argument, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(64));
    kernel.setArgAttr(argument, NVVM::NVVMDialect::getGridConstantAttrName(),
                      builder.getUnitAttr());
  }
}

struct ConvertToNVVMPass : public forge::impl::ConvertToNVVMPassBase<ConvertToNVVMPass> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    LowerToLLVMOptions options(&getContext());
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    RewritePatternSet patterns(&getContext());
    forge::populateDeviceConversionPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    SmallVector<std::pair<StringAttr, DenseI64ArrayAttr>> byValue;
    for (auto kernel : module.getOps<gpu::GPUFuncOp>())
      if (auto numbers = kernel->getAttrOfType<DenseI64ArrayAttr>(forge::kByValueAttr))
        byValue.push_back({kernel.getNameAttr(), numbers});
    patterns.add<LowerHardwareExp2>(converter, /*benefit=*/20);
    patterns.add<LowerApproximateQuotient>(converter, /*benefit=*/20);
    patterns.add<LowerTime, LowerWgmma, LowerMaskedOr>(converter);
    if (failed(forge::convertDeviceModule(module, std::move(patterns),
                                          NVVM::NVVMDialect::getDialectNamespace())))
      return signalPassFailure();
    module.walk([](NVVM::GriddepcontrolOp op) { lowerGridDependency(op); });
    module.walk([](LLVM::LoadOp op) { lowerStreamingLoad(op); });
    for (auto [name, numbers] : byValue)
      passByValue(module.lookupSymbol<LLVM::LLVMFuncOp>(name), numbers);
  }
};
} // namespace
