// forge: the driver people use. Each subcommand has its own file; see docs/cli.md.
#include "Main.h"
#include "Command.h"
#include "OptionTable.h"

#include "forge/Support/CommandLine.h"
#include "forge/Support/Crash.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Interrupt.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

using namespace forge;
using namespace forge::tool;

static constexpr char kJsonFlag[] = "--json-diagnostics";

static std::string didYouMean(const std::optional<std::string> &name) {
  return name ? ", did you mean '" + *name + "'?" : "";
}

static std::vector<std::string> commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CommandEntry &command : tableOf(app))
    names.push_back(command.name);
  return names;
}

/// The word where a subcommand is expected that names none; null if there is no such word.
static const char *unknownCommand(const CLI::App &app, int argc, char **argv) {
  if (!app.get_subcommands().empty())
    return nullptr;
  char **word = std::find_if(argv + 1, argv + argc, [](const char *a) { return a[0] != '-'; });
  if (word == argv + argc)
    return nullptr;
  auto named = app.get_subcommands([&](const CLI::App *sub) { return sub->check_name(*word); });
  return named.empty() ? *word : nullptr;
}

static int reportUnknownCommand(const CLI::App &app, const std::string &name) {
  return badCall("unknown command '" + name + "'" +
                 didYouMean(closestName(name, commandNames(app))) + " (see forge --help)");
}

/// What to say of the first argument that no option takes.
static std::string describeUnexpected(const CLI::App &app) {
  std::string argument = app.remaining(/*recurse=*/true).front();
  if (!argument.starts_with("-"))
    return "unexpected argument '" + argument + "'" +
           (argument.ends_with(".npy") ? ", did you mean '--input " + argument + "'?" : "");
  std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const CLI::App *sub : app.get_subcommands())
    for (const CLI::Option *option : sub->get_options())
      for (const std::string &known : option->get_lnames())
        names.push_back("--" + known);
  // "-input" is meant as "--input".
  std::string_view letters = std::string_view(name).substr(name.find_first_not_of('-', 1));
  return "unknown option '" + name + "'" +
         didYouMean(closestName("--" + std::string(letters), names));
}

/// One line instead of CLI11's two, and the exit status of a wrong call.
static int reportParseError(const CLI::App &app, const CLI::ParseError &error, int argc,
                            char **argv) {
  std::string help = "forge";
  for (const CLI::App *sub : app.get_subcommands())
    help += " " + sub->get_name();
  std::string message = error.what();
  char **first = std::find_if(argv + std::min(argc, 1), argv + argc, [](const char *argument) {
    return std::string_view(argument) != kJsonFlag;
  });
  if (help == "forge" && first != argv + argc)
    message = "unknown option '" + std::string(*first) + "'";
  else if (dynamic_cast<const CLI::ExtrasError *>(&error))
    message = describeUnexpected(app);
  else if (dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    message = message.substr(0, message.find(':')) + " needs a value";
  if (message.size() > 1 && !std::isupper(static_cast<unsigned char>(message[1])))
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  message = message.substr(0, message.find('\n'));
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  return badCall(message + " (see " + help + " --help)");
}

/// What the runtime takes from the environment, where it would pass over what it cannot read.
static std::optional<int> rejectEnvironment() {
  auto isNumber = [](std::string_view text) {
    return !text.empty() && text.size() < 19 &&
           text.find_first_not_of("0123456789") == std::string_view::npos &&
           text.find_first_not_of('0') != std::string_view::npos;
  };
  if (const char *limit = std::getenv("FORGE_MEMORY_LIMIT")) {
    std::string_view text = limit;
    if (!text.empty() && std::string_view("KMG").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
    if (!isNumber(text))
      return badCall(
          "FORGE_MEMORY_LIMIT: expected a number of bytes, with K, M or G behind it, but "
          "got '" +
          std::string(limit) + "'");
  }
  const char *threads = std::getenv("FORGE_NUM_THREADS");
  if (threads && !isNumber(threads))
    return badCall("FORGE_NUM_THREADS: expected a positive number, but got '" +
                   std::string(threads) + "'");
  std::string_view effort = std::getenv("FORGE_EFFORT") ? std::getenv("FORGE_EFFORT") : "full";
  if (effort != "full" && effort != "quick")
    return badCall("FORGE_EFFORT: expected full or quick, but got '" + std::string(effort) + "'");
  return std::nullopt;
}

int tool::runForge(int argc, char **argv) {
  installInterruptHandler();
  installCrashHandler();
  CLI::App app(
      "Forge compiles transformer models, runs them, and shows that the results are right.",
      "forge");
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText(), "Print the version");
  const Command commands[] = {
      addRunCommand(app),        addGenerateCommand(app), addPerplexityCommand(app),
      addImportCommand(app),     addCompileCommand(app),  addVerifyCommand(app),
      addExplainCommand(app),    addTuneCommand(app),     addFitCommand(app),
      addBenchCommand(app),      addEvaluateCommand(app), addMutateCommand(app),
      addCoverageCommand(app),   addDoctorCommand(app),   addCompletionCommand(app),
      addManCommand(app)};
  // Of all commands, before or behind their names; it is in force from the first error on.
  setJsonDiagnostics(std::any_of(argv + std::min(argc, 1), argv + argc, [](const char *argument) {
    return std::string_view(argument) == kJsonFlag;
  }));
  auto addJsonFlag = [](CLI::App &to) {
    to.add_flag(kJsonFlag, [](int64_t) {}, "Print errors and warnings as JSON, an object a line");
  };
  addJsonFlag(app);
  for (const Command &command : commands)
    addJsonFlag(*command.app);
  try {
    std::vector<std::string> arguments =
        repeatBeforeFiles({argv + 1, argv + argc}, {"--input", "--expect"});
    // CLI11 takes "--option=" for one without a value, and wants the words backwards.
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].size() > 3 && arguments[i].starts_with("--") &&
          arguments[i].ends_with("=")) {
        arguments[i].pop_back();
        arguments.insert(arguments.begin() + i + 1, "");
      }
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  } catch (const CLI::Success &request) { // --help, --version
    if (const char *unknown = unknownCommand(app, argc, argv))
      return reportUnknownCommand(app, unknown);
    std::ostringstream text;
    app.exit(request, text, text);
    llvm::outs() << text.str();
    return finishOutput(kSuccess);
  } catch (const CLI::ParseError &error) {
    if (const char *unknown = unknownCommand(app, argc, argv))
      return reportUnknownCommand(app, unknown);
    return reportParseError(app, error, argc, argv);
  }
  if (std::optional<int> status = rejectEnvironment())
    return *status;
  for (const Command &command : commands)
    if (command.app->parsed())
      return runGuarded(command);
  return kBadCall;
}
