#include "forge/Support/Npy.h"

using namespace forge;

Result<HostTensor> forge::castElements(const HostTensor &tensor, DType type) {
  Result<HostTensor> result = HostTensor::create(type, tensor.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    result->setDouble(i, tensor.getDouble(i));
  return result;
}

static Error doesNotFit(int64_t element, uint64_t value, DType type) {
  return Error{"element " + std::to_string(element) + " is " +
               std::to_string(static_cast<int64_t>(value)) + ", which does not fit " +
               std::string(dtypeName(type))};
}

static Result<HostTensor> copyBits(const HostTensor &tensor, DType type) {
  Result<HostTensor> result = HostTensor::create(type, tensor.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint64_t bits = tensor.getBits(i);
    if (bits >> bitWidth(type))
      return doesNotFit(i, bits, type);
    result->setBits(i, bits);
  }
  return result;
}

/// The low bits of each byte, sign-extended to a byte: how ml_dtypes keeps int2 and int4.
static Result<HostTensor> signedFromBytes(const HostTensor &tensor, DType type) {
  Result<HostTensor> result = HostTensor::create(type, tensor.dims());
  if (!result)
    return result;
  unsigned unused = 8 - bitWidth(type);
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    auto high = static_cast<int8_t>(tensor.getBits(i) << unused);
    result->setBits(i, static_cast<uint8_t>(high >> unused));
  }
  return result;
}

static Result<HostTensor> narrowInteger(const HostTensor &tensor, DType type) {
  bool isSigned = isSignedInteger(type);
  double most = (1 << (bitWidth(type) - isSigned)) - 1, least = isSigned ? -most - 1 : 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    double value = tensor.getDouble(i);
    if (value < least || value > most)
      return doesNotFit(i, static_cast<uint64_t>(static_cast<int64_t>(value)), type);
  }
  return castElements(tensor, type);
}

static bool isSmallFloat(DType type) { return isFloat(type) && bitWidth(type) <= 8; }
static bool isSmallInteger(DType type) {
  return !isFloat(type) && type != DType::I1 && bitWidth(type) < 8;
}

/// The other types of file a module type is taken from.
static std::string alternatives(DType type) {
  if (type == DType::F16)
    return " (or f32)";
  if (type == DType::BF16)
    return " (as f32, or its bits as ui16)";
  if (isSmallFloat(type))
    return " (as f32, or its bits as ui8)";
  if (isSmallInteger(type))
    return isSignedInteger(type) ? " (as i8)" : " (as ui8)";
  return "";
}

Result<HostTensor> forge::convertNpy(HostTensor tensor, DType type) {
  DType from = tensor.type();
  if (from == type)
    return tensor;
  if (from == DType::F32 && isFloat(type) && type != DType::F64)
    return castElements(tensor, type);
  if ((from == DType::U16 && type == DType::BF16) || (from == DType::U8 && isSmallFloat(type)))
    return copyBits(tensor, type);
  if (isSmallInteger(type) && isSignedInteger(type) && from == DType::U8)
    return signedFromBytes(tensor, type);
  if (isSmallInteger(type) && from == (isSignedInteger(type) ? DType::I8 : DType::U8))
    return narrowInteger(tensor, type);
  return Error{"expected " + std::string(dtypeName(type)) + alternatives(type) + ", but got " +
               std::string(dtypeName(from))};
}
