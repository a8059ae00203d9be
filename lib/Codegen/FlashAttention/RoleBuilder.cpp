#include "RoleBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

CopiedMemory RoleBuilder::copied(const AxisAccess &access, int64_t rows, unsigned axis,
                                 std::optional<unsigned> inner) {
  constexpr int64_t panelBytes = 128;
  CopiedMemory result;
  auto sizeOf = [&](unsigned other) { return program.extents[other].size; };
  for (unsigned other = 0; other < program.keyAxis(); ++other)
    if (other != axis && access.strides[other] != 0)
      result.axes.push_back(other);
  result.axes.push_back(axis);
  SmallVector<int64_t> shape = {rows};
  if (inner) {
    result.axes.push_back(*inner);
    shape.push_back(llvm::alignTo(sizeOf(*inner), panelBytes / access.elementBytes()));
  }
  result.memory = castToAxes(b, access, llvm::map_to_vector(result.axes, [&](unsigned other) {
                               return AxisExtent{other, sizeOf(other)};
                             }));
  result.buffer =
      tile::SharedType::get(b.getContext(), shape, getElementTypeOrSelf(access.root.getType()),
                            /*swizzle=*/inner ? panelBytes : 0, /*pad=*/0);
  return result;
}

CopiedMemory RoleBuilder::factor(const AxisAccess &access, int64_t rows, unsigned axis,
                                 unsigned inner) {
  return copied(access, rows, axis, inner);
}

CopiedMemory RoleBuilder::vector(const AxisAccess &access, int64_t rows, unsigned axis) {
  return copied(access, rows, axis, std::nullopt);
}

RoleBuilder::Ring RoleBuilder::makeRing(int64_t slots, SmallVector<CopiedMemory> buffers) {
  auto types =
      llvm::map_to_vector(buffers, [](const CopiedMemory &one) -> Type { return one.buffer; });
  Value ring = tile::RingOp::create(b, tile::RingType::get(b.getContext(), slots, types));
  return {ring, std::move(buffers)};
}

void RoleBuilder::put(const Ring &ring, ArrayRef<Value> begin) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  auto types = cast<tile::RingType>(ring.ring.getType()).getBuffers();
  auto put = tile::PutOp::create(b, ring.ring);
  OpBuilder::InsertionGuard guard(b);
  Block *body =
      b.createBlock(&put.getBody(), {}, types, SmallVector<Location>(types.size(), b.getLoc()));
  for (auto [one, buffer] : llvm::zip_equal(ring.buffers, body->getArguments())) {
    auto indices = llvm::map_to_vector(
        one.axes, [&](unsigned axis) { return axis <= program.keyAxis() ? begin[axis] : zero; });
    tile::CopyOp::create(b, one.memory, indices, DenseI64ArrayAttr(), buffer,
                         tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::Tma),
                         /*align=*/IntegerAttr());
  }
  tile::YieldOp::create(b);
}

RoleBuilder::Slot RoleBuilder::get(const Ring &ring) {
  auto types = cast<tile::RingType>(ring.ring.getType()).getBuffers();
  auto get = tile::GetOp::create(b, tile::SlotType::get(b.getContext()), types, ring.ring);
  return {get.getSlot(), get.getBuffers()};
}

Value RoleBuilder::dot(Value left, Value right, bool transposedRight, Value accumulator) {
  int64_t columns = cast<RankedTensorType>(accumulator.getType()).getDimSize(1);
  return tile::DotOp::create(b, accumulator.getType(),
                             tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
                             b.getDenseI64ArrayAttr({64, columns, 16}), left, UnitAttr(), right,
                             transposedRight ? b.getUnitAttr() : UnitAttr(), accumulator);
}
