#include "CPUDevice.h"

#include "forge/Runtime/ImmediateStream.h"

#include <cstring>

using namespace forge;
using namespace forge::rt;

namespace {
template <typename T> void fillWith(void *target, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; ++i)
    static_cast<T *>(target)[i] = static_cast<T>(value);
}

class CPUStream final : public ImmediateStream {
public:
  explicit CPUStream(std::shared_ptr<CPUDevice> device) : owner(std::move(device)) {}
  Device &device() override { return *owner; }

  Result<void> copyToDevice(void *target, const void *source, size_t bytes) override {
    return copy(target, source, bytes, target, "copyToDevice");
  }
  Result<void> copyToHost(void *target, const void *source, size_t bytes) override {
    return copy(target, source, bytes, source, "copyToHost");
  }
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override {
    return copyRows(target, bytes, source, bytes, bytes, 1);
  }

private:
  Result<void> copy(void *target, const void *source, size_t bytes, const void *onDevice,
                    const char *what) {
    if (Result<void> ok = owner->memory.check(onDevice, bytes, what); !ok)
      return ok;
    return enqueue([=] { return copyBytes(target, source, bytes); });
  }

  Result<void> enqueueRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                           size_t bytes, size_t rows) override {
    auto span = [&](size_t pitch) { return pitch * (rows - 1) + bytes; };
    for (auto [pointer, pitch] : {std::pair<const void *, size_t>(target, targetPitch),
                                  std::pair<const void *, size_t>(source, sourcePitch)})
      if (Result<void> ok = owner->memory.check(pointer, span(pitch), "copyOnDevice"); !ok)
        return ok;
    return enqueue([=]() -> Result<void> {
      for (size_t row = 0; row < rows; ++row)
        (void)copyBytes(static_cast<char *>(target) + row * targetPitch,
                        static_cast<const char *>(source) + row * sourcePitch, bytes);
      return {};
    });
  }

  Result<void> enqueueFill(void *target, uint32_t value, size_t elementBytes,
                           size_t count) override {
    if (Result<void> ok = owner->memory.check(target, count * elementBytes, "fill"); !ok)
      return ok;
    return enqueue([=]() -> Result<void> {
      if (elementBytes == 1)
        fillWith<uint8_t>(target, value, count);
      else if (elementBytes == 2)
        fillWith<uint16_t>(target, value, count);
      else
        fillWith<uint32_t>(target, value, count);
      return {};
    });
  }

  std::vector<size_t> argumentBytes(Kernel &kernel) override {
    const auto &sizes = static_cast<CPUKernel &>(kernel).argumentSizes();
    return {sizes.begin(), sizes.end()};
  }

  Result<void> run(Kernel &kernel, const Launch &launch) override {
    static_cast<CPUKernel &>(kernel).run(launch);
    return {};
  }

  static Result<void> copyBytes(void *target, const void *source, size_t bytes) {
    if (bytes)
      std::memcpy(target, source, bytes);
    return {};
  }

  std::shared_ptr<CPUDevice> owner;
};
} // namespace

Result<std::unique_ptr<Stream>> forge::rt::createCPUStream(std::shared_ptr<CPUDevice> device) {
  return std::unique_ptr<Stream>(new CPUStream(std::move(device)));
}
