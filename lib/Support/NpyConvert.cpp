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

static Result<HostTensor> copyBits(const HostTensor &tensor, DType type) {
  Result<HostTensor> result = HostTensor::create(type, tensor.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    result->setBits(i, tensor.getBits(i));
  return result;
}

/// The four low bits of each byte, sign-extended to a byte: how ml_dtypes keeps int4.
static Result<HostTensor> int4FromBytes(const HostTensor &tensor) {
  Result<HostTensor> result = HostTensor::create(DType::I4, tensor.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint64_t low = tensor.getBits(i) & 0xf;
    result->setBits(i, low >= 8 ? low | 0xf0 : low);
  }
  return result;
}

static Result<HostTensor> narrowToInt4(const HostTensor &tensor, DType type) {
  double least = type == DType::I4 ? -8 : 0, most = type == DType::I4 ? 7 : 15;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    double value = tensor.getDouble(i);
    if (value < least || value > most)
      return Error{"element " + std::to_string(i) + " is " +
                   std::to_string(static_cast<int>(value)) + ", which does not fit " +
                   std::string(dtypeName(type))};
  }
  return castElements(tensor, type);
}

/// The other types of file a module type is taken from.
static std::string alternatives(DType type) {
  switch (type) {
  case DType::F16:
    return " (or f32)";
  case DType::BF16:
    return " (as f32, or its bits as ui16)";
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return " (as f32, or its bits as ui8)";
  case DType::I4:
    return " (as i8)";
  case DType::U4:
    return " (as ui8)";
  default:
    return "";
  }
}

Result<HostTensor> forge::convertNpy(HostTensor tensor, DType type) {
  DType from = tensor.type();
  bool isF8 = type == DType::F8E4M3FN || type == DType::F8E5M2;
  if (from == type)
    return tensor;
  if (from == DType::F32 && (type == DType::BF16 || type == DType::F16 || isF8))
    return castElements(tensor, type);
  if ((from == DType::U16 && type == DType::BF16) || (from == DType::U8 && isF8))
    return copyBits(tensor, type);
  if (from == DType::U8 && type == DType::I4)
    return int4FromBytes(tensor);
  if ((from == DType::I8 && type == DType::I4) || (from == DType::U8 && type == DType::U4))
    return narrowToInt4(tensor, type);
  return Error{"expected " + std::string(dtypeName(type)) + alternatives(type) + ", but got " +
               std::string(dtypeName(from))};
}
