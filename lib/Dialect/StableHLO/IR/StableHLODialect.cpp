#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "DimsFormat.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/StableHLO/IR/StableHLODialect.cpp.inc"
#include "forge/Dialect/StableHLO/IR/StableHLOEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/StableHLOTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"

using namespace mlir;

namespace forge::stablehlo {

void StableHLODialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "forge/Dialect/StableHLO/IR/StableHLOTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"
      >();
  registerContractionOps();
  registerControlFlowOps();
  registerDynamicOps();
  registerElementwiseOps();
  registerIndexingOps();
  registerLibraryOps();
  registerReductionOps();
  registerShapeOps();
  allowUnknownOperations();
}

Operation *StableHLODialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

//===----------------------------------------------------------------------===//
// ResultAccuracyAttr
//===----------------------------------------------------------------------===//

LogicalResult ResultAccuracyAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                         APFloat atol, APFloat rtol, int64_t ulps,
                                         ResultAccuracyModeAttr mode) {
  if (atol.isNegative() || rtol.isNegative() || ulps < 0)
    return emitError() << "expected tolerances that are not negative";
  bool hasTolerance = !atol.isZero() || !rtol.isZero() || ulps != 0;
  bool wantsTolerance = mode.getValue() == ResultAccuracyMode::TOLERANCE;
  if (hasTolerance != wantsTolerance)
    return emitError() << "expected " << (wantsTolerance ? "a tolerance" : "no tolerance")
                       << " with mode " << stringifyResultAccuracyMode(mode.getValue());
  return success();
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseTolerance = [&](StringRef name, auto parseValue) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(name)))
      return success();
    return failure(parser.parseEqual() || parseValue() || parser.parseComma());
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTolerance("atol", [&] { return parser.parseFloat(atol); }) ||
      parseTolerance("rtol", [&] { return parser.parseFloat(rtol); }) ||
      parseTolerance("ulps", [&] { return parser.parseInteger(ulps); }) ||
      parser.parseKeyword("mode") || parser.parseEqual() || parser.parseAttribute(mode) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ResultAccuracyAttr>(loc, parser.getContext(), APFloat(atol),
                                               APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (!getAtol().isZero()) {
    printer << "atol = ";
    printer.printFloat(getAtol());
    printer << ", ";
  }
  if (!getRtol().isZero()) {
    printer << "rtol = ";
    printer.printFloat(getRtol());
    printer << ", ";
  }
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << Attribute(getMode()) << '>';
}

} // namespace forge::stablehlo
