#include "forge/Support/Trace.h"

#include <algorithm>
#include <atomic>
#include <numeric>

using namespace forge;

static std::atomic<Trace *> activeTrace{nullptr};

Trace *Trace::active() { return activeTrace.load(std::memory_order_acquire); }

Trace::Activation::Activation(Trace &trace) { activeTrace = &trace; }
Trace::Activation::~Activation() { activeTrace = nullptr; }

Trace::Trace() { threads[std::this_thread::get_id()] = "main thread"; }

Trace::Row &Trace::rowOf(const std::string &group, const std::string &name) {
  auto last = all.end();
  for (auto row = all.begin(); row != all.end(); ++row) {
    if (row->group == group && row->name == name)
      return *row;
    if (row->group == group)
      last = row + 1;
  }
  return *all.insert(last, {group, name, {}});
}

void Trace::add(const std::string &group, const std::string &row, TraceSpan span) {
  std::lock_guard<std::mutex> lock(mutex);
  rowOf(group, row).spans.push_back(std::move(span));
}

void Trace::add(std::thread::id thread, TraceSpan span) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string &name = threads[thread];
  if (name.empty())
    name = "thread " + std::to_string(threads.size() - 1);
  rowOf("host", name).spans.push_back(std::move(span));
}

std::vector<Trace::Row> Trace::rows() const {
  std::lock_guard<std::mutex> lock(mutex);
  return all;
}

std::vector<TraceEvent> forge::nestedEvents(const std::vector<TraceSpan> &spans) {
  // Outer spans first. Of equal ones the outer was added last: scopes are added as they end.
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (spans[a].begin != spans[b].begin)
      return spans[a].begin < spans[b].begin;
    return spans[a].end != spans[b].end ? spans[a].end > spans[b].end : a > b;
  });
  std::vector<TraceEvent> events, open;
  auto closeUntil = [&](int64_t time) {
    for (; !open.empty() && open.back().time <= time; open.pop_back())
      events.push_back(open.back());
  };
  for (size_t i : order) {
    const TraceSpan &span = spans[i];
    closeUntil(span.begin);
    int64_t end = open.empty() ? span.end : std::min(span.end, open.back().time);
    events.push_back({true, span.begin, &span});
    open.push_back({false, std::max(end, span.begin), &span});
  }
  closeUntil(INT64_MAX);
  return events;
}

TraceScope::TraceScope(std::string_view category, std::string_view name) : trace(Trace::active()) {
  if (!trace)
    return;
  span.category = category;
  span.name = name;
  span.begin = trace->now();
}

TraceScope::~TraceScope() {
  if (!trace)
    return;
  span.end = trace->now();
  trace->add(std::move(span));
}

void TraceScope::detail(std::string_view name, TraceSpan::Value value) {
  if (trace)
    span.details.emplace_back(name, std::move(value));
}
