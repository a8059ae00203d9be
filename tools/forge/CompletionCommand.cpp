// forge completion: shell completion, made from the option definitions.
#include "Command.h"
#include "OptionTable.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

static std::string join(const std::vector<std::string> &words, const char *separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

/// Within single quotes of any shell.
static std::string quoted(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

static void printBash(const std::vector<CommandEntry> &commands, llvm::raw_ostream &os) {
  std::vector<std::string> names;
  for (const CommandEntry &command : commands)
    names.push_back(command.name);
  os << "# forge completion bash >/etc/bash_completion.d/forge\n"
        "# The words that begin with $word; bash replaces what is behind the last colon.\n"
        "_forge_offer() {\n"
        "  COMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n"
        "  if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then\n"
        "    COMPREPLY=(\"${COMPREPLY[@]#\"${word%:*}:\"}\")\n"
        "  fi\n"
        "}\n"
        "_forge() {\n"
        "  # Bash splits at '=' and ':', of which the latter is within words here.\n"
        "  local part words=() glue=\n"
        "  for part in \"${COMP_WORDS[@]:0:COMP_CWORD+1}\"; do\n"
        "    case $part in\n"
        "    '=') words+=('') glue=1 ;;\n"
        "    ':') words[-1]+=: glue=1 ;;\n"
        "    *) if [ \"$glue\" ]; then words[-1]+=$part glue=; else words+=(\"$part\"); fi ;;\n"
        "    esac\n"
        "  done\n"
        "  local word=${words[-1]} before=${words[-2]}\n"
        "  COMPREPLY=()\n"
        "  if [ \"${#words[@]}\" -eq 2 ]; then\n"
        "    _forge_offer '"
     << join(names, " ") << " --help --version'\n    return\n  fi\n"
     << "  case \"${words[1]} $before\" in\n";
  for (const CommandEntry &command : commands)
    for (const OptionEntry &option : command.options)
      if (!option.completions.empty() && !option.names.empty())
        for (const std::string &name : option.names)
          os << "  '" << command.name << " " << name << "') _forge_offer '"
             << join(option.completions, " ") << "'; return ;;\n";
  os << "  esac\n  if [[ $word != -* ]]; then\n    case \"${words[1]}\" in\n";
  for (const CommandEntry &command : commands)
    for (const OptionEntry &option : command.options)
      if (!option.completions.empty() && option.names.empty())
        os << "    " << command.name << ") _forge_offer '" << join(option.completions, " ")
           << "'; return ;;\n";
  os << "    esac\n    COMPREPLY=($(compgen -f -- \"$word\"))\n    return\n  fi\n"
     << "  case \"${words[1]}\" in\n";
  for (const CommandEntry &command : commands) {
    std::vector<std::string> words;
    for (const OptionEntry &option : command.options)
      words.insert(words.end(), option.names.begin(), option.names.end());
    os << "  " << command.name << ") _forge_offer '" << join(words, " ") << "' ;;\n";
  }
  os << "  esac\n}\ncomplete -o filenames -F _forge forge\n";
}

/// zsh's _arguments takes NAME[DESCRIPTION]:MESSAGE:ACTION, where brackets and colons are special.
static std::string zshEscaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += llvm::StringRef("[]:\\").contains(c) ? std::string("\\") + c : std::string(1, c);
  return result;
}

static void printZsh(const std::vector<CommandEntry> &commands, llvm::raw_ostream &os) {
  os << "#compdef forge\n# forge completion zsh >\"${fpath[1]}/_forge\"\n_forge() {\n  local -a "
        "commands\n"
        "  commands=(\n";
  for (const CommandEntry &command : commands)
    os << "    " << quoted(zshEscaped(command.name) + ":" + zshEscaped(command.description))
       << "\n";
  os << "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
        "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandEntry &command : commands) {
    os << "  " << command.name << ")\n    _arguments";
    for (const OptionEntry &option : command.options) {
      std::string action = option.completions.empty()
                               ? "_files"
                               : "(" + zshEscaped(join(option.completions, " ")) + ")";
      std::string value = option.value.empty() ? "" : ":" + zshEscaped(option.value) + ":" + action;
      if (option.names.empty())
        os << " \\\n      " << quoted("*" + value);
      for (const std::string &name : option.names)
        os << " \\\n      "
           << quoted("*" + name + "[" + zshEscaped(option.description) + "]" + value);
    }
    os << "\n    ;;\n";
  }
  os << "  esac\n}\n_forge \"$@\"\n";
}

static void printFish(const std::vector<CommandEntry> &commands, llvm::raw_ostream &os) {
  os << "# forge completion fish >~/.config/fish/completions/forge.fish\n";
  for (const CommandEntry &command : commands)
    os << "complete -c forge -n __fish_use_subcommand -f -a " << command.name << " -d "
       << quoted(command.description) << "\n";
  for (const CommandEntry &command : commands) {
    std::string condition = quoted("__fish_seen_subcommand_from " + command.name);
    for (const OptionEntry &option : command.options) {
      if (option.names.empty() && option.completions.empty())
        continue; // files are fish's default
      os << "complete -c forge -n " << condition;
      for (llvm::StringRef name : option.names)
        os << (name.starts_with("--") ? " -l " : " -s ") << name.ltrim('-');
      if (!option.completions.empty())
        os << " -x -a " << quoted(join(option.completions, " "));
      else if (!option.value.empty())
        os << " -r";
      os << " -d " << quoted(option.description) << "\n";
    }
  }
}

Command tool::addCompletionCommand(CLI::App &app) {
  auto shell = std::make_shared<std::string>();
  CLI::App *sub = app.add_subcommand("completion", "Print shell completion");
  sub->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text(" ");
  return {sub, [&app, shell] {
            std::vector<CommandEntry> commands = tableOf(app);
            if (*shell == "bash")
              printBash(commands, llvm::outs());
            else if (*shell == "zsh")
              printZsh(commands, llvm::outs());
            else
              printFish(commands, llvm::outs());
            return kSuccess;
          }};
}
