#include "Options.h"

#include "forge/Support/CommandLine.h"

#include <charconv>
#include <cstring>

using namespace forge;
using namespace forge::exec;

const char *const exec::usage =
    "usage: forge-exec MODULE.so [options]\n"
    "Runs a shared object made by `forge compile -o MODULE.so`.\n"
    "  --input FILE.npy ...   the arguments but weights, in order\n"
    "  --expect FILE.npy ...  what the results should be, in order\n"
    "  --tolerance FILE.npy ...  what each element of a result may be off by, in order, as\n"
    "                      forge run --save-tolerances measures it on the same inputs\n"
    "  --weights FOLDER    the folder of the files with weights (default: the one that each was\n"
    "                      compiled with, relative to the folder of MODULE.so)\n"
    "  --save FOLDER       write the results there, as out0.npy, out1.npy ...\n"
    "  --device N          the device's number (default: FORGE_DEVICE, or 0)\n"
    "  --random[=SEED]     draw the inputs: floats uniform in [-1, 1], integers 0 or 1\n"
    "  --time[=N]          time N runs (20), and then N runs by kernel\n"
    "  --verbose           print the largest differences and the tolerance, too\n"
    "  --json-diagnostics  print errors as JSON, an object a line\n"
    "  --info              print what the module takes and gives, and run nothing\n"
    "With a model that `forge compile FOLDER -o MODULE.so` made of a checkpoint's decoder:\n"
    "  --prompt TEXT       continue a text; --prompt TEXT --help has what else there is\n"
    "  --prompt-ids IDS    its tokens instead: 1,2,3\n"
    "  --prompts FILE      a file with a text on each line instead\n"
    "  --chat              the texts are messages; without them lines of standard input are\n"
    "Exit status: 0 all well, 1 the run failed or a result differs, 2 the call was wrong.\n";

static bool parseNumber(const char *text, int64_t &value) {
  const char *end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc() && stop == end && value >= 0;
}

bool exec::areForTexts(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view name(argv[i]);
    name = name.substr(0, name.find('='));
    if (name == "--prompt" || name == "--prompt-ids" || name == "--prompts" || name == "--chat")
      return true;
  }
  return false;
}

Result<Options> exec::parseOptions(int argc, char **argv) {
  static const std::vector<std::string> names = {"--input",  "--expect", "--tolerance", "--save",
                                                 "--device", "--random", "--time",      "--verbose",
                                                 "--info",   "--help",   "--weights",
                                                 "--json-diagnostics"};
  std::vector<std::string> arguments =
      repeatBeforeFiles({argv + 1, argv + argc}, {"--input", "--expect", "--tolerance"});
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    // "--name value" and "--name=value" alike.
    std::string name = arguments[i];
    const char *attached = nullptr;
    if (size_t equals = name.find('='); name.starts_with("--") && equals != std::string::npos) {
      attached = arguments[i].c_str() + equals + 1;
      name.resize(equals);
    }
    auto value = [&]() -> const char * {
      return attached ? attached : i + 1 < arguments.size() ? arguments[++i].c_str() : nullptr;
    };
    std::string *text = name == "--input"       ? &options.inputs.emplace_back()
                        : name == "--expect"    ? &options.expected.emplace_back()
                        : name == "--tolerance" ? &options.tolerances.emplace_back()
                        : name == "--save"      ? &options.saveFolder
                        : name == "--weights"   ? &options.weightsFolder
                                                : nullptr;
    if (text) {
      const char *given = value();
      if (!given)
        return Error{name + " needs a value"};
      *text = given;
    } else if (name == "--device") {
      const char *given = value();
      if (!given || !parseNumber(given, options.device))
        return Error{"expected a number for --device, but got " +
                     std::string(given ? given : "nothing")};
    } else if (name == "--time") {
      options.timedRuns = 20;
      if (attached && (!parseNumber(attached, options.timedRuns) || options.timedRuns == 0))
        return Error{"expected a number of runs for --time, but got " + std::string(attached)};
    } else if (name == "--random") {
      options.random = true;
      if (attached && !parseNumber(attached, options.seed))
        return Error{"expected a number for --random, but got " + std::string(attached)};
    } else if (name == "--info" || name == "--verbose" || name == "--help" || name == "-h" ||
               name == "--json-diagnostics") {
      (name == "--info"               ? options.info
       : name == "--verbose"          ? options.verbose
       : name == "--json-diagnostics" ? options.jsonDiagnostics
                                      : options.help) = true;
    } else if (name.starts_with("-")) {
      std::optional<std::string> meant = closestName(name, names);
      return Error{"unknown option " + name + (meant ? ", did you mean " + *meant + "?" : "")};
    } else if (!options.module.empty()) {
      return Error{"expected one module, but got " + options.module + " and " + name};
    } else {
      options.module = name;
    }
  }
  if (options.random && !options.inputs.empty())
    return Error{"expected --input or --random, but got both"};
  if (options.tolerances.size() > options.expected.size())
    return Error{"expected an --expect for every --tolerance"};
  if (options.module.empty() && !options.help)
    return Error{"expected a module"};
  return options;
}
