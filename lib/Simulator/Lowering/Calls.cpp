#include "Calls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace forge;

namespace {
struct Signature {
  StringRef name, result, arguments;
};
const Signature signatures[] = {
#define FORGE_SIM_CALL(name, result, arguments) {#name, result, arguments},
#include "forge/Simulator/Calls.def"
#undef FORGE_SIM_CALL
};

const Signature &signatureOf(StringRef name) {
  const Signature *found =
      llvm::find_if(signatures, [&](const Signature &each) { return each.name == name; });
  assert(found != std::end(signatures) && "a function of Calls.def");
  return *found;
}

Type typeOf(char letter, MLIRContext *context) {
  Builder builder(context);
  switch (letter) {
  case 'w':
    return builder.getI32Type();
  case 'q':
    return builder.getI64Type();
  case 'p':
    return LLVM::LLVMPointerType::get(context);
  case 's':
    return LLVM::LLVMStructType::getLiteral(context, {builder.getI64Type(), builder.getI64Type()});
  default:
    return LLVM::LLVMVoidType::get(context);
  }
}
} // namespace

Value CallBuilder::word(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value CallBuilder::quad(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value CallBuilder::resize(Value value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  if (isa<IndexType>(value.getType())) {
    value = arith::IndexCastUIOp::create(builder, loc, builder.getI64Type(), value);
  }
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width < bits)
    return LLVM::ZExtOp::create(builder, loc, type, value);
  return width == bits ? value : LLVM::TruncOp::create(builder, loc, type, value);
}

static unsigned bitsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.getIntOrFloatBitWidth();
}

/// LLVM has no floats of eight bits or less.
static bool isStorageFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() <= 8;
}

Value CallBuilder::toQuad(Value value) {
  Type type = value.getType();
  if (isa<IndexType>(type))
    return resize(value, 64);
  if (isStorageFloat(type)) {
    Type bits = builder.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
    value = arith::BitcastOp::create(builder, loc, bits, value);
  }
  if (!isa<IntegerType>(value.getType()))
    value = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(bitsOf(type)), value);
  return resize(value, 64);
}

Value CallBuilder::fromQuad(Value quad, Type type) {
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, loc, type, quad);
  Value bits = resize(quad, bitsOf(type));
  if (isStorageFloat(type)) {
    Type element = builder.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
    if (auto vector = dyn_cast<VectorType>(type))
      bits = LLVM::BitcastOp::create(builder, loc, vector.clone(element), bits);
    return arith::BitcastOp::create(builder, loc, type, bits);
  }
  return isa<IntegerType>(type) ? bits : LLVM::BitcastOp::create(builder, loc, type, bits);
}

LLVM::CallOp CallBuilder::call(StringRef name, ValueRange arguments) {
  const Signature &signature = signatureOf(name);
  assert(signature.arguments.size() == arguments.size() && "arguments of Calls.def");
  SmallVector<Value> operands;
  for (auto [value, letter] : llvm::zip(arguments, signature.arguments)) {
    if (letter == 'p') {
      Type flat = typeOf('p', builder.getContext());
      Value pointer = value;
      if (pointer.getType() != flat)
        pointer = LLVM::AddrSpaceCastOp::create(builder, loc, flat, pointer);
      operands.push_back(pointer);
    } else {
      operands.push_back(resize(value, letter == 'w' ? 32 : 64));
    }
  }
  SmallVector<Type> results;
  if (signature.result != "v")
    results.push_back(typeOf(signature.result[0], builder.getContext()));
  return LLVM::CallOp::create(builder, loc, results, name, operands);
}

LLVM::CallOp CallBuilder::callSite(StringRef name, StringRef operation,
                                   SmallVector<Value> arguments) {
  arguments.push_back(word(0));
  LLVM::CallOp op = call(name, arguments);
  op->setAttr(kSiteOperation, builder.getStringAttr(operation));
  return op;
}

void forge::markInvisible(LLVM::CallOp call) {
  auto none = LLVM::ModRefInfo::NoModRef, both = LLVM::ModRefInfo::ModRef;
  call.setMemoryEffectsAttr(
      LLVM::MemoryEffectsAttr::get(call.getContext(), {none, none, both, none, none, none}));
}

void forge::declareCalls(ModuleOp module) {
  llvm::SmallSetVector<StringRef, 16> called;
  module.walk([&](LLVM::CallOp op) {
    if (std::optional<StringRef> callee = op.getCallee();
        callee && callee->starts_with("forge_sim_"))
      called.insert(*callee);
  });
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = module.getContext();
  for (StringRef name : called) {
    if (module.lookupSymbol(name))
      continue;
    const Signature &signature = signatureOf(name);
    SmallVector<Type> arguments;
    for (char letter : signature.arguments)
      arguments.push_back(typeOf(letter, context));
    auto function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(typeOf(signature.result[0], context), arguments));
    if (name == "forge_sim_index" || name == "forge_sim_shared") {
      // The same for all of a thread's life.
      auto none = LLVM::ModRefInfo::NoModRef;
      function.setMemoryEffectsAttr(
          LLVM::MemoryEffectsAttr::get(context, {none, none, none, none, none, none}));
      function.setWillReturn(true);
    }
  }
}

/// "file:line:column" of the place nearest to the source.
static std::string describe(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn());
  if (auto name = dyn_cast<NameLoc>(loc)) {
    std::string child = describe(name.getChildLoc());
    return child.empty() ? name.getName().str() : child;
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return describe(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string text = describe(part); !text.empty())
        return text;
  return "";
}

void forge::numberSites(ModuleOp module) {
  Builder builder(module.getContext());
  SmallVector<Attribute> sites;
  // Site 0 is what has no place of its own.
  sites.push_back(builder.getDictionaryAttr({}));
  module.walk([&](LLVM::CallOp op) {
    auto operation = op->getAttrOfType<StringAttr>(kSiteOperation);
    if (!operation)
      return;
    NamedAttrList site;
    site.set("operation", operation);
    site.set("location", builder.getStringAttr(describe(op.getLoc())));
    for (auto [attribute, key] :
         {std::pair(kSiteBytes, "bytes"), std::pair(kSiteAlignment, "alignment"),
          std::pair(kSiteRoot, "root")})
      if (Attribute value = op->getAttr(attribute))
        site.set(key, value);
    OpBuilder at(op);
    Value number = LLVM::ConstantOp::create(at, op.getLoc(), at.getI32Type(),
                                            at.getI32IntegerAttr(sites.size()));
    op->setOperand(op.getNumOperands() - 1, number);
    for (StringRef attribute : {kSiteOperation, kSiteBytes, kSiteAlignment, kSiteRoot})
      op->removeAttr(attribute);
    sites.push_back(site.getDictionary(module.getContext()));
  });
  module->setAttr(kSites, builder.getArrayAttr(sites));
}
