#include "ContractionFormat.h"

#include "DimsFormat.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace forge::stablehlo {

static ParseResult parseDimsPair(OpAsmParser &parser, SmallVector<int64_t> &lhs,
                                 SmallVector<int64_t> &rhs) {
  if (parser.parseEqual())
    return failure();
  auto left = parseDims(parser);
  if (failed(left) || parser.parseKeyword("x"))
    return failure();
  auto right = parseDims(parser);
  if (failed(right))
    return failure();
  lhs = *left;
  rhs = *right;
  return success();
}

ParseResult parseDotDimensions(OpAsmParser &parser, DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")))
    if (parseDimsPair(parser, lhsBatch, rhsBatch) || parser.parseComma())
      return failure();
  if (parser.parseKeyword("contracting_dims") || parseDimsPair(parser, lhsContract, rhsContract))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch, lhsContract,
                                      rhsContract);
  return success();
}

static void printDimsPair(OpAsmPrinter &printer, StringRef name, ArrayRef<int64_t> lhs,
                          ArrayRef<int64_t> rhs) {
  printer << name << " = ";
  printDims(printer, lhs);
  printer << " x ";
  printDims(printer, rhs);
}

void printDotDimensions(OpAsmPrinter &printer, Operation *, DotDimensionNumbersAttr dims) {
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = dims.getRhsBatchingDimensions();
  if (!lhsBatch.empty() || !rhsBatch.empty()) {
    printDimsPair(printer, "batching_dims", lhsBatch, rhsBatch);
    printer << ", ";
  }
  printDimsPair(printer, "contracting_dims", dims.getLhsContractingDimensions(),
                dims.getRhsContractingDimensions());
}

/// What follows the comma: `precision = [...]`.
static ParseResult parsePrecision(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Precision> value = symbolizePrecision(word);
    if (!value)
      return parser.emitError(loc) << "expected DEFAULT, HIGH or HIGHEST, but got '" << word << "'";
    entries.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseKeyword("precision") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  precision = parser.getBuilder().getArrayAttr(entries);
  return success();
}

ParseResult parseDotPrecision(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return parsePrecision(parser, precision);
}

void printDotPrecision(OpAsmPrinter &printer, Operation *, ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), printer, [&](PrecisionAttr entry) {
    printer << stringifyPrecision(entry.getValue());
  });
  printer << ']';
}

ParseResult parseDotSettings(OpAsmParser &parser, ArrayAttr &precision,
                             DotAlgorithmAttr &algorithm) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (failed(parser.parseOptionalKeyword("algorithm"))) {
    if (parsePrecision(parser, precision))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
    if (parser.parseKeyword("algorithm"))
      return failure();
  }
  if (parser.parseEqual())
    return failure();
  algorithm = dyn_cast_or_null<DotAlgorithmAttr>(DotAlgorithmAttr::parse(parser, {}));
  return success(static_cast<bool>(algorithm));
}

void printDotSettings(OpAsmPrinter &printer, Operation *op, ArrayAttr precision,
                      DotAlgorithmAttr algorithm) {
  printDotPrecision(printer, op, precision);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  printer.printStrippedAttrOrType(algorithm);
}

ParseResult parseConvDimensions(OpAsmParser &parser, ConvDimensionNumbersAttr &dims) {
  return parseConvDims(parser, dims);
}

void printConvDimensions(OpAsmPrinter &printer, Operation *, ConvDimensionNumbersAttr dims) {
  printConvDims(printer, dims);
}

static ParseResult parsePadding(OpAsmParser &parser, DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  auto parsePair = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    auto pair = parseDims(parser);
    if (failed(pair))
      return failure();
    if (pair->size() != 2)
      return parser.emitError(loc)
             << "expected a low and a high padding, but got " << pair->size() << " numbers";
    values.append(*pair);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size() / 2), 2},
                                    parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

/// Accepts `true`, `false`, and the 0 and 1 of older printers.
static ParseResult parseReversal(OpAsmParser &parser, DenseBoolArrayAttr &reversal) {
  SmallVector<bool> values;
  auto parseEntry = [&]() -> ParseResult {
    int64_t number;
    if (parser.parseInteger(number)) // reads true and false as 1 and 0
      return failure();
    values.push_back(number != 0);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  reversal = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseConvWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                            DenseIntElementsAttr &padding, DenseI64ArrayAttr &lhsDilation,
                            DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal) {
  auto parseList = [&](DenseI64ArrayAttr &attr) -> ParseResult {
    auto dims = parseDims(parser);
    if (failed(dims))
      return failure();
    attr = parser.getBuilder().getDenseI64ArrayAttr(*dims);
    return success();
  };
  llvm::SmallSet<StringRef, 5> seen;
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&name))) {
    if (!seen.insert(name).second)
      return parser.emitError(loc) << "window setting '" << name << "' appears twice";
    if (parser.parseEqual())
      return failure();
    ParseResult parsed = success();
    if (name == "stride")
      parsed = parseList(strides);
    else if (name == "pad")
      parsed = parsePadding(parser, padding);
    else if (name == "lhs_dilate")
      parsed = parseList(lhsDilation);
    else if (name == "rhs_dilate")
      parsed = parseList(rhsDilation);
    else if (name == "reverse")
      parsed = parseReversal(parser, reversal);
    else
      return parser.emitError(loc) << "unknown window setting '" << name << "'";
    if (parsed)
      return failure();
    if (failed(parser.parseOptionalComma()))
      break;
    loc = parser.getCurrentLocation();
  }
  return success();
}

void printConvWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                     DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                     DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  StringRef separator;
  auto name = [&](StringRef text) {
    printer << separator << text << " = ";
    separator = ", ";
  };
  auto printList = [&](StringRef text, DenseI64ArrayAttr list) {
    if (!list)
      return;
    name(text);
    printDims(printer, list.asArrayRef());
  };
  printList("stride", strides);
  if (padding) {
    name("pad");
    SmallVector<int64_t> values(padding.getValues<int64_t>());
    printer << '[';
    llvm::interleaveComma(llvm::seq<size_t>(0, values.size() / 2), printer, [&](size_t i) {
      printer << '[' << values[2 * i] << ", " << values[2 * i + 1] << ']';
    });
    printer << ']';
  }
  printList("lhs_dilate", lhsDilation);
  printList("rhs_dilate", rhsDilation);
  if (reversal) {
    name("reverse");
    printer << '[';
    llvm::interleaveComma(reversal.asArrayRef(), printer,
                          [&](bool value) { printer << (value ? "true" : "false"); });
    printer << ']';
  }
}

} // namespace forge::stablehlo
