// The files that say what a checkpoint is.
#include "Importer.h"

#include "GgufMetadata.h"
#include "forge/Checkpoint/Gguf.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;

static std::string configPath(const std::string &folder) {
  return (std::filesystem::path(folder) / "config.json").string();
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

Result<Importer> huggingface::openCheckpoint(const std::string &folder, mlir::MLIRContext &context,
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
