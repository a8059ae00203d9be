// Attributes of vhlo bytecode: a code, and what it takes as parameters.
#include "VhloBytecode.h"
#include "VhloDialect.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace forge;

namespace {
/// The codes, as StableHLO assigned them over time. 0 is no longer written.
enum AttributeCode : uint64_t {
  Array = 1,
  Boolean = 2,
  ComparisonDirection = 3,
  ComparisonType = 4,
  CustomCallApiVersion = 5,
  Dictionary = 6,
  FftType = 7,
  Float = 8,
  Integer = 9,
  OutputOperandAlias = 10,
  Precision = 11,
  RngAlgorithm = 12,
  RngDistribution = 13,
  String = 14,
  Tensor = 15,
  Transpose = 16,
  Type = 17,
  TypeExtensions = 18,
  ResultAccuracyMode = 19,
  ResultAccuracy = 20,
  SubAxisInfo = 21,
  AxisRef = 22,
  ReplicaGroupMeshAxes = 23,
  MeshAxis = 24,
  Mesh = 25,
};
} // namespace

static Attribute readArray(DialectBytecodeReader &reader) {
  SmallVector<Attribute> elements;
  if (failed(readAttributes(reader, elements)))
    return {};
  return ArrayAttr::get(reader.getContext(), elements);
}

static Attribute readBoolean(DialectBytecodeReader &reader) {
  uint64_t value;
  if (failed(reader.readVarInt(value)))
    return {};
  if (value > 1)
    return reader.emitError() << "expected a boolean of 0 or 1, but got " << value, Attribute();
  return BoolAttr::get(reader.getContext(), value == 1);
}

template <typename EnumAttribute, typename Enum>
static Attribute readEnum(DialectBytecodeReader &reader,
                          std::optional<Enum> (*symbolize)(uint32_t)) {
  uint64_t value;
  if (failed(reader.readVarInt(value)))
    return {};
  std::optional<Enum> known =
      value <= UINT32_MAX ? symbolize(static_cast<uint32_t>(value)) : std::optional<Enum>();
  if (!known)
    return reader.emitError() << "unknown case " << value << " of an enumeration", Attribute();
  return EnumAttribute::get(reader.getContext(), *known);
}

static Attribute readDictionary(DialectBytecodeReader &reader) {
  SmallVector<NamedAttribute> members;
  auto readMember = [&]() -> LogicalResult {
    StringAttr name;
    Attribute value;
    if (failed(reader.readAttribute(name)) || failed(reader.readAttribute(value)))
      return failure();
    if (name.empty())
      return reader.emitError() << "expected a name for each member of a dictionary";
    members.emplace_back(name, value);
    return success();
  };
  if (failed(readEach(reader, readMember)))
    return {};
  if (auto twice = DictionaryAttr::findDuplicate(members, /*isSorted=*/false))
    return reader.emitError() << "'" << twice->getName().getValue() << "' is in a dictionary twice",
           Attribute();
  return DictionaryAttr::get(reader.getContext(), members);
}

static Attribute readFloat(DialectBytecodeReader &reader) {
  mlir::Type type;
  if (failed(reader.readType(type)))
    return {};
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return reader.emitError() << "expected a float type, but got " << type, Attribute();
  FailureOr<APFloat> value = reader.readAPFloatWithKnownSemantics(floatType.getFloatSemantics());
  return succeeded(value) ? FloatAttr::get(floatType, *value) : Attribute();
}

static Attribute readInteger(DialectBytecodeReader &reader) {
  mlir::Type type;
  if (failed(reader.readType(type)))
    return {};
  if (!type.isIntOrIndex())
    return reader.emitError() << "expected an integer type, but got " << type, Attribute();
  unsigned width =
      isa<IndexType>(type) ? IndexType::kInternalStorageBitWidth : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readAPIntWithKnownWidth(width);
  return succeeded(value) ? IntegerAttr::get(type, *value) : Attribute();
}

static Attribute readOutputOperandAlias(DialectBytecodeReader &reader) {
  SmallVector<int64_t> outputIndices, operandIndices;
  int64_t operand;
  if (failed(readInts(reader, outputIndices)) || failed(reader.readSignedVarInt(operand)) ||
      failed(readInts(reader, operandIndices)))
    return {};
  return stablehlo::OutputOperandAliasAttr::get(reader.getContext(), outputIndices, operand,
                                                operandIndices);
}

