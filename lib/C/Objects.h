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

#include <memory>
#include <mutex>

namespace forge::capi {

/// An opened device, with what copies to and from it; kept as long as a buffer is on it.
struct OpenDevice {
  TargetDevice machine;
  std::string target, name;
  std::unique_ptr<rt::DeviceContext> device;
  rt::Context context;
  std::mutex copying;
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
  forge::Executable code;
  std::mutex running;

  forge_executable(std::shared_ptr<forge::capi::OpenDevice> device, forge::Executable code)
      : device(std::move(device)), code(std::move(code)) {}
};

struct forge_buffer {
  std::shared_ptr<forge::capi::OpenDevice> device;
  forge::rt::Resident tensor;
};

struct forge_results {
  std::vector<forge::HostTensor> tensors;
};

#endif // FORGE_LIB_C_OBJECTS_H
