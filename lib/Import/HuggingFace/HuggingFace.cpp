#include "forge/Import/HuggingFace.h"

#include "DecodeFunctions.h"
#include "Families.h"
#include "GgufMetadata.h"
#include "GgufModel.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Weights.h"
#include "forge/Import/WeightAttribute.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <filesystem>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

namespace {
/// Imports one checkpoint:
///  1. config.json, by the description of its model_type, becomes a configuration of the builders.
///  2. The element type is that of the stored embedding, or without files that of config.json.
///  3. The builders declare the weights, named as in checkpoints, and build the model.
///  4. Each argument is matched with the stored tensor of its name, and marked with it.
class Importer {
public:
  /// Files of weights are called relative to `base`.
  Importer(std::string folder, CheckpointIndex index, std::string base, mlir::MLIRContext &context,
           ModelConfig config, QuantizationConfig quantization, mlir::Type madeUp)
      : folder(std::move(folder)), index(std::move(index)), base(std::move(base)),
        configFile((std::filesystem::path(this->folder) / "config.json").string()),
        context(context), config(std::move(config)), quantization(quantization), madeUp(madeUp) {}
  /// Of the file `path`, called relative to `base`.
  Importer(const std::string &path, CheckpointIndex index, std::string base,
           mlir::MLIRContext &context, DecoderConfig config, GgufModel gguf)
      : folder(std::filesystem::path(path).parent_path().string()), index(std::move(index)),
        base(std::move(base)), configFile(path), context(context), config(std::move(config)),
        gguf(std::move(gguf)) {}

  Result<mlir::OwningOpRef<mlir::ModuleOp>> importMain(const HuggingFaceOptions &options) const;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> importDecoder(const DecoderOptions &options) const;
  std::optional<DecoderFacts> describeDecoder() const;

private:
  const std::pair<const std::string, IndexedTensor> *find(llvm::StringRef name) const;
  Result<mlir::Type> elementType() const;
  /// The types of a decoder's weights.
  WeightTypes typesOf(mlir::Type element) const;
  Result<WeightSource> sourceOf(llvm::StringRef name, mlir::RankedTensorType type) const;
  WeightSource madeUpSource(llvm::StringRef name) const;
  Result<void> bindWeights(mlir::func::FuncOp function, unsigned first, mlir::Type element) const;
  Result<ModelConfig> configIn(MatrixFormat format) const;
  /// A tensor in a message, as the files call it.
  std::string placeOf(llvm::StringRef name) const {
    return (gguf ? configFile + ": tensor '" + gguf->storedName(name)
                 : folder + ": tensor '" + name.str()) +
           "': ";
  }
  Error missing(llvm::StringRef name, const std::string &expected) const {
    return Error{placeOf(name) + "expected " + expected +
                 ", but the checkpoint has no such tensor"};
  }

  std::string folder;
  CheckpointIndex index;
  std::string base;
  std::string configFile; ///< which says what the model is
  mlir::MLIRContext &context;
  ModelConfig config;
  QuantizationConfig quantization = {};
  mlir::Type madeUp = {}; ///< the element type, where there are no stored tensors; otherwise null
  std::optional<GgufModel> gguf = std::nullopt;
};
} // namespace

static std::string configPath(const std::string &folder) {
  return (std::filesystem::path(folder) / "config.json").string();
}

namespace {
/// What checkpoints of a model have, besides the names of their weights.
struct Storage {
  int64_t layers = 0;
  std::string embedding, optionalPrefix;
  /// The head's matrix, where it is the embedding: checkpoints may have it under that name alone.
  std::string tiedHead = {};
};
} // namespace

static Storage storageOf(const ModelConfig &config) {
  if (const auto *encoder = std::get_if<EncoderConfig>(&config))
    return {encoder->layers, (encoder->embedding + ".weight").str(), encoder->optionalPrefix.str()};
  if (const auto *encoder = std::get_if<ImageEncoderConfig>(&config))
    return {encoder->layers, (encoder->embedding + ".weight").str(), encoder->optionalPrefix.str()};
  const auto &decoder = std::get<DecoderConfig>(config);
  const DecoderNames &names = decoder.names;
  return {decoder.layers, names.embedding + ".weight", names.optionalPrefix,
          decoder.tiedEmbeddings ? names.head + ".weight" : ""};
}

