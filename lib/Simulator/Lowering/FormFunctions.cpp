// Functions of one thread from kernels:
// 1. Shared memory gets its place: globals of the module first, then what each kernel declares,
//    then dynamic memory.
// 2. A kernel's arguments are loaded from the packed ones; memrefs are built from their pointers.
// 3. The body moves over as it is.
#include "Lowerings.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

static bool isWorkgroup(Attribute space) {
  if (auto address = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return address.getValue() == gpu::AddressSpace::Workgroup;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return number && number.getInt() == 3;
}

void forge::addAddressSpaces(LLVMTypeConverter &converter) {
  converter.addTypeAttributeConversion(
      [](BaseMemRefType type, Attribute space) -> TypeConverter::AttributeConversionResult {
        return IntegerAttr::get(IntegerType::get(type.getContext(), 64),
                                isWorkgroup(space) ? 3 : 0);
      });
}

/// Bytes of an element in memory: what has fewer bits than a byte takes one.
static uint64_t elementBytes(Type type) {
  if (isa<IndexType>(type))
    return 8;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * elementBytes(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (!type.isIntOrFloat())
    return 0;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

static uint64_t totalBytes(MemRefType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

namespace {
/// One gpu.module on its way into `module`.
class Former {
public:
  Former(Operation *from, ModuleOp module)
      : from(from), module(module), builder(module.getContext()), converter(module.getContext()) {
    addAddressSpaces(converter);
  }

  LogicalResult run() {
    if (failed(placeGlobals()))
      return failure();
    for (Operation &op : llvm::make_early_inc_range(from->getRegion(0).front())) {
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
        if (failed(formKernel(kernel)))
          return failure();
      } else if (!op.hasTrait<OpTrait::IsTerminator>()) {
        op.moveBefore(module.getBody(), module.getBody()->end());
      }
    }
    return success();
  }

private:
  LogicalResult placeGlobals();
  uint64_t place(uint64_t &end, uint64_t bytes, uint64_t alignment) {
    uint64_t offset = llvm::alignTo(end, alignment);
    end = offset + bytes;
    return offset;
  }
  LogicalResult formKernel(gpu::GPUFuncOp kernel);
  LogicalResult loadArgument(Value packed, BlockArgument argument, unsigned number, bool byValue,
                             OpBuilder &at, SmallVectorImpl<Attribute> &descriptions);
  Value sharedMemref(OpBuilder &at, Location loc, MemRefType type, uint64_t offset);
  LogicalResult replaceShared(gpu::GPUFuncOp kernel, OpBuilder &at, uint64_t &bytes);
  void replaceUses(Operation *root, uint64_t staticBytes);

  Operation *from;
  ModuleOp module;
  OpBuilder builder;
  LLVMTypeConverter converter;
  uint64_t globalBytes = 0, dynamicAlignment = 16;
  /// Offset of a shared global; ~0 for one that stands for dynamic shared memory.
  llvm::StringMap<uint64_t> globals;
};
} // namespace

LogicalResult Former::placeGlobals() {
  for (Operation &op : llvm::make_early_inc_range(from->getRegion(0).front())) {
    if (auto global = dyn_cast<memref::GlobalOp>(op)) {
      if (!isWorkgroup(global.getType().getMemorySpace()))
        return global.emitOpError("expected a global in shared memory for the simulator");
      uint64_t alignment = global.getAlignment().value_or(16);
      globals[global.getSymName()] = place(globalBytes, totalBytes(global.getType()), alignment);
      global.erase();
    } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getAddrSpace() != 3)
        return global.emitOpError("expected a global in shared memory for the simulator");
      uint64_t bytes = DataLayout::closest(global).getTypeSize(global.getType());
      uint64_t alignment = global.getAlignment().value_or(16);
      dynamicAlignment = bytes ? dynamicAlignment : std::max(dynamicAlignment, alignment);
      globals[global.getSymName()] = bytes ? place(globalBytes, bytes, alignment) : ~uint64_t(0);
      global.erase();
    }
  }
  return success();
}

/// A memref of `type` on `pointer`.
static Value memrefOf(OpBuilder &at, Location loc, const LLVMTypeConverter &converter,
                      MemRefType type, Value pointer) {
  Value descriptor = MemRefDescriptor::fromStaticShape(at, loc, converter, type, pointer);
  return UnrealizedConversionCastOp::create(at, loc, type, descriptor).getResult(0);
}

static Value sharedPointer(OpBuilder &at, Location loc, uint64_t offset) {
  CallBuilder calls(at, loc);
  Value flat = calls.call("forge_sim_shared", {calls.word(offset)}).getResult();
  return LLVM::AddrSpaceCastOp::create(at, loc, LLVM::LLVMPointerType::get(at.getContext(), 3),
                                       flat);
}

Value Former::sharedMemref(OpBuilder &at, Location loc, MemRefType type, uint64_t offset) {
  return memrefOf(at, loc, converter, type, sharedPointer(at, loc, offset));
}

LogicalResult Former::loadArgument(Value packed, BlockArgument argument, unsigned number,
                                   bool byValue, OpBuilder &at,
                                   SmallVectorImpl<Attribute> &descriptions) {
  Location loc = argument.getLoc();
  Type type = argument.getType(), pointerType = LLVM::LLVMPointerType::get(at.getContext());
  Value place = LLVM::GEPOp::create(at, loc, pointerType, pointerType, packed,
                                    ArrayRef<LLVM::GEPArg>{int32_t(number)});
  Value address = LLVM::LoadOp::create(at, loc, pointerType, place);
  address.getDefiningOp()->setAttr(kArgument, at.getI32IntegerAttr(-1));
  place.getDefiningOp()->setAttr(kArgument, at.getI32IntegerAttr(-1));
  auto load = [&](Type as) {
    auto op = LLVM::LoadOp::create(at, loc, as, address);
    op->setAttr(kArgument, at.getI32IntegerAttr(number));
    return op.getResult();
  };
  NamedAttrList description;
  Value value;
  if (byValue) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.hasStaticShape())
      return module.emitError("expected a memref of static shape to be passed by value, but got ")
             << type;
    value = memrefOf(at, loc, converter, memref, address);
    description.set("bytes", at.getI64IntegerAttr(totalBytes(memref)));
  } else if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return module.emitError(
                 "expected kernel arguments of static shape and identity layout, but got ")
             << type;
    value = memrefOf(at, loc, converter, memref, load(pointerType));
    description.set("pointer", at.getUnitAttr());
    // Behind a memref of rank 0 may be more: the kernel makes its own view.
    bool views = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return isa<memref::ReinterpretCastOp, memref::CastOp>(user);
    });
    if (memref.getRank() > 0 || !views)
      description.set("extent", at.getI64IntegerAttr(totalBytes(memref)));
    description.set("element", at.getI64IntegerAttr(elementBytes(memref.getElementType())));
    description.set("bytes", at.getI64IntegerAttr(8));
  } else if (isa<LLVM::LLVMPointerType>(type)) {
    value = load(type);
    description.set("pointer", at.getUnitAttr());
    description.set("bytes", at.getI64IntegerAttr(8));
  } else if (isa<IndexType>(type) || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64)) {
    uint64_t bytes = elementBytes(type);
    CallBuilder calls(at, loc);
    value = calls.fromQuad(load(at.getIntegerType(8 * bytes)), type);
    description.set("bytes", at.getI64IntegerAttr(bytes));
  } else {
    return module.emitError("expected memrefs and scalars as kernel arguments, but got ") << type;
  }
  argument.replaceAllUsesWith(value);
  descriptions.push_back(description.getDictionary(at.getContext()));
  return success();
}

