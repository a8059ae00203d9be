// Operations of vhlo as operations of StableHLO.
//
// StableHLO and vhlo differ in that
// 1. vhlo has no default values: an attribute that has StableHLO's default is dropped;
// 2. vhlo has structured attributes field by field: they are put together (VhloFields.cpp);
// 3. vhlo has lists of numbers as tensors, and symbols as strings;
// 4. later versions of an operation have more attributes. Those of an earlier version are the
//    defaults, so that one conversion does for all versions.
#include "PortableArtifact.h"
#include "VhloFields.h"
#include "VhloOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// 1. Defaults
//===----------------------------------------------------------------------===//

static bool isFalse(Attribute value) {
  auto flag = dyn_cast<BoolAttr>(value);
  return flag && !flag.getValue();
}
template <int64_t number> static bool isNumber(Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getValue().isSignedIntN(64) &&
         integer.getValue().getSExtValue() == number;
}
template <int64_t number> static bool isSplat(Attribute value) {
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  return elements && elements.isSplat() && elements.getSplatValue<APInt>() == number;
}
/// An array, dictionary, string or tensor without elements.
static bool isEmpty(Attribute value) {
  if (auto array = dyn_cast<ArrayAttr>(value))
    return array.empty();
  if (auto dictionary = dyn_cast<DictionaryAttr>(value))
    return dictionary.empty();
  if (auto string = dyn_cast<StringAttr>(value))
    return string.empty();
  auto elements = dyn_cast<DenseElementsAttr>(value);
  return elements && elements.empty();
}
static bool isDefaultPrecision(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && llvm::all_of(array, [](Attribute element) {
           auto precision = dyn_cast<stablehlo::PrecisionAttr>(element);
           return precision && precision.getValue() == stablehlo::Precision::DEFAULT;
         });
}
static bool isNoType(Attribute value) {
  auto type = dyn_cast<stablehlo::ComparisonTypeAttr>(value);
  return type && type.getValue() == stablehlo::ComparisonType::NOTYPE;
}
static bool isOriginalApi(Attribute value) {
  return isNumber<static_cast<int64_t>(stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL)>(
      value);
}
static bool isDefaultAccuracy(Attribute value) {
  auto accuracy = dyn_cast<stablehlo::ResultAccuracyAttr>(value);
  return accuracy && accuracy.getMode().getValue() == stablehlo::ResultAccuracyMode::DEFAULT;
}

namespace {
struct Default {
  llvm::StringLiteral attribute;
  bool (*isDefault)(Attribute);
  /// The only operation that has the default; "" for all with the attribute.
  llvm::StringLiteral op = "";
};
} // namespace

static constexpr Default defaults[] = {
    {"api_version", isOriginalApi},
    {"arg_attrs", isEmpty},
    {"backend_config", isEmpty},
    {"base_dilations", isSplat<1>},
    {"called_computations", isEmpty},
    {"channel_id", isNumber<0>},
    {"compare_type", isNoType},
    {"composite_attributes", isEmpty},
    {"dimension", isNumber<-1>, "sort"},
    {"has_dynamic_root", isFalse},
    {"has_side_effect", isFalse},
    {"indices_are_sorted", isFalse},
    {"infeed_config", isEmpty},
    {"is_host_transfer", isFalse},
    {"is_stable", isFalse},
    {"known_expanding_dimensions", isEmpty},
    {"known_nonexpanding_dimensions", isEmpty},
    {"layout", isEmpty},
    {"lhs_dilation", isSplat<1>},
    {"lower", isFalse, "cholesky"},
    {"outfeed_config", isEmpty},
    {"output_operand_aliases", isEmpty},
    {"padding", isSplat<0>},
    {"precision_config", isDefaultPrecision},
    {"res_attrs", isEmpty},
    {"result_accuracy", isDefaultAccuracy},
    {"result_tilings", isEmpty},
    {"rhs_dilation", isSplat<1>},
    {"source_target_pairs", isEmpty, "recv"},
    {"source_target_pairs", isEmpty, "send"},
    {"sym_visibility", isEmpty},
    {"unique_indices", isFalse},
    {"use_global_device_ids", isFalse},
    {"version", isNumber<0>},
    {"window_dilations", isSplat<1>},
    {"window_reversal", isSplat<0>},
    {"window_strides", isSplat<1>},
};

static void dropDefaults(const VhloOp &op, NamedAttrList &attributes) {
  for (const Default &row : defaults) {
    Attribute value = attributes.get(row.attribute);
    if (value && (row.op.empty() || row.op == op.baseName()) && row.isDefault(value))
      attributes.erase(row.attribute);
  }
  // Layouts are given for all of a custom call, or not at all.
  Attribute operands = attributes.get("operand_layouts"),
            results = attributes.get("result_layouts");
  if (operands && results && isEmpty(operands) && isEmpty(results)) {
    attributes.erase("operand_layouts");
    attributes.erase("result_layouts");
  }
}

