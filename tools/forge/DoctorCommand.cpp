// forge doctor: what this machine has, what is missing, and how to get it.
#include "Command.h"
#include "Machine.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;

static void printFindingsText(const std::vector<Finding> &findings) {
  size_t missing = 0;
  for (const Finding &finding : findings) {
    const char *state = finding.present ? "ok" : "missing";
    llvm::outs() << llvm::formatv("{0,-14}{1,-9}{2}\n", finding.name, state, finding.detail);
    if (finding.present)
      continue;
    ++missing;
    llvm::outs() << llvm::formatv("{0,-23}for {1}: {2}\n", "", finding.purpose, finding.remedy);
  }
  if (missing == 0)
    llvm::outs() << "nothing is missing\n";
  else
    llvm::outs() << missing << " of " << findings.size()
                 << " are missing; target cpu needs none of them\n";
}

static void printFindingsJson(const std::vector<Finding> &findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding &finding : findings)
    list.push_back({{"name", finding.name},
                    {"present", finding.present},
                    {"detail", finding.detail},
                    {"purpose", finding.purpose},
                    {"remedy", finding.present ? "" : finding.remedy}});
  llvm::outs() << list.dump(2) << "\n";
}

Command tool::addDoctorCommand(CLI::App &app) {
  auto asJson = std::make_shared<bool>(false);
  CLI::App *sub =
      app.add_subcommand("doctor", "What this machine has, what is missing, how to get it");
  sub->add_flag("--json", *asJson, "Print JSON");
  return {sub, [asJson] {
            std::vector<Finding> findings = examineMachine();
            (*asJson ? printFindingsJson : printFindingsText)(findings);
            return kSuccess;
          }};
}
