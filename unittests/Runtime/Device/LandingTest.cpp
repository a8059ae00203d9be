// Conformance: host memory that results are copied to while the host goes on.
#include "ConformanceFixture.h"

#include "forge/Runtime/Landing.h"

using namespace forge;
using namespace forge::test;
using rt::Landing;

namespace {
class LandingTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(LandingTest);

TEST_P(LandingTest, IsWhereCopiesAreBehindItsEvent) {
  std::unique_ptr<rt::Stream> stream = std::move(*device->createStream());
  Result<void *> memory = device->allocate(64);
  ASSERT_OK(memory);
  std::vector<char> there(64);
  for (size_t i = 0; i < there.size(); ++i)
    there[i] = static_cast<char>(i);
  ASSERT_OK(stream->copyToDevice(*memory, there.data(), there.size()));
  Result<std::unique_ptr<Landing>> landing = Landing::create(*device, 64);
  ASSERT_OK(landing);
  ASSERT_OK(stream->copyToHost((*landing)->memory(), *memory, 64));
  ASSERT_OK(stream->record((*landing)->reached()));
  ASSERT_OK((*landing)->reached().synchronize());
  EXPECT_EQ(std::vector<char>((*landing)->memory(), (*landing)->memory() + 64), there);
  EXPECT_OK(device->release(*memory));
}

TEST_P(LandingTest, IsUsedAgainWhereItIsLargeEnough) {
  rt::Landings landings;
  Result<std::unique_ptr<Landing>> first = landings.take(*device, 64),
                                   second = landings.take(*device, 0);
  ASSERT_OK(first);
  ASSERT_OK(second);
  EXPECT_NE(first->get(), second->get());
  EXPECT_EQ((*second)->memory(), nullptr);
  Landing *large = first->get();
  landings.giveBack(std::move(*first));
  Result<std::unique_ptr<Landing>> larger = landings.take(*device, 65),
                                   smaller = landings.take(*device, 8);
  ASSERT_OK(larger);
  ASSERT_OK(smaller);
  EXPECT_NE(larger->get(), large);
  EXPECT_EQ(smaller->get(), large);
  EXPECT_TRUE((*smaller)->isFor(*device));
}
