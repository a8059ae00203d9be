// From attributes to tensors.
#include "Evaluation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

#include <cstring>

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

DType interpreter::elementTypeOf(Type type) { return *dtypeOf(getElementTypeOrSelf(type)); }

static void setFromAttribute(HostTensor &tensor, DenseElementsAttr attribute) {
  int64_t i = 0;
  if (isFloat(tensor.type())) {
    for (const APFloat &value : attribute.getValues<APFloat>())
      tensor.setBits(i++, value.bitcastToAPInt().getZExtValue());
    return;
  }
  for (const APInt &value : attribute.getValues<APInt>())
    reference::setInteger(tensor, i++, value.getZExtValue());
}

static Result<void> setFromBytes(HostTensor &tensor, ArrayRef<char> bytes) {
  if (bytes.size() != tensor.numBytes())
    return Error{"expected " + std::to_string(tensor.numBytes()) + " bytes of data for " +
                 typeString(tensor) + ", but got " + std::to_string(bytes.size())};
  std::memcpy(tensor.data(), bytes.data(), bytes.size());
  if (bitWidth(tensor.type()) < 8)
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      reference::setInteger(tensor, i, tensor.getBits(i));
  return {};
}

Result<HostTensor> interpreter::tensorOf(ElementsAttr attribute) {
  ShapedType type = attribute.getShapedType();
  FailureOr<DType> element = dtypeOf(type.getElementType());
  if (failed(element) || !type.hasStaticShape())
    return Error{"unsupported constant type"};
  Result<HostTensor> tensor =
      HostTensor::create(*element, Dims(type.getShape().begin(), type.getShape().end()));
  if (!tensor)
    return tensor;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (!dense.isSplat() && bitWidth(*element) >= 8) {
      if (Result<void> ok = setFromBytes(*tensor, dense.getRawData()); !ok)
        return ok.error();
    } else {
      setFromAttribute(*tensor, dense);
    }
    return tensor;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return Error{"unsupported constant attribute"};
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return Error{"resource '" + resource.getRawHandle().getKey().str() + "' has no data"};
  if (Result<void> ok = setFromBytes(*tensor, blob->getData()); !ok)
    return ok.error();
  return tensor;
}
