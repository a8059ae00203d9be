#include "AssemblyFormat.h"
#include "VerifyUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ShapeOps.cpp.inc"

using namespace mlir;

namespace forge::stablehlo {

void StableHLODialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

/// Whether the source goes on with `dense<"0x`. The buffer of the source ends with a null.
static bool startsWithHexElements(SMLoc loc) {
  return loc.isValid() && std::strncmp(loc.getPointer(), "dense<\"0x", 9) == 0;
}

/// The booleans of `type` from one byte each, 0 or 1; null when that is not what `bytes` holds.
static Attribute booleansFromBytes(RankedTensorType type, StringRef bytes) {
  if (!type.getElementType().isInteger(1) || numElementsOf(type.getShape()) != bytes.size() ||
      bytes.find_first_not_of(StringRef("\0\1", 2)) != StringRef::npos)
    return {};
  return DenseElementsAttr::get(type,
                                llvm::map_to_vector(bytes, [](char byte) { return byte != 0; }));
}

// `dense<"0x...">`, as MLIR reads it, and besides with a byte for each boolean, where this MLIR
// wants eight booleans in a byte: other releases of MLIR write bytes.
static ParseResult parseHexElements(OpAsmParser &parser, Attribute &value) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text, bytes;
  RankedTensorType type;
  if (parser.parseKeyword("dense") || parser.parseLess() || parser.parseString(&text) ||
      parser.parseGreater() || parser.parseColonType(type))
    return failure();
  StringRef digits = text;
  digits.consume_front("0x");
  if (!llvm::tryGetFromHex(digits, bytes) || digits.size() % 2 != 0)
    return parser.emitError(loc) << "expected an even number of hexadecimal digits";
  if ((value = booleansFromBytes(type, bytes)))
    return success();
  if (!isSupportedElementType(type.getElementType()) &&
      !isComplexElementType(type.getElementType()))
    return emitError(parser.getEncodedSourceLoc(loc))
           << "unsupported stablehlo op 'stablehlo.constant': element type "
           << type.getElementType();
  bool isSplat = false;
  if (!numElementsOf(type.getShape()) ||
      !DenseElementsAttr::isValidRawBuffer(type, ArrayRef(bytes.data(), bytes.size()), isSplat))
    return parser.emitError(loc) << "expected the bytes of the elements of " << type << ", but got "
                                 << bytes.size() << " bytes";
  value = DenseElementsAttr::getFromRawBuffer(type, ArrayRef(bytes.data(), bytes.size()));
  return success();
}

// Either `attr-dict value` or, as an old printer writes it when the types differ, the generic form
// without the name: `() {value = ...} : () -> type`.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseRParen() || parser.parseGenericOperationAfterOpName(
                                               state, ArrayRef<OpAsmParser::UnresolvedOperand>()));
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  Attribute value;
  if (startsWithHexElements(loc) ? parseHexElements(parser, value) : parser.parseAttribute(value))
    return failure();
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements)
    return parser.emitError(loc) << "expected the elements of a tensor, but got " << value;
  state.addAttribute("value", elements);
  state.addTypes(elements.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() != getOutput().getType()) {
    printer.printGenericOp(*this, /*printOpName=*/false);
    return;
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ' << getValue();
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  bool isInteger = isa<IntegerType>(getOutput().getType().getElementType());
  setName(getOutput(), isInteger ? "c" : "cst");
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// The data that `resource` refers to is there, and of the size of its type: whoever reads it
/// relies on that. Elements take whole bytes.
static LogicalResult verifyResource(Operation *op, DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op->emitOpError() << "expected data for dense_resource '"
                             << resource.getRawHandle().getKey() << "', but the module has none";
  // The trait SupportedTypes has checked that the size does not overflow.
  int64_t bytes = resource.getType().getNumElements() *
                  llvm::divideCeil(resource.getType().getElementTypeBitWidth(), 8);
  if (static_cast<int64_t>(blob->getData().size()) != bytes)
    return op->emitOpError() << "expected " << bytes << " bytes of data for dense_resource '"
                             << resource.getRawHandle().getKey() << "', but got "
                             << blob->getData().size();
  return success();
}

LogicalResult ConstantOp::verify() {
  // constant_c1
  if (getValue().getType() != getOutput().getType())
    return emitOpError() << "expected a value of type " << getOutput().getType() << ", but got "
                         << getValue().getType();
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  return resource ? verifyResource(*this, resource) : success();
}

//===----------------------------------------------------------------------===//
// iota, broadcasts, reshape, transpose, reverse
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  // iota_c1
  return verifyDimsInRange(*this, "iota_dimension", getIotaDimension(),
                           getOutput().getType().getRank());
}

