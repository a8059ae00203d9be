#include "forge/Verify/Interpreter.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace forge;

FailureOr<DType> forge::dtypeOf(Type type) {
  if (type.isF64())
    return DType::F64;
  if (type.isF32())
    return DType::F32;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (isa<Float8E4M3FNType>(type))
    return DType::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return DType::F8E5M2;
  if (type.isIndex())
    return DType::I64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return failure();
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return isUnsigned ? FailureOr<DType>() : DType::I1;
  case 4:
    return isUnsigned ? DType::U4 : DType::I4;
  case 8:
    return isUnsigned ? DType::U8 : DType::I8;
  case 16:
    return isUnsigned ? DType::U16 : DType::I16;
  case 32:
    return isUnsigned ? DType::U32 : DType::I32;
  case 64:
    return isUnsigned ? DType::U64 : DType::I64;
  default:
    return failure();
  }
}

Type forge::typeOf(DType type, MLIRContext *context) {
  switch (type) {
  case DType::F64:
    return Float64Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  default:
    return IntegerType::get(context, bitWidth(type),
                            isUnsignedInteger(type) ? IntegerType::Unsigned
                                                    : IntegerType::Signless);
  }
}
