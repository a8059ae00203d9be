// Llama blocks, one or --layers: prefill of 6 tokens, and with `decode` one more token behind a
// cache of 16.
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main(int argc, char **argv) {
  ExampleOptions options = parseExampleOptions(argc, argv);
  bool decode = options.word == "decode";
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, decode ? "llama_decode" : "llama_prefill");
  LlamaConfig config{.hidden = 64, .heads = 8, .kvHeads = 2, .headDim = 8, .intermediate = 172};
  mlir::Value x = g.argument("hidden_states", {1, decode ? 1 : 6, config.hidden}, b.getF32Type());
  std::vector<mlir::Value> caches;
  mlir::Value length = decode ? g.argument("length", {1}, b.getI32Type()) : mlir::Value(), end;
  for (int64_t layer = 0; layer < options.layers.value_or(1); ++layer) {
    std::string number = std::to_string(layer);
    LlamaWeights weights =
        llamaWeights(g, "model.layers." + number + ".", config, b.getF32Type());
    if (!decode) {
      x = llamaBlock(g, x, weights, config);
      continue;
    }
    llvm::SmallVector<int64_t> shape = {1, config.kvHeads, 16, config.headDim};
    KvCache cache{g.argument("keys." + number, shape, b.getF32Type()),
                  g.argument("values." + number, shape, b.getF32Type()), length};
    x = llamaBlock(g, x, weights, config, &cache);
    caches.insert(caches.end(), {cache.keys, cache.values});
    end = cache.length;
  }
  std::vector<mlir::Value> results = {x};
  results.insert(results.end(), caches.begin(), caches.end());
  if (decode)
    results.push_back(end);
  return printAndVerify(g.finish(results), options);
}
