#include "AssemblyFormat.h"
#include "VerifyUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ControlFlowOps.cpp.inc"

using namespace mlir;

namespace forge::stablehlo {

void StableHLODialect::registerControlFlowOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ControlFlowOps.cpp.inc"
      >();
}

static std::string typesToString(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '(';
  llvm::interleaveComma(types, stream);
  stream << ')';
  return text;
}

/// What a region takes, or returns when `returned`, is `expected`.
static LogicalResult verifySignature(Operation *op, Region &region, StringRef name, bool returned,
                                     TypeRange expected) {
  Block &block = region.front();
  TypeRange actual = returned ? TypeRange(block.getTerminator()->getOperandTypes())
                              : TypeRange(block.getArgumentTypes());
  if (compatibleTypes(actual, expected))
    return success();
  return op->emitOpError() << "expected " << name << " to " << (returned ? "return " : "take ")
                           << typesToString(expected) << ", but it "
                           << (returned ? "returns " : "takes ") << typesToString(actual);
}

/// A branch takes nothing and returns what the op results in.
static LogicalResult verifyBranch(Operation *op, Region &region, StringRef name) {
  return success(succeeded(verifySignature(op, region, name, false, TypeRange())) &&
                 succeeded(verifySignature(op, region, name, true, op->getResultTypes())));
}

LogicalResult IfOp::verifyRegions() {
  // if_c1, if_c2, if_c3
  return success(succeeded(verifyBranch(*this, getTrueBranch(), "true_branch")) &&
                 succeeded(verifyBranch(*this, getFalseBranch(), "false_branch")));
}

LogicalResult CaseOp::verifyRegions() {
  // case_c1
  if (getBranches().empty())
    return emitOpError() << "expected at least 1 branch, but got none";
  // case_c2, case_c3, case_c4
  for (Region &branch : getBranches())
    if (failed(verifyBranch(*this, branch, "branch " + std::to_string(branch.getRegionNumber()))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

// `(%arg = %init, ...) : types attributes {...} cond {...} do {...}`; both regions name their
// arguments %arg.
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  auto parseAssignment = [&]() -> ParseResult {
    return failure(parser.parseArgument(args.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseAssignment))
    return failure();
  if (!inits.empty() && (parser.parseColon() || parser.parseTypeList(state.types)))
    return failure();
  if (parser.resolveOperands(inits, state.types, loc, state.operands))
    return failure();
  for (auto [arg, type] : llvm::zip(args, state.types))
    arg.type = type;
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseKeyword("cond") || parser.parseRegion(*state.addRegion(), args) ||
                 parser.parseKeyword("do") || parser.parseRegion(*state.addRegion(), args));
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperand()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ')';
  if (!getOperand().empty())
    printer << " : " << getOperand().getTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void WhileOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  // The same names in both regions, since the pretty form prints them once.
  for (BlockArgument arg : region.getArguments())
    setName(arg, "iterArg");
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange types = getOperand().getTypes();
  Type pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  // while_c1, while_c2
  if (failed(verifySignature(*this, getCond(), "cond", false, types)) ||
      failed(verifySignature(*this, getCond(), "cond", true, pred)) ||
      failed(verifySignature(*this, getBody(), "body", false, types)) ||
      failed(verifySignature(*this, getBody(), "body", true, types)))
    return failure();
  // while_c3
  if (!compatibleTypes(types, getResultTypes()))
    return emitOpError() << "expected results of types " << typesToString(types) << ", but got "
                         << typesToString(getResultTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// optimization_barrier, composite, tuples
//===----------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::verify() {
  // optimization_barrier_c1
  if (!compatibleTypes(getOperandTypes(), getResultTypes()))
    return emitOpError() << "expected results of types " << typesToString(getOperandTypes())
                         << ", but got " << typesToString(getResultTypes());
  return success();
}

/// Whether `name` is two or more words joined by dots, the first of which does not begin with a
/// digit.
static bool isNamespacedName(StringRef name) {
  SmallVector<StringRef> words;
  name.split(words, '.');
  auto isWord = [](StringRef word) {
    return !word.empty() && llvm::all_of(word, [](char character) {
      return llvm::isAlnum(character) || character == '_' || character == '$';
    });
  };
  return words.size() > 1 && llvm::all_of(words, isWord) && !llvm::isDigit(name.front());
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // composite_c1
  if (!isNamespacedName(getName()))
    return emitOpError() << "expected a name with a namespace, such as 'mylib.op', but got '"
                         << getName() << "'";
  // composite_c2
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getDecompositionAttr());
  if (!function)
    return emitOpError() << "expected decomposition to name a function, but got '"
                         << getDecomposition() << "'";
  // composite_c3
  if (!compatibleTypes(function.getArgumentTypes(), getOperandTypes()))
    return emitOpError() << "expected operands of types "
                         << typesToString(function.getArgumentTypes())
                         << ", as the decomposition takes, but got "
                         << typesToString(getOperandTypes());
  // composite_c4
  if (!compatibleTypes(function.getResultTypes(), getResultTypes()))
    return emitOpError() << "expected results of types " << typesToString(function.getResultTypes())
                         << ", as the decomposition returns, but got "
                         << typesToString(getResultTypes());
  return success();
}

LogicalResult TupleOp::verify() {
  // tuple_c1
  if (!compatibleTypes(getVal().getTypes(), getResult().getType().getTypes()))
    return emitOpError() << "expected a tuple of " << typesToString(getVal().getTypes())
                         << ", but got " << getResult().getType();
  return success();
}

LogicalResult GetTupleElementOp::verify() {
  ArrayRef<Type> types = getOperand().getType().getTypes();
  // get_tuple_element_c1
  if (failed(verifyDimsInRange(*this, "index", getIndex(), types.size())))
    return failure();
  // get_tuple_element_c2
  if (!compatibleTypes(types[getIndex()], getResult().getType()))
    return emitOpError() << "expected result of type " << types[getIndex()] << ", but got "
                         << getResult().getType();
  return success();
}

} // namespace forge::stablehlo
