#include "TruthVectors.h"

#include "forge/Target/CPU/RuntimeCalls.h"
#include "forge/Target/CPU/Signature.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Diagnostics/Location.h"
#include "forge/Support/TensorBytes.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "forge-convert-to-llvm"

namespace forge {
#define GEN_PASS_DEF_CONVERTTOLLVMPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// Argument and result attributes of the source (jax.result_info, bufferization.access ...) mean
/// nothing from here on, and would be repeated for every field of a descriptor.
static void dropArgumentAttributes(func::FuncOp function) {
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
}

/// What an assertion says, and behind it, on a line of its own, where the source has what it
/// checks.
static std::string messageAt(StringRef message, Location location) {
  std::string place = forge::locationString(location);
  return place.empty() ? message.str() : (message + "\n" + place).str();
}

/// Assertions of one message are one function: each place that calls it gets one that says it.
static void placeAssertions(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::StringMap<func::FuncOp> placed;
  llvm::SmallSetVector<func::FuncOp, 8> shared;
  module.walk([&](func::CallOp call) {
    auto assertion = symbols.lookup<func::FuncOp>(call.getCallee());
    auto message = assertion ? assertion->getAttrOfType<StringAttr>(forge::assertMessageAttrName)
                             : StringAttr();
    if (!message || message.getValue().contains('\n') ||
        forge::locationString(call.getLoc()).empty())
      return;
    shared.insert(assertion);
    std::string text = messageAt(message, call.getLoc());
    func::FuncOp &own = placed[(call.getCallee() + "\n" + text).str()];
    if (!own) {
      own = assertion.clone();
      own->setAttr(forge::assertMessageAttrName, StringAttr::get(module.getContext(), text));
      symbols.insert(own, Block::iterator(assertion));
    }
    call.setCallee(own.getName());
  });
  for (func::FuncOp assertion : shared)
    if (SymbolTable::symbolKnownUseEmpty(assertion, module))
      symbols.erase(assertion);
}

static void prepare(ModuleOp module, SmallVectorImpl<forge::PackedEntry> &entries,
                    unsigned &numMessages) {
  forge::declareRuntime(module);
  MLIRContext *context = module.getContext();
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    dropArgumentAttributes(function);
    if (!function.isPublic() || function.isExternal())
      continue;
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(context));
    entries.push_back({function.getName().str(), function->removeAttr(forge::kSignatureAttr)});
  }
  placeAssertions(module);
  module.walk([&](cf::AssertOp op) {
    op.setMsg(messageAt(op.getMsg(), op.getLoc()));
    op->setAttr(forge::messageAttrName, forge::addMessage(module, op.getMsg(), numMessages++));
  });
}

/// Refuses memory whose bytes cannot be counted. Dynamic sizes are multiplied with a check when the
/// program runs; static ones would wrap around.
static LogicalResult checkAllocations(ModuleOp module) {
  WalkResult result = module.walk([](memref::AllocOp op) {
    if (forge::hasCountableBytes(op.getType().getShape()))
      return WalkResult::advance();
    forge::emitUserError(op) << "unsupported size: " << op.getType() << " does not fit in 63 bits";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void forge::populateHostToLLVMPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
  populateTruthVectorPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
}

// 1. Sizes of memory are checked. Functions seen from outside get a C interface; messages of
//    assertions become globals; the runtime is declared.
// 2. One conversion of all dialects.
// 3. Assertion functions get their bodies, entries their packed form.
LogicalResult forge::convertHostModule(
    ModuleOp module,
    llvm::function_ref<void(const LLVMTypeConverter &, RewritePatternSet &)> addPatterns) {
  MLIRContext *context = module.getContext();
  SmallVector<forge::PackedEntry> entries;
  unsigned numMessages = 0;
  if (failed(checkAllocations(module)))
    return failure();
  prepare(module, entries, numMessages);
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  addPatterns(converter, patterns);
  populateRuntimeCallPatterns(converter, patterns);
  populateHostToLLVMPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  target.addLegalOp<gpu::GPUModuleOp>();
  target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  defineAssertions(module, numMessages);
  defineLaunchers(module);
  addPackedEntries(module, entries);
  return success();
}

namespace {
struct ConvertToLLVMPass : public forge::impl::ConvertToLLVMPassBase<ConvertToLLVMPass> {
  void runOnOperation() override {
    if (failed(forge::convertHostModule(getOperation(),
                                        [](const LLVMTypeConverter &, RewritePatternSet &) {})))
      signalPassFailure();
  }
};
} // namespace
