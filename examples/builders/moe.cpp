// Blocks with a mixture of experts, one or --layers, as Mixtral has: 2 of 8 experts per token.
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main(int argc, char **argv) {
  ExampleOptions options = parseExampleOptions(argc, argv);
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, "mixture");
  LlamaConfig attention{.hidden = 32, .heads = 4, .kvHeads = 2, .headDim = 8};
  MoeConfig experts{.hidden = 32, .experts = 8, .expertsPerToken = 2, .intermediate = 64};
  mlir::Value x = g.argument("hidden_states", {2, 5, 32}, b.getF32Type());
  for (int64_t layer = 0; layer < options.layers.value_or(1); ++layer) {
    std::string name = "model.layers." + std::to_string(layer) + ".";
    LlamaWeights attentionWeights = llamaWeights(g, name, attention, b.getF32Type());
    MoeWeights expertWeights = moeWeights(g, name + "block_sparse_moe.", experts, b.getF32Type());
    x = moeBlock(g, x, attentionWeights, attention, expertWeights, experts);
  }
  return printAndVerify(g.finish({x}), options);
}
