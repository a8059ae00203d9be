#include "Interleaved.h"

#include "SizedOps.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

RankedTensorType stablehlo::interleavedType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.push_back(2);
  return RankedTensorType::get(shape, partTypeOf(tensor.getElementType()));
}

Complex Interleaver::unpack(Value interleaved) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(interleaved.getType()).getShape();
  SizedOps sized(builder, interleaved.getLoc());
  auto part = [&](int64_t index) {
    Value column =
        sized.slice(interleaved, static_cast<int64_t>(shape.size()) - 1, index, index + 1);
    return sized.reshape(column, shape.drop_back());
  };
  Complex z{part(0), part(1)};
  origins[z.re] = {z.im, interleaved};
  return z;
}

Value Interleaver::pack(Location loc, Complex z) {
  if (auto origin = origins.find(z.re); origin != origins.end() && origin->second.first == z.im)
    return origin->second.second;
  auto type = cast<RankedTensorType>(z.re.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SizedOps sized(builder, loc);
  Value re = sized.reshape(z.re, shape), im = sized.reshape(z.im, shape);
  return ConcatenateOp::create(builder, loc, interleavedType(type), ValueRange{re, im},
                               static_cast<uint64_t>(type.getRank()));
}
