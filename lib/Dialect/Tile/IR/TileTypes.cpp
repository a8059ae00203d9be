#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace forge::tile;

int64_t SharedType::getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }

int64_t SharedType::getBytes() const {
  int64_t rows = 1;
  for (int64_t size : getShape().drop_back())
    rows *= size;
  return rows * (getShape().back() * getElementBytes() + getPad());
}

Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  int64_t swizzle = 0, pad = 0;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "pad") {
      if (parser.parseInteger(pad))
        return {};
    } else if (!word.consume_front("sw") || word.getAsInteger(10, swizzle)) {
      parser.emitError(loc, "expected sw32, sw64, sw128 or pad");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(parser.getContext(), ArrayRef<int64_t>(shape), elementType,
                                       swizzle, pad);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType();
  if (getSwizzle())
    printer << ", sw" << getSwizzle();
  if (getPad())
    printer << ", pad " << getPad();
  printer << ">";
}

/// The most elements of a buffer, and bytes of padding: far above what any chip has, and safe to
/// multiply.
static constexpr int64_t kMostElements = int64_t(1) << 24;

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType, int64_t swizzle,
                                 int64_t pad) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "expected one to five dimensions, but got " << shape.size();
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size < 1 || size > kMostElements / elements)
      return emitError() << "expected 1 to " << kMostElements
                         << " elements, but got a dimension of " << size;
    elements *= size;
  }
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() % 8 != 0)
    return emitError() << "expected elements of whole bytes, but got " << elementType;
  if (pad < 0 || pad > kMostElements || pad % 4 != 0)
    return emitError() << "expected padding by a multiple of 4 bytes, but got " << pad;
  if (swizzle == 0)
    return success();
  if (swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected sw32, sw64 or sw128, but got sw" << swizzle;
  if (pad)
    return emitError() << "expected a swizzle or padding, but got both";
  int64_t rowBytes = shape.back() * elementType.getIntOrFloatBitWidth() / 8;
  if (shape.size() < 2 || rowBytes % swizzle != 0)
    return emitError() << "expected rows of a multiple of " << swizzle << " bytes for sw" << swizzle
                       << ", but got " << rowBytes;
  // The pattern repeats every eight rows.
  if (elements / shape.back() % 8 != 0)
    return emitError() << "expected a multiple of 8 rows for sw" << swizzle << ", but got "
                       << elements / shape.back();
  return success();
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots,
                               ArrayRef<Type> buffers) {
  if (slots < 1 || slots > 64)
    return emitError() << "expected 1 to 64 slots, but got " << slots;
  if (buffers.empty())
    return emitError() << "expected a buffer in each slot, but got none";
  for (Type buffer : buffers)
    if (!isa<SharedType>(buffer))
      return emitError() << "expected buffers of type !tile.shared, but got " << buffer;
  return success();
}
