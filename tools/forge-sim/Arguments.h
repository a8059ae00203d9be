// Arguments of a kernel, as the command line writes them.
#ifndef FORGE_TOOLS_FORGE_SIM_ARGUMENTS_H
#define FORGE_TOOLS_FORGE_SIM_ARGUMENTS_H

#include "forge/Simulator/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

/// A scalar ("i32=5"), device memory of its own ("f32[64]=iota", "i8[16]=uninitialised",
/// "f32[4]=1.5") or that of an earlier argument ("@0").
struct Argument {
  std::string type;
  uint64_t count = 0;
  /// The scalar, or the address.
  uint64_t bits = 0;
  bool isPointer = false;
};

/// Reads `text`, and allocates and fills the memory it asks for.
forge::Result<Argument> makeArgument(llvm::StringRef text, const std::vector<Argument> &earlier,
                                     forge::sim::Machine &machine);

/// Prints the elements of a buffer, in one line.
forge::Result<void> print(const Argument &argument, forge::sim::Machine &machine,
                          llvm::raw_ostream &stream);

#endif // FORGE_TOOLS_FORGE_SIM_ARGUMENTS_H
