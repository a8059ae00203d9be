#include "OptionTable.h"

#include "forge/Codegen/Target.h"

#include "llvm/ADT/StringExtras.h"

using namespace forge;
using namespace forge::tool;

/// CLI::IsMember describes itself within the type name: "TEXT:{a,b,c}".
static std::vector<std::string> choicesOf(const CLI::Option &option) {
  std::string typeName = option.get_type_name();
  llvm::StringRef list = llvm::StringRef(typeName).split('{').second.split('}').first;
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

static std::vector<std::string> targets() {
  std::vector<std::string> names = {"cpu", "cuda", "hip"};
  for (const GPUChip &chip : gpuChips())
    for (llvm::StringRef driver : {"cuda", "hip", "sim"})
      if (Result<Target> target = Target::parse((driver + ":" + chip.name).str()))
        names.push_back(target->text());
  return names;
}

/// Values of the kind that the help text names.
static std::vector<std::string> completionsOf(const OptionEntry &entry, const CLI::App &app) {
  if (!entry.choices.empty())
    return entry.choices;
  if (entry.value == "TARGET")
    return targets();
  std::vector<std::string> commands;
  if (entry.value == "COMMAND")
    for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; }))
      commands.push_back(sub->get_name());
  return commands;
}

static OptionEntry entryOf(const CLI::Option &option, const CLI::App &app) {
  OptionEntry entry;
  if (!option.get_positional()) {
    for (const std::string &name : option.get_lnames())
      entry.names.push_back("--" + name);
    for (const std::string &name : option.get_snames())
      entry.names.push_back("-" + name);
  }
  bool takesValue = option.get_items_expected_max() > 0;
  if (option.get_positional())
    entry.value = option.get_name(/*positional=*/true);
  else if (takesValue)
    entry.value = option.get_option_text();
  entry.description = option.get_description();
  entry.choices = choicesOf(option);
  entry.completions = completionsOf(entry, app);
  entry.required = option.get_required();
  entry.repeats = option.get_items_expected_max() > 1;
  entry.defaultValue = option.get_default_str();
  return entry;
}

std::vector<CommandEntry> tool::tableOf(const CLI::App &app) {
  std::vector<CommandEntry> commands;
  for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; })) {
    CommandEntry command{sub->get_name(), sub->get_description(), {}};
    for (bool positional : {true, false})
      for (const CLI::Option *option : sub->get_options())
        if (option->get_positional() == positional)
          command.options.push_back(entryOf(*option, app));
    commands.push_back(std::move(command));
  }
  return commands;
}
