// A Llama block: prefill of 6 tokens, and with `decode` one more token behind a cache of 16.
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main(int argc, char **argv) {
  bool decode = argc > 1 && llvm::StringRef(argv[1]) == "decode";
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, decode ? "llama_decode" : "llama_prefill");
  LlamaConfig config{.hidden = 64, .heads = 8, .kvHeads = 2, .headDim = 8, .intermediate = 172};
  mlir::Value x = g.argument("hidden_states", {1, decode ? 1 : 6, config.hidden}, b.getF32Type());
  LlamaWeights weights = llamaWeights(g, "model.layers.0.", config, b.getF32Type());
  if (!decode)
    return printAndVerify(g.finish({llamaBlock(g, x, weights, config)}));

  KvCache cache{g.argument("keys", {1, config.kvHeads, 16, config.headDim}, b.getF32Type()),
                g.argument("values", {1, config.kvHeads, 16, config.headDim}, b.getF32Type()),
                g.argument("length", {1}, b.getI32Type())};
  mlir::Value y = llamaBlock(g, x, weights, config, &cache);
  return printAndVerify(g.finish({y, cache.keys, cache.values, cache.length}));
}
