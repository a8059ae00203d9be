#include "Constant.h"

#include "forge/Conversion/StableHLOToLinalg/TypeConverter.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace forge;

/// The elements of a resource as they are in its blob: i1 and i4 take a byte each there.
static ElementsAttr readSmallResource(DenseResourceElementsAttr resource, RankedTensorType type) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || blob->getData().size() < size_t(type.getNumElements()))
    return nullptr;
  unsigned width = type.getElementTypeBitWidth();
  SmallVector<APInt> values;
  for (char byte : blob->getData().take_front(type.getNumElements()))
    values.push_back(APInt(width, uint8_t(byte), /*isSigned=*/false, /*implicitTrunc=*/true));
  return DenseElementsAttr::get(type, values);
}

ElementsAttr forge::getSignlessElements(ElementsAttr value) {
  auto type = dyn_cast<RankedTensorType>(getSignlessType(value.getShapedType()));
  if (!type)
    return nullptr;
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getType() == type ? dense : dense.bitcast(type.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (type.getElementTypeBitWidth() < 8)
      return readSmallResource(resource, type);
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  }
  return nullptr;
}
