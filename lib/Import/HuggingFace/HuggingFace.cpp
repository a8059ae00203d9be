#include "forge/Import/HuggingFace.h"

#include "Families.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Import/WeightAttribute.h"

#include "llvm/ADT/STLExtras.h"

#include <filesystem>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

namespace {
/// Imports one checkpoint:
///  1. config.json, by the description of its model_type, becomes a configuration of the builders.
///  2. The element type is that of the stored embedding.
///  3. The builders declare the weights, named as in checkpoints, and build the model.
///  4. Each argument is matched with the stored tensor of its name, and marked with it.
class Importer {
public:
  Importer(std::string folder, CheckpointIndex index, mlir::MLIRContext &context,
           const HuggingFaceOptions &options)
      : folder(std::move(folder)), index(std::move(index)), context(context), options(options) {}

  Result<mlir::OwningOpRef<mlir::ModuleOp>> run(const ModelConfig &config);

private:
  const std::pair<const std::string, IndexedTensor> *find(llvm::StringRef name) const;
  Result<mlir::Type> elementType(llvm::StringRef embedding) const;
  Result<void> bindWeights(mlir::func::FuncOp function) const;
  Error missing(llvm::StringRef name, const std::string &expected) const {
    return Error{folder + ": tensor '" + name.str() + "': expected " + expected +
                 ", but the checkpoint has no such tensor"};
  }

  std::string folder;
  CheckpointIndex index;
  mlir::MLIRContext &context;
  const HuggingFaceOptions &options;
  bool tied = false;
};
} // namespace

static std::string configPath(const std::string &folder) {
  return (std::filesystem::path(folder) / "config.json").string();
}

/// The stored tensor that a weight is. GPT-2 is stored with and without the name of its body, and a
/// tied embedding under either of its names.
const std::pair<const std::string, IndexedTensor> *Importer::find(llvm::StringRef name) const {
  for (const std::string &known :
       {name.str(), "transformer." + name.str(),
        tied && name == "model.embed_tokens.weight" ? std::string("lm_head.weight") : name.str()})
    if (auto found = index.find(known); found != index.end())
      return &*found;
  return nullptr;
}

Result<mlir::Type> Importer::elementType(llvm::StringRef embedding) const {
  const auto *stored = find(embedding);
  if (!stored)
    return missing(embedding, "the embedding");
  mlir::Builder b(&context);
  switch (stored->second.spec.type) {
  case DType::F32:
    return mlir::Type(b.getF32Type());
  case DType::F16:
    return mlir::Type(b.getF16Type());
  case DType::BF16:
    return mlir::Type(b.getBF16Type());
  default:
    return Error{folder + ": tensor '" + stored->first + "': expected f32, f16 or bf16, but got " +
                 typeString(stored->second.spec)};
  }
}

Result<void> Importer::bindWeights(mlir::func::FuncOp function) const {
  std::string base = options.relativeTo.value_or(folder);
  for (unsigned i = 1; i < function.getNumArguments(); ++i) {
    auto loc = mlir::cast<mlir::NameLoc>(function.getArgument(i).getLoc());
    llvm::StringRef name = loc.getName();
    auto type = mlir::cast<mlir::RankedTensorType>(function.getArgument(i).getType());
    std::string typeText;
    llvm::raw_string_ostream(typeText) << type;
    const auto *stored = find(name);
    if (!stored)
      return missing(name, typeText);
    std::string storedType = typeString(stored->second.spec);
    if (storedType != typeText)
      return Error{folder + ": tensor '" + stored->first + "': expected " + typeText +
                   ", but got " + storedType};
    setWeight(function, i, {rebaseFile(stored->second.file, folder, base), stored->first});
  }
  return {};
}

Result<mlir::OwningOpRef<mlir::ModuleOp>> Importer::run(const ModelConfig &config) {
  const auto *llama = std::get_if<LlamaModelConfig>(&config);
  const auto *gpt2 = std::get_if<Gpt2ModelConfig>(&config);
  tied = llama && llama->tiedEmbeddings;
  int64_t layers = llama ? llama->layers : gpt2->layers;
  // Every layer has tensors: no more are built than are stored.
  if (static_cast<uint64_t>(layers) > index.size())
    return Error{configPath(folder) + ": expected layers for the " + std::to_string(index.size()) +
                 " tensors of the checkpoint, but got " + std::to_string(layers)};
  Result<mlir::Type> element = elementType(llama ? "model.embed_tokens.weight" : "wte.weight");
  if (!element)
    return element.error();
  Graph graph(context, "main");
  constexpr int64_t any = mlir::ShapedType::kDynamic;
  Value tokens =
      graph.argument("input_ids", {options.batch.value_or(any), options.length.value_or(any)},
                     graph.builder().getI32Type());
  Value logits = llama
                     ? llamaModel(graph, tokens, llamaModelWeights(graph, *llama, *element), *llama)
                     : gpt2Model(graph, tokens, gpt2ModelWeights(graph, *gpt2, *element), *gpt2);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = graph.finish({logits});
  if (!module)
    return Error{configPath(folder) + ": " + module.error().message};
  if (Result<void> bound = bindWeights((*module)->lookupSymbol<mlir::func::FuncOp>("main")); !bound)
    return bound.error();
  return module;
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

Result<mlir::OwningOpRef<mlir::ModuleOp>>
forge::importHuggingFace(const std::string &folder, mlir::MLIRContext &context,
                         const HuggingFaceOptions &options) {
  std::string path = configPath(folder);
  Result<nlohmann::json> object = readJsonObject(path);
  if (!object)
    return object.error();
  context.loadDialect<TransformerDialect>();
  Config config(std::move(*object));
  std::string modelType = config.text("model_type");
  const Family *family = llvm::find_if(
      allFamilies(), [&](const Family &candidate) { return candidate.modelType == modelType; });
  if (family == allFamilies().end())
    config.fail("model_type", familyNames());
  std::optional<ModelConfig> model;
  if (config.error().empty())
    model = family->describe(config, &context);
  if (!config.error().empty())
    return Error{path + ": " + config.error()};
  Result<CheckpointIndex> index = indexCheckpoint(folder);
  if (!index)
    return index.error();
  return Importer(folder, std::move(*index), context, options).run(*model);
}
