#include "forge/Dialect/StableHLO/IR/Sdy.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge::sdy;

//===----------------------------------------------------------------------===//
// The grammar of what is between < and > in pretty form. It is walked over, and kept as text.
//===----------------------------------------------------------------------===//

static ParseResult parseAxisOrOpen(OpAsmParser &parser) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  std::string axis;
  int64_t number;
  if (parser.parseString(&axis))
    return failure();
  // A part of an axis: "x":(2)4.
  if (failed(parser.parseOptionalColon()))
    return success();
  return failure(parser.parseLParen() || parser.parseInteger(number) || parser.parseRParen() ||
                 parser.parseInteger(number));
}

static ParseResult parseAxes(OpAsmParser &parser) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces,
                                        [&] { return parseAxisOrOpen(parser); });
}

/// One dimension, with its priority if it has one: {"x", ?}p1.
static ParseResult parseDimension(OpAsmParser &parser) {
  StringRef priority;
  if (parseAxes(parser))
    return failure();
  (void)parser.parseOptionalKeyword(&priority);
  return success();
}

/// `@mesh`, `[{"x"}, {}]`, or `replicated={"y"}`.
static ParseResult parseShardingPart(OpAsmParser &parser) {
  StringAttr symbol;
  StringRef keyword;
  if (succeeded(parser.parseOptionalSymbolName(symbol)))
    return success();
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    return failure(parser.parseEqual() || parseAxes(parser));
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                        [&] { return parseDimension(parser); });
}

/// `["x"=1, "y"=1]`, or `device_ids=[0]`.
static ParseResult parseMeshPart(OpAsmParser &parser) {
  StringRef keyword;
  auto number = [&] {
    int64_t value;
    return parser.parseInteger(value);
  };
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    return failure(parser.parseEqual() ||
                   parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, number));
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
    std::string axis;
    return failure(parser.parseString(&axis) || parser.parseEqual() || number());
  });
}

/// `name` and the source text of `<part, part...>`.
static ParseResult parsePlacement(OpAsmParser &parser, StringRef name, PlacementAttr &placement,
                                  function_ref<ParseResult(OpAsmParser &)> parsePart) {
  const char *begin = parser.getCurrentLocation().getPointer();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::LessGreater,
                                     [&] { return parsePart(parser); }))
    return failure();
  StringRef text(begin, parser.getCurrentLocation().getPointer() - begin);
  // What follows is the next token; the text ends at the last bracket before it.
  text = text.take_front(text.rfind('>') + 1);
  placement = PlacementAttr::get(parser.getContext(), (name + text).str());
  return success();
}

static ParseResult parseMesh(OpAsmParser &parser, PlacementAttr &mesh) {
  return parsePlacement(parser, "mesh", mesh, parseMeshPart);
}
static ParseResult parseSharding(OpAsmParser &parser, PlacementAttr &sharding) {
  return parsePlacement(parser, "sharding", sharding, parseShardingPart);
}
static void printMesh(OpAsmPrinter &printer, Operation *, PlacementAttr mesh) {
  printer << mesh.getText().drop_until([](char c) { return c == '<'; });
}
static void printSharding(OpAsmPrinter &printer, Operation *op, PlacementAttr sharding) {
  printMesh(printer, op, sharding);
}

#include "forge/Dialect/StableHLO/IR/SdyDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyOps.cpp.inc"

std::optional<int64_t> MeshOp::countDevices() {
  int64_t devices = 1;
  // The sizes are the numbers behind "=", up to the end of the axes; a lone device has none.
  StringRef axes = getMesh().getText().split('[').second.split(']').first;
  if (getMesh().getText().starts_with("mesh<device_ids"))
    return 1;
  while (!axes.empty()) {
    auto [axis, rest] = axes.split(',');
    int64_t size;
    if (axis.rsplit('=').second.trim().getAsInteger(10, size) ||
        llvm::MulOverflow(devices, size, devices))
      return std::nullopt;
    axes = rest;
  }
  return devices;
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef text = parser.getFullSymbolSpec();
  // The parser goes on behind the symbol by itself.
  return PlacementAttr::get(parser.getContext(), text);
}

void SdyDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  printer << cast<PlacementAttr>(attribute).getText();
}

std::optional<Dialect::ParseOpHook> SdyDialect::getParseOperationHook(StringRef name) const {
  if (std::optional<ParseOpHook> known = Dialect::getParseOperationHook(name))
    return known;
  return [](OpAsmParser &parser, OperationState &state) -> ParseResult {
    return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()))
           << "unsupported sdy op '" << state.name << "'";
  };
}

void SdyDialect::initialize() {
  addBytecodeInterface();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/StableHLO/IR/SdyAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/SdyOps.cpp.inc"
      >();
}