LogicalResult Former::replaceShared(gpu::GPUFuncOp kernel, OpBuilder &at, uint64_t &bytes) {
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return kernel.emitOpError(
                 "expected shared memory of static shape and identity layout, but got ")
             << type;
    uint64_t offset = place(bytes, totalBytes(type), 16);
    buffer.replaceAllUsesWith(sharedMemref(at, buffer.getLoc(), type, offset));
  }
  for (BlockArgument buffer : kernel.getPrivateAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    buffer.replaceAllUsesWith(memref::AllocaOp::create(at, buffer.getLoc(), type));
  }
  return success();
}

/// Globals and dynamic shared memory inside of `root`.
void Former::replaceUses(Operation *root, uint64_t staticBytes) {
  uint64_t dynamic = llvm::alignTo(staticBytes, dynamicAlignment);
  root->walk([&](Operation *op) {
    OpBuilder at(op);
    Location loc = op->getLoc();
    if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      auto it = globals.find(get.getName());
      if (it == globals.end())
        return;
      get.replaceAllUsesWith(sharedMemref(at, loc, get.getType(), it->second));
      get.erase();
    } else if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      auto it = globals.find(address.getGlobalName());
      if (it == globals.end())
        return;
      uint64_t offset = it->second == ~uint64_t(0) ? dynamic : it->second;
      address.replaceAllUsesWith(sharedPointer(at, loc, offset));
      address.erase();
    } else if (auto memory = dyn_cast<gpu::DynamicSharedMemoryOp>(op)) {
      auto type = cast<MemRefType>(memory.getType());
      Value pointer = sharedPointer(at, loc, dynamic);
      MemRefDescriptor descriptor = MemRefDescriptor::poison(at, loc, converter.convertType(type));
      descriptor.setAllocatedPtr(at, loc, pointer);
      descriptor.setAlignedPtr(at, loc, pointer);
      descriptor.setConstantOffset(at, loc, 0);
      Value size = CallBuilder(at, loc).call("forge_sim_dynamic_shared", {}).getResult();
      descriptor.setSize(at, loc, 0, size);
      descriptor.setConstantStride(at, loc, 0, 1);
      Value result =
          UnrealizedConversionCastOp::create(at, loc, type, Value(descriptor)).getResult(0);
      memory.replaceAllUsesWith(result);
      memory.erase();
    }
  });
}

