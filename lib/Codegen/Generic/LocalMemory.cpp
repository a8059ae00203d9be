#include "LocalMemory.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Bytes of a thread's own memory (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability": local memory per thread).
static constexpr int64_t kMostLocalBytes = 512 * 1024;

LogicalResult forge::checkLocalBytes(func::FuncOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return;
    bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
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

void forge::allocateShared(func::FuncOp kernel) {
  kernel.walk([&](memref::AllocOp alloc) {
    if (!alloc.getType().hasStaticShape())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    MemRefType type = alloc.getType();
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                            gpu::GPUDialect::getWorkgroupAddressSpace());
    auto sharedType = MemRefType::get(type.getShape(), type.getElementType(), AffineMap(), space);
    Value shared = memref::AllocOp::create(builder, alloc.getLoc(), sharedType);
    if (!isOfElements(alloc))
      shared = memref::MemorySpaceCastOp::create(builder, alloc.getLoc(), type, shared);
    alloc.replaceAllUsesWith(shared);
    alloc.erase();
  });
  kernel.walk([](memref::DeallocOp op) { op.erase(); });
}
