// Shared libraries opened at run time: the C library, which every machine has.
#include "../../../lib/Runtime/Device/Library.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::rt;

namespace {

TEST(Library, TheFirstNameThatIsFound) {
  Result<Library> library = Library::open("C library", {"libforge-none.so.9", "libc.so.6"});
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->name(), "libc.so.6");
  int (*absolute)(int) = nullptr;
  ASSERT_TRUE(library->find("abs", absolute));
  EXPECT_EQ(absolute(-3), 3);
}

TEST(Library, WhatWasLookedForIsNamed) {
  std::string message = Library::open("C library", {"libforge-none.so.9"}).error().message;
  EXPECT_EQ(message.find("no C library (looked for libforge-none.so.9)"), 0u) << message;
}

TEST(FunctionFinder, CallsKeepTheirNames) {
  Result<Library> library = Library::open("C library", {"libc.so.6"});
  ASSERT_TRUE(library);
  FunctionFinder finder(*library);
  Call<int> absolute, none;
  EXPECT_FALSE(absolute);
  EXPECT_TRUE(finder.find("abs", absolute));
  EXPECT_FALSE(finder.find("forge_none", none));
  EXPECT_TRUE(absolute);
  EXPECT_STREQ(absolute.name, "abs");
  EXPECT_EQ(absolute(-3), 3);
  EXPECT_FALSE(none);
  EXPECT_STREQ(none.name, "forge_none") << "for the message that it is missing";
  EXPECT_EQ(finder.missing(), "") << "neither was required";
}

TEST(FunctionFinder, RequiredOnesThatAreMissingAreListed) {
  Result<Library> library = Library::open("C library", {"libc.so.6"});
  ASSERT_TRUE(library);
  FunctionFinder finder(*library);
  Call<int> absolute, first;
  int (*second)(int) = nullptr;
  finder.require("abs", absolute);
  finder.require("forge_first", first);
  finder.require("forge_second", second);
  EXPECT_TRUE(absolute);
  EXPECT_FALSE(first);
  EXPECT_FALSE(second);
  EXPECT_EQ(finder.missing(), "forge_first, forge_second");
}

} // namespace