LogicalResult Former::formKernel(gpu::GPUFuncOp kernel) {
  Location loc = kernel.getLoc();
  if (!kernel.isKernel()) {
    builder.setInsertionPointToEnd(module.getBody());
    auto function = func::FuncOp::create(builder, loc, kernel.getName(), kernel.getFunctionType());
    function.setPrivate();
    function.getBody().takeBody(kernel.getBody());
    kernel.erase();
    return success();
  }
  builder.setInsertionPointToEnd(module.getBody());
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  auto function = func::FuncOp::create(builder, loc, kernel.getName(),
                                       builder.getFunctionType({pointerType}, {}));
  Block &body = kernel.getBody().front();
  Region &region = function.getBody();
  Block *entry = new Block();
  region.push_back(entry);
  Value packed = entry->addArgument(pointerType, loc);
  OpBuilder at = OpBuilder::atBlockBegin(entry);
  SmallVector<Attribute> descriptions;
  unsigned count = kernel.getNumArguments();
  auto byValue = kernel->getAttrOfType<DenseI64ArrayAttr>(kByValueAttr);
  for (unsigned i = 0; i < count; ++i)
    if (failed(loadArgument(packed, body.getArgument(i), i,
                            byValue && llvm::is_contained(byValue.asArrayRef(), int64_t(i)), at,
                            descriptions)))
      return failure();
  uint64_t bytes = globalBytes;
  if (failed(replaceShared(kernel, at, bytes)))
    return failure();
  replaceUses(kernel, bytes);
  body.eraseArguments(0, body.getNumArguments());
  entry->getOperations().splice(entry->end(), body.getOperations());
  body.erase();
  region.getBlocks().splice(region.end(), kernel.getBody().getBlocks());
  NamedAttrList description;
  description.set("arguments", builder.getArrayAttr(descriptions));
  description.set("shared", builder.getI64IntegerAttr(llvm::alignTo(bytes, dynamicAlignment)));
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize())
    description.set("block", builder.getDenseI32ArrayAttr(*size));
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownClusterSize())
    description.set("cluster", builder.getDenseI32ArrayAttr(*size));
  function->setAttr(kKernel, description.getDictionary(builder.getContext()));
  kernel.erase();
  return success();
}

LogicalResult forge::formFunctions(Operation *from, ModuleOp module) {
  if (failed(Former(from, module).run()))
    return failure();
  SmallVector<gpu::ReturnOp> returns;
  module.walk([&](gpu::ReturnOp op) { returns.push_back(op); });
  for (gpu::ReturnOp op : returns) {
    OpBuilder at(op);
    func::ReturnOp::create(at, op.getLoc(), op.getOperands());
    op.erase();
  }
  return success();
}
