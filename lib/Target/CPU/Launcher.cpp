// From a call with captured values to forge_rt_parallel_for, which knows one pointer: the values go
// through a block on the caller's stack.
#include "forge/Target/CPU/RuntimeCalls.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// void BODY__chunk(ptr captured, i64 from, i64 to): takes the values out of the block and calls
/// BODY.
static LLVM::LLVMFuncOp createChunk(LLVM::LLVMFuncOp body, Type block) {
  OpBuilder builder(body);
  Location loc = body.getLoc();
  MLIRContext *context = builder.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, i64, i64});
  auto chunk = LLVM::LLVMFuncOp::create(builder, loc, (body.getName() + "__chunk").str(), type);
  chunk.setLinkage(LLVM::Linkage::Internal);
  Block *entry = chunk.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> operands{entry->getArgument(1), entry->getArgument(2)};
  ArrayRef<Type> fields = body.getFunctionType().getParams().drop_front(2);
  for (auto [index, field] : llvm::enumerate(fields)) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, block, entry->getArgument(0),
                                      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    operands.push_back(LLVM::LoadOp::create(builder, loc, field, place));
  }
  LLVM::CallOp::create(builder, loc, body, operands);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return chunk;
}

/// LAUNCH(begin, end, grain, captured...): fills the block and calls the runtime.
static void defineLauncher(LLVM::LLVMFuncOp launcher, LLVM::LLVMFuncOp body) {
  OpBuilder builder(launcher.getContext());
  Location loc = launcher.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(launcher.getContext());
  Type block = LLVM::LLVMStructType::getLiteral(launcher.getContext(),
                                                body.getFunctionType().getParams().drop_front(2));
  LLVM::LLVMFuncOp chunk = createChunk(body, block);
  Block *entry = launcher.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), int64_t(1));
  Value captured = LLVM::AllocaOp::create(builder, loc, pointer, block, one);
  for (unsigned i = 3; i < entry->getNumArguments(); ++i) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, block, captured,
                                      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i - 3)});
    LLVM::StoreOp::create(builder, loc, entry->getArgument(i), place);
  }
  Value function = LLVM::AddressOfOp::create(builder, loc, chunk);
  LLVM::CallOp::create(builder, loc, TypeRange(), "forge_rt_parallel_for",
                       ValueRange{entry->getArgument(0), entry->getArgument(1),
                                  entry->getArgument(2), function, captured});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  launcher.setLinkage(LLVM::Linkage::Internal);
  // In an entry that launches each layer's loops, the stores of all blocks would be one long basic
  // block, over which LLVM's SLP vectoriser takes time by the square.
  launcher.setNoInline(true);
  body.setLinkage(LLVM::Linkage::Internal);
}

void forge::defineLaunchers(ModuleOp module) {
  SymbolTable symbols(module);
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    auto name = function->getAttrOfType<FlatSymbolRefAttr>(parallelBodyAttrName);
    auto body = name ? symbols.lookup<LLVM::LLVMFuncOp>(name.getValue()) : LLVM::LLVMFuncOp();
    if (!body || !function.isExternal())
      continue;
    function->removeAttr(parallelBodyAttrName);
    defineLauncher(function, body);
  }
}
