// The bytes are a GGUF file with a model: a verified module, or an error of one line that names no
// key of config.json and no tensor of Hugging Face's checkpoints.
#include "forge/Import/HuggingFace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static mlir::MLIRContext context;
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  // A file without a folder.
  int file = memfd_create("model.gguf", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size))
    std::abort();
  std::string path = "/proc/self/fd/" + std::to_string(file);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = importHuggingFace(path, context);
  close(file);
  if (module) {
    if (failed(mlir::verify(**module)))
      std::abort();
    return 0;
  }
  const std::string &message = module.error().message;
  if (message.empty() || message.find('\n') != std::string::npos)
    std::abort();
  for (const char *key :
       {"hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim",
        "num_hidden_layers", "rope_scaling", "rope_theta", "rms_norm_eps", "self_attn"})
    // Unless the file itself has that word.
    if (message.find(key) != std::string::npos && bytes.find(key) == std::string_view::npos)
      std::abort();
  return 0;
}
