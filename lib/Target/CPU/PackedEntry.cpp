// The functions written directly in the LLVM dialect: entries that take one array of pointers, and
// assertions.
#include "forge/Target/CPU/RuntimeCalls.h"
#include "forge/Target/CPU/Signature.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// void NAME__packed(void **args): calls _mlir_ciface_NAME(args[0], args[1] ...); args[0] only
/// where there are results.
static LLVM::LLVMFuncOp addPackedEntry(ModuleOp module, LLVM::LLVMFuncOp interface, StringRef name,
                                       bool hasResults) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = interface.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), {pointer});
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, (name + forge::kPackedSuffix).str(), type);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  unsigned count = interface.getFunctionType().getNumParams();
  for (unsigned i = 0; i < count; ++i) {
    LLVM::GEPArg index = static_cast<int32_t>(hasResults ? i : i + 1);
    Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, block->getArgument(0), index);
    Value argument = LLVM::LoadOp::create(builder, loc, pointer, place);
    // Descriptors are passed by pointer, scalars by value.
    if (Type type = interface.getFunctionType().getParamType(i); type != pointer)
      argument = LLVM::LoadOp::create(builder, loc, type, argument);
    arguments.push_back(argument);
  }
  LLVM::CallOp::create(builder, loc, interface, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return entry;
}

void forge::addPackedEntries(ModuleOp module, ArrayRef<PackedEntry> entries) {
  SymbolTable symbols(module);
  for (const auto &[name, signature] : entries) {
    auto interface = symbols.lookup<LLVM::LLVMFuncOp>("_mlir_ciface_" + name);
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (!interface || !function)
      continue;
    bool hasResults = !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType());
    LLVM::LLVMFuncOp entry = addPackedEntry(module, interface, name, hasResults);
    if (signature)
      entry->setAttr(kSignatureAttr, signature);
    // Only the packed entry is seen from outside: the others are inlined into it.
    interface.setLinkage(LLVM::Linkage::Internal);
    function.setLinkage(LLVM::Linkage::Internal);
  }
}

/// forge_rt_assert(condition, message, length, count, values).
static void defineAssertion(LLVM::LLVMFuncOp function, StringAttr symbol, int64_t length) {
  OpBuilder builder(function.getContext());
  Location loc = function.getLoc();
  Block *block = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i8 = builder.getI8Type(), i64 = builder.getI64Type();
  int64_t count = block->getNumArguments() - 1;
  Value number = LLVM::ConstantOp::create(builder, loc, i64, count);
  Value values = LLVM::AllocaOp::create(builder, loc, pointer, i64, number);
  for (int64_t i = 0; i < count; ++i) {
    Value value = block->getArgument(i + 1);
    if (value.getType() != i64)
      value = LLVM::SExtOp::create(builder, loc, i64, value);
    Value place = LLVM::GEPOp::create(builder, loc, pointer, i64, values,
                                      LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(builder, loc, value, place);
  }
  Value condition = LLVM::ZExtOp::create(builder, loc, i8, block->getArgument(0));
  Value message = forge::createMessage(builder, loc, symbol);
  Value bytes = LLVM::ConstantOp::create(builder, loc, i64, length);
  LLVM::CallOp::create(builder, loc, TypeRange(), "forge_rt_assert",
                       ValueRange{condition, message, bytes, number, values});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  function.setLinkage(LLVM::Linkage::Internal);
}

void forge::defineAssertions(ModuleOp module, unsigned &numMessages) {
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    auto message = function->getAttrOfType<StringAttr>(assertMessageAttrName);
    if (!message || !function.isExternal())
      continue;
    function->removeAttr(assertMessageAttrName);
    defineAssertion(function, addMessage(module, message, numMessages++),
                    static_cast<int64_t>(message.size()));
  }
}
