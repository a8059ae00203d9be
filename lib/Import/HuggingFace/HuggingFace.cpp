#include "DecodeFunctions.h"
#include "Importer.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

/// The model with its matrices in `format`; only decoders have another than that of the files.
Result<ModelConfig> Importer::configIn(MatrixFormat format) const {
  ModelConfig result = config;
  if (format == MatrixFormat::Stored)
    return result;
  auto *decoder = std::get_if<DecoderConfig>(&result);
  if (!decoder)
    return configError("model_type: expected a decoder to quantise, but got an encoder");
  if (gguf)
    return configError("expected a checkpoint in Hugging Face form to quantise");
  if (decoder->layout != WeightLayout::OutIn)
    return configError("model_type: expected a family with matrices [out, in] to quantise, "
                       "but got one with [in, out]");
  if (quantization.f8Block)
    return configError(
        "quantization_config: expected weights of 16 or 32 bits to quantise, but got f8");
  decoder->matrices = format;
  return result;
}

Result<mlir::OwningOpRef<mlir::ModuleOp>>
Importer::importMain(const HuggingFaceOptions &options) const {
  Result<mlir::Type> element = elementType();
  if (!element)
    return element.error();
  Result<ModelConfig> model = configIn(options.matrices);
  if (!model)
    return model.error();
  Graph graph(context, "main");
  const auto *decoder = std::get_if<DecoderConfig>(&*model);
  // Tokens are sorted by expert: their number is static.
  constexpr int64_t any = mlir::ShapedType::kDynamic;
  bool isSorted = decoder && decoder->experts > 0;
  auto input = [&](llvm::StringRef name) {
    return graph.argument(name,
                          {options.batch.value_or(isSorted ? options.staticBatch : any),
                           options.length.value_or(isSorted ? options.staticLength : any)},
                          graph.builder().getI32Type());
  };
  unsigned numInputs = 1;
  llvm::SmallVector<Value> results;
  if (decoder) {
    results = {buildDecoder(graph, input("input_ids"), *decoder, typesOf(*element))};
  } else if (const auto *encoder = std::get_if<EncoderConfig>(&*model)) {
    Value tokens = input("input_ids"), counts = input("attention_mask"),
          types = input("token_type_ids");
    numInputs = 3;
    results = buildEncoder(graph, tokens, counts, types, *encoder, *element);
  } else {
    const auto &images = std::get<ImageEncoderConfig>(*model);
    Value pixels = graph.argument(
        "pixel_values",
        {options.batch.value_or(any), images.channels, images.imageSize, images.imageSize},
        *element);
    results = buildImageEncoder(graph, pixels, images, *element);
  }
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = graph.finish(results);
  if (!module)
    return configError(module.error().message);
  auto function = (*module)->lookupSymbol<mlir::func::FuncOp>("main");
  if (Result<void> bound = bindWeights(function, numInputs, *element); !bound)
    return bound.error();
  return module;
}

std::optional<DecoderFacts> Importer::describeDecoder() const {
  const auto *decoder = std::get_if<DecoderConfig>(&config);
  if (!decoder)
    return std::nullopt;
  return DecoderFacts{decoder->positions ? std::optional(decoder->positions) : std::nullopt};
}

/// Numbers of tokens that caches of `capacity` hold, each once.
static std::vector<int64_t> longestFirst(std::vector<int64_t> numbers, int64_t capacity) {
  for (int64_t &number : numbers)
    number = std::min(number, capacity);
  std::ranges::sort(numbers, std::greater());
  auto [end, last] = std::ranges::unique(numbers);
  numbers.erase(end, last);
  return numbers;
}

