// Chrome's "Trace Event Format": an object with `traceEvents`, times in microseconds. Spans are
// written as begins and ends (B, E) and not as complete events (X): readers that round times to
// nanoseconds keep the order of begins and ends, but not that of sums of begin and duration.
#include "TraceFile.h"
#include "Command.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/Trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace forge;
using namespace forge::tool;
using json = nlohmann::ordered_json;

namespace {
/// Numbers of a group (a process, to viewers) and of a row in it (a thread), from 1.
struct RowNumber {
  size_t group, row;
};

class Writer {
public:
  void addRow(const Trace::Row &row) {
    RowNumber number = numberOf(row);
    for (const TraceEvent &event : nestedEvents(row.spans))
      add(number, event);
  }

  std::string text() const {
    std::string all = R"({"displayTimeUnit": "ms", "otherData": {"forge": )" +
                      json(versionText()).dump() + "}, \"traceEvents\": [";
    for (size_t i = 0; i < events.size(); ++i)
      all += (i == 0 ? "\n" : ",\n") + events[i];
    return all + "\n]}\n";
  }

private:
  /// A name of the group where it is new, and of the row.
  RowNumber numberOf(const Trace::Row &row) {
    if (groups.empty() || groups.back() != row.group) {
      groups.push_back(row.group);
      rows = 0;
      addName("process_name", {groups.size(), 0}, row.group);
    }
    RowNumber number{groups.size(), ++rows};
    addName("thread_name", number, row.name);
    return number;
  }

  void addName(const char *what, RowNumber number, const std::string &name) {
    append({{"ph", "M"},
            {"name", what},
            {"pid", number.group},
            {"tid", number.row},
            {"args", {{"name", name}}}});
  }

  void add(RowNumber number, const TraceEvent &event) {
    json object = {{"ph", event.begins ? "B" : "E"},
                   {"name", event.span->name},
                   {"cat", event.span->category},
                   {"ts", static_cast<double>(event.time) / 1e3},
                   {"pid", number.group},
                   {"tid", number.row}};
    if (event.begins && !event.span->details.empty())
      for (const auto &[name, value] : event.span->details)
        std::visit([&](const auto &known) { object["args"][name] = known; }, value);
    append(object);
  }

  void append(const json &object) {
    // Names may hold any bytes.
    events.push_back(object.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  std::vector<std::string> events, groups;
  size_t rows = 0;
};
} // namespace

void TraceOption::addTo(CLI::App &app) {
  app.add_option("--instrument", file,
                 "Write when each phase, pass, launch, copy and kernel began and ended, as trace "
                 "events for ui.perfetto.dev; kernels then run one by one")
      ->check(isPath())
      ->option_text("TRACE.json");
}

int TraceOption::record(const std::function<int()> &command) const {
  if (file.empty())
    return command();
  Trace trace;
  int status = kSuccess;
  {
    Trace::Activation active(trace);
    status = command();
  }
  Writer writer;
  for (const Trace::Row &row : trace.rows())
    writer.addRow(row);
  Result<void> written = writeFileAtomically(file, writer.text());
  return written ? status : std::max(status, fail(written.error().message));
}
