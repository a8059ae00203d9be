#include "forge/Verify/Interpreter.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

static FailureOr<DType> floatOf(Type type) {
  return llvm::TypeSwitch<Type, FailureOr<DType>>(type)
      .Case<Float64Type>([](Type) { return DType::F64; })
      .Case<Float32Type>([](Type) { return DType::F32; })
      .Case<Float16Type>([](Type) { return DType::F16; })
      .Case<BFloat16Type>([](Type) { return DType::BF16; })
      .Case<Float8E4M3FNType>([](Type) { return DType::F8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return DType::F8E5M2; })
      .Case<Float8E3M4Type>([](Type) { return DType::F8E3M4; })
      .Case<Float8E4M3Type>([](Type) { return DType::F8E4M3; })
      .Case<Float8E4M3B11FNUZType>([](Type) { return DType::F8E4M3B11FNUZ; })
      .Case<Float8E4M3FNUZType>([](Type) { return DType::F8E4M3FNUZ; })
      .Case<Float8E5M2FNUZType>([](Type) { return DType::F8E5M2FNUZ; })
      .Case<Float8E8M0FNUType>([](Type) { return DType::F8E8M0FNU; })
      .Case<Float4E2M1FNType>([](Type) { return DType::F4E2M1FN; })
      .Default([](Type) { return failure(); });
}

FailureOr<DType> forge::dtypeOf(Type type) {
  if (isa<FloatType>(type))
    return floatOf(type);
  if (type.isIndex())
    return DType::I64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return failure();
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return isUnsigned ? FailureOr<DType>() : DType::I1;
  case 2:
    return isUnsigned ? DType::U2 : DType::I2;
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
  case DType::F8E3M4:
    return Float8E3M4Type::get(context);
  case DType::F8E4M3:
    return Float8E4M3Type::get(context);
  case DType::F8E4M3B11FNUZ:
    return Float8E4M3B11FNUZType::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case DType::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  default:
    return IntegerType::get(context, bitWidth(type),
                            isUnsignedInteger(type) ? IntegerType::Unsigned
                                                    : IntegerType::Signless);
  }
}
