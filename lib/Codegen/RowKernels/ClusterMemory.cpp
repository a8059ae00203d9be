#include "ClusterMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge {

void clusterArrive(ImplicitLocOpBuilder &b) {
  NVVM::ClusterArriveOp::create(b, /*aligned=*/b.getUnitAttr());
}

void clusterWait(ImplicitLocOpBuilder &b) {
  NVVM::ClusterWaitOp::create(b, /*aligned=*/b.getUnitAttr());
}

/// The address of an element of `type` of `buffer` in block `rank`.
static Value addressInCluster(ImplicitLocOpBuilder &b, Type type, Value buffer, Value rank,
                              Value place) {
  auto own = LLVM::LLVMPointerType::get(b.getContext(),
                                        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  auto remote = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Type wide = b.getI64Type();
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  Value bits = arith::IndexCastOp::create(b, wide, address);
  Value pointer = LLVM::IntToPtrOp::create(b, own, bits);
  Value block = arith::IndexCastOp::create(b, b.getI32Type(), rank);
  Value there = NVVM::MapaOp::create(b, remote, pointer, block);
  Value offset = arith::IndexCastOp::create(b, wide, place);
  return LLVM::GEPOp::create(b, remote, type, there, ValueRange{offset});
}

void storeInCluster(ImplicitLocOpBuilder &b, Value value, Value buffer, Value rank, Value place) {
  if (value.getType().isIndex()) // eight bytes in memory
    value = arith::IndexCastOp::create(b, b.getI64Type(), value);
  LLVM::StoreOp::create(b, value, addressInCluster(b, value.getType(), buffer, rank, place));
}

Value loadFromCluster(ImplicitLocOpBuilder &b, Value buffer, Value rank, Value place) {
  Type type = b.getF32Type();
  return LLVM::LoadOp::create(b, type, addressInCluster(b, type, buffer, rank, place));
}

} // namespace forge
