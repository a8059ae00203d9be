#include "Children.h"

#include "forge/Support/Crash.h"
#include "forge/Support/Sanitizers.h"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace forge::mutate;
using Clock = std::chrono::steady_clock;

/// Bytes of address space that a child may have.
static constexpr rlim_t kMostMemory = rlim_t{16} << 30;

Children::~Children() {
  while (!children.empty()) {
    kill(children.back().process, SIGKILL);
    finish(children.size() - 1, true);
  }
}

static void write(int pipe, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = ::write(pipe, text.data() + done, text.size() - done);
    if (count <= 0)
      return;
    done += static_cast<size_t>(count);
  }
}

/// What a child does before its work.
static void isolate(double timeLimit) {
  int nowhere = open("/dev/null", O_RDWR);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nowhere, stream);
  forge::removeCrashHandler(); // the parent asks for the signal
  rlimit noCore{0, 0}, memory{kMostMemory, kMostMemory};
  setrlimit(RLIMIT_CORE, &noCore);
  // AddressSanitizer reserves far more addresses than memory.
  if (!FORGE_ADDRESS_SANITIZER)
    setrlimit(RLIMIT_AS, &memory);
  // The signal is SIGXCPU, a second before SIGKILL.
  auto seconds = static_cast<rlim_t>(timeLimit + 1);
  rlimit time{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &time);
}

bool Children::start(size_t number, const std::function<void(const Write &)> &work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  pid_t process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (process == 0) {
    isolate(timeLimit);
    work([&](const std::string &text) { ::write(ends[1], text); });
    _exit(0); // no destructors: they are the parent's
  }
  close(ends[1]);
  children.push_back({number, process, ends[0], "", Clock::now()});
  return true;
}

Ending Children::finish(size_t index, bool timedOut) {
  Child child = std::move(children[index]);
  children.erase(children.begin() + static_cast<ptrdiff_t>(index));
  int status = 0;
  waitpid(child.process, &status, 0);
  close(child.pipe);
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return {child.number, std::move(child.output), timedOut || signal == SIGXCPU, signal};
}

Ending Children::wait() {
  while (true) {
    std::vector<pollfd> pipes;
    for (const Child &child : children)
      pipes.push_back({child.pipe, POLLIN, 0});
    poll(pipes.data(), pipes.size(), 100);
    for (size_t i = 0; i < children.size(); ++i) {
      Child &child = children[i];
      if (pipes[i].revents & (POLLIN | POLLHUP | POLLERR)) {
        char bytes[4096];
        ssize_t count = read(child.pipe, bytes, sizeof bytes);
        if (count <= 0)
          return finish(i, false);
        child.output.append(bytes, static_cast<size_t>(count));
      }
      if (std::chrono::duration<double>(Clock::now() - child.started).count() > 10 * timeLimit) {
        kill(child.process, SIGKILL);
        return finish(i, true);
      }
    }
  }
}
