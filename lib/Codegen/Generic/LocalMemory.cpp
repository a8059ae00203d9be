#include "LocalMemory.h"

#include "forge/Codegen/Strategy.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Bytes of a thread's own memory (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability": local memory per thread).
static constexpr int64_t kMostLocalBytes = 512 * 1024;

/// An index has 8 bytes in memory.
static int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return saturatingMul(type.getNumElements(), llvm::divideCeil(bits, 8));
}

LogicalResult forge::checkLocalBytes(func::FuncOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return;
    bytes = saturatingAdd(bytes, bytesOf(type));
  });
  if (bytes <= kMostLocalBytes)
    return success();
  return emitScheduleError(kernel, "expected temporaries of at most ")
         << kMostLocalBytes << " bytes for strategy 'generic', which keeps them in the memory of "
         << "each thread, but got " << bytes;
}

/// Whether all uses know the memory's address space from its type.
static bool isOfElements(memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(),
                      llvm::IsaPred<memref::LoadOp, memref::StoreOp, memref::DeallocOp>);
}

void forge::allocateLocally(func::FuncOp kernel) {
  kernel.walk([&](memref::AllocOp alloc) {
    if (!alloc.getType().hasStaticShape())
      return;
    // Outside of loops, whose steps would each take more of it.
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    MemRefType type = alloc.getType();
    // A thread's own memory is an address space of its own on some chips.
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Private);
    auto localType = MemRefType::get(type.getShape(), type.getElementType(), AffineMap(), space);
    Value local = memref::AllocaOp::create(builder, alloc.getLoc(), localType);
    if (!isOfElements(alloc))
      local = memref::MemorySpaceCastOp::create(builder, alloc.getLoc(), type, local);
    alloc.replaceAllUsesWith(local);
    alloc.erase();
  });
  kernel.walk([](memref::DeallocOp op) { op.erase(); });
}

FailureOr<int64_t> forge::allocateShared(func::FuncOp kernel, const GPUChip &chip) {
  constexpr int64_t alignment = 16;
  SmallVector<memref::AllocOp> allocs;
  int64_t total = 0;
  kernel.walk([&](memref::AllocOp alloc) {
    if (!alloc.getType().hasStaticShape())
      return;
    allocs.push_back(alloc);
    total = saturatingAdd(saturatingAdd(total, bytesOf(alloc.getType())), alignment);
  });
  if (total > chip.maxSharedBytes)
    return emitScheduleError(kernel, "expected temporaries of a block of at most ")
           << chip.maxSharedBytes << " bytes, but got " << total;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto space =
      gpu::AddressSpaceAttr::get(builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  bool isDynamic = total > chip.sharedBytes;
  Value memory;
  if (isDynamic)
    memory = gpu::DynamicSharedMemoryOp::create(
        builder, kernel.getLoc(),
        MemRefType::get(ShapedType::kDynamic, builder.getI8Type(), AffineMap(), space));
  int64_t offset = 0;
  for (memref::AllocOp alloc : allocs) {
    MemRefType type = alloc.getType();
    Location loc = alloc.getLoc();
    auto sharedType = MemRefType::get(type.getShape(), type.getElementType(), AffineMap(), space);
    Value shared;
    if (isDynamic)
      shared = memref::ViewOp::create(builder, loc, sharedType, memory,
                                      arith::ConstantIndexOp::create(builder, loc, offset),
                                      ValueRange());
    else
      shared = memref::AllocOp::create(builder, loc, sharedType);
    offset += static_cast<int64_t>(llvm::alignTo(bytesOf(type), alignment));
    if (!isOfElements(alloc))
      shared = memref::MemorySpaceCastOp::create(builder, loc, type, shared);
    alloc.replaceAllUsesWith(shared);
    alloc.erase();
  }
  kernel.walk([](memref::DeallocOp op) { op.erase(); });
  return isDynamic ? total : 0;
}
