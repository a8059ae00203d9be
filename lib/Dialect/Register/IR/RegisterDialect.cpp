#include "forge/Dialect/Register/IR/Register.h"

#include "ParsedArguments.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/Register/IR/RegisterDialect.cpp.inc"
#include "forge/Dialect/Register/IR/RegisterInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Register/IR/RegisterTypes.cpp.inc"

using namespace mlir;
using namespace forge::registers;

/// `r0` to `r65535`.
static ParseResult parseRegister(OpAsmParser &parser, IntegerAttr &number) {
  constexpr int64_t kLast = 65535;
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  bool isName = succeeded(parser.parseOptionalKeyword(&name));
  StringRef digits = name;
  int64_t value = 0;
  bool isPadded = name.size() > 2 && name[1] == '0';
  if (digits.consume_front("r") && !isPadded && !digits.getAsInteger(10, value) && value >= 0 &&
      value <= kLast) {
    number = parser.getBuilder().getI64IntegerAttr(value);
    return success();
  }
  // Of "r-1" the name is "r".
  APInt behind;
  OptionalParseResult hasNumber;
  if (!isName || name == "r")
    hasNumber = parser.parseOptionalInteger(behind);
  InFlightDiagnostic error = parser.emitError(loc, "expected a register, r0 to r65535");
  if (isName || hasNumber.has_value())
    error << ", but got " << name;
  if (hasNumber.has_value() && succeeded(*hasNumber))
    error << (isName && !behind.isNegative() ? " " : "") << toString(behind, 10, /*Signed=*/true);
  return error;
}
static void printRegister(OpAsmPrinter &printer, Operation *, IntegerAttr number) {
  printer << "r" << number.getInt();
}

/// An argument of the program.
static ParseResult parseBuffer(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &buffer) {
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalOperand(buffer);
  if (!parsed.has_value())
    return parser.emitError(loc, "expected a buffer, which is an argument of the program");
  return failure(failed(*parsed) || failed(ParsedArguments::check(parser, buffer)));
}
static void printBuffer(OpAsmPrinter &printer, Operation *, Value buffer) { printer << buffer; }

static ParseResult parseBuffers(OpAsmParser &parser,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers) {
  if (failed(parser.parseOperandList(buffers)))
    return failure();
  for (const OpAsmParser::UnresolvedOperand &buffer : buffers)
    if (failed(ParsedArguments::check(parser, buffer)))
      return failure();
  return success();
}
static void printBuffers(OpAsmPrinter &printer, Operation *, OperandRange buffers) {
  printer << buffers;
}

/// A number of f64, with a point or as its bits.
static ParseResult parseConstant(OpAsmParser &parser, FloatAttr &value) {
  SMLoc loc = parser.getCurrentLocation();
  bool isNegative = succeeded(parser.parseOptionalMinus());
  auto wrong =
      [&](const Twine &got) {
        return parser.emitError(loc)
               << "expected a number with a point, as 1.0 or -2.5e-3, or the bits of an f64, as "
                  "0x7FF0000000000000 for infinity and 0x7FF8000000000000 for NaN, but got "
               << (isNegative ? "-" : "") << got;
      };
  StringRef word;
  std::string text;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return wrong(word);
  OpAsmParser::UnresolvedOperand operand;
  if (parser.parseOptionalOperand(operand).has_value())
    return wrong(operand.name);
  if (isNegative && succeeded(parser.parseOptionalMinus()))
    return wrong("-");
  if (succeeded(parser.parseOptionalString(&text)))
    return wrong("\"" + text + "\"");
  // The bits have their sign, and MLIR's parser takes one of its own.
  APInt whole;
  if (isNegative)
    if (OptionalParseResult parsed = parser.parseOptionalInteger(whole); parsed.has_value())
      return failed(*parsed) ? failure() : wrong(toString(whole, 10, /*Signed=*/false));
  APFloat number(0.0);
  if (failed(parser.parseFloat(APFloat::IEEEdouble(), number)))
    return failure();
  if (isNegative)
    number.changeSign();
  value = FloatAttr::get(parser.getBuilder().getF64Type(), number);
  return success();
}
static void printConstant(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printer.printAttributeWithoutType(value);
}

/// An argument of the program, or a number.
static ParseResult parseTimes(OpAsmParser &parser,
                              std::optional<OpAsmParser::UnresolvedOperand> &count,
                              IntegerAttr &times) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult hasCount = parser.parseOptionalOperand(operand);
  if (hasCount.has_value()) {
    count = operand;
    return failure(failed(*hasCount) || failed(ParsedArguments::check(parser, operand)));
  }
  int64_t number = 0;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult hasTimes = parser.parseOptionalInteger(number);
  if (!hasTimes.has_value())
    return parser.emitError(loc,
                            "expected a number of times, or an argument of the program for it");
  times = parser.getBuilder().getI64IntegerAttr(number);
  return *hasTimes;
}
static void printTimes(OpAsmPrinter &printer, Operation *, Value count, IntegerAttr times) {
  if (count)
    printer << count;
  else
    printer << times.getInt();
}

#define GET_OP_CLASSES
#include "forge/Dialect/Register/IR/RegisterOps.cpp.inc"

void RegisterDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "forge/Dialect/Register/IR/RegisterTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Register/IR/RegisterOps.cpp.inc"
      >();
}
