// Errors as text and as JSON.
#include "forge/Support/ErrorDetails.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

DiagnosticText everything() {
  DiagnosticText text;
  text.message = "too many threads";
  text.details = {"kernels", "rows",         "dir/m.mlir:3:8",
                  "4x8xf32", "rows; rows 4", "forge explain --alternatives"};
  text.notes = {{"the kernel is made of this", "m.mlir:2:1"}};
  return text;
}

TEST(ErrorDetails, Lines) {
  EXPECT_EQ(diagnosticLines(everything()),
            "dir/m.mlir:3:8: error: too many threads\n"
            "m.mlir:2:1: note: the kernel is made of this\n"
            "note: in kernels, kernel rows, 4x8xf32, by rows; rows 4\n"
            "note: try forge explain --alternatives\n");
}

/// Nothing but a message is one line.
TEST(ErrorDetails, OneLine) {
  EXPECT_EQ(diagnosticLines({Severity::Error, "a\nb", {}, {}}), "error: a b\n");
  EXPECT_EQ(diagnosticLines({Severity::Warning, "c", {.stage = "run"}, {}}), "warning: c\n");
}

TEST(ErrorDetails, WhatTheMessageSaysIsNotRepeated) {
  ErrorDetails details{.stage = "run", .kernel = "rows", .shape = "4xf32", .schedule = "rows; rows 4"};
  EXPECT_EQ(diagnosticLines({Severity::Error, "launching @rows (rows; rows 4; 4xf32)", details, {}}),
            "error: launching @rows (rows; rows 4; 4xf32)\n");
}

TEST(ErrorDetails, Json) {
  EXPECT_EQ(diagnosticJson(everything()),
            R"({"severity": "error", "message": "too many threads", "stage": "kernels", )"
            R"("kernel": "rows", "location": {"file": "dir/m.mlir", "line": 3, "column": 8}, )"
            R"("shape": "4x8xf32", "schedule": "rows; rows 4", )"
            R"("try": "forge explain --alternatives", "notes": [{"message": "the kernel is made of )"
            R"(this", "location": {"file": "m.mlir", "line": 2, "column": 1}}]})"
            "\n");
  EXPECT_EQ(diagnosticJson({Severity::Remark, "m", {}, {}}),
            R"({"severity": "remark", "message": "m", "stage": null, "kernel": null, "location": )"
            R"(null, "shape": null, "schedule": null, "try": null, "notes": []})"
            "\n");
}

std::string messageOf(const std::string &message) {
  std::string json = diagnosticJson({Severity::Error, message, {}, {}});
  std::string begin = R"({"severity": "error", "message": ")";
  EXPECT_TRUE(json.starts_with(begin));
  return json.substr(begin.size(), json.find("\", \"stage\"") - begin.size());
}

TEST(ErrorDetails, EscapesWhatJsonDoesNotTake) {
  EXPECT_EQ(messageOf("\"a\\b\"\n\t\x01"), R"(\"a\\b\"\u000a\u0009\u0001)");
  EXPECT_EQ(messageOf("µ€😀"), "µ€😀");
  // A continuation, a beginning alone, a surrogate, a slash that is too long, the end cut off.
  EXPECT_EQ(messageOf("\x80|\xC3|\xED\xA0\x80|\xC0\xAF|\xE2\x82"),
            R"(\ufffd|\ufffd|\ufffd\ufffd\ufffd|\ufffd\ufffd|\ufffd\ufffd)");
}

std::string placeOf(const std::string &location) {
  std::string json = diagnosticJson({Severity::Error, "", {.location = location}, {}});
  size_t begin = json.find("\"location\": ") + 12;
  return json.substr(begin, json.find(", \"shape\"") - begin);
}

TEST(ErrorDetails, Locations) {
  EXPECT_EQ(placeOf("a:b.mlir:007:0"), R"({"file": "a:b.mlir", "line": 7, "column": 0})");
  EXPECT_EQ(placeOf("a.mlir:12"), R"({"file": "a.mlir", "line": 12, "column": null})");
  EXPECT_EQ(placeOf("a.mlir"), R"({"file": "a.mlir", "line": null, "column": null})");
  EXPECT_EQ(placeOf("a.mlir:x:3"), R"({"file": "a.mlir:x", "line": 3, "column": null})");
  EXPECT_EQ(placeOf("a.mlir:"), R"({"file": "a.mlir:", "line": null, "column": null})");
}

TEST(ErrorDetails, WhatIsKnownStays) {
  Error error = withDetails(Error{"launch 7 failed"}, {.stage = "run", .kernel = "rows"});
  error = withDetails(error, {.stage = "verify", .shape = "4xf32"});
  EXPECT_EQ(error.message, "launch 7 failed");
  ErrorDetails details = knownDetails("launch 7 failed");
  EXPECT_EQ(details.stage, "run");
  EXPECT_EQ(details.kernel, "rows");
  EXPECT_EQ(details.shape, "4xf32");
}

/// A message that others have been put around, too; of several the longest.
TEST(ErrorDetails, IsFoundInALongerMessage) {
  withDetails(Error{"no device"}, {.kernel = "none", .advice = "forge doctor"});
  EXPECT_EQ(knownDetails("--measure: no device (cuda)").advice, "forge doctor");
  // What is known of an error stays known when it becomes part of another one.
  withDetails(Error{"no device (cuda)"}, {.shape = "4xf32", .advice = "another"});
  EXPECT_EQ(knownDetails("--measure: no device (cuda)").advice, "forge doctor");
  EXPECT_EQ(knownDetails("--measure: no device (cuda)").kernel, "none");
  EXPECT_EQ(knownDetails("--measure: no device (cuda)").shape, "4xf32");
  EXPECT_EQ(knownDetails("--measure: no device").shape, "");
  EXPECT_EQ(knownDetails("nothing of the kind").advice, "");
}

TEST(ErrorDetails, FewAreKept) {
  withDetails(Error{"the first of many"}, {.stage = "run"});
  for (int i = 0; i < 1000; ++i)
    withDetails(Error{"number " + std::to_string(i)}, {.stage = "run"});
  EXPECT_EQ(knownDetails("the first of many").stage, "");
  EXPECT_EQ(knownDetails("number 999").stage, "run");
}

TEST(ErrorDetails, TheProcessDecides) {
  DiagnosticText text{Severity::Error, "m", {}, {}};
  EXPECT_EQ(formatDiagnostic(text), "error: m\n");
  setJsonDiagnostics(true);
  EXPECT_TRUE(formatDiagnostic(text).starts_with("{"));
  setJsonDiagnostics(false);
}

} // namespace
