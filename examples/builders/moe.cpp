// A block with a mixture of experts, as Mixtral has: 2 of 8 experts per token.
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main() {
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, "mixture");
  LlamaConfig attention{.hidden = 32, .heads = 4, .kvHeads = 2, .headDim = 8};
  MoeConfig experts{.hidden = 32, .experts = 8, .expertsPerToken = 2, .intermediate = 64};
  mlir::Value x = g.argument("hidden_states", {2, 5, 32}, b.getF32Type());
  LlamaWeights attentionWeights = llamaWeights(g, "model.layers.0.", attention, b.getF32Type());
  MoeWeights expertWeights =
      moeWeights(g, "model.layers.0.block_sparse_moe.", experts, b.getF32Type());
  return printAndVerify(
      g.finish({moeBlock(g, x, attentionWeights, attention, expertWeights, experts)}));
}
