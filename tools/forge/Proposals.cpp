#include "Proposals.h"

#include "Command.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

void ProposeOptions::addTo(CLI::App &app) {
  CLI::Option *propose =
      app.add_option("--propose", url,
                     "Ask a language model for schedules, too: an OpenAI-compatible endpoint, with "
                     "FORGE_PROPOSE_MODEL and FORGE_PROPOSE_KEY in the environment")
          ->each([this](const std::string &) { isGiven = true; })
          ->option_text("URL");
  app.add_option("--transcript", transcript,
                 "Of --propose: what was asked, answered and rejected; default: "
                 "forge-proposals.json")
      ->check(isPath())
      ->needs(propose)
      ->option_text("FILE");
  app.add_option("--propose-timeout", timeout, "Of --propose: of each answer; default: 120")
      ->check(isNumber(0.001, 1e5))
      ->needs(propose)
      ->option_text("SECONDS");
}

static std::string fromEnvironment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Letters that a URL or a header's line cannot have: they would end it.
static bool hasControls(llvm::StringRef text) {
  return llvm::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; });
}

/// Says what an endpoint lacks, of which the search has no need.
static Result<std::optional<ChatEndpoint>> noEndpoint(const std::string &missing) {
  warn("no proposals: " + missing + "; the search goes on without");
  return std::optional<ChatEndpoint>();
}

Result<std::optional<ChatEndpoint>> tool::endpointOf(const ProposeOptions &options) {
  if (!options.isGiven)
    return std::optional<ChatEndpoint>();
  if (options.url.empty())
    return noEndpoint("the URL of --propose is empty");
  ChatEndpoint endpoint;
  endpoint.url = options.url;
  endpoint.model = fromEnvironment("FORGE_PROPOSE_MODEL");
  endpoint.key = fromEnvironment("FORGE_PROPOSE_KEY");
  endpoint.mostSeconds = options.timeout;
  llvm::StringRef url = endpoint.url;
  llvm::StringRef host = url.split("://").second.split('/').first;
  if (!(url.starts_with("http://") || url.starts_with("https://")) || hasControls(url) ||
      host.empty())
    return Error{"--propose: expected a URL, as http://127.0.0.1:8080/v1, but got '" + options.url +
                 "'"};
  if (host.contains('@'))
    return Error{"--propose: expected a URL without a password, which is in FORGE_PROPOSE_KEY"};
  if (hasControls(endpoint.key))
    return Error{"--propose: expected a key of one line in FORGE_PROPOSE_KEY"};
  if (endpoint.model.empty())
    return noEndpoint("FORGE_PROPOSE_MODEL names no model");
  return std::optional(std::move(endpoint));
}

static Json proposalJson(const Proposal &proposal) {
  Json json = {{"line", proposal.line}};
  if (proposal.schedule) {
    std::string text;
    llvm::raw_string_ostream(text) << proposal.schedule;
    json["schedule"] = text;
  }
  if (!proposal.rejection.empty())
    json["rejected"] = proposal.rejection;
  if (proposal.seconds)
    json["us"] = *proposal.seconds * 1e6;
  return json;
}

static Json exchangeJson(const Exchange &exchange) {
  Json json = {{"kernel", exchange.kernel},
               {"hash", exchange.hash},
               {"system", exchange.instructions},
               {"user", exchange.question},
               {"waited_s", exchange.waitedSeconds}};
  if (!exchange.error.empty()) {
    json["error"] = exchange.error;
    return json;
  }
  json["answer"] = exchange.answer;
  if (!exchange.remark.empty())
    json["remark"] = exchange.remark;
  json["proposals"] = Json::array();
  for (const Proposal &proposal : exchange.proposals)
    json["proposals"].push_back(proposalJson(proposal));
  return json;
}

Result<void> tool::writeTranscript(const TuneReport &report, const ChatEndpoint &endpoint,
                                   const std::string &path) {
  Json document = {{"url", endpoint.url},
                   {"model", endpoint.model},
                   {"times", report.basis == CostBasis::Predicted ? "predicted" : "measured"},
                   {"exchanges", Json::array()}};
  for (const Exchange &exchange : report.exchanges)
    document["exchanges"].push_back(exchangeJson(exchange));
  return writeFileAtomically(path,
                             document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}
