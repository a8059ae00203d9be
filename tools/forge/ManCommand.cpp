// forge man: the manual pages, made from the option definitions.
#include "Command.h"
#include "OptionTable.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

/// Text for roff: no line may start with a control character, and "-" must stay a minus sign.
static std::string roff(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return !result.empty() && (result[0] == '.' || result[0] == '\'') ? "\\&" + result : result;
}

static void printHeader(llvm::StringRef page, llvm::StringRef description, llvm::raw_ostream &os) {
  os << ".TH " << page.upper() << " 1 \"\" \"forge " FORGE_VERSION "\" \"Forge\"\n.SH NAME\n"
     << roff(page) << " \\- " << roff(description) << "\n";
}

static void printSynopsis(const CommandEntry &command, llvm::raw_ostream &os) {
  os << ".SH SYNOPSIS\n.B forge " << command.name << "\n";
  for (const OptionEntry &option : command.options) {
    if (option.names.empty())
      os << ".I " << roff(option.value) << "\n";
    else if (option.required)
      os << "\\fB" << roff(option.names.front()) << "\\fR \\fI" << roff(option.value) << "\\fR\n";
  }
  os << ".RI [ options ]\n";
}

static void printOptions(const CommandEntry &command, llvm::raw_ostream &os) {
  os << ".SH OPTIONS\n";
  for (const OptionEntry &option : command.options) {
    std::string names;
    for (const std::string &name : option.names)
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    os << ".TP\n"
       << names << (names.empty() ? "" : " ") << "\\fI" << roff(option.value) << "\\fR\n"
       << roff(option.description)
       << (option.repeats && !option.names.empty() ? " (may be repeated)" : "") << ".\n";
    if (!option.choices.empty() && !option.names.empty()) {
      os << "One of";
      for (const std::string &choice : option.choices)
        os << " " << roff(choice);
      os << ".\n";
    }
  }
}

static void printExitStatus(llvm::raw_ostream &os) {
  os << ".SH EXIT STATUS\n.TP\n0\nAll is well.\n.TP\n1\nThe work failed, or a result differs; the "
        "line on "
        "stderr says which, where and by how much.\n.TP\n2\nThe call was wrong.\n";
}

static void printMain(const CLI::App &app, const std::vector<CommandEntry> &commands,
                      llvm::raw_ostream &os) {
  printHeader("forge", "compiler for transformer models", os);
  os << ".SH SYNOPSIS\n.B forge\n.I command\n.RI [ arguments ]\n.SH DESCRIPTION\n"
     << roff(app.get_description()) << "\n.SH COMMANDS\n";
  for (const CommandEntry &command : commands)
    os << ".TP\n.BR forge\\-" << command.name << " (1)\n" << roff(command.description) << ".\n";
  printExitStatus(os);
}

static int printPage(const CLI::App &app, const std::string &name) {
  std::vector<CommandEntry> commands = tableOf(app);
  if (name.empty()) {
    printMain(app, commands, llvm::outs());
    return kSuccess;
  }
  for (const CommandEntry &command : commands) {
    if (command.name != name)
      continue;
    printHeader("forge-" + name, command.description, llvm::outs());
    printSynopsis(command, llvm::outs());
    printOptions(command, llvm::outs());
    printExitStatus(llvm::outs());
    llvm::outs() << ".SH SEE ALSO\n.BR forge (1)\n";
    return kSuccess;
  }
  return badCall("no command '" + name + "'");
}

Command tool::addManCommand(CLI::App &app) {
  auto page = std::make_shared<std::string>();
  CLI::App *sub = app.add_subcommand("man", "Print a manual page");
  sub->add_option("COMMAND", *page, "The command it is about; by default forge itself")
      ->option_text(" ");
  return {sub, [&app, page] { return printPage(app, *page); }};
}
