#include "forge/Checkpoint/Json.h"

#include <gtest/gtest.h>

using namespace forge;

static std::string problemOfJson(const std::string &text) {
  Result<nlohmann::json> parsed = parseJsonObject(text);
  return parsed ? "" : parsed.error().message;
}

TEST(Json, TakesObjects) {
  EXPECT_EQ(problemOfJson(R"({"a": {"a": [1, {"a": 2}]}, "b": "\u00e9"})"), "");
}

TEST(Json, RefusesOtherText) {
  EXPECT_EQ(problemOfJson(""), "not valid JSON at line 1, column 1");
  EXPECT_EQ(problemOfJson("{\"a\": 1"), "not valid JSON at line 1, column 7");
  EXPECT_EQ(problemOfJson("{\"a\": \"\xff\"}"), "not valid JSON at line 1, column 8");
  EXPECT_EQ(problemOfJson("{\n  \"a\": 1,\n  \"b\": NaN\n}"), "not valid JSON at line 3, column 8");
  EXPECT_EQ(problemOfJson("[1]"), "expected a JSON object, but got [1]");
  EXPECT_EQ(problemOfJson(R"({"b": {"a": 1, "a": 2}})"), "key \"a\" is given twice");
  EXPECT_EQ(problemOfJson("{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "}"),
            "expected at most 64 levels of nesting");
}

TEST(Json, PlacesInText) {
  EXPECT_EQ(whereNoJson("[1, {\"a\": 2}]\n"), std::nullopt);
  EXPECT_EQ(whereNoJson(""), 0u);
  EXPECT_EQ(whereNoJson("[1,\n nan]"), 6u);
  for (auto [offset, line, column] :
       {std::tuple(0, 1u, 1u), {3, 1u, 4u}, {4, 2u, 1u}, {6, 2u, 3u}}) {
    TextPlace place = placeAt("[1,\n nan]", offset);
    EXPECT_EQ(place.line, line) << offset;
    EXPECT_EQ(place.column, column) << offset;
  }
}

TEST(Json, NaturalNumbersFitInSigned) {
  auto number = [](const char *text) { return naturalNumber(nlohmann::json::parse(text)); };
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number("9223372036854775807"), INT64_MAX);
  for (const char *text : {"9223372036854775808", "-1", "1.0", "\"1\"", "true", "1e3"})
    EXPECT_EQ(number(text), std::nullopt) << text;
}
