// Types of vhlo bytecode: a code, and what it takes as parameters.
#include "VhloBytecode.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace forge;

namespace {
/// The codes, as StableHLO assigned them over time.
enum TypeCode : uint64_t {
  Boolean = 0,
  Complex = 1,
  BF16 = 2,
  F16 = 3,
  F32 = 4,
  F64 = 5,
  F8E4M3FN = 6,
  F8E5M2 = 7,
  Function = 8,
  Index = 9,
  SI4 = 10,
  SI8 = 11,
  SI16 = 12,
  SI32 = 13,
  SI64 = 14,
  UI4 = 15,
  UI8 = 16,
  UI16 = 17,
  UI32 = 18,
  UI64 = 19,
  RankedTensor = 20,
  RankedTensorWithEncoding = 21,
  Token = 22,
  Tuple = 23,
  UniformQuantized = 24,
  UnrankedTensor = 25,
  Witness = 26,
  F8E4M3FNUZ = 27,
  F8E5M2FNUZ = 28,
  F8E4M3B11FNUZ = 29,
  UniformQuantizedPerAxis = 30,
  SI2 = 31,
  UI2 = 32,
  None = 33,
  TF32 = 34,
  F8E4M3 = 35,
  F8E3M4 = 36,
  F4E2M1FN = 37,
  F6E2M3FN = 38,
  F6E3M2FN = 39,
  F8E8M0FNU = 40,
  RankedBuffer = 41,
  Future = 42,
};
} // namespace

static Type floatOf(uint64_t code, MLIRContext *context) {
  switch (code) {
  case BF16:
    return BFloat16Type::get(context);
  case F16:
    return Float16Type::get(context);
  case F32:
    return Float32Type::get(context);
  case F64:
    return Float64Type::get(context);
  case TF32:
    return FloatTF32Type::get(context);
  case F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case F8E5M2:
    return Float8E5M2Type::get(context);
  case F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case F8E4M3B11FNUZ:
    return Float8E4M3B11FNUZType::get(context);
  case F8E4M3:
    return Float8E4M3Type::get(context);
  case F8E3M4:
    return Float8E3M4Type::get(context);
  case F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case F6E2M3FN:
    return Float6E2M3FNType::get(context);
  case F6E3M2FN:
    return Float6E3M2FNType::get(context);
  case F4E2M1FN:
    return Float4E2M1FNType::get(context);
  default:
    return {};
  }
}

/// Signed integers are signless in StableHLO.
static Type integerOf(uint64_t code, MLIRContext *context) {
  static constexpr std::pair<uint64_t, unsigned> signedWidths[] = {
      {Boolean, 1}, {SI2, 2}, {SI4, 4}, {SI8, 8}, {SI16, 16}, {SI32, 32}, {SI64, 64}};
  static constexpr std::pair<uint64_t, unsigned> unsignedWidths[] = {
      {UI2, 2}, {UI4, 4}, {UI8, 8}, {UI16, 16}, {UI32, 32}, {UI64, 64}};
  for (auto [known, width] : signedWidths)
    if (code == known)
      return IntegerType::get(context, width);
  for (auto [known, width] : unsignedWidths)
    if (code == known)
      return IntegerType::get(context, width, IntegerType::Unsigned);
  return {};
}

static Type readTensor(DialectBytecodeReader &reader, bool hasEncoding) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) || failed(readInts(reader, shape)) ||
      failed(reader.readType(element)))
    return {};
  return RankedTensorType::getChecked([&] { return reader.emitError(); }, shape, element, encoding);
}

static Type readBuffer(DialectBytecodeReader &reader) {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(readInts(reader, shape)) || failed(reader.readType(element)))
    return {};
  return MemRefType::getChecked([&] { return reader.emitError(); }, shape, element,
                                MemRefLayoutAttrInterface(), Attribute());
}

static Type readQuantized(DialectBytecodeReader &reader) {
  uint64_t flags;
  Type storage, expressed;
  int64_t zeroPoint, min, max;
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) ||
      failed(reader.readType(expressed)))
    return {};
  FailureOr<APFloat> scale = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(scale) || failed(reader.readSignedVarInt(zeroPoint)) ||
      failed(reader.readSignedVarInt(min)) || failed(reader.readSignedVarInt(max)))
    return {};
  reader.getContext()->getOrLoadDialect<quant::QuantDialect>();
  return quant::UniformQuantizedType::getChecked([&] { return reader.emitError(); },
                                                 static_cast<unsigned>(flags), storage, expressed,
                                                 scale->convertToDouble(), zeroPoint, min, max);
}

static Type readQuantizedPerAxis(DialectBytecodeReader &reader) {
  uint64_t flags, dimension;
  Type storage, expressed;
  int64_t min, max;
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  auto readScale = [&] {
    FailureOr<APFloat> scale = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    if (succeeded(scale))
      scales.push_back(scale->convertToDouble());
    return LogicalResult(scale);
  };
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) ||
      failed(reader.readType(expressed)) || failed(reader.readVarInt(dimension)) ||
      failed(reader.readSignedVarInt(min)) || failed(reader.readSignedVarInt(max)) ||
      failed(readEach(reader, readScale)) || failed(readInts(reader, zeroPoints)))
    return {};
  reader.getContext()->getOrLoadDialect<quant::QuantDialect>();
  return quant::UniformQuantizedPerAxisType::getChecked(
      [&] { return reader.emitError(); }, static_cast<unsigned>(flags), storage, expressed, scales,
      zeroPoints, static_cast<int32_t>(dimension), min, max);
}

/// A type of StableHLO that Forge has no class for, as its text: an op of that type is refused at
/// its own place.
static Type opaque(DialectBytecodeReader &reader, StringRef text) {
  return OpaqueType::get(StringAttr::get(reader.getContext(), "stablehlo"), text);
}

static Type readFuture(DialectBytecodeReader &reader) {
  SmallVector<Type> types;
  if (failed(readTypes(reader, types)))
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "future<" << llvm::interleaved(types) << ">";
  return opaque(reader, text);
}

Type forge::readVhloType(DialectBytecodeReader &reader) {
  MLIRContext *context = reader.getContext();
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return {};
  if (Type type = floatOf(code, context))
    return type;
  if (Type type = integerOf(code, context))
    return type;
  Type element;
  SmallVector<Type> types, results;
  switch (code) {
  case Complex:
    if (failed(reader.readType(element)))
      return {};
    return ComplexType::getChecked([&] { return reader.emitError(); }, element);
  case Function:
    if (failed(readTypes(reader, types)) || failed(readTypes(reader, results)))
      return {};
    return FunctionType::get(context, types, results);
  case Index:
    return IndexType::get(context);
  case None:
    return NoneType::get(context);
  case RankedTensor:
    return readTensor(reader, /*hasEncoding=*/false);
  case RankedTensorWithEncoding:
    return readTensor(reader, /*hasEncoding=*/true);
  case RankedBuffer:
    return readBuffer(reader);
  case Token:
    return stablehlo::TokenType::get(context);
  case Tuple:
    if (failed(readTypes(reader, types)))
      return {};
    return TupleType::get(context, types);
  case UnrankedTensor:
    if (failed(reader.readType(element)))
      return {};
    return UnrankedTensorType::getChecked([&] { return reader.emitError(); }, element);
  case UniformQuantized:
    return readQuantized(reader);
  case UniformQuantizedPerAxis:
    return readQuantizedPerAxis(reader);
  case Future:
    return readFuture(reader);
  case Witness:
    return opaque(reader, "witness");
  default:
    reader.emitError() << "unknown vhlo type code " << code;
    return {};
  }
}