static Attribute readString(DialectBytecodeReader &reader) {
  StringRef text;
  if (failed(reader.readString(text)))
    return {};
  return StringAttr::get(reader.getContext(), text);
}

/// The elements of booleans: a bit each, least significant first; 0xff alone for true throughout.
/// Some writers gave a byte each.
static Attribute booleansOf(RankedTensorType type, ArrayRef<char> bytes) {
  size_t count = static_cast<size_t>(type.getNumElements());
  if (count == 0 && !bytes.empty())
    return {};
  if (bytes.size() == 1 && static_cast<unsigned char>(bytes[0]) == 0xff)
    return DenseElementsAttr::get(type, true);
  bool isPacked = bytes.size() == llvm::divideCeil(count, 8) && bytes.size() != count;
  if (bytes.size() == 1 && bytes[0] == 0 && !isPacked)
    return DenseElementsAttr::get(type, false);
  if (!isPacked && bytes.size() != count)
    return {};
  SmallVector<bool> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = isPacked ? (bytes[i / 8] >> (i % 8)) & 1 : bytes[i] != 0;
  return DenseElementsAttr::get(type, values);
}

static Attribute readTensor(DialectBytecodeReader &reader) {
  mlir::Type type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return {};
  auto tensor = dyn_cast<RankedTensorType>(type);
  mlir::Type element = tensor ? tensor.getElementType() : mlir::Type();
  auto complex = dyn_cast_or_null<ComplexType>(element);
  bool isNumber = element && (complex ? isa<FloatType>(complex.getElementType())
                                      : element.isIntOrIndexOrFloat());
  if (!isNumber || !tensor.hasStaticShape() || !hasCountableBytes(tensor.getShape()))
    return reader.emitError() << "unsupported type of a constant " << type, Attribute();
  Attribute elements;
  bool isSplat = false;
  if (element.isInteger(1))
    elements = booleansOf(tensor, bytes);
  else if (DenseElementsAttr::isValidRawBuffer(tensor, bytes, isSplat))
    elements = DenseElementsAttr::getFromRawBuffer(tensor, bytes);
  if (!elements)
    reader.emitError() << "expected the elements of " << type << ", but got " << bytes.size()
                       << " bytes";
  return elements;
}

static Attribute readType(DialectBytecodeReader &reader) {
  mlir::Type type;
  if (failed(reader.readType(type)))
    return {};
  return TypeAttr::get(type);
}

static Attribute readResultAccuracy(DialectBytecodeReader &reader) {
  FailureOr<APFloat> atol = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(atol))
    return {};
  FailureOr<APFloat> rtol = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  int64_t ulps;
  stablehlo::ResultAccuracyModeAttr mode;
  if (failed(rtol) || failed(reader.readSignedVarInt(ulps)) || failed(reader.readAttribute(mode)))
    return {};
  return stablehlo::ResultAccuracyAttr::getChecked([&] { return reader.emitError(); },
                                                   reader.getContext(), *atol, *rtol, ulps, mode);
}

/// An attribute of StableHLO that Forge has no class for, as text. What has such an attribute is
/// refused at its own place.
static Attribute opaque(DialectBytecodeReader &reader, const Twine &twine) {
  std::string text = twine.str();
  // Each may hold others twice.
  if (text.size() > 1 << 16)
    return reader.emitError() << "an attribute is larger than Forge reads", Attribute();
  MLIRContext *context = reader.getContext();
  return OpaqueAttr::get(StringAttr::get(context, "stablehlo"), text, NoneType::get(context));
}

static Attribute readTypeExtensions(DialectBytecodeReader &reader) {
  SmallVector<int64_t> bounds;
  if (failed(readInts(reader, bounds)))
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(bounds, os, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      os << '?';
    else
      os << bound;
  });
  return opaque(reader, "bounds<" + text + ">");
}

static Attribute readSubAxisInfo(DialectBytecodeReader &reader) {
  int64_t before, size;
  if (failed(reader.readSignedVarInt(before)) || failed(reader.readSignedVarInt(size)))
    return {};
  return opaque(reader, "sub_axis_info<(" + Twine(before) + ")" + Twine(size) + ">");
}