//===----------------------------------------------------------------------===//
// 3. Lists of numbers, symbols and units
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral numberLists[] = {"base_dilations",
                                                      "broadcast_dimensions",
                                                      "broadcast_sizes",
                                                      "dimensions",
                                                      "edge_padding_high",
                                                      "edge_padding_low",
                                                      "fft_length",
                                                      "interior_padding",
                                                      "known_expanding_dimensions",
                                                      "lhs_dilation",
                                                      "limit_indices",
                                                      "known_nonexpanding_dimensions",
                                                      "permutation",
                                                      "rhs_dilation",
                                                      "slice_sizes",
                                                      "start_indices",
                                                      "strides",
                                                      "window_dilations",
                                                      "window_dimensions",
                                                      "window_strides"};

/// A string as the symbol that it names.
static Attribute symbolOf(Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  return name ? FlatSymbolRefAttr::get(name) : value;
}

/// The attribute of StableHLO that `value` stands for. What is of another kind than expected stays
/// as it is, for the verifier to refuse.
static Attribute convertAttribute(StringRef name, Attribute value) {
  MLIRContext *context = value.getContext();
  if (llvm::is_contained(numberLists, name)) {
    std::optional<SmallVector<int64_t>> numbers = numbersOf(value);
    return numbers ? DenseI64ArrayAttr::get(context, *numbers) : value;
  }
  if (name == "window_reversal") {
    auto flags = dyn_cast<DenseElementsAttr>(value);
    if (!flags || !flags.getElementType().isInteger(1) || flags.getNumElements() > kMaxListSize)
      return value;
    return DenseBoolArrayAttr::get(context, llvm::to_vector(flags.getValues<bool>()));
  }
  if (name == "callee" || name == "decomposition")
    return symbolOf(value);
  if (auto names = dyn_cast<ArrayAttr>(value); names && name == "called_computations")
    return ArrayAttr::get(context, llvm::map_to_vector(names, symbolOf));
  // False was dropped as the default.
  if (name == "use_global_device_ids" || name == "has_dynamic_root")
    return UnitAttr::get(context);
  return value;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string nameOf(Operation *op, const VhloOp &row) {
  StringRef base = row.baseName();
  StringRef parent = op->getParentOp() ? op->getParentOp()->getName().getStringRef() : StringRef();
  bool ofFunction = base == "func" || base == "call" ||
                    (base == "return" && (parent == "vhlo.func_v1" || parent == "func.func"));
  return ((ofFunction ? "func." : "stablehlo.") + base).str();
}

static LogicalResult legalizeOp(Operation *op) {
  const VhloOp *row = findVhloOp(op->getName().getStringRef());
  if (!row)
    return op->emitError() << "unsupported vhlo op '" << op->getName() << "'";
  NamedAttrList attributes(op->getAttrs());
  SmallVector<StringRef> names;
  row->attributes.split(names, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    if (!attributes.get(name))
      return op->emitError() << "expected attribute '" << name << "' of '" << op->getName() << "'";
  // Of the same name as an attribute of the operation, a discardable one is none.
  NamedAttrList inherent;
  for (StringRef name : names)
    inherent.append(name, attributes.erase(name));

  if (failed(joinFields(op, *row, inherent)))
    return failure();
  dropDefaults(*row, inherent);
  for (NamedAttribute attribute : inherent)
    attributes.set(attribute.getName(),
                   convertAttribute(attribute.getName(), attribute.getValue()));

  OperationState state(op->getLoc(), nameOf(op, *row));
  auto emitError = [&] { return op->emitError() << "'" << state.name << "' op "; };
  if (failed(state.name.verifyInherentAttrs(attributes, emitError)))
    return failure();
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.attributes = attributes;
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *legal = OpBuilder(op).create(state);
  op->replaceAllUsesWith(legal);
  op->erase();
  return success();
}

LogicalResult forge::legalizeVhlo(ModuleOp module) {
  // From the inside out; a return still sees which operation it ends.
  auto result = module->walk<WalkOrder::PostOrder>([](Operation *op) {
    bool isVhlo = op->getName().getDialectNamespace() == "vhlo";
    return isVhlo && failed(legalizeOp(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // Writers put casts between vhlo and other dialects, which now are from a type to itself.
  module->walk([](UnrealizedConversionCastOp cast) {
    if (cast->getOperandTypes() != cast->getResultTypes())
      return;
    cast->replaceAllUsesWith(cast->getOperands());
    cast->erase();
  });
  return success();
}
