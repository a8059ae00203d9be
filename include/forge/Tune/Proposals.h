// Schedules that a language model proposes for a kernel: what it is asked, what it says, and what
// comes of it.
#ifndef FORGE_TUNE_PROPOSALS_H
#define FORGE_TUNE_PROPOSALS_H

#include "forge/Codegen/Schedule.h"
#include "forge/Support/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace forge {

/// Asks a model a question under instructions, and waits for its answer.
using Asker = std::function<Result<std::string>(const std::string &instructions,
                                                const std::string &question)>;

/// A line of an answer that begins as a kernel's in a plan.
struct Proposal {
  std::string line;
  /// Complete; null where the line has none that fits the kernel.
  ScheduleAttr schedule;
  /// Why it was not measured, or empty.
  std::string rejection;
  /// Measured or predicted, like those of other schedules.
  std::optional<double> seconds;
};

/// A question about a kernel, and what came of it.
struct Exchange {
  std::string kernel, hash;
  std::string instructions, question;
  /// One of both is empty.
  std::string answer, error;
  double waitedSeconds = 0;
  std::vector<Proposal> proposals;
  /// Why the answer as a whole was of no use, or lines of it were not read; or empty.
  std::string remark;
};

} // namespace forge

#endif // FORGE_TUNE_PROPOSALS_H
