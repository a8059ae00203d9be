// The sdy dialect in bytecode, as Shardy encodes it. An attribute is read as its text, and so is
// each part of one: `"x"=2` of a mesh, `{"x", ?}p1` of a sharding.
#include "forge/Dialect/StableHLO/IR/Sdy.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace forge::sdy;

namespace {
/// The codes, as Shardy assigned them over time. Those of collectives (13 and 14) are of ops that
/// Forge does not have.
enum AttributeCode : uint64_t {
  ManualAxes = 0,
  MeshAxis = 1,
  Mesh = 2,
  SubAxisInfo = 3,
  AxisRef = 4,
  DimensionSharding = 5,
  TensorSharding = 6,
  TensorShardingPerValue = 7,
  DimMapping = 8,
  TensorMapping = 9,
  OpShardingRule = 10,
  AxisRefList = 11,
  ListOfAxisRefLists = 12,
  TensorShardingUnreduced = 15,
  TensorShardingPerValueUnreduced = 16,
  TensorShardingReduction = 17,
};

/// Reads the parts of one attribute and puts their text together.
class TextReader {
public:
  explicit TextReader(DialectBytecodeReader &reader) : reader(reader), os(text) {}

  LogicalResult read();
  StringRef getText() const { return text; }

private:
  /// Reads the number of items and each of them, with commas between. No memory is taken for the
  /// number before the items are there.
  LogicalResult readList(function_ref<LogicalResult()> readItem);
  LogicalResult readAttributes();
  LogicalResult readAttribute();
  LogicalResult readInt();
  LogicalResult readName();
  LogicalResult readMesh();
  LogicalResult readAxisRef();
  LogicalResult readDimension();
  LogicalResult readSharding(uint64_t code);
  LogicalResult readPerValue();
  LogicalResult readFactor();
  LogicalResult readFactors(StringRef keyword);
  LogicalResult readRule();
  LogicalResult readOptionalAxes(StringRef keyword);

  DialectBytecodeReader &reader;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

LogicalResult TextReader::readList(function_ref<LogicalResult()> readItem) {
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0)
      os << ", ";
    if (failed(readItem()))
      return failure();
  }
  return success();
}

/// An attribute of another dialect (a symbol, a string) prints as itself.
LogicalResult TextReader::readAttribute() {
  Attribute attribute;
  if (failed(reader.readAttribute(attribute)))
    return failure();
  if (auto part = dyn_cast<PlacementAttr>(attribute))
    os << part.getText();
  else
    os << attribute;
  // Each may hold others twice.
  if (text.size() > 1 << 16)
    return reader.emitError() << "an attribute of sdy is larger than Forge reads";
  return success();
}

LogicalResult TextReader::readAttributes() {
  return readList([&] { return readAttribute(); });
}

LogicalResult TextReader::readInt() {
  int64_t number;
  if (failed(reader.readSignedVarInt(number)))
    return failure();
  os << number;
  return success();
}

LogicalResult TextReader::readName() {
  StringRef name;
  if (failed(reader.readString(name)))
    return failure();
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
  return success();
}

LogicalResult TextReader::readMesh() {
  os << "mesh<[";
  if (failed(readAttributes()))
    return failure();
  os << "]";
  size_t end = text.size();
  os << ", device_ids=[";
  size_t begin = text.size();
  if (failed(readList([&] { return readInt(); })))
    return failure();
  os << "]";
  if (text.size() == begin + 1)
    text.resize(end); // no devices are named
  os << ">";
  return success();
}

LogicalResult TextReader::readAxisRef() {
  if (failed(readName()))
    return failure();
  Attribute part;
  if (failed(reader.readOptionalAttribute(part)))
    return failure();
  if (auto placement = dyn_cast_or_null<PlacementAttr>(part))
    os << ':' << placement.getText();
  return success();
}

LogicalResult TextReader::readDimension() {
  os << '{';
  if (failed(readAttributes()))
    return failure();
  bool isClosed, hasPriority;
  uint64_t priority;
  if (failed(reader.readBool(isClosed)) || failed(reader.readVarIntWithFlag(priority, hasPriority)))
    return failure();
  if (!isClosed)
    os << (text == "{" ? "?" : ", ?");
  os << '}';
  if (hasPriority)
    os << 'p' << priority;
  return success();
}

/// `, keyword={"x", "y"}`, or nothing if there are no axes.
LogicalResult TextReader::readOptionalAxes(StringRef keyword) {
  size_t end = text.size();
  os << ", " << keyword << "={";
  size_t begin = text.size();
  if (failed(readAttributes()))
    return failure();
  if (text.size() == begin)
    text.resize(end);
  else
    os << '}';
  return success();
}

