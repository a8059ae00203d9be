// Plans: what is read of their text, what is refused and where, and by what they know kernels.
#include "forge/Codegen/Plan.h"

#include "../ParsedFunction.h"

#include "forge/Diagnostics/Location.h"

using namespace forge;
using namespace forge::test;

namespace {

constexpr const char *kCompiler = "forge 1.2.3 (MLIR 4)";
constexpr const char *kHead = "forge-plan 1\ncompiler forge 1.2.3 (MLIR 4)\n";
const std::string kA(32, 'a'), kB(32, 'b');

class PlanTest : public ::testing::Test {
protected:
  PlanTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += locationString(diagnostic.getLocation()) + ": " + diagnostic.str() + "\n";
          return mlir::success();
        }) {}

  mlir::DictionaryAttr read(const std::string &text) {
    messages.clear();
    mlir::FailureOr<mlir::DictionaryAttr> plan = parsePlan(text, "p", kCompiler, &context);
    return succeeded(plan) ? *plan : mlir::DictionaryAttr();
  }
  /// What is said of a plan that is refused.
  std::string refuse(const std::string &text) {
    EXPECT_FALSE(read(text)) << text;
    return messages;
  }

  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler;
};

TEST_F(PlanTest, HasSchedulesByChipAndHash) {
  mlir::DictionaryAttr plan =
      read("\n // a plan\nforge-plan 1\r\n  compiler forge 1.2.3 (MLIR 4)\n\nchip sm_90a\n"
           "  kernel " +
           kA + "   #forge.schedule<strategy = generic, threads = 64> // its name\n" +
           "chip gfx942\nkernel " + kA + " #forge.schedule<strategy = rows>\nchip sm_90a\nkernel " +
           kB + " #forge.schedule<>");
  ASSERT_TRUE(plan) << messages;
  mlir::DictionaryAttr hopper = planFor(plan, "sm_90a"), amd = planFor(plan, "gfx942");
  ASSERT_TRUE(hopper && amd);
  EXPECT_FALSE(planFor(plan, "sm_80"));
  std::optional<PlannedSchedule> a = findPlanned(hopper, kA), b = findPlanned(hopper, kB);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->schedule.describe(), "generic; threads 64");
  EXPECT_EQ(locationString(a->place), "p:7:10");
  EXPECT_TRUE(b->schedule.strategy().empty());
  EXPECT_EQ(findPlanned(amd, kA)->schedule.strategy(), "rows");
  EXPECT_FALSE(findPlanned(amd, kB));
  EXPECT_FALSE(findPlanned({}, kA));
}

TEST_F(PlanTest, IsReadAsItIsWritten) {
  mlir::DictionaryAttr first = read(kHead + ("chip sm_90a\nkernel " + kA) +
                                    " #forge.schedule<strategy = rows, tile = [8, 0]>");
  ASSERT_TRUE(first) << messages;
  ScheduleAttr schedule = findPlanned(planFor(first, "sm_90a"), kA)->schedule;
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(os, kCompiler, "sm_90a",
            {{kA, "a name\nof two lines", schedule}, {kA, "again", schedule}, {kB, "b", schedule}});
  mlir::DictionaryAttr again = read(text);
  ASSERT_TRUE(again) << messages << text;
  EXPECT_EQ(planFor(again, "sm_90a").size(), 2u);
  EXPECT_EQ(findPlanned(planFor(again, "sm_90a"), kB)->schedule, schedule);
}

