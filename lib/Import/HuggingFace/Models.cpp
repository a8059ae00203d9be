#include "Models.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

namespace {
template <typename... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};
} // namespace

int64_t huggingface::layersOf(const ModelConfig &config) {
  return std::visit([](const auto &model) { return model.layers; }, config);
}

llvm::StringRef huggingface::embeddingOf(const ModelConfig &config) {
  return std::holds_alternative<Gpt2ModelConfig>(config) ? "wte.weight"
                                                         : "model.embed_tokens.weight";
}

bool huggingface::isTied(const ModelConfig &config) {
  const auto *llama = std::get_if<LlamaModelConfig>(&config);
  return llama && llama->tiedEmbeddings;
}

std::optional<int64_t> huggingface::positionsOf(const ModelConfig &config) {
  const auto *gpt2 = std::get_if<Gpt2ModelConfig>(&config);
  return gpt2 ? std::optional(gpt2->positions) : std::nullopt;
}

std::pair<int64_t, int64_t> huggingface::cacheHeads(const ModelConfig &config) {
  return std::visit(Overloaded{[](const LlamaModelConfig &model) {
                                 return std::pair(model.block.kvHeads, model.block.headDim);
                               },
                               [](const Gpt2ModelConfig &model) {
                                 return std::pair(model.block.heads,
                                                  model.block.hidden / model.block.heads);
                               }},
                    config);
}

Value huggingface::buildModel(Graph &graph, Value tokens, const ModelConfig &config,
                              mlir::Type element, llvm::MutableArrayRef<KvCache> caches,
                              LogitRows rows) {
  return std::visit(
      Overloaded{[&](const LlamaModelConfig &model) {
                   return llamaModel(graph, tokens, llamaModelWeights(graph, model, element), model,
                                     caches, rows);
                 },
                 [&](const Gpt2ModelConfig &model) {
                   return gpt2Model(graph, tokens, gpt2ModelWeights(graph, model, element), model,
                                    caches, rows);
                 }},
      config);
}
