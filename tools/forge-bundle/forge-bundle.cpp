// Called as forge: forge. Called as forge-tests: the GoogleTest binaries that are linked in.
#include "../forge/Main.h"

#include <gtest/gtest.h>
#include <string_view>

int main(int argc, char **argv) {
  std::string_view name(argv[0]);
  name.remove_prefix(name.find_last_of('/') + 1);
  if (name != "forge-tests")
    return forge::tool::runForge(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
