// What the arguments of imported functions are in the files of a checkpoint.
#include "Importer.h"

#include "forge/Checkpoint/Weights.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace forge;
using namespace forge::huggingface;

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
  if (madeUp)
    return madeUp;
  // Every layer has tensors: no more are built than are stored.
  Storage storage = storageOf(config);
  int64_t layers = storage.layers;
  if (static_cast<uint64_t>(layers) > index.size())
    return configError("num_hidden_layers: expected layers for the " +
                       std::to_string(index.size()) + " tensors of the checkpoint, but got " +
                       std::to_string(layers));
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
    bool isFloat8 = llvm::isa<mlir::Float8E4M3FNType>(type.getElementType());
    bool isNarrow =
        (isFloat8 || type.getElementType().isInteger(8)) && stored != type.getElementType();
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
      auto [values, scales] = isNibbles  ? std::pair(Part::Nibbles, Part::NibbleScales)
                              : isFloat8 ? std::pair(Part::FloatValues, Part::FloatScales)
                                         : std::pair(Part::Values, Part::Scales);
      source->quantized = QuantizedMatrix{values, {storedType(element), type.getShape().vec()}};
      setWeight(function, i++, *source);
      source->quantized->part = scales;
    }
    setWeight(function, i, *source);
  }
  return {};
}
