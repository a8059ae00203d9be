// The command line that all example programs share.
#ifndef FORGE_EXAMPLES_BUILDERS_OPTIONS_H
#define FORGE_EXAMPLES_BUILDERS_OPTIONS_H

#include "forge/Support/Result.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace forge {

struct ExampleOptions {
  std::vector<std::string> targets = {"cpu"};
  std::string tier = "hybrid";
  std::optional<int64_t> layers; ///< as the example has it unless given
  uint64_t seed = 0;
  int64_t count = 1; ///< models, of consecutive seeds
  std::string family, mode; ///< of random models; drawn unless given
  bool compileOnly = false;
  bool print = false;
  llvm::StringRef word; ///< the one argument that is no option
};

/// Reads the command line; ends the process with status 2 where it is wrong.
inline ExampleOptions parseExampleOptions(int argc, char **argv) {
  ExampleOptions options;
  auto badCall = [](const std::string &message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::exit(2);
  };
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef name = argv[i];
    auto next = [&]() -> llvm::StringRef {
      if (i + 1 == argc)
        badCall(name.str() + ": expected a value");
      return argv[++i];
    };
    auto number = [&](int64_t least) {
      llvm::StringRef text = next();
      int64_t value = 0;
      if (text.getAsInteger(10, value) || value < least)
        badCall(name.str() + ": expected a whole number from " + std::to_string(least) +
                ", but got '" + text.str() + "'");
      return value;
    };
    auto oneOf = [&](std::initializer_list<llvm::StringRef> words) {
      llvm::StringRef text = next();
      if (!llvm::is_contained(words, text))
        badCall(name.str() + ": expected " + llvm::join(words, ", ") + ", but got '" + text.str() +
                "'");
      return text.str();
    };
    if (name == "--target") {
      llvm::SmallVector<llvm::StringRef> names;
      next().split(names, ',');
      options.targets.assign(names.begin(), names.end());
    } else if (name == "--tier")
      options.tier = oneOf({"hybrid", "production", "optimized", "correctness"});
    else if (name == "--layers")
      options.layers = number(1);
    else if (name == "--seed")
      options.seed = static_cast<uint64_t>(number(0));
    else if (name == "--count")
      options.count = number(1);
    else if (name == "--family")
      options.family = oneOf({"llama", "gpt2", "moe"});
    else if (name == "--mode")
      options.mode = oneOf({"prefill", "decode", "train"});
    else if (name == "--compile")
      options.compileOnly = true;
    else if (name == "--print")
      options.print = true;
    else if (!name.starts_with("-") && options.word.empty())
      options.word = name;
    else
      badCall("unknown argument '" + name.str() + "'");
  }
  return options;
}

} // namespace forge

#endif // FORGE_EXAMPLES_BUILDERS_OPTIONS_H