Result<mlir::OwningOpRef<mlir::ModuleOp>>
Importer::importDecoder(const DecoderOptions &options) const {
  Result<ModelConfig> model = configIn(options.matrices);
  if (!model)
    return model.error();
  const auto *decoder = std::get_if<DecoderConfig>(&*model);
  if (!decoder)
    return configError(
        "model_type: expected a decoder, which has a next token, but got an encoder");
  int64_t positions = decoder->positions;
  if (positions && options.capacity > positions)
    return configError("expected at most the " + std::to_string(positions) +
                       " tokens that have positions, but got " + std::to_string(options.capacity));
  DecoderOptions rounded = options;
  rounded.capacity = llvm::alignTo(options.capacity, options.capacityMultiple);
  if (positions)
    rounded.capacity = std::min(rounded.capacity, positions);
  if (options.pageSize) {
    int64_t size = *options.pageSize, each = llvm::divideCeil(rounded.capacity, size);
    if (positions && each * size > positions)
      each = positions / size;
    if (each * size < options.capacity)
      return configError("expected pages of which some hold " + std::to_string(options.capacity) +
                         " tokens, and not more than the " + std::to_string(positions) +
                         " that have positions, but got pages of " + std::to_string(size));
    int64_t all = each * options.batch;
    rounded.capacity = each * size;
    rounded.pages = std::min(options.pages.value_or(all), all);
  }
  Result<mlir::Type> element = elementType();
  if (!element)
    return element.error();
  std::vector<std::pair<std::string, int64_t>> functions;
  for (int64_t tokens : longestFirst(options.prefills, rounded.capacity))
    functions.emplace_back(functions.empty() ? "prefill" : "prefill_" + std::to_string(tokens),
                           tokens);
  if (rounded.pageSize && rounded.batch > 1)
    for (int64_t tokens : longestFirst(options.alone, rounded.capacity))
      functions.emplace_back("prefill_alone_" + std::to_string(tokens), tokens);
  bool anyAlone = llvm::StringRef(functions.back().first).starts_with("prefill_alone");
  functions.emplace_back("decode", 1);
  if (options.sampled)
    functions.emplace_back("sample", 0);
  if (options.sampled && anyAlone)
    functions.emplace_back("sample_alone", 0);
  DecoderOptions ofOne = rounded;
  ofOne.batch = 1;
  WeightTypes types = typesOf(*element);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  for (const auto &[name, tokens] : functions) {
    bool isAlone = llvm::StringRef(name).contains("_alone");
    const DecoderOptions &given = isAlone ? ofOne : rounded;
    Result<DecodeFunction> made =
        tokens == 0
            ? buildSampleFunction(context, name, decoder->vocabulary, types.element, given.batch)
            : buildDecodeFunction(context, name, *decoder, types, given, tokens,
                                  /*counted=*/name != "decode");
    if (!made)
      return configError(made.error().message);
    auto function = made->module->lookupSymbol<mlir::func::FuncOp>(name);
    if (Result<void> bound = bindWeights(function, made->numInputs, *element); !bound)
      return bound.error();
    if (module)
      function->moveBefore(module->getBody(), module->getBody()->end());
    else
      module = std::move(made->module);
  }
  return module;
}

Result<mlir::OwningOpRef<mlir::ModuleOp>>
forge::importHuggingFace(const std::string &folder, mlir::MLIRContext &context,
                         const HuggingFaceOptions &options) {
  Result<Importer> importer =
      openCheckpoint(folder, context, options.relativeTo, options.withoutWeights);
  if (!importer)
    return importer.error();
  return importer->importMain(options);
}

Result<mlir::OwningOpRef<mlir::ModuleOp>> forge::importDecoder(const std::string &folder,
                                                               mlir::MLIRContext &context,
                                                               const DecoderOptions &options) {
  Result<Importer> importer =
      openCheckpoint(folder, context, options.relativeTo, options.withoutWeights);
  if (!importer)
    return importer.error();
  return importer->importDecoder(options);
}

std::vector<std::string> forge::decoderFunctionsIn(mlir::ModuleOp module) {
  std::vector<std::string> names = {"decode"};
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.getSymName() != names.front())
      names.push_back(function.getSymName().str());
  return names;
}

Result<std::optional<DecoderFacts>>
forge::describeDecoder(const std::string &folder, mlir::MLIRContext &context, bool withoutWeights) {
  Result<Importer> importer =
      openCheckpoint(folder, context, /*relativeTo=*/std::nullopt, withoutWeights);
  if (!importer)
    return importer.error();
  return importer->describeDecoder();
}
