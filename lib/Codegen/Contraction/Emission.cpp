#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge::contraction {

Index countOf(IndexBuilder &ib, ArrayRef<Loop> loops) {
  Index count = ib.of(1);
  for (const Loop &loop : loops)
    count = ib.mul(count, loop.size);
  return count;
}

Offsets advance(IndexBuilder &ib, ArrayRef<Loop> loops, Index linear, Offsets start) {
  for (size_t i = loops.size(); i-- > 0;) {
    const Loop &loop = loops[i];
    Index step = i == 0 ? linear : ib.rem(linear, loop.size);
    if (i > 0)
      linear = ib.div(linear, loop.size);
    start.a = ib.add(start.a, ib.mul(step, loop.strideA));
    start.b = ib.add(start.b, ib.mul(step, loop.strideB));
    start.c = ib.add(start.c, ib.mul(step, loop.strideC));
  }
  return start;
}

void forEachColumnBlock(IndexBuilder &ib, const Problem &p, const ContractionSchedule &schedule,
                        function_ref<void(Index, Offsets, Index, Index, Index)> emit) {
  int64_t block = schedule.block[1];
  Index blocks = ib.ceilDiv(p.n.size, ib.of(block));
  Index tasks = ib.mul(countOf(ib, p.batch), blocks);
  ib.parallelLoop(tasks, schedule.parallel, [&](Index task) {
    Offsets at = advance(ib, p.batch, ib.div(task, blocks), {p.a.base, p.b.base, p.c.base});
    Index from = ib.mul(p.batch.empty() ? task : ib.rem(task, blocks), block);
    Index to = ib.min(ib.add(from, block), p.n.size);
    ib.loop(ib.of(0), countOf(ib, p.outerK), 1,
            [&](Index outer) { emit(task, advance(ib, p.outerK, outer, at), outer, from, to); });
  });
}

Value splat(IndexBuilder &ib, VectorType type, double number) {
  Type element = type.getElementType();
  Attribute scalar;
  if (isa<FloatType>(element))
    scalar = ib.b.getFloatAttr(element, number);
  else
    scalar = ib.b.getIntegerAttr(element, static_cast<int64_t>(number));
  return ib.make<arith::ConstantOp>(DenseElementsAttr::get(type, scalar));
}

Value firstLanes(IndexBuilder &ib, int64_t lanes, Index count) {
  auto type = VectorType::get({lanes}, ib.b.getI1Type());
  return ib.make<vector::CreateMaskOp>(type, ValueRange{ib.value(count)});
}

Value loadVector(IndexBuilder &ib, VectorType type, Value view, Index at) {
  return ib.make<vector::LoadOp>(type, view, ValueRange{ib.value(at)});
}

Value loadMasked(IndexBuilder &ib, VectorType type, Value view, Index at, Value mask) {
  Value zero = splat(ib, type, 0);
  return ib.make<vector::MaskedLoadOp>(type, view, ValueRange{ib.value(at)}, mask, zero);
}

void storeVector(IndexBuilder &ib, Value vector, Value view, Index at) {
  ib.make<vector::StoreOp>(vector, view, ValueRange{ib.value(at)});
}

void storeMasked(IndexBuilder &ib, Value vector, Value view, Index at, Value mask) {
  ib.make<vector::MaskedStoreOp>(view, ValueRange{ib.value(at)}, mask, vector);
}

Value loadScalar(IndexBuilder &ib, Value view, Index at) {
  return ib.make<memref::LoadOp>(view, ValueRange{ib.value(at)});
}

void storeScalar(IndexBuilder &ib, Value scalar, Value view, Index at) {
  ib.make<memref::StoreOp>(scalar, view, ValueRange{ib.value(at)});
}

Value broadcast(IndexBuilder &ib, VectorType type, Value scalar) {
  return ib.make<vector::BroadcastOp>(type, scalar);
}

Value widen(IndexBuilder &ib, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.cloneWith(std::nullopt, element);
  return ib.make<arith::ExtFOp>(type, value);
}

Value fma(IndexBuilder &ib, Value a, Value b, Value c) { return ib.make<vector::FMAOp>(a, b, c); }

Value bf16Dot(IndexBuilder &ib, Value a, Value b, Value accumulator) {
  auto call = ib.make<LLVM::CallIntrinsicOp>(accumulator.getType(),
                                             ib.b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
                                             ValueRange{accumulator, a, b});
  return call.getResult(0);
}

/// In the step of distance d, rows that are d apart exchange the lanes whose index has, and has
/// not, the bit d.
void transposeSquare(IndexBuilder &ib, MutableArrayRef<Value> rows) {
  int64_t lanes = rows.size();
  for (int64_t d = 1; d < lanes; d *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t j = 0; j < lanes; ++j) {
      low.push_back(j & d ? lanes + j - d : j);
      high.push_back(j & d ? lanes + j : j + d);
    }
    for (int64_t r = 0; r < lanes; ++r) {
      if (r & d)
        continue;
      Value first = rows[r], second = rows[r + d];
      rows[r] = ib.make<vector::ShuffleOp>(first, second, low);
      rows[r + d] = ib.make<vector::ShuffleOp>(first, second, high);
    }
  }
}

bool usesBF16Dot(Type input, const TargetInfo &target) {
  return input.isBF16() && target.bf16Dot && target.vectorBits == 512;
}

} // namespace forge::contraction
