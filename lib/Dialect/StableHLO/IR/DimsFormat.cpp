#include "DimsFormat.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;

namespace forge::stablehlo {

FailureOr<SmallVector<int64_t>> parseDims(AsmParser &parser) {
  SmallVector<int64_t> dims;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parser.parseInteger(dims.emplace_back()); }))
    return failure();
  return dims;
}

void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer);
  printer << ']';
}

ParseResult parseFields(AsmParser &parser, MutableArrayRef<DimsField> fields) {
  llvm::SmallDenseSet<DimsField *> seen;
  if (parser.parseLess())
    return failure();
  while (failed(parser.parseOptionalGreater())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *field = llvm::find_if(fields, [&](DimsField &f) { return f.name == name; });
    if (field == fields.end())
      return parser.emitError(loc) << "unknown field '" << name << "'";
    if (!seen.insert(field).second)
      return parser.emitError(loc) << "field '" << name << "' appears twice";
    if (field->isScalar) {
      if (parser.parseInteger(field->dims.emplace_back()))
        return failure();
    } else {
      FailureOr<SmallVector<int64_t>> dims = parseDims(parser);
      if (failed(dims))
        return failure();
      field->dims = *dims;
    }
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
  }
  return success();
}

void printFields(AsmPrinter &printer, ArrayRef<DimsField> fields) {
  StringRef separator;
  printer << '<';
  for (const DimsField &field : fields) {
    if (field.dims.empty() || (field.isScalar && field.dims.front() == 0))
      continue;
    printer << separator << field.name << " = ";
    if (field.isScalar)
      printer << field.dims.front();
    else
      printDims(printer, field.dims);
    separator = ", ";
  }
  printer << '>';
}

static int64_t getScalar(const DimsField &field) {
  return field.dims.empty() ? 0 : field.dims.front();
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  DimsField fields[] = {{"lhs_batching_dimensions", {}},
                        {"rhs_batching_dimensions", {}},
                        {"lhs_contracting_dimensions", {}},
                        {"rhs_contracting_dimensions", {}}};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), fields[0].dims, fields[1].dims, fields[2].dims, fields[3].dims);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(
      printer,
      {{"lhs_batching_dimensions", SmallVector<int64_t>(getLhsBatchingDimensions())},
       {"rhs_batching_dimensions", SmallVector<int64_t>(getRhsBatchingDimensions())},
       {"lhs_contracting_dimensions", SmallVector<int64_t>(getLhsContractingDimensions())},
       {"rhs_contracting_dimensions", SmallVector<int64_t>(getRhsContractingDimensions())}});
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  DimsField fields[] = {{"offset_dims", {}},           {"collapsed_slice_dims", {}},
                        {"operand_batching_dims", {}}, {"start_indices_batching_dims", {}},
                        {"start_index_map", {}},       {"index_vector_dim", {}, /*isScalar=*/true}};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), fields[0].dims, fields[1].dims, fields[2].dims, fields[3].dims,
             fields[4].dims, getScalar(fields[5]));
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(printer,
              {{"offset_dims", SmallVector<int64_t>(getOffsetDims())},
               {"collapsed_slice_dims", SmallVector<int64_t>(getCollapsedSliceDims())},
               {"operand_batching_dims", SmallVector<int64_t>(getOperandBatchingDims())},
               {"start_indices_batching_dims", SmallVector<int64_t>(getStartIndicesBatchingDims())},
               {"start_index_map", SmallVector<int64_t>(getStartIndexMap())},
               {"index_vector_dim", {getIndexVectorDim()}, /*isScalar=*/true}});
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  DimsField fields[] = {
      {"update_window_dims", {}},           {"inserted_window_dims", {}},
      {"input_batching_dims", {}},          {"scatter_indices_batching_dims", {}},
      {"scatter_dims_to_operand_dims", {}}, {"index_vector_dim", {}, /*isScalar=*/true}};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), fields[0].dims, fields[1].dims, fields[2].dims, fields[3].dims,
             fields[4].dims, getScalar(fields[5]));
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(
      printer,
      {{"update_window_dims", SmallVector<int64_t>(getUpdateWindowDims())},
       {"inserted_window_dims", SmallVector<int64_t>(getInsertedWindowDims())},
       {"input_batching_dims", SmallVector<int64_t>(getInputBatchingDims())},
       {"scatter_indices_batching_dims", SmallVector<int64_t>(getScatterIndicesBatchingDims())},
       {"scatter_dims_to_operand_dims", SmallVector<int64_t>(getScatterDimsToOperandDims())},
       {"index_vector_dim", {getIndexVectorDim()}, /*isScalar=*/true}});
}

namespace {

/// One tensor's list: two letters with their dimensions, and the spatial dimensions.
struct ConvList {
  explicit ConvList(StringRef letters) : letters(letters) {}

  StringRef letters;
  int64_t letterDims[2] = {-1, -1};
  SmallVector<int64_t> spatial;
};

} // namespace