LogicalResult TextReader::readSharding(uint64_t code) {
  os << "sharding<";
  if (failed(readAttribute()))
    return failure();
  os << ", [";
  if (failed(readAttributes()))
    return failure();
  os << ']';
  if (failed(readOptionalAxes("replicated")))
    return failure();
  size_t end = text.size();
  if (code != TensorSharding && failed(readOptionalAxes("unreduced")))
    return failure();
  int64_t reduction = 0;
  if (code == TensorShardingReduction && failed(reader.readSignedVarInt(reduction)))
    return failure();
  static constexpr StringRef reductions[] = {"", "max", "min"};
  if (reduction < 0 || reduction > 2)
    return reader.emitError() << "unknown reduction " << reduction << " of a sharding";
  if (text.size() > end)
    text.insert(text.find('{', end), reductions[reduction]);
  os << '>';
  return success();
}

/// The shardings of several values, without the word before each.
LogicalResult TextReader::readPerValue() {
  os << "sharding_per_value<[";
  auto readOne = [&]() -> LogicalResult {
    size_t begin = text.size();
    if (failed(readAttribute()))
      return failure();
    if (StringRef(text).drop_front(begin).starts_with("sharding<"))
      text.erase(begin, StringRef("sharding").size());
    return success();
  };
  if (failed(readList(readOne)))
    return failure();
  os << "]>";
  return success();
}

/// The symbol of a factor: i to z, then z_1, z_2 ...
static void printFactor(llvm::raw_ostream &os, int64_t factor) {
  constexpr int64_t letters = 'z' - 'i' + 1;
  if (factor < letters)
    os << static_cast<char>('i' + factor);
  else
    os << "z_" << factor - letters + 1;
}

LogicalResult TextReader::readFactor() {
  int64_t factor;
  if (failed(reader.readSignedVarInt(factor)))
    return failure();
  if (factor < 0)
    return reader.emitError() << "expected a factor of a sharding rule, but got " << factor;
  printFactor(os, factor);
  return success();
}

/// ` keyword={i, j}`, or nothing if there are no factors.
LogicalResult TextReader::readFactors(StringRef keyword) {
  size_t end = text.size();
  os << ' ' << keyword << "={";
  size_t begin = text.size();
  if (failed(readList([&] { return readFactor(); })))
    return failure();
  if (text.size() == begin)
    text.resize(end);
  else
    os << '}';
  return success();
}

/// `op_sharding_rule<([i, j])->([i]) {i=2, j=3} reduction={j}, custom>`. The sizes are first in the
/// bytecode.
LogicalResult TextReader::readRule() {
  int64_t factor = 0;
  auto readSize = [&]() -> LogicalResult {
    printFactor(os, factor++);
    os << '=';
    return readInt();
  };
  if (failed(readList(readSize)))
    return failure();
  std::string sizes = std::move(text);
  text = "op_sharding_rule<(";
  if (failed(readAttributes()))
    return failure();
  os << ")->(";
  if (failed(readAttributes()))
    return failure();
  os << ')';
  if (!sizes.empty())
    os << " {" << sizes << '}';
  bool isCustom;
  if (failed(readFactors("reduction")) || failed(readFactors("need_replication")) ||
      failed(readFactors("permutation")) || failed(readFactors("blocked_propagation")) ||
      failed(reader.readBool(isCustom)))
    return failure();
  os << (isCustom ? ", custom>" : ">");
  return success();
}

LogicalResult TextReader::read() {
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return failure();
  auto enclosed = [&](StringRef open, StringRef close) {
    os << open;
    LogicalResult result = readAttributes();
    os << close;
    return result;
  };
  switch (code) {
  case ManualAxes:
    return enclosed("manual_axes{", "}");
  case MeshAxis:
    if (failed(readName()))
      return failure();
    os << '=';
    return readInt();
  case Mesh:
    return readMesh();
  case SubAxisInfo:
    os << '(';
    if (failed(readInt()))
      return failure();
    os << ')';
    return readInt();
  case AxisRef:
    return readAxisRef();
  case DimensionSharding:
    return readDimension();
  case TensorSharding:
  case TensorShardingUnreduced:
  case TensorShardingReduction:
    return readSharding(code);
  case TensorShardingPerValue:
  case TensorShardingPerValueUnreduced:
    return readPerValue();
  case DimMapping: { // without commas
    uint64_t count;
    if (failed(reader.readVarInt(count)))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readFactor()))
        return failure();
    return success();
  }
  case TensorMapping:
    return enclosed("[", "]");
  case OpShardingRule:
    return readRule();
  case AxisRefList:
    return enclosed("{", "}");
  case ListOfAxisRefLists:
    return enclosed("[", "]");
  default:
    return reader.emitError() << "unsupported sdy attribute of code " << code;
  }
}

namespace {
struct SdyBytecodeInterface : public BytecodeDialectInterface {
  SdyBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    TextReader text(reader);
    if (failed(text.read()))
      return {};
    return PlacementAttr::get(getContext(), text.getText());
  }

  /// Three numbers. Attributes have said since the first version what they are by their codes.
  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    for (int i = 0; i < 3; ++i)
      if (failed(reader.readVarInt(number)))
        return nullptr;
    return std::make_unique<DialectVersion>();
  }
};
} // namespace

void SdyDialect::addBytecodeInterface() { addInterfaces<SdyBytecodeInterface>(); }
