// GPT-2 blocks, one or --layers, with weights as Hugging Face stores them, [in, out].
#include "Example.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace forge;
using namespace forge::transformer;

int main(int argc, char **argv) {
  ExampleOptions options = parseExampleOptions(argc, argv);
  auto context = makeContext();
  mlir::Builder b(context.get());

  Graph g(*context, "gpt2");
  Gpt2Config config{.hidden = 48, .heads = 4, .intermediate = 192, .layout = WeightLayout::InOut};
  mlir::Value x = g.argument("hidden_states", {2, 7, config.hidden}, b.getF32Type());
  for (int64_t layer = 0; layer < options.layers.value_or(1); ++layer) {
    Gpt2Weights weights =
        gpt2Weights(g, "h." + std::to_string(layer) + ".", config, b.getF32Type());
    x = gpt2Block(g, x, weights, config);
  }
  return printAndVerify(g.finish({x}), options);
}
