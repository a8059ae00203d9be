#include "GenerateOptions.h"

#include "Validators.h"

using namespace forge;

void tool::addGenerateOptions(CLI::App &app, GenerateRequest &request) {
  app.add_option("--prompt", request.prompts,
                 "The text; several are computed together, each by an option of its own")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  app.add_option("--prompt-ids", request.promptIds, "Its tokens instead: 1,2,3; may be repeated")
      ->option_text("IDS")
      ->allow_extra_args(false);
  app.add_option("--prompts", request.promptsFile,
                 "A file with a text on each line instead; - is standard input")
      ->check(isPath())
      ->option_text("FILE");
  CLI::Option *chat = app.add_flag(
      "--chat", request.chat,
      "A prompt is the message of a user, by the checkpoint's chat template; without a "
      "prompt each line of standard input is, and the model replies to it");
  chat->excludes("--prompt-ids");
  app.add_option("--system", request.system, "A message before it, of how to behave")
      ->needs(chat)
      ->option_text("TEXT");
  app.add_option("--max-new-tokens", request.newTokens, "How many tokens are added at most")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N")
      ->capture_default_str();
  app.add_flag("--ignore-eos", request.ignoreEnd, "Go on behind tokens that end a text");
  app.add_option("--stop", request.stops, "End before this text; may be repeated")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  app.add_option("--temperature", request.temperature,
                 "Draw tokens at random; logits are divided by T. Without this and the next "
                 "three options the most likely token is taken")
      ->check(isNumber(0, 1e6))
      ->option_text("T");
  app.add_option("--top-k", request.topK, "Draw from the K most likely tokens")
      ->check(CLI::Range(1, INT32_MAX))
      ->option_text("K");
  app.add_option("--top-p", request.topP,
                 "Draw from the most likely tokens whose probabilities sum to P")
      ->check(isNumber(0, 1))
      ->option_text("P");
  app.add_option("--seed", request.seed, "Of the random numbers; default: 0")
      ->check(isNaturalNumber())
      ->option_text("N");
  app.add_flag("--json", request.json,
               "Print one object instead of the text: tokens (prompt and new), text, times, rates");
}

std::string tool::whyNoPrompts(const GenerateRequest &request) {
  int kinds = !request.prompts.empty() + !request.promptIds.empty() + !request.promptsFile.empty();
  return kinds == 1 || request.isConversation()
             ? ""
             : "expected --prompt, --prompt-ids or --prompts, one of them, or --chat";
}
