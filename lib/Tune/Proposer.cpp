#include "Proposer.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace forge;
using llvm::StringRef;

static constexpr llvm::StringLiteral kLineBegin = "kernel ";

/// "#forge.schedule<...>".
static std::string textOf(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

static std::optional<std::optional<double>> find(Proposer::Tried tried, ScheduleAttr schedule) {
  for (auto [other, seconds] : tried)
    if (other == schedule)
      return seconds;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// What does not change first: some servers keep what they computed for a beginning that they know.
std::string Proposer::question(Tried tried) const {
  std::string text = describeForProposals(kernel, explanation, chip);
  llvm::raw_string_ostream os(text);
  os << "\nSchedules that were tried, the first is in force, with microseconds of one launch:\n";
  for (auto [schedule, seconds] : tried) {
    os << "  " << schedule << ": ";
    if (seconds)
      os << llvm::format("%.4g\n", *seconds * 1e6);
    else
      os << "does not compile or run\n";
  }
  for (const Exchange &round : rounds) {
    if (!round.remark.empty())
      os << "Of an earlier answer: " << round.remark << "\n";
    for (const Proposal &proposal : round.proposals)
      if (!proposal.rejection.empty())
        os << "Rejected: " << proposal.line << "\n  because: " << proposal.rejection << "\n";
  }
  os << "\nPropose schedules for kernel " << explanation.hash << ".\n";
  return text;
}

/// Whether there was an answer.
bool Proposer::askOnce(Tried tried) {
  Exchange round;
  round.kernel = explanation.name;
  round.hash = explanation.hash;
  round.instructions = proposalInstructions();
  round.question = question(tried);
  auto begin = std::chrono::steady_clock::now();
  Result<std::string> answer = ask(round.instructions, round.question);
  round.waitedSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  waited += round.waitedSeconds;
  if (answer) {
    round.answer = std::move(*answer);
    readAnswer(round, tried);
  } else {
    failure = round.error = answer.error().message;
  }
  rounds.push_back(std::move(round));
  return failure.empty();
}

std::vector<ScheduleAttr> Proposer::propose(Tried tried) {
  settle(tried);
  while (failure.empty() && rounds.size() < kMostRounds && askOnce(tried)) {
    std::vector<ScheduleAttr> schedules;
    for (const Proposal &proposal : rounds.back().proposals)
      if (proposal.schedule)
        schedules.push_back(proposal.schedule);
    if (!schedules.empty())
      return schedules;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

bool Proposer::isProposed(ScheduleAttr schedule) const {
  return llvm::any_of(rounds, [&](const Exchange &round) {
    return llvm::any_of(round.proposals,
                        [&](const Proposal &proposal) { return proposal.schedule == schedule; });
  });
}

Proposal Proposer::readLine(StringRef line, Tried tried) const {
  Proposal proposal;
  proposal.line = line.take_front(kMostLetters).str();
  if (line.size() > kMostLetters) {
    proposal.rejection = "expected a line of at most " + std::to_string(kMostLetters) +
                         " letters, but got " + std::to_string(line.size());
    return proposal;
  }
  Result<ScheduleAttr> schedule = readProposal(line, kernel, explanation.hash, chip);
  if (!schedule)
    proposal.rejection = schedule.error().message;
  else if (find(tried, *schedule) || isProposed(*schedule))
    proposal.rejection = "it is " + textOf(*schedule) + ", which was tried before";
  else
    proposal.schedule = *schedule;
  return proposal;
}

/// Models put lists and code marks around what they were asked for.
void Proposer::readAnswer(Exchange &round, Tried tried) {
  size_t left = 0;
  for (StringRef rest = round.answer; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    line = line.trim(" \t\r`*-");
    if (!line.starts_with(kLineBegin))
      continue;
    if (round.proposals.size() == kMostProposals) {
      ++left;
      continue;
    }
    Proposal proposal = readLine(line, tried);
    auto isSame = [&](const Proposal &other) { return other.schedule == proposal.schedule; };
    if (proposal.schedule && llvm::any_of(round.proposals, isSame)) {
      proposal.rejection = "it is in this answer twice";
      proposal.schedule = nullptr;
    }
    round.proposals.push_back(std::move(proposal));
  }
  if (round.proposals.empty())
    round.remark = "expected lines as 'kernel HASH #forge.schedule<...>', but it has none";
  else if (left > 0)
    round.remark = "expected at most " + std::to_string(kMostProposals) + " schedules, but got " +
                   std::to_string(kMostProposals + left);
}

void Proposer::reject(ScheduleAttr schedule, const std::string &reason) {
  for (Exchange &round : rounds)
    for (Proposal &proposal : round.proposals)
      if (proposal.schedule == schedule && proposal.rejection.empty())
        proposal.rejection = reason;
}

void Proposer::settle(Tried tried) {
  for (Exchange &round : rounds)
    for (Proposal &proposal : round.proposals)
      if (proposal.schedule)
        if (std::optional<std::optional<double>> seconds = find(tried, proposal.schedule)) {
          proposal.seconds = *seconds;
          if (!*seconds && proposal.rejection.empty())
            proposal.rejection = "it does not compile or run";
        }
}
