#include "VhloFields.h"

using namespace mlir;
using namespace forge;

std::optional<SmallVector<int64_t>> forge::numbersOf(Attribute value) {
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  if (!elements || elements.getType().getRank() != 1 || !elements.getElementType().isInteger(64))
    return std::nullopt;
  if (elements.getNumElements() > kMaxListSize)
    return std::nullopt;
  return llvm::to_vector(elements.getValues<int64_t>());
}

namespace {
/// Takes fields out of the attributes of an operation.
class Fields {
public:
  Fields(Operation *op, NamedAttrList &attributes) : op(op), attributes(attributes) {}

  SmallVector<int64_t> list(StringRef name) {
    Attribute value = attributes.erase(name);
    if (!value)
      return {};
    std::optional<SmallVector<int64_t>> numbers = numbersOf(value);
    return numbers ? *numbers : (refuse(name, value), SmallVector<int64_t>());
  }
  int64_t number(StringRef name) {
    Attribute value = attributes.erase(name);
    auto integer = dyn_cast_or_null<IntegerAttr>(value);
    if (value && (!integer || integer.getValue().getBitWidth() > 64))
      refuse(name, value);
    return valid && integer ? integer.getValue().getSExtValue() : 0;
  }
  Type type(StringRef name) {
    Attribute value = attributes.erase(name);
    auto type = dyn_cast_or_null<TypeAttr>(value);
    if (!type)
      refuse(name, value);
    return type ? type.getValue() : NoneType::get(op->getContext());
  }
  bool flag(StringRef name) { return number(name) != 0; }

  LogicalResult set(StringRef name, Attribute value) {
    if (valid)
      attributes.set(name, value);
    return success(valid);
  }

private:
  void refuse(StringRef name, Attribute value) {
    if (valid)
      op->emitError() << "unexpected value of attribute '" << name << "' of '" << op->getName()
                      << "': " << value;
    valid = false;
  }

  Operation *op;
  NamedAttrList &attributes;
  bool valid = true;
};
} // namespace

static Attribute joinConvolution(Fields &fields, MLIRContext *context) {
  return stablehlo::ConvDimensionNumbersAttr::get(
      context, fields.number("input_batch_dimension"), fields.number("input_feature_dimension"),
      fields.list("input_spatial_dimensions"), fields.number("kernel_input_feature_dimension"),
      fields.number("kernel_output_feature_dimension"), fields.list("kernel_spatial_dimensions"),
      fields.number("output_batch_dimension"), fields.number("output_feature_dimension"),
      fields.list("output_spatial_dimensions"));
}

static Attribute joinProduct(Fields &fields, MLIRContext *context) {
  return stablehlo::DotDimensionNumbersAttr::get(
      context, fields.list("lhs_batching_dimensions"), fields.list("rhs_batching_dimensions"),
      fields.list("lhs_contracting_dimensions"), fields.list("rhs_contracting_dimensions"));
}

static Attribute joinGather(Fields &fields, MLIRContext *context) {
  return stablehlo::GatherDimensionNumbersAttr::get(
      context, fields.list("offset_dims"), fields.list("collapsed_slice_dims"),
      fields.list("operand_batching_dims"), fields.list("start_indices_batching_dims"),
      fields.list("start_index_map"), fields.number("index_vector_dim"));
}

static Attribute joinScatter(Fields &fields, MLIRContext *context) {
  return stablehlo::ScatterDimensionNumbersAttr::get(
      context, fields.list("update_window_dims"), fields.list("inserted_window_dims"),
      fields.list("input_batching_dims"), fields.list("scatter_indices_batching_dims"),
      fields.list("scatter_dims_to_operand_dims"), fields.number("index_vector_dim"));
}

static Attribute joinAlgorithm(Fields &fields, MLIRContext *context) {
  return stablehlo::DotAlgorithmAttr::get(
      context, fields.type("lhs_precision_type"), fields.type("rhs_precision_type"),
      fields.type("accumulation_type"), fields.number("lhs_component_count"),
      fields.number("rhs_component_count"), fields.number("num_primitive_operations"),
      fields.flag("allow_imprecise_accumulation"));
}

static constexpr llvm::StringLiteral algorithmFields[] = {
    "lhs_precision_type",          "rhs_precision_type",  "accumulation_type",
    "lhs_component_count",         "rhs_component_count", "num_primitive_operations",
    "allow_imprecise_accumulation"};

/// No algorithm is asked for: vhlo has the type `none` in place of each field.
static bool dropNoAlgorithm(NamedAttrList &attributes) {
  bool isNone = llvm::all_of(algorithmFields, [&](StringRef name) {
    auto type = dyn_cast_or_null<TypeAttr>(attributes.get(name));
    return !attributes.get(name) || (type && isa<NoneType>(type.getValue()));
  });
  if (isNone)
    for (StringRef name : algorithmFields)
      attributes.erase(name);
  return isNone;
}

/// The number of a channel, 0 unless one is given, with its type for what sends and receives.
static LogicalResult joinChannel(Fields &fields, NamedAttrList &attributes, MLIRContext *context) {
  auto id = dyn_cast<IntegerAttr>(attributes.get("channel_id"));
  bool hasType = static_cast<bool>(attributes.get("channel_type"));
  if (!hasType && id && id.getValue().isZero())
    return success(); // dropped as the default
  return fields.set("channel_handle",
                    stablehlo::ChannelHandleAttr::get(context, fields.number("channel_id"),
                                                      fields.number("channel_type")));
}

LogicalResult forge::joinFields(Operation *op, const VhloOp &row, NamedAttrList &attributes) {
  MLIRContext *context = op->getContext();
  Fields fields(op, attributes);
  StringRef name = row.baseName();
  if (name == "convolution" || name == "dynamic_conv") {
    if (row.name == "dynamic_conv_v1")
      attributes.erase("padding"); // an operand says it
    return fields.set("dimension_numbers", joinConvolution(fields, context));
  }
  if (name == "gather" || name == "dynamic_gather")
    return fields.set("dimension_numbers", joinGather(fields, context));
  if (name == "scatter")
    return fields.set("scatter_dimension_numbers", joinScatter(fields, context));
  if (attributes.get("channel_id"))
    return joinChannel(fields, attributes, context);
  if (name != "dot_general")
    return success();
  if (!dropNoAlgorithm(attributes) &&
      failed(fields.set("algorithm", joinAlgorithm(fields, context))))
    return failure();
  return fields.set("dot_dimension_numbers", joinProduct(fields, context));
}
