#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "forge/Dialect/Transformer/IR/TransformerDialect.cpp.inc"
#include "forge/Dialect/Transformer/IR/TransformerEnums.cpp.inc"
#include "forge/Dialect/Transformer/IR/TransformerInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerAttrs.cpp.inc"

using namespace mlir;

/// Parses one of an enumeration's names, without the attribute's brackets:
/// `transformer.activation relu %x`.
template <typename AttrTy, typename Symbolize>
static ParseResult parseName(OpAsmParser &parser, AttrTy &attribute, Symbolize symbolize,
                             StringRef names) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  auto value = symbolize(name);
  if (!value)
    return parser.emitError(loc) << "expected " << names << ", but got " << name;
  attribute = AttrTy::get(parser.getContext(), *value);
  return success();
}

using namespace forge::transformer;

static ParseResult parseActivationName(OpAsmParser &parser, ActivationKindAttr &kind) {
  return parseName(
      parser, kind, [](StringRef name) { return symbolizeActivationKind(name); },
      "relu, relu_squared, gelu, gelu_tanh, silu, sigmoid or tanh");
}
static void printActivationName(OpAsmPrinter &printer, Operation *, ActivationKindAttr kind) {
  printer << stringifyActivationKind(kind.getValue());
}

static ParseResult parseLossReduction(OpAsmParser &parser, LossReductionAttr &reduction) {
  return parseName(
      parser, reduction, [](StringRef name) { return symbolizeLossReduction(name); },
      "none, mean or sum");
}
static void printLossReduction(OpAsmPrinter &printer, Operation *, LossReductionAttr reduction) {
  printer << stringifyLossReduction(reduction.getValue());
}

static ParseResult parseRouterScore(OpAsmParser &parser, RouterScoreAttr &score) {
  return parseName(
      parser, score, [](StringRef name) { return symbolizeRouterScore(name); },
      "softmax or sigmoid");
}
static void printRouterScore(OpAsmPrinter &printer, Operation *, RouterScoreAttr score) {
  printer << stringifyRouterScore(score.getValue());
}

#define GET_OP_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerOps.cpp.inc"

void forge::transformer::TransformerDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "forge/Dialect/Transformer/IR/TransformerAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Transformer/IR/TransformerOps.cpp.inc"
      >();
}
