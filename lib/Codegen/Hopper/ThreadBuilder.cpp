#include "ThreadBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

Value ThreadBuilder::i32(int64_t value) { return arith::ConstantIntOp::create(*this, value, 32); }
Value ThreadBuilder::i64(int64_t value) { return arith::ConstantIntOp::create(*this, value, 64); }
Value ThreadBuilder::add(Value a, Value b) { return createOrFold<arith::AddIOp>(a, b); }
Value ThreadBuilder::sub(Value a, Value b) { return createOrFold<arith::SubIOp>(a, b); }
Value ThreadBuilder::mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }
Value ThreadBuilder::div(Value a, Value b) { return createOrFold<arith::DivUIOp>(a, b); }
Value ThreadBuilder::rem(Value a, Value b) { return createOrFold<arith::RemUIOp>(a, b); }
Value ThreadBuilder::ceilDiv(Value a, int64_t b) { return div(add(a, i32(b - 1)), i32(b)); }
Value ThreadBuilder::equals(Value a, int64_t b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, i32(b));
}
Value ThreadBuilder::toIndex(Value value) {
  return createOrFold<arith::IndexCastOp>(getIndexType(), value);
}
Value ThreadBuilder::toI32(Value index) {
  return createOrFold<arith::IndexCastOp>(getI32Type(), index);
}
SmallVector<Value> ThreadBuilder::split(Value number, ArrayRef<Value> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (size_t at = sizes.size(); at-- > 0;) {
    indices[at] = at > 0 ? rem(number, sizes[at]) : number;
    if (at > 0)
      number = div(number, sizes[at]);
  }
  return indices;
}
