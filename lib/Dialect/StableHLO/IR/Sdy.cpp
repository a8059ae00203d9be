#include "forge/Dialect/StableHLO/IR/Sdy.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// `mesh<["x"=2]>` behind its name, `@mesh`, `[{"x"}, {}]`, `replicated={"y"}` or
/// `unreduced=max{"y"}`.
static ParseResult parseShardingPart(OpAsmParser &parser) {
  StringAttr symbol;
  StringRef keyword, reduction;
  if (succeeded(parser.parseOptionalSymbolName(symbol)))
    return success();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    if (keyword == "mesh")
      return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::LessGreater,
                                            [&] { return parseMeshPart(parser); });
    if (parser.parseEqual())
      return failure();
    (void)parser.parseOptionalKeyword(&reduction);
    return parseAxes(parser);
  }
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                        [&] { return parseDimension(parser); });
}

static ParseResult parseShardingParts(OpAsmParser &parser) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::LessGreater,
                                        [&] { return parseShardingPart(parser); });
}

/// The source text that `parse` walks over, which ends with `close`, between `prefix` and `suffix`.
static ParseResult parseText(OpAsmParser &parser, StringRef prefix, char close, StringRef suffix,
                             PlacementAttr &placement, function_ref<ParseResult()> parse) {
  const char *begin = parser.getCurrentLocation().getPointer();
  if (parse())
    return failure();
  StringRef text(begin, parser.getCurrentLocation().getPointer() - begin);
  // What follows is the next token; the text ends at the last bracket before it.
  text = text.take_front(text.rfind(close) + 1);
  placement = PlacementAttr::get(parser.getContext(), (prefix + text + suffix).str());
  return success();
}

/// The text without what `parseText` put around it.
static StringRef inner(PlacementAttr placement, StringRef prefix, StringRef suffix = "") {
  StringRef text = placement.getText();
  text.consume_front(prefix);
  text.consume_back(suffix);
  return text;
}

static ParseResult parseMesh(OpAsmParser &parser, PlacementAttr &mesh) {
  return parseText(parser, "mesh", '>', "", mesh, [&] {
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::LessGreater,
                                          [&] { return parseMeshPart(parser); });
  });
}
static void printMesh(OpAsmPrinter &printer, Operation *, PlacementAttr mesh) {
  printer << inner(mesh, "mesh");
}

static ParseResult parseSharding(OpAsmParser &parser, PlacementAttr &sharding) {
  return parseText(parser, "sharding", '>', "", sharding,
                   [&] { return parseShardingParts(parser); });
}
static void printSharding(OpAsmPrinter &printer, Operation *, PlacementAttr sharding) {
  printer << inner(sharding, "sharding");
}

static ParseResult parseShardingPerValue(OpAsmParser &parser, PlacementAttr &shardings) {
  return parseText(parser, "sharding_per_value<", ']', ">", shardings, [&] {
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                          [&] { return parseShardingParts(parser); });
  });
}
static void printShardingPerValue(OpAsmPrinter &printer, Operation *, PlacementAttr shardings) {
  printer << inner(shardings, "sharding_per_value<", ">");
}

static ParseResult parseManualAxes(OpAsmParser &parser, PlacementAttr &axes) {
  return parseText(parser, "manual_axes", '}', "", axes, [&] { return parseAxes(parser); });
}
static void printManualAxes(OpAsmPrinter &printer, Operation *, PlacementAttr axes) {
  printer << inner(axes, "manual_axes");
}

/// The directions in which placement spreads, by their numbers.
static constexpr StringRef directions[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};

static ParseResult parseDirection(OpAsmParser &parser, IntegerAttr &direction) {
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  const auto *found = llvm::find(directions, keyword);
  if (found == std::end(directions))
    return parser.emitError(parser.getNameLoc()) << "unknown direction '" << keyword << "'";
  direction = parser.getBuilder().getI32IntegerAttr(static_cast<int32_t>(found - directions));
  return success();
}
static void printDirection(OpAsmPrinter &printer, Operation *, IntegerAttr direction) {
  printer << directions[direction.getInt()];
}

/// `(%a: tensor<2xf32>) { ... }`.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true, /*allowAttrs=*/true) ||
                 parser.parseRegion(body, arguments));
}
static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << '(';
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

#include "forge/Dialect/StableHLO/IR/SdyDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Takes the next name in quotes from the front of `text`; nothing if there is none.
static std::optional<StringRef> takeName(StringRef &text) {
  text = text.drop_until([](char c) { return c == '"'; }).drop_front(text.contains('"'));
  size_t end = 0;
  while (end < text.size() && text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size())
    return std::nullopt;
  StringRef name = text.take_front(end);
  text = text.drop_front(end + 1);
  return name;
}

std::optional<int64_t> MeshOp::getAxisSize(StringRef axis) {
  StringRef text = getMesh().getText();
  while (std::optional<StringRef> name = takeName(text)) {
    text = text.ltrim();
    int64_t size;
    if (!text.consume_front("=") || text.ltrim().consumeInteger(10, size))
      return std::nullopt;
    if (*name == axis)
      return size;
  }
  return std::nullopt;
}

SmallVector<StringRef> ManualComputationOp::getAxisNames() {
  SmallVector<StringRef> names;
  StringRef text = getManualAxes().getText();
  while (std::optional<StringRef> name = takeName(text))
    names.push_back(*name);
  return names;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// The body takes as many values as the operation, and returns as many as it has results.
static LogicalResult verifyBody(Operation *op, Block &body) {
  if (body.getNumArguments() != op->getNumOperands())
    return op->emitOpError() << "expected as many arguments of the body as operands, "
                             << op->getNumOperands() << ", but got " << body.getNumArguments();
  auto end = dyn_cast<ReturnOp>(body.getTerminator());
  if (!end)
    return op->emitOpError() << "expected a body that ends with sdy.return";
  if (end.getNumOperands() != op->getNumResults())
    return end.emitOpError() << "expected as many values as there are results, "
                             << op->getNumResults() << ", but got " << end.getNumOperands();
  return success();
}

LogicalResult ManualComputationOp::verifyRegions() { return verifyBody(*this, getBody().front()); }

LogicalResult NamedComputationOp::verifyRegions() {
  Block &body = getBody().front();
  if (failed(verifyBody(*this, body)))
    return failure();
  if (body.getArgumentTypes() != getOperandTypes() ||
      body.getTerminator()->getOperandTypes() != getResultTypes())
    return emitOpError() << "expected the types of its operands and results in the body";
  return success();
}

LogicalResult PropagationBarrierOp::verify() {
  int32_t direction = static_cast<int32_t>(getAllowedDirection());
  if (direction >= 0 && direction <= 2)
    return success();
  return emitOpError() << "expected allowed_direction NONE, FORWARD or BACKWARD, but got number "
                       << direction;
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

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
