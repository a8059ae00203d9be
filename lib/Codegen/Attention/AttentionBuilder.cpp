#include "AttentionBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace forge {

Value AttentionBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value AttentionBuilder::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(static_cast<float>(value)));
}
Value AttentionBuilder::add(Value x, Value y) { return arith::AddIOp::create(*this, x, y); }
Value AttentionBuilder::mul(Value x, int64_t y) {
  return arith::MulIOp::create(*this, x, index(y));
}
Value AttentionBuilder::div(Value x, int64_t y) {
  return y == 1 ? x : arith::DivUIOp::create(*this, x, index(y)).getResult();
}
Value AttentionBuilder::rem(Value x, int64_t y) {
  return y == 1 ? index(0) : arith::RemUIOp::create(*this, x, index(y)).getResult();
}
Value AttentionBuilder::isBelow(Value x, Value limit) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, x, limit);
}
Value AttentionBuilder::equals(Value x, int64_t y) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, x, index(y));
}
Value AttentionBuilder::shared(ArrayRef<int64_t> shape) {
  auto space =
      gpu::AddressSpaceAttr::get(getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  return memref::AllocOp::create(
      *this, MemRefType::get(shape, getF32Type(), MemRefLayoutAttrInterface(), space),
      getI64IntegerAttr(16));
}
Value AttentionBuilder::isLowest(Value maximum) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, maximum,
                               f32(-std::numeric_limits<double>::infinity()));
}
Value AttentionBuilder::shift(Value maximum) {
  return arith::SelectOp::create(*this, isLowest(maximum), f32(0), maximum);
}
Value AttentionBuilder::factor(Value before, Value now) {
  Value growth = math::ExpOp::create(*this, arith::SubFOp::create(*this, before, now));
  return arith::SelectOp::create(*this, isLowest(before), f32(0), growth);
}
void AttentionBuilder::onlyIf(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenYield());
  body();
}

Value sizeOf(ImplicitLocOpBuilder &b, const AttentionProgram &program, unsigned axis) {
  const AttentionProgram::Extent &extent = program.extents[axis];
  if (!ShapedType::isDynamic(extent.size))
    return arith::ConstantIndexOp::create(b, extent.size);
  return memref::DimOp::create(b, extent.memref, extent.dim);
}

AttentionPlace placeOf(AttentionBuilder &b, const AttentionProgram &program,
                       const AttentionThread &at, Value row) {
  AttentionPlace place;
  place.axes.resize(program.columnAxis() + 1);
  for (size_t axis = program.isRow.size(), outer = at.outer.size(); axis-- > 0;) {
    if (!program.isRow[axis]) {
      place.axes[axis] = at.outer[--outer];
    } else if (row) {
      int64_t size = program.extents[axis].size;
      place.axes[axis] = b.rem(row, size);
      row = b.div(row, size);
    }
  }
  return place;
}

} // namespace forge
