// What an interrupted process takes with it: temporary files, by their paths. No MLIR.
#ifndef FORGE_SUPPORT_INTERRUPT_H
#define FORGE_SUPPORT_INTERRUPT_H

#include <string>

namespace forge {

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE and SIGXCPU, where they would end the
/// process, remove what removeOnInterrupt names first; and a file that grows beyond the limit on
/// file sizes is an error of the write, not the end (SIGXFSZ). For programs, not for libraries.
void installInterruptHandler();

/// Names a file, or a folder that is empty but for files named too. At most 256 at a time; more are
/// not remembered.
void removeOnInterrupt(const std::string &path);

/// Removes what is named, as a handler of signals may.
void removeTemporaries();

/// Takes a name back: the file is where it belongs, or gone.
void forgetOnInterrupt(const std::string &path);

} // namespace forge

#endif // FORGE_SUPPORT_INTERRUPT_H
