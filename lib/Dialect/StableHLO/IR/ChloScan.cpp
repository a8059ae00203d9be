// chlo.scan: text and constraints.
#include "VerifyUtils.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace forge::chlo {

int64_t ScanOp::getNumSteps() {
  for (Type type : llvm::concat<const Type>(getInputs().getTypes(), getOutputs().getTypes()))
    return cast<RankedTensorType>(type).getDimSize(getDimension());
  return getScanDimSize().value_or(0);
}

RankedTensorType ScanOp::getSliceType(Type type) {
  auto whole = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + static_cast<int64_t>(getDimension()));
  return RankedTensorType::get(shape, whole.getElementType());
}

void ScanOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() < getInputs().size() ? "input" : "carry");
}

// `(inputs) inits (inits) dimension=N attributes {...} {body} : (operands) -> (results)`.
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  int64_t dimension;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(inputs, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") || parser.parseOperandList(inits, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() || parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion()) || parser.parseColonType(type))
    return failure();
  if (type.getNumInputs() != inputs.size() + inits.size())
    return parser.emitError(loc) << "expected " << inputs.size() + inits.size()
                                 << " operand types, but got " << type.getNumInputs();
  if (type.getNumResults() < inits.size())
    return parser.emitError(loc) << "expected " << inits.size()
                                 << " result types at least, one for each of inits, but got "
                                 << type.getNumResults();
  auto count = [](size_t number) { return static_cast<int32_t>(number); };
  Builder &builder = parser.getBuilder();
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dimension = builder.getI64IntegerAttr(dimension);
  properties.operandSegmentSizes = {count(inputs.size()), count(inits.size())};
  properties.resultSegmentSizes = {count(type.getNumResults() - inits.size()), count(inits.size())};
  state.addTypes(type.getResults());
  llvm::append_range(inputs, inits);
  return parser.resolveOperands(inputs, type.getInputs(), loc, state.operands);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ") inits (" << getInits() << ") dimension=" << getDimension();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

/// What `what` of the body are, each of `expected`.
static LogicalResult verifyTypes(ScanOp op, StringRef what, TypeRange actual, TypeRange expected) {
  if (stablehlo::compatibleTypes(actual, expected))
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError() << "expected body to " << what << " (";
  llvm::interleaveComma(expected, diagnostic);
  diagnostic << "), but got (";
  llvm::interleaveComma(actual, diagnostic);
  return diagnostic << ')';
}

LogicalResult ScanOp::verifyRegions() {
  // scan_c1, scan_c2
  int64_t dimension = getDimension();
  std::optional<int64_t> steps = getScanDimSize();
  for (Type type : llvm::concat<const Type>(getInputs().getTypes(), getOutputs().getTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    if (dimension < 0 || dimension >= tensor.getRank())
      return emitOpError() << "expected dimension in [0, " << tensor.getRank() << ") of " << tensor
                           << ", but got " << dimension;
    int64_t size = tensor.getDimSize(dimension);
    if (ShapedType::isDynamic(size))
      return emitOpError() << "expected a known size along dimension " << dimension << " of "
                           << tensor;
    if (steps.value_or(size) != size)
      return emitOpError() << "expected size " << *steps << " along dimension " << dimension
                           << ", but got " << tensor;
    steps = size;
  }
  if (!steps || *steps < 0)
    return emitOpError() << "expected scan_dim_size, since there are no inputs and outputs";
  // scan_c3, scan_c4
  auto signature = [&](TypeRange tensors) {
    SmallVector<Type> types =
        llvm::map_to_vector(tensors, [&](Type type) -> Type { return getSliceType(type); });
    llvm::append_range(types, getInits().getTypes());
    return types;
  };
  Block &body = getBody().front();
  if (failed(
          verifyTypes(*this, "take", body.getArgumentTypes(), signature(getInputs().getTypes()))) ||
      failed(verifyTypes(*this, "return", body.getTerminator()->getOperandTypes(),
                         signature(getOutputs().getTypes()))))
    return failure();
  // scan_c5
  if (!stablehlo::compatibleTypes(getCarries().getTypes(), getInits().getTypes()))
    return emitOpError() << "expected carries to have the types of inits";
  return success();
}

} // namespace forge::chlo