/// The stored tensor that a weight is.
const std::pair<const std::string, IndexedTensor> *Importer::find(llvm::StringRef name) const {
  Storage storage = storageOf(config);
  std::string other = storage.tiedHead.empty()    ? ""
                      : name == storage.embedding ? storage.tiedHead
                      : name == storage.tiedHead  ? storage.embedding
                                                  : "";
  for (const std::string &known :
       {name.str(), storage.optionalPrefix + name.str(), other, storage.optionalPrefix + other})
    if (auto found = index.find(known); found != index.end())
      return &*found;
  return nullptr;
}

/// The type of elements that are floats or bytes; null for others.
static mlir::Type elementOf(DType type, mlir::Builder b) {
  switch (type) {
  case DType::F32:
    return b.getF32Type();
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F8E4M3FN:
    return b.getType<mlir::Float8E4M3FNType>();
  case DType::I8:
  case DType::U8:
    return b.getI8Type();
  default:
    return {};
  }
}

Result<mlir::Type> Importer::elementType() const {
  // Every layer has tensors: no more are built than are stored.
  Storage storage = storageOf(config);
  int64_t layers = storage.layers;
  constexpr int64_t mostMadeUp = 4096;
  if (madeUp && layers > mostMadeUp)
    return Error{configFile + ": expected at most " + std::to_string(mostMadeUp) +
                 " layers, but got " + std::to_string(layers)};
  if (madeUp)
    return madeUp;
  if (static_cast<uint64_t>(layers) > index.size())
    return Error{configFile + ": expected layers for the " + std::to_string(index.size()) +
                 " tensors of the checkpoint, but got " + std::to_string(layers)};
  const std::string &embedding = storage.embedding;
  const auto *stored = find(embedding);
  if (!stored)
    return missing(embedding, "the embedding");
  mlir::Type element = elementOf(stored->second.spec.type, mlir::Builder(&context));
  // Blocks are numbers of f32.
  if (stored->second.format)
    return mlir::Type(mlir::Float32Type::get(&context));
  if (!element || element.isInteger() || element.getIntOrFloatBitWidth() < 16)
    return Error{placeOf(stored->first) + "expected f32, f16 or bf16, but got " +
                 typeString(stored->second.spec)};
  return element;
}

WeightTypes Importer::typesOf(mlir::Type element) const {
  auto stored = [this](llvm::StringRef name) {
    const auto *tensor = find(stackedName(name.str(), 0).value_or(name.str()));
    return tensor ? elementOf(tensor->second.spec.type, mlir::Builder(&context)) : mlir::Type();
  };
  auto blocks = [this](llvm::StringRef name) {
    const auto *tensor = find(name);
    return tensor ? tensor->second.format : std::nullopt;
  };
  return {element, stored, quantization.mxfp4, quantization.f8Block, blocks, gguf.has_value()};
}

/// The stored tensor of this name and type; a `*` in the name stands for the numbers of tensors
/// that are stacked.
Result<WeightSource> Importer::sourceOf(llvm::StringRef name, mlir::RankedTensorType type) const {
  if (std::optional<std::string> first = stackedName(name.str(), 0)) {
    auto part = mlir::RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
    Result<WeightSource> all = sourceOf(*first, part);
    if (!all)
      return all;
    for (int64_t number = 1; number < type.getDimSize(0); ++number) {
      Result<WeightSource> next = sourceOf(*stackedName(name.str(), number), part);
      if (!next)
        return next;
      if (next->file != all->file)
        all->file = "model.safetensors.index.json";
    }
    all->tensor = name.str();
    return all;
  }
  std::string typeText;
  llvm::raw_string_ostream(typeText) << type;
  const auto *stored = find(name);
  if (!stored)
    return missing(name, typeText);
  TensorSpec spec = stored->second.spec;
  if (type.getElementType().isSignlessInteger(8))
    spec.type = bytesAs(spec.type, DType::I8);
  std::string storedType = typeString(stored->second.spec);
  if (typeString(spec) != typeText)
    return Error{placeOf(stored->first) + "expected " + typeText + ", but got " + storedType};
  const std::string &other = stored->second.name;
  return WeightSource{stored->second.file, other.empty() ? stored->first : other};
}

/// A head that is the embedding has its numbers.
WeightSource Importer::madeUpSource(llvm::StringRef name) const {
  Storage storage = storageOf(config);
  return {"model.safetensors", name == storage.tiedHead ? storage.embedding : name.str()};
}

static DType storedType(mlir::Type element) {
  return element.isF32() ? DType::F32 : element.isF16() ? DType::F16 : DType::BF16;
}

