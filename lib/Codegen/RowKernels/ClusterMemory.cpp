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

void storeInCluster(ImplicitLocOpBuilder &b, Value value, Value buffer, Value rank, Value place) {
  auto own = LLVM::LLVMPointerType::get(b.getContext(),
                                        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  auto remote = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Type wide = b.getI64Type();
  if (value.getType().isIndex()) // eight bytes in memory
    value = arith::IndexCastOp::create(b, wide, value);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  Value bits = arith::IndexCastOp::create(b, wide, address);
  Value pointer = LLVM::IntToPtrOp::create(b, own, bits);
  Value block = arith::IndexCastOp::create(b, b.getI32Type(), rank);
  Value there = NVVM::MapaOp::create(b, remote, pointer, block);
  Value offset = arith::IndexCastOp::create(b, wide, place);
  Value element = LLVM::GEPOp::create(b, remote, value.getType(), there, ValueRange{offset});
  LLVM::StoreOp::create(b, value, element);
}

} // namespace forge
