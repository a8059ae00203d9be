// Which drivers there are, and what a target names. No device needed.
#include "forge/Runtime/DeviceRegistry.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace forge;
using namespace forge::rt;

static DeviceProperties chip(const char *name) {
  DeviceProperties properties;
  properties.chip = name;
  return properties;
}

TEST(DeviceRegistry, CodeRunsOnItsChip) {
  EXPECT_TRUE(runsOn("sm_90a", chip("sm_90a")));
  EXPECT_TRUE(runsOn("sm_90", chip("sm_90a")));
  EXPECT_TRUE(runsOn("sm_80", chip("sm_86")));
  EXPECT_FALSE(runsOn("sm_86", chip("sm_80")));
  EXPECT_FALSE(runsOn("sm_80", chip("sm_90a")));
  EXPECT_FALSE(runsOn("sm_90a", chip("sm_100a")));
  EXPECT_TRUE(runsOn("gfx942", chip("gfx942")));
  EXPECT_FALSE(runsOn("gfx90a", chip("gfx942")));
  EXPECT_FALSE(runsOn("sm_", chip("sm_80")));
}

TEST(DeviceRegistry, UnknownDriversAndDevices) {
  Result<std::shared_ptr<Device>> device = openDevice("tpu:v5");
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().message.find("unknown driver tpu (there are: cpu, cuda, hip"),
            std::string::npos)
      << device.error().message;
  device = openDevice("cpu:1");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message,
            "expected a cpu device number below 1, but got 1 (there are 0: CPU (host))");
  device = openDevice("cpu:gfx942");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message, "no cpu device runs code for gfx942 (there are 0: CPU (host))");
}

TEST(DeviceRegistry, AMissingDriverSaysWhatIsMissing) {
  for (const char *name : {"cuda", "hip"}) {
    Result<Driver *> driver = getDriver(name);
    if (driver) {
      EXPECT_GE((*driver)->numDevices(), 1);
      EXPECT_NE((*driver)->description().find("device"), std::string::npos);
      continue;
    }
    EXPECT_EQ(driver.error().message.rfind(std::string(name) + ": ", 0), 0u)
        << driver.error().message;
    // The same each time.
    EXPECT_EQ(getDriver(name).error().message, driver.error().message);
  }
}

TEST(DeviceRegistry, DriversCanBeAdded) {
  int made = 0;
  registerDriver("absent", [&]() -> Result<std::unique_ptr<Driver>> {
    ++made;
    return Error{"absent: there is no such thing"};
  });
  std::vector<std::string> names = driverNames();
  EXPECT_NE(std::find(names.begin(), names.end(), "absent"), names.end());
  EXPECT_FALSE(getDriver("absent"));
  EXPECT_FALSE(openDevice("absent:0"));
  EXPECT_EQ(made, 1);
}
