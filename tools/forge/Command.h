// What the subcommands of forge share: how each is declared, what it returns, how it reports.
#ifndef FORGE_TOOLS_FORGE_COMMAND_H
#define FORGE_TOOLS_FORGE_COMMAND_H

#include "../Validators.h"

#include "forge/Support/ErrorDetails.h"

#include <functional>
#include <string>

namespace forge::tool {

/// Exit statuses.
constexpr int kSuccess = 0;
constexpr int kFailed = 1;  // the work failed, or a result differs
constexpr int kBadCall = 2; // the call was wrong

/// A subcommand: its options, and what it does once they are parsed.
struct Command {
  CLI::App *app;
  std::function<int()> run;
};

// One file each: <Name>Command.cpp.
Command addRunCommand(CLI::App &app);
Command addGenerateCommand(CLI::App &app);
Command addPerplexityCommand(CLI::App &app);
Command addImportCommand(CLI::App &app);
Command addCompileCommand(CLI::App &app);
Command addVerifyCommand(CLI::App &app);
Command addExplainCommand(CLI::App &app);
Command addTuneCommand(CLI::App &app);
Command addFitCommand(CLI::App &app);
Command addBenchCommand(CLI::App &app);
Command addEvaluateCommand(CLI::App &app);
Command addMutateCommand(CLI::App &app);
Command addCoverageCommand(CLI::App &app);
Command addDoctorCommand(CLI::App &app);
Command addCompletionCommand(CLI::App &app);
Command addManCommand(CLI::App &app);

/// Prints "error: MESSAGE" to stderr, as formatDiagnostic writes it, and returns kFailed, or
/// kBadCall. What has no stage is of the command.
int fail(const std::string &message);
int badCall(const std::string &message);
/// Prints "warning: MESSAGE".
void warn(const std::string &message);
/// The same of errors and warnings of which more is known.
int failWith(DiagnosticText error);
void warnWith(DiagnosticText warning);

/// While there is one, errors of fail and badCall are kept and not printed.
class HeldErrors {
public:
  HeldErrors();
  HeldErrors(const HeldErrors &) = delete;
  ~HeldErrors();

  /// The first of them; empty where there is none.
  const std::string &first() const { return message; }

private:
  std::string message;
};

/// Of the command that runs: "run".
const std::string &commandName();

/// `status`, or kFailed with a message when what was printed did not arrive.
int finishOutput(int status);

/// The text of --version.
std::string versionText();

/// Runs a command; running out of memory and fatal errors of LLVM become one line and kFailed.
int runGuarded(const Command &command);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_COMMAND_H
