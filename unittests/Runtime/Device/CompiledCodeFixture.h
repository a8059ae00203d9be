// A test that does what compiled host code does: inside of an execution context on a device, it
// calls the C functions of the runtime.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_COMPILEDCODEFIXTURE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_COMPILEDCODEFIXTURE_H

#include "ConformanceFixture.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceABI.h"
#include "forge/Runtime/DeviceContext.h"

#include <functional>

namespace forge::test {

class CompiledCodeTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    Result<std::string> bytes = GetParam().kernels(device->properties());
    ASSERT_OK(bytes);
    code = *bytes;
    auto made = rt::DeviceContext::create(device);
    ASSERT_OK(made);
    onDevice = std::move(*made);
    context.setDevice(onDevice.get());
  }

  /// Runs `body` as compiled code runs.
  Result<void> run(std::function<void()> body) {
    if (Result<void> ready = onDevice->beginRun(); !ready)
      return ready;
    void *args[] = {&body};
    Result<void> done =
        context.run([](void **args) { (*static_cast<std::function<void()> *>(args[0]))(); }, args);
    Result<void> ended = onDevice->endRun();
    return done ? ended : done;
  }

  void *function(const char *name) {
    void *loaded =
        forge_rt_device_module(code.data(), static_cast<int64_t>(code.size()), "conformance");
    return forge_rt_device_kernel(loaded, name);
  }
  template <typename... Arguments>
  void go(const char *name, int64_t grid, int64_t block, Arguments... arguments) {
    void *pointers[] = {&arguments...};
    forge_rt_launch(function(name), grid, 1, 1, block, 1, 1, 0, pointers, sizeof...(arguments),
                    "rows; tensor<1000xf32>");
  }

  std::string code;
  std::unique_ptr<rt::DeviceContext> onDevice;
  rt::Context context;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_COMPILEDCODEFIXTURE_H