/// The matrix that `words`, of nibbles, are unpacked to.
static mlir::RankedTensorType unpackedType(mlir::BlockArgument words) {
  auto numbers = (*words.user_begin())->getParentOfType<mlir::linalg::GenericOp>();
  return mlir::cast<mlir::RankedTensorType>(numbers->getResult(0).getType());
}

/// The scales of a matrix that is made narrow are the argument behind it.
Result<void> Importer::bindWeights(mlir::func::FuncOp function, unsigned first,
                                   mlir::Type element) const {
  for (unsigned i = first; i < function.getNumArguments(); ++i) {
    auto loc = mlir::cast<mlir::NameLoc>(function.getArgument(i).getLoc());
    llvm::StringRef name = loc.getName();
    auto type = mlir::cast<mlir::RankedTensorType>(function.getArgument(i).getType());
    // Bytes that are stored stay as they are.
    mlir::Type stored = typesOf(element).of(name);
    bool isNarrow = type.getElementType().isInteger(8) && !(stored && stored.isInteger(8));
    bool isNibbles = type.getElementType().isInteger(32);
    if (isNarrow)
      type = type.clone(element);
    if (isNibbles)
      type = unpackedType(function.getArgument(i)).clone(element);
    Result<WeightSource> source = madeUp ? madeUpSource(name) : sourceOf(name, type);
    if (!source)
      return source.error();
    source->file = rebaseFile(source->file, folder, base);
    if (isNarrow || isNibbles) {
      using Part = QuantizedMatrix::Part;
      source->quantized = QuantizedMatrix{isNibbles ? Part::Nibbles : Part::Values,
                                          {storedType(element), type.getShape().vec()}};
      setWeight(function, i++, *source);
      source->quantized->part = isNibbles ? Part::NibbleScales : Part::Scales;
    }
    setWeight(function, i, *source);
  }
  return {};
}

