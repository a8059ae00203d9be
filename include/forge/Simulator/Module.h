// Kernels compiled for the simulator's machine.
#ifndef FORGE_SIMULATOR_MODULE_H
#define FORGE_SIMULATOR_MODULE_H

#include "forge/Simulator/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace forge::sim {

/// What is known of the chip `name` ("sm_90a", "gfx942"); nothing for a name we do not know.
std::optional<Chip> chipOf(llvm::StringRef name);

/// The kernels of one gpu.module, in machine code of this processor.
class Module {
public:
  ~Module();
  /// Compiles `module`, which is consumed: a module that holds one gpu.module, in the form of phase
  /// `gpu`.
  static Result<std::unique_ptr<Module>> compile(mlir::ModuleOp module, unsigned warpSize);
  /// The kernel of this name, or null.
  const Kernel *find(llvm::StringRef name) const;
  const llvm::StringMap<Kernel> &kernels() const { return byName; }

private:
  Module();
  std::vector<SiteInfo> sites;
  llvm::StringMap<Kernel> byName;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace forge::sim

#endif // FORGE_SIMULATOR_MODULE_H