static ParseResult parseConvList(AsmParser &parser, ConvList &list) {
  SMLoc start = parser.getCurrentLocation();
  int64_t dim = 0;
  SmallVector<std::pair<int64_t, int64_t>> numbered; // (spatial number, dimension)
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      numbered.push_back({number, dim++});
      return *isNumber;
    }
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    size_t which = word.size() == 1 ? list.letters.find(word[0]) : StringRef::npos;
    if (which == StringRef::npos)
      return parser.emitError(loc) << "expected a spatial dimension, '" << list.letters[0]
                                   << "' or '" << list.letters[1] << "', but got '" << word << "'";
    if (list.letterDims[which] != -1)
      return parser.emitError(loc) << "dimension '" << word << "' appears twice";
    list.letterDims[which] = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  for (int letter : {0, 1})
    if (list.letterDims[letter] == -1)
      return parser.emitError(start) << "dimension '" << list.letters[letter] << "' is missing";
  llvm::sort(numbered);
  for (auto [expected, entry] : llvm::enumerate(numbered)) {
    if (entry.first != static_cast<int64_t>(expected))
      return parser.emitError(start) << "expected spatial dimensions 0 to " << numbered.size() - 1
                                     << ", each once, but got " << entry.first;
    list.spatial.push_back(entry.second);
  }
  return success();
}

/// The fields of the raw form, in the order in which they are printed.
static constexpr StringLiteral rawFields[] = {
    "input_batch_dimension",           "input_feature_dimension",
    "input_spatial_dimensions",        "kernel_input_feature_dimension",
    "kernel_output_feature_dimension", "kernel_spatial_dimensions",
    "output_batch_dimension",          "output_feature_dimension",
    "output_spatial_dimensions"};

static ParseResult parseRawConvDims(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  int64_t scalars[9] = {};
  SmallVector<int64_t> lists[9];
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *field = llvm::find(rawFields, name);
    if (field == std::end(rawFields))
      return parser.emitError(loc) << "unknown field '" << name << "'";
    size_t index = field - std::begin(rawFields);
    if (index % 3 != 2)
      return parser.parseInteger(scalars[index]);
    auto list = parseDims(parser);
    if (failed(list))
      return failure();
    lists[index] = *list;
    return success();
  };
  if (parser.parseCommaSeparatedList(parseField))
    return failure();
  dims = ConvDimensionNumbersAttr::get(parser.getContext(), scalars[0], scalars[1], lists[2],
                                       scalars[3], scalars[4], lists[5], scalars[6], scalars[7],
                                       lists[8]);
  return success();
}

ParseResult parseConvDims(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConvDims(parser, dims);
  ConvList input("bf"), kernel("io"), output("bf");
  if (parseConvList(parser, input) || parser.parseKeyword("x") || parseConvList(parser, kernel) ||
      parser.parseArrow() || parseConvList(parser, output))
    return failure();
  dims = ConvDimensionNumbersAttr::get(parser.getContext(), input.letterDims[0],
                                       input.letterDims[1], input.spatial, kernel.letterDims[0],
                                       kernel.letterDims[1], kernel.spatial, output.letterDims[0],
                                       output.letterDims[1], output.spatial);
  return success();
}

/// The entries of a list in the order of the dimensions; none when the numbers are no permutation.
static std::optional<SmallVector<std::string>>
spellConvList(StringRef letters, int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<std::string> entries(spatial.size() + 2);
  auto put = [&](int64_t dim, std::string text) {
    if (dim < 0 || dim >= static_cast<int64_t>(entries.size()) || !entries[dim].empty())
      return false;
    entries[dim] = std::move(text);
    return true;
  };
  if (!put(first, {letters[0]}) || !put(second, {letters[1]}))
    return std::nullopt;
  for (auto [number, dim] : llvm::enumerate(spatial))
    if (!put(dim, std::to_string(number)))
      return std::nullopt;
  return entries;
}

static void printRawConvDims(AsmPrinter &printer, ConvDimensionNumbersAttr dims) {
  int64_t scalars[] = {
      dims.getInputBatchDimension(),         dims.getInputFeatureDimension(),        0,
      dims.getKernelInputFeatureDimension(), dims.getKernelOutputFeatureDimension(), 0,
      dims.getOutputBatchDimension(),        dims.getOutputFeatureDimension(),       0};
  ArrayRef<int64_t> lists[] = {dims.getInputSpatialDimensions(), dims.getKernelSpatialDimensions(),
                               dims.getOutputSpatialDimensions()};
  printer << "raw ";
  llvm::interleaveComma(llvm::enumerate(rawFields), printer, [&](auto field) {
    printer << field.value() << " = ";
    if (field.index() % 3 == 2)
      printDims(printer, lists[field.index() / 3]);
    else
      printer << scalars[field.index()];
  });
}

void printConvDims(AsmPrinter &printer, ConvDimensionNumbersAttr dims) {
  auto input = spellConvList("bf", dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
                             dims.getInputSpatialDimensions());
  auto kernel =
      spellConvList("io", dims.getKernelInputFeatureDimension(),
                    dims.getKernelOutputFeatureDimension(), dims.getKernelSpatialDimensions());
  auto output = spellConvList("bf", dims.getOutputBatchDimension(),
                              dims.getOutputFeatureDimension(), dims.getOutputSpatialDimensions());
  if (!input || !kernel || !output)
    return printRawConvDims(printer, dims);
  auto print = [&](ArrayRef<std::string> entries) {
    printer << '[';
    llvm::interleaveComma(entries, printer);
    printer << ']';
  };
  print(*input);
  printer << 'x';
  print(*kernel);
  printer << "->";
  print(*output);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  ConvDimensionNumbersAttr dims;
  if (parser.parseLess() || parseConvDims(parser, dims) || parser.parseGreater())
    return {};
  return dims;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvDims(printer, *this);
  printer << '>';
}

} // namespace forge::stablehlo
