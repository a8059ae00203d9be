#include "forge/Simulator/Finding.h"

using namespace forge::sim;

const char *forge::sim::nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::Assertion:
    return "failed assertion";
  case FindingKind::BarrierDivergence:
    return "divergent barrier";
  case FindingKind::DataRace:
    return "data race";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::Endless:
    return "endless kernel";
  case FindingKind::InvalidOperation:
    return "invalid operation";
  case FindingKind::LaunchBounds:
    return "invalid launch";
  case FindingKind::Misaligned:
    return "misaligned access";
  case FindingKind::OutOfBounds:
    return "out-of-bounds access";
  case FindingKind::PendingCopy:
    return "access before the end of an asynchronous copy";
  case FindingKind::Uninitialised:
    return "read of uninitialised memory";
  }
  return "finding";
}

static std::string triple(const uint32_t (&id)[3]) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) +
         ")";
}

std::string Party::str() const {
  std::string text = operation.empty() ? "" : operation + " by ";
  text += "thread " + triple(thread) + " of block " + triple(block);
  return location.empty() ? text : text + " at " + location;
}

std::string Finding::str() const {
  std::string text = "kernel '" + kernel + "': " + nameOf(kind) + ": " + what;
  for (size_t i = 0; i < parties.size(); ++i)
    text += (i == 0 ? ": " : "; and ") + parties[i].str();
  return text;
}