LogicalResult BroadcastOp::verify() {
  if (failed(verifyAtLeast(*this, "broadcast_sizes", getBroadcastSizes(), 0)))
    return failure();
  SmallVector<int64_t> expected(getBroadcastSizes());
  llvm::append_range(expected, getOperand().getType().getShape());
  return verifyResultShape(*this, expected);
}

LogicalResult BroadcastInDimOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  // broadcast_in_dim_c2, broadcast_in_dim_c3, broadcast_in_dim_c4
  if (failed(verifySize(*this, "broadcast_dimensions", dims.size(), operand.getRank())) ||
      failed(verifyDimsInRange(*this, "broadcast_dimensions", dims, result.getRank())) ||
      failed(verifyUnique(*this, "broadcast_dimensions", dims)))
    return failure();
  // broadcast_in_dim_c5
  return verifyBroadcastSizes(*this, operand, result.getShape(), dims);
}

LogicalResult ReshapeOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  // reshape_c2
  if (operand.hasStaticShape() && result.hasStaticShape() &&
      operand.getNumElements() != result.getNumElements())
    return emitOpError() << "expected " << operand.getNumElements()
                         << " elements in the result, but got " << result.getNumElements();
  return success();
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> shape = getOperand().getType().getShape(), permutation = getPermutation();
  // transpose_c2
  if (failed(verifySize(*this, "permutation", permutation.size(), shape.size())) ||
      failed(verifyDimsInRange(*this, "permutation", permutation, shape.size())) ||
      failed(verifyUnique(*this, "permutation", permutation)))
    return failure();
  // transpose_c3
  return verifyResultShape(
      *this, llvm::map_to_vector(permutation, [&](int64_t dim) { return shape[dim]; }));
}

LogicalResult ReverseOp::verify() {
  // reverse_c2, reverse_c3
  return success(succeeded(verifyUnique(*this, "dimensions", getDimensions())) &&
                 succeeded(verifyDimsInRange(*this, "dimensions", getDimensions(),
                                             getOperand().getType().getRank())));
}

//===----------------------------------------------------------------------===//
// slices
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  ArrayRef<int64_t> starts = getStartIndices(), limits = getLimitIndices(), strides = getStrides();
  // slice_c2
  if (failed(verifySize(*this, "start_indices", starts.size(), shape.size())) ||
      failed(verifySize(*this, "limit_indices", limits.size(), shape.size())) ||
      failed(verifySize(*this, "strides", strides.size(), shape.size())))
    return failure();
  // slice_c4
  if (failed(verifyAtLeast(*this, "strides", strides, 1)))
    return failure();
  SmallVector<int64_t> expected;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    // slice_c3
    int64_t start = starts[dim], limit = limits[dim];
    bool fits = ShapedType::isDynamic(size) || limit <= size;
    if (start < 0 || start > limit || !fits)
      return emitOpError() << "expected 0 <= start <= limit <= " << sizeToString(size)
                           << " in dimension " << dim << ", but got start " << start
                           << " and limit " << limit;
    expected.push_back(limit == start ? 0 : (limit - start - 1) / strides[dim] + 1);
  }
  // slice_c5
  return verifyResultShape(*this, expected);
}