TEST_F(PlanTest, WhatIsNoPlanIsRefusedAtItsPlace) {
  EXPECT_EQ(refuse(""), "p:1:1: expected a plan with kernels, which begins with 'forge-plan 1', "
                        "but it has none\n");
  EXPECT_EQ(refuse("\n\x01module {"),
            "p:2:1: expected a plan, which begins with 'forge-plan 1', but got '\\001module {'\n");
  EXPECT_EQ(refuse("forge-plan 1\nchip sm_90a\n"),
            "p:2:1: expected 'compiler' and its version, but got 'chip sm_90a'\n");
  EXPECT_EQ(refuse("forge-plan 1\n compiler forge 1.2.2\n"),
            "p:2:11: expected a plan of this compiler, forge 1.2.3 (MLIR 4), but this is one of "
            "'forge 1.2.2'\n");
  std::string head = kHead;
  EXPECT_EQ(refuse(head + "kernels"), "p:3:1: expected 'chip' or 'kernel', but got 'kernels'\n");
  EXPECT_EQ(refuse(head + "chip sm_1"),
            "p:3:6: expected the name of a chip, as sm_90a, but got 'sm_1'\n");
  EXPECT_EQ(refuse(head + "chip"), "p:3:5: expected the name of a chip, as sm_90a, but got ''\n");
  EXPECT_EQ(refuse(head + "kernel " + kA), "p:3:8: expected 'chip' before the first kernel\n");
  EXPECT_EQ(refuse(head + "chip sm_90a\n\n"),
            "p:4:1: expected a plan with kernels, which begins with 'forge-plan 1', but it has "
            "none\n");
  head += "chip sm_90a\n";
  EXPECT_EQ(refuse(head + "kernel aB #forge.schedule<>"),
            "p:4:8: expected the hash of a kernel, 32 hexadecimal digits, but got 'aB'\n");
  EXPECT_EQ(refuse(head + "kernel " + std::string(31, 'a') + "A #forge.schedule<>"),
            "p:4:8: expected the hash of a kernel, 32 hexadecimal digits, but got '" +
                std::string(31, 'a') + "A'\n");
}

TEST_F(PlanTest, WhatIsNoScheduleIsRefusedAtItsPlace) {
  std::string head = kHead + ("chip sm_90a\nkernel " + kA) + " ";
  for (std::string text : {"", "4", "#forge.schedule", "#forge.schedule<", "#forge.schedule<>>",
                           "#forge.schedule<> : tuple<i32>", "#forge.schedule<a = [<>]>"})
    EXPECT_EQ(refuse(head + text), "p:4:" + std::to_string(text.empty() ? 40 : 41) +
                                       ": expected a schedule, as "
                                       "#forge.schedule<strategy = rows>, but got '" +
                                       text + "'\n");
  EXPECT_EQ(refuse(head + "#forge.schedule<strategy = rows, rows = 0>"),
            "p:4:74: expected 1 to 1048576 for field 'rows' of a schedule, but got 0\n");
  EXPECT_TRUE(llvm::StringRef(refuse(head + "#forge.schedule<colour = 4>"))
                  .starts_with("p:4:57: unknown field 'colour' of a schedule"));
  EXPECT_EQ(refuse(head + "#forge.schedule<rows 4>"), "p:4:61: expected '='\n");
  EXPECT_FALSE(refuse(head + "#forge.schedule<rows = 99999999999999999999>").empty());
  EXPECT_FALSE(refuse(head + "#forge.schedule<tile = [[[[[[4]]]]]]>").empty());
}

TEST_F(PlanTest, AKernelHasOneSchedule) {
  std::string line = "kernel " + kA + " #forge.schedule<>\n";
  EXPECT_EQ(
      refuse(kHead + ("chip sm_90a\n" + line) + "chip sm_80\n" + line + "chip sm_90a\n" + line),
      "p:8:8: expected one schedule for each kernel, but this kernel has two\n");
}

/// An elementwise kernel of this name and operation.
std::string kernelText(const std::string &name, const std::string &operation,
                       const std::string &attributes = "") {
  return "func.func private @" + name +
         "(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel" +
         attributes + "} {\n  %0 = linalg." + operation +
         " ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>\n"
         "  return %0 : tensor<8xf32>\n}\n";
}

TEST(KernelHash, IsOfWhatAKernelComputes) {
  ParsedFunction f(kernelText("a", "add") + kernelText("b", "add") + kernelText("c", "sub") +
                   kernelText("d", "add", ", forge.other"));
  std::string hash = kernelHash(f.function("a"));
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(hash, kernelHash(f.function("b")));
  EXPECT_NE(hash, kernelHash(f.function("c")));
  EXPECT_NE(hash, kernelHash(f.function("d")));
  f.context.getOrLoadDialect<ForgeDialect>();
  f.function("b")->setAttr(kScheduleAttr, ScheduleAttr::empty(&f.context));
  f.function("b")->setAttr(kFallbackScheduleAttr, ScheduleAttr::empty(&f.context));
  EXPECT_EQ(hash, kernelHash(f.function("b")));
}

} // namespace
