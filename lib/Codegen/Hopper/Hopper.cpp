#include "Hopper.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

static Type pointerTo(ThreadBuilder &b, NVVM::NVVMMemorySpace space) {
  return LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(space));
}

Value forge::alignedSharedAddress(ThreadBuilder &b) {
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get(ShapedType::kDynamic, b.getI8Type(), AffineMap(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(b, bytes);
  Value address = arith::IndexCastOp::create(
      b, b.getI64Type(), memref::ExtractAlignedPointerAsIndexOp::create(b, memory));
  return arith::AndIOp::create(b, b.add(address, b.i64(1023)), b.i64(~int64_t(1023)));
}

Value forge::sharedPointer(ThreadBuilder &b, Value address) {
  return LLVM::IntToPtrOp::create(b, pointerTo(b, NVVM::NVVMMemorySpace::Shared), address);
}

Value forge::sharedAt(ThreadBuilder &b, Value base, Value bytes) {
  return LLVM::GEPOp::create(b, pointerTo(b, NVVM::NVVMMemorySpace::Shared), b.getI8Type(), base,
                             ValueRange{bytes});
}

void forge::initBarrier(ThreadBuilder &b, Value barrier, int64_t arrivals) {
  NVVM::MBarrierInitOp::create(b, barrier, b.i32(arrivals), Value());
}

void forge::fenceBarriers(ThreadBuilder &b) { NVVM::FenceMbarrierInitOp::create(b); }

void forge::fenceSharedForCopies(ThreadBuilder &b) {
  MLIRContext *context = b.getContext();
  NVVM::FenceProxyOp::create(b, NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
                             NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

void forge::waitBarrier(ThreadBuilder &b, Value barrier, Value parity) {
  NVVM::MBarrierTryWaitParityOp::create(b, barrier, parity, b.i32(10000000));
}

void forge::arriveAtBarrier(ThreadBuilder &b, Value barrier) {
  NVVM::MBarrierArriveOp::create(b, b.getI64Type(), barrier, Value());
}

void forge::expectBytes(ThreadBuilder &b, Value barrier, int64_t bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(b, Type(), barrier, b.i32(bytes), NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}

Value forge::tensorMapPointer(ThreadBuilder &b, Value map) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, map);
  address = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), address);
}

void forge::copyBox(ThreadBuilder &b, Value target, Value mapPointer, Value barrier,
                    ValueRange coordinates) {
  Value cluster =
      LLVM::AddrSpaceCastOp::create(b, pointerTo(b, NVVM::NVVMMemorySpace::SharedCluster), target);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, cluster, mapPointer, coordinates, barrier, ValueRange(), Value(), Value(),
      NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}

/// Address, leading and stride offsets in units of 16 bytes, 128-byte swizzle. Stride: from eight
/// rows of a pattern to the next eight.
Value forge::matrixDescriptor(ThreadBuilder &b, Value address, int64_t leadingBytes) {
  Value units =
      arith::ShRUIOp::create(b, arith::AndIOp::create(b, address, b.i32(0x3FFFF)), b.i32(4));
  Value low = arith::ExtUIOp::create(b, b.getI64Type(), units);
  int64_t high = (leadingBytes >> 4) << 16 | int64_t(8 * 128 >> 4) << 32 | int64_t(1) << 62;
  return arith::OrIOp::create(b, low, b.i64(high));
}

Value forge::advanceDescriptor(ThreadBuilder &b, Value descriptor, int64_t bytes) {
  return bytes == 0 ? descriptor
                    : arith::AddIOp::create(b, descriptor, b.i64(bytes >> 4)).getResult();
}

static NVVM::WGMMATypes typeOfFactor(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return NVVM::WGMMATypes::e4m3;
  if (isa<Float8E5M2Type>(element))
    return NVVM::WGMMATypes::e5m2;
  if (element.isInteger(8))
    return NVVM::WGMMATypes::s8;
  return element.isBF16() ? NVVM::WGMMATypes::bf16 : NVVM::WGMMATypes::f16;
}

Value forge::emitWgmma(ThreadBuilder &b, Value sums, Value left, Value right, int64_t columns,
                       Type leftElement, Type rightElement, bool transposedLeft,
                       bool transposedRight) {
  MLIRContext *context = b.getContext();
  auto typeAttr = [&](NVVM::WGMMATypes type) { return NVVM::WGMMATypesAttr::get(context, type); };
  int terms = static_cast<int>(256 / leftElement.getIntOrFloatBitWidth());
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  // Zeros need no registers that hold them.
  bool fromZero = sums.getDefiningOp<LLVM::ZeroOp>();
  if (fromZero)
    sums = LLVM::UndefOp::create(b, sums.getType());
  return NVVM::WgmmaMmaAsyncOp::create(
      b, sums.getType(), sums, left, right,
      NVVM::MMAShapeAttr::get(context, 64, static_cast<int>(columns), terms),
      typeAttr(typeOfFactor(leftElement)), typeAttr(typeOfFactor(rightElement)),
      typeAttr(leftElement.isInteger(8) ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32),
      NVVM::WGMMAScaleOutAttr::get(context,
                                   fromZero ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one),
      one, one,
      NVVM::MMALayoutAttr::get(context,
                               transposedLeft ? NVVM::MMALayout::col : NVVM::MMALayout::row),
      NVVM::MMALayoutAttr::get(context,
                               transposedRight ? NVVM::MMALayout::row : NVVM::MMALayout::col),
      NVVM::MMAIntOverflowAttr());
}

Value forge::emitWgmma(ThreadBuilder &b, Value sums, ValueRange left, Value right, int64_t columns,
                       Type element, bool transposedRight) {
  return tile::WgmmaOp::create(b, sums.getType(), sums, left, right, columns, element,
                               transposedRight);
}
