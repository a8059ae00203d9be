#include "Algebra.h"

#include "mlir/IR/TypeUtilities.h"

#include <numeric>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

Value Algebra::splat(RankedTensorType type, double value) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Value re = splat(type.clone(complex.getElementType()), value);
    return ComplexOp::create(b, loc, type, re, splat(typeOf(re), 0));
  }
  Attribute attribute = isa<FloatType>(element)
                            ? Attribute(FloatAttr::get(element, value))
                            : Attribute(IntegerAttr::get(element, static_cast<int64_t>(value)));
  return ConstantOp::create(b, loc, DenseElementsAttr::get(type, attribute));
}

Value Algebra::repeat(Value value, Value like, int64_t fromEnd) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < typeOf(like).getRank(); ++dim)
    if (dim != typeOf(like).getRank() - fromEnd)
      dims.push_back(dim);
  return BroadcastInDimOp::create(b, loc, typeOf(like).clone(typeOf(value).getElementType()), value,
                                  dims);
}

Value Algebra::sum(Value x, int64_t dim) {
  Value zero = splat(RankedTensorType::get({}, typeOf(x).getElementType()), 0);
  return reduce(x, dim, zero, [&](Value a, Value c) { return add(a, c); });
}

Value Algebra::most(Value x, int64_t dim) {
  Value none = splat(RankedTensorType::get({}, typeOf(x).getElementType()), -1);
  return reduce(x, dim, none,
                [&](Value a, Value c) -> Value { return MaxOp::create(b, loc, a, c); });
}

Value Algebra::least(Value x, int64_t dim) {
  double size = static_cast<double>(typeOf(x).getDimSize(dim));
  Value none = splat(RankedTensorType::get({}, typeOf(x).getElementType()), size);
  return reduce(x, dim, none,
                [&](Value a, Value c) -> Value { return MinOp::create(b, loc, a, c); });
}

Value Algebra::reduce(Value x, int64_t dim, Value start,
                      llvm::function_ref<Value(Value, Value)> combine) {
  RankedTensorType type = typeOf(x), scalar = typeOf(start);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  auto op = ReduceOp::create(b, loc, TypeRange{type.clone(shape)}, ValueRange{x}, ValueRange{start},
                             ArrayRef<int64_t>{dim});
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&op.getBody(), {}, {scalar, scalar}, {loc, loc});
  stablehlo::ReturnOp::create(b, loc,
                              ValueRange{combine(body->getArgument(0), body->getArgument(1))});
  return op.getResult(0);
}

Value Algebra::takeAt(Value matrix, Value k, int64_t fromEnd) {
  RankedTensorType type = typeOf(matrix);
  int64_t dim = type.getRank() - fromEnd;
  Value zero = splat(typeOf(k), 0);
  SmallVector<Value> starts(type.getRank(), zero);
  starts[dim] = k;
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = 1;
  Value slice = DynamicSliceOp::create(b, loc, type.clone(sizes), matrix, starts, sizes);
  sizes.erase(sizes.begin() + dim);
  return ReshapeOp::create(b, loc, type.clone(sizes), slice);
}

Value Algebra::transpose(Value matrix) {
  RankedTensorType type = typeOf(matrix);
  SmallVector<int64_t> permutation(type.getRank()), shape(type.getShape());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[type.getRank() - 1], permutation[type.getRank() - 2]);
  std::swap(shape[type.getRank() - 1], shape[type.getRank() - 2]);
  return TransposeOp::create(b, loc, type.clone(shape), matrix, permutation);
}

SmallVector<Value>
Algebra::loop(int64_t count, ValueRange start,
              llvm::function_ref<SmallVector<Value>(Value k, ValueRange carried)> step) {
  auto counter = RankedTensorType::get({}, b.getI32Type());
  SmallVector<Value> operands{splat(counter, 0)};
  llvm::append_range(operands, start);
  SmallVector<Type> types = llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
  SmallVector<Location> locations(types.size(), loc);
  auto loop = WhileOp::create(b, loc, types, operands);
  OpBuilder::InsertionGuard guard(b);
  Block *cond = b.createBlock(&loop.getCond(), {}, types, locations);
  Value goesOn =
      is(Direction::LT, cond->getArgument(0), splat(counter, static_cast<double>(count)));
  stablehlo::ReturnOp::create(b, loc, goesOn);
  Block *body = b.createBlock(&loop.getBody(), {}, types, locations);
  Value k = body->getArgument(0);
  SmallVector<Value> next{add(k, splat(counter, 1))};
  llvm::append_range(next, step(k, body->getArguments().drop_front()));
  stablehlo::ReturnOp::create(b, loc, next);
  return SmallVector<Value>(loop.getResults().drop_front());
}

Value stablehlo::subtractOuter(Algebra &m, Value a, Value v, Value w) {
  return m.sub(a, m.mul(m.asColumns(v, a), m.asRows(w, a)));
}

Value stablehlo::multiplyAdjoint(Algebra &m, Value v, Value a) {
  return m.sum(m.mul(m.asColumns(m.conj(v), a), a), typeOf(a).getRank() - 2);
}
