// A GPT-2 block with weights as Hugging Face stores them, [in, out].
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main() {
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, "gpt2");
  Gpt2Config config{.hidden = 48, .heads = 4, .intermediate = 192, .layout = WeightLayout::InOut};
  mlir::Value x = g.argument("hidden_states", {2, 7, config.hidden}, b.getF32Type());
  Gpt2Weights weights = gpt2Weights(g, "h.0.", config, b.getF32Type());
  return printAndVerify(g.finish({gpt2Block(g, x, weights, config)}));
}
