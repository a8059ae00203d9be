#include "forge/Support/Trace.h"

#include <gtest/gtest.h>

#include <thread>

using namespace forge;

namespace {

/// "<a <b >b >a" with times.
std::string text(const std::vector<TraceSpan> &spans) {
  std::string all;
  for (const TraceEvent &event : nestedEvents(spans))
    all += (all.empty() ? "" : " ") + std::string(event.begins ? "<" : ">") + event.span->name +
           std::to_string(event.time);
  return all;
}

TEST(Trace, SpansNestInWhatWasOpen) {
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({{"b", "", 2, 3}, {"c", "", 3, 5}, {"a", "", 1, 6}}), "<a1 <b2 >b3 <c3 >c5 >a6");
  EXPECT_EQ(text({{"a", "", 0, 1}, {"b", "", 1, 2}}), "<a0 >a1 <b1 >b2");
}

TEST(Trace, OfEqualSpansTheOneAddedLastIsOutside) {
  EXPECT_EQ(text({{"inner", "", 1, 2}, {"outer", "", 1, 2}}), "<outer1 <inner1 >inner2 >outer2");
}

TEST(Trace, WhatOverlapsEndsWithTheOuterSpan) {
  EXPECT_EQ(text({{"a", "", 0, 5}, {"b", "", 3, 9}}), "<a0 <b3 >b5 >a5");
}

TEST(Trace, SpansOfNoLengthHaveBothEvents) {
  EXPECT_EQ(text({{"a", "", 4, 4}, {"b", "", 4, 4}}), "<b4 >b4 <a4 >a4");
}

TEST(Trace, NothingIsRecordedWithoutAnActiveTrace) {
  Trace trace;
  {
    TraceScope scope("run", "before");
  }
  {
    Trace::Activation active(trace);
    EXPECT_EQ(Trace::active(), &trace);
    TraceScope scope("run", "during");
    scope.detail("bytes", int64_t(3));
  }
  {
    TraceScope scope("run", "after");
  }
  EXPECT_EQ(Trace::active(), nullptr);
  std::vector<Trace::Row> rows = trace.rows();
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].spans.size(), 1u);
  EXPECT_EQ(rows[0].spans[0].name, "during");
  EXPECT_EQ(std::get<int64_t>(rows[0].spans[0].details.at(0).second), 3);
  EXPECT_LE(rows[0].spans[0].begin, rows[0].spans[0].end);
}

TEST(Trace, EachThreadHasARow) {
  Trace trace;
  Trace::Activation active(trace);
  {
    TraceScope scope("run", "here");
  }
  std::thread([] { TraceScope scope("run", "there"); }).join();
  trace.add("cuda:0", "stream", {"kernel", "kernel", 1, 2});
  {
    TraceScope scope("run", "here again");
  }
  std::vector<Trace::Row> rows = trace.rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].group + "/" + rows[0].name, "host/main thread");
  EXPECT_EQ(rows[0].spans.size(), 2u);
  EXPECT_EQ(rows[1].group + "/" + rows[1].name, "host/thread 1");
  EXPECT_EQ(rows[2].group + "/" + rows[2].name, "cuda:0/stream");
}

} // namespace