static Attribute readMeshAxis(DialectBytecodeReader &reader) {
  StringAttr name;
  int64_t size;
  if (failed(reader.readAttribute(name)) || failed(reader.readSignedVarInt(size)))
    return {};
  return opaque(reader,
                "mesh_axis<name = \"" + name.getValue() + "\", size = " + Twine(size) + ">");
}

/// `mnemonic<first, second>`, where `readSecond` may read none.
static Attribute readPair(DialectBytecodeReader &reader, StringRef mnemonic,
                          function_ref<LogicalResult(Attribute &)> readSecond) {
  Attribute first, second;
  if (failed(reader.readAttribute(first)) || failed(readSecond(second)))
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  os << mnemonic << '<' << first;
  if (second)
    os << ", " << second;
  os << '>';
  return opaque(reader, text);
}

static Attribute readAxisRef(DialectBytecodeReader &reader) {
  return readPair(reader, "axis_ref", [&](Attribute &part) -> LogicalResult {
    uint64_t isPart;
    if (failed(reader.readVarInt(isPart)))
      return failure();
    return isPart ? reader.readAttribute(part) : success();
  });
}

static Attribute readReplicaGroupMeshAxes(DialectBytecodeReader &reader) {
  return readPair(reader, "replica_group_mesh_axes",
                  [&](Attribute &axes) { return reader.readAttribute(axes); });
}

static Attribute readMesh(DialectBytecodeReader &reader) {
  return readPair(reader, "mesh",
                  [&](Attribute &devices) { return reader.readOptionalAttribute(devices); });
}

static Attribute readApiVersion(DialectBytecodeReader &reader) {
  return readEnum<stablehlo::CustomCallApiVersionAttr>(reader,
                                                       stablehlo::symbolizeCustomCallApiVersion);
}

Attribute forge::readVhloAttribute(DialectBytecodeReader &reader) {
  using namespace stablehlo;
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case Array:
    return readArray(reader);
  case Boolean:
    return readBoolean(reader);
  case AttributeCode::ComparisonDirection:
    return readEnum<ComparisonDirectionAttr>(reader, symbolizeComparisonDirection);
  case AttributeCode::ComparisonType:
    return readEnum<ComparisonTypeAttr>(reader, symbolizeComparisonType);
  case AttributeCode::CustomCallApiVersion:
    return readApiVersion(reader);
  case Dictionary:
    return readDictionary(reader);
  case AttributeCode::FftType:
    return readEnum<FftTypeAttr>(reader, symbolizeFftType);
  case Float:
    return readFloat(reader);
  case Integer:
    return readInteger(reader);
  case OutputOperandAlias:
    return readOutputOperandAlias(reader);
  case AttributeCode::Precision:
    return readEnum<PrecisionAttr>(reader, symbolizePrecision);
  case AttributeCode::RngAlgorithm:
    return readEnum<RngAlgorithmAttr>(reader, symbolizeRngAlgorithm);
  case AttributeCode::RngDistribution:
    return readEnum<RngDistributionAttr>(reader, symbolizeRngDistribution);
  case String:
    return readString(reader);
  case Tensor:
    return readTensor(reader);
  case AttributeCode::Transpose:
    return readEnum<TransposeAttr>(reader, symbolizeTranspose);
  case AttributeCode::Type:
    return readType(reader);
  case TypeExtensions:
    return readTypeExtensions(reader);
  case AttributeCode::ResultAccuracyMode:
    return readEnum<ResultAccuracyModeAttr>(reader, symbolizeResultAccuracyMode);
  case ResultAccuracy:
    return readResultAccuracy(reader);
  case SubAxisInfo:
    return readSubAxisInfo(reader);
  case AxisRef:
    return readAxisRef(reader);
  case ReplicaGroupMeshAxes:
    return readReplicaGroupMeshAxes(reader);
  case MeshAxis:
    return readMeshAxis(reader);
  case Mesh:
    return readMesh(reader);
  default:
    reader.emitError() << "unknown vhlo attribute code " << code;
    return {};
  }
}

namespace {
struct VhloBytecodeInterface : public BytecodeDialectInterface {
  VhloBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    return readVhloAttribute(reader);
  }
  mlir::Type readType(DialectBytecodeReader &reader) const override { return readVhloType(reader); }
};
} // namespace

std::unique_ptr<DialectInterface> forge::createVhloBytecodeInterface(Dialect *dialect) {
  return std::make_unique<VhloBytecodeInterface>(dialect);
}
