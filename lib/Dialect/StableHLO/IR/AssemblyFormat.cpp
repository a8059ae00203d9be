#include "AssemblyFormat.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

using namespace mlir;

namespace forge::stablehlo {

/// Spreads the types of `fn` over `types`, operands first and the result last.
static ParseResult assignFunctional(OpAsmParser &parser, SMLoc loc, FunctionType fn,
                                    ArrayRef<Type *> types) {
  size_t numOperands = types.size() - 1;
  if (fn.getNumInputs() != numOperands)
    return parser.emitError(loc) << "expected types of " << numOperands << " operands, but got "
                                 << fn.getNumInputs();
  if (fn.getNumResults() != 1)
    return parser.emitError(loc) << "expected the type of 1 result, but got " << fn.getNumResults();
  for (auto [slot, type] : llvm::zip(types.drop_back(), fn.getInputs()))
    *slot = type;
  *types.back() = fn.getResult(0);
  return success();
}

ParseResult detail::parseSameTypeOrFunctional(OpAsmParser &parser, ArrayRef<Type *> types) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto fn = dyn_cast<FunctionType>(type))
    return assignFunctional(parser, loc, fn, types);
  for (Type *slot : types)
    *slot = type;
  return success();
}

void printSameTypeOrFunctional(OpAsmPrinter &printer, Operation *op) {
  Type result = op->getResult(0).getType();
  if (llvm::all_of(op->getOperandTypes(), [&](Type type) { return type == result; }))
    printer << result;
  else
    printer.printFunctionalType(op);
}

/// The tensor of the parts of a tensor of complex numbers; null for other types.
static Type partsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa<ComplexType>(tensor.getElementType()))
    return {};
  return tensor.clone(partTypeOf(tensor.getElementType()));
}

ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  if (auto fn = dyn_cast<FunctionType>(result))
    return assignFunctional(parser, loc, fn, {&lhs, &rhs, &result});
  lhs = rhs = partsOf(result);
  if (!lhs)
    return parser.emitError(loc) << "expected a tensor of complex numbers, but got " << result;
  return success();
}

void printComplexTypes(OpAsmPrinter &printer, Operation *op, Type lhs, Type rhs, Type result) {
  if (lhs == partsOf(result) && rhs == lhs)
    printer << result;
  else
    printer.printFunctionalType(op);
}

ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse,
                             Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pred))
    return failure();
  if (auto fn = dyn_cast<FunctionType>(pred))
    return assignFunctional(parser, loc, fn, {&pred, &onTrue, &onFalse, &result});
  if (parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void printSelectTypes(OpAsmPrinter &printer, Operation *op, Type pred, Type onTrue, Type onFalse,
                      Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(op);
}

ParseResult parsePairwiseTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands,
                               SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands, TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parseTupleTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, but got " << result;
  llvm::append_range(operands, tuple.getTypes());
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange, Type result) {
  printer << result;
}

ParseResult parseTokenTypes(OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                            SmallVectorImpl<Type> &types, Type &result) {
  types.resize(operands.size());
  SmallVector<Type *> slots = llvm::map_to_vector(types, [](Type &type) { return &type; });
  slots.push_back(&result);
  return detail::parseSameTypeOrFunctional(parser, slots);
}

void printTokenTypes(OpAsmPrinter &printer, Operation *op, OperandRange, TypeRange, Type) {
  printSameTypeOrFunctional(printer, op);
}

ParseResult parseOperandsThenComma(OpAsmParser &parser,
                                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  OpAsmParser::UnresolvedOperand operand;
  for (;;) {
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printOperandsThenComma(OpAsmPrinter &printer, Operation *, OperandRange operands) {
  llvm::interleaveComma(operands, printer);
  if (!operands.empty())
    printer << ',';
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits, DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    if (failed(parser.parseOptionalColon()))
      return success();
    return parser.parseInteger(stride.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  starts = parser.getBuilder().getDenseI64ArrayAttr(start);
  limits = parser.getBuilder().getDenseI64ArrayAttr(limit);
  strides = parser.getBuilder().getDenseI64ArrayAttr(stride);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *, ArrayRef<int64_t> starts,
                      ArrayRef<int64_t> limits, ArrayRef<int64_t> strides) {
  printer << '[';
  // Lists of different length are invalid; what there is of them is printed all the same.
  llvm::interleaveComma(llvm::zip_longest(starts, limits, strides), printer, [&](auto range) {
    auto [start, limit, stride] = range;
    printer << start.value_or(0) << ':' << limit.value_or(0);
    if (stride.value_or(1) != 1)
      printer << ':' << *stride;
  });
  printer << ']';
}

ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  StringRef rest = word;
  int32_t exponentBits, mantissaBits;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.consumeInteger(10, mantissaBits) || !rest.empty())
    return parser.emitError(loc) << "expected a float format such as 'e5m10', but got '" << word
                                 << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printExponentMantissa(OpAsmPrinter &printer, Operation *, IntegerAttr exponent,
                           IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

} // namespace forge::stablehlo
