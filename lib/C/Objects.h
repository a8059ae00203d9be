// What the handles of forge/C/Forge.h hold.
#ifndef FORGE_LIB_C_OBJECTS_H
#define FORGE_LIB_C_OBJECTS_H

#include "Values.h"

#include "forge/C/Forge.h"
#include "forge/Execution/Executable.h"
#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/Resident.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace forge {
class LineDiagnostics;
}

namespace forge::capi {

/// The first error of `diagnostics` behind its place; `otherwise` where there is none.
Error locatedError(const LineDiagnostics &diagnostics, llvm::StringRef otherwise);

/// An opened device, with what copies to and from it; kept as long as a buffer is on it.
struct OpenDevice {
  TargetDevice machine;
  std::string target, name;
  std::unique_ptr<rt::DeviceContext> device;
  rt::Context context;
  std::mutex copying;
};

/// Compiled code, which runs in one thread at a time. Between runs it gives back the memory of its
/// temporaries when the device has no more.
class SharedCode final : public rt::MemoryHolder {
public:
  explicit SharedCode(Executable code) : code(std::move(code)) {}

  const Executable &get() const { return code; }
  template <typename Function> auto run(Function function) {
    std::lock_guard<std::mutex> lock(running);
    struct Busy {
      explicit Busy(std::atomic<bool> &flag) : flag(flag) { flag = true; }
      ~Busy() { flag = false; }
      std::atomic<bool> &flag;
    } here(busy);
    return function(code);
  }
  bool giveBack() override {
    // The thread that asks may be the one that runs this.
    if (busy)
      return false;
    std::unique_lock<std::mutex> lock(running, std::try_to_lock);
    return lock && code.giveBack();
  }

private:
  Executable code;
  std::mutex running;
  std::atomic<bool> busy = false;
};

} // namespace forge::capi

struct forge_device {
  std::shared_ptr<forge::capi::OpenDevice> open;
};

struct forge_module {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::mutex reading;

  forge_module(const mlir::DialectRegistry &registry, mlir::MLIRContext::Threading threading)
      : context(registry, threading) {}
};

struct forge_executable {
  std::shared_ptr<forge::capi::OpenDevice> device;
  std::shared_ptr<forge::capi::SharedCode> code;

  forge_executable(std::shared_ptr<forge::capi::OpenDevice> opened, forge::Executable compiled)
      : device(std::move(opened)),
        code(std::make_shared<forge::capi::SharedCode>(std::move(compiled))) {
    if (device->machine.device)
      device->machine.device->addHolder(code);
  }
};

struct forge_buffer {
  std::shared_ptr<forge::capi::OpenDevice> device;
  forge::rt::Resident tensor;
};

struct forge_results {
  std::vector<forge::HostTensor> tensors;
};

#endif // FORGE_LIB_C_OBJECTS_H
