// Ctrl-C while text is made. No MLIR.
#ifndef FORGE_GENERATE_INTERRUPTFLAG_H
#define FORGE_GENERATE_INTERRUPTFLAG_H

#include <csignal>

namespace forge {

/// While alive the first SIGINT only sets a flag, unless it is ignored; a second one ends the
/// process. One at a time.
class InterruptFlag {
public:
  InterruptFlag();
  InterruptFlag(const InterruptFlag &) = delete;
  ~InterruptFlag();
  bool isSet() const;

private:
  struct sigaction before = {};
};

} // namespace forge

#endif // FORGE_GENERATE_INTERRUPTFLAG_H
