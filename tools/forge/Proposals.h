// forge tune --propose: the endpoint that is asked, and the transcript that is kept.
#ifndef FORGE_TOOLS_FORGE_PROPOSALS_H
#define FORGE_TOOLS_FORGE_PROPOSALS_H

#include "forge/Endpoint/ChatEndpoint.h"
#include "forge/Tune/Tune.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace forge::tool {

/// The options of --propose.
struct ProposeOptions {
  /// Whether --propose is there at all; its URL may be empty.
  bool isGiven = false;
  std::string url;
  std::string transcript = "forge-proposals.json";
  double timeout = 120;

  void addTo(CLI::App &app);
};

/// The endpoint that the options and the environment name: FORGE_PROPOSE_MODEL, and
/// FORGE_PROPOSE_KEY where it wants a key. Nothing without --propose, and, with a warning, where
/// the URL is empty or the model has no name: the search goes on without. Fails where they make no
/// sense.
Result<std::optional<ChatEndpoint>> endpointOf(const ProposeOptions &options);

/// Writes what was asked, answered and rejected, as JSON. The key is not in it.
Result<void> writeTranscript(const TuneReport &report, const ChatEndpoint &endpoint,
                             const std::string &path);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_PROPOSALS_H