/// The model with its matrices in `format`; only decoders have another than that of the files.
Result<ModelConfig> Importer::configIn(MatrixFormat format) const {
  ModelConfig result = config;
  if (format == MatrixFormat::Stored)
    return result;
  auto *decoder = std::get_if<DecoderConfig>(&result);
  if (!decoder)
    return Error{configFile + ": model_type: expected a decoder to quantise, but got an encoder"};
  if (gguf)
    return Error{configFile + ": expected a checkpoint in Hugging Face form to quantise"};
  if (decoder->layout != WeightLayout::OutIn)
    return Error{configFile + ": model_type: expected a family with matrices [out, in] to "
                              "quantise, but got one with [in, out]"};
  if (quantization.f8Block)
    return Error{
        configFile +
        ": quantization_config: expected weights of 16 or 32 bits to quantise, but got f8"};
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
    return Error{configFile + ": " + module.error().message};
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

Result<mlir::OwningOpRef<mlir::ModuleOp>>
Importer::importDecoder(const DecoderOptions &options) const {
  Result<ModelConfig> model = configIn(options.matrices);
  if (!model)
    return model.error();
  const auto *decoder = std::get_if<DecoderConfig>(&*model);
  if (!decoder)
    return Error{configFile +
                 ": model_type: expected a decoder, which has a next token, but got an encoder"};
  int64_t positions = decoder->positions;
  if (positions && options.capacity > positions)
    return Error{configFile + ": expected at most the " + std::to_string(positions) +
                 " tokens that have positions, but got " + std::to_string(options.capacity)};
  DecoderOptions rounded = options;
  rounded.capacity = llvm::alignTo(options.capacity, options.capacityMultiple);
  if (positions)
    rounded.capacity = std::min(rounded.capacity, positions);
  Result<mlir::Type> element = elementType();
  if (!element)
    return element.error();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  for (bool isPrefill : {true, false}) {
    llvm::StringRef name = isPrefill ? "prefill" : "decode";
    Result<DecodeFunction> made = buildDecodeFunction(context, name, *decoder, typesOf(*element),
                                                      rounded, isPrefill ? options.chunk : 1,
                                                      /*counted=*/isPrefill);
    if (!made)
      return Error{configFile + ": " + made.error().message};
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

bool forge::isCheckpoint(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(configPath(path), ignored) || isGgufFile(path);
}

std::string forge::checkpointFolder(const std::string &path) {
  return isGgufFile(path) ? std::filesystem::path(path).parent_path().string() : path;
}

static std::string familyNames() {
  std::string names;
  for (const Family &family : allFamilies())
    names += (names.empty()                      ? ""
              : &family == &allFamilies().back() ? " or "
                                                 : ", ") +
             family.modelType.str();
  return names;
}

/// The type of weights that config.json names; f32 where it names none.
static mlir::Type elementTypeOf(Config &config, mlir::MLIRContext &context) {
  const char *key = config.has("dtype") ? "dtype" : "torch_dtype";
  std::string name = config.text(key, "float32");
  mlir::Builder b(&context);
  mlir::Type type = llvm::StringSwitch<mlir::Type>(name)
                        .Case("float32", b.getF32Type())
                        .Case("float16", b.getF16Type())
                        .Case("bfloat16", b.getBF16Type())
                        .Default(mlir::Type());
  if (!type)
    config.fail(key, "float32, float16 or bfloat16");
  return type;
}

/// The model that `config` describes; an error without a path.
static Result<ModelConfig> describe(Config &config, mlir::MLIRContext &context) {
  context.loadDialect<TransformerDialect>();
  std::string modelType = config.text("model_type");
  const Family *family = llvm::find_if(
      allFamilies(), [&](const Family &candidate) { return candidate.modelType == modelType; });
  if (family == allFamilies().end())
    config.fail("model_type", familyNames());
  std::optional<ModelConfig> model;
  if (config.error().empty())
    model = family->describe(config, &context);
  if (!config.error().empty())
    return Error{config.error()};
  return std::move(*model);
}

static Result<Importer> openGguf(const std::string &path, mlir::MLIRContext &context,
                                 const std::optional<std::string> &relativeTo) {
  Result<GgufModel> file = readGgufModel(path);
  if (!file)
    return file.error();
  Config config(file->config);
  Result<ModelConfig> model = describe(config, context);
  if (!model)
    return Error{path + ": " + withOrigins(model.error().message, file->origins)};
  auto &decoder = std::get<DecoderConfig>(*model);
  file->adjust(decoder);
  std::string folder = std::filesystem::path(path).parent_path().string();
  CheckpointIndex index = std::exchange(file->index, {});
  return Importer(path, std::move(index), relativeTo.value_or(folder), context, std::move(decoder),
                  std::move(*file));
}

/// Reads the configuration and the names of all tensors.
static Result<Importer> openFolder(const std::string &folder, mlir::MLIRContext &context,
                                   const std::optional<std::string> &relativeTo,
                                   bool withoutWeights) {
  if (isGgufFile(folder)) {
    if (withoutWeights)
      return Error{folder + ": expected a folder to make weights up for"};
    return openGguf(folder, context, relativeTo);
  }
  std::string path = configPath(folder);
  Result<nlohmann::json> object = readJsonObject(path);
  if (!object)
    return object.error();
  Config config(std::move(*object));
  Result<ModelConfig> model = describe(config, context);
  if (!model)
    return Error{path + ": " + model.error().message};
  QuantizationConfig quantization = config.quantization();
  mlir::Type madeUp = withoutWeights ? elementTypeOf(config, context) : mlir::Type();
  if (!config.error().empty())
    return Error{path + ": " + config.error()};
  if (withoutWeights)
    return Importer(folder, {}, relativeTo.value_or(folder), context, std::move(*model),
                    quantization, madeUp);
  Result<CheckpointIndex> index = indexCheckpoint(folder);
  if (!index)
    return index.error();
  return Importer(folder, std::move(*index), relativeTo.value_or(folder), context,
                  std::move(*model), quantization, /*madeUp=*/mlir::Type());
}

Result<mlir::OwningOpRef<mlir::ModuleOp>>
forge::importHuggingFace(const std::string &folder, mlir::MLIRContext &context,
                         const HuggingFaceOptions &options) {
  Result<Importer> importer =
      openFolder(folder, context, options.relativeTo, options.withoutWeights);
  if (!importer)
    return importer.error();
  return importer->importMain(options);
}

Result<mlir::OwningOpRef<mlir::ModuleOp>> forge::importDecoder(const std::string &folder,
                                                               mlir::MLIRContext &context,
                                                               const DecoderOptions &options) {
  Result<Importer> importer =
      openFolder(folder, context, options.relativeTo, options.withoutWeights);
  if (!importer)
    return importer.error();
  return importer->importDecoder(options);
}

Result<std::optional<DecoderFacts>>
forge::describeDecoder(const std::string &folder, mlir::MLIRContext &context, bool withoutWeights) {
  Result<Importer> importer =
      openFolder(folder, context, /*relativeTo=*/std::nullopt, withoutWeights);
  if (!importer)
    return importer.error();
  return importer->describeDecoder();
}
