// The keys of config.json that say which weights are narrow, and how.
#include "Config.h"

using namespace forge;
using namespace forge::huggingface;
using nlohmann::json;

QuantizationConfig Config::quantization() {
  QuantizationConfig result;
  const char *key = "quantization_config";
  const json *given = find(key);
  if (!given)
    return result;
  if (!given->is_object()) {
    fail(key, "an object");
    return result;
  }
  Config part(*given);
  part.prefix = prefix + key + ".";
  std::string method = part.text("quant_method");
  if (method == "mxfp4") {
    result.mxfp4 = true;
  } else if (method == "fp8") {
    if (part.text("fmt", "e4m3") != "e4m3")
      part.fail("fmt", "e4m3");
    std::vector<int64_t> block = part.numbers("weight_block_size");
    if (block.size() != 2 || block[0] < 1 || block[1] < 1)
      part.fail("weight_block_size", "two sizes of 1 or more");
    else
      result.f8Block = {block[0], block[1]};
  } else {
    part.fail("quant_method", "fp8 or mxfp4");
  }
  if (message.empty())
    message = part.message;
  return result;
}
