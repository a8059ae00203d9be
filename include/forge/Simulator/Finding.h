// What the simulator reports: a defect of a kernel, where it is and who takes part.
#ifndef FORGE_SIMULATOR_FINDING_H
#define FORGE_SIMULATOR_FINDING_H

#include <cstdint>
#include <string>
#include <vector>

namespace forge::sim {

enum class FindingKind {
  Assertion,
  BarrierDivergence,
  DataRace,
  Deadlock,
  Endless,
  InvalidOperation,
  LaunchBounds,
  Misaligned,
  OutOfBounds,
  PendingCopy,
  Uninitialised,
};

/// "data race", "out-of-bounds access" ...
const char *nameOf(FindingKind kind);

/// A thread of the launch, and the operation it is at.
struct Party {
  uint32_t block[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
  std::string operation, location;
  /// "llvm.load by thread (3,0,0) of block (0,0,0) at k.mlir:12:5"
  std::string str() const;
};

struct Finding {
  FindingKind kind = FindingKind::InvalidOperation;
  std::string kernel;
  /// What is wrong, without who and where: "4 bytes at offset 128 of shared memory".
  std::string what;
  /// The thread that was running first, then the other ones that take part. None for a launch that
  /// did not start.
  std::vector<Party> parties;
  /// All of it in one line.
  std::string str() const;
};

} // namespace forge::sim

#endif // FORGE_SIMULATOR_FINDING_H
