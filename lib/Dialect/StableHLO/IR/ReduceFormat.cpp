// Text of stablehlo.reduce: in one line where the region is a single commutative op, else with the
// region behind `reducer`.
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "DimsFormat.h"

using namespace mlir;

namespace forge::stablehlo {

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

/// `(%x init: %a), (%y init: %b)`; the result is x, y, a, b.
static ParseResult parseInputsAndInits(OpAsmParser &parser, Operands &operands) {
  Operands inits;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
                   parser.parseKeyword("init") || parser.parseColon() ||
                   parser.parseOperand(inits.emplace_back()) || parser.parseRParen());
  };
  if (parser.parseCommaSeparatedList(parsePair))
    return failure();
  operands.append(inits);
  return success();
}

/// `across dimensions = [0, 1] {attributes} : (...) -> ...`
static ParseResult parseDimensionsAndType(OpAsmParser &parser, OperationState &result,
                                          FunctionType &type) {
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual())
    return failure();
  auto dims = parseDims(parser);
  if (failed(dims) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  result.addAttribute("dimensions", parser.getBuilder().getDenseI64ArrayAttr(*dims));
  result.addTypes(type.getResults());
  return success();
}

/// `(%x: T, %acc: T) (%y: U, %acc2: U) { ... }`; the block's arguments are x, y, acc, acc2.
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> args, accumulators;
  while (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseArgument(args.emplace_back(), /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(accumulators.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  }
  args.append(accumulators);
  return parser.parseRegion(body, args);
}

/// Whether `reduce applies NAME` may stand for a region that holds just this op.
static bool isFoldingOp(OperationName name) {
  return name.getDialectNamespace() == StableHLODialect::getDialectNamespace() &&
         name.hasTrait<mlir::OpTrait::IsCommutative>() &&
         name.hasTrait<mlir::OpTrait::NOperands<2>::Impl>() &&
         name.hasTrait<mlir::OpTrait::OneResult>() && name.hasTrait<mlir::OpTrait::ZeroRegions>();
}

/// Builds the region that `applies NAME` stands for.
static void buildFoldingBody(OpAsmParser &parser, Location loc, OperationName name,
                             Type elementType, Region &body) {
  auto type = RankedTensorType::get({}, elementType);
  Block &block = body.emplaceBlock();
  block.addArguments({type, type}, {loc, loc});
  OpBuilder builder(name.getContext()); // the region has no op yet to ask for it
  builder.setInsertionPointToEnd(&block);
  OperationState state(loc, name);
  state.addOperands(block.getArguments());
  state.addTypes(type);
  Operation *op = builder.create(state);
  ReturnOp::create(builder, loc, op->getResults());
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  Operands operands;
  FunctionType type;
  if (parseInputsAndInits(parser, operands))
    return failure();

  if (failed(parser.parseOptionalKeyword("applies"))) {
    return failure(parseDimensionsAndType(parser, result, type) ||
                   parser.resolveOperands(operands, type.getInputs(), loc, result.operands) ||
                   parser.parseKeyword("reducer") || parseReducer(parser, *result.addRegion()));
  }

  SMLoc nameLoc = parser.getCurrentLocation();
  FailureOr<OperationName> name = parser.parseCustomOperationName();
  if (failed(name))
    return failure();
  if (!isFoldingOp(*name))
    return parser.emitError(nameLoc) << "expected a commutative op of two operands from the "
                                        "stablehlo dialect, but got '"
                                     << name->getStringRef() << "'";
  if (parseDimensionsAndType(parser, result, type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  auto inputType =
      type.getInputs().empty() ? ShapedType() : dyn_cast<ShapedType>(type.getInputs()[0]);
  if (!inputType)
    return parser.emitError(loc) << "expected tensors to reduce";
  buildFoldingBody(parser, parser.getEncodedSourceLoc(nameLoc), *name, inputType.getElementType(),
                   *result.addRegion());
  return success();
}

/// The op that `applies` can name for this body; null where the body must be printed. Looks at
/// everything itself: IR that is being printed need not have been verified.
static Operation *getFoldingOp(ReduceOp op) {
  Region &body = op.getBody();
  if (!llvm::hasSingleElement(body) || op.getInputs().empty())
    return nullptr;
  Block &block = body.front();
  if (block.getOperations().size() != 2 || block.getNumArguments() != 2)
    return nullptr;
  Operation &inner = block.front(), &end = block.back();
  auto inputType = dyn_cast<ShapedType>(op.getInputs()[0].getType());
  if (!inputType || !isa<ReturnOp>(end) || !isFoldingOp(inner.getName()))
    return nullptr;
  auto type = RankedTensorType::get({}, inputType.getElementType());
  bool sameTypes = llvm::all_of(inner.getOperandTypes(), [&](Type t) { return t == type; }) &&
                   llvm::all_of(inner.getResultTypes(), [&](Type t) { return t == type; });
  if (!sameTypes || !inner.getAttrDictionary().empty() ||
      !llvm::equal(block.getArguments(), inner.getOperands()) ||
      !llvm::equal(inner.getResults(), end.getOperands()))
    return nullptr;
  return &inner;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  OperandRange inputs = getInputs(), inits = getInitValues();
  printer << '(';
  llvm::interleave(
      llvm::zip(inputs, inits), printer,
      [&](auto pair) { printer << std::get<0>(pair) << " init: " << std::get<1>(pair); }, "), (");
  printer << ')';
  Operation *folding = getFoldingOp(*this);
  if (folding)
    printer << " applies " << folding->getName().getStringRef();
  printer << " across dimensions = ";
  printDims(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (folding)
    return;

  printer.printNewline();
  printer << " reducer";
  Block &block = getBody().front();
  size_t pairs = block.getNumArguments() / 2;
  for (size_t i = 0; i < pairs; ++i) {
    printer << '(';
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(i + pairs));
    printer << ") ";
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

} // namespace forge::stablehlo
