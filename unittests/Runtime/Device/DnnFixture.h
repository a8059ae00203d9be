// What the vendor's library of neural networks is handed, and what it gives back.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_DNNFIXTURE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_DNNFIXTURE_H

#include "ConformanceFixture.h"

#include "forge/Runtime/VendorDnn.h"
#include "forge/Support/HostTensor.h"

namespace forge::test {

class DnnTest : public DeviceTest {
protected:
  void SetUp() override;
  void TearDown() override;

  /// An operand: its elements in memory, and where they are by index.
  struct Operand {
    rt::DnnTensor tensor;
    HostTensor memory;

    using Index = std::vector<int64_t>;
    double at(const Index &index) const { return memory.getDouble(offsetOf(index)); }
    void set(const Index &index, double value) { memory.setDouble(offsetOf(index), value); }

  private:
    int64_t offsetOf(const Index &index) const;
  };

  /// All operands, uniform in [-1, 1), results zero.
  std::vector<Operand> draw(const rt::DnnCall &call);
  /// Runs the call and fetches its results into the operands that are written.
  void run(const rt::DnnCall &call, std::vector<Operand> &operands);

  std::unique_ptr<rt::VendorDnn> library;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_DNNFIXTURE_H
