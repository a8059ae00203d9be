#include "forge/Dialect/Register/IR/Register.h"

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
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.emitError(loc, "expected a register, r0 to r65535");
  StringRef digits = name;
  int64_t value = 0;
  bool isPadded = name.size() > 2 && name[1] == '0';
  if (!digits.consume_front("r") || isPadded || digits.getAsInteger(10, value) || value < 0 ||
      value > kLast)
    return parser.emitError(loc) << "expected a register, r0 to r65535, but got " << name;
  number = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}
static void printRegister(OpAsmPrinter &printer, Operation *, IntegerAttr number) {
  printer << "r" << number.getInt();
}

/// An argument of the program, or a number.
static ParseResult parseTimes(OpAsmParser &parser,
                              std::optional<OpAsmParser::UnresolvedOperand> &count,
                              IntegerAttr &times) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult hasCount = parser.parseOptionalOperand(operand);
  if (hasCount.has_value()) {
    count = operand;
    return *hasCount;
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
