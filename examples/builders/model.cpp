// A whole Llama: one step of decoding from a token to the next, with int8 weights and a cache in
// pages; with `train` the loss of a batch and, behind it, the gradients of all weights.
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"
#include "forge/Dialect/Transformer/Transforms/Differentiation.h"

using namespace forge;
using namespace forge::transformer;

static int train(mlir::MLIRContext &context, const LlamaModelConfig &config,
                 const ExampleOptions &options) {
  mlir::Builder b(&context);
  Graph g(context, "loss");
  mlir::Value tokens = g.argument("tokens", {2, 6}, b.getI32Type());
  mlir::Value targets = g.argument("targets", {2, 6}, b.getI32Type());
  LlamaModelWeights weights = llamaModelWeights(g, config, b.getF32Type());
  auto module = g.finish({g.crossEntropy(llamaModel(g, tokens, weights, config), targets)});
  if (!module)
    return printAndVerify(std::move(module), options);
  auto loss = (*module)->lookupSymbol<mlir::func::FuncOp>("loss");
  DifferentiationOptions gradient;
  gradient.primalResults = true;
  if (mlir::failed(differentiate(loss, gradient)))
    return 1;
  return printAndVerify(std::move(module), options, "loss_grad");
}

static int step(mlir::MLIRContext &context, LlamaModelConfig config,
                const ExampleOptions &options) {
  mlir::Builder b(&context);
  Graph g(context, "step");
  config.block.quantized = QuantizedFormat{.storage = b.getI8Type()};
  mlir::Value tokens = g.argument("tokens", {2, 1}, b.getI32Type());
  mlir::Value length = g.argument("length", {2}, b.getI32Type());
  mlir::Value table = g.argument("table", {2, 3}, b.getI32Type());
  mlir::Value seeds = g.argument("seeds", {2}, b.getI64Type());
  mlir::Value steps = g.argument("steps", {2}, b.getI64Type());
  std::vector<KvCache> caches;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    std::string name = "." + std::to_string(layer);
    llvm::SmallVector<int64_t> pages = {8, config.block.kvHeads, 4, config.block.headDim};
    caches.push_back({g.argument("keys" + name, pages, b.getF32Type()),
                      g.argument("values" + name, pages, b.getF32Type()), length, table});
  }
  LlamaModelWeights weights = llamaModelWeights(g, config, b.getF32Type());
  mlir::Value logits = g.lastToken(llamaModel(g, tokens, weights, config, caches));
  std::vector<mlir::Value> results = {logits, g.sample(logits, seeds, steps)};
  for (KvCache &cache : caches)
    results.insert(results.end(), {cache.keys, cache.values});
  return printAndVerify(g.finish(results), options);
}

int main(int argc, char **argv) {
  ExampleOptions options = parseExampleOptions(argc, argv);
  auto context = makeContext();
  LlamaModelConfig config{
      .block = {.hidden = 32, .heads = 4, .kvHeads = 2, .headDim = 8, .intermediate = 48},
      .layers = options.layers.value_or(2),
      .vocabulary = 50};
  return options.word == "train" ? train(*context, config, options)
                                 : step(*context, config, options);
}
