#include "forge/Support/Crash.h"

#include "forge/Support/Interrupt.h"
#include "forge/Support/ErrorDetails.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include <execinfo.h>
#include <unistd.h>

// 1. A handler may neither allocate nor wait: notes are arrays, and lines are put together on its
//    stack.
// 2. That stack is not the thread's, which may be full.
// 3. Handlers that watch remember the signal and hand it on.
static constexpr struct {
  int number;
  const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"},
               {SIGBUS, "SIGBUS"},
               {SIGFPE, "SIGFPE"},
               {SIGILL, "SIGILL"},
               {SIGABRT, "SIGABRT"}};

static thread_local char note[256];
/// The note of the thread that installed the handlers: a signal from outside comes to any thread.
static const char *programNote = "";
static std::atomic<int> lastCaught;
static bool wantsBacktrace;

static const char *nameOf(int signal) {
  for (auto [number, name] : crashes)
    if (number == signal)
      return name;
  return "";
}

namespace {
/// A stack for handlers, while the thread lives.
class HandlerStack {
public:
  HandlerStack() : memory(std::make_unique<char[]>(size)) {
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = size;
    sigaltstack(&stack, nullptr);
  }
  HandlerStack(const HandlerStack &) = delete;
  HandlerStack &operator=(const HandlerStack &) = delete;
  ~HandlerStack() {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

private:
  static constexpr size_t size = size_t(1) << 16;
  std::unique_ptr<char[]> memory;
};
} // namespace

/// Once for each thread, unless it has such a stack (a sanitizer's).
static void giveHandlersStack() {
  stack_t present = {};
  if (sigaltstack(nullptr, &present) == 0 && !(present.ss_flags & SS_DISABLE))
    return;
  static thread_local HandlerStack stack;
}

static void writeBacktrace() {
  void *calls[64];
  backtrace_symbols_fd(calls, backtrace(calls, 64), STDERR_FILENO);
}

extern "C" {
static void reportAndEnd(int signal) {
  char line[sizeof(note) + 256];
  size_t used = 0;
  auto append = [&](const char *text) {
    size_t length = strlen(text);
    memcpy(line + used, text, length);
    used += length;
  };
  // As diagnosticJson has it, but nothing here may allocate.
  const bool asJson = forge::areJsonDiagnostics();
  append(asJson ? "{\"severity\": \"error\", \"message\": \"" : "error: ");
  const size_t begin = used;
  append("crashed");
  if (const char *known = note[0] ? note : programNote; known[0]) {
    append(" in ");
    append(known);
  }
  append(" (");
  append(nameOf(signal));
  append(")");
  if (asJson) {
    for (size_t i = begin; i < used; ++i)
      if (line[i] == '"' || line[i] == '\\' || static_cast<unsigned char>(line[i]) < 0x20)
        line[i] = '\'';
    append("\", \"stage\": null, \"kernel\": null, \"location\": null, \"shape\": null, "
           "\"schedule\": null, \"try\": null, \"notes\": []}");
  }
  append("\n");
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line, used);
  if (wantsBacktrace)
    writeBacktrace();
  forge::removeTemporaries();
  _exit(1);
}
}

void forge::installCrashHandler() {
  giveHandlersStack();
  programNote = note;
  wantsBacktrace = std::getenv("FORGE_BACKTRACE") != nullptr;
  for (auto [number, name] : crashes) {
    struct sigaction action = {};
    // Not in the place of a sanitizer's.
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
      continue;
    action.sa_handler = reportAndEnd;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;
    sigaction(number, &action, nullptr);
  }
}

void forge::removeCrashHandler() {
  for (auto [number, name] : crashes) {
    struct sigaction action = {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != reportAndEnd)
      continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(number, &action, nullptr);
  }
}

void forge::setCrashNote(std::string_view text) {
  size_t size = std::min(text.size(), sizeof(note) - 1);
  memcpy(note, text.data(), size);
  note[size] = 0;
}

std::string forge::crashNote() { return note; }

forge::CrashNote::CrashNote(std::string_view text) : before(note) { setCrashNote(text); }
forge::CrashNote::~CrashNote() { setCrashNote(before); }

static struct sigaction watched[std::size(crashes)];

extern "C" {
static void rememberAndHandOn(int signal) {
  lastCaught = signal;
  if (wantsBacktrace)
    writeBacktrace();
  for (size_t i = 0; i < std::size(crashes); ++i)
    if (crashes[i].number == signal)
      watched[i].sa_handler(signal);
}
}

void forge::watchCrashes() {
  giveHandlersStack();
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < std::size(crashes); ++i) {
    struct sigaction action = {};
    if (sigaction(crashes[i].number, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) ||
        action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
        action.sa_handler == reportAndEnd || action.sa_handler == rememberAndHandOn)
      continue;
    watched[i] = action;
    action.sa_handler = rememberAndHandOn;
    action.sa_flags |= SA_ONSTACK;
    sigaction(crashes[i].number, &action, nullptr);
  }
}

std::string forge::lastCrashSignal() { return nameOf(lastCaught); }
