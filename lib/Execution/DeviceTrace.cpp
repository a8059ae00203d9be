#include "DeviceTrace.h"

#include "forge/Codegen/Stamps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace forge;

/// What is known of a kernel.
static void describeKernel(const KernelInfo &kernel, TraceSpan &span) {
  span.details.emplace_back("strategy", kernel.strategy);
  span.details.emplace_back("schedule", kernel.schedule);
  span.details.emplace_back("source", llvm::join(kernel.places, " "));
  if (kernel.flops > 0)
    span.details.emplace_back("flops", kernel.flops);
  if (kernel.bytes > 0)
    span.details.emplace_back("bytes", kernel.bytes);
}

namespace {
/// A time stamp: the number of a stage, from 1, and the lower bits of a time.
struct Stamp {
  explicit Stamp(int64_t word)
      : stage(static_cast<uint64_t>(word) >> kStampTimeBits), time(word << (64 - kStampTimeBits)) {}

  /// Nanoseconds since `origin`: the difference is right also where the bits have wrapped.
  int64_t since(const Stamp &origin) const {
    return static_cast<int64_t>(static_cast<uint64_t>(time) - static_cast<uint64_t>(origin.time)) >>
           (64 - kStampTimeBits);
  }

  uint64_t stage;
  int64_t time;
};

/// Those of one row of one block.
struct StampedRow {
  int64_t block = 0;
  size_t row = 0;
  std::vector<Stamp> stamps;
};
} // namespace

/// The rows of a launch in which anything was written.
static std::vector<StampedRow> rowsOf(llvm::ArrayRef<int64_t> words, size_t numRows) {
  std::vector<StampedRow> rows;
  for (int64_t block = 0; block < kStampedBlocks; ++block)
    for (size_t row = 0; row < numRows && words.size() >= size_t(kStampsPerRow); ++row) {
      StampedRow found{block, row, {}};
      for (int64_t word : words.take_front(kStampsPerRow))
        if (word != 0)
          found.stamps.emplace_back(word);
      words = words.drop_front(kStampsPerRow);
      if (!found.stamps.empty())
        rows.push_back(std::move(found));
    }
  return rows;
}

/// A stage lasts until the next one begins. All are from `begin` to `end`, when the kernel ran.
static void addStages(Trace &trace, const std::string &group, const std::string &function,
                      const KernelInfo &kernel, const rt::DeviceTime &time, int64_t begin,
                      int64_t end) {
  std::vector<StampedRow> rows = rowsOf(time.stamps, kernel.stageRows.size());
  if (rows.empty())
    return;
  // The device's clock is not the host's: the first stamp is where the kernel begins.
  Stamp origin = rows.front().stamps.front();
  for (const StampedRow &row : rows)
    if (row.stamps.front().since(origin) < 0)
      origin = row.stamps.front();
  auto at = [&](const Stamp &stamp) { return std::min(begin + stamp.since(origin), end); };
  for (const StampedRow &row : rows) {
    std::string name =
        "@" + function + ", block " + std::to_string(row.block) + ", " + kernel.stageRows[row.row];
    TraceSpan whole{kernel.name, "kernel", at(row.stamps.front()), at(row.stamps.back())};
    if (row.stamps.size() == size_t(kStampsPerRow))
      whole.details.emplace_back("time stamps", "as many as there is room for");
    for (size_t i = 0; i < row.stamps.size();) {
      const Stamp &stamp = row.stamps[i];
      size_t next = i + 1;
      while (next + 1 < row.stamps.size() && row.stamps[next].stage == stamp.stage)
        ++next;
      if (next < row.stamps.size() && stamp.stage <= kernel.stages.size() &&
          !kernel.stages[stamp.stage - 1].empty())
        trace.add(group, name,
                  {kernel.stages[stamp.stage - 1], "stage", at(stamp), at(row.stamps[next])});
      i = next;
    }
    trace.add(group, name, std::move(whole));
  }
}

void forge::addToTrace(Trace &trace, const rt::Device &device, const std::string &function,
                       const std::vector<rt::DeviceTime> &times,
                       const std::vector<KernelInfo> &kernels) {
  std::string group =
      device.driverName() + ":" + std::to_string(device.index()) + " " + device.properties().name;
  int64_t idleFrom = 0;
  for (const rt::DeviceTime &time : times) {
    TraceSpan span{time.name, time.kind == rt::DeviceWork::Copy ? "copy" : "kernel"};
    // Work of a stream does not overlap; times of two events may, by what they are rounded.
    span.begin = std::max(trace.at(time.begin), idleFrom);
    span.end = std::max(span.begin, trace.at(time.begin) + static_cast<int64_t>(time.ms * 1e6));
    idleFrom = span.end;
    if (time.kind == rt::DeviceWork::Copy)
      span.details.emplace_back("bytes", static_cast<int64_t>(time.bytes));
    else
      span.details.emplace_back("launch", time.description);
    auto kernel = llvm::find_if(kernels, [&](const KernelInfo &known) {
      return time.kind == rt::DeviceWork::Kernel && known.name == time.name;
    });
    int64_t begin = span.begin, end = span.end;
    if (kernel != kernels.end())
      describeKernel(*kernel, span);
    trace.add(group, "stream of @" + function, std::move(span));
    if (kernel != kernels.end())
      addStages(trace, group, function, *kernel, time, begin, end);
  }
}