/// All start indices have one type, and there is one per dimension.
static LogicalResult verifyStartIndices(Operation *op, OperandRange starts, int64_t rank) {
  if (failed(verifySize(op, "start_indices", starts.size(), rank)))
    return failure();
  for (Type type : starts.getTypes())
    if (type != starts.front().getType())
      return op->emitOpError() << "expected start_indices of one type, but got "
                               << starts.front().getType() << " and " << type;
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  auto operand = getOperand().getType();
  // dynamic_slice_c1
  if (operand.getElementType() != getResult().getType().getElementType())
    return emitOpError() << "expected element type " << operand.getElementType()
                         << " of the result, but got " << getResult().getType().getElementType();
  // dynamic_slice_c2, dynamic_slice_c3
  if (failed(verifySize(*this, "slice_sizes", getSliceSizes().size(), operand.getRank())) ||
      failed(verifyStartIndices(*this, getStartIndices(), operand.getRank())))
    return failure();
  // dynamic_slice_c4
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(operand.getShape(), getSliceSizes()))) {
    auto [size, sliced] = sizes;
    if (sliced < 0 || (!ShapedType::isDynamic(size) && sliced > size))
      return emitOpError() << "expected 0 <= slice size <= " << sizeToString(size)
                           << " in dimension " << dim << ", but got " << sliced;
  }
  // dynamic_slice_c5
  return verifyResultShape(*this, getSliceSizes());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto operand = getOperand().getType(), update = getUpdate().getType();
  // dynamic_update_slice_c1
  if (!compatibleTypes(operand, getResult().getType()))
    return emitOpError() << "expected result of type " << operand << ", but got "
                         << getResult().getType();
  // dynamic_update_slice_c2
  if (update.getElementType() != operand.getElementType())
    return emitOpError() << "expected element type " << operand.getElementType()
                         << " of update, but got " << update.getElementType();
  // dynamic_update_slice_c3
  if (update.getRank() != operand.getRank())
    return emitOpError() << "expected update of rank " << operand.getRank() << ", but got "
                         << update.getRank();
  // dynamic_update_slice_c4, dynamic_update_slice_c5
  if (failed(verifyStartIndices(*this, getStartIndices(), operand.getRank())))
    return failure();
  // dynamic_update_slice_c6
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(operand.getShape(), update.getShape()))) {
    auto [size, updated] = sizes;
    if (!ShapedType::isDynamic(size) && updated > size)
      return emitOpError() << "expected update of size at most " << size << " in dimension " << dim
                           << ", but got " << updated;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// concatenate, pad
//===----------------------------------------------------------------------===//

LogicalResult ConcatenateOp::verify() {
  // concatenate_c3
  if (getInputs().empty())
    return emitOpError() << "expected at least 1 input, but got none";
  // concatenate_c4
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  int64_t dimension = getDimension();
  if (failed(verifyDimsInRange(*this, "dimension", dimension, first.getRank())))
    return failure();
  SmallVector<int64_t> expected(first.getShape());
  for (Value input : getInputs().drop_front()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
    // concatenate_c2
    SmallVector<int64_t> masked(shape);
    if (shape.size() == expected.size())
      masked[dimension] = ShapedType::kDynamic;
    if (!compatibleShapes(masked, expected))
      return emitOpError() << "expected inputs that differ in dimension " << dimension
                           << " only, but got shapes " << shapeToString(first.getShape()) << " and "
                           << shapeToString(shape);
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (dim != dimension)
        expected[dim] = ShapedType::isDynamic(expected[dim]) ? size : expected[dim];
      else if (ShapedType::isDynamic(size) || ShapedType::isDynamic(expected[dim]))
        expected[dim] = ShapedType::kDynamic;
      else if (llvm::AddOverflow(expected[dim], size, expected[dim]))
        return emitOpError() << "expected a size that fits in 63 bits in dimension " << dimension;
    }
  }
  // concatenate_c6
  return verifyResultShape(*this, expected);
}

LogicalResult PadOp::verify() {
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  ArrayRef<int64_t> low = getEdgePaddingLow(), high = getEdgePaddingHigh(),
                    interior = getInteriorPadding();
  // pad_c2
  if (failed(verifySize(*this, "edge_padding_low", low.size(), shape.size())) ||
      failed(verifySize(*this, "edge_padding_high", high.size(), shape.size())) ||
      failed(verifySize(*this, "interior_padding", interior.size(), shape.size())))
    return failure();
  // pad_c3
  if (failed(verifyAtLeast(*this, "interior_padding", interior, 0)))
    return failure();
  // pad_c4
  return verifyPaddedShape(*this, shape, low, high, interior);
}

} // namespace forge::stablehlo
