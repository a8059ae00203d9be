#include "HostValues.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

HostValues::HostValues(func::CallOp call, func::FuncOp kernel) : call(call), builder(call) {
  mapping.map(kernel.getArguments().take_front(call.getNumOperands()), call.getOperands());
}

FailureOr<Value> HostValues::value(OpFoldResult value) {
  if (!isa<Value>(value))
    return getValueOrCreateConstantIndexOp(builder, call.getLoc(), value);
  Value wanted = cast<Value>(value);
  if (Value known = mapping.lookupOrNull(wanted))
    return known;
  Operation *op = wanted.getDefiningOp();
  if (!op || op->getNumRegions() > 0)
    return emitError(call.getLoc(), "expected sizes that follow from the kernel's arguments");
  for (Value operand : op->getOperands())
    if (failed(this->value(operand)))
      return failure();
  builder.clone(*op, mapping);
  return mapping.lookup(wanted);
}

FailureOr<OpFoldResult> HostValues::fold(OpFoldResult value) {
  if (!isa<Value>(value))
    return value;
  FailureOr<Value> copied = this->value(value);
  if (failed(copied))
    return failure();
  return getAsOpFoldResult(*copied);
}

FailureOr<Value> HostValues::view(const StridedArgument &argument) {
  auto foldAll = [&](ArrayRef<OpFoldResult> values) -> FailureOr<SmallVector<OpFoldResult>> {
    SmallVector<OpFoldResult> folded;
    for (OpFoldResult value : values) {
      FailureOr<OpFoldResult> there = fold(value);
      if (failed(there))
        return failure();
      folded.push_back(*there);
    }
    return folded;
  };
  FailureOr<OpFoldResult> offset = fold(argument.offset);
  auto sizes = foldAll(argument.sizes), strides = foldAll(argument.strides);
  if (failed(offset) || failed(sizes) || failed(strides))
    return failure();
  auto known = [](OpFoldResult value) {
    return getConstantIntValue(value).value_or(ShapedType::kDynamic);
  };
  Value operand = call.getOperand(argument.number);
  auto layout = StridedLayoutAttr::get(builder.getContext(), known(*offset),
                                       llvm::map_to_vector(*strides, known));
  auto type =
      MemRefType::get(llvm::map_to_vector(*sizes, known), getElementTypeOrSelf(operand), layout);
  return memref::ReinterpretCastOp::create(builder, call.getLoc(), type, operand, *offset, *sizes,
                                           *strides)
      .getResult();
}
