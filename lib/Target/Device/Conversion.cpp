#include "forge/Target/Device/Conversion.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/bit.h"

using namespace mlir;

void forge::populateDeviceConversionPatterns(const LLVMTypeConverter &converter,
                                             RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false,
                                       PatternBenefit(10));
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
}

/// Bytes of the longest access of a thread.
static constexpr int64_t kAccessBytes = 16;

/// Bytes of which a buffer of this type begins at a multiple, as strategies take it for accesses of
/// several elements: the largest power of two that divides its rows, up to kAccessBytes; 0 where
/// that is not more than an element, or not known.
static int64_t alignmentOf(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !buffer.hasStaticShape() || buffer.getRank() == 0 ||
      !buffer.getLayout().isIdentity() || !buffer.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = buffer.getElementTypeBitWidth(), row = buffer.getShape().back() * bits;
  if (bits % 8 != 0 || row == 0)
    return 0;
  int64_t bytes =
      std::min(int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(row / 8)), kAccessBytes);
  return 8 * bytes > bits ? bytes : 0;
}

namespace {
/// An argument of a kernel whose pointer's alignment is known.
struct AlignedArgument {
  StringAttr kernel;
  unsigned number;
  int64_t bytes;
};
} // namespace

static SmallVector<AlignedArgument> alignedArguments(gpu::GPUModuleOp module) {
  SmallVector<AlignedArgument> found;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
      if (int64_t bytes = alignmentOf(type))
        found.push_back({kernel.getNameAttr(), static_cast<unsigned>(number), bytes});
  return found;
}

LogicalResult forge::convertDeviceModule(gpu::GPUModuleOp module, RewritePatternSet patterns,
                                         StringRef deviceDialect) {
  SmallVector<AlignedArgument> aligned = alignedArguments(module);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalDialect(deviceDialect);
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  // LLVM joins a thread's accesses to neighbouring elements by it.
  Builder builder(module.getContext());
  for (auto [name, number, bytes] : aligned)
    module.lookupSymbol<LLVM::LLVMFuncOp>(name).setArgAttr(
        number, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(bytes));
  return success();
}
