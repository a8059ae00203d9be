// Conformance: runs on streams of their own, in the order in which they are begun.
#include "ConformanceFixture.h"

#include "forge/Runtime/RunOrder.h"

using namespace forge;
using namespace forge::test;
using rt::Event;
using rt::RunOrder;
using rt::Stream;

namespace {
/// Two streams, and memory that runs on both of them read and write.
class RunOrderTest : public DeviceTest {
protected:
  static constexpr size_t kBytes = 64;

  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped())
      return;
    first = std::move(*device->createStream());
    second = std::move(*device->createStream());
    Result<void *> made = device->allocate(kBytes);
    ASSERT_OK(made);
    memory = *made;
  }
  void TearDown() override {
    if (memory)
      EXPECT_OK(device->release(memory));
    DeviceTest::TearDown();
  }
  /// A run that writes `value`.
  void begin(Stream &stream, unsigned char value) {
    ASSERT_OK(order.follow(stream));
    ASSERT_OK(stream.fill(memory, value, 1, kBytes));
    std::shared_ptr<Event> end = std::move(*device->createEvent(/*timed=*/false));
    ASSERT_OK(stream.record(*end));
    order.begun(stream, end);
  }
  /// What a run on `stream` reads.
  std::vector<unsigned char> read(Stream &stream) {
    std::vector<unsigned char> there(kBytes);
    EXPECT_OK(order.follow(stream));
    EXPECT_OK(stream.copyToHost(there.data(), memory, kBytes));
    EXPECT_OK(stream.synchronize());
    return there;
  }
  static std::vector<unsigned char> all(unsigned char value) {
    return std::vector<unsigned char>(kBytes, value);
  }

  RunOrder order;
  std::unique_ptr<Stream> first, second;
  void *memory = nullptr;
};
} // namespace
FORGE_FOR_ALL_DEVICES(RunOrderTest);

TEST_P(RunOrderTest, WaitsForTheLastRunOfAnotherStream) {
  begin(*first, 1);
  EXPECT_EQ(read(*second), all(1));
}

TEST_P(RunOrderTest, IsAChainOverStreams) {
  begin(*first, 1);
  begin(*second, 2);
  begin(*first, 3);
  begin(*second, 4);
  EXPECT_EQ(read(*first), all(4));
  begin(*second, 5);
  begin(*second, 6);
  EXPECT_EQ(read(*second), all(6));
}

TEST_P(RunOrderTest, WithoutRunsThereIsNothingToWaitFor) {
  EXPECT_OK(order.follow(*first));
  ASSERT_OK(first->fill(memory, 9, 1, kBytes));
  EXPECT_EQ(read(*first), all(9));
}
